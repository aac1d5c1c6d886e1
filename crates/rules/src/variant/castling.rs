//! Castling moves, and the rights of pieces that have not moved: to castle, and to make a first move. Each right
//! is a bit.

use crate::bitboard::Bitboard;
use crate::types::{MAX_SQUARES, PieceType, Square};

/// A castling move: king and rook move at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Castle {
    /// How the right is written in a FEN.
    pub letter: char,
    /// The bit of the right; [`Rights::add_castle`] gives it.
    pub right: u32,
    /// Origin and target of the king.
    pub king: (Square, Square),
    /// Origin and target of the rook.
    pub rook: (Square, Square),
    /// The piece types of king and rook.
    pub pieces: (PieceType, PieceType),
    /// The squares that must be empty.
    pub empty: Bitboard,
    /// The squares on which the king may not be attacked.
    pub safe: Bitboard,
}

/// A set of rights per square.
type RightsBySquare = Box<[u32; MAX_SQUARES]>;

/// All rights of a game, and the squares on which they depend.
#[derive(Debug)]
pub(crate) struct Rights {
    /// Per square: the rights that are lost when a piece leaves it or arrives there.
    lost: RightsBySquare,
    /// Per square: the right of the piece that starts there to make a first move.
    first: RightsBySquare,
    all: u32,
}

impl Rights {
    /// No rights.
    pub fn none() -> Rights {
        let none = || Box::new([0; MAX_SQUARES]);
        Rights { lost: none(), first: none(), all: 0 }
    }

    /// Adds a right and returns its bit, if there is one left.
    fn add(&mut self) -> Option<u32> {
        let right = 1u32.checked_shl(self.all.count_ones())?;
        self.all |= right;
        Some(right)
    }

    /// Adds the right of a castling move, and gives the move its bit.
    pub fn add_castle(&mut self, castle: &mut Castle) {
        castle.right = self.add().unwrap_or(0);
        for square in [castle.king.0, castle.rook.0] {
            self.lost[square.index()] |= castle.right;
        }
    }

    /// Adds the right of the piece that starts on `square` to make a first move. Returns whether there was a
    /// bit left for it.
    #[must_use]
    pub fn add_first(&mut self, square: Square) -> bool {
        let Some(right) = self.add() else { return false };
        self.lost[square.index()] |= right;
        self.first[square.index()] |= right;
        true
    }

    /// Whether the game has any.
    #[inline]
    pub fn any(&self) -> bool {
        self.all != 0
    }

    /// What is left of `rights` after a piece has left `square` or arrived there.
    #[inline]
    pub fn after(&self, rights: u32, square: Square) -> u32 {
        rights & !self.lost[square.index()]
    }

    /// The right to make a first move from `square`; 0 if there is none.
    #[inline]
    pub fn first(&self, square: Square) -> u32 {
        self.first[square.index()]
    }

    /// The squares of pieces with a right to make a first move, with these rights.
    pub fn firsts(&self) -> impl Iterator<Item = (Square, u32)> + '_ {
        let squares = self.first.iter().enumerate().filter(|(_, right)| **right != 0);
        squares.map(|(square, &right)| (Square::new(square as u8), right))
    }
}
