//! Games from files: a user's own definitions.

use std::sync::Arc;

use super::shipped::{SHIPPED, TOO_LARGE};
use super::{Game, key};
use crate::spelling::nearest_word;
use crate::variant::schema::Source;
use crate::variant::{Definition, DefinitionError, DefinitionFault, Fault, Letter, Variant};

/// The text of a definition, and the file name under which its faults are reported.
///
/// This crate opens no files: the caller reads the text.
///
/// ```
/// use garrison_rules::definition::DefinitionFile;
/// use garrison_rules::Catalogue;
///
/// let name = "slow.toml".to_string();
/// let text = "name = 'slowchess'\nbase = 'chess'\n[pieces.Q]\nbetza = 'K'".to_string();
/// let mut games = Catalogue::new();
/// assert_eq!(games.add(vec![DefinitionFile { name, text }]), Ok(vec!["slowchess".to_string()]));
/// assert!(games.find("Slow Chess").is_ok());
/// ```
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
    /// The definition, without its faulty keys.
    definition: Definition,
    /// Those keys, and the keys that were probably meant by unknown ones.
    blamed: Vec<String>,
    /// The definition over its base, once that is known.
    whole: Option<Arc<Definition>>,
}

/// Compiles the games that some files define.
///
/// A base may be a game that ships with this crate or a game of another of these files; a definition with armies
/// makes a game of each pair of them. The catalogue of the process is unchanged; [`add`](crate::catalogue::add) adds to it.
///
/// ```
/// use garrison_rules::definition::{DefinitionFile, load};
/// use garrison_rules::Position;
///
/// let text = "name = 'passchess'\nbase = 'chess'\npass = true";
/// let file = DefinitionFile { name: "passchess.toml".to_string(), text: text.to_string() };
/// let games = load(vec![file]).expect("a definition without faults");
/// assert_eq!(Position::start(&games[0]).legal_moves().len(), 21);
/// ```
///
/// # Errors
/// All faults of all files, ordered by file, line and column; no game is returned then.
pub fn load(files: Vec<DefinitionFile>) -> Result<Vec<Arc<Variant>>, Vec<Fault>> {
    Ok(read(files)?.iter().map(Game::variant).collect())
}

/// The games of some files, compiled, with their names.
pub(super) fn read(files: Vec<DefinitionFile>) -> Result<Vec<Game>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut readings = Vec::new();
    for file in files {
        readings.extend(read_file(file, &mut faults));
    }
    resolve_bases(&mut readings, &mut faults);
    let mut games: Vec<(Game, &str)> = Vec::new();
    for reading in &readings {
        let Some(definition) = &reading.whole else { continue };
        if let Some(fault) = definition.wrong_armies() {
            reading.report(vec![fault], &mut faults);
            continue;
        }
        for (name, matchup) in definition.games() {
            let file = reading.file.clone();
            let game = Game { file, ..Game::new(name, definition, matchup) };
            let mut found = taken_names(&game, &games);
            match game.compile() {
                Ok(variant) if found.is_empty() => {
                    let _ = game.variant.set(variant);
                    games.push((game, &reading.file));
                }
                Ok(_) => reading.report(found, &mut faults),
                Err(more) => {
                    found.extend(more);
                    reading.report(found, &mut faults);
                }
            }
        }
    }
    if !faults.is_empty() {
        faults.sort_by_key(|fault| (fault.file.clone(), fault.error.line, fault.error.column));
        return Err(faults);
    }
    Ok(games.into_iter().map(|(game, _)| game).collect())
}

/// The faults of names by which other games are found: those that ship, and those read before.
fn taken_names(game: &Game, others: &[(Game, &str)]) -> Vec<DefinitionError> {
    let taken = |name: &str| {
        if let Some(owner) = SHIPPED.owner_of(name).or_else(|| TOO_LARGE.owner_of(name)) {
            let is_its_own = owner.name == name
                || owner.definition.aliases_of(&owner.name).any(|(_, alias)| alias == name);
            let (name, game) = (name.to_string(), owner.name.clone());
            return Some(match is_its_own {
                true => DefinitionFault::Shipped(name),
                false => DefinitionFault::SpellingOfShipped { name, game },
            });
        }
        let wanted = key(name);
        let (_, file) = others.iter().find(|(other, _)| other.is_called(&wanted))?;
        Some(DefinitionFault::Taken { name: name.to_string(), file: file.to_string() })
    };
    let names = std::iter::once(("name".to_string(), game.name.as_str()));
    names
        .chain(game.definition.aliases_of(&game.name))
        .filter_map(|(key, name)| Some(DefinitionError::key(key, taken(name)?)))
        .collect()
}

/// Reads a file, as far as its keys can be understood.
fn read_file(file: DefinitionFile, faults: &mut Vec<Fault>) -> Option<Reading> {
    let DefinitionFile { name: file, text } = file;
    let in_file = |error| Fault { file: file.clone(), error };
    let rest = match Source::parse(&text) {
        Ok(source) => source.check::<Definition>(),
        Err(errors) => {
            faults.extend(errors.into_iter().map(in_file));
            return None;
        }
    };
    faults.extend(rest.faults.into_iter().map(in_file));
    let definition = rest.value?;
    Some(Reading { file, text, definition, blamed: rest.blamed, whole: None })
}

