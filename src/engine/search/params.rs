//! The numbers of the search. Margins are in centipawns, depths in plies, histories in units of
//! [`HISTORY_MOST`](crate::engine::history::HISTORY_MOST).

use super::Score;

/// Half the first window around the score expected.
pub(super) const ASPIRATION: i32 = 18;
/// Depths below this are searched with a full window.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// Razoring: so far below alpha that only captures could help, at depths up to this.
pub(super) const RAZOR_DEPTH: i32 = 3;

/// What the static value must fall short of alpha by to be razored.
pub(super) fn razor_margin(depth: i32) -> i32 {
    220 + 180 * depth * depth
}

/// Reverse futility: depths at which a static value far above beta is believed.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// How far above beta the static value must be.
pub(super) fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    (75 * (depth - i32::from(improving))).max(20)
}

/// The least depth at which passing is tried.
pub(super) const NULL_DEPTH: i32 = 3;
/// From this depth on, what passing says is verified without it.
pub(super) const NULL_VERIFY_DEPTH: i32 = 12;

/// By how much the search behind a pass is shallower.
pub(super) fn null_reduction(depth: i32, above_beta: i32) -> i32 {
    3 + depth / 3 + (above_beta / 180).clamp(0, 3)
}

/// Quiet moves beyond this number are skipped.
pub(super) fn late_moves(depth: i32, improving: bool) -> usize {
    let most = 6 + 3 * depth * depth / 2;
    (if improving { most } else { most / 2 }) as usize
}

/// Depths at which late quiet moves are skipped.
pub(super) const LATE_MOVE_DEPTH: i32 = 8;

/// Depths at which moves that lose material are skipped.
pub(super) const EXCHANGE_DEPTH: i32 = 7;

/// How much a capture may lose.
pub(super) fn capture_loss(depth: i32) -> i32 {
    -95 * depth
}

/// How much a quiet move may lose.
pub(super) fn quiet_loss(depth: i32) -> i32 {
    -28 * depth * depth
}

/// The least depth at which the table move is tested for being the only good one.
pub(super) const SINGULAR_DEPTH: i32 = 7;

/// By how much every other move must be worse for that.
pub(super) fn singular_beta(score: Score, depth: i32) -> Score {
    score - 2 * depth
}

/// How much worse than that for two plies more.
pub(super) const DOUBLE_EXTENSION_MARGIN: i32 = 20;
/// How often in a line.
pub(super) const DOUBLE_EXTENSIONS: u8 = 6;

/// The least depth at which late moves are reduced.
pub(super) const REDUCTION_DEPTH: i32 = 2;

/// The most moves in which the shortest win is looked for by trying everything.
pub(super) const WIN_MOST: usize = 12;

/// How many nodes that may take where the iterations took so many and came to this score. As long as
/// no win is seen nor asked for, short searches have better uses for theirs.
pub(super) fn win_nodes(score: Score, iterations: u64, asked: bool) -> u64 {
    let late = iterations.saturating_sub(150_000);
    match score {
        score if score.is_win() => 4 * iterations,
        score if score.is_loss() => 0,
        _ if asked => 3 * iterations,
        score if score >= Score::centipawns(600) => 2 * late,
        _ => late / 16,
    }
}

/// The reduction of a late move in 1024ths of a ply, by depth and number of the move.
pub(super) fn reduction(depth: i32, number: usize) -> i32 {
    let (depth, number) = (f64::from(depth.max(1)).ln(), (number.max(1) as f64).ln());
    ((0.75 + depth * number / 2.3) * 1024.0) as i32
}

/// A history of this much takes a ply off a reduction, or adds one.
pub(super) const HISTORY_PER_PLY: i32 = 9000;

/// Captures in the quiescence search are skipped if even with this much more they stay below alpha.
pub(super) const DELTA_MARGIN: i32 = 160;

/// Quiet replies to a check that the quiescence search tries once one of them holds.
pub(super) const EVASIONS: u32 = 2;

/// What a good move gains in the histories.
pub(super) fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 60 * depth).min(1700)
}
