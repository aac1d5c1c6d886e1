//! Reading and writing files that people name, of whatever length and kind. Any module may use it; it depends on none.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use garrison_rules::shown;
use thiserror::Error;

/// A fault of a file, printed behind its name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{}': {fault}", shown(&.path.to_string_lossy()))]
pub struct InFile<E> {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: E,
}

/// A fault of this file.
pub fn in_file<E>(path: &Path, fault: E) -> InFile<E> {
    InFile { path: path.to_path_buf(), fault }
}

/// Why a text file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refuses.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is a folder, a device or a pipe.
    #[error("is no file")]
    NotAFile,
    /// It has more bytes than this.
    #[error("has more than {0} bytes")]
    TooLong(u64),
    /// The byte at this offset begins no character.
    #[error("byte {0}: the text is not UTF-8")]
    NotUtf8(usize),
}

/// The text of a file of at most so many bytes.
///
/// # Errors
/// It cannot be read, is not text, or is too long. A device or pipe is refused before it is read.
pub fn read_text(path: &Path, most_bytes: u64) -> Result<String, ReadError> {
    String::from_utf8(read_bytes(path, most_bytes)?)
        .map_err(|error| ReadError::NotUtf8(error.utf8_error().valid_up_to()))
}

/// The bytes of a file of at most so many.
///
/// # Errors
/// As [`read_text`].
pub fn read_bytes(path: &Path, most_bytes: u64) -> Result<Vec<u8>, ReadError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(ReadError::NotAFile);
    }
    let mut bytes = Vec::new();
    // One byte more than allowed: a file may grow while it is read.
    File::open(path)?.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        return Err(ReadError::TooLong(most_bytes));
    }
    Ok(bytes)
}

/// Writes a file so that it is never there in part: under another name in the same folder first. A device or a pipe,
/// which no file may replace, is written to directly, and what a link points to is replaced, not the link.
///
/// # Errors
/// The system refuses, or has no room left; then a file of that name is as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let is_special = |found: std::fs::Metadata| !found.is_file() && !found.is_dir();
    if std::fs::metadata(path).is_ok_and(is_special) {
        let mut device = File::options().write(true).open(path)?;
        return device.write_all(bytes).and_then(|()| device.flush());
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // What is left of it is of no use; if it cannot be removed, so be it.
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// [`in_file`] as text, for the command line.
pub(crate) fn fault_in(path: &Path, fault: &dyn std::fmt::Display) -> String {
    in_file(path, fault).to_string()
}
