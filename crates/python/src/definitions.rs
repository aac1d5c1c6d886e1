//! Games of a user: read from files or texts, and known again.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use garrison::definitions::{read_definitions, set_evaluations};
use garrison_rules::definition::DefinitionFile;
use garrison_rules::{Catalogue, Variant};
use pyo3::prelude::*;

use crate::errors::{GarrisonError, definition_error};

/// The games of the same definitions are the same, so that games, positions and what an engine learned of them stay
/// equal when they are read again or come out of a pickle. They are known for as long as one of them is in use.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// Definitions, and the games that they are.
type Known = (Arc<[DefinitionFile]>, Vec<Weak<Variant>>);

/// The games of these definitions, if all are in use.
fn known(files: &[DefinitionFile]) -> Option<Vec<Arc<Variant>>> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|(_, games)| games.iter().any(|game| game.strong_count() > 0));
    let (_, games) = known.iter().find(|(other, _)| **other == *files)?;
    games.iter().map(Weak::upgrade).collect()
}

/// The definitions that a game came with; none if it ships with the package.
pub fn files_of(game: &Arc<Variant>) -> Option<Arc<[DefinitionFile]>> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = |other: &Weak<Variant>| other.as_ptr() == Arc::as_ptr(game);
    known.iter().find(|(_, games)| games.iter().any(is_it)).map(|(files, _)| Arc::clone(files))
}

/// Compiles definitions, and reads the evaluations that they name.
pub fn load(py: Python<'_>, files: Vec<DefinitionFile>) -> PyResult<Vec<Arc<Variant>>> {
    if let Some(loaded) = known(&files) {
        return Ok(loaded);
    }
    let mut games = Catalogue::new();
    let names = games.add(files.clone()).map_err(|faults| definition_error(py, &faults))?;
    set_evaluations(&games, &files).map_err(|faults| definition_error(py, &faults))?;
    let files: Arc<[DefinitionFile]> = files.into();
    let found = names.iter().map(|name| games.find(name));
    let found: Vec<Arc<Variant>> = found
        .collect::<Result<_, _>>()
        .map_err(|error| GarrisonError::new_err(error.to_string()))?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|(other, _)| *other != files);
    known.push((files, found.iter().map(Arc::downgrade).collect()));
    Ok(found)
}

/// The games of a file, or of all definitions in a folder.
pub fn from_file(py: Python<'_>, path: &Path) -> PyResult<Vec<Arc<Variant>>> {
    load(py, read_definitions(path).map_err(|faults| definition_error(py, &faults))?)
}

/// The games of texts; several are called `text 1` and so on.
pub fn from_texts(py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<Arc<Variant>>> {
    let is_one = texts.len() == 1;
    let named = |(index, text)| {
        let name = if is_one { "text".to_string() } else { format!("text {}", index + 1) };
        DefinitionFile { name, text }
    };
    load(py, texts.into_iter().enumerate().map(named).collect())
}

/// The only game, or the one with this name.
pub fn only(mut games: Vec<Arc<Variant>>, name: Option<&str>) -> PyResult<Arc<Variant>> {
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    let index = match (name, names.len()) {
        (None, 1) => 0,
        (None, _) => {
            let names = names.join(", ");
            let message = format!("several games are defined: {names}; `name` chooses one");
            return Err(GarrisonError::new_err(message));
        }
        (Some(name), _) => names.iter().position(|known| *known == name).ok_or_else(|| {
            let (name, names) = (garrison_rules::shown(name), names.join(", "));
            GarrisonError::new_err(format!("no game '{name}' is defined; there is {names}"))
        })?,
    };
    Ok(games.swap_remove(index))
}
