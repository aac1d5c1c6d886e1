//! Why a line is refused. The dialects print it each in its own form.

use garrison_rules::{FenError, MoveError, Notation, shown};
use thiserror::Error;

use super::cecp::ClockError;
use super::cecp::text::XBoardMoveError;
use super::options::OptionError;
use super::session::SessionError;
use super::setup::SetupError;
use super::uci::GoError;

/// Why a line is refused.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    /// It is longer than any command.
    #[error("the line is too long")]
    LineTooLong,
    /// Too many lines wait for the end of a search.
    #[error("too many commands wait for the end of the search")]
    TooManyWaiting,
    /// The first word of a UCI or USI line is no command.
    #[error("unknown command '{}'", shown(.0))]
    UnknownWord(String),
    /// A CECP line is neither a command nor written like a move.
    #[error("unknown command")]
    UnknownCommand,
    /// A CECP line is no command, and no legal move.
    #[error("unknown command, and no move: {0}")]
    NeitherCommandNorMove(TextError),
    /// `setoption` without a name.
    #[error("setoption needs 'name <name> [value <value>]'")]
    SetOptionSyntax,
    /// `position` without a position; the word of the dialect for one.
    #[error("position needs 'startpos' or '{0} <{0}>', then perhaps 'moves <moves>'")]
    PositionSyntax(&'static str),
    /// `position array` without the number of an array of the game.
    #[error("array '{}' is no number below {count}, the arrays of {game}", shown(.number))]
    Array {
        /// What stands there.
        number: String,
        /// How many arrays there are.
        count: u64,
        /// The game.
        game: String,
    },
    /// One of the moves of `position`.
    #[error("move {number}: {error}")]
    PositionMove {
        /// Its number, from 1.
        number: usize,
        /// Why it cannot be made.
        error: TextError,
    },
    /// A position or a move.
    #[error(transparent)]
    Text(#[from] TextError),
    /// `go` after a position that was refused.
    #[error("there is no position: the last one was refused")]
    NoPosition,
    /// `ponderhit` without a search that ponders.
    #[error("ponderhit, but no search ponders")]
    NotPondering,
    /// `go` while the engine searches for its move.
    #[error("the engine is thinking already")]
    Thinking,
    /// A number was expected.
    #[error("'{}' is no number", shown(.0))]
    NotANumber(String),
    /// `undo` or `remove` with fewer moves made than it takes back.
    #[error("only {0} moves were made")]
    TooFewMoves(usize),
    /// The words behind `go`.
    #[error(transparent)]
    Go(#[from] GoError),
    /// CECP's time controls and clocks.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// An option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The command `setup`.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The session cannot do it.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// A position or move that cannot be read, or is not legal.
#[derive(Debug, Clone, Error)]
pub(super) enum TextError {
    /// A position, and the notation that its reader knows.
    #[error("{}", .0.through(*.1))]
    Position(FenError, &'static dyn Notation),
    /// A move; the error knows its notation.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move in XBoard's form.
    #[error(transparent)]
    XBoard(#[from] XBoardMoveError),
}
