//! The log of a match: a line of JSON for what is played, then one for each game, in the order of the
//! games.
//!
//! A game that ends before an earlier one does is kept in a file beside the log (`LOG.part`) until its
//! turn comes, so nothing that was played is ever lost, and the log does not depend on how many games
//! were played at once.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::record::Record;
use crate::files::fault_in;
use garrison_rules::shown;

/// An engine as the log tells it.
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

/// The first line of a log: all that the games depend on, but not how many there are, so that a match
/// may be made longer and its parts may be merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What is played, for the PGN tag `Event`.
    pub event: String,
    /// The engines.
    pub engines: Vec<EngineHeader>,
    /// Who meets whom, by the numbers of the engines.
    pub pairings: Vec<(usize, usize)>,
    /// The games.
    pub variants: Vec<String>,
    /// Where the openings come from.
    pub openings: String,
    /// The seed of the openings.
    pub seed: u64,
    /// The margin of time, when games are ended, and what else they are played by.
    pub conditions: String,
}

impl Header {
    /// The limit of an engine by its name.
    pub fn limit_of(&self, name: &str) -> &str {
        self.engines.iter().find(|engine| engine.name == name).map_or("?", |engine| &engine.limit)
    }

    /// What differs from another header, if anything does.
    pub fn difference(&self, other: &Header) -> Option<&'static str> {
        let same = [
            (self.engines == other.engines, "other engines, options or limits"),
            (self.pairings == other.pairings, "other pairings"),
            (self.variants == other.variants, "other games"),
            (self.openings == other.openings, "other openings"),
            (self.seed == other.seed, "another seed"),
            (self.conditions == other.conditions, "other conditions"),
            (self.event == other.event, "another event"),
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
    /// The bytes of all lines that are whole.
    pub valid: u64,
}

/// Reads a log. A last line that was only written in part is not counted.
///
/// # Errors
/// One line that says what is wrong and where.
pub fn read(path: &Path) -> Result<Log, String> {
    let place = |fault: String| format!("log {}", fault_in(path, &fault));
    let bytes = std::fs::read(path).map_err(|error| place(error.to_string()))?;
    let mut lines = whole_lines(&bytes);
    let header = lines.next().ok_or_else(|| place("its first line is not whole".to_string()))?;
    let header: Header =
        serde_json::from_slice(header).map_err(|error| place(format!("line 1: {error}")))?;
    let mut valid = 0;
    let mut records = Vec::new();
    let count = whole_lines(&bytes).count();
    for (index, line) in lines.enumerate() {
        match serde_json::from_slice(line) {
            Ok(record) => records.push(record),
            // A crash of the machine may leave the last block of a file filled with anything.
            Err(_) if index + 2 == count => break,
            Err(error) => return Err(place(format!("line {}: {error}", index + 2))),
        }
    }
    for line in whole_lines(&bytes).take(records.len() + 1) {
        valid += line.len() as u64 + 1;
    }
    Ok(Log { header, records, valid })
}

/// The lines that end with a line feed, without it.
fn whole_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"))
}

/// Where a match writes its games.
#[derive(Debug, Default)]
pub struct Writer {
    log: Option<(File, PathBuf)>,
    part: Option<File>,
    pgn: Option<(File, PathBuf)>,
    /// The numbers of the games that the log had when it was opened.
    logged: Vec<usize>,
}

/// Where the games are kept that came before their turn.
fn part_path(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_os_string();
    name.push(".part");
    PathBuf::from(name)
}

impl Writer {
    /// Begins new files, or goes on with those of an earlier run; returns what that run has played.
    ///
    /// # Errors
    /// One line, if a file exists and is not to be gone on with, belongs to another match, or
    /// cannot be read or written.
    pub fn open(
        log: Option<&Path>,
        pgn: Option<&Path>,
        resume: bool,
        header: &Header,
    ) -> Result<(Writer, BTreeMap<usize, Record>), String> {
        let mut writer = Writer::default();
        let mut done = BTreeMap::new();
        let mut records = Vec::new();
        let exists = |path: &Path| path.metadata().is_ok_and(|data| data.len() > 0);
        for path in [log, pgn].into_iter().flatten() {
            if exists(path) && !resume && path.is_file() {
                let hint = "exists; --resume goes on with it, or take another name";
                return Err(fault_in(path, &hint));
            }
        }
        if let Some(path) = log {
            if exists(path) {
                records = writer.resume_log(path, header, &mut done)?;
            } else {
                let mut file = File::create(path).map_err(|error| fault_in(path, &error))?;
                write_json(&mut file, header).map_err(|error| fault_in(path, &error))?;
                writer.log = Some((file, path.to_path_buf()));
                // It belonged to a log that is gone.
                let _ = std::fs::remove_file(part_path(path));
            }
            let part = part_path(path);
            let file = OpenOptions::new().create(true).append(true).open(&part);
            writer.part = Some(file.map_err(|error| fault_in(&part, &error))?);
        }
        if let Some(path) = pgn {
            let file = File::create(path).map_err(|error| fault_in(path, &error))?;
            writer.pgn = Some((file, path.to_path_buf()));
            for record in &records {
                writer.write_pgn(record, header)?;
            }
        }
        Ok((writer, done))
    }

