//! Gating: pieces that come from hand to a square that is left for the first time.

use crate::bitboard::Bitboard;
use crate::types::{PerColor, PieceTypeSet};

/// Which pieces come from hand when a piece leaves the square on which it started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gating {
    pub kinds: PieceTypeSet,
    /// The squares to which they come.
    pub squares: PerColor<Bitboard>,
    /// Whether captures can bring pieces into a hand that is empty.
    pub hands_refill: bool,
}
