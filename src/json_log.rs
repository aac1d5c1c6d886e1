//! Logs that grow while something runs: a line of JSON for all that the rest depends on, then one for each thing that
//! was done. A run that was stopped or killed goes on behind the last whole line.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use garrison_rules::shown;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::files::{EXISTS, InFile, Lines, ReadError, cut, in_file, open_alone};

/// The most bytes of a line: a game of 20 000 plies has 2 MB.
pub(crate) const LONGEST_LINE: u64 = 1 << 24;

/// What is wrong with the text of a log.
#[derive(Debug, Error)]
pub enum ReadFault {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It has no whole line.
    #[error("its first line is not whole")]
    NoHeader,
    /// A line is no JSON, or not that of a log.
    #[error("line {line}: {error}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

/// Why a file cannot be opened or written.
#[derive(Debug, Error)]
#[error("cannot write {0}")]
pub struct Unwritten(InFile<io::Error>);

/// Places an error of the system in a file.
fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Unwritten {
    move |error| Unwritten(in_file(path, error))
}

/// Why a log cannot be begun, continued or joined with others.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal<Difference: Display> {
    /// It would be overwritten.
    #[error("{EXISTS}")]
    Exists,
    /// It is of something else, which cannot be continued as this.
    #[error("this log has {0}; it cannot be continued")]
    OfAnother(Difference),
    /// It is of something else than the first of the logs that are joined.
    #[error("has {difference} than '{}'", shown(&.first.to_string_lossy()))]
    UnlikeFirst {
        /// What differs.
        difference: Difference,
        /// The first log.
        first: PathBuf,
    },
}

/// Whether there is a file that has something.
pub(crate) fn is_begun(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0)
}

/// A log that is written, or a file beside it.
#[derive(Debug)]
pub(crate) struct LogFile {
    file: File,
    path: PathBuf,
}

impl LogFile {
    /// Makes an empty file in place of any other.
    ///
    /// # Errors
    /// The system refuses.
    pub fn create(path: &Path) -> Result<LogFile, Unwritten> {
        LogFile::of(path, File::create(path))
    }

    /// Opens a file to go on behind its last byte, or makes an empty one.
    ///
    /// # Errors
    /// The system refuses.
    pub fn append(path: &Path) -> Result<LogFile, Unwritten> {
        LogFile::of(path, OpenOptions::new().create(true).append(true).open(path))
    }

    /// Opens a log, or makes an empty one; no other process can open it so.
    ///
    /// # Errors
    /// The system refuses, or another process is writing it.
    pub fn open(path: &Path) -> Result<LogFile, Unwritten> {
        LogFile::of(path, open_alone(path))
    }

    fn of(path: &Path, opened: io::Result<File>) -> Result<LogFile, Unwritten> {
        let file = opened.map_err(unwritten(path))?;
        Ok(LogFile { file, path: path.to_path_buf() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Goes on behind so many bytes; what follows them is cut off.
    ///
    /// # Errors
    /// The system refuses.
    pub fn go_on(&mut self, valid: u64) -> Result<(), Unwritten> {
        cut(&mut self.file, valid).map_err(unwritten(&self.path))
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The system refuses.
    pub fn write(&mut self, value: &impl Serialize) -> Result<(), Unwritten> {
        write_line(&mut self.file, value).map_err(unwritten(&self.path))
    }

    /// Writes text.
    ///
    /// # Errors
    /// The system refuses.
    pub fn write_text(&mut self, text: &str) -> Result<(), Unwritten> {
        self.file.write_all(text.as_bytes()).map_err(unwritten(&self.path))
    }
}

/// Writes a line in one go, so that a crash leaves at most one incomplete line.
pub(crate) fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// Reads a line of JSON of one kind, then lines of another, and how many bytes they have. A last line that was only
/// written in part is not counted.
///
/// # Errors
/// What is wrong and where.
pub(crate) fn read<H: DeserializeOwned, L: DeserializeOwned>(
    source: impl BufRead,
) -> Result<(H, Vec<L>, u64), ReadFault> {
    let mut lines = Lines::new(source, LONGEST_LINE);
    let first =
        lines.next().transpose()?.filter(|_| lines.is_whole()).ok_or(ReadFault::NoHeader)?;
    let header =
        serde_json::from_slice(&first).map_err(|error| ReadFault::Line { line: 1, error })?;
    let (mut values, mut valid) = (Vec::new(), lines.offset());
    let mut fault = None;
    while let Some(line) = lines.next().transpose()?.filter(|_| lines.is_whole()) {
        // A crash of the machine may leave garbage in the last block of a file, but not before another line.
        if let Some(fault) = fault {
            return Err(fault);
        }
        let number = values.len() + 2;
        match serde_json::from_slice(&line) {
            Ok(value) => {
                values.push(value);
                valid = lines.offset();
            }
            Err(error) => fault = Some(ReadFault::Line { line: number, error }),
        }
    }
    Ok((header, values, valid))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Result<(u32, Vec<u32>, u64), ReadFault> {
        read(text.as_bytes())
    }

    #[test]
    fn a_last_line_that_is_not_whole_is_left_out() {
        assert_eq!(numbers("7\n1\n2\n").unwrap(), (7, vec![1, 2], 6));
        assert_eq!(numbers("7\n1\n23").unwrap(), (7, vec![1], 4));
        assert_eq!(numbers("7\n1\n\0\0\0\n").unwrap(), (7, vec![1], 4));
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, fault) in [
            ("", "its first line is not whole"),
            ("7", "its first line is not whole"),
            ("seven\n1\n", "line 1: expected value at line 1 column 1"),
            ("7\n1\ntwo\n3\n", "line 3: expected ident at line 1 column 2"),
        ] {
            assert_eq!(numbers(text).unwrap_err().to_string(), fault, "{text:?}");
        }
    }

    #[test]
    fn a_log_goes_on_behind_its_last_whole_line() {
        let path = std::env::temp_dir().join(format!("garrison-log-{}.jsonl", std::process::id()));
        assert!(!is_begun(&path));
        let mut log = LogFile::open(&path).unwrap();
        assert!(!is_begun(&path), "an empty file has nothing to lose");
        for number in [7, 1, 2] {
            log.write(&number).unwrap();
        }
        log.file.write_all(b"34").unwrap();
        assert!(is_begun(&path) && LogFile::open(&path).is_err(), "one process writes at a time");
        drop(log);
        let mut log = LogFile::open(&path).unwrap();
        log.go_on(6).unwrap();
        log.write(&5).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "7\n1\n2\n5\n");
        std::fs::remove_file(&path).unwrap();
    }
}
