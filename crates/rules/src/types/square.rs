//! Squares, files and ranks. What a square is called does not depend on the board's size; where it
//! stands in a bitboard does (`rank * stride + file`), so conversions live in
//! [`Geometry`](crate::geometry::Geometry).

use std::fmt;

/// The number of bits in a bitboard, which bounds every board: `stride * ranks <= 128`, or 256 with the feature `wide`.
pub const MAX_SQUARES: usize = if cfg!(feature = "wide") { 256 } else { 128 };

/// The bits of a square's index.
pub(super) const SQUARE_BITS: u32 = MAX_SQUARES.trailing_zeros();

const MASK: u8 = (MAX_SQUARES - 1) as u8;

/// The most files of a board: `a` to `p`.
pub const MAX_FILES: u8 = 16;

/// A square of a bitboard: `rank * stride + file` for the stride of its board.
///
/// ```
/// use garrison_rules::{File, Geometry, Rank};
///
/// let board = Geometry::of(9, 10).expect("a board that fits in 128 bits");
/// let e4 = board.square(File(4), Rank(3)).expect("a square of the board");
/// assert_eq!(board.name(e4), "e4");
/// assert_eq!(e4.index(), 3 * usize::from(board.stride()) + 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index, taken modulo [`MAX_SQUARES`].
    #[inline]
    pub const fn new(index: u8) -> Square {
        Square(index & MASK)
    }

    /// The index, `0..MAX_SQUARES`; the mask lets the compiler drop bounds checks on tables of that size.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & MASK) as usize
    }

    /// The square `delta` indices higher, modulo [`MAX_SQUARES`]; on the board or not.
    #[inline]
    pub const fn offset(self, delta: i8) -> Square {
        Square(self.0.wrapping_add_signed(delta) & MASK)
    }
}

/// A file, 0 for `a`; printed as its letter.
///
/// ```
/// use garrison_rules::{File, find};
///
/// let chess = find("chess")?;
/// let (e4, _) = chess.geometry().parse_square("e4").expect("a square of the board");
/// assert_eq!(chess.geometry().file(e4), File(4));
/// assert_eq!(File(4).to_string(), "e");
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct File(pub u8);

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (b'a' + self.0.min(25)) as char)
    }
}

/// A rank, 0 for White's first rank; printed from `1`.
///
/// ```
/// use garrison_rules::{Rank, find};
///
/// let chess = find("chess")?;
/// let (e4, _) = chess.geometry().parse_square("e4").expect("a square of the board");
/// assert_eq!(chess.geometry().rank(e4), Rank(3));
/// assert_eq!(Rank(3).to_string(), "4");
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(pub u8);

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u16::from(self.0) + 1)
    }
}
