//! Kinds of men and men on the board.

use std::num::NonZeroU8;

use super::Color;

/// The most kinds of men a game may have, promoted forms and reserves included.
pub const MAX_KINDS: usize = 32;

/// A kind of man: an index into the table of men of its variant, `0..32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceKind(u8);

impl PieceKind {
    /// The kind with this index, taken modulo [`MAX_KINDS`].
    #[inline]
    pub const fn new(index: u8) -> PieceKind {
        PieceKind(index & (MAX_KINDS as u8 - 1))
    }

    /// The index, `0..32`.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & (MAX_KINDS as u8 - 1)) as usize
    }
}

/// A man on the board: a kind and the side it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// A man of this side and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        let code = 1 + ((color as u8) << 5 | kind.index() as u8);
        match NonZeroU8::new(code) {
            Some(code) => Piece(code),
            None => Piece(NonZeroU8::MIN),
        }
    }

    /// The index of this man in a table over sides and kinds, `0..64`.
    #[inline]
    pub const fn index(self) -> usize {
        ((self.0.get() - 1) & 63) as usize
    }

    /// Whose man it is.
    #[inline]
    pub const fn color(self) -> Color {
        if self.index() < MAX_KINDS { Color::White } else { Color::Black }
    }

    /// What it is.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        PieceKind::new(self.index() as u8)
    }
}

/// A set of kinds of men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KindSet(u32);

impl KindSet {
    /// No kind.
    pub const EMPTY: KindSet = KindSet(0);

    /// All kinds that there can be.
    pub const ALL: KindSet = KindSet(!0);

    /// Adds a kind.
    pub const fn insert(&mut self, kind: PieceKind) {
        self.0 |= 1 << kind.index();
    }

    /// The set of one kind.
    #[inline]
    pub const fn of(kind: PieceKind) -> KindSet {
        KindSet(1 << kind.index())
    }

    /// Whether the kind is in the set.
    #[inline]
    pub const fn contains(self, kind: PieceKind) -> bool {
        self.0 >> kind.index() & 1 != 0
    }

    /// Whether a kind is in both sets.
    #[inline]
    pub const fn meets(self, other: KindSet) -> bool {
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

impl FromIterator<PieceKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = PieceKind>>(kinds: I) -> Self {
        let mut set = KindSet::EMPTY;
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

impl Iterator for KindSet {
    type Item = PieceKind;

    #[inline]
    fn next(&mut self) -> Option<PieceKind> {
        if self.0 == 0 {
            return None;
        }
        let kind = PieceKind::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(kind)
    }
}
