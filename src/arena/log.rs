//! The log of a match: a line of JSON for the match, then one for each game, in the order of the games.
//!
//! A game that ends before an earlier one is kept in a file beside the log (`LOG.part`) until its turn comes, so
//! no finished game is ever lost, and the log does not depend on how many games were played at once.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::{Record, RecordError};
use crate::files::{InFile, Lines, in_file, is_special, open_file, open_source, part_path};
use crate::json_log::{self, LONGEST_LINE, LogFile, ReadFault, Refusal, Unwritten, is_begun};

/// Why a log cannot be read or written.
#[derive(Debug, Error)]
pub enum LogError {
    /// Its text is no log.
    #[error("log {0}")]
    Read(#[from] InFile<ReadFault>),
    /// A file cannot be opened or written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// A file would be overwritten, or a log is of another match.
    #[error(transparent)]
    Refused(#[from] InFile<Refusal<Difference>>),
    /// Two logs to be merged have different records of a game.
    #[error(transparent)]
    OtherGame(#[from] InFile<OtherGame>),
    /// A record cannot be written as PGN.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A game of a log is none by the rules of today.
    #[error("log {0}; have the rules of the game changed since?")]
    Logged(InFile<RecordError>),
    /// There are no logs.
    #[error("no log to merge")]
    NothingToMerge,
}

/// An earlier log has another record of the game with this number (from 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("game {} is another one here", .0 + 1)]
pub struct OtherGame(pub usize);

/// The first thing that differs between two matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Difference {
    /// Names, commands, options or limits of the engines.
    #[error("other engines, options or limits")]
    Engines,
    /// Who meets whom.
    #[error("other pairings")]
    Pairings,
    /// The games.
    #[error("other games")]
    Variants,
    /// The rules of a user's games.
    #[error("other rules of its games")]
    Rules,
    /// Where the openings come from.
    #[error("other openings")]
    Openings,
    /// The seed of the openings.
    #[error("another seed")]
    Seed,
    /// Adjudication, margin, restarts.
    #[error("other conditions")]
    Conditions,
    /// The PGN tag `Event`.
    #[error("another event")]
    Event,
}

/// An engine in the header of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineHeader {
    /// Its name.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Options as `NAME=VALUE`.
    pub options: Vec<String>,
    /// Its limit.
    pub limit: String,
}

/// The first line of a log: everything that the games depend on, but not how many there are, so that a match
/// can be extended and its parts merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The PGN tag `Event`.
    pub event: String,
    /// The engines.
    pub engines: Vec<EngineHeader>,
    /// Who meets whom, by the numbers of the engines.
    pub pairings: Vec<(usize, usize)>,
    /// The games.
    pub variants: Vec<String>,
    /// The checksum of the rules of a user's games ([`own_rules`](crate::definitions::own_rules)), if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Where the openings come from.
    pub openings: String,
    /// The seed of the openings.
    pub seed: u64,
    /// The margin of time, adjudication and other conditions, as text.
    pub conditions: String,
}

impl Header {
    /// The limit of an engine by its name.
    pub fn limit_of(&self, name: &str) -> &str {
        self.engines.iter().find(|engine| engine.name == name).map_or("?", |engine| &engine.limit)
    }

    /// The first difference from another header, if there is one.
    pub fn difference(&self, other: &Header) -> Option<Difference> {
        let same = [
            (self.engines == other.engines, Difference::Engines),
            (self.pairings == other.pairings, Difference::Pairings),
            (self.variants == other.variants, Difference::Variants),
            (self.rules == other.rules, Difference::Rules),
            (self.openings == other.openings, Difference::Openings),
            (self.seed == other.seed, Difference::Seed),
            (self.conditions == other.conditions, Difference::Conditions),
            (self.event == other.event, Difference::Event),
        ];
        same.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
    }
}

/// A log that was read.
#[derive(Debug)]
pub struct Log {
    /// Its first line.
    pub header: Header,
    /// The games in its order.
    pub records: Vec<Record>,
    /// The length of its whole lines in bytes.
    pub valid: u64,
}

/// Reads a log. A last line that was only written in part is not counted.
///
/// # Errors
/// What is wrong and where.
pub fn read(path: &Path) -> Result<Log, LogError> {
    let log = open_source(path).map_err(ReadFault::Unreadable).and_then(parse);
    log.map_err(|fault| LogError::Read(in_file(path, fault)))
}

fn parse(source: impl BufRead) -> Result<Log, ReadFault> {
    let (header, records, valid) = json_log::read(source)?;
    Ok(Log { header, records, valid })
}

/// Where a match writes its games.
#[derive(Debug, Default)]
pub struct Writer {
    log: Option<LogFile>,
    /// The games before their turn.
    part: Option<LogFile>,
    pgn: Option<LogFile>,
    /// The numbers of the games that the log had when it was opened.
    logged: Vec<usize>,
}

