//! Best moves and lines of them, as the tables say.

use garrison_rules::{Move, Position};

use super::solve::Endings;
use super::table::Value;

/// A legal move and the value of the position for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedMove {
    /// The move.
    pub mv: Move,
    /// What it makes of the position.
    pub value: Value,
}

/// The legal moves, best first; `None` if one of them leads to a position without a table that is not decided.
pub fn rated_moves(endings: &Endings, position: &Position) -> Option<Vec<RatedMove>> {
    let mut after = position.without_history();
    let mut moves = Vec::new();
    for mv in position.legal_moves() {
        after.make(mv);
        let value = match after.decided() {
            Some(outcome) => match outcome.winner {
                Some(winner) if winner == after.side_to_move() => Value::Won(0),
                Some(_) => Value::Lost(0),
                None => Value::Drawn,
            },
            None => endings.value(&after)?,
        };
        after.unmake();
        moves.push(RatedMove { mv, value: value.one_ply_before() });
    }
    moves.sort_by_key(|rated| -rated.value.merit());
    Some(moves)
}

/// The best move.
pub(super) fn best(endings: &Endings, position: &Position) -> Option<RatedMove> {
    rated_moves(endings, position)?.into_iter().next()
}

/// The line of best moves to the end of a game that is won: the winner goes the fastest way, the loser the slowest. In a draw
/// it is empty.
pub fn line(endings: &Endings, position: &Position) -> Vec<Move> {
    let mut after = position.without_history();
    let mut moves = Vec::new();
    let mut left = u16::MAX;
    while let Some(best) = best(endings, &after) {
        // Each move brings the end nearer by a ply, unless the count of moves forbids the fastest way.
        let Some(plies) = best.value.plies().filter(|&plies| plies < left) else { break };
        left = plies;
        moves.push(best.mv);
        after.make(best.mv);
    }
    moves
}
