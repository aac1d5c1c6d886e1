//! The games that can be asked for by name: those that ship with the program, and a user's own.

mod load;
mod matchups;
mod shipped;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use thiserror::Error;

pub use load::{DefinitionFile, load};
pub use matchups::Candidates;
use matchups::has_open_army;
pub use shipped::shipped_texts;
use shipped::{SHIPPED, TOO_LARGE};

use crate::describe::list;
use crate::shown;
use crate::spelling::{distance, fold, is_near};
use crate::variant::{Definition, DefinitionError, Fault, Variant};
use crate::wide;

/// The most names that are offered in place of an unknown one.
const MOST_NEAREST: usize = 3;

/// Games by name: those that ship with this crate, and a user's own.
///
/// A game is found by its name, its other names and its title, whatever their case, diacritics, spaces,
/// hyphens and underscores.
///
/// ```
/// use garrison_rules::Catalogue;
///
/// let games = Catalogue::new();
/// for name in ["shoogantshii", "Šōgantšī", "SHOOGANTSHII", "sogantsi"] {
///     assert_eq!(games.find(name)?.name(), "shoogantshii");
/// }
/// let unknown = games.find("Xianqi").unwrap_err();
/// assert_eq!(unknown.to_string(), "no variant 'Xianqi'; did you mean xiangqi?");
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// The user's games, in the order in which they were added.
    own: Vec<Arc<Game>>,
}

/// The error of looking up a name that no game has, or a title that several games share.
///
/// ```
/// use garrison_rules::find;
///
/// let unknown = find("xianqi").unwrap_err();
/// assert_eq!(unknown.nearest, ["xiangqi"]);
/// assert_eq!(unknown.to_string(), "no variant 'xianqi'; did you mean xiangqi?");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct UnknownGame {
    /// The name that was asked for.
    pub name: String,
    /// The names of up to three games that may have been meant, the most likely first.
    pub nearest: Vec<String>,
    /// Whether the name stands for several games, because it leaves an army open: [`candidates`] lists them.
    pub is_open: bool,
    /// Whether it is a game that only a build with the feature `wide` can play.
    pub is_wide: bool,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = shown(&self.name);
        if self.is_wide {
            return write!(f, "'{name}' needs a larger board; 'garrison --wide' plays it");
        }
        if self.nearest.is_empty() {
            return write!(f, "no variant '{name}'; 'variants' lists them");
        }
        let nearest = list(&self.nearest, "or");
        if self.is_open {
            write!(f, "'{name}' leaves an army open; one game is needed here, such as {nearest}")
        } else {
            write!(f, "no variant '{name}'; did you mean {nearest}?")
        }
    }
}

/// A game with its names, compiled when it is first asked for.
#[derive(Debug)]
struct Game {
    name: String,
    /// The name and the other names, [folded](key).
    keys: Vec<String>,
    /// The title, folded.
    title: String,
    definition: Arc<Definition>,
    /// The keys of White's and Black's army, if there are armies.
    matchup: Option<(String, String)>,
    variant: OnceLock<Arc<Variant>>,
    /// The name of the file that defines it; empty if it ships with this crate.
    file: String,
}

/// An evaluation that the definition of a user's game names.
#[derive(Debug, Clone)]
pub struct NamedEvaluation {
    /// The game.
    pub variant: Arc<Variant>,
    /// The name of the file that defines it.
    pub file: String,
    /// The path of the evaluation as it stands there; a relative one begins at that file.
    pub path: String,
}

impl Game {
    fn new(name: String, definition: &Arc<Definition>, matchup: Option<(String, String)>) -> Game {
        let aliases = definition.aliases_of(&name).map(|(_, alias)| key(alias));
        Game {
            keys: std::iter::once(key(&name)).chain(aliases).collect(),
            title: fold(&definition.title_of(matchup.as_ref())),
            definition: Arc::clone(definition),
            matchup,
            variant: OnceLock::new(),
            file: String::new(),
            name,
        }
    }

