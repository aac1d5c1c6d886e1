//! Reading files that people name, of whatever length and kind. Any module may use it; it depends on none.

use std::fs::File;
use std::io::Read;
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

/// [`in_file`] as text, for the command line.
pub(crate) fn fault_in(path: &Path, fault: &dyn std::fmt::Display) -> String {
    in_file(path, fault).to_string()
}
