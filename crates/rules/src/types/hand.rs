//! Pieces in hand.

/// The most piece types that a game may hold in hand.
pub const MAX_SLOTS: usize = 16;

/// The pieces that one side has in hand: a count for each hand slot of the game.
///
/// Sixteen counts of eight bits in one word, so that saving, comparing and restoring a hand are single operations.
/// The [`slot`](crate::PieceInfo::slot) of a piece type is in its `PieceInfo`.
///
/// ```
/// use garrison_rules::{Color, Position, find};
///
/// let game = find("crazyhouse")?;
/// let position = Position::from_fen(&game, "4k3/8/8/8/8/8/8/4K3[PPNr] w - - 0 1")?;
/// let hand = position.hand(Color::White);
/// assert_eq!(hand.total(), 3);
/// let name = |slot: usize| game.piece(game.hand_kinds()[slot]).name.as_str();
/// let counts: Vec<_> = hand.slots().map(|slot| (name(slot), hand.count(slot))).collect();
/// assert_eq!(counts, [("pawn", 2), ("knight", 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u128);

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Hand = Hand(0);

    /// Whether nothing is in hand.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All counts as one word, slot 0 in the lowest eight bits.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The number of pieces in a slot, `0..=255`. Slots are `0..16`.
    #[inline]
    pub const fn count(self, slot: usize) -> u8 {
        (self.0 >> (8 * slot)) as u8
    }

    /// Sets how many pieces are in a slot.
    pub(crate) const fn set(&mut self, slot: usize, count: u8) {
        self.0 = self.0 & !(0xff << (8 * slot)) | (count as u128) << (8 * slot);
    }

    /// Adds a piece. The FEN reader bounds the pieces of a position, so a count never wraps.
    #[inline]
    pub(crate) const fn add(&mut self, slot: usize) {
        debug_assert!(self.count(slot) < u8::MAX);
        self.0 += 1 << (8 * slot);
    }

    /// Takes a piece away; there must be one.
    #[inline]
    pub(crate) const fn remove(&mut self, slot: usize) {
        debug_assert!(self.count(slot) > 0);
        self.0 -= 1 << (8 * slot);
    }

    /// The number of pieces in all slots.
    pub fn total(self) -> u32 {
        (0..MAX_SLOTS).map(|slot| u32::from(self.count(slot))).sum()
    }

    /// The slots that hold at least one piece, lowest first.
    #[inline]
    pub fn slots(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let slot = left.trailing_zeros() as usize / 8;
            left &= !(0xff << (8 * slot));
            Some(slot)
        })
    }
}
