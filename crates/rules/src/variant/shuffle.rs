//! Start arrays that are drawn by lot, as in Chess960. Arrays have numbers from 0: each step of the rule chooses
//! among the squares that are still free, and the first step is the least significant digit. So the arrays of
//! Chess960 have their usual numbers (Reinhard Scharnagl's), 518 for that of chess.

use crate::bitboard::Bitboard;
use crate::types::{PieceType, Square};

/// The rule of the arrays.
#[derive(Debug)]
pub(crate) struct Shuffle {
    /// The squares of White's pieces, from file a.
    pub squares: Bitboard,
    pub steps: Vec<ShuffleStep>,
}

/// Pieces that are placed at once, from file a to the last.
#[derive(Debug)]
pub(crate) struct ShuffleStep {
    pub kinds: Vec<PieceType>,
    /// The squares of the board that they may have.
    pub on: Bitboard,
}

impl Shuffle {
    /// The number of arrays.
    pub fn count(&self) -> u64 {
        let mut free = self.squares;
        let ways = self.steps.iter().map(|step| {
            let ways = choices((free & step.on).len() as usize, step.kinds.len());
            // Which squares are taken plays no part: steps on squares of one color come first.
            for square in (free & step.on).take(step.kinds.len()) {
                free &= !Bitboard::of(square);
            }
            ways
        });
        ways.product()
    }

    /// The pieces of the array with this number, which wraps around.
    pub fn array(&self, mut number: u64) -> Vec<(Square, PieceType)> {
        let mut free = self.squares;
        let mut array = Vec::new();
        for step in &self.steps {
            let squares: Vec<Square> = (free & step.on).collect();
            let ways = choices(squares.len(), step.kinds.len()).max(1);
            let chosen = combination(squares.len(), step.kinds.len(), number % ways);
            number /= ways;
            for (index, &kind) in chosen.into_iter().zip(&step.kinds) {
                array.push((squares[index], kind));
                free &= !Bitboard::of(squares[index]);
            }
        }
        array
    }
}

/// How many ways there are to choose `k` of `n`.
fn choices(n: usize, k: usize) -> u64 {
    // Exact at every step: a product of binomial coefficients.
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) as u64 / (i as u64 + 1))
}

/// The choice of `k` of `n` with this number, in lexical order.
fn combination(n: usize, k: usize, mut number: u64) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(k);
    for index in 0..n {
        let left = k - chosen.len();
        if left == 0 {
            break;
        }
        let with_it = choices(n - index - 1, left - 1);
        if number < with_it {
            chosen.push(index);
        } else {
            number -= with_it;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_numbered_in_lexical_order() {
        let all: Vec<Vec<usize>> = (0..choices(5, 2)).map(|n| combination(5, 2, n)).collect();
        assert_eq!(all.len(), 10);
        assert_eq!(all[0], [0, 1]);
        assert_eq!(all[9], [3, 4]);
        assert!(all.is_sorted_by(|a, b| a < b));
        assert_eq!((choices(3, 3), choices(2, 3), choices(4, 0)), (1, 0, 1));
    }
}
