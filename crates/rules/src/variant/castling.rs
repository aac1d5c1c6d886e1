//! Castling moves, and the rights of pieces that have not moved: to castle, to make a first move, and to let a piece come
//! from hand to the square that they leave. Each right is a bit.

use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{Color, File, MAX_SQUARES, PerColor, PieceType, Square};

/// A castling move: king and rook move at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Castle {
    /// Which way the king goes, as a FEN writes the right.
    pub letter: char,
    /// The bit of the right; [`Rights::add_castle`] gives it.
    pub right: u32,
    /// Origin and target of the king.
    pub king: (Square, Square),
    /// Origin and target of the rook.
    pub rook: (Square, Square),
    /// The piece types of king and rook.
    pub pieces: (PieceType, PieceType),
    /// Whether the right is gained when the second of them is dropped on its square.
    pub dropped: bool,
    /// The squares that must be empty.
    pub empty: Bitboard,
    /// The squares on which the king may not be attacked.
    pub safe: Bitboard,
}

impl Castle {
    /// The castling move by which king and rook go to the same squares from others of their rank.
    pub fn from(&self, geometry: &Geometry, king: Square, rook: Square) -> Castle {
        let (king, rook) = ((king, self.king.1), (rook, self.rook.1));
        let origins = Bitboard::of(king.0) | Bitboard::of(rook.0);
        let line =
            |(a, b): (Square, Square)| geometry.between(a, b) | Bitboard::of(a) | Bitboard::of(b);
        let passed = line(king) | line(rook) | geometry.between(king.0, rook.0);
        Castle { king, rook, empty: passed & !origins, safe: line(king), ..*self }
    }

    /// Whether it is castling to the right, as White sees it.
    pub fn is_short(&self) -> bool {
        self.letter.eq_ignore_ascii_case(&'k')
    }
}

/// The letter of a file as a FEN names a right of `color` by it.
pub(crate) fn file_letter(color: Color, file: File) -> char {
    let first = if color == Color::White { b'A' } else { b'a' };
    char::from(first + file.0)
}

/// A set of rights per square.
type RightsBySquare = Box<[u32; MAX_SQUARES]>;

/// The castling moves and all rights of a game, or of a position whose kings and rooks start elsewhere, and the
/// squares on which they depend.
#[derive(Debug, Clone)]
pub(crate) struct Rights {
    castles: PerColor<Vec<Castle>>,
    /// Whether kings and rooks may start on any square of their rank, as in Chess960: rights are named by the files
    /// of rooks, and castling is written as the king that takes the rook.
    by_rook: bool,
    /// Whether a castling move gains its right by drops.
    by_drops: bool,
    /// Per square: the rights that are lost when a piece leaves it or arrives there.
    lost: RightsBySquare,
    /// Per square: the right of the piece that starts there to make a first move.
    first: RightsBySquare,
    /// Per square: the right to let a piece come from hand when it is left.
    gate: RightsBySquare,
    /// The rights of each side to that.
    gates: PerColor<u32>,
    all: u32,
}

impl Rights {
    /// No rights.
    pub fn none() -> Rights {
        let none = || Box::new([0; MAX_SQUARES]);
        Rights {
            castles: PerColor::default(),
            by_rook: false,
            by_drops: false,
            lost: none(),
            first: none(),
            gate: none(),
            gates: PerColor::default(),
            all: 0,
        }
    }

    /// The same rights, named by rooks or not.
    pub fn named(&self, by_rook: bool) -> Rights {
        Rights { by_rook, ..self.clone() }
    }

    /// Whether kings and rooks may start on any square of their rank.
    #[inline]
    pub fn are_by_rook(&self) -> bool {
        self.by_rook
    }

    /// The castling moves of `color`.
    #[inline]
    pub fn castles(&self, color: Color) -> &[Castle] {
        &self.castles[color]
    }

    /// Adds a right and returns its bit, if there is one left.
    fn add(&mut self) -> Option<u32> {
        let right = 1u32.checked_shl(self.all.count_ones())?;
        self.all |= right;
        Some(right)
    }

    /// Adds a castling move of `color` and its right.
    pub fn add_castle(&mut self, color: Color, mut castle: Castle) {
        castle.right = self.add().unwrap_or(0);
        self.by_drops |= castle.dropped;
        self.add_squares(&castle);
        self.castles[color].push(castle);
    }

    /// The right of a castling move is lost with its king and its rook.
    fn add_squares(&mut self, castle: &Castle) {
        for square in [castle.king.0, castle.rook.0] {
            self.lost[square.index()] |= castle.right;
        }
    }

    /// Changes where king and rook of the castling move with this right start.
    pub fn move_castle(&mut self, geometry: &Geometry, right: u32, king: Square, rook: Square) {
        let mut castles = self.castles.0.iter_mut().flatten();
        let Some(castle) = castles.find(|castle| castle.right == right) else { return };
        for square in [castle.king.0, castle.rook.0] {
            self.lost[square.index()] &= !right;
        }
        *castle = castle.from(geometry, king, rook);
        let castle = *castle;
        self.add_squares(&castle);
    }

    /// Whether a castling move gains its right by drops.
    #[inline]
    pub fn come_by_drops(&self) -> bool {
        self.by_drops
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

    /// Adds the right of `color` to let a piece come from hand when the one that starts on `square` leaves it. Returns
    /// whether there was a bit left for it.
    #[must_use]
    pub fn add_gate(&mut self, color: Color, square: Square) -> bool {
        let Some(right) = self.add() else { return false };
        self.lost[square.index()] |= right;
        self.gate[square.index()] |= right;
        self.gates[color] |= right;
        true
    }

    /// The right to let a piece come from hand when `square` is left; 0 if there is none.
    #[inline]
    pub fn gate(&self, square: Square) -> u32 {
        self.gate[square.index()]
    }

    /// The rights of a side to let pieces come from hand.
    pub fn gates(&self, color: Color) -> u32 {
        self.gates[color]
    }

    /// The squares of a side to which pieces may come from hand, with the right to each.
    pub fn gate_squares(&self, color: Color) -> impl Iterator<Item = (Square, u32)> + '_ {
        let gates = self.gates[color];
        let squares = self.gate.iter().enumerate();
        let squares = squares.filter(move |(_, right)| **right & gates != 0);
        squares.map(|(square, &right)| (Square::new(square as u8), right))
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

    /// Whether kings and rooks of the castling moves with these rights start on the same squares.
    pub fn start_alike(&self, other: &Rights, rights: u32) -> bool {
        let squares = |own: &Rights| {
            let castles =
                own.castles.0.iter().flatten().filter(|castle| rights & castle.right != 0);
            castles.map(|castle| (castle.king.0, castle.rook.0)).collect::<Vec<_>>()
        };
        squares(self) == squares(other)
    }
}
