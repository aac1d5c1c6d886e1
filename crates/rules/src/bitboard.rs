//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::bits::Bits;
use super::types::Square;

/// A set of squares, one bit per square index.
///
/// The [`Geometry`](crate::Geometry) of a board says which square a bit stands for. A set is its own iterator: it
/// yields its squares, lowest index first, and is empty afterwards. As it is `Copy`, a loop over a set leaves the
/// original as it was.
///
/// ```
/// use garrison_rules::{Bitboard, Geometry, Rank};
///
/// let board = Geometry::of(8, 8).expect("a board that fits in 128 bits");
/// let (e4, _) = board.parse_square("e4").expect("a square of the board");
/// let fourth = board.rank_squares(Rank(3));
/// assert!(fourth.contains(e4));
/// let others: Vec<String> = (fourth & !Bitboard::of(e4)).map(|square| board.name(square)).collect();
/// assert_eq!(others, ["a4", "b4", "c4", "d4", "f4", "g4", "h4"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) Bits);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(Bits::ZERO);

    /// All [`MAX_SQUARES`](crate::limits::MAX_SQUARES) squares, on the board or not.
    pub const ALL: Bitboard = Bitboard(Bits::ALL);

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(Bits::bit(square.index()))
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_zero()
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has two or more squares.
    #[inline]
    pub const fn is_many(self) -> bool {
        !self.0.without_lowest().is_zero()
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0.has(square.index())
    }

    /// Whether a square is in both sets.
    #[inline]
    pub const fn meets(self, other: Bitboard) -> bool {
        !self.0.and(other.0).is_zero()
    }

    /// The square with the lowest index, if there is one.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }

    /// The square of the set, if it has exactly one.
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.is_many() { None } else { self.first() }
    }

    /// The squares as 128 bits, for hashing. With the feature `wide`, different sets may have equal ones.
    #[inline]
    pub const fn folded(self) -> u128 {
        self.0.folded()
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0 = self.0.or(Bits::bit(square.index()));
    }

    /// Every square moved by `delta` indices, `-127..=127`. What leaves the bits is lost; the edges of the board
    /// do not count, so the caller removes squares that would wrap to another rank.
    #[inline]
    pub const fn shift(self, delta: i8) -> Bitboard {
        if delta >= 0 {
            Bitboard(self.0.up(delta as u32))
        } else {
            Bitboard(self.0.down(delta.unsigned_abs() as u32))
        }
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 = self.0.without_lowest();
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len() as usize, Some(self.len() as usize))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Bitboard::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

macro_rules! bit_operation {
    ($trait:ident, $name:ident, $assign_trait:ident, $assign:ident, $word:ident) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $name(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$word(other.0))
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                *self = self.$name(other);
            }
        }
    };
}

bit_operation!(BitAnd, bitand, BitAndAssign, bitand_assign, and);
bit_operation!(BitOr, bitor, BitOrAssign, bitor_assign, or);
bit_operation!(BitXor, bitxor, BitXorAssign, bitxor_assign, xor);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(self.0.not())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#x})", self.0)
    }
}
