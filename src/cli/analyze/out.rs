//! Where the analyses of games go: standard output, or a file that grows game by game, so that what is done is never
//! lost. Beside the file stands another (`FILE.part`) until all games are done, with a line of JSON for the options and
//! one for each game: how long the file is with it, which game it was, and how its players did.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::report::Tally;
use crate::cli::{CommandResult, print};
use crate::files::{EXISTS, ReadError, cut, fault_in, is_special, part_path, read_text, unwritten};
use crate::json_log::write_line;
use garrison_rules::shown;

/// The first line of a part file: everything that the analyses depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of the program.
    pub version: String,
    /// The options, as text.
    pub options: String,
}

/// A game of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its place in the input, from 1.
    pub game: usize,
    /// A checksum of what the input has.
    pub input: u64,
    pub players: [(String, Tally); 2],
    /// The length of the file with this game.
    end: u64,
}

/// Where the analyses go.
pub(super) struct Out {
    target: Target,
    /// Games written by this run.
    pub written: usize,
}

enum Target {
    Stdout,
    /// A device or a pipe.
    Device(File, PathBuf),
    Growing(Growing),
}

/// A file that can be gone on with.
struct Growing {
    file: File,
    part: File,
    path: PathBuf,
    /// The length of the file.
    end: u64,
    /// The games of an earlier run, by their places in the input.
    kept: BTreeMap<usize, Entry>,
}

impl Out {
    /// Standard output, or a file that is begun or gone on with.
    pub fn open(path: Option<&Path>, resume: bool, header: &Header) -> Result<Out, String> {
        let Some(path) = path else { return Ok(Out { target: Target::Stdout, written: 0 }) };
        let place = |fault: &dyn std::fmt::Display| fault_in(path, fault);
        if path.is_dir() {
            return Err(place(&"is a folder"));
        }
        let target = if is_special(path) {
            let file = OpenOptions::new()
                .write(true)
                .open(path)
                .map_err(|error| unwritten(path, &error))?;
            Target::Device(file, path.to_path_buf())
        } else {
            let length = std::fs::metadata(path).map_or(0, |found| found.len());
            if length > 0 && !resume {
                return Err(place(&EXISTS));
            }
            Target::Growing(Growing::open(path, length, header).map_err(|fault| place(&fault))?)
        };
        Ok(Out { target, written: 0 })
    }

    /// The entry of a game that an earlier run has written.
    ///
    /// # Errors
    /// It was another game.
    pub fn take_kept(&mut self, number: usize, input: u64) -> Result<Option<Entry>, String> {
        let Target::Growing(growing) = &mut self.target else { return Ok(None) };
        match growing.kept.remove(&number) {
            Some(entry) if entry.input != input => {
                Err(growing.place(&format!("was begun with another game {number} of the input")))
            }
            entry => Ok(entry),
        }
    }

    /// How many games of an earlier run were not asked for yet.
    pub fn kept(&self) -> usize {
        match &self.target {
            Target::Growing(growing) => growing.kept.len(),
            _ => 0,
        }
    }

    /// Writes a game, whole or not at all; games of a PGN file have an empty line between them.
    pub fn write(
        &mut self,
        text: &str,
        game: usize,
        input: u64,
        players: &[(String, Tally); 2],
    ) -> CommandResult {
        match &mut self.target {
            Target::Stdout => print(text),
            Target::Device(file, path) => {
                file.write_all(text.as_bytes()).map_err(|error| unwritten(path, &error))?;
            }
            Target::Growing(growing) => {
                let end = growing.end + text.len() as u64;
                let entry = Entry { game, input, players: players.clone(), end };
                growing.write(text, &entry).map_err(|error| unwritten(&growing.path, &error))?;
            }
        }
        self.written += 1;
        Ok(())
    }

    /// Whether nothing was written yet, in this run or before.
    pub fn is_empty(&self) -> bool {
        match &self.target {
            Target::Growing(growing) => growing.end == 0,
            _ => self.written == 0,
        }
    }

