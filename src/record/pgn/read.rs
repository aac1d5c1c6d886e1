//! Reads the games of a PGN text.

use std::io::BufRead;
use std::sync::Arc;

use super::lex::{At, Item, Lexer, MOST_BYTES, RawGame};
use super::lines::Reader;
use super::{GamesError, PgnError, PgnFault, ROSTER, START_TAGS, variant};
use crate::files::Lines;
use crate::record::GameRecord;
use garrison_rules::{GameResult, Position, UnknownGame, Variant, find};

/// The most bytes of a line.
const MOST_LINE_BYTES: u64 = MOST_BYTES as u64 / 4;

/// Which game a record is of where its tag `Variant` names none of the catalogue; an error if that is `None`.
#[derive(Debug, Clone, Default)]
pub struct Fallback {
    /// A game that the catalogue does not have, for records that name it or none.
    pub own: Option<Arc<Variant>>,
    /// For records without the tag.
    pub missing: Option<String>,
    /// For records whose tag names no game that is known.
    pub unknown: Option<String>,
}

impl Fallback {
    /// The game of this name for records that name none, or an unknown one; without a name it is chess for records
    /// without the tag, as the PGN standard has it.
    ///
    /// # Errors
    /// There is no such game.
    pub fn to(name: Option<&str>) -> Result<Fallback, UnknownGame> {
        name.map(find).transpose()?;
        let missing = Some(name.unwrap_or("chess").to_string());
        Ok(Fallback { own: None, missing, unknown: name.map(str::to_string) })
    }
}

/// A game, and what of its variations could not be read: the game itself is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGame {
    /// The game.
    pub record: GameRecord,
    /// The faults of its variations, the first ones if there are many.
    pub faults: Vec<PgnError>,
}

/// Reads all games of a text. A faulty game does not affect the next ones.
pub fn read(text: &str) -> Vec<Result<GameRecord, PgnError>> {
    read_with(text, None)
}

/// Reads all games of a text; those without a tag `Variant` are games of `default_variant`.
pub fn read_with(text: &str, default_variant: Option<&str>) -> Vec<Result<GameRecord, PgnError>> {
    let missing = default_variant.map(str::to_string);
    let games = read_all(text, &Fallback { missing, ..Fallback::default() }).into_iter();
    games.map(|game| game.map(|game| game.record)).collect()
}

/// Reads all games of a text, with the faults of their variations.
pub fn read_all(text: &str, fallback: &Fallback) -> Vec<Result<ReadGame, PgnError>> {
    let mut lexer = Lexer::default();
    let (mut number, mut games) = (0, Vec::new());
    let mut take = |lexer: &mut Lexer| {
        while let Some(game) = lexer.take_game() {
            number += 1;
            games.push(interpret(game, number, fallback));
        }
    };
    for line in text.split('\n') {
        lexer.read_line(line);
        take(&mut lexer);
    }
    lexer.end();
    take(&mut lexer);
    games
}

/// The games of a source, read one by one: of a source of any length only the game at hand is kept. Text that is
/// not UTF-8 is read as Latin-1, the character set of the PGN standard.
///
/// ```
/// use garrison::record::pgn::{Fallback, Games};
///
/// let source = "[Variant \"swda\"]\n\n1. e3 e9 *\n\n[Variant \"swda\"]\n\n1. e3 e6 *\n";
/// let mut games = Games::new(source.as_bytes(), Fallback::default());
/// let fault = games.next().and_then(Result::err).expect("a faulty game");
/// assert!(fault.to_string().starts_with("game 1, line 3: move 1 of Black: "));
/// assert!(games.next().is_some_and(|game| game.is_ok()));
/// assert!(games.next().is_none());
/// ```
pub struct Games<R> {
    lines: Lines<R>,
    lexer: Lexer,
    fallback: Fallback,
    /// Games read so far.
    number: usize,
    /// What of the variations of the last game could not be read.
    faults: Vec<PgnError>,
    has_ended: bool,
}

