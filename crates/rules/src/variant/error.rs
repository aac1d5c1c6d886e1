//! Faults of a definition.

use std::fmt;

/// What is wrong with the definition of a game, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionError {
    /// The key at fault, such as `pieces.P.betza`; empty if the text is not TOML.
    pub key: String,
    /// Its value as it is written; empty if it has none or that would be long.
    pub value: String,
    /// What is wrong, and what would be right.
    pub fault: String,
    /// The line, from 1; 0 if the definition has no text.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl DefinitionError {
    /// A fault of a definition as a whole.
    pub fn of_text(fault: impl Into<String>) -> DefinitionError {
        DefinitionError::key("", fault)
    }

    pub(crate) fn key(key: impl Into<String>, fault: impl Into<String>) -> DefinitionError {
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
        f.write_str(&self.fault)
    }
}

impl std::error::Error for DefinitionError {}

/// A fault of a definition, and the file that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub error: DefinitionError,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.error)
    }
}

impl std::error::Error for Fault {}