    /// Opens a log to go on behind its last whole line; returns its games.
    fn resume_log(
        &mut self,
        path: &Path,
        header: &Header,
        done: &mut BTreeMap<usize, Record>,
    ) -> Result<Vec<Record>, String> {
        let old = read(path)?;
        if let Some(what) = old.header.difference(header) {
            return Err(fault_in(path, &format!("this log has {what}; it cannot be gone on with")));
        }
        let mut file =
            OpenOptions::new().write(true).open(path).map_err(|error| fault_in(path, &error))?;
        let cut = file.set_len(old.valid).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| fault_in(path, &error))?;
        self.log = Some((file, path.to_path_buf()));
        self.logged = old.records.iter().map(|record| record.game).collect();
        if let Ok(bytes) = std::fs::read(part_path(path)) {
            // What is not whole here was not finished.
            let records = whole_lines(&bytes).filter_map(|line| serde_json::from_slice(line).ok());
            done.extend(records.map(|record: Record| (record.game, record)));
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
    /// One line, if it cannot be written.
    pub fn keep(&mut self, record: &Record) -> Result<(), String> {
        let Some(file) = &mut self.part else {
            return Ok(());
        };
        write_json(file, record).map_err(|error| format!("the part file of the log: {error}"))
    }

    /// Writes a game whose turn has come.
    ///
    /// # Errors
    /// One line, if it cannot be written.
    pub fn write(&mut self, record: &Record, header: &Header) -> Result<(), String> {
        if let Some((file, path)) = &mut self.log {
            write_json(file, record).map_err(|error| fault_in(path, &error))?;
        }
        self.write_pgn(record, header)
    }

    fn write_pgn(&mut self, record: &Record, header: &Header) -> Result<(), String> {
        let Some((file, path)) = &mut self.pgn else {
            return Ok(());
        };
        let limits = [header.limit_of(&record.white), header.limit_of(&record.black)];
        let text = record.to_pgn(&header.event, limits)? + "\n";
        file.write_all(text.as_bytes()).map_err(|error| fault_in(path, &error))
    }

    /// Nothing is left to be played: the kept games are in the log or not needed.
    pub fn finish(self) {
        if let Some((_, path)) = &self.log {
            let _ = std::fs::remove_file(part_path(path));
        }
    }
}

/// Writes a line in one go, so that a crash leaves at most one line in part.
fn write_json(file: &mut File, value: &impl Serialize) -> Result<(), String> {
    let mut line = serde_json::to_vec(value).map_err(|error| error.to_string())?;
    line.push(b'\n');
    file.write_all(&line).map_err(|error| error.to_string())
}

/// Merges the logs of parts of one match: the games of all, in their order.
///
/// # Errors
/// One line, if one cannot be read, they are of different matches, or two have different records
/// of a game.
pub fn merge(paths: &[PathBuf]) -> Result<(Header, Vec<Record>), String> {
    let mut merged: Option<Header> = None;
    let mut records: BTreeMap<usize, Record> = BTreeMap::new();
    for path in paths {
        let log = read(path)?;
        match &merged {
            None => merged = Some(log.header),
            Some(header) => {
                if let Some(what) = header.difference(&log.header) {
                    let first = shown(&paths[0].to_string_lossy());
                    return Err(fault_in(path, &format!("has {what} than '{first}'")));
                }
            }
        }
        for record in log.records {
            let game = record.game;
            if records.get(&game).is_some_and(|other| *other != record) {
                return Err(fault_in(path, &format!("game {} is another one here", game + 1)));
            }
            records.insert(game, record);
        }
    }
    let header = merged.ok_or("no log to merge")?;
    Ok((header, records.into_values().collect()))
}
