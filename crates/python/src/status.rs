//! `Status`: whether a game is over, and how it ended.

use garrison_rules::{GameResult, Status};
use pyo3::prelude::*;

use crate::words;

/// Whether a game is over, who won, and by which rule.
///
/// >>> import garrison
/// >>> status = garrison.Position("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").status
/// >>> status.is_over, status.winner, status.reason, status.result
/// (True, None, 'stalemate', '1/2-1/2')
/// >>> print(status)
/// draw (stalemate)
#[pyclass(frozen, eq, hash, module = "garrison", name = "Status")]
#[derive(PartialEq, Eq, Hash)]
pub struct PyStatus {
    status: Status,
}

impl From<Status> for PyStatus {
    fn from(status: Status) -> PyStatus {
        PyStatus { status }
    }
}

#[pymethods]
impl PyStatus {
    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.status.outcome().is_some()
    }

    /// Who won: `white` or `black`; None in a draw or while the game goes on.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.status.outcome()?.winner.map(words::color_word)
    }

    /// The rule that ended the game, such as `checkmate` or `repetition`; None while it goes on.
    #[getter]
    fn reason(&self) -> Option<String> {
        Some(self.status.outcome()?.reason.to_string())
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on.
    #[getter]
    pub fn result(&self) -> &'static str {
        GameResult::from(self.status).text()
    }

    fn __str__(&self) -> String {
        self.status.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Status {}>", self.status)
    }
}
