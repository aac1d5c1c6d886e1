//! Sets of squares as text, from the point of view of the side they belong to.
//!
//! A region is a list of terms separated by spaces, each added to what stands before it, or taken
//! away if a `-` is in front. A list that begins with `-` starts from the whole board.
//!
//! | term | squares |
//! |---|---|
//! | `e4` | one square |
//! | `d1-f3` | a rectangle, lower left to upper right corner |
//! | `rank3`, `ranks7-9` | own ranks |
//! | `last`, `last3` | the last rank, the last three ranks |
//! | any other word | the region of that name in `[regions]` |

use std::collections::BTreeMap;

use thiserror::Error;

use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{File, Rank};

/// Why a term of a region cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RegionError {
    /// A rectangle or row of ranks whose ends are in the wrong order.
    #[error("'{0}' holds no square: the lower end comes first")]
    NoSquare(String),
    /// Neither squares of this board nor a name.
    #[error("'{term}' is no square, rectangle, rank or named region of this board (a1 to {last})")]
    Unknown {
        /// The term.
        term: String,
        /// The last square of the board.
        last: String,
    },
}

/// The regions that a definition names, and the board they lie on.
pub(super) struct Regions<'a> {
    pub geometry: &'a Geometry,
    pub named: &'a BTreeMap<String, Bitboard>,
}

impl Regions<'_> {
    /// Reads a region as White sees it.
    pub fn parse(&self, text: &str) -> Result<Bitboard, RegionError> {
        let mut set = if text.trim_start().starts_with('-') {
            self.geometry.squares()
        } else {
            Bitboard::EMPTY
        };
        for term in text.split_whitespace() {
            match term.strip_prefix('-') {
                Some(term) => set &= !self.term(term)?,
                None => set |= self.term(term)?,
            }
        }
        Ok(set)
    }

    fn term(&self, term: &str) -> Result<Bitboard, RegionError> {
        if let Some(&set) = self.named.get(term) {
            return Ok(set & self.geometry.squares());
        }
        let ranks = self.geometry.ranks();
        let found = if let Some(count) = term.strip_prefix("last") {
            let count = if count.is_empty() { Some(1) } else { parse_rank(count, ranks) };
            count.map(|count| self.ranks(ranks - count + 1, ranks))
        } else if let Some(span) = term.strip_prefix("ranks") {
            span.split_once('-')
                .and_then(|(a, b)| Some((parse_rank(a, ranks)?, parse_rank(b, ranks)?)))
                .map(|(a, b)| self.ranks(a, b))
        } else if let Some(rank) = term.strip_prefix("rank") {
            parse_rank(rank, ranks).map(|rank| self.ranks(rank, rank))
        } else {
            self.rectangle(term)
        };
        match found {
            Some(set) if set.is_empty() && term.contains('-') => {
                Err(RegionError::NoSquare(term.to_string()))
            }
            Some(set) => Ok(set),
            None => Err(RegionError::Unknown { term: term.to_string(), last: self.last_square() }),
        }
    }

    /// The name of the square in the upper right corner.
    fn last_square(&self) -> String {
        let (files, ranks) = (self.geometry.files(), self.geometry.ranks());
        let corner = self.geometry.square(File(files - 1), Rank(ranks - 1));
        corner.map_or_else(String::new, |corner| self.geometry.name(corner))
    }

    fn ranks(&self, first: u8, last: u8) -> Bitboard {
        (first..=last)
            .map(|rank| self.geometry.rank_squares(Rank(rank - 1)))
            .fold(Bitboard::EMPTY, |set, rank| set | rank)
    }

    fn rectangle(&self, term: &str) -> Option<Bitboard> {
        let (a, rest) = self.geometry.parse_square(term)?;
        let b = match rest.strip_prefix('-') {
            Some(corner) => {
                let (b, rest) = self.geometry.parse_square(corner)?;
                rest.is_empty().then_some(b)?
            }
            None => rest.is_empty().then_some(a)?,
        };
        let g = self.geometry;
        let (files, ranks) = (g.file(a)..=g.file(b), g.rank(a)..=g.rank(b));
        Some(
            g.squares()
                .filter(|&s| files.contains(&g.file(s)) && ranks.contains(&g.rank(s)))
                .collect(),
        )
    }
}

/// A rank of the board, from 1.
fn parse_rank(text: &str, ranks: u8) -> Option<u8> {
    text.parse().ok().filter(|rank| (1..=ranks).contains(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> Result<u32, RegionError> {
        let geometry = Geometry::of(9, 9).unwrap();
        let none = BTreeMap::new();
        let palace = Regions { geometry: &geometry, named: &none }.parse("d1-f3").unwrap();
        let named = BTreeMap::from([("palace".to_string(), palace)]);
        Regions { geometry: &geometry, named: &named }.parse(text).map(Bitboard::len)
    }

    #[test]
    fn terms_add_and_take_away() {
        assert_eq!(count("e4"), Ok(1));
        assert_eq!(count("palace"), Ok(9));
        assert_eq!(count("-palace -last2"), Ok(81 - 9 - 18));
        assert_eq!(count("ranks1-3 -palace"), Ok(18));
        assert_eq!(count("rank9 last"), Ok(9));
        for wrong in ["k1", "rank10", "d1-", "castle", "last0", "ranks3"] {
            let (term, last) = (wrong.to_string(), "i9".to_string());
            assert_eq!(count(wrong), Err(RegionError::Unknown { term, last }));
        }
        for wrong in ["ranks3-1", "f3-d1"] {
            assert_eq!(count(wrong), Err(RegionError::NoSquare(wrong.to_string())));
        }
    }
}
