//! What limits a player's choice among his moves.

use crate::types::PieceTypeSet;

/// A rule by which some moves, legal otherwise, may not be played. A game may have several; the first that
/// applies in a position decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obligation {
    /// Every move comes with a stone; what else applies, applies to the move.
    Stone,
    /// With a piece of these types in hand, only drops of such pieces are legal.
    DropFirst(PieceTypeSet),
    /// No move may give check.
    NoChecks,
    /// If there is a capture, only captures are legal.
    Capture,
}
