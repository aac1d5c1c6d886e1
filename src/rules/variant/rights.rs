//! Rights of men that have not moved: to castle, and to make a first move. Each is a bit.

use super::Variant;
use crate::rules::types::{Color, MAX_SQUARES, Piece, Square};

/// A number per square.
type Bits = Box<[u32; MAX_SQUARES]>;

/// The rights that a game knows.
#[derive(Debug)]
pub(crate) struct Rights {
    /// Per square: those that are lost when a man leaves it or comes to it.
    lost: Bits,
    /// Per square: that of the man on it to make a first move.
    first: Bits,
    all: u32,
}

impl Rights {
    /// None at all.
    pub fn none() -> Rights {
        let bits = || Box::new([0; MAX_SQUARES]);
        Rights { lost: bits(), first: bits(), all: 0 }
    }

    /// The rights of a game in which these men stand at the start. The castles have their bits.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn of(variant: &Variant, men: &[(Square, Piece)]) -> Result<Rights, String> {
        let mut rights = Rights::none();
        for color in Color::ALL {
            for castle in &variant.side(color).castles {
                rights.all |= castle.right;
                for (square, kind) in [(castle.king.0, castle.men.0), (castle.rook.0, castle.men.1)]
                {
                    rights.lost[square.index()] |= castle.right;
                    if !men.contains(&(square, Piece::new(color, kind))) {
                        let name = variant.geometry().name(square);
                        let letter = variant.man(kind).letter.of_side(color);
                        return Err(format!("there is no '{letter}' on {name} at the start"));
                    }
                }
            }
        }
        let has_first = |piece: Piece| variant.side(piece.color()).moves(piece.kind()).has_first();
        let firsts = men.iter().filter(|(_, piece)| has_first(*piece));
        for (next, &(square, _)) in (rights.all.count_ones()..).zip(firsts) {
            let Some(bit) = 1u32.checked_shl(next) else {
                return Err("castles and men with first moves are more than 32".to_string());
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