    /// Whether this folded text is one of its names.
    fn is_called(&self, key: &str) -> bool {
        self.keys.iter().any(|own| own == key)
    }

    /// Whether it would answer to one of the names of another game.
    fn shares_a_name_with(&self, other: &Game) -> bool {
        self.is_called(&other.keys[0]) || other.is_called(&self.keys[0])
    }

    fn compile(&self) -> Result<Arc<Variant>, Vec<DefinitionError>> {
        Variant::compile(&self.definition, self.matchup.as_ref())
    }

    fn variant(&self) -> Arc<Variant> {
        // Those of a user were compiled when they were read, and a test compiles all others.
        let variant = self.variant.get_or_init(|| {
            self.compile().unwrap_or_else(|faults| {
                let faults: Vec<String> = faults.iter().map(DefinitionError::to_string).collect();
                panic!("built-in game {}: {}", self.name, faults.join("; "))
            })
        });
        Arc::clone(variant)
    }

    /// How far a folded text is from the nearest of its names, if one is near: in letters that differ. Of
    /// the first twelve letters that are missing around a part of a name, every fourth counts.
    fn distance(&self, text: &str) -> Option<usize> {
        let length = text.chars().count();
        let to = |name: &String| {
            let missing = name.chars().count().saturating_sub(length);
            let letters = match name.find(text) {
                Some(0) if length >= 3 => missing.min(1 + missing.min(12) / 4),
                Some(_) if length >= 4 => missing.min(3 + missing.min(12) / 4),
                _ => distance(text, name),
            };
            is_near(letters, name).then_some(letters)
        };
        self.keys.iter().chain([&self.title]).filter_map(to).min()
    }
}

/// A name as it is looked up: folded, unless nothing of it would be left.
fn key(name: &str) -> String {
    Some(fold(name)).filter(|folded| !folded.is_empty()).unwrap_or_else(|| name.to_string())
}

impl Catalogue {
    /// A catalogue of the games that ship with this crate.
    pub const fn new() -> Catalogue {
        Catalogue { own: Vec::new() }
    }

    /// The game with this name, other name or title. Names are tried before titles; of two games with the same
    /// title, the one that ships with this crate is found.
    ///
    /// # Errors
    /// No game has this name or title, several of the user's games share this title, or the name leaves an army
    /// open (see [`candidates`](Catalogue::candidates)).
    pub fn find(&self, name: &str) -> Result<Arc<Variant>, UnknownGame> {
        let nearest: Vec<String> =
            self.left_open(name).map(|game| game.name.clone()).take(MOST_NEAREST).collect();
        if !nearest.is_empty() {
            let name = name.to_string();
            return Err(UnknownGame { name, nearest, is_open: true, is_wide: false });
        }
        let key = key(name);
        let own = || self.own.iter().rev().map(Arc::as_ref);
        let mut all = own().chain(&SHIPPED.games).filter(|_| !has_open_army(name));
        let named = all.find(|game| game.is_called(&key));
        if let Some(game) = named.or_else(|| SHIPPED.games.iter().find(|game| game.title == key)) {
            return Ok(game.variant());
        }
        if TOO_LARGE.owner_of(name).is_some() {
            wide::ask();
            let (name, nearest) = (name.to_string(), Vec::new());
            return Err(UnknownGame { name, nearest, is_open: false, is_wide: true });
        }
        let titled: Vec<&Game> = own().filter(|game| game.title == key).collect();
        let nearest = match titled.as_slice() {
            [only] => return Ok(only.variant()),
            [] => self.nearest(&key),
            several => several.iter().take(MOST_NEAREST).map(|game| game.name.clone()).collect(),
        };
        Err(UnknownGame { name: name.to_string(), nearest, is_open: false, is_wide: false })
    }

    /// The names most like this one, the most alike first.
    fn nearest(&self, key: &str) -> Vec<String> {
        let distance = |game: &'_ Game| Some((game.distance(key)?, game.name.clone()));
        let mut near: Vec<(usize, String)> = self.games().filter_map(distance).collect();
        // Of those that are equally near, in the order of the list.
        near.sort_by_key(|&(distance, _)| distance);
        let most = near.first().map_or(0, |&(best, _)| best + 2);
        let near = near.into_iter().take_while(|&(distance, _)| distance <= most);
        near.map(|(_, name)| name).take(MOST_NEAREST).collect()
    }

