//! What a search tells, as lines of UCI.

use crate::engine::{Found, Progress};
use crate::rules::Position;

/// What is known after an iteration, of one of its lines. Its place is told only where there is
/// more than one.
pub(super) fn info_line(position: &Position, progress: &Progress, many: bool) -> String {
    let milliseconds = progress.time.as_millis();
    let per_second = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-6);
    let place = if many { format!("multipv {} ", progress.multipv) } else { String::new() };
    format!(
        "info depth {} seldepth {} {place}score {} nodes {} nps {per_second:.0} hashfull {} time {milliseconds} pv {}",
        progress.depth,
        progress.seldepth,
        progress.score,
        progress.nodes,
        progress.hashfull,
        position.line_text(&progress.pv).join(" ")
    )
}

/// What a search ends with.
pub(super) fn best_line(position: &Position, found: Found) -> String {
    let line: Vec<_> = found.best.into_iter().chain(found.ponder).collect();
    match position.line_text(&line).as_slice() {
        [] => "bestmove (none)".to_string(),
        [best] => format!("bestmove {best}"),
        [best, ponder, ..] => format!("bestmove {best} ponder {ponder}"),
    }
}
