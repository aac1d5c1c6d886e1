//! Where the squares of a board are in a picture.

use std::fmt::Write as _;

use garrison_rules::{Bitboard, Color, File, Geometry, Rank, Square};

use super::board::UNIT;

/// The places of squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Squares {
    pub files: i32,
    pub ranks: i32,
    /// The side at the bottom.
    pub bottom: Color,
    /// The upper left corner of the board.
    pub origin: (i32, i32),
}

impl Squares {
    /// The file of a column from the left.
    pub fn file_of(&self, column: i32) -> u8 {
        let file = if self.bottom == Color::White { column } else { self.files - 1 - column };
        file as u8
    }

    /// The rank of a row from above.
    pub fn rank_of(&self, row: i32) -> u8 {
        let rank = if self.bottom == Color::White { self.ranks - 1 - row } else { row };
        rank as u8
    }

    /// All squares and holes of the board with their upper left corners, row by row.
    pub fn all<'a>(
        &self,
        geometry: &'a Geometry,
    ) -> impl Iterator<Item = (Square, (i32, i32))> + use<'a> {
        let this = *self;
        (0..this.ranks).flat_map(move |row| {
            (0..this.files).filter_map(move |column| {
                let (file, rank) = (File(this.file_of(column)), Rank(this.rank_of(row)));
                let (x, y) = this.origin;
                let corner = (x + column * UNIT, y + row * UNIT);
                geometry.square(file, rank).map(|square| (square, corner))
            })
        })
    }

    /// The upper left corner of a square.
    pub fn corner(&self, geometry: &Geometry, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(geometry.file(square).0), i32::from(geometry.rank(square).0));
        let (column, row) = match self.bottom {
            Color::White => (file, self.ranks - 1 - rank),
            Color::Black => (self.files - 1 - file, rank),
        };
        (self.origin.0 + column * UNIT, self.origin.1 + row * UNIT)
    }

    /// The middle of a square.
    pub fn center(&self, geometry: &Geometry, square: Square) -> (i32, i32) {
        let (x, y) = self.corner(geometry, square);
        (x + UNIT / 2, y + UNIT / 2)
    }

    /// A square as a part of a path.
    pub fn rectangle(&self, geometry: &Geometry, square: Square) -> String {
        let (x, y) = self.corner(geometry, square);
        format!("M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z")
    }
}

/// The edges of a set of squares as a path; those along the edge of the board only if asked for.
pub(super) fn outline(
    geometry: &Geometry,
    squares: &Squares,
    set: Bitboard,
    with_board_edge: bool,
) -> String {
    let mut path = String::new();
    for square in set {
        let corner = squares.corner(geometry, square);
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let is_edge = match geometry.step(square, dx, dy) {
                Some(next) => !set.contains(next),
                None => with_board_edge,
            };
            if !is_edge {
                continue;
            }
            let turn = if squares.bottom == Color::White { 1 } else { -1 };
            let (x, y) = corner;
            let _ = match (dx * turn, dy * turn) {
                (1, _) => write!(path, "M{} {y}v{UNIT}", x + UNIT),
                (-1, _) => write!(path, "M{x} {y}v{UNIT}"),
                (_, 1) => write!(path, "M{x} {y}h{UNIT}"),
                _ => write!(path, "M{x} {}h{UNIT}", y + UNIT),
            };
        }
    }
    path
}