    /// All games: those that ship with the program, then the user's.
    fn games(&self) -> impl Iterator<Item = &Game> {
        SHIPPED.games.iter().chain(self.own.iter().map(Arc::as_ref))
    }

    /// The names of all games: the first-class games, the reference games, then the user's games in the order in
    /// which they were added.
    pub fn names(&self) -> Vec<String> {
        self.games().map(|game| game.name.clone()).collect()
    }

    /// The names of the games that have been [added](Self::add).
    pub fn own_names(&self) -> Vec<String> {
        self.own.iter().map(|game| game.name.clone()).collect()
    }

    /// The whole definition of a game that has been [added](Self::add), with nothing left to its base.
    pub fn own_definition(&self, name: &str) -> Option<&Definition> {
        let game = self.own.iter().find(|game| game.name == name)?;
        Some(&game.definition)
    }

    /// The evaluations that the games which have been [added](Self::add) name. This crate reads none: who plays the
    /// games does.
    ///
    /// ```
    /// use garrison_rules::definition::DefinitionFile;
    /// use garrison_rules::Catalogue;
    ///
    /// let text = "name = 'passchess'\nbase = 'chess'\npass = true\nevaluation = 'passchess'".to_string();
    /// let mut games = Catalogue::new();
    /// games.add(vec![DefinitionFile { name: "passchess.toml".to_string(), text }]).expect("no faults");
    /// assert_eq!(games.evaluations()[0].path, "passchess");
    /// assert_eq!(games.evaluations()[0].file, "passchess.toml");
    /// ```
    pub fn evaluations(&self) -> Vec<NamedEvaluation> {
        let named = |game: &Arc<Game>| {
            let path = game.definition.evaluation.clone()?;
            Some(NamedEvaluation { variant: game.variant(), file: game.file.clone(), path })
        };
        self.own.iter().filter_map(named).collect()
    }

    /// [Loads](load) games and adds them, in place of any that were added under the same names; returns their
    /// names.
    ///
    /// # Errors
    /// As [`load`]; the catalogue is unchanged then.
    pub fn add(&mut self, files: Vec<DefinitionFile>) -> Result<Vec<String>, Vec<Fault>> {
        let games = load::read(files)?;
        self.own.retain(|old| !games.iter().any(|new| new.shares_a_name_with(old)));
        let names = games.iter().map(|game| game.name.clone()).collect();
        self.own.extend(games.into_iter().map(Arc::new));
        Ok(names)
    }
}

/// The catalogue of the process, in which the free functions of this module look.
static CATALOGUE: RwLock<Catalogue> = RwLock::new(Catalogue::new());

/// How often games were added to the catalogue of the process.
static ADDITIONS: AtomicU64 = AtomicU64::new(0);

/// How often games were [added](add) to the catalogue of the process. While it stays the same, a name means the same
/// game: who looks up a name again and again can keep what it found.
///
/// ```
/// use garrison_rules::catalogue;
/// use garrison_rules::definition::DefinitionFile;
///
/// let before = catalogue::additions();
/// let text = "name = 'passchess'\nbase = 'chess'\npass = true".to_string();
/// catalogue::add(vec![DefinitionFile { name: "passchess.toml".to_string(), text }]).expect("no faults");
/// assert!(catalogue::additions() > before);
/// ```
pub fn additions() -> u64 {
    ADDITIONS.load(Ordering::Acquire)
}

