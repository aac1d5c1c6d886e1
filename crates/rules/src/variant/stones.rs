//! Stones: squares that moves block.

use super::words::EachMove;
use crate::bitboard::Bitboard;

/// What every move does with stones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoneRule {
    pub each_move: EachMove,
    /// The squares on which a move may put one.
    pub squares: Bitboard,
}

impl StoneRule {
    /// Whether the player chooses where the stone goes.
    pub fn is_choice(&self) -> bool {
        self.each_move != EachMove::Leaves
    }
}
