//! The board as a grid: names of squares, steps, lines, and the tables that sliders need.

mod lines;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use lines::LineTables;
pub use lines::Lines;

use crate::bitboard::Bitboard;
use crate::types::{Color, File, MAX_FILES, MAX_SQUARES, Rank, Square};

/// The smallest distance of two ranks in a bitboard. With nine or more, the squares of a file or a diagonal are in
/// different bytes, as hyperbola quintessence needs them.
pub(crate) const MIN_STRIDE: u8 = 9;

/// The geometries in use, by files, ranks and holes.
type Shared = HashMap<(u8, u8, Bitboard), Arc<Geometry>>;

/// The size and holes of a board, the names of its squares, and its tables of lines and sliding attacks.
///
/// ```
/// use garrison_rules::attacks::Lines;
/// use garrison_rules::{Bitboard, Geometry};
///
/// let board = Geometry::of(9, 10).expect("a board that fits in 128 bits");
/// let (a1, a4) = board.parse_two_squares("a1a4").expect("two squares of the board");
/// let rook = board.slide(a1, Bitboard::of(a4), Lines::FILE);
/// assert!(rook.map(|square| board.name(square)).eq(["a2", "a3", "a4"]));
/// assert_eq!(board.between(a1, a4).len(), 2);
/// assert!(Geometry::of(17, 4).is_none());
/// ```
pub struct Geometry {
    files: u8,
    ranks: u8,
    stride: u8,
    squares: Bitboard,
    lines: LineTables,
    between: Box<[Bitboard]>,
    neighbors: Box<[Bitboard; MAX_SQUARES]>,
    file_of: Box<[Bitboard; MAX_SQUARES]>,
}

/// Its size only, not its tables.
impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Geometry({}x{})", self.files, self.ranks)
    }
}

impl Geometry {
    /// Whether a board of this size fits in the bits of a [`Bitboard`]: 1 to 16 files, and `max(9, files) * ranks` at
    /// most [`MAX_SQUARES`](crate::limits::MAX_SQUARES).
    pub fn is_possible(files: u8, ranks: u8) -> bool {
        (1..=MAX_FILES).contains(&files)
            && ranks >= 1
            && usize::from(files.max(MIN_STRIDE)) * usize::from(ranks) <= MAX_SQUARES
    }

    /// The board of this size, shared by all games that use it; `None` if it is not
    /// [possible](Geometry::is_possible).
    pub fn of(files: u8, ranks: u8) -> Option<Arc<Geometry>> {
        Geometry::with_holes(files, ranks, Bitboard::EMPTY)
    }

    /// The board of this size without the squares of `holes`, `None` as for [`Geometry::of`]. No piece can stand on a
    /// hole or slide over it, but it has a name and a place in a FEN.
    pub fn with_holes(files: u8, ranks: u8, holes: Bitboard) -> Option<Arc<Geometry>> {
        static SHARED: OnceLock<Mutex<Shared>> = OnceLock::new();
        if !Geometry::is_possible(files, ranks) {
            return None;
        }
        let mut shared = SHARED
            .get_or_init(Mutex::default)
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let geometry = shared
            .entry((files, ranks, holes))
            .or_insert_with(|| Arc::new(Geometry::new(files, ranks, holes)));
        Some(Arc::clone(geometry))
    }

    fn new(files: u8, ranks: u8, holes: Bitboard) -> Geometry {
        let stride = files.max(MIN_STRIDE);
        let mut geometry = Geometry {
            files,
            ranks,
            stride,
            squares: Bitboard::EMPTY,
            lines: LineTables::empty(),
            between: Box::default(),
            neighbors: Box::new([Bitboard::EMPTY; MAX_SQUARES]),
            file_of: Box::new([Bitboard::EMPTY; MAX_SQUARES]),
        };
        for rank in 0..ranks {
            for file in 0..files {
                geometry.squares.insert(Square::new(rank * stride + file));
            }
        }
        geometry.squares &= !holes;
        geometry.lines = LineTables::new(&geometry);
        for square in geometry.squares {
            let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
            geometry.neighbors[square.index()] = around
                .filter(|&step| step != (0, 0))
                .filter_map(|(dx, dy)| geometry.step(square, dx, dy))
                .collect();
            geometry.file_of[square.index()] =
                geometry.ray(square, 0, 1) | geometry.ray(square, 0, -1) | Bitboard::of(square);
        }
        geometry.between = geometry.compute_between();
        geometry
    }

