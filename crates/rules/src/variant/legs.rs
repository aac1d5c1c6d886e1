//! Moves of two legs in one turn, as tables per square.

use super::moves::{Table, empty_table};
use crate::betza::Legs;
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{MAX_SQUARES, Square};

/// Where a piece may go after its first leg has captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leg {
    /// Where the first leg captures.
    pub via: Square,
    /// The targets of the second leg if they are empty; where the piece started may be among them.
    pub quiet: Bitboard,
    /// The targets of the second leg on which it captures.
    pub capture: Bitboard,
}

/// The moves of two legs of a piece type.
#[derive(Debug)]
pub(crate) struct LegTables {
    /// By origin.
    pub legs: Box<[Vec<Leg>]>,
    /// Per square: a piece there may stay, as its turn, if one of these squares is empty.
    pub stays: Table,
}

impl LegTables {
    pub fn none() -> LegTables {
        let legs = vec![Vec::new(); MAX_SQUARES].into_boxed_slice();
        LegTables { legs, stays: empty_table() }
    }

    pub fn is_empty(&self) -> bool {
        self.legs.iter().all(Vec::is_empty) && self.stays.iter().all(|via| via.is_empty())
    }

    /// Adds a way to move in two legs that starts on `from` and stays within `to`.
    pub fn add(&mut self, geometry: &Geometry, leg: &Legs, from: Bitboard, to: Bitboard) {
        let next = |square, (dx, dy): (i8, i8)| {
            geometry.step(square, dx, dy).filter(|&square| to.contains(square))
        };
        for from in from {
            let Some(via) = next(from, leg.first) else { continue };
            if !leg.captures_first {
                self.stays[from.index()].insert(via);
                continue;
            }
            let Some(target) = geometry.step(via, leg.second.0, leg.second.1) else { continue };
            if target != from && !to.contains(target) {
                continue;
            }
            let legs = &mut self.legs[from.index()];
            let index = legs.iter().position(|leg| leg.via == via).unwrap_or_else(|| {
                legs.push(Leg { via, quiet: Bitboard::EMPTY, capture: Bitboard::EMPTY });
                legs.len() - 1
            });
            if leg.quiet {
                legs[index].quiet.insert(target);
            }
            if leg.capture && target != from {
                legs[index].capture.insert(target);
            }
        }
    }

    /// Whether all captures by these legs are captures by one leg as well.
    pub fn attack_within(&self, captures: impl Fn(Square) -> Bitboard) -> bool {
        self.legs.iter().enumerate().all(|(from, legs)| {
            let captures = captures(Square::new(from as u8));
            let is_within =
                |leg: &Leg| captures.contains(leg.via) && (leg.capture & !captures).is_empty();
            legs.iter().all(is_within)
        })
    }
}
