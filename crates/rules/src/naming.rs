//! How a notation names squares, files, ranks and sides, so that an error can be printed through the notation
//! of the protocol that asked.

use std::fmt;

use crate::geometry::Geometry;
use crate::types::{Color, File, Rank, Square};

/// How a protocol or a program writes squares, colors and drops.
///
/// Moves and positions are read, and errors printed, through the notation of the protocol in use.
///
/// ```
/// use garrison_rules::fault::Describe;
/// use garrison_rules::{Color, File, Geometry, Notation, Position, Rank, Setup, Square, find};
///
/// /// Squares as `22`, file first, and the colors of xiangqi.
/// #[derive(Debug)]
/// struct Numbers;
///
/// impl Notation for Numbers {
///     fn parse_square<'t>(&self, board: &Geometry, text: &'t str) -> Option<(Square, &'t str)> {
///         let digit = |at: usize| text.get(at..at + 1)?.parse::<u8>().ok()?.checked_sub(1);
///         Some((board.square(File(digit(0)?), Rank(digit(1)?))?, &text[2..]))
///     }
///     fn file(&self, _: &Geometry, file: File) -> String {
///         (file.0 + 1).to_string()
///     }
///     fn rank(&self, _: &Geometry, rank: Rank) -> String {
///         rank.to_string()
///     }
///     fn color(&self, color: Color) -> &'static str {
///         if color == Color::White { "Red" } else { "Black" }
///     }
///     fn position(&self) -> &'static str {
///         "position"
///     }
/// }
///
/// let xiangqi = find("xiangqi")?;
/// let mut position = Position::start(&xiangqi);
/// position.play_in(&Numbers, "8353")?; // the cannon from h3 to e3
/// let error = Position::try_from(Setup::empty(&xiangqi)).unwrap_err();
/// let fault = error.faults()[0].through(&xiangqi, &Numbers).to_string();
/// assert_eq!(fault, "no king 'K' of Red");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Notation: fmt::Debug + Sync {
    /// The name of a square.
    fn square(&self, geometry: &Geometry, square: Square) -> String {
        let (file, rank) = (geometry.file(square), geometry.rank(square));
        format!("{}{}", self.file(geometry, file), self.rank(geometry, rank))
    }

    /// Reads the name of a square from the start of a text; returns it and the rest. `None` if the text does not
    /// begin with a square of this board.
    fn parse_square<'t>(&self, geometry: &Geometry, text: &'t str) -> Option<(Square, &'t str)>;

    /// The name of a file.
    fn file(&self, geometry: &Geometry, file: File) -> String;

    /// The name of a rank.
    fn rank(&self, geometry: &Geometry, rank: Rank) -> String;

    /// The name of a color in messages.
    fn color(&self, color: Color) -> &'static str;

    /// The character between the piece and the square of a drop: `@` in `N@e5`.
    fn drop_sign(&self) -> char {
        '@'
    }

    /// The name of the text of a position in this notation, such as `FEN`, for messages.
    fn position(&self) -> &'static str;
}

/// The notation of this crate: files from `a`, ranks from `1`, with a1 at the lower left as White sees the board;
/// the colors are White and Black.
///
/// ```
/// use garrison_rules::{Algebraic, Geometry, Notation};
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

/// A value, such as a fault, that is printed through a [`Notation`].
///
/// ```
/// use garrison_rules::fault::Describe;
/// use garrison_rules::{Algebraic, Position, Setup, find};
///
/// let chess = find("chess")?;
/// let error = Position::try_from(Setup::empty(&chess)).unwrap_err();
/// let lines = error.faults().iter().map(|fault| fault.through(&chess, &Algebraic).to_string());
/// assert!(lines.eq(["no king 'K' of White", "no king 'k' of Black"]));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
pub trait Describe {
    /// What printing needs besides the value: the board or the game.
    type Context: ?Sized;

    /// Prints the value in one line.
    ///
    /// # Errors
    /// Those of the formatter.
    fn describe(
        &self,
        context: &Self::Context,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result;

    /// The value as something that can be formatted with `{}`.
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
