//! Why an ending cannot be solved.

use garrison_rules::shown;
use thiserror::Error;

use super::material::MAX_PIECES;

/// Why an ending cannot be solved, in one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndingFault {
    /// The text does not name the pieces of two sides.
    #[error("ending '{}': White's pieces, 'v', Black's pieces, as in KRvK", shown(.0))]
    NoEnding(String),
    /// A letter that no piece has.
    #[error("ending '{}': no piece '{letter}'; there are {known}", shown(.text))]
    UnknownPiece {
        /// The text.
        text: String,
        /// The letter.
        letter: String,
        /// The letters that there are.
        known: String,
    },
    /// More pieces than a table may have.
    #[error("ending '{}': {count} pieces; tables have {MAX_PIECES} at most", shown(.text))]
    TooManyPieces {
        /// The ending.
        text: String,
        /// Its number of pieces.
        count: usize,
    },
    /// The sides cannot have these pieces.
    #[error("ending '{}': {fault}", shown(.text))]
    Impossible {
        /// The ending.
        text: String,
        /// What is wrong with the pieces.
        fault: String,
    },
    /// The table would be too large.
    #[error("ending '{text}': its tables need {needed} MiB, more than {limit} MiB")]
    TooLarge {
        /// The ending.
        text: String,
        /// What all tables together would need.
        needed: u64,
        /// What they may have.
        limit: u64,
    },
    /// There is no room for the table.
    #[error("ending '{text}': no memory for {needed} MiB of tables")]
    NoMemory {
        /// The ending.
        text: String,
        /// What it needs.
        needed: u64,
    },
    /// The game has a rule by which a position is more than pieces on squares.
    #[error("the endings of {game} cannot be solved: {rule}")]
    Rule {
        /// The game.
        game: String,
        /// The rule.
        rule: &'static str,
    },
    /// A legal move leads to a position that belongs to no table.
    #[error("ending '{text}': {fen} leads to a position outside of all tables")]
    Outside {
        /// The ending.
        text: String,
        /// The position.
        fen: String,
    },
    /// Captures and promotions lead from an ending to others and back.
    #[error("ending '{0}': its pieces change into others and back")]
    Circular(String),
}
