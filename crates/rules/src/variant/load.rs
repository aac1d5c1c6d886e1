//! Games from files: a user's own definitions.

use std::sync::Arc;

use super::builtin::{is_shipped, register, shipped};
use super::schema::{Source, nearest};
use super::{Definition, DefinitionError, Fault, Letter, Variant};

/// The text of a definition and the name of its file, which faults are reported with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionFile {
    /// The name of the file.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A file that is being read.
struct Reading {
    file: String,
    text: String,
    /// What it says, without its faulty keys.
    definition: Definition,
    /// Those keys.
    blamed: Vec<String>,
    /// The definition over its base, once that is known.
    whole: Option<Arc<Definition>>,
}

/// Compiles the games of some files. Their bases are games that ship with the program or others of the
/// same files.
///
/// # Errors
/// All faults of all files; nothing is loaded then.
pub fn load(files: Vec<DefinitionFile>) -> Result<Vec<Arc<Variant>>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut readings = Vec::new();
    for file in files {
        readings.extend(read(file, &mut faults));
    }
    resolve_bases(&mut readings, &mut faults);
    let mut variants: Vec<(Arc<Variant>, &str)> = Vec::new();
    for reading in &readings {
        let Some(definition) = &reading.whole else { continue };
        if let Some(fault) = definition.wrong_armies() {
            reading.tell(vec![fault], &mut faults);
            continue;
        }
        for (name, matchup) in definition.games() {
            let taken = |name: &str| {
                let other = variants.iter().find(|(variant, _)| variant.is_called(name));
                if is_shipped(name) {
                    Some(format!("'{name}' is a game that ships with the program"))
                } else {
                    other.map(|(_, file)| format!("'{name}' is the game of {file}"))
                }
            };
            let compiled = Variant::compile(definition, matchup.as_ref());
            let names = [("name".to_string(), name.as_str())];
            let mut found: Vec<DefinitionError> = names
                .into_iter()
                .chain(definition.aliases_of(&name))
                .filter_map(|(key, name)| Some(DefinitionError::key(key, taken(name)?)))
                .collect();
            match compiled {
                Ok(variant) if found.is_empty() => variants.push((variant, &reading.file)),
                Ok(_) => reading.tell(found, &mut faults),
                Err(more) => {
                    found.extend(more);
                    reading.tell(found, &mut faults);
                }
            }
        }
    }
    if !faults.is_empty() {
        faults.sort_by_key(|fault| (fault.file.clone(), fault.error.line, fault.error.column));
        return Err(faults);
    }
    Ok(variants.into_iter().map(|(variant, _)| variant).collect())
}

/// [Loads](load) games and adds them to those that can be [found](super::find), in place of any that
/// were added under the same names; returns their names.
///
/// # Errors
/// As [`load`]; nothing is added then.
pub fn add(files: Vec<DefinitionFile>) -> Result<Vec<String>, Vec<Fault>> {
    let variants = load(files)?;
    register(&variants);
    Ok(variants.iter().map(|variant| variant.name().to_string()).collect())
}

/// Reads a file as far as it makes sense.
fn read(file: DefinitionFile, faults: &mut Vec<Fault>) -> Option<Reading> {
    let DefinitionFile { name: file, text } = file;
    let tell = |error| Fault { file: file.clone(), error };
    let rest = match Source::parse(&text) {
        Ok(source) => source.check::<Definition>(),
        Err(errors) => {
            faults.extend(errors.into_iter().map(tell));
            return None;
        }
    };
    faults.extend(rest.faults.into_iter().map(tell));
    let definition = rest.value?;
    Some(Reading { file, text, definition, blamed: rest.blamed, whole: None })
}

