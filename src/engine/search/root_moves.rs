//! The moves of the root and what the iterations found out about each.

use std::cmp::Reverse;
use std::ops::{Deref, DerefMut};

use super::Score;
use garrison_rules::Move;

/// A move of the root and its line.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Its score in this iteration; minus infinity as long as it is not known to be the best.
    pub score: Score,
    /// Its score in the last iteration that has one.
    pub previous_score: Score,
    /// The depth of the iteration that found the line, in plies.
    pub depth: i32,
    pub seldepth: usize,
    pub pv: Vec<Move>,
    /// The nodes spent on it in the whole search.
    pub nodes: u64,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            depth: 0,
            seldepth: 0,
            pv: vec![mv],
            nodes: 0,
        }
    }

    /// The score of this iteration, or that of an earlier one if this has none.
    pub fn last_score(&self) -> Score {
        if self.score > -Score::INFINITE { self.score } else { self.previous_score }
    }

    /// Whether a win in at most `moves` moves of the side to move is proven.
    pub fn is_mate_within(&self, moves: u32) -> bool {
        self.score.mate_moves().is_some_and(|mate| mate > 0 && mate.unsigned_abs() <= moves)
    }
}

/// The moves of the root, the best lines first.
#[derive(Debug)]
pub(super) struct RootMoves(Vec<RootMove>);

impl RootMoves {
    pub fn new(moves: &[Move]) -> RootMoves {
        RootMoves(moves.iter().map(|&mv| RootMove::new(mv)).collect())
    }

    /// Prepares for an iteration: no move has a score yet.
    pub fn forget_scores(&mut self) {
        for root_move in &mut self.0 {
            root_move.previous_score = root_move.last_score();
            root_move.score = -Score::INFINITE;
        }
    }

    /// Sorts the moves from `first` on by their scores; equal ones keep their order.
    pub fn sort_from(&mut self, first: usize) {
        self.0[first..].sort_by_key(|root_move| Reverse(root_move.score));
    }

    /// Sorts the first lines by their last scores: a line that was searched later can have a better score, as the
    /// transposition table is fuller by then.
    pub fn sort_lines(&mut self, lines: usize) {
        self.0[..lines].sort_by_key(|root_move| Reverse(root_move.last_score()));
    }

    /// Moves the line at index `from` up to index `to`; those between follow it.
    pub fn promote(&mut self, from: usize, to: usize) {
        self.0[to..=from].rotate_right(1);
    }

    /// Takes over lines that another thread found, the best first. Nodes are counted by each thread itself.
    pub fn adopt(&mut self, lines: Vec<RootMove>) {
        self.forget_scores();
        for (rank, line) in lines.into_iter().enumerate() {
            let Some(at) = self.0.iter().position(|own| own.mv == line.mv) else { continue };
            let own = &mut self.0[at];
            *own = RootMove { nodes: own.nodes, ..line };
            self.promote(at, rank);
        }
    }
}

impl Deref for RootMoves {
    type Target = [RootMove];

    fn deref(&self) -> &[RootMove] {
        &self.0
    }
}

impl DerefMut for RootMoves {
    fn deref_mut(&mut self) -> &mut [RootMove] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::Square;

    fn moves() -> [Move; 3] {
        [1, 2, 3].map(|to| Move::normal(Square::new(0), Square::new(to)))
    }

    #[test]
    fn moves_without_a_score_keep_their_order_behind_the_best() {
        let [a, b, c] = moves();
        let mut root_moves = RootMoves::new(&[a, b, c]);
        root_moves[2].score = Score::centipawns(20);
        root_moves.sort_from(0);
        assert_eq!(root_moves.iter().map(|root| root.mv).collect::<Vec<_>>(), [c, a, b]);
        root_moves.forget_scores();
        assert_eq!(root_moves[0].last_score(), Score::centipawns(20));
    }

    #[test]
    fn adopted_lines_come_first_and_keep_the_own_nodes() {
        let [a, b, c] = moves();
        let mut root_moves = RootMoves::new(&[a, b, c]);
        root_moves[1].nodes = 5;
        let line = RootMove { score: Score::mate_in(3), nodes: 900, ..RootMove::new(b) };
        root_moves.adopt(vec![line]);
        assert_eq!(root_moves.iter().map(|root| root.mv).collect::<Vec<_>>(), [b, a, c]);
        assert_eq!(root_moves[0].nodes, 5);
        assert!(root_moves[0].is_mate_within(2) && !root_moves[0].is_mate_within(1));
    }
}
