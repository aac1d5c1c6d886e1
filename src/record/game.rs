//! A game record: start, moves, comments, variations, result.

use std::fmt;

use garrison_rules::{Color, GameResult, Move, Position, Tag};

use super::pgn;

/// A move of a game with its comment, glyphs and variations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ply {
    /// The move, which may be a setup ply.
    pub mv: Move,
    /// The comment behind it. White space is written as single spaces.
    pub comment: Option<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, and so on.
    pub nags: Vec<u8>,
    /// Lines that could be played in its place.
    pub variations: Vec<Variation>,
}

impl Ply {
    /// A move of which nothing is said.
    pub fn plain(mv: Move) -> Ply {
        Ply { mv, comment: None, nags: Vec::new(), variations: Vec::new() }
    }
}

/// The number of a move made in this position; 0 for a setup, which comes before the first.
pub fn move_number(position: &Position, mv: Move) -> u32 {
    if mv.tag() == Tag::Setup { 0 } else { position.fullmove() }
}

/// The number before a move and a space: always before White's, before Black's only where asked for.
pub fn numbered(position: &Position, mv: Move, is_asked: bool) -> String {
    let number = move_number(position, mv);
    match position.side_to_move() {
        Color::White => format!("{number}. "),
        Color::Black if is_asked => format!("{number}... "),
        Color::Black => String::new(),
    }
}

/// The signs that numeric annotation glyphs from 1 on stand for, as people write them behind a move.
pub const SIGNS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// A line of moves. That of a ply begins in the position before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variation {
    /// The comment before the first ply.
    pub comment: Option<String>,
    /// The moves, which may have variations of their own.
    pub plies: Vec<Ply>,
}

impl Variation {
    /// What stands before the first ply and what is said of that, for those who have one place for both.
    pub fn joined(before: String, of_first: Option<String>) -> String {
        match of_first {
            Some(text) => before + " " + &text,
            None => before,
        }
    }
}

/// The most variations within each other that are read and written: values of games may be walked by recursion, and as
/// JSON they stay within the depth that readers bear.
pub const MOST_DEPTH: usize = 30;

/// The most variations of a game that are read and written.
pub const MOST_VARIATIONS: usize = 20_000;

/// A game: tags, start, moves, comments, result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values, without `Result`, which is in [`GameRecord::result`]. `Variant`, `SetUp` and `FEN` are
    /// written from the start position, not from these tags.
    pub tags: Vec<(String, String)>,
    /// The position before the first ply, without history.
    pub start: Position,
    /// The comment before the first ply.
    pub comment: Option<String>,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The result.
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
        let name = pgn::tag_name(name);
        match self.tags.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => *old = value.to_string(),
            None => self.tags.push((name, value.to_string())),
        }
    }

    /// Adds a ply, which must be legal after the others.
    pub fn push(&mut self, mv: Move, comment: Option<String>) {
        self.plies.push(Ply { comment, ..Ply::plain(mv) });
    }

    /// The position before each ply, without history: those of a long game fit into memory together.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.start.clone();
        self.plies.iter().map(move |ply| {
            let before = position.without_history();
            position.make(ply.mv);
            before
        })
    }

    /// The position after all plies (as far as they are legal), with its history.
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
    /// far as they are legal, with their variations within [`MOST_DEPTH`] and [`MOST_VARIATIONS`], in lines of at most
    /// 80 columns, and the result.
    pub fn to_pgn(&self) -> String {
        pgn::write(self)
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_pgn())
    }
}