/// A copy of the catalogue of the process, as it is now.
pub fn catalogue() -> Catalogue {
    CATALOGUE.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The game of this name in the catalogue of the process: see [`Catalogue::find`].
///
/// ```
/// use garrison_rules::find;
///
/// assert_eq!(find("six-fortresses")?.name(), "sixfortresses");
/// assert_eq!(find("Shōgi")?.name(), "shogi");
/// assert!(find("no such game").is_err());
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
///
/// # Errors
/// No game has this name or title, or several of the user's games share this title.
pub fn find(name: &str) -> Result<Arc<Variant>, UnknownGame> {
    CATALOGUE.read().unwrap_or_else(PoisonError::into_inner).find(name)
}

/// The games of the catalogue of the process that a name may mean: see [`Catalogue::candidates`].
///
/// # Errors
/// The name means no game.
pub fn candidates(name: &str) -> Result<Candidates, UnknownGame> {
    CATALOGUE.read().unwrap_or_else(PoisonError::into_inner).candidates(name)
}

/// Adds a user's games to the catalogue of the process: see [`Catalogue::add`].
///
/// # Errors
/// As [`load`]; the catalogue is unchanged then.
pub fn add(files: Vec<DefinitionFile>) -> Result<Vec<String>, Vec<Fault>> {
    let names = CATALOGUE.write().unwrap_or_else(PoisonError::into_inner).add(files)?;
    ADDITIONS.fetch_add(1, Ordering::Release);
    Ok(names)
}

/// The names of the first-class games; a game with different armies has a name for each pair of them.
pub fn builtin_names() -> &'static [String] {
    &SHIPPED.names[..SHIPPED.first_class]
}

/// The names of the reference games: well-known games, such as chess and shogi, that also ship with this crate.
pub fn reference_names() -> &'static [String] {
    &SHIPPED.names[SHIPPED.first_class..]
}

/// The names and titles of the shipped games that only a build with the feature `wide` can play; none in such a build.
pub fn too_large() -> impl Iterator<Item = (&'static str, &'static str)> {
    TOO_LARGE.games.iter().map(|game| {
        let title = game.definition.title.as_deref().unwrap_or(&game.name);
        (game.name.as_str(), title)
    })
}

/// The names of the games that have been [added](add) to the catalogue of the process.
pub fn own_names() -> Vec<String> {
    catalogue().own_names()
}

