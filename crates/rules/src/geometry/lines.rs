//! Sliding attacks by hyperbola quintessence on the whole word; rank attacks by a small table.
//!
//! For the squares of one line, `occupied - 2 * slider` flips every bit from the slider up to and
//! including the first piece above it; the same on the byte-reversed board finds the first one
//! below. The method and the names of its parts follow the Chess Programming Wiki. It wants the
//! squares of a line in different bytes, so files and diagonals qualify on strides of nine or more
//! and ranks do not: those go through a table indexed by file and the occupation of the rank.

use super::Geometry;
use crate::bitboard::Bitboard;
use crate::bits::Bits;
use crate::types::{File, MAX_SQUARES, Square};

/// A set of the four lines through a square.
///
/// ```
/// use garrison_rules::attacks::Lines;
///
/// let rook = Lines::FILE.with(Lines::RANK);
/// assert!(rook.has(Lines::of_step(0, -1)) && !rook.has(Lines::DIAGONAL));
/// assert_eq!(rook.with(Lines::DIAGONAL).with(Lines::ANTIDIAGONAL), Lines::ALL);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lines(u8);

impl Lines {
    /// No line.
    pub const NONE: Lines = Lines(0);
    /// The file.
    pub const FILE: Lines = Lines(1);
    /// The rank.
    pub const RANK: Lines = Lines(2);
    /// The diagonal that rises to the right.
    pub const DIAGONAL: Lines = Lines(4);
    /// The diagonal that falls to the right.
    pub const ANTIDIAGONAL: Lines = Lines(8);
    /// All four.
    pub const ALL: Lines = Lines(15);

    /// The line of a step, which must be orthogonal or diagonal.
    pub const fn of_step(dx: i8, dy: i8) -> Lines {
        match (dx, dy) {
            (0, _) => Lines::FILE,
            (_, 0) => Lines::RANK,
            _ if (dx > 0) == (dy > 0) => Lines::DIAGONAL,
            _ => Lines::ANTIDIAGONAL,
        }
    }

    /// Both sets of lines.
    pub const fn with(self, other: Lines) -> Lines {
        Lines(self.0 | other.0)
    }

    /// Whether all lines of `other` are in this set.
    #[inline]
    pub const fn has(self, other: Lines) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no line is in this set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What is precomputed of the lines through a square.
#[derive(Debug, Clone, Copy, Default)]
struct LinesThrough {
    /// The other squares of its file, diagonal and antidiagonal.
    masks: [Bitboard; 3],
    /// The bit above that of the square, and the same of the byte-reversed board.
    above: [Bitboard; 2],
    /// How far its rank is from the lowest bit.
    start: u8,
    /// Where the attacks from its file begin in the table of rank attacks.
    row: u32,
}

/// The tables behind [`Geometry::slide`].
#[derive(Debug)]
pub(super) struct LineTables {
    through: Box<[LinesThrough; MAX_SQUARES]>,
    /// Rank attacks by file and by the occupation of the inner files.
    rank_attacks: Box<[u16]>,
    /// The inner files of the first rank, moved to the lowest bit.
    inner: u32,
}

impl LineTables {
    pub(super) fn empty() -> LineTables {
        LineTables {
            through: Box::new([LinesThrough::default(); MAX_SQUARES]),
            rank_attacks: Box::default(),
            inner: 0,
        }
    }

    pub(super) fn new(geometry: &Geometry) -> LineTables {
        let mut tables = LineTables::empty();
        let files = u32::from(geometry.files());
        let inner_files = files.saturating_sub(2);
        for square in geometry.squares() {
            let line = |dx, dy| geometry.ray(square, dx, dy) | geometry.ray(square, -dx, -dy);
            let bit = Bits::bit(square.index());
            let File(file) = geometry.file(square);
            tables.through[square.index()] = LinesThrough {
                masks: [line(0, 1), line(1, 1), line(1, -1)],
                above: [bit.up(1), bit.swap_bytes().up(1)].map(Bitboard),
                start: square.index() as u8 - file,
                row: u32::from(file) << inner_files,
            };
        }
        tables.inner = (1 << inner_files) - 1;
        tables.rank_attacks = (0..files)
            .flat_map(|file| {
                let inner = 0..1u32 << inner_files;
                inner.map(move |inner| rank_attack(files, file, inner << 1))
            })
            .collect();
        tables
    }
}

/// The files that a slider on `file` attacks on a rank with these files occupied.
fn rank_attack(files: u32, file: u32, occupied: u32) -> u16 {
    let mut attacks = 0;
    for target in (0..file).rev() {
        attacks |= 1 << target;
        if occupied >> target & 1 != 0 {
            break;
        }
    }
    for target in file + 1..files {
        attacks |= 1 << target;
        if occupied >> target & 1 != 0 {
            break;
        }
    }
    attacks
}

impl LinesThrough {
    /// The attacks of a slider on one file or diagonal, given the other squares of that line.
    #[inline(always)]
    fn line_attack(&self, occupied: Bitboard, line: Bitboard) -> Bitboard {
        let [above, above_reversed] = self.above;
        let pieces = occupied.0.and(line.0);
        let up = pieces.wrapping_sub(above.0);
        let down = pieces.swap_bytes().wrapping_sub(above_reversed.0).swap_bytes();
        Bitboard(up.xor(down).and(line.0))
    }
}

impl Geometry {
    /// The squares that a slider on `square` attacks along `lines`, up to and including the first piece in each
    /// direction. On a board with holes, squares of the rank beyond a hole may be among them: the move tables of
    /// the pieces exclude those.
    #[inline(always)]
    pub fn slide(&self, square: Square, occupied: Bitboard, lines: Lines) -> Bitboard {
        let through = &self.lines.through[square.index()];
        let [file, diagonal, antidiagonal] = through.masks;
        let mut attacks = Bitboard::EMPTY;
        if lines.has(Lines::FILE) {
            attacks |= through.line_attack(occupied, file);
        }
        if lines.has(Lines::RANK) {
            attacks |= self.slide_rank(through, occupied);
        }
        if lines.has(Lines::DIAGONAL) {
            attacks |= through.line_attack(occupied, diagonal);
        }
        if lines.has(Lines::ANTIDIAGONAL) {
            attacks |= through.line_attack(occupied, antidiagonal);
        }
        attacks
    }

