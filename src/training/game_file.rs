//! A file of games that grows game by game, so that a crash loses only what was not finished: begun, resumed and written
//! by `selfplay`, `rescore`, `convert` and `learn` alike.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek};
use std::path::Path;

use thiserror::Error;

use super::data::{DataWriter, PackedError, PackedHeader};
use super::sample::{self, Header, Line, LineError};
use super::selfplay::Game;
use super::sink::{Format, Sink, Written};
use crate::files::{EXISTS, cut, fault_in, is_special, open_alone, unwritten};

/// Why a file of games cannot be begun, gone on with or written.
#[derive(Debug, Error)]
pub enum GameFileError {
    /// It is there, and nobody said that it is to be gone on with.
    #[error("{EXISTS}")]
    Exists,
    /// It is not in the form that was asked for.
    #[error("is {}; --resume goes on with it without --format", .0.name())]
    OtherFormat(Format),
    /// It has other games.
    #[error("has other games, '{0}'; it cannot be gone on with")]
    OtherGames(Box<Header>),
    /// The header of a packed file is wrong.
    #[error("header: {0}")]
    Header(PackedError),
    /// A packed file is damaged, or the games cannot be packed.
    #[error(transparent)]
    Packed(PackedError),
    /// A line of a text is wrong.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It cannot be read.
    #[error("{0}")]
    Unread(std::io::Error),
    /// It cannot be written. What was whole stays whole.
    #[error("{0}")]
    Unwritten(String),
}

impl GameFileError {
    /// The fault with the name of its file, in a line.
    pub fn in_file(&self, path: &Path) -> String {
        match self {
            GameFileError::Unwritten(_) => unwritten(path, self),
            _ => fault_in(path, self),
        }
    }

    fn unwritten(error: std::io::Error) -> GameFileError {
        GameFileError::Unwritten(error.to_string())
    }

    /// A file cannot be begun.
    fn unbegun(error: PackedError) -> GameFileError {
        match error {
            PackedError::Io(error) => GameFileError::Unwritten(error),
            error => GameFileError::Packed(error),
        }
    }
}

/// What games a file is to have.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// What they depend on.
    pub header: &'a Header,
    /// How they are written; none for what the name says.
    pub format: Option<Format>,
    /// Whether a file that is there already is gone on with.
    pub resume: bool,
    /// Whether it may then be one that another version of the program began.
    pub any_version: bool,
    /// The greatest number of a game.
    pub last: u64,
}

impl Wanted<'_> {
    /// Makes sure that the games found are those.
    fn check(&self, found: &Header) -> Result<(), GameFileError> {
        // Who takes those of any version looks after the rules: earlier ones did not note them.
        let of = if self.any_version { self.header } else { found };
        let (version, rules) = (of.version.clone(), of.rules.clone());
        if (Header { version, rules, ..found.clone() }) == *self.header {
            return Ok(());
        }
        Err(GameFileError::OtherGames(Box::new(found.clone())))
    }
}

/// A file of games that grows.
#[derive(Debug)]
pub struct GameFile {
    sink: Sink<File>,
    /// The number of the next game, and by how much that of the one after it is greater.
    next: u64,
    step: u64,
    games: u64,
    positions: u64,
}

impl GameFile {
    /// Begins a file or resumes one. What a crash left of a game is cut off; the last game of a text may be incomplete,
    /// and is cut off to be written again.
    ///
    /// # Errors
    /// It cannot be read or written, or is not what is wanted. Then it is left as it was.
    pub fn open(path: &Path, wanted: &Wanted) -> Result<GameFile, GameFileError> {
        let header = wanted.header;
        if is_special(path) {
            // A device or a pipe keeps nothing that could be gone on with.
            let file = OpenOptions::new().write(true).open(path);
            let file = file.map_err(GameFileError::unwritten)?;
            let sink = Sink::begin_stream(file, Format::of(path, wanted.format), header);
            let sink = sink.map_err(GameFileError::unbegun)?;
            return Ok(GameFile::at(sink, header, header.first_game(), 0));
        }
        let old = std::fs::metadata(path).map_or(0, |data| data.len());
        if old > 0 && !wanted.resume {
            return Err(GameFileError::Exists);
        }
        let file = open_alone(path).map_err(GameFileError::unwritten)?;
        // Whoever had it may have written meanwhile.
        let old = file.metadata().map_or(0, |data| data.len());
        let format = match format_of(&file, old)? {
            Some(found) if wanted.format.is_some_and(|wanted| wanted != found) => {
                return Err(GameFileError::OtherFormat(found));
            }
            Some(found) => found,
            None => Format::of(path, wanted.format),
        };
        match format {
            Format::Text => GameFile::open_text(file, old, wanted),
            Format::Packed => GameFile::open_packed(file, old, wanted),
        }
    }

