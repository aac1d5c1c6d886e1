//! Reading and writing the files that hold evaluations: weights in TOML, networks beside them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::engine::EvalFile;
use crate::files::read_bytes;

/// The most bytes that weights or a network may have; those that ship have 14 KB and 300 KB.
const MAX_BYTES: u64 = 16 << 20;

/// How the names of network files end.
const NETWORK_EXTENSION: &str = "nnue";

/// Reads evaluation weights, with the network that they name, or a network file.
///
/// # Errors
/// A file cannot be read, or is wrong whatever the game is. The fault does not name `path`.
pub fn read_eval_file(path: &Path) -> Result<EvalFile, String> {
    let bytes = read_bytes(path, MAX_BYTES).map_err(|fault| fault.to_string())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |name: &str| {
        let bytes = read_bytes(&folder.join(name), MAX_BYTES).map_err(|fault| fault.to_string())?;
        Ok(Cow::Owned(bytes))
    };
    EvalFile::parse(Cow::Owned(bytes), open).map_err(|error| error.to_string())
}

/// The network file beside the weights that are written to `path`, and the name by which these name it.
pub(crate) fn network_beside(path: &Path) -> (PathBuf, String) {
    let beside = path.with_extension(NETWORK_EXTENSION);
    let name = beside.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    (beside, name)
}

/// Writes a file so that it is never there in part: under another name in the same folder first.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
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