/// Puts every definition over its base, bases first.
fn resolve_bases(readings: &mut [Reading], faults: &mut Vec<Fault>) {
    loop {
        let mut has_progressed = false;
        for index in 0..readings.len() {
            if readings[index].whole.is_some() {
                continue;
            }
            let own = readings[index].definition.clone();
            let whole = match own.base.clone() {
                None => Some(own),
                Some(base) => {
                    let loaded = readings.iter().filter_map(|reading| reading.whole.clone());
                    let named = |whole: &Arc<Definition>| whole.name.as_ref() == Some(&base);
                    let base = shipped(&base).or_else(|| loaded.into_iter().find(named));
                    base.map(|base| {
                        if let Some(fault) = own.wrong_without(&base) {
                            readings[index].tell(vec![fault], faults);
                        }
                        Definition { base: None, ..own }.over_base(&base)
                    })
                }
            };
            if let Some(whole) = whole {
                readings[index].whole = Some(Arc::new(whole));
                has_progressed = true;
            }
        }
        if !has_progressed {
            break;
        }
    }
    for reading in readings.iter().filter(|reading| reading.whole.is_none()) {
        let base = reading.definition.base.as_deref().unwrap_or_default();
        let is_base = |other: &Reading| other.definition.name.as_deref() == Some(base);
        let fault = if is_base(reading) {
            "the game is based on itself".to_string()
        } else if readings.iter().any(is_base) {
            format!("'{base}' has no base that is known, or is based on this game")
        } else {
            let names = super::all_names();
            let near = nearest(base, names.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!("; the nearest is '{near}'"));
            format!("there is no game '{base}' that it could be based on{near}")
        };
        reading.tell(vec![DefinitionError::key("base", fault)], faults);
    }
}

impl Definition {
    /// The fault of leaving out a piece that the base has not.
    fn wrong_without(&self, base: &Definition) -> Option<DefinitionError> {
        let without = self.without.as_ref()?;
        let pieces = || base.pieces.iter().flatten().map(|(key, _)| key);
        let fault = match Letter::split(without) {
            None => format!("'{without}' is not a row of pieces's letters"),
            Some(letters) => {
                let is_unknown = |letter: &&Letter| pieces().all(|key| *key != letter.to_string());
                let letter = letters.iter().find(is_unknown)?;
                let known: String = pieces().map(String::as_str).collect();
                format!("the base has no piece '{letter}' (it has {known})")
            }
        };
        Some(DefinitionError::key("without", fault))
    }

    /// The other names of a game, with the keys at which they stand.
    fn aliases_of(&self, name: &str) -> impl Iterator<Item = (String, &str)> {
        self.split_aliases().filter_map(move |(key, names)| {
            names.filter(|&(_, game)| game == name).map(|(alias, _)| (key, alias))
        })
    }

    /// The fault of a name that all pairs of armies would share.
    fn wrong_armies(&self) -> Option<DefinitionError> {
        let (name, _) = self.name.as_ref().zip(self.armies.as_ref())?;
        let mark = ["{white}", "{black}"].into_iter().find(|mark| !name.contains(mark))?;
        let fault = format!("with armies it needs {mark}, so that every pair has its own");
        Some(DefinitionError::key("name", fault))
    }
}

impl Reading {
    /// Whether a fault may only follow from a key that has been told to be faulty.
    fn follows(&self, error: &DefinitionError) -> bool {
        if self.blamed.is_empty() {
            return false;
        }
        let holds = |outer: &str, inner: &str| {
            inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let is_related = |key: &String| holds(key, &error.key) || holds(&error.key, key);
        // A piece that is left out as a whole is missed elsewhere.
        let lacks_a_piece =
            self.blamed.iter().any(|key| holds("pieces", key) && key.split('.').count() <= 2);
        self.blamed.iter().any(is_related)
            || error.fault == "is missing"
            || error.fault.starts_with("the game can never end")
            || lacks_a_piece
                && (error.key == "start" || error.fault.starts_with("there is no piece"))
    }

    /// Adds faults, each once, with their places in the text.
    fn tell(&self, errors: Vec<DefinitionError>, faults: &mut Vec<Fault>) {
        let source = Source::parse(&self.text).ok();
        for mut error in errors {
            if self.follows(&error) {
                continue;
            }
            if let Some(source) = &source {
                source.locate(&mut error);
            }
            let fault = Fault { file: self.file.clone(), error };
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
}