    /// Whether a run that is stopped can be gone on with.
    pub fn can_resume(&self) -> bool {
        matches!(self.target, Target::Growing(_))
    }

    /// All games are done: what is only there to go on goes.
    ///
    /// # Errors
    /// The file has games that the input has not.
    pub fn finish(&mut self) -> CommandResult {
        let Target::Growing(growing) = &self.target else { return Ok(()) };
        if let Some(number) = growing.kept.keys().next() {
            return Err(growing
                .place(&format!("has game {number}, which the input has not"))
                .into());
        }
        let _ = std::fs::remove_file(part_path(&growing.path));
        Ok(())
    }
}

impl Growing {
    fn open(path: &Path, length: u64, header: &Header) -> Result<Growing, String> {
        let text = |error: std::io::Error| error.to_string();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        // The part file is read first: a file that is not ours stays as it is.
        let part_path = part_path(path);
        let old = if length == 0 { None } else { Some(Part::read(&part_path, length)?) };
        if let Some(old) = &old {
            old.check(header)?;
        }
        let mut file = options.open(path).map_err(text)?;
        let mut part = options.open(&part_path).map_err(text)?;
        let Part { valid, entries, .. } = old.unwrap_or_default();
        let end = entries.last().map_or(0, |entry| entry.end);
        cut(&mut file, end).map_err(text)?;
        cut(&mut part, valid).map_err(text)?;
        if valid == 0 {
            write_line(&mut part, header).map_err(text)?;
        }
        let kept = entries.into_iter().map(|entry| (entry.game, entry)).collect();
        Ok(Growing { file, part, path: path.to_path_buf(), end, kept })
    }

    fn place(&self, fault: &dyn std::fmt::Display) -> String {
        fault_in(&self.path, fault)
    }

    /// Writes a game in one go. If there is no room, the file ends with the game before.
    fn write(&mut self, text: &str, entry: &Entry) -> std::io::Result<()> {
        let file = &mut self.file;
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.flush()) {
            let _ = file.set_len(self.end);
            return Err(error);
        }
        write_line(&mut self.part, entry)?;
        self.end = entry.end;
        Ok(())
    }
}

/// The most bytes of a part file, enough for a million games.
const MOST_PART_BYTES: u64 = 1 << 29;

/// A part file that was read.
#[derive(Debug, Default)]
struct Part {
    header: Option<Header>,
    /// The games that the file has whole.
    entries: Vec<Entry>,
    /// The length of their lines in bytes.
    valid: u64,
}

impl Part {
    /// Reads the lines that are whole, as far as the file, which has this length, has their games.
    fn read(path: &Path, length: u64) -> Result<Part, String> {
        let unread = |error: ReadError| {
            let part = shown(&path.to_string_lossy());
            format!("cannot be gone on with: '{part}' beside it {error}")
        };
        let text = read_text(path, MOST_PART_BYTES).map_err(unread)?;
        let mut part = Part::default();
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            if part.header.is_none() {
                part.header = serde_json::from_str(line).ok();
            } else if let Ok(entry) = serde_json::from_str::<Entry>(line)
                && entry.end <= length
            {
                part.entries.push(entry);
            } else {
                break;
            }
            part.valid += line.len() as u64;
        }
        Ok(part)
    }

    /// Whether the games can be gone on with under this header.
    fn check(&self, header: &Header) -> Result<(), String> {
        match &self.header {
            Some(old) if old == header => Ok(()),
            Some(old) if old.version != header.version => {
                let version = shown(&old.version);
                Err(format!("was begun by Garrison {version}, which this is not"))
            }
            Some(old) => {
                let (old, new) = (shown(&old.options), &header.options);
                Err(format!("was begun with other options ('{old}', now '{new}')"))
            }
            None => Err("cannot be gone on with: its part file has no header".to_string()),
        }
    }
}
