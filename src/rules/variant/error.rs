//! Faults of a definition.

use thiserror::Error;

/// What is wrong with the definition of a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DefinitionError {
    /// The text is not TOML, or has a key or a type of value that no definition has.
    #[error("line {line}, column {column}: {fault}")]
    Text {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        fault: String,
    },
    /// The definition reads, but means no game.
    #[error("{key}: {fault}")]
    Key {
        /// The key at fault, such as `men.P.betza`.
        key: String,
        /// What is wrong with its value, or that it is missing.
        fault: String,
    },
}

impl DefinitionError {
    pub(super) fn key(key: impl Into<String>, fault: impl Into<String>) -> DefinitionError {
        DefinitionError::Key { key: key.into(), fault: fault.into() }
    }
}