impl Writer {
    /// Begins new files, or continues those of an earlier run; returns the games of that run.
    ///
    /// # Errors
    /// A file exists and `resume` is not set, belongs to another match, or cannot be read or written.
    pub fn open(
        log: Option<&Path>,
        pgn: Option<&Path>,
        resume: bool,
        header: &Header,
    ) -> Result<(Writer, BTreeMap<usize, Record>), LogError> {
        let mut writer = Writer::default();
        let mut done = BTreeMap::new();
        let mut records = Vec::new();
        for path in [log, pgn].into_iter().flatten() {
            if is_begun(path) && !resume {
                return Err(in_file(path, Refusal::Exists).into());
            }
        }
        if let Some(path) = log {
            if is_begun(path) {
                records = writer.resume_log(path, header, &mut done)?;
            } else {
                let mut file = LogFile::open(path)?;
                file.write(header)?;
                writer.log = Some(file);
                if !is_special(path) {
                    // A part file left by an earlier log of this name is not ours.
                    let _ = std::fs::remove_file(part_path(path));
                }
            }
            if !is_special(path) {
                writer.part = Some(LogFile::append(&part_path(path))?);
            }
        }
        if let Some(path) = pgn {
            // Not before all games can be written: if one cannot, the file stays as it was.
            let texts = records.iter().map(|record| pgn_text(record, header));
            let text: Result<String, _> = texts.collect();
            let text =
                text.map_err(|fault| LogError::Logged(in_file(log.unwrap_or(path), fault)))?;
            let mut file = LogFile::create(path)?;
            file.write_text(&text)?;
            writer.pgn = Some(file);
        }
        Ok((writer, done))
    }

    /// Opens a log to append after its last whole line; returns its games.
    fn resume_log(
        &mut self,
        path: &Path,
        header: &Header,
        done: &mut BTreeMap<usize, Record>,
    ) -> Result<Vec<Record>, LogError> {
        let mut file = LogFile::open(path)?;
        let old = read(path)?;
        if let Some(difference) = old.header.difference(header) {
            return Err(in_file(path, Refusal::OfAnother(difference)).into());
        }
        file.go_on(old.valid)?;
        self.log = Some(file);
        self.logged = old.records.iter().map(|record| record.game).collect();
        if let Ok(part) = open_file(&part_path(path)) {
            let lines = Lines::new(part, LONGEST_LINE).map_while(Result::ok);
            // A line that was only written in part is a game to be played again, as is one without a move.
            let records = lines.filter_map(|line| serde_json::from_slice::<Record>(&line).ok());
            let begun = records.filter(|record| !record.is_without_moves());
            done.extend(begun.map(|record| (record.game, record)));
        }
        done.extend(old.records.iter().map(|record| (record.game, record.clone())));
        Ok(old.records)
    }

    /// The numbers of the games that the log had when it was opened.
    pub fn logged(&self) -> &[usize] {
        &self.logged
    }

    /// Keeps a game whose turn has not come.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&mut self, record: &Record) -> Result<(), LogError> {
        match &mut self.part {
            None => Ok(()),
            Some(file) => Ok(file.write(record)?),
        }
    }

    /// Writes a game whose turn has come.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self, record: &Record, header: &Header) -> Result<(), LogError> {
        if let Some(file) = &mut self.log {
            file.write(record)?;
        }
        self.write_pgn(record, header)
    }

    fn write_pgn(&mut self, record: &Record, header: &Header) -> Result<(), LogError> {
        let Some(file) = &mut self.pgn else {
            return Ok(());
        };
        Ok(file.write_text(&pgn_text(record, header)?)?)
    }

    /// Ends a match of which nothing is left to be played: the kept games are in the log or not needed.
    pub fn finish(self) {
        if let Some(file) = self.part {
            let _ = std::fs::remove_file(file.path());
        }
    }
}

/// A game as PGN, with the blank line behind it.
fn pgn_text(record: &Record, header: &Header) -> Result<String, RecordError> {
    let limits = [header.limit_of(&record.white), header.limit_of(&record.black)];
    Ok(record.to_pgn(&header.event, limits)? + "\n")
}

/// Merges the logs of parts of one match: the games of all, in their order.
///
/// # Errors
/// One cannot be read, they are of different matches, or two have different records of a game.
pub fn merge(paths: &[PathBuf]) -> Result<(Header, Vec<Record>), LogError> {
    let mut merged: Option<Header> = None;
    let mut records: BTreeMap<usize, Record> = BTreeMap::new();
    for path in paths {
        let log = read(path)?;
        match &merged {
            None => merged = Some(log.header),
            Some(header) => {
                if let Some(difference) = header.difference(&log.header) {
                    let fault = Refusal::UnlikeFirst { difference, first: paths[0].clone() };
                    return Err(in_file(path, fault).into());
                }
            }
        }
        for record in log.records {
            let game = record.game;
            if records.get(&game).is_some_and(|other| *other != record) {
                return Err(in_file(path, OtherGame(game)).into());
            }
            records.insert(game, record);
        }
    }
    let header = merged.ok_or(LogError::NothingToMerge)?;
    Ok((header, records.into_values().collect()))
}
