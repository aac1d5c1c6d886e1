//! Faults of a definition.

use std::fmt;

use thiserror::Error;

use super::Letter;
use super::region::RegionError;
use crate::betza::BetzaError;

/// What is wrong with the definition of a game, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionError {
    /// The key at fault, such as `pieces.P.betza`; empty if the text is not TOML.
    pub key: String,
    /// Its value as it is written; empty if it has none or that would be long.
    pub value: String,
    /// What is wrong, and what would be right.
    pub fault: DefinitionFault,
    /// The line, from 1; 0 if the definition has no text.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// What is wrong with a key of a definition, or with its whole text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DefinitionFault {
    /// The file cannot be read, and why.
    #[error("{0}")]
    Unreadable(String),
    /// The text is not TOML, and why.
    #[error("{0}")]
    Syntax(String),
    /// A key or table that is given twice.
    #[error("'{0}' stands twice")]
    Duplicate(String),
    /// A value of another type than the key takes, or not one of its words: what it takes.
    #[error("expected is {0}")]
    Expected(&'static str),
    /// A key that no definition has here.
    #[error("unknown key; {}", .nearest.map_or_else(
        || format!("known here are {}", .known.join(", ")),
        |nearest| format!("the nearest is '{nearest}'"),
    ))]
    UnknownKey {
        /// The known key that is most like it, if one is like it at all.
        nearest: Option<&'static str>,
        /// The keys that are known here.
        known: Vec<&'static str>,
    },
    /// A key that has another name since.
    #[error("'{old}' is now called '{new}'")]
    Renamed {
        /// The name that is no longer read.
        old: &'static str,
        /// The name that it has now.
        new: &'static str,
    },
    /// A key that must be given is not.
    #[error("is missing")]
    Missing,
    /// A text that should hold letters of pieces and nothing else.
    #[error("'{0}' is not a row of pieces' letters")]
    NotLetters(String),
    /// A letter that none of the pieces has.
    #[error("there is no piece '{letter}' (there are {known})")]
    UnknownPiece {
        /// The letter.
        letter: Letter,
        /// The letters that there are, in a row.
        known: String,
    },
    /// A letter that none of the base's pieces has.
    #[error("the base has no piece '{letter}' (it has {known})")]
    NotInBase {
        /// The letter.
        letter: Letter,
        /// The letters that the base has, in a row.
        known: String,
    },
    /// Moves that mean nothing.
    #[error(transparent)]
    Betza(#[from] BetzaError),
    /// Squares that mean nothing.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// No rule lets a player win.
    #[error(
        "the game can never end with a winner: there is no [royalty], no [[end.when]] with a win or a loss, \
         and who cannot move draws"
    )]
    NeverEnds,
    /// The name, or another name, of a game that ships with the program.
    #[error("'{0}' is a game that ships with the program")]
    Shipped(String),
    /// A spelling by which a game that ships with the program is found.
    #[error("'{name}' is another spelling of '{game}', a game that ships with the program")]
    SpellingOfShipped {
        /// The spelling.
        name: String,
        /// The name of that game.
        game: String,
    },
    /// The name, or another name, of a game of another file.
    #[error("'{name}' is the game of {file}")]
    Taken {
        /// The name.
        name: String,
        /// The file that defines the other game.
        file: String,
    },
    /// The base is the game itself.
    #[error("the game is based on itself")]
    OwnBase,
    /// The base is a game of these files that has no base itself.
    #[error("'{0}' has no base that is known, or is based on this game")]
    BaseWithoutBase(String),
    /// The base is no game that is known.
    #[error(
        "there is no game '{name}' that it could be based on{}",
        .nearest.as_ref().map_or_else(String::new, |near| format!("; the nearest is '{near}'"))
    )]
    UnknownBase {
        /// The name that was given.
        name: String,
        /// The name that is most like it, if one is like it at all.
        nearest: Option<String>,
    },
    /// A name that all pairs of armies would share.
    #[error("with armies it needs {0}, so that every pair has its own")]
    SharedName(&'static str),
    /// Keys that mean something each, but not together or not on this board; a sentence for people.
    #[error("{0}")]
    Rule(String),
}

impl From<String> for DefinitionFault {
    fn from(sentence: String) -> DefinitionFault {
        DefinitionFault::Rule(sentence)
    }
}

impl From<&str> for DefinitionFault {
    fn from(sentence: &str) -> DefinitionFault {
        DefinitionFault::Rule(sentence.to_string())
    }
}

impl DefinitionError {
    /// A file that cannot be read; `fault` says why.
    pub fn unreadable(fault: impl Into<String>) -> DefinitionError {
        DefinitionError::key("", DefinitionFault::Unreadable(fault.into()))
    }

    pub(crate) fn key(
        key: impl Into<String>,
        fault: impl Into<DefinitionFault>,
    ) -> DefinitionError {
        let (key, fault) = (key.into(), fault.into());
        DefinitionError { key, value: String::new(), fault, line: 0, column: 0 }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        if !self.key.is_empty() {
            write!(f, "{}", self.key)?;
            if !self.value.is_empty() && self.value != self.key {
                write!(f, " = {}", self.value)?;
            }
            write!(f, ": ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for DefinitionError {}

/// A fault of a definition, and the file that it is in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}: {error}")]
pub struct Fault {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub error: DefinitionError,
}
