//! PGN: read tolerantly, written canonically, as `protocol.md` documents it.
//!
//! ```
//! use garrison::record::{GameRecord, pgn};
//! use garrison_rules::{GameResult, Position, find};
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

mod error;
mod lex;
mod lines;
mod read;
mod text;
mod variant;
mod write;

pub use error::{GamesError, PgnError, PgnFault};
pub use read::{Fallback, Games, ReadGame, read, read_all, read_with};
pub(super) use write::{game as write, tag_name};

/// The tags that every game has, in the order in which they are written, with the text for an unknown value.
/// `Result` is the last of the seven.
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
