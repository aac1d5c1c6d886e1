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
        _ => count_paths(position, depth, go_on, &mut MoveList::new()),
    }
}

/// The number of paths of `depth` plies, at least one. The moves of all plies share one list, each behind those of the
/// ply before.
fn count_paths(
    position: &mut Position,
    depth: u32,
    go_on: &impl Fn() -> bool,
    moves: &mut MoveList,
) -> Option<u64> {
    if depth == 1 {
        return Some(position.count_legal_moves());
    }
    if !go_on() {
        return None;
    }
    let first = moves.len();
    position.add_legal_moves(&Scope::ALL, moves);
    let mut paths = 0;
    for index in first..moves.len() {
        position.make(moves[index]);
        let below = count_paths(position, depth - 1, go_on, moves);
        position.unmake();
        paths += below?;
    }
    moves.truncate(first);
    Some(paths)
}