    fn at(sink: Sink<File>, header: &Header, next: u64, positions: u64) -> GameFile {
        let (first, step) = (header.first_game(), header.step());
        GameFile { sink, next, step, games: (next - first) / step, positions }
    }

    /// Begins a file that has nothing, or a part of its header.
    fn begin(file: File, format: Format, header: &Header) -> Result<GameFile, GameFileError> {
        file.set_len(0).map_err(GameFileError::unwritten)?;
        let sink = Sink::begin(file, format, header).map_err(GameFileError::unbegun)?;
        Ok(GameFile::at(sink, header, header.first_game(), 0))
    }

    fn open_text(mut file: File, old: u64, wanted: &Wanted) -> Result<GameFile, GameFileError> {
        let header = wanted.header;
        if is_torn(&file, format!("{header}\n").as_bytes(), old)? {
            return GameFile::begin(file, Format::Text, header);
        }
        let Whole { mut end, next, mut positions, rest } = Whole::of(&file, wanted)?;
        if next > wanted.last {
            // A file that has more games than are wanted loses none.
            (end, positions) = (old, positions + rest);
        }
        cut(&mut file, end).map_err(GameFileError::unwritten)?;
        Ok(GameFile::at(Sink::Text(file), header, next, positions))
    }

    fn open_packed(mut file: File, old: u64, wanted: &Wanted) -> Result<GameFile, GameFileError> {
        let header = wanted.header;
        let packed = PackedHeader::new(header).map_err(GameFileError::Packed)?;
        if is_torn(&file, &packed.bytes(), old)? {
            return GameFile::begin(file, Format::Packed, header);
        }
        let found = PackedHeader::read(&mut file).map_err(GameFileError::Header)?;
        wanted.check(&found.header)?;
        // As the file numbers its pieces, which a later version may do otherwise.
        let resumed = DataWriter::resume(file, &found).map_err(GameFileError::Packed);
        let (mut writer, end) = resumed?;
        writer.get_mut().set_len(end).map_err(GameFileError::unwritten)?;
        let next = match writer.last() {
            0 => header.first_game(),
            last => last + header.step(),
        };
        let positions = writer.records();
        let sink = Sink::Packed(Box::new(writer), Box::new(found));
        Ok(GameFile::at(sink, header, next, positions))
    }

    /// The number of the game that is to be written next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The numbers of the games that are to be written, up to this one.
    pub fn numbers(&self, last: u64) -> impl Iterator<Item = u64> + Send + use<> {
        let (next, step) = (self.next, self.step);
        std::iter::successors(Some(next), move |number| number.checked_add(step))
            .take_while(move |number| *number <= last)
    }

    /// How many games it has.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many positions it has.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// A game as this file has it.
    ///
    /// # Errors
    /// It is none of the file's games.
    pub fn prepare(&self, game: &Game) -> Result<Written, GameFileError> {
        self.sink.prepare(game).map_err(GameFileError::Packed)
    }

    /// Writes the next game in one go.
    ///
    /// # Errors
    /// It cannot be written; the games before it are kept.
    pub fn write(&mut self, game: &Written) -> Result<(), GameFileError> {
        debug_assert_eq!(game.number(), self.next, "games are written in order");
        let written = self.sink.write(game);
        written.map_err(|error| GameFileError::Unwritten(error.to_string()))?;
        self.next += self.step;
        self.games += 1;
        self.positions += game.positions();
        Ok(())
    }

    /// Prepares and writes the next game.
    ///
    /// # Errors
    /// As [`GameFile::prepare`] and [`GameFile::write`].
    pub fn push(&mut self, game: &Game) -> Result<(), GameFileError> {
        let written = self.prepare(game)?;
        self.write(&written)
    }

    /// Writes what a pipe has not got yet.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn end(self) -> Result<(), GameFileError> {
        self.sink.end().map(|_| ()).map_err(GameFileError::unwritten)
    }
}

/// The form of a file of this length; none if it is empty.
fn format_of(mut file: &File, length: u64) -> Result<Option<Format>, GameFileError> {
    if length == 0 {
        return Ok(None);
    }
    let is_packed = sample::is_packed(&mut BufReader::new(file))?;
    file.rewind().map_err(GameFileError::Unread)?;
    Ok(Some(if is_packed { Format::Packed } else { Format::Text }))
}

/// Whether a file has no more than a part of what it begins with.
fn is_torn(mut file: &File, start: &[u8], length: u64) -> Result<bool, GameFileError> {
    if length >= start.len() as u64 {
        return Ok(false);
    }
    let mut found = Vec::new();
    let read = file.take(start.len() as u64).read_to_end(&mut found);
    read.and_then(|_| file.rewind()).map_err(GameFileError::Unread)?;
    Ok(start.starts_with(&found))
}

