//! Reading definitions of games from files, and a checksum of what they define.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use garrison_rules::catalogue::{self, NamedEvaluation};
use garrison_rules::definition::{Definition, DefinitionError, DefinitionFile, Fault};
use garrison_rules::{Catalogue, Variant};

use crate::engine::Evaluation;
use crate::engine::eval::hash::fnv1a;
use crate::eval_files::{is_weights, read_eval_file};
use crate::files::{fault_in, read_text};

/// The most bytes that a definition may have.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a file, or of all `.toml` files of a folder in the order of their names.
///
/// # Errors
/// All files that cannot be read.
pub fn read_definitions(path: &Path) -> Result<Vec<DefinitionFile>, Vec<Fault>> {
    let (definitions, faults) = read_readable(path)?;
    if faults.is_empty() { Ok(definitions) } else { Err(faults) }
}

/// The files that can be read, and the faults of those that cannot. Evaluation weights beside the definitions of a folder
/// are no faults.
fn read_readable(path: &Path) -> Result<(Vec<DefinitionFile>, Vec<Fault>), Vec<Fault>> {
    let mut faults = Vec::new();
    let mut definitions = Vec::new();
    let is_folder = path.is_dir();
    for path in paths_in(path)? {
        match read_text(&path, MAX_BYTES) {
            Ok(text) if is_weights(&text) => {
                if !is_folder {
                    let fault = "holds evaluation weights, not the definition of a game";
                    faults.extend(unreadable(&path, fault.to_string()));
                }
            }
            Ok(text) => {
                definitions.push(DefinitionFile { name: path.display().to_string(), text });
            }
            Err(fault) => faults.extend(unreadable(&path, fault.to_string())),
        }
    }
    if definitions.is_empty() && faults.is_empty() {
        return Err(unreadable(path, "the folder holds no definition of a game".to_string()));
    }
    Ok((definitions, faults))
}

/// Adds the games of a file, or of all `.toml` files of a folder, to a catalogue, with the evaluations that they name.
/// Returns their names.
///
/// # Errors
/// All faults of the definitions, or of the evaluations that they name. The catalogue is unchanged after faults of
/// definitions, and may have the games without their evaluations after those of evaluations.
pub fn add_games(games: &mut Catalogue, path: &Path) -> Result<Vec<String>, Vec<Fault>> {
    let files = read_definitions(path)?;
    let names = games.add(files.clone())?;
    set_evaluations(games, &files)?;
    Ok(names)
}

/// Adds the games of a file, or those of a folder's files that have no fault, to a catalogue, with the evaluations that
/// they name. Returns the faults of the other files of the folder, which are left out with all that are based on them.
///
/// # Errors
/// All faults, if no file is without any, or the path is one of a file. The catalogue is unchanged then, unless only an
/// evaluation has faults.
pub fn add_sound_games(games: &mut Catalogue, path: &Path) -> Result<Vec<Fault>, Vec<Fault>> {
    let (files, faults) = add_sound(path, |files| games.add(files))?;
    with_evaluations(path, games, &files, faults)
}

/// Adds games to the catalogue of the process as [`add_sound_games`] does.
///
/// # Errors
/// As [`add_sound_games`].
pub fn add_games_for_all(path: &Path) -> Result<Vec<Fault>, Vec<Fault>> {
    let (files, faults) = add_sound(path, catalogue::add)?;
    with_evaluations(path, &catalogue::catalogue(), &files, faults)
}

/// Sets the evaluations of games that were added. Their faults are added to the others of a folder.
fn with_evaluations(
    path: &Path,
    games: &Catalogue,
    files: &[DefinitionFile],
    mut faults: Vec<Fault>,
) -> Result<Vec<Fault>, Vec<Fault>> {
    faults.extend(set_evaluations(games, files).err().into_iter().flatten());
    if faults.is_empty() || path.is_dir() { Ok(faults) } else { Err(faults) }
}

/// Adds the files without faults by `add`, and returns them with the faults of the others.
fn add_sound(
    path: &Path,
    mut add: impl FnMut(Vec<DefinitionFile>) -> Result<Vec<String>, Vec<Fault>>,
) -> Result<(Vec<DefinitionFile>, Vec<Fault>), Vec<Fault>> {
    let (mut files, mut faults) = read_readable(path)?;
    // A file that is based on a faulty one has a fault only once that is gone.
    while !files.is_empty() {
        let Err(found) = add(files.clone()) else { return Ok((files, faults)) };
        let before = files.len();
        files.retain(|file| !found.iter().any(|fault| fault.file == file.name));
        faults.extend(found);
        if files.len() == before {
            break;
        }
    }
    Err(faults)
}

/// Reads the evaluations that the games of these files name, and makes them theirs. Of a catalogue, other games stay as
/// they are.
///
/// # Errors
/// All faults of those evaluations.
pub fn set_evaluations(games: &Catalogue, files: &[DefinitionFile]) -> Result<(), Vec<Fault>> {
    let mut faults: Vec<Fault> = Vec::new();
    for named in games.evaluations() {
        let Some(file) = files.iter().find(|file| file.name == named.file) else { continue };
        if let Err(fault) = set_evaluation(&named) {
            let error = DefinitionError::at_key(&file.text, "evaluation", fault);
            let fault = Fault { file: named.file, error };
            // Games of armies share one.
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn set_evaluation(named: &NamedEvaluation) -> Result<(), String> {
    let folder = Path::new(&named.file).parent().unwrap_or(Path::new(""));
    let path = folder.join(&named.path);
    let file = read_eval_file(&path).map_err(|error| fault_in(&path, &error))?;
    Evaluation::set_own(&named.variant, file).map_err(|error| fault_in(&path, &error))
}

/// A checksum of the rules of a user's games among these, so that a file of games can be told from one by other rules; none
/// if all of them come with the program, whose version says it.
pub fn own_rules(variants: &[Arc<Variant>]) -> Option<String> {
    let games = catalogue::catalogue();
    let own = variants.iter().filter_map(|variant| games.own_definition(variant.name()));
    let mut texts: Vec<String> = own.map(|definition| rules_of(definition).to_toml()).collect();
    // Games of armies share a definition.
    texts.dedup();
    (!texts.is_empty()).then(|| format!("{:016x}", fnv1a(texts.concat().as_bytes())))
}

/// What is played, without what it is called, who made it and how it is evaluated.
fn rules_of(definition: &Definition) -> Definition {
    Definition {
        name: None,
        aliases: None,
        title: None,
        inventor: None,
        page: None,
        url: None,
        year: None,
        rules: None,
        rulings: None,
        evaluation: None,
        ..definition.clone()
    }
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
