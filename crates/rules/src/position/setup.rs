//! The setup phase: each side in turn may rearrange certain pieces over the free squares of one rank.
//!
//! The arrangements are numbered: they are the permutations of the movable pieces and the empty
//! squares among them, in lexical order of kinds (an empty square first). Where a game lists arrays, only
//! their numbers are chosen from.

use std::fmt;

use arrayvec::ArrayVec;

use super::Position;
use super::sink::Sink;
use crate::naming::{Describe, Notation};
use crate::types::{Color, MAX_FILES, Move, Piece, PieceType, Square};
use crate::variant::Variant;

/// What stands on the free squares: a piece that may be rearranged, or nothing.
pub type Arrangement = ArrayVec<Option<PieceType>, { MAX_FILES as usize }>;

/// The squares of an arrangement, from file a.
type Squares = ArrayVec<Square, { MAX_FILES as usize }>;

/// Why two squares cannot change places during a setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeError {
    /// The square holds nothing that this side may rearrange.
    NotMovable(Color, Square),
    /// Both squares are the same.
    Twice(Square),
    /// Both squares are empty.
    BothEmpty(Square, Square),
    /// With the contents of these exchanged the rank is none of the arrays of the game.
    NoArray(Square, Square),
}

impl Describe for ExchangeError {
    type Context = Variant;

    fn describe(
        &self,
        variant: &Variant,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let name = |square| notation.square(variant.geometry(), square);
        match *self {
            ExchangeError::NotMovable(color, square) => {
                let color = notation.color(color);
                write!(f, "{} holds nothing that {color} may rearrange", name(square))
            }
            ExchangeError::Twice(square) => write!(f, "{} is named twice", name(square)),
            ExchangeError::BothEmpty(a, b) => {
                write!(f, "{} and {} are both empty", name(a), name(b))
            }
            ExchangeError::NoArray(a, b) => {
                write!(f, "with {} and {} exchanged it is no array of this game", name(a), name(b))
            }
        }
    }
}

impl Position {
    /// The squares over which `color` may rearrange its pieces: those of the setup rank that are
    /// empty or hold such a piece.
    fn setup_squares(&self, color: Color) -> Squares {
        let Some(rule) = self.variant.setup() else {
            return Squares::new();
        };
        let is_free = |square: &Square| match self.at(*square) {
            None => true,
            Some(piece) => piece.color() == color && rule.pieces.contains(piece.kind()),
        };
        rule.squares[color].filter(is_free).collect()
    }

    /// What stands on the setup squares of `color` now.
    fn arrangement(&self, squares: &Squares) -> Arrangement {
        squares.iter().map(|&square| self.at(square).map(Piece::kind)).collect()
    }

    /// The number of ways to arrange the pieces that are rearranged, listed or not.
    pub(super) fn permutation_count(&self, color: Color) -> usize {
        count(&self.arrangement(&self.setup_squares(color)))
    }

    /// The numbers of the arrangements from which `color` may choose, where the game lists arrays: those of the list that
    /// have the same pieces, and what stands there now.
    fn listed(&self, color: Color) -> Option<Vec<usize>> {
        let arrays = &self.variant.setup()?.arrays[color];
        if arrays.is_empty() {
            return None;
        }
        let squares = self.setup_squares(color);
        let now = self.arrangement(&squares);
        let mut listed = Vec::with_capacity(arrays.len() + 1);
        for array in arrays {
            let on = |square: &Square| array.iter().find(|(at, _)| at == square)?.1;
            let arrangement: Arrangement = squares.iter().map(on).collect();
            if are_same_pieces(&arrangement, &now) {
                listed.push(rank(&arrangement));
            }
        }
        listed.push(rank(&now));
        listed.sort_unstable();
        listed.dedup();
        Some(listed)
    }

    pub(super) fn generate_setups<S: Sink>(&self, sink: &mut S) {
        let listed = self.listed(self.side);
        let all = 0..if listed.is_some() { 0 } else { self.permutation_count(self.side) };
        let has_royal = |color| !self.royals(color).is_empty();
        let may_attack = self.has_safe_royals() && Color::ALL.into_iter().any(has_royal);
        let mut after = may_attack.then(|| self.without_history());
        for index in listed.into_iter().flatten().chain(all) {
            if after.as_mut().is_some_and(|after| !after.keeps_royals_safe(Move::setup(index))) {
                continue;
            }
            sink.one(Move::setup(index));
            if sink.is_done() {
                return;
            }
        }
    }

    /// Whether no royal is attacked after a setup ply: neither side may be in check before the first move.
    fn keeps_royals_safe(&mut self, mv: Move) -> bool {
        self.make(mv);
        let is_safe = !Color::ALL.into_iter().any(|color| self.is_attacked(color));
        self.unmake();
        is_safe
    }

    /// The setup ply that leaves the pieces of the side to move where they are, while its setup is
    /// pending.
    pub fn setup_as_is(&self) -> Move {
        Move::setup(rank(&self.arrangement(&self.setup_squares(self.side))))
    }

    /// Makes the pending setup plies so that all pieces stay where they are; returns the number of plies made, `0..=2`.
    pub fn keep_arrays(&mut self) -> usize {
        let mut plies = 0;
        while self.setup_phase().is_pending() {
            self.make(self.setup_as_is());
            plies += 1;
        }
        plies
    }

    /// The setup ply after which the setup squares of the side to move hold what `wanted` returns for each of them;
    /// `None` if that is not a rearrangement of the same pieces, or no array of a game that lists them.
    pub fn setup_to(&self, wanted: impl Fn(Square) -> Option<PieceType>) -> Option<Move> {
        let squares = self.setup_squares(self.side);
        let now = self.arrangement(&squares);
        let wanted: Arrangement = squares.iter().map(|&square| wanted(square)).collect();
        let index = are_same_pieces(&now, &wanted).then(|| rank(&wanted))?;
        let is_listed = self.listed(self.side).is_none_or(|listed| listed.contains(&index));
        is_listed.then(|| Move::setup(index))
    }

