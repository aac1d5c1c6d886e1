//! The events of a search as lines of UCI and USI.

use std::time::Duration;

use super::Form;
use crate::engine::{SearchEvent, SearchInfo, SearchResult};
use crate::protocol::output::Output;
use crate::protocol::session::Chances;
use garrison_rules::Position;

/// `currmove` lines are printed only after this time: earlier ones would be too many to read.
const CURRMOVE_AFTER: Duration = Duration::from_secs(1);

/// Prints the events of a search.
pub(super) struct Info {
    form: Form,
    position: Position,
    /// Whether there is more than one line, so that each prints its number.
    multi_pv: bool,
    output: Output,
}

impl Info {
    pub fn new(form: Form, position: Position, multi_pv: bool, output: Output) -> Info {
        Info { form, position, multi_pv, output }
    }

    /// Prints a line for an event, if it is due.
    pub fn report(&self, news: &SearchEvent, chances: Chances) {
        match news {
            SearchEvent::Info(progress) => self.output.line(&self.line(progress, chances)),
            SearchEvent::CurrentMove { depth, mv, number, time } if *time >= CURRMOVE_AFTER => {
                let text = self.form.move_text(&self.position, *mv);
                self.output
                    .line(&format!("info depth {depth} currmove {text} currmovenumber {number}"));
            }
            SearchEvent::CurrentMove { .. } => {}
        }
    }

    fn line(&self, progress: &SearchInfo, chances: Chances) -> String {
        let milliseconds = progress.time.as_millis();
        let per_second = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-6);
        let place =
            if self.multi_pv { format!("multipv {} ", progress.multipv) } else { String::new() };
        format!(
            "info depth {} seldepth {} {place}score {} {}nodes {} nps {per_second:.0} hashfull {} time {milliseconds} pv {}",
            progress.depth,
            progress.seldepth,
            self.form.score(progress.score),
            chances.text(progress.score),
            progress.nodes,
            progress.hashfull,
            self.form.line_text(&self.position, &progress.pv)
        )
    }
}

/// What is said of a game that is over before it is searched: without a move the score, with one that the game is
/// over all the same, by a rule that the other side may not know.
pub(super) fn end_line(form: Form, position: &Position) -> Option<String> {
    let status = position.status();
    let outcome = status.outcome()?;
    if position.has_legal_move() {
        return Some(match position.variant().end().claim && outcome.winner.is_none() {
            true => format!("info string a draw can be claimed: {status}"),
            false => format!("info string the game is over: {status}"),
        });
    }
    let score = match (outcome.winner.map(|winner| winner == position.side_to_move()), form) {
        (None, _) => "cp 0",
        (Some(false), Form::Uci) => "mate 0",
        // The least number that says who wins.
        (Some(true), Form::Uci) => "mate 1",
        // Programs for shogi read the sign of 0.
        (Some(false), Form::Usi) => "mate -0",
        (Some(true), Form::Usi) => "mate +0",
    };
    Some(format!("info depth 0 score {score}"))
}

/// The last line of a search.
pub(super) fn best_line(form: Form, position: &Position, found: SearchResult) -> String {
    let line: Vec<_> = found.best.into_iter().chain(found.ponder).collect();
    let text = form.line_text(position, &line);
    match (text.split_once(' '), form) {
        _ if text.is_empty() && form == Form::Usi => "bestmove resign".to_string(),
        _ if text.is_empty() => "bestmove (none)".to_string(),
        (Some((best, ponder)), _) => format!("bestmove {best} ponder {ponder}"),
        (None, _) => format!("bestmove {text}"),
    }
}
