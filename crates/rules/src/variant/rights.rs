//! Rights of pieces that have not moved: to castle, and to make a first move. Each is a bit.

use super::Variant;
use crate::types::{Color, MAX_SQUARES, Piece, Square};

/// A number per square.
type Bits = Box<[u32; MAX_SQUARES]>;

/// The most checks that a game may count: they stand above the rights of each side in four bits.
pub(super) const MAX_CHECKS: u8 = 15;

/// The lowest bit of the count of White's checks; Black's stands above it.
const CHECKS: u32 = 24;

/// The count of the checks that a side has given, among its rights.
pub(crate) fn checks_of(rights: u32, color: Color) -> u8 {
    (rights >> (CHECKS + 4 * color.index() as u32) & 15) as u8
}

/// The rights without the counts of checks.
pub(crate) fn without_checks(rights: u32) -> u32 {
    rights & ((1 << CHECKS) - 1)
}

/// The rights after one more check of `color`, if it is one that is counted.
pub(crate) fn with_check(rights: u32, color: Color) -> u32 {
    if checks_of(rights, color) == MAX_CHECKS {
        return rights;
    }
    rights + (1 << (CHECKS + 4 * color.index() as u32))
}

/// The rights that a game knows.
#[derive(Debug)]
pub(crate) struct Rights {
    /// Per square: those that are lost when a piece leaves it or comes to it.
    lost: Bits,
    /// Per square: that of the piece on it to make a first move.
    first: Bits,
    all: u32,
}

impl Rights {
    /// None at all.
    pub fn none() -> Rights {
        let bits = || Box::new([0; MAX_SQUARES]);
        Rights { lost: bits(), first: bits(), all: 0 }
    }

    /// The rights of a game in which these pieces stand at the start. The castles have their bits.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn of(variant: &Variant, pieces: &[(Square, Piece)]) -> Result<Rights, String> {
        let mut rights = Rights::none();
        for color in Color::ALL {
            for castle in &variant.side(color).castles {
                rights.all |= castle.right;
                for (square, kind) in
                    [(castle.king.0, castle.pieces.0), (castle.rook.0, castle.pieces.1)]
                {
                    rights.lost[square.index()] |= castle.right;
                    if !pieces.contains(&(square, Piece::new(color, kind))) {
                        let name = variant.geometry().name(square);
                        let letter = variant.piece(kind).letter.of_side(color);
                        return Err(format!(
                            "there is no '{letter}' on {name} at the start; if {color} does not castle so, say who \
                             does with 'only'"
                        ));
                    }
                }
            }
        }
        let has_first = |piece: Piece| variant.side(piece.color()).moves(piece.kind()).has_first();
        let firsts = pieces.iter().filter(|(_, piece)| has_first(*piece));
        for (next, &(square, _)) in (rights.all.count_ones()..).zip(firsts) {
            let most = if variant.end().checks.is_some() { CHECKS } else { 32 };
            let Some(bit) = 1u32.checked_shl(next).filter(|_| next < most) else {
                return Err(format!("castles and pieces with first moves are more than {most}"));
            };
            rights.all |= bit;
            rights.lost[square.index()] |= bit;
            rights.first[square.index()] |= bit;
        }
        Ok(rights)
    }

    /// Whether the game knows any.
    #[inline]
    pub fn any(&self) -> bool {
        self.all != 0
    }

    /// What is left of rights after something has happened on a square.
    #[inline]
    pub fn after(&self, rights: u32, square: Square) -> u32 {
        rights & !self.lost[square.index()]
    }

    /// The right to make a first move from a square.
    #[inline]
    pub fn first(&self, square: Square) -> u32 {
        self.first[square.index()]
    }

    /// The squares from which there are first moves, with their bits.
    pub fn firsts(&self) -> impl Iterator<Item = (Square, u32)> + '_ {
        let squares = self.first.iter().enumerate().filter(|(_, bit)| **bit != 0);
        squares.map(|(square, &bit)| (Square::new(square as u8), bit))
    }
}