    #[inline]
    fn slide_rank(&self, through: &LinesThrough, occupied: Bitboard) -> Bitboard {
        let start = u32::from(through.start);
        let inner = occupied.0.down(start).to_low() >> 1 & self.lines.inner;
        let row = self.lines.rank_attacks[(through.row | inner) as usize];
        Bitboard(Bits::low(row.into()).up(start))
    }

    /// The squares that a hopper on `square` attacks along `lines`: those beyond exactly one piece, up to and including
    /// the next.
    #[inline]
    pub fn hop(&self, square: Square, occupied: Bitboard, lines: Lines) -> Bitboard {
        self.hop_over(square, occupied, Bitboard::ALL, lines)
    }

    /// [`Geometry::hop`] where only the pieces on `hurdles` can be hopped over.
    #[inline]
    pub fn hop_over(
        &self,
        square: Square,
        occupied: Bitboard,
        hurdles: Bitboard,
        lines: Lines,
    ) -> Bitboard {
        let reached = self.slide(square, occupied, lines);
        let screens = reached & occupied & hurdles;
        self.slide(square, occupied ^ screens, lines) & !reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// The slow twin of [`Geometry::slide`] and [`Geometry::hop`]: one step at a time.
    fn walk(geometry: &Geometry, square: Square, occupied: Bitboard, hop: bool) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (dx, dy) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            let mut pieces = 0;
            for target in geometry.walk(square, dx, dy) {
                if pieces == usize::from(hop) {
                    attacks.insert(target);
                }
                pieces += usize::from(occupied.contains(target));
                if pieces > usize::from(hop) {
                    break;
                }
            }
        }
        attacks
    }

    fn check(geometry: &Geometry, square: Square, occupied: Bitboard) {
        let slide = geometry.slide(square, occupied, Lines::ALL);
        assert_eq!(slide, walk(geometry, square, occupied, false), "{square:?} {occupied:?}");
        let hop = geometry.hop(square, occupied, Lines::ALL);
        assert_eq!(hop, walk(geometry, square, occupied, true), "{square:?} {occupied:?}");
    }

    #[cfg(not(feature = "wide"))]
    const SIZES: &[(u8, u8)] =
        &[(8, 8), (9, 9), (9, 10), (9, 12), (10, 12), (11, 11), (12, 10), (5, 6)];
    #[cfg(feature = "wide")]
    const SIZES: &[(u8, u8)] = &[(8, 8), (9, 10), (10, 13), (12, 12), (13, 13)];

    /// Every occupation of every single line through every square.
    #[test]
    fn every_line_occupation_agrees_with_stepping() {
        for &(files, ranks) in SIZES {
            let geometry = Geometry::of(files, ranks).unwrap();
            for square in geometry.squares() {
                for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let line = geometry.ray(square, dx, dy) | geometry.ray(square, -dx, -dy);
                    let mut pieces = Bitboard::EMPTY;
                    loop {
                        check(&geometry, square, pieces);
                        // The next subset of the line (the carry-rippler).
                        pieces = Bitboard(pieces.0.wrapping_sub(line.0).and(line.0));
                        if pieces.is_empty() {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Random occupations of the whole board.
    #[test]
    fn random_occupations_agree_with_stepping() {
        let mut random = SplitMix::new(7);
        let mut half = |squares: Bitboard| squares.filter(|_| random.below(2) == 0).collect();
        let large: &[_] = if cfg!(feature = "wide") { &[(16, 16), (9, 28)] } else { &[(16, 8)] };
        for &(files, ranks) in SIZES.iter().chain(large) {
            let geometry = Geometry::of(files, ranks).unwrap();
            for _ in 0..200 {
                let dense: Bitboard = half(geometry.squares());
                let sparse = half(dense);
                for square in geometry.squares() {
                    check(&geometry, square, dense);
                    check(&geometry, square, sparse);
                }
            }
        }
    }
}
