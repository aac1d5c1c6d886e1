//! Perft: the number of legal move paths, which tests the correctness and the speed of move generation.

use super::position::{Position, Scope};
use super::types::MoveList;

/// The number of legal move paths of `depth` plies; 1 for depth 0.
///
/// Paths do not end at repetitions or at the limit of the move count. The moves of the last ply are counted, not made;
/// the position is the same afterwards.
///
/// ```
/// use garrison_rules::{Position, find, perft};
///
/// let mut position = Position::start(&find("chess")?);
/// assert_eq!([0, 1, 2, 3].map(|depth| perft(&mut position, depth)), [1, 20, 400, 8902]);
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    perft_while(position, depth, &|| true).unwrap_or(0)
}

/// [`perft`] that can be stopped.
///
/// It calls `go_on` at every position two or more plies above the leaves, and returns `None` once `go_on` returns
/// `false`. The position is the same afterwards, stopped or not.
///
/// ```
/// use garrison_rules::{Position, find, perft_while};
///
/// let mut position = Position::start(&find("chess")?);
/// assert_eq!(perft_while(&mut position, 3, &|| true), Some(8902));
/// assert_eq!(perft_while(&mut position, 3, &|| false), None);
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
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
