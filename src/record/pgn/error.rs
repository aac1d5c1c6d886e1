//! Why a game of a PGN text cannot be read.

use super::lex::MOST_BYTES;
use crate::files::ReadError;
use crate::record::{MOST_DEPTH, MOST_VARIATIONS};
use garrison_rules::{Color, FenError, MoveError, UnknownGame, shown};
use thiserror::Error;

/// Why the next game of a source cannot be had.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The game is faulty; others may follow.
    #[error(transparent)]
    Game(#[from] PgnError),
    /// The source cannot be read; nothing follows.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// A game that cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}, line {line}: {fault}{}", note(.assumed.as_deref()))]
pub struct PgnError {
    /// The number of the game in the text, from 1.
    pub game: usize,
    /// The line of the text, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: PgnFault,
    /// The name of the game that it was read as because no tag told which it is.
    pub assumed: Option<String>,
}

impl PgnError {
    /// Whether it may be a record of another game than it was read as.
    pub fn is_of_doubtful_game(&self) -> bool {
        self.assumed.is_some() || matches!(self.fault, PgnFault::UnknownGame(_))
    }
}

/// What it was read as.
fn note(assumed: Option<&str>) -> String {
    assumed.map_or(String::new(), |name| {
        format!(" (without a known tag Variant it is read as {name})")
    })
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnFault {
    /// A variation ends that never began.
    #[error("')' without '('")]
    VariationNotOpen,
    /// A variation begins that never ends.
    #[error("the variation is not closed")]
    VariationNotClosed,
    /// A variation that no move stands before; it is left out.
    #[error("the variation replaces no move; it is left out")]
    VariationOfNothing,
    /// Variations within each other beyond what is read; they are left out.
    #[error("variations are nested more than {MOST_DEPTH} deep; the inner ones are left out")]
    VariationTooDeep,
    /// More variations than are read; they are left out.
    #[error("the game has more than {MOST_VARIATIONS} variations; the others are left out")]
    TooManyVariations,
    /// What is wrong with a move of a variation, which ends before it.
    #[error("in a variation of {of}: {fault}; its rest is left out")]
    InVariation {
        /// The move that the variation replaces, with its number: `2... Nc6`.
        of: String,
        /// What is wrong.
        fault: Box<PgnFault>,
    },
    /// A closing brace or bracket stands alone.
    #[error("'{0}' closes nothing")]
    NothingToClose(char),
    /// A comment begins that never ends.
    #[error("the comment is not closed")]
    CommentNotClosed,
    /// A bracket that begins no tag; the rest of its line.
    #[error("'{}' is no tag", shown(.0))]
    NotATag(String),
    /// The value of the tag with this name has no second quotation mark on its line.
    #[error("the value of the tag {} is not closed", shown(.0))]
    ValueNotClosed(String),
    /// A tag without its closing bracket.
    #[error("the tag is not closed")]
    TagNotClosed,
    /// It has more bytes of text than are read.
    #[error("the game has more than {MOST_BYTES} bytes")]
    TooLong,
    /// There is no tag `Variant`, and no default.
    #[error("the tag Variant is missing")]
    NoVariant,
    /// The tag `Variant` names no game that is known.
    #[error(transparent)]
    UnknownGame(#[from] UnknownGame),
    /// The tag `FEN` is no position of the game.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not legal.
    #[error("move {number} of {side}: {error}")]
    Move {
        /// Its number in the game.
        number: u32,
        /// Who should make it.
        side: Color,
        /// Why it cannot be made.
        error: MoveError,
    },
}
