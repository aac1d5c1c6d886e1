//! Faults of a definition.

use std::fmt;

use thiserror::Error;

use super::Letter;
use super::region::RegionError;
use super::schema::Source;
use crate::betza::BetzaError;

/// What is wrong with the definition of a game, and where in its text.
///
/// ```
/// use garrison_rules::definition::Definition;
///
/// let faults = Definition::parse("name = 'mine'\nbase = 'chess'\npas = true").unwrap_err();
/// assert_eq!((faults[0].key.as_str(), faults[0].line), ("pas", 3));
/// assert_eq!(faults[0].to_string(), "line 3, column 1: pas: unknown key; the nearest is 'pass'");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionError {
    /// The key at fault, such as `pieces.P.betza`; empty if the text is not TOML.
    pub key: String,
    /// Its value as it is written; empty if it has none or a long one.
    pub value: String,
    /// What is wrong, and what would be right.
    pub fault: DefinitionFault,
    /// The line, from 1; 0 if it is unknown.
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
    /// A value that the key does not take; what it takes.
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
    /// A key that has been renamed.
    #[error("'{old}' is now called '{new}'")]
    Renamed {
        /// The name that is no longer read.
        old: &'static str,
        /// The name that it has now.
        new: &'static str,
    },
    /// A key of the whole game that stands in a table.
    #[error("'{0}' is a key of the whole game: it must stand above the first [table]")]
    BelowTable(String),
    /// A table of which there can be several, in single brackets.
    #[error("there can be several of these: write [[{0}]], in double brackets")]
    OneOfMany(String),
    /// A key that must be given is missing.
    #[error("is missing")]
    Missing,
    /// A text that is not a row of the letters of pieces.
    #[error(
        "'{0}' is not a row of pieces' letters, capitals with + before those of promoted pieces"
    )]
    NotLetters(String),
    /// A letter that no piece of the game has.
    #[error("there is no piece '{letter}' (there are {known})")]
    UnknownPiece {
        /// The letter.
        letter: Letter,
        /// The letters that there are, in a row.
        known: String,
    },
    /// A letter that no piece of the base has.
    #[error("the base has no piece '{letter}' (it has {known})")]
    NotInBase {
        /// The letter.
        letter: Letter,
        /// The letters that the base has, in a row.
        known: String,
    },
    /// Moves that are not Betza notation.
    #[error(transparent)]
    Betza(#[from] BetzaError),
    /// A region that cannot be read.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// A game for which this build has not enough squares or piece types.
    #[error("{0} are too many for the usual program; 'garrison --wide' has room for them")]
    NeedsWide(String),
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
    /// The base is not a known game.
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
    /// A name that all pairs of armies would share: it lacks this mark.
    #[error("with armies it needs {0}, so that every pair has its own")]
    SharedName(&'static str),
    /// Keys that do not fit each other or the board, as a sentence for people.
    #[error("{0}")]
    Rule(String),
}

impl DefinitionFault {
    /// Whether it may be a fault of one board and none of another. Letters and moves are wrong on every board.
    pub(crate) fn depends_on_board(&self) -> bool {
        use DefinitionFault::{Betza, Missing, NotLetters, UnknownPiece};
        !matches!(self, UnknownPiece { .. } | NotLetters(_) | Betza(_) | Missing)
    }
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
    /// The error of a file that cannot be read; `fault` is the reason.
    pub fn unreadable(fault: impl Into<String>) -> DefinitionError {
        DefinitionError::key("", DefinitionFault::Unreadable(fault.into()))
    }

    /// A fault of a key that was found after its text had been read; `text` is that of the definition.
    pub fn at_key(text: &str, key: &str, fault: impl Into<DefinitionFault>) -> DefinitionError {
        let mut error = DefinitionError::key(key, fault);
        if let Ok(source) = Source::parse(text) {
            source.locate(&mut error);
        }
        error
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

/// A fault of a definition with the name of its file.
///
/// ```
/// use garrison_rules::definition::{DefinitionFile, load};
///
/// let text = "name = 'mine'\nbase = 'ches'".to_string();
/// let faults = load(vec![DefinitionFile { name: "mine.toml".to_string(), text }]).unwrap_err();
/// assert_eq!((faults[0].file.as_str(), faults[0].error.line), ("mine.toml", 2));
/// assert!(faults[0].to_string().ends_with("the nearest is 'chess'"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}: {error}")]
pub struct Fault {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub error: DefinitionError,
}
