//! Reading definitions of games from files.

use std::path::{Path, PathBuf};

use garrison_rules::definition::{DefinitionError, DefinitionFile, Fault};

use crate::files::read_text;

/// The most bytes that a definition may have.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a file, or of all `.toml` files of a folder in the order of their names.
///
/// # Errors
/// All files that cannot be read.
pub fn read_definitions(path: &Path) -> Result<Vec<DefinitionFile>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut definitions = Vec::new();
    for path in paths_in(path)? {
        match read_text(&path, MAX_BYTES) {
            Ok(text) => {
                definitions.push(DefinitionFile { name: path.display().to_string(), text });
            }
            Err(fault) => faults.extend(unreadable(&path, fault.to_string())),
        }
    }
    if faults.is_empty() { Ok(definitions) } else { Err(faults) }
}

/// The fault of a file or folder that cannot be read.
fn unreadable(path: &Path, fault: String) -> Vec<Fault> {
    let error = DefinitionError::unreadable(fault);
    vec![Fault { file: path.display().to_string(), error }]
}

/// The file itself, or the definitions in a folder.
fn paths_in(path: &Path) -> Result<Vec<PathBuf>, Vec<Fault>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = std::fs::read_dir(path);
    let entries = entries.map_err(|error| unreadable(path, format!("cannot be read: {error}")))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let is_definition = |path: &PathBuf| path.extension().is_some_and(|name| name == "toml");
    let mut files: Vec<PathBuf> = paths.filter(is_definition).collect();
    files.sort();
    if files.is_empty() {
        return Err(unreadable(path, "the folder holds no file that ends in .toml".to_string()));
    }
    Ok(files)
}