    /// The position after the side to move, whose setup is pending, has exchanged the contents of two setup squares,
    /// of which one may be empty. The setup stays pending.
    ///
    /// # Errors
    /// The squares are the same, both empty, or one of them cannot be rearranged; or the game lists its arrays, and this
    /// is none of them.
    pub fn with_exchanged(&self, a: Square, b: Square) -> Result<Position, ExchangeError> {
        let squares = self.setup_squares(self.side);
        if let Some(square) = [a, b].into_iter().find(|square| !squares.contains(square)) {
            return Err(ExchangeError::NotMovable(self.side, square));
        }
        if a == b {
            return Err(ExchangeError::Twice(a));
        }
        if self.at(a).is_none() && self.at(b).is_none() {
            return Err(ExchangeError::BothEmpty(a, b));
        }
        let on = |square: Square| {
            let from = if square == a {
                b
            } else if square == b {
                a
            } else {
                square
            };
            self.at(from).map(Piece::kind)
        };
        if self.setup_to(on).is_none() {
            return Err(ExchangeError::NoArray(a, b));
        }
        // What came before it was played with other pieces on these squares.
        let mut position = self.without_history();
        let pieces = [position.board.take(a), position.board.take(b)];
        for (piece, square) in pieces.into_iter().zip([b, a]) {
            if let Some(piece) = piece {
                position.board.put(piece, square);
            }
        }
        Ok(position)
    }

    /// The piece that will stand on `square` of the setup rank after a setup ply.
    pub(crate) fn after_setup(&self, mv: Move, square: Square) -> Option<Piece> {
        let squares = self.setup_squares(self.side);
        match squares.iter().position(|&other| other == square) {
            None => self.at(square),
            Some(at) => unrank(&self.arrangement(&squares), mv.setup_index())[at]
                .map(|kind| Piece::new(self.side, kind)),
        }
    }

    /// The squares of the setup rank of the side to move, from file a; none in a game without a setup phase.
    pub fn setup_rank(&self) -> impl Iterator<Item = Square> {
        let side = self.side;
        self.variant.setup().map(|rule| rule.squares[side]).into_iter().flatten()
    }

    /// Rearranges the pieces of `color`; returns the number of the arrangement before.
    pub(super) fn arrange(&mut self, color: Color, index: usize) -> usize {
        let squares = self.setup_squares(color);
        let before = self.arrangement(&squares);
        let after = unrank(&before, index);
        for &square in &squares {
            self.board.take(square);
        }
        for (&square, kind) in squares.iter().zip(after) {
            if let Some(kind) = kind {
                self.board.put(Piece::new(color, kind), square);
            }
        }
        rank(&before)
    }
}

/// Whether two arrangements have the same pieces.
fn are_same_pieces(one: &Arrangement, other: &Arrangement) -> bool {
    let sorted = |arrangement: &Arrangement| {
        let mut sorted = arrangement.clone();
        sorted.sort_unstable();
        sorted
    };
    sorted(one) == sorted(other)
}

/// The number of permutations of an arrangement: n! over the factorials of equal elements.
pub(crate) fn count(arrangement: &Arrangement) -> usize {
    let mut sorted = arrangement.clone();
    sorted.sort_unstable();
    let mut permutations = 1u64;
    let mut run = 0;
    for (index, element) in sorted.iter().enumerate() {
        run = if index > 0 && sorted[index - 1] == *element { run + 1 } else { 1 };
        // Exact at every step: a product of binomial coefficients.
        permutations = permutations * (index as u64 + 1) / run;
    }
    permutations as usize
}

/// The number of an arrangement among its permutations.
fn rank(arrangement: &Arrangement) -> usize {
    let mut left = arrangement.clone();
    let mut index = 0;
    for element in arrangement {
        let mut smaller = left.clone();
        smaller.sort_unstable();
        let mut previous = None;
        for other in smaller.iter().take_while(|other| *other < element) {
            if previous != Some(other) {
                index += count(&without(&left, other));
                previous = Some(other);
            }
        }
        left = without(&left, element);
    }
    index
}

/// The permutation of an arrangement with this number; the last one for numbers too high.
fn unrank(arrangement: &Arrangement, mut index: usize) -> Arrangement {
    let mut left = arrangement.clone();
    left.sort_unstable();
    let mut result = Arrangement::new();
    while let Some(&last) = left.last() {
        let mut chosen = last;
        let mut previous = None;
        for element in &left {
            if previous == Some(element) {
                continue;
            }
            previous = Some(element);
            let ways = count(&without(&left, element));
            if index < ways {
                chosen = *element;
                break;
            }
            index -= ways;
        }
        result.push(chosen);
        left = without(&left, &chosen);
    }
    result
}

fn without(arrangement: &Arrangement, element: &Option<PieceType>) -> Arrangement {
    let mut rest = arrangement.clone();
    if let Some(at) = rest.iter().position(|other| other == element) {
        rest.remove(at);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_arrangements_correspond() {
        let (a, b) = (Some(PieceType::new(1)), Some(PieceType::new(2)));
        let start: Arrangement = [a, b, None, None, b, a].into_iter().collect();
        assert_eq!(count(&start), 90);
        let mut seen = Vec::new();
        for index in 0..90 {
            let arrangement = unrank(&start, index);
            assert_eq!(rank(&arrangement), index);
            assert!(!seen.contains(&arrangement));
            seen.push(arrangement);
        }
    }
}
