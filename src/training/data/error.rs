//! Why a packed file is refused.

use garrison_rules::UnknownGame;
use thiserror::Error;

/// What is wrong with a packed file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PackedError {
    /// It is written in another version of the format.
    #[error("version {0} of the format; this program reads version {known}", known = super::file::VERSION)]
    Version(u16),
    /// Its header ends too early.
    #[error("the header is cut off")]
    ShortHeader,
    /// The bytes are not those that were written.
    #[error("damaged: the checksum is wrong")]
    Checksum,
    /// A game of the file is unknown here.
    #[error(transparent)]
    Variant(#[from] UnknownGame),
    /// A game has other rules here.
    #[error("{0} had another board, other pieces or other moves when this was written")]
    Rules(String),
    /// A record is none of its game.
    #[error("a record that is no position")]
    Record,
    /// A record breaks the rules of its game.
    #[error("a record that is no position: {0}")]
    Position(String),
    /// A block does not hold the games that it says.
    #[error("a block that does not hold the games that its head says")]
    Games,
    /// Too many games for a file.
    #[error("{0} games; a packed file holds at most {most}", most = super::packing::MAX_GAMES)]
    TooManyGames(usize),
    /// A position of a game that the first line does not name.
    #[error("a position of {0}, which the first line does not name")]
    ForeignGame(String),
    /// Games must be written in the order of their numbers.
    #[error("game {next} after game {last}")]
    Order {
        /// The last number.
        last: u64,
        /// The one that was to be written.
        next: u64,
    },
    /// The system refuses.
    #[error("{0}")]
    Io(String),
}

impl From<std::io::Error> for PackedError {
    fn from(error: std::io::Error) -> PackedError {
        PackedError::Io(error.to_string())
    }
}
