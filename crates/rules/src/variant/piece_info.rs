//! What is the same for both sides of a piece type.

use crate::types::{Letter, PieceTypeSet};

/// What one captured piece adds to the hands, as hand slots; a slot stands once for each piece.
#[derive(Debug, Clone, Default)]
pub struct GainSlots {
    /// The slots of the side that captured it.
    pub capturer: Vec<usize>,
    /// The slots of the side that lost it.
    pub owner: Vec<usize>,
}

/// A piece type: everything about it that is the same for both sides.
///
/// ```
/// use garrison_rules::{Letter, find};
///
/// let xiangqi = find("xiangqi")?;
/// let cannon = xiangqi.kind_of(Letter { capital: 'C', promoted: false }).expect("a cannon");
/// let info = xiangqi.piece(cannon);
/// assert_eq!((info.name.as_str(), info.betza.as_str()), ("cannon", "mRcpR"));
/// assert_eq!(info.slot, None); // nothing is ever in hand
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct PieceInfo {
    /// The letter by which it is written.
    pub letter: Letter,
    /// Its name.
    pub name: String,
    /// What it is called when another piece has become it, as shatranj's crown prince, if it has a name of its own then.
    pub promoted_name: Option<String>,
    /// How it moves, in Betza's notation; empty if it never moves.
    pub betza: String,
    /// Its rough value, in centipawns (hundredths of a pawn).
    pub value: i32,
    /// The piece types of which one is chosen when a reserve is dropped; empty for all but reserves.
    pub reserve: PieceTypeSet,
    /// Whether its moves reset the move count, as those of pawns do.
    pub zeroing: bool,
    /// Its points at an impasse or after passes.
    pub points: u32,
    /// Its hand slot, if it can be in hand.
    pub slot: Option<usize>,
    /// The hand slot to which it goes when captured, if captured pieces go to a hand.
    pub captured_slot: Option<usize>,
    /// Whether it goes to the hand of its owner when captured, not to that of its captor.
    pub returns: bool,
    /// What its capture adds to the hands, indexed by the number of pieces of its type and side captured before.
    pub gains: Vec<GainSlots>,
    /// Whether a double step can be answered by an en-passant capture; `None` if it makes none.
    pub double_step: Option<bool>,
}

impl PieceInfo {
    /// Whether its capture puts a piece into a hand.
    pub(crate) fn fills_hands(&self) -> bool {
        self.captured_slot.is_some() || !self.gains.is_empty()
    }
}
