//! The royals, and the setup phase.

use super::Compiler;
use crate::types::{Color, Letter, PerColor, PieceTypeSet, Rank};
use crate::variant::definition::{PieceTable, RoyaltyTable, SetupTable};
use crate::variant::{
    DefinitionFault, EndRule, FacingAlong, Royalty, RoyaltyKind, SetupRule, SideRules,
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
        let pieces = self.kinds("setup.pieces", table.pieces.as_deref().unwrap_or(""));
        if pieces.is_empty() && table.pieces.as_deref().unwrap_or("").is_empty() {
            self.faults
                .note("setup.pieces", "expected are the letters of the pieces to be rearranged");
        }
        let rank = table.rank.unwrap_or(0);
        if !(1..=self.geometry.ranks()).contains(&rank) {
            self.faults.note("setup.rank", format!("there is no rank {rank}"));
            return None;
        }
        let squares = self.geometry.rank_squares(Rank(rank - 1));
        Some(SetupRule {
            pieces: pieces.into_iter().collect(),
            squares: PerColor::from_fn(|color| self.own(color, squares)),
        })
    }
}
