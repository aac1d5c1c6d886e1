//! What an engine does wrong.

use std::fmt;

use garrison_rules::MoveError;
use thiserror::Error;

use super::ending::FaultKind;

/// How a process ended, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Death {
    /// Its exit status or the signal that ended it, as text.
    pub status: Option<String>,
    /// The last line that it printed on standard error.
    pub last_words: Option<String>,
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last_words = self.last_words.as_deref().map(|text| format!("its last words: '{text}'"));
        let parts: Vec<String> = self.status.clone().into_iter().chain(last_words).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, " ({})", parts.join("; ")) }
    }
}

/// A fault of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// The program could not be started: its path, and why.
    #[error("cannot be started: {0}")]
    NoStart(String),
    /// It did not answer `uci` or `isready` in time.
    #[error("does not answer 'uci' or 'isready'")]
    NoHandshake,
    /// The process ended.
    #[error("ended unasked{0}")]
    Crash(Death),
    /// It did not answer `go` and `stop`.
    #[error("answers neither 'go' nor 'stop'")]
    Stall,
    /// It used more time than it had.
    #[error("used more time than it had")]
    TimeLoss,
    /// It printed too much.
    #[error("prints too much")]
    Flood,
    /// Its `bestmove` is not written like a move.
    #[error("best move '{0}' is no move text")]
    Garbage(String),
    /// Its move is against the rules.
    #[error(transparent)]
    Illegal(MoveError),
    /// None: the match was stopped during its search.
    #[error("was interrupted")]
    Interrupted,
}

impl Fault {
    /// The kind of fault, as reports and logs name it.
    pub fn kind(&self) -> FaultKind {
        match self {
            Fault::NoStart(_) => FaultKind::NoStart,
            Fault::NoHandshake => FaultKind::NoHandshake,
            Fault::Crash(_) => FaultKind::Crash,
            Fault::Stall => FaultKind::Stall,
            Fault::TimeLoss => FaultKind::TimeLoss,
            Fault::Flood => FaultKind::Flood,
            Fault::Garbage(_) => FaultKind::Garbage,
            Fault::Illegal(_) => FaultKind::IllegalMove,
            Fault::Interrupted => FaultKind::Interrupted,
        }
    }

    /// The text of a log, without what may differ from run to run: the last words of a process.
    pub fn text(&self) -> String {
        match self {
            Fault::Crash(_) => Fault::Crash(Death::default()).to_string(),
            fault => fault.to_string(),
        }
    }

    /// Whether the process cannot be used for another game.
    pub fn needs_restart(&self) -> bool {
        !matches!(self, Fault::TimeLoss | Fault::Illegal(_))
    }
}
