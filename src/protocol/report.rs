//! What a search tells, as lines of UCI.

use std::time::Duration;

use super::output::Output;
use crate::engine::{Found, News, Progress, wdl};
use crate::rules::Position;

/// Moves of the root are told after so long a time: before, nobody could read them.
const MOVES_TOLD_AFTER: Duration = Duration::from_secs(1);

/// Writes what a search tells.
pub(super) struct Info<'a> {
    position: &'a Position,
    /// Whether there is more than one line, so that each tells its place.
    many: bool,
    /// The share of draws between equals, if chances are told.
    draws: Option<f64>,
}

impl<'a> Info<'a> {
    pub fn new(position: &'a Position, many: bool, draws: Option<f64>) -> Info<'a> {
        Info { position, many, draws }
    }

    /// Writes a line for what was told, if one is due.
    pub fn tell(&mut self, news: &News, output: &Output) {
        match news {
            News::Line(progress) => output.line(&self.line(progress)),
            News::Move { depth, mv, number, time } if *time >= MOVES_TOLD_AFTER => {
                let text = self.position.move_text(*mv);
                output.line(&format!("info depth {depth} currmove {text} currmovenumber {number}"));
            }
            News::Move { .. } => {}
        }
    }

    fn line(&self, progress: &Progress) -> String {
        let milliseconds = progress.time.as_millis();
        let per_second = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-6);
        let place =
            if self.many { format!("multipv {} ", progress.multipv) } else { String::new() };
        let chances = self.draws.map_or(String::new(), |draws| {
            let [won, drawn, lost] = wdl(progress.score, draws);
            format!("wdl {won} {drawn} {lost} ")
        });
        format!(
            "info depth {} seldepth {} {place}score {} {chances}nodes {} nps {per_second:.0} hashfull {} time {milliseconds} pv {}",
            progress.depth,
            progress.seldepth,
            progress.score,
            progress.nodes,
            progress.hashfull,
            self.position.line_text(&progress.pv).join(" ")
        )
    }
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
