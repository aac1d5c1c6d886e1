//! Gating.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::types::{Color, PerColor, PieceType};
use crate::variant::definition::GatingTable;
use crate::variant::gating::Gating;
use crate::variant::{DefinitionFault, PieceInfo, SideRules};

impl Compiler<'_> {
    /// The pieces that come from hand to a square that is left for the first time.
    pub(super) fn gating(
        &self,
        table: &GatingTable,
        pieces: &[PieceInfo],
        sides: &PerColor<SideRules>,
    ) -> Option<Gating> {
        let missing = [("pieces", &table.pieces), ("squares", &table.squares)];
        for (name, _) in missing.iter().filter(|(_, text)| text.is_none()) {
            self.faults.note(format!("gating.{name}"), DefinitionFault::Missing);
        }
        let (letters, squares) = (table.pieces.as_deref()?, table.squares.as_deref()?);
        let kinds = self.kinds("gating.pieces", letters);
        for &kind in kinds.iter().filter(|&&kind| self.slot(kind).is_none()) {
            let letter = self.letters[kind.index()];
            let fault = format!("{letter} cannot be in hand; add it to 'hand'");
            self.faults.note("gating.pieces", fault);
        }
        let region = self.region("gating.squares", squares);
        let squares = PerColor::from_fn(|color| self.own(color, region));
        self.check_gating(squares, sides);
        self.check_gated(&kinds, squares, sides);
        let hands_refill = pieces.iter().any(PieceInfo::fills_hands);
        Some(Gating { kinds: kinds.into_iter().collect(), squares, hands_refill })
    }

    /// Refuses pieces that cannot stand where they would come from hand.
    fn check_gated(
        &self,
        kinds: &[PieceType],
        squares: PerColor<Bitboard>,
        sides: &PerColor<SideRules>,
    ) {
        for &kind in kinds {
            let barred = |color: Color| {
                let rules = sides[color].piece(kind);
                squares[color] & (rules.never | !rules.region) & !rules.drop.zone
            };
            let wrong = Color::ALL.into_iter().find_map(|color| barred(color).into_iter().next());
            if let Some(square) = wrong {
                let (letter, square) = (self.letters[kind.index()], self.geometry.name(square));
                let fault = format!("{letter} cannot stand on {square}, one of the 'squares'");
                self.faults.note("gating.pieces", fault);
            }
        }
    }

    /// Refuses rules beside which nothing can come from hand.
    fn check_gating(&self, squares: PerColor<Bitboard>, sides: &PerColor<SideRules>) {
        let definition = self.definition;
        let steps_twice = |color: Color| {
            let mut passers = sides[color].passers;
            passers.any(|kind| {
                let mut doubles = sides[color].moves(kind).doubles.iter();
                doubles.any(|double| double.from.meets(squares[color]))
            })
        };
        let beside = [
            (definition.blast.is_some(), "'blast'"),
            (definition.stones.is_some(), "'stones'"),
            (definition.setup.is_some(), "'setup'"),
            (definition.must_capture == Some(true), "'must_capture'"),
            (definition.must_drop.as_ref().is_some_and(|text| !text.is_empty()), "'must_drop'"),
            (definition.shuffle.as_ref().is_some_and(|steps| !steps.is_empty()), "'shuffle'"),
            (Color::ALL.into_iter().any(steps_twice), "double steps from the same squares"),
        ];
        for (_, rule) in beside.iter().filter(|(is_used, _)| *is_used) {
            self.faults.note("gating", format!("cannot stand beside {rule}"));
        }
    }
}
