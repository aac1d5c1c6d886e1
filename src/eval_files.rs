//! Reading and writing the files that hold evaluations: weights in TOML, networks beside them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::engine::eval::network::NetworkFile;
use crate::engine::{EvalError, EvalFile};
use crate::files::{ReadError, read_bytes};

/// The most bytes that weights or a network may have; those that ship have 14 KB and 300 KB.
const MAX_BYTES: u64 = 16 << 20;

/// How the names of network files end.
const NETWORK_EXTENSION: &str = "nnue";

/// The weights in a folder that `garrison learn` made.
pub const IN_FOLDER: &str = "eval.toml";

/// Reads evaluation weights, with the network that they name, or a network file. Of a folder, the weights in it that
/// are called [`IN_FOLDER`].
///
/// # Errors
/// A file cannot be read, or is wrong whatever the game is. The error does not name `path`.
pub fn read_eval_file(path: &Path) -> Result<EvalFile, EvalFileError> {
    let path = &if path.is_dir() { path.join(IN_FOLDER) } else { path.to_path_buf() };
    let bytes = read_bytes(path, MAX_BYTES)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |name: &str| read_bytes(&folder.join(name), MAX_BYTES).map(Cow::Owned);
    Ok(EvalFile::parse(Cow::Owned(bytes), open)?)
}

/// Why a file holds no evaluation.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It is wrong whatever the game is.
    #[error(transparent)]
    Wrong(#[from] EvalError),
}

/// Whether this is the text of evaluation weights, which say what the turn is worth in every game.
pub fn is_weights(text: &str) -> bool {
    let table: Result<toml::Table, _> = text.parse();
    table.is_ok_and(|table| table.get("game").and_then(|game| game.get("tempo")).is_some())
}

/// Why an evaluation must not be written to this file: it is there and holds something else, such as the definition of a
/// game.
pub fn unlike_evaluation(path: &Path) -> Option<&'static str> {
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(is_weights);
    let is_like = match read_bytes(path, MAX_BYTES) {
        Ok(bytes) => bytes.is_empty() || NetworkFile::is_network(&bytes) || is_text(&bytes),
        // One that cannot be read is not there, or cannot be written either.
        Err(error) => !matches!(error, ReadError::TooLong(_)),
    };
    (!is_like).then_some("exists and holds no evaluation; choose another name")
}

/// The network file beside the weights that are written to `path`, and the name by which these name it.
pub(crate) fn network_beside(path: &Path) -> (PathBuf, String) {
    let beside = path.with_extension(NETWORK_EXTENSION);
    let name = beside.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    (beside, name)
}
