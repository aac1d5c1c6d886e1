//! Stones, which moves leave or put on squares.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::types::{Color, PerColor};
use crate::variant::definition::StonesTable;
use crate::variant::stones::StoneRule;
use crate::variant::{DefinitionFault, EachMove, Royalty, RoyaltyKind, SideRules};

/// The key that says what a move does, at which faults are noted.
const KEY: &str = "stones.each_move";

impl Compiler<'_> {
    /// What every move does with stones.
    pub(super) fn stones(
        &self,
        table: &StonesTable,
        royalty: Option<&Royalty>,
        sides: &PerColor<SideRules>,
    ) -> Option<StoneRule> {
        let Some(each_move) = table.each_move else {
            self.faults.note(KEY, DefinitionFault::Missing);
            return None;
        };
        // A stone could end a check or a pin, and where a king and a rook pass each other stands one of theirs.
        if royalty.is_some_and(|royalty| royalty.kind != RoyaltyKind::Captured) {
            let fault = "needs a game without a royal piece, or 'royalty.kind = \"captured\"'";
            self.faults.note(KEY, fault);
        }
        if each_move == EachMove::Leaves {
            if self.definition.castling.as_ref().is_some_and(|all| !all.is_empty()) {
                self.faults.note(KEY, "cannot stand beside castling");
            }
            if table.squares.is_some() {
                self.faults.note("stones.squares", "pieces leave stones on all squares");
            }
        } else {
            self.check_choice_of_stones(each_move, sides);
        }
        let squares = table.squares.as_ref();
        let squares = squares.map_or(Bitboard::ALL, |text| self.region("stones.squares", text));
        Some(StoneRule { each_move, squares: squares & self.geometry.squares() })
    }

    /// Refuses rules beside which a player cannot choose where a stone goes.
    fn check_choice_of_stones(&self, each_move: EachMove, sides: &PerColor<SideRules>) {
        let definition = self.definition;
        let tests_drops = |color: Color| {
            let mut kinds = self.hand.iter().map(|&kind| &sides[color].piece(kind).drop);
            kinds.any(|drop| drop.no_mate || drop.no_check)
        };
        let beside = [
            (definition.blast.is_some(), "'blast'"),
            (definition.pass == Some(true), "'pass'"),
            (
                definition.royalty.as_ref().is_some_and(|table| table.checking == Some(false)),
                "'royalty.checking'",
            ),
            (Color::ALL.into_iter().any(tests_drops), "drops that may not mate or give check"),
            (each_move == EachMove::Moves && self.petrifies(), "'on_capture = \"stone\"'"),
        ];
        for (_, rule) in beside.iter().filter(|(is_used, _)| *is_used) {
            self.faults.note(KEY, format!("cannot stand beside {rule}"));
        }
    }
}
