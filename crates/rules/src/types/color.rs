//! The two sides, or colors.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// A side. White is at the bottom of the board and moves first.
///
/// ```
/// use garrison_rules::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::ALL.map(Color::letter), ['w', 'b']);
/// assert_eq!(Color::Black.to_string(), "Black");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The first player.
    White = 0,
    /// The second player.
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `w` or `b`, as in field 2 of a FEN.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// One value per color, indexed by [`Color`].
///
/// ```
/// use garrison_rules::{Color, PerColor, Position, find};
///
/// let position = Position::start(&find("xiangqi")?);
/// let pieces = PerColor::from_fn(|color| position.pieces_of(color).len());
/// assert_eq!(pieces[Color::White], 16);
/// assert_eq!(pieces, PerColor([16, 16]));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PerColor<T>(pub [T; 2]);

impl<T> PerColor<T> {
    /// Makes both values with `f`.
    pub fn from_fn(mut f: impl FnMut(Color) -> T) -> Self {
        PerColor([f(Color::White), f(Color::Black)])
    }
}

impl<T> Index<Color> for PerColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for PerColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