/// Puts every definition over its base, bases first.
fn resolve_bases(readings: &mut [Reading], faults: &mut Vec<Fault>) {
    let mut has_progressed = true;
    while has_progressed {
        has_progressed = false;
        for index in 0..readings.len() {
            if readings[index].whole.is_none() && put_over_base(readings, index, faults) {
                has_progressed = true;
            }
        }
    }
    report_missing_bases(readings, faults);
}

/// Makes the whole of a definition, if its base is known by now.
fn put_over_base(readings: &mut [Reading], index: usize, faults: &mut Vec<Fault>) -> bool {
    let reading = &readings[index];
    let own = &reading.definition;
    let whole = match own.base.as_deref() {
        None => own.clone(),
        Some(name) => {
            let Some(base) = base_called(name, readings) else { return false };
            if let Some(fault) = own.wrong_without(&base) {
                reading.report(vec![fault], faults);
            }
            Definition { base: None, ..own.clone() }.over_base(&base)
        }
    };
    reading.report(own.wrong_drops(&whole), faults);
    readings[index].whole = Some(Arc::new(whole));
    true
}

/// The definition of a base: one that ships with this crate, or another file's if its own base is known by now.
fn base_called(name: &str, readings: &[Reading]) -> Option<Arc<Definition>> {
    let shipped = [&SHIPPED, &TOO_LARGE].iter().find_map(|all| all.definition(name));
    let mut read = readings.iter().filter_map(|reading| reading.whole.as_ref());
    shipped.or_else(|| read.find(|whole| is_named(whole, name)).cloned())
}

/// Reports the definitions whose bases are not known in the end.
fn report_missing_bases(readings: &[Reading], faults: &mut Vec<Fault>) {
    for reading in readings.iter().filter(|reading| reading.whole.is_none()) {
        let base = reading.definition.base.as_deref().unwrap_or_default();
        let fault = if is_named(&reading.definition, base) {
            DefinitionFault::OwnBase
        } else if readings.iter().any(|other| is_named(&other.definition, base)) {
            DefinitionFault::BaseWithoutBase(base.to_string())
        } else {
            let read = readings.iter().filter_map(|other| other.definition.name.as_deref());
            let near = nearest_word(
                base,
                read.chain(SHIPPED.definition_names()).chain(TOO_LARGE.definition_names()),
            );
            let nearest = near.map(str::to_string);
            DefinitionFault::UnknownBase { name: base.to_string(), nearest }
        };
        reading.report(vec![DefinitionError::key("base", fault)], faults);
    }
}

/// Whether a definition that was read has this name.
fn is_named(definition: &Definition, name: &str) -> bool {
    definition.name.as_ref().is_some_and(|own| key(own) == key(name))
}

impl Definition {
    /// The fault of taking away a piece that the base does not have.
    fn wrong_without(&self, base: &Definition) -> Option<DefinitionError> {
        let without = self.without.as_ref()?;
        let pieces = || base.pieces.iter().flatten().map(|(key, _)| key);
        let fault = match Letter::split(without) {
            None => DefinitionFault::NotLetters(without.clone()),
            Some(letters) => {
                let is_unknown = |letter: &&Letter| pieces().all(|key| *key != letter.to_string());
                let letter = *letters.iter().find(is_unknown)?;
                let known = pieces().map(String::as_str).collect();
                DefinitionFault::NotInBase { letter, known }
            }
        };
        Some(DefinitionError::key("without", fault))
    }

    /// The faults of saying where a piece may be dropped that cannot be in hand. What a base says of drops stays without
    /// effect in a game without hands.
    fn wrong_drops(&self, whole: &Definition) -> Vec<DefinitionError> {
        let mut hand = whole.hand.as_deref().and_then(Letter::split).unwrap_or_default();
        // A piece in reserve is dropped as one of others.
        let reserves =
            whole.pieces.iter().flatten().filter_map(|(_, piece)| piece.reserve.as_deref());
        hand.extend(reserves.filter_map(Letter::split).flatten());
        let pieces = self.pieces.iter().flatten();
        let wrong = pieces.filter(|(key, piece)| {
            piece.says_drops() && !hand.iter().any(|letter| letter.to_string() == **key)
        });
        let fault = |key: &String| {
            let fault = format!("{key} cannot be in hand; add it to 'hand'");
            DefinitionError::key(format!("pieces.{key}.drop"), fault)
        };
        wrong.map(|(key, _)| fault(key)).collect()
    }

    /// The fault of one name for all pairs of armies.
    fn wrong_armies(&self) -> Option<DefinitionError> {
        let (name, _) = self.name.as_ref().zip(self.armies.as_ref())?;
        let mark = ["{white}", "{black}"].into_iter().find(|mark| !name.contains(mark))?;
        Some(DefinitionError::key("name", DefinitionFault::SharedName(mark)))
    }
}

impl Reading {
    /// Whether a fault may only follow from a key that was reported as faulty.
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
        // On another board other squares are right.
        let lacks_the_board = self.blamed.iter().any(|key| holds("board", key));
        self.blamed.iter().any(is_related)
            || lacks_the_board && error.fault.depends_on_board()
            || matches!(error.fault, DefinitionFault::Missing | DefinitionFault::NeverEnds)
            || lacks_a_piece
                && (error.key == "start"
                    || matches!(error.fault, DefinitionFault::UnknownPiece { .. }))
    }

    /// Adds faults with their places in the text, each once.
    fn report(&self, errors: Vec<DefinitionError>, faults: &mut Vec<Fault>) {
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
