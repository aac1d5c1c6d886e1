//! Results of games as text, as PGN and XBoard write them.

use std::fmt;

use crate::position::Status;
use crate::types::Color;

/// The result of a game.
///
/// ```
/// use garrison_rules::{Color, GameResult, Position, find};
///
/// let position = Position::start(&find("chess")?);
/// assert_eq!(GameResult::from(position.status()), GameResult::Unknown);
/// assert_eq!(GameResult::win(Color::Black).to_string(), "0-1");
/// assert_eq!(GameResult::parse("1/2-1/2"), Some(GameResult::Draw));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody won.
    Draw,
    /// The game is not over, or its result is unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 4] =
        [GameResult::White, GameResult::Black, GameResult::Draw, GameResult::Unknown];

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// The result with this text; `None` if it is none of the four.
    pub fn parse(text: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.text() == text)
    }

    /// The victory of a side.
    pub const fn win(winner: Color) -> GameResult {
        match winner {
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl From<Status> for GameResult {
    fn from(status: Status) -> GameResult {
        match status.outcome().map(|outcome| outcome.winner) {
            None => GameResult::Unknown,
            Some(None) => GameResult::Draw,
            Some(Some(winner)) => GameResult::win(winner),
        }
    }
}
