//! Records of games in PGN: read tolerantly, written canonically, as `protocol.md` documents it.
//!
//! ```
//! use garrison::arena::pgn::{self, GameRecord, GameResult};
//! use garrison_rules::{Position, find};
//!
//! let game = find("swda-oo").expect("a built-in game");
//! let start = Position::start(&game);
//! let mut record = GameRecord::new(&start);
//! record.set_tag("White", "Garrison");
//! record.push(start.parse_san("Nc3").expect("a legal move"), Some("+0.12/7 0.1s".to_string()));
//! record.result = GameResult::Draw;
//! let text = record.to_pgn();
//! assert!(text.ends_with("\n1. Nc3 {+0.12/7 0.1s} 1/2-1/2\n"));
//! assert_eq!(pgn::read(&text), [Ok(record)]);
//! ```

mod lex;
mod read;
mod text;
mod write;

use std::fmt;

use thiserror::Error;

use garrison_rules::{Move, Position};

pub use garrison_rules::GameResult;
pub use read::{read, read_with};

/// The tags that every game has, in the order in which they are written, and what stands for a value
/// that is not known. The result is the last of the seven.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags that follow from the start position.
const START_TAGS: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// Why a game cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}, line {line}: {fault}")]
pub struct PgnError {
    /// The number of the game in the text, from 1.
    pub game: usize,
    /// The line of the text, from 1.
    pub line: usize,
    /// What is wrong, in one line.
    pub fault: String,
}

/// A move of a game and what is said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ply {
    /// The move: a setup ply, too, is one.
    pub mv: Move,
    /// The comment behind it. White space is written as single spaces.
    pub comment: Option<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, and so on.
    pub nags: Vec<u8>,
}

/// A game: where it began, what was played, how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values, without `Result`, which is in [`GameRecord::result`]. What is written for
    /// `Variant`, `SetUp` and `FEN` follows from the start position, whatever these tags say.
    pub tags: Vec<(String, String)>,
    /// The position before the first ply, without a past.
    pub start: Position,
    /// The comment before the first ply.
    pub comment: Option<String>,
    /// What was played.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub result: GameResult,
}

impl GameRecord {
    /// A game that begins with this position and has no ply yet.
    pub fn new(start: &Position) -> GameRecord {
        let start = start.without_history();
        let mut tags = vec![("Variant".to_string(), start.variant().name().to_string())];
        if start != Position::start(start.variant()) {
            tags.push(("SetUp".to_string(), "1".to_string()));
            tags.push(("FEN".to_string(), start.fen()));
        }
        let result = GameResult::Unknown;
        GameRecord { tags, start, comment: None, plies: Vec::new(), result }
    }

    /// The value of a tag. `Result` is that of [`GameRecord::result`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        if name == "Result" {
            return Some(self.result.text());
        }
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Gives a tag this value; a new one comes behind the others. In a name, anything but ASCII
    /// letters, digits and `_` becomes `_`. `Result` sets [`GameRecord::result`], if it is one.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        if name == "Result" {
            self.result = GameResult::parse(value).unwrap_or(self.result);
            return;
        }
        let name = write::tag_name(name);
        match self.tags.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => *old = value.to_string(),
            None => self.tags.push((name, value.to_string())),
        }
    }

    /// Adds a ply, which must be legal behind the others.
    pub fn push(&mut self, mv: Move, comment: Option<String>) {
        self.plies.push(Ply { mv, comment, nags: Vec::new() });
    }

    /// The position after all plies (as far as they are legal), with its past.
    pub fn end(&self) -> Position {
        let mut position = self.start.without_history();
        for ply in &self.plies {
            if !position.is_legal(ply.mv) {
                break;
            }
            position.make(ply.mv);
        }
        position
    }

    /// The game as text: the seven tags of the roster, the other tags, an empty line, the moves as
    /// far as they are legal, in lines of at most 80 columns, and the result.
    pub fn to_pgn(&self) -> String {
        write::game(self)
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_pgn())
    }
}