    fn compute_between(&self) -> Box<[Bitboard]> {
        let mut between = vec![Bitboard::EMPTY; MAX_SQUARES * MAX_SQUARES].into_boxed_slice();
        for from in self.squares {
            for (dx, dy) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
                let mut passed = Bitboard::EMPTY;
                for to in self.walk(from, dx, dy) {
                    between[from.index() * MAX_SQUARES + to.index()] = passed;
                    passed.insert(to);
                }
            }
        }
        between
    }

    /// The number of files, `1..=16`.
    pub fn files(&self) -> u8 {
        self.files
    }

    /// The number of ranks, `1..=14`, or to 28 with the feature `wide`.
    pub fn ranks(&self) -> u8 {
        self.ranks
    }

    /// The distance of two neighboring ranks in a bitboard, `9..=16`.
    pub fn stride(&self) -> u8 {
        self.stride
    }

    /// All squares of the board, without its holes.
    #[inline]
    pub fn squares(&self) -> Bitboard {
        self.squares
    }

    /// The square on this file and rank, if there is one; it may be a hole.
    pub fn square(&self, file: File, rank: Rank) -> Option<Square> {
        (file.0 < self.files && rank.0 < self.ranks)
            .then(|| Square::new(rank.0 * self.stride + file.0))
    }

    /// The file of a square of this board.
    #[inline]
    pub fn file(&self, square: Square) -> File {
        File(square.index() as u8 % self.stride)
    }

    /// The rank of a square of this board.
    #[inline]
    pub fn rank(&self, square: Square) -> Rank {
        Rank(square.index() as u8 / self.stride)
    }

    /// The squares of the color of a1.
    pub fn dark_squares(&self) -> Bitboard {
        self.squares()
            .filter(|&square| (self.file(square).0 + self.rank(square).0).is_multiple_of(2))
            .collect()
    }

    /// The squares of a rank, without holes.
    pub fn rank_squares(&self, rank: Rank) -> Bitboard {
        let squares = (0..self.files).filter_map(|file| self.square(File(file), rank));
        squares.collect::<Bitboard>() & self.squares
    }

    /// The squares of the file of `square`, up to the next holes.
    #[inline]
    pub fn file_squares(&self, square: Square) -> Bitboard {
        self.file_of[square.index()]
    }

    /// The squares next to `square`, up to eight.
    #[inline]
    pub fn neighbors(&self, square: Square) -> Bitboard {
        self.neighbors[square.index()]
    }

    /// How many steps of a king there are from one square to another on an empty board.
    #[inline]
    pub fn distance(&self, a: Square, b: Square) -> u8 {
        let files = self.file(a).0.abs_diff(self.file(b).0);
        let ranks = self.rank(a).0.abs_diff(self.rank(b).0);
        files.max(ranks)
    }

    /// The squares strictly between two squares of a rank, file or diagonal; none if they share no line.
    #[inline]
    pub fn between(&self, a: Square, b: Square) -> Bitboard {
        self.between[a.index() * MAX_SQUARES + b.index()]
    }

    /// The square `dx` files to the right and `dy` ranks up, unless it is off the board or a hole.
    pub fn step(&self, from: Square, dx: i8, dy: i8) -> Option<Square> {
        let file = self.file(from).0.checked_add_signed(dx)?;
        let rank = self.rank(from).0.checked_add_signed(dy)?;
        self.square(File(file), Rank(rank)).filter(|&to| self.squares.contains(to))
    }

    /// The squares reached from `from` by repeating a step up to the edge or a hole, nearest first. The step must not
    /// be (0, 0).
    pub fn walk(&self, from: Square, dx: i8, dy: i8) -> impl Iterator<Item = Square> + '_ {
        std::iter::successors(self.step(from, dx, dy), move |&square| self.step(square, dx, dy))
    }

    /// The squares of [`Geometry::walk`] as a set.
    pub fn ray(&self, from: Square, dx: i8, dy: i8) -> Bitboard {
        self.walk(from, dx, dy).collect()
    }

    /// The square from the point of view of `color`: itself for White, turned by 180° for Black.
    pub fn relative(&self, color: Color, square: Square) -> Square {
        match color {
            Color::White => square,
            Color::Black => {
                let (file, rank) = (self.file(square).0, self.rank(square).0);
                Square::new((self.ranks - 1 - rank) * self.stride + (self.files - 1 - file))
            }
        }
    }

    /// The square mirrored upside down: on the same file, as far from the last rank as this one is from the first.
    pub fn mirrored(&self, square: Square) -> Square {
        Square::new((self.ranks - 1 - self.rank(square).0) * self.stride + self.file(square).0)
    }

    /// The name of a square: `a1`, `b12`.
    pub fn name(&self, square: Square) -> String {
        format!("{}{}", self.file(square), self.rank(square))
    }

    /// Reads the names of two squares, and nothing else: `b1d1`. They may be holes.
    pub fn parse_two_squares(&self, text: &str) -> Option<(Square, Square)> {
        let (a, rest) = self.parse_square(text)?;
        let (b, rest) = self.parse_square(rest)?;
        rest.is_empty().then_some((a, b))
    }

    /// Reads the name of a square, which may be a hole, from the start of `text`; returns it and the rest. `None` if
    /// the text does not begin with a square of this board.
    pub fn parse_square<'t>(&self, text: &'t str) -> Option<(Square, &'t str)> {
        let mut chars = text.chars();
        let letter = chars.next().filter(char::is_ascii_lowercase)?;
        let file = File(letter as u8 - b'a');
        let rest = chars.as_str();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 3 || rest.starts_with('0') {
            return None;
        }
        let rank: u16 = rest[..digits].parse().ok()?;
        let rank = Rank(u8::try_from(rank.checked_sub(1)?).ok()?);
        self.square(file, rank).map(|square| (square, &rest[digits..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_fit_and_that_do_not() {
        for (files, ranks) in [(8, 8), (9, 12), (9, 14), (10, 12), (11, 11), (12, 10), (16, 8)] {
            assert!(Geometry::is_possible(files, ranks), "{files}x{ranks}");
        }
        let wide = cfg!(feature = "wide");
        for (files, ranks) in [(12, 11), (9, 15), (12, 12), (16, 16)] {
            assert_eq!(Geometry::is_possible(files, ranks), wide, "{files}x{ranks}");
        }
        for (files, ranks) in [(0, 8), (8, 0), (17, 4), (9, 29), (16, 17)] {
            assert!(!Geometry::is_possible(files, ranks), "{files}x{ranks}");
        }
    }

    #[test]
    fn names_round_trip_and_wrong_names_are_refused() {
        let geometry = Geometry::of(9, 12).unwrap();
        for square in geometry.squares() {
            let name = geometry.name(square);
            assert_eq!(geometry.parse_square(&name), Some((square, "")), "{name}");
        }
        for wrong in ["", "a", "a0", "a13", "j1", "A1", "a01", "11", "a99999999999", "ä1"] {
            assert_eq!(geometry.parse_square(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn between_is_symmetric_and_excludes_both_ends() {
        let geometry = Geometry::of(9, 10).unwrap();
        for a in geometry.squares() {
            for b in geometry.squares() {
                let between = geometry.between(a, b);
                assert_eq!(between, geometry.between(b, a));
                assert!(!between.contains(a) && !between.contains(b));
            }
        }
    }
}
