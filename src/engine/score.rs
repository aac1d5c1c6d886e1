//! Scores of positions for the side to move.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use super::MAX_PLY;

/// A score for the side to move: centipawns, or the distance to a mate in plies from the root of the search. A
/// mate is any forced end of the game by a win or loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(i32);

impl Score {
    /// Neither side is better.
    pub const DRAW: Score = Score(0);
    /// Above every other score.
    pub const INFINITE: Score = Score(32_000);
    /// The score of a mate on the board.
    const MATE: i32 = 31_000;
    /// Every score above this is a mate.
    const LEAST_MATE: i32 = Score::MATE - 2 * MAX_PLY as i32;

    /// A score in centipawns, clamped so that it is no mate.
    pub fn centipawns(value: i32) -> Score {
        let most = Score::LEAST_MATE - 1;
        Score(value.clamp(-most, most))
    }

    /// The score of the side to move being mated `ply` plies from the root.
    pub fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE)
    }

    /// The score of a win after so many plies from the root, which may be more than a search is deep. One too far for a
    /// mate's score is better than any advantage.
    pub(super) fn far_mate_in(plies: usize) -> Score {
        let most = 2 * MAX_PLY - 1;
        if plies <= most { Score::mate_in(plies) } else { Score::centipawns(Score::LEAST_MATE) }
    }

    /// The score of the side to move mating with the last of `ply` plies from the root.
    pub fn mate_in(ply: usize) -> Score {
        -Score::mated_in(ply)
    }

    /// Whether it is a mate, for either side.
    pub fn is_mate(self) -> bool {
        self.0.abs() > Score::LEAST_MATE
    }

    /// As a number: centipawns, or beyond all centipawns for a mate.
    #[inline]
    pub(super) const fn value(self) -> i32 {
        self.0
    }

    /// Whether the side to move mates.
    #[inline]
    pub(super) const fn is_win(self) -> bool {
        self.0 > Score::LEAST_MATE
    }

    /// Whether the side to move is mated.
    #[inline]
    pub(super) const fn is_loss(self) -> bool {
        self.0 < -Score::LEAST_MATE
    }

    /// The plies to the mate, if it is one: positive if the side to move mates.
    pub fn mate_distance(self) -> Option<i32> {
        self.is_mate()
            .then(|| if self.0 > 0 { Score::MATE - self.0 } else { -Score::MATE - self.0 })
    }

    /// The score in centipawns, unless it is a mate.
    pub fn as_centipawns(self) -> Option<i32> {
        (!self.is_mate()).then_some(self.0)
    }

    /// The expected result, from 0 for a loss to 1 for a win, by Elo's logistic curve: 400 centipawns win ten games
    /// of eleven.
    pub fn expectation(self) -> f64 {
        match self.mate_distance() {
            None => 1.0 / (1.0 + 10f64.powf(-f64::from(self.0) / 400.0)),
            Some(plies) => f64::from(u8::from(plies > 0)),
        }
    }

    /// The moves to the mate, if it is one: positive if the side to move mates, negative or 0 if it is mated.
    pub fn mate_moves(self) -> Option<i32> {
        self.mate_distance().map(|plies| if plies > 0 { (plies + 1) / 2 } else { plies / 2 })
    }

    /// For people: pawns (`+0.31`), or the moves to mate (`#3`, `#-2`).
    pub fn readable(self) -> String {
        match self.mate_moves() {
            None => format!("{:+.2}", f64::from(self.0) / 100.0),
            Some(moves) if moves > 0 => format!("#{moves}"),
            Some(moves) => format!("#-{}", -moves),
        }
    }

    /// As stored in the transposition table: mates counted from the node `ply` plies from the root.
    pub(super) fn to_tt(self, ply: usize) -> i16 {
        let score = if self.is_mate() { self.0 + self.0.signum() * ply as i32 } else { self.0 };
        score as i16
    }

    /// The inverse of [`Score::to_tt`].
    pub(super) fn from_tt(value: i16, ply: usize) -> Score {
        let score = Score(i32::from(value));
        if score.is_mate() { Score(score.0 - score.0.signum() * ply as i32) } else { score }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    fn add(self, other: i32) -> Score {
        Score((self.0 + other).clamp(-Score::INFINITE.0, Score::INFINITE.0))
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    fn sub(self, other: i32) -> Score {
        self + -other
    }
}

/// As UCI writes it: `cp 31`, `mate 3`, `mate -2` (in moves, not plies).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            None => write!(f, "cp {}", self.0),
            Some(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_uci_wants_them() {
        assert_eq!(Score::centipawns(-31).to_string(), "cp -31");
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::centipawns(-31).readable(), "-0.31");
        assert_eq!(Score::mated_in(2).readable(), "#-1");
        assert!(!Score::centipawns(1_000_000).is_mate());
    }

    #[test]
    fn stored_scores_count_from_the_node() {
        for score in [Score::mate_in(7), Score::mated_in(9), Score::centipawns(12)] {
            assert_eq!(Score::from_tt(score.to_tt(5), 5), score);
        }
        assert_eq!(Score::from_tt(Score::mate_in(7).to_tt(5), 2), Score::mate_in(4));
    }
}
