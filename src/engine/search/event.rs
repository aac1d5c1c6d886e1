//! What a search reports and what it returns.

use std::time::Duration;

use crate::engine::score::Score;
use garrison_rules::Move;

/// One of the best lines, as known after an iteration or when it was broken off.
#[derive(Debug, Clone)]
pub struct SearchInfo {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The rank of this line among those reported together, from 1 for the best.
    pub multipv: usize,
    /// The greatest ply reached while this line was searched.
    pub seldepth: usize,
    /// The score from the side to move.
    pub score: Score,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The principal variation, beginning with a move of the root.
    pub pv: Vec<Move>,
}

/// What a search reports while it runs.
#[derive(Debug, Clone)]
pub enum SearchEvent {
    /// A line of an iteration.
    Info(SearchInfo),
    /// The search begins with a move of the root.
    CurrentMove {
        /// The depth of the iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number among the moves of the root, from 1.
        number: usize,
        /// Time since the search began.
        time: Duration,
    },
}

/// What a search returns: no move if the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchResult {
    /// The best move.
    pub best: Option<Move>,
    /// The reply expected, on which the engine may ponder.
    pub ponder: Option<Move>,
}