/// What is whole in a text: all before its last game.
#[derive(Debug)]
struct Whole {
    /// Where it ends, in bytes.
    end: u64,
    /// The number of the last game, or of the first if there is none.
    next: u64,
    positions: u64,
    /// The positions of the last game.
    rest: u64,
}

impl Whole {
    fn of(file: &File, wanted: &Wanted) -> Result<Whole, GameFileError> {
        let mut whole = Whole { end: 0, next: wanted.header.first_game(), positions: 0, rest: 0 };
        let found = sample::read(BufReader::new(file), |line, at| {
            match line {
                Line::Game(number) => {
                    let positions = whole.positions + whole.rest;
                    whole = Whole { end: at, next: number, positions, rest: 0 };
                }
                Line::Sample(_) => whole.rest += 1,
            }
            Ok(())
        })?;
        wanted.check(&found)?;
        if whole.end == 0 {
            whole.end = format!("{found}\n").len() as u64;
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::sample::{Keep, Origin, Sample};

    fn header() -> Header {
        Header {
            origin: Origin::SelfPlay { seed: 1, nodes: 2, plies: 3 },
            hash: 4,
            keep: Keep::Aside,
            version: "0".to_string(),
            evaluation: None,
            rules: None,
            rescored: None,
            shard: None,
            others: Vec::new(),
            variants: vec!["chess".to_string()],
        }
    }

    fn open(path: &Path, header: &Header, any_version: bool) -> Result<GameFile, String> {
        let wanted = Wanted { header, format: None, resume: true, any_version, last: u64::MAX };
        GameFile::open(path, &wanted).map_err(|error| error.in_file(path))
    }

    #[test]
    fn a_torn_file_is_gone_on_with() {
        let fen = "chess|k7/8/8/8/8/8/8/K6R w - - 0 1|30|1";
        let samples = vec![fen.parse::<Sample>().expect("a position"); 2];
        let game = |number| Game { number, samples: samples.clone() };
        for end in ["txt", "gdata"] {
            let name = format!("garrison-games-{}.{end}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = std::fs::remove_file(&path);
            let mut whole = open(&path, &header(), false).expect("a new file");
            // What the file is after each game, to be met again wherever it was cut.
            for number in 1..=3 {
                whole.push(&game(number)).expect("room");
            }
            assert_eq!((whole.games(), whole.positions(), whole.next()), (3, 6, 4));
            drop(whole);
            let bytes = std::fs::read(&path).expect("a file");
            for length in 0..=bytes.len() {
                std::fs::write(&path, &bytes[..length]).expect("a file");
                let mut file = open(&path, &header(), false).expect("the same games");
                assert_eq!(file.positions(), 2 * file.games());
                while file.games() < 3 {
                    file.push(&game(file.next())).expect("room");
                }
                assert_eq!(std::fs::read(&path).expect("a file"), bytes, "{end} {length}");
            }
            let newer = Header { version: "9".to_string(), ..header() };
            assert!(open(&path, &newer, true).is_ok());
            for other in [newer, Header { origin: Origin::Pgn { checksum: 1 }, ..header() }] {
                let fault = open(&path, &other, false).expect_err("other games");
                assert!(fault.contains("has other games, '# garrison selfplay"), "{fault}");
            }
            std::fs::remove_file(&path).expect("it is gone");
        }
    }

    #[test]
    fn a_text_with_more_games_than_are_wanted_loses_none() {
        let path = std::env::temp_dir().join(format!("garrison-more-{}.txt", std::process::id()));
        let text = format!("{}\n# game 1\n# game 2\n", header());
        std::fs::write(&path, &text).expect("room");
        let (header, format) = (header(), Some(Format::Text));
        let wanted = Wanted { header: &header, format, resume: true, any_version: false, last: 1 };
        let file = GameFile::open(&path, &wanted).expect("the same games");
        assert_eq!(file.numbers(1).count(), 0);
        assert_eq!(std::fs::read_to_string(&path).expect("a text"), text);
        let second = GameFile::open(&path, &wanted).expect_err("the first has it");
        assert_eq!(second.to_string(), "another run is writing it");
        drop(file);
        let packed = Wanted { format: Some(Format::Packed), ..wanted };
        let fault = GameFile::open(&path, &packed).expect_err("a text");
        assert!(matches!(fault, GameFileError::OtherFormat(Format::Text)), "{fault}");
        let new = Wanted { resume: false, ..wanted };
        assert!(matches!(GameFile::open(&path, &new), Err(GameFileError::Exists)));
        std::fs::remove_file(&path).expect("it is gone");
    }
}
