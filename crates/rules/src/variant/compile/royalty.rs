//! The royals, and the setup phase.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::naming::{Algebraic, Describe};
use crate::placement::{OnSquare, read_row};
use crate::shown::shown;
use crate::types::{Color, Letter, PerColor, Piece, PieceTypeSet, Rank, Square};
use crate::variant::definition::{PieceTable, RoyaltyTable, SetupTable};
use crate::variant::{
    Array, DefinitionFault, EndRule, FacingAlong, Royalty, RoyaltyKind, SetupRule, SideRules,
};

impl Compiler<'_> {
    /// Whether the definition names a royal piece.
    pub(super) fn has_royal(&self) -> bool {
        self.definition.royalty.as_ref().is_some_and(|table| table.piece.as_deref() != Some(""))
    }

    /// Whether a piece may not capture: a royal that must be kept safe and would turn to stone.
    pub(super) fn cannot_capture(&self, letter: &str, table: &PieceTable) -> bool {
        let royalty = self.definition.royalty.as_ref();
        let is_royal = royalty.is_some_and(|royalty| {
            let royals = Letter::split(royalty.piece.as_deref().unwrap_or("")).unwrap_or_default();
            royalty.kind != Some(RoyaltyKind::Captured)
                && royals.iter().any(|royal| royal.to_string() == letter)
        });
        is_royal && table.on_capture.as_deref() == Some("stone")
    }

    /// The royals; an empty text removes those of the base.
    pub(super) fn royalty(
        &self,
        table: &RoyaltyTable,
        sides: &PerColor<SideRules>,
        end: &EndRule,
        drop_first: PieceTypeSet,
    ) -> Option<Royalty> {
        let Some(letters) = &table.piece else {
            self.faults.note("royalty.piece", DefinitionFault::Missing);
            return None;
        };
        let kinds = self.kinds("royalty.piece", letters);
        let piece = *kinds.first()?;
        let kind = table.kind.unwrap_or(RoyaltyKind::Absolute);
        let late = table.late.as_ref().filter(|text| !text.is_empty());
        let is_single = |color| sides[color].piece(piece).limit == Some(1);
        let several = matches!(kind, RoyaltyKind::Absolute | RoyaltyKind::Duple)
            && (kinds.len() > 1 || !Color::ALL.into_iter().all(is_single));
        let facing = table.facing.unwrap_or(false);
        let blasts = self.definition.blast.is_some();
        let has_irregular = |color| !sides[color].irregular_attackers.is_empty();
        Some(Royalty {
            piece,
            pieces: kinds.into_iter().collect(),
            kind,
            late: late.and_then(|text| self.kind("royalty.late", text)),
            facing,
            facing_along: self.facing_along(table),
            checking: table.checking.unwrap_or(true),
            flees: self.flees(table, kind, several),
            several,
            can_fall: kind == RoyaltyKind::Captured || blasts,
            irregular_attacks: several
                || blasts
                || end.facing
                || facing && kind != RoyaltyKind::Captured
                || Color::ALL.into_iter().any(has_irregular),
            placed_at_once: Some(piece).filter(|&piece| !drop_first.contains(piece)),
        })
    }

    /// Whether a royal in check may go elsewhere than to the piece that checks it.
    fn flees(&self, table: &RoyaltyTable, kind: RoyaltyKind, several: bool) -> bool {
        if table.flees == Some(false) && (several || kind == RoyaltyKind::Captured) {
            let fault = "needs a single royal that must be kept safe";
            self.faults.note("royalty.flees", fault);
        }
        table.flees.unwrap_or(true)
    }

    /// The lines along which royals face each other.
    fn facing_along(&self, table: &RoyaltyTable) -> FacingAlong {
        let end = self.definition.end.as_ref();
        let faces = table.facing == Some(true) || end.is_some_and(|end| end.facing == Some(true));
        if table.facing_along.is_some() && !faces {
            self.faults.note("royalty.facing_along", "needs 'facing = true'");
        }
        table.facing_along.unwrap_or(FacingAlong::File)
    }

    /// The setup phase.
    pub(super) fn setup(&self, table: &SetupTable) -> Option<SetupRule> {
        let rows = table.arrays.clone().unwrap_or_default();
        let mut pieces = self.kind_set("setup.pieces", table.pieces.as_deref().unwrap_or(""));
        let names_pieces = table.pieces.as_ref().is_some_and(|text| !text.is_empty());
        if names_pieces && !rows.is_empty() {
            self.faults.note("setup.pieces", "cannot stand beside 'arrays', which say it");
        } else if !names_pieces && rows.is_empty() {
            self.faults
                .note("setup.pieces", "expected are the letters of the pieces to be rearranged");
        }
        let rank = table.rank.unwrap_or(0);
        if !(1..=self.geometry.ranks()).contains(&rank) {
            self.faults.note("setup.rank", format!("there is no rank {rank}"));
            return None;
        }
        let squares = self.geometry.rank_squares(Rank(rank - 1));
        let squares = PerColor::from_fn(|color| self.own(color, squares));
        let arrays = PerColor::from_fn(|color| {
            let arrays = rows.iter().map(|row| self.array(color, squares[color], rank, row));
            // All of them are read, for all faults.
            let arrays: Vec<Option<Array>> = arrays.collect();
            arrays.into_iter().collect::<Option<Vec<Array>>>().unwrap_or_default()
        });
        if let [first, others @ ..] = arrays[Color::White].as_slice() {
            // What is not the same in all of them is rearranged.
            let differs = |(index, at): (usize, &_)| others.iter().any(|other| other[index] != *at);
            let changing = first.iter().enumerate().filter(|&(index, at)| differs((index, at)));
            pieces = changing.filter_map(|(_, (_, kind))| *kind).collect();
            self.check_arrays(&arrays, &rows);
        }
        Some(SetupRule { pieces, squares, arrays, rows })
    }

    /// What stands on the rank of a side in an array; `None`, and a fault, if its row cannot be read.
    fn array(&self, color: Color, squares: Bitboard, rank: u8, row: &str) -> Option<Array> {
        let key = "setup.arrays";
        if row.contains(|c: char| c.is_lowercase()) {
            self.faults.note(key, format!("'{}': the row is written in capitals", shown(row)));
            return None;
        }
        let on = read_row(&self.geometry, self, row, Rank(rank - 1)).map_err(|fault| {
            let fault = fault.through(&self.geometry, &Algebraic);
            self.faults.note(key, format!("'{}': {fault}", shown(row)));
        });
        let on = on.ok()?;
        let kind = |square: Square| {
            let own = self.own_square(color, square);
            match on.get(usize::from(self.geometry.file(own).0)) {
                Some(OnSquare::Piece(piece)) => Some(piece.kind()),
                _ => None,
            }
        };
        Some(squares.map(|square| (square, kind(square))).collect())
    }

    /// Refuses arrays of other pieces than those that stand on the rank at the start, a list without the array of the
    /// start, and one with an array twice.
    fn check_arrays(&self, arrays: &PerColor<Vec<Array>>, rows: &[String]) {
        let (key, Some(start)) = ("setup.arrays", self.start.as_ref()) else { return };
        let white = &arrays[Color::White];
        for (index, row) in rows.iter().enumerate() {
            if white[..index].contains(&white[index]) {
                self.faults.note(key, format!("{row} stands twice"));
            }
        }
        for color in Color::ALL {
            let piece = |square: Square| {
                let there = start.iter().find(|(other, _)| *other == square);
                there.map(|(_, piece)| *piece).filter(|piece| piece.color() == color)
            };
            let squares = white[0].iter().map(|(square, _)| self.own_square(color, *square));
            let mut squares: Vec<Square> = squares.collect();
            squares.sort_unstable();
            let now: Array =
                squares.into_iter().map(|at| (at, piece(at).map(Piece::kind))).collect();
            let sorted = |array: &Array| {
                let mut kinds: Vec<_> = array.iter().map(|(_, kind)| *kind).collect();
                kinds.sort_unstable();
                kinds
            };
            if let Some(wrong) =
                arrays[color].iter().position(|array| sorted(array) != sorted(&now))
            {
                let row = &rows[wrong];
                let fault =
                    format!("{row} has other pieces than {color} has on that rank at the start");
                return self.faults.note(key, fault);
            }
            if !arrays[color].contains(&now) {
                let fault = format!("the array of {color} at the start is not among them");
                return self.faults.note(key, fault);
            }
        }
    }
}
