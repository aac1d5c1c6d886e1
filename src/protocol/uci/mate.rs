//! `go mate` of USI: searches for a forced win and prints `checkmate` and its moves.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Form;
use super::report::Info;
use crate::engine::{Limits, Score, SearchEvent};
use crate::protocol::session::{Search, Session, SessionError};
use garrison_rules::{Move, Position};

/// The longest win that is searched for, in moves.
const LONGEST: u32 = 64;

/// The answer if no win was found.
pub(super) const UNDECIDED: &str = "checkmate timeout";

/// The best score and line so far.
type Best = Arc<Mutex<Option<(Score, Vec<Move>)>>>;

/// A search for a forced win.
pub(super) struct MateSearch {
    best: Best,
}

/// Begins a search for a win, for a time or until it is stopped.
///
/// # Errors
/// The system gives no thread.
pub(super) fn begin(
    session: &mut Session,
    position: Position,
    time: Option<Duration>,
    info: Info,
) -> Result<MateSearch, SessionError> {
    let limits = Limits { mate: Some(LONGEST), move_time: time, ..Limits::default() };
    let best = Best::default();
    let shared = Arc::clone(&best);
    let search = Search { position, limits, infinite: false, ponder: false };
    session.search(search, move |news, chances| {
        if let SearchEvent::Info(progress) = news {
            let found = Some((progress.score, progress.pv.clone()));
            *shared.lock().unwrap_or_else(PoisonError::into_inner) = found;
        }
        info.report(news, chances);
    })?;
    Ok(MateSearch { best })
}

impl MateSearch {
    /// The answer: the moves of a win; `nomate` if the game is over or lost; else `timeout`.
    pub fn answer(self, position: &Position) -> String {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        match best.as_ref().map(|(score, line)| (score.mate_distance(), line)) {
            Some((Some(plies), line)) if plies > 0 => {
                format!("checkmate {}", Form::Usi.line_text(position, &to_the_end(position, line)))
            }
            None if position.status().outcome().is_some() => "checkmate nomate".to_string(),
            Some((Some(_), _)) => "checkmate nomate".to_string(),
            _ => UNDECIDED.to_string(),
        }
    }
}

/// The line with the move that ends the game. Where kings are captured, the search scores the win a ply before
/// the capture and leaves that move out.
fn to_the_end(position: &Position, line: &[Move]) -> Vec<Move> {
    let winner = position.side_to_move();
    let (mut line, mut end) = (line.to_vec(), position.without_history());
    for &mv in &line {
        if !end.is_legal(mv) {
            return line;
        }
        end.make(mv);
    }
    if end.side_to_move() == winner && end.status().outcome().is_none() {
        let wins = |mv: &Move| {
            let mut after = end.clone();
            after.make(*mv);
            after.decided().is_some_and(|outcome| outcome.winner == Some(winner))
        };
        line.extend(end.legal_moves().into_iter().find(wins));
    }
    line
}
