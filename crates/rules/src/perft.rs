//! Perft: the number of legal move paths, which tests the correctness and the speed of move generation.

use super::position::{Position, Scope};
use super::types::MoveList;

/// The number of legal move paths of `depth` plies. Repetition and move counts play no part. The moves of the last
/// ply are counted without being made.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    perft_while(position, depth, &|| true).unwrap_or(0)
}

/// [`perft`] that can be stopped: it calls `go_on` at every position two or more plies above the leaves, and returns
/// `None` once that returns `false`.
pub fn perft_while(position: &mut Position, depth: u32, go_on: &impl Fn() -> bool) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(position.count_legal_moves()),
        _ => {
            if !go_on() {
                return None;
            }
            let mut nodes = 0;
            let mut moves = MoveList::new();
            position.add_legal_moves(&Scope::ALL, &mut moves);
            for &mv in &moves {
                position.make(mv);
                let below = perft_while(position, depth - 1, go_on);
                position.unmake();
                nodes += below?;
            }
            Some(nodes)
        }
    }
}
