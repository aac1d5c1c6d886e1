//! Piece types and pieces on the board.

use std::num::NonZeroU8;

use super::Color;

/// The most piece types a game may have, promoted forms and reserves included.
pub const MAX_PIECE_TYPES: usize = 32;

/// A piece type: an index into the table of pieces of its variant, `0..32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceType(u8);

impl PieceType {
    /// The kind with this index, taken modulo [`MAX_PIECE_TYPES`].
    #[inline]
    pub const fn new(index: u8) -> PieceType {
        PieceType(index & (MAX_PIECE_TYPES as u8 - 1))
    }

    /// The index, `0..32`.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & (MAX_PIECE_TYPES as u8 - 1)) as usize
    }
}

/// A piece on the board: a kind and the side it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// A piece of this side and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        let code = 1 + ((color as u8) << 5 | kind.index() as u8);
        match NonZeroU8::new(code) {
            Some(code) => Piece(code),
            None => Piece(NonZeroU8::MIN),
        }
    }

    /// The index of this piece in a table over sides and kinds, `0..64`.
    #[inline]
    pub const fn index(self) -> usize {
        ((self.0.get() - 1) & 63) as usize
    }

    /// Whose piece it is.
    #[inline]
    pub const fn color(self) -> Color {
        if self.index() < MAX_PIECE_TYPES { Color::White } else { Color::Black }
    }

    /// What it is.
    #[inline]
    pub const fn kind(self) -> PieceType {
        PieceType::new(self.index() as u8)
    }
}

/// A set of piece types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PieceTypeSet(u32);

impl PieceTypeSet {
    /// No kind.
    pub const EMPTY: PieceTypeSet = PieceTypeSet(0);

    /// All kinds that there can be.
    pub const ALL: PieceTypeSet = PieceTypeSet(!0);

    /// Adds a kind.
    pub const fn insert(&mut self, kind: PieceType) {
        self.0 |= 1 << kind.index();
    }

    /// The set of one kind.
    #[inline]
    pub const fn of(kind: PieceType) -> PieceTypeSet {
        PieceTypeSet(1 << kind.index())
    }

    /// Whether the kind is in the set.
    #[inline]
    pub const fn contains(self, kind: PieceType) -> bool {
        self.0 >> kind.index() & 1 != 0
    }

    /// Whether a kind is in both sets.
    #[inline]
    pub const fn meets(self, other: PieceTypeSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no kind in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many kinds it holds.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

impl FromIterator<PieceType> for PieceTypeSet {
    fn from_iter<I: IntoIterator<Item = PieceType>>(kinds: I) -> Self {
        let mut set = PieceTypeSet::EMPTY;
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

impl Iterator for PieceTypeSet {
    type Item = PieceType;

    #[inline]
    fn next(&mut self) -> Option<PieceType> {
        if self.0 == 0 {
            return None;
        }
        let kind = PieceType::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(kind)
    }
}
