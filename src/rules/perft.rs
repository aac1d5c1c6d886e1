//! Counting legal move paths: the measure of correctness and speed of move generation.

use rayon::prelude::*;

use super::position::{Position, Scope};
use super::types::{Move, MoveList};

/// The number of legal move paths of `depth` plies. Repetition and move counts play no part. The
/// last ply is counted without making its moves.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    perft_while(position, depth, &|| true).unwrap_or(0)
}

/// [`perft`] that is broken off when `go_on`, asked now and then, says no: then there is no count.
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

/// [`perft`] for each legal move (for depth 0, none), in the order of their texts, on the threads of the rayon pool
/// that this is called in.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, String, u64)> {
    let moves = if depth == 0 { Vec::new() } else { position.legal_moves().to_vec() };
    let mut counts: Vec<_> = moves
        .into_par_iter()
        .map(|mv| {
            let mut after = position.without_history();
            after.make(mv);
            let nodes = perft(&mut after, depth - 1);
            (mv, position.move_text(mv), nodes)
        })
        .collect();
    counts.sort_unstable_by(|a, b| a.1.cmp(&b.1));
    counts
}
