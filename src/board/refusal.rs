//! Why a request of the page is refused: a status and one line.

use std::fmt::Display;

use super::http::{Answer, Status};

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the answer.
    pub status: Status,
    /// One line for people.
    pub text: String,
}

impl Refusal {
    /// A refusal with this status.
    pub fn new(status: Status, text: impl Into<String>) -> Refusal {
        Refusal { status, text: text.into() }
    }

    /// The refusal of what an error says is wrong.
    pub fn from_display(error: impl Display) -> Refusal {
        Refusal::new(Status::Unprocessable, error.to_string())
    }

    /// As the page reads it.
    pub fn answer(&self) -> Answer {
        let body = serde_json::json!({ "error": self.text }).to_string().into_bytes();
        Answer { status: self.status, kind: super::JSON, body }
    }
}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::new(Status::Unprocessable, text)
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Refusal {
        text.to_string().into()
    }
}