impl<R: BufRead> Games<R> {
    /// The games of this source.
    pub fn new(source: R, fallback: Fallback) -> Games<R> {
        let lines = Lines::new(source, MOST_LINE_BYTES);
        let (lexer, faults) = (Lexer::default(), Vec::new());
        Games { lines, lexer, fallback, number: 0, faults, has_ended: false }
    }

    /// What of the variations of the game that came last could not be read: the first faults, if there are many.
    pub fn faults(&self) -> &[PgnError] {
        &self.faults
    }

    /// The number of the game that came last, from 1: its place in the source.
    pub fn number(&self) -> usize {
        self.number
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<GameRecord, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.lexer.take_game() {
                self.number += 1;
                self.faults.clear();
                let game = interpret(game, self.number, &self.fallback);
                return Some(game.map_err(GamesError::from).map(|ReadGame { record, faults }| {
                    self.faults = faults;
                    record
                }));
            }
            if self.has_ended {
                return None;
            }
            match self.lines.next() {
                Some(Ok(line)) => self.lexer.read_line(&decoded(line)),
                Some(Err(error)) => {
                    // What was read of a game is not whole.
                    self.has_ended = true;
                    return Some(Err(error.into()));
                }
                None => {
                    self.has_ended = true;
                    self.lexer.end();
                }
            }
        }
    }
}

/// A line as UTF-8, else as Latin-1, whose bytes are the first characters of Unicode.
fn decoded(line: Vec<u8>) -> String {
    String::from_utf8(line)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

type Fault = At<PgnFault>;

/// The record of a game of a text.
fn interpret(game: RawGame, number: usize, fallback: &Fallback) -> Result<ReadGame, PgnError> {
    let mut assumed = None;
    let read = record(game, fallback, &mut assumed);
    let error = |At { line, what: fault }: Fault| PgnError {
        game: number,
        line,
        fault,
        assumed: assumed.clone(),
    };
    match read {
        Ok((record, faults)) => {
            Ok(ReadGame { record, faults: faults.into_iter().map(error).collect() })
        }
        Err(fault) => Err(error(fault)),
    }
}

fn record(
    game: RawGame,
    fallback: &Fallback,
    assumed: &mut Option<String>,
) -> Result<(GameRecord, Vec<Fault>), Fault> {
    if let Some(fault) = game.fault {
        return Err(fault);
    }
    let mut record = GameRecord::new(&start(&game, fallback, assumed)?);
    for At { what: (name, value), .. } in &game.tags {
        let is_unknown = ROSTER.contains(&(name.as_str(), value.as_str()));
        if !is_unknown && !START_TAGS.contains(&name.as_str()) {
            record.set_tag(name, value);
        }
    }
    let mut reader = Reader::new(&record.start);
    for At { line, what } in game.items {
        match what {
            // An asterisk does not overrule the tag.
            Item::Result(GameResult::Unknown) => {}
            Item::Result(result) => record.result = result,
            what => reader.take(line, what)?,
        }
    }
    let (line, faults) = reader.finish();
    (record.comment, record.plies) = (line.comment, line.plies);
    Ok((record, faults))
}

/// The position before the first ply. Puts the game into `assumed` if no tag tells which it is.
fn start(
    game: &RawGame,
    fallback: &Fallback,
    assumed: &mut Option<String>,
) -> Result<Position, Fault> {
    let tag =
        |name: &str| game.tags.iter().rfind(|tag| tag.what.0 == name && is_known(&tag.what.1));
    let variant_tag = tag("Variant");
    let line = variant_tag.map_or(game.line, |tag| tag.line);
    let name = variant_tag.map(|tag| tag.what.1.as_str());
    let found = variant::find_foreign(name, fallback);
    let (variant, is_assumed) = found.map_err(|what| At { line, what })?;
    *assumed = is_assumed.then(|| variant.name().to_string());
    match tag("FEN") {
        None => Ok(Position::start(&variant)),
        Some(At { line, what: (_, fen) }) => Position::from_fen(&variant, fen)
            .map_err(|error| At { line: *line, what: error.into() }),
    }
}

/// Whether the value of a tag says something.
fn is_known(value: &str) -> bool {
    !["", "?", "-"].contains(&value.trim())
}
