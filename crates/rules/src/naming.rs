//! How a notation names squares, files, ranks and sides, so that an error can be printed through the notation
//! of whoever asked.

use std::fmt;

use crate::geometry::Geometry;
use crate::types::{Color, File, Rank, Square};

/// A way to write squares and sides.
pub trait Notation: fmt::Debug + Sync {
    /// The name of a square.
    fn square(&self, geometry: &Geometry, square: Square) -> String {
        let (file, rank) = (geometry.file(square), geometry.rank(square));
        format!("{}{}", self.file(geometry, file), self.rank(geometry, rank))
    }

    /// Reads the name of a square from the start of a text; returns it and the rest.
    fn parse_square<'t>(&self, geometry: &Geometry, text: &'t str) -> Option<(Square, &'t str)>;

    /// The name of a file.
    fn file(&self, geometry: &Geometry, file: File) -> String;

    /// The name of a rank.
    fn rank(&self, geometry: &Geometry, rank: Rank) -> String;

    /// What a side is called.
    fn color(&self, color: Color) -> &'static str;

    /// What stands between the piece and the square of a drop.
    fn drop_sign(&self) -> char {
        '@'
    }

    /// What a position is called that is written in this notation, such as FEN.
    fn position(&self) -> &'static str;
}

/// The notation of this program: files from `a`, ranks from `1`, both from White's left, White moves first.
///
/// ```
/// use garrison_rules::Geometry;
/// use garrison_rules::{Algebraic, Notation};
///
/// let board = Geometry::of(9, 12).expect("it fits in 128 bits");
/// let (square, rest) = Algebraic.parse_square(&board, "b12x").expect("a square");
/// assert_eq!((Algebraic.square(&board, square).as_str(), rest), ("b12", "x"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Algebraic;

impl Notation for Algebraic {
    fn parse_square<'t>(&self, geometry: &Geometry, text: &'t str) -> Option<(Square, &'t str)> {
        geometry.parse_square(text)
    }

    fn file(&self, _: &Geometry, file: File) -> String {
        file.to_string()
    }

    fn rank(&self, _: &Geometry, rank: Rank) -> String {
        rank.to_string()
    }

    fn color(&self, color: Color) -> &'static str {
        match color {
            Color::White => "White",
            Color::Black => "Black",
        }
    }

    fn position(&self) -> &'static str {
        "FEN"
    }
}

/// What can be printed through a notation.
pub trait Describe {
    /// What must be known besides: the board, or the game.
    type Context: ?Sized;

    /// Prints it in one line.
    ///
    /// # Errors
    /// Those of the formatter.
    fn describe(
        &self,
        context: &Self::Context,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result;

    /// It as text.
    fn through<'a>(
        &'a self,
        context: &'a Self::Context,
        notation: &'a dyn Notation,
    ) -> Described<'a, Self>
    where
        Self: Sized,
    {
        Described { value: self, context, notation }
    }
}

/// A value that is printed through a notation.
pub struct Described<'a, T: Describe> {
    value: &'a T,
    context: &'a T::Context,
    notation: &'a dyn Notation,
}

impl<T: Describe> fmt::Display for Described<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.describe(self.context, self.notation, f)
    }
}