/// The names of all games of the catalogue of the process: see [`Catalogue::names`].
pub fn all_names() -> Vec<String> {
    catalogue().names()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(games: &Catalogue, name: &str) -> Result<String, UnknownGame> {
        games.find(name).map(|variant| variant.name().to_string())
    }

    fn file(text: &str) -> DefinitionFile {
        DefinitionFile { name: "own.toml".to_string(), text: text.to_string() }
    }

    #[test]
    fn all_shipped_games_compile() {
        assert_eq!(builtin_names().len(), 22);
        assert_eq!(reference_names().len(), if crate::wide::IS_WIDE { 13 } else { 12 });
        for game in &SHIPPED.games {
            let variant =
                game.compile().unwrap_or_else(|faults| panic!("{}: {}", game.name, faults[0]));
            assert_eq!(variant.name(), game.name);
            assert_eq!(fold(&variant.info().title), game.title);
        }
    }

    #[test]
    fn no_two_shipped_games_share_a_spelling() {
        for (index, game) in SHIPPED.games.iter().enumerate() {
            for other in &SHIPPED.games[..index] {
                let spellings =
                    |game: &Game| [game.keys.clone(), vec![game.title.clone()]].concat();
                let other = spellings(other);
                assert!(spellings(game).iter().all(|name| !other.contains(name)), "{}", game.name);
            }
        }
    }

    #[test]
    fn every_shipped_game_is_found_in_all_spellings() {
        let games = Catalogue::new();
        for game in &SHIPPED.games {
            let name = &game.name;
            let title = game.variant().info().title.clone();
            for spelling in [
                name.clone(),
                name.to_uppercase(),
                name.replace('-', ""),
                name.replace('-', " "),
                name.replace('-', "_"),
                title.clone(),
                title.to_uppercase(),
                title.to_lowercase().replace(' ', "-"),
                title.replace(' ', ""),
                title.replace(['Š', 'š'], "S").replace('ō', "o").replace('ī', "i"),
            ] {
                assert_eq!(found(&games, &spelling).as_ref(), Ok(name), "{spelling}");
            }
        }
        for (spelling, name) in [
            ("SHORANJI", "shoranji"),
            ("Six Fortresses", "sixfortresses"),
            ("SixFortresses", "sixfortresses"),
            ("Šōgantšī", "shoogantshii"),
            ("Chess", "chess"),
            ("swda OO", "swda-oo"),
            ("SWDA", "swda-oo"),
            ("Shogi of Chesstonia", "chesstonia"),
            ("janggi (korean chess)", "janggi"),
        ] {
            assert_eq!(found(&games, spelling).as_deref(), Ok(name));
        }
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let games = Catalogue::new();
        for (name, message) in [
            ("shogy", "no variant 'shogy'; did you mean shogi?"),
            ("Ches", "no variant 'Ches'; did you mean chess or chesstonia?"),
            (
                "Fortresses",
                "no variant 'Fortresses'; did you mean sixfortresses or sixfortresses-short?",
            ),
            (
                "Shatranj With Different Armies",
                "no variant 'Shatranj With Different Armies'; did you mean swda-oo, swda-oj or swda-op?",
            ),
            ("swda-xo", "no variant 'swda-xo'; did you mean swda-oo, swda-jo or swda-po?"),
            ("Šogantš", "no variant 'Šogantš'; did you mean shoogantshii?"),
            ("checkers", "no variant 'checkers'; 'variants' lists them"),
            ("", "no variant ''; 'variants' lists them"),
            ("?!", "no variant '?!'; 'variants' lists them"),
            ("a\nb", "no variant 'a\\nb'; 'variants' lists them"),
        ] {
            let unknown = found(&games, name).expect_err(name);
            assert_eq!(unknown.to_string(), message);
        }
    }

    #[test]
    fn own_games_are_found_by_alias_and_title_and_replace_their_namesakes() {
        let mut games = Catalogue::new();
        let mine = "name = 'my-game'\naliases = ['other-one = my-game']\ntitle = 'Élan'\nbase = 'Six Fortresses'\n";
        assert_eq!(games.add(vec![file(mine)]), Ok(vec!["my-game".to_string()]));
        for spelling in ["my-game", "MyGame", "other one", "elan", "ÉLAN"] {
            assert_eq!(found(&games, spelling).as_deref(), Ok("my-game"), "{spelling}");
        }
        // It has no title of its own, and that of its base is the base's.
        let untitled = "name = 'mygame2'\nbase = 'chess'\n";
        assert!(games.add(vec![file(untitled)]).is_ok());
        assert_eq!(found(&games, "CHESS").as_deref(), Ok("chess"));
        let replaced = mine.replace("'my-game'", "'my_game'").replace("= my-game", "= my_game");
        assert!(games.add(vec![file(&replaced)]).is_ok());
        assert_eq!(games.own_names(), ["mygame2", "my_game"]);
        let twin = "name = 'twin'\ntitle = 'Elan'\nbase = 'chess'\n";
        assert!(games.add(vec![file(twin)]).is_ok());
        let unknown = found(&games, "Elan").expect_err("two games have this title");
        assert_eq!(unknown.to_string(), "no variant 'Elan'; did you mean twin or my_game?");
    }

    #[test]
    fn a_shipped_name_is_taken_in_all_spellings() {
        for (name, message) in [
            ("chess", "'chess' is a game that ships with the program"),
            ("swda", "'swda' is a game that ships with the program"),
            (
                "six_fortresses",
                "'six_fortresses' is another spelling of 'sixfortresses', a game that ships with the program",
            ),
            (
                "sogantsi",
                "'sogantsi' is another spelling of 'shoogantshii', a game that ships with the program",
            ),
        ] {
            let text = format!("name = '{name}'\nbase = 'chess'\n");
            let faults = load(vec![file(&text)]).expect_err(name);
            assert_eq!(faults.len(), 1);
            assert_eq!(faults[0].error.fault.to_string(), message);
        }
    }
}
