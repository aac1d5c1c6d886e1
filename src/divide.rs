//! Perft of each root move, on several threads.

use garrison_rules::{Move, Position, perft};
use rayon::prelude::*;

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
