//! Explosions: what a capture removes beside the captured piece.

use super::moves::{Table, empty_table};
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{PieceTypeSet, Square};

/// The explosion that every capture sets off: the piece that captures and the pieces around it are removed.
#[derive(Debug)]
pub(crate) struct Blast {
    /// Per square: the squares that an explosion there reaches, itself included.
    reach: Table,
    /// How far it reaches, in king's steps.
    pub radius: u8,
    /// The piece types that are removed only where they capture or are captured.
    pub spares: PieceTypeSet,
    /// The piece types that no explosion removes, not even that of their own capture.
    pub immune: PieceTypeSet,
}

impl Blast {
    /// An explosion of this radius that leaves these piece types.
    pub fn new(
        geometry: &Geometry,
        radius: u8,
        spares: PieceTypeSet,
        immune: PieceTypeSet,
    ) -> Blast {
        let mut reach = empty_table();
        for square in geometry.squares() {
            let mut around = Bitboard::of(square);
            for _ in 0..radius {
                let wider = around.map(|square| geometry.neighbors(square));
                around = wider.fold(around, |all, neighbors| all | neighbors);
            }
            reach[square.index()] = around;
        }
        Blast { reach, radius, spares, immune }
    }

    /// The squares that an explosion on `square` reaches, itself included.
    #[inline]
    pub fn reach(&self, square: Square) -> Bitboard {
        self.reach[square.index()]
    }
}
