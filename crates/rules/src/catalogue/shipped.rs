//! The games that ship with the program.

use std::sync::{Arc, LazyLock};

use super::{Game, key};
use crate::spelling::fold;
use crate::variant::{Definition, DefinitionError, DefinitionFault, Fault};
use crate::wide::IS_WIDE;

/// The definitions of a folder: the name of each, and its text.
macro_rules! definitions {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../games/", $folder, $name, ".toml")))),*]
    };
}

/// Definitions by name.
type Texts = &'static [(&'static str, &'static str)];

/// First-class games, bases before what builds on them. This is the one list to which such a game is added.
const FIRST_CLASS: Texts = definitions!(
    "": "sixfortresses" "sixfortresses-short" "shoranji" "shoranji-maximus" "chesstonia" "swda" "shoogantshii"
);

/// Reference games, bases before what builds on them.
const REFERENCES: Texts = definitions!(
    "reference/":
    "chess" "crazyhouse" "shatranj" "makruk" "shogi" "minishogi" "xiangqi" "janggi" "capablanca" "grand"
    "berolina" "twinlakes"
);

/// Games for the feature `wide`; reference games there.
const WIDE: Texts = definitions!("wide/": "chushogi");

/// The names and the texts of the definitions that ship with this crate and that this build can play, the first-class
/// games first. A text may build on another one, its `base`.
///
/// ```
/// use garrison_rules::catalogue::shipped_texts;
///
/// let (_, text) = shipped_texts().find(|(name, _)| *name == "minishogi").expect("a game");
/// assert!(text.starts_with("name = \"minishogi\""));
/// ```
pub fn shipped_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    let wide = if IS_WIDE { WIDE } else { &[] };
    FIRST_CLASS.iter().chain(REFERENCES).chain(wide).copied()
}

/// All that ships with the program.
pub(super) static SHIPPED: LazyLock<Shipped> = LazyLock::new(|| {
    // The texts are part of the program and every one of them is compiled by a test.
    Shipped::read().unwrap_or_else(|fault| panic!("built-in game {fault}"))
});

#[derive(Debug, Default)]
pub(super) struct Shipped {
    /// The games, the first-class ones first.
    pub games: Vec<Game>,
    /// The games that this build cannot play.
    pub too_large: Vec<Game>,
    /// Their names.
    pub names: Vec<String>,
    /// How many of them are first-class.
    pub first_class: usize,
    definitions: Vec<(&'static str, Arc<Definition>)>,
}

impl Shipped {
    fn read() -> Result<Shipped, Box<Fault>> {
        let mut shipped = Shipped::default();
        for texts in [FIRST_CLASS, REFERENCES, WIDE] {
            for &(file, text) in texts {
                let added = shipped.add(file, text, IS_WIDE || texts != WIDE);
                added.map_err(|error| Fault { file: file.to_string(), error })?;
            }
            if texts == FIRST_CLASS {
                shipped.first_class = shipped.games.len();
            }
        }
        shipped.names = shipped.games.iter().map(|game| game.name.clone()).collect();
        Ok(shipped)
    }

    /// Adds a definition; `fits` is whether this build can play its games.
    fn add(&mut self, file: &'static str, text: &str, fits: bool) -> Result<(), DefinitionError> {
        let missing = || DefinitionError::key("", DefinitionFault::Missing);
        let first =
            |faults: Vec<DefinitionError>| faults.into_iter().next().unwrap_or_else(missing);
        let mut definition = Definition::parse(text).map_err(first)?;
        if let Some(name) = definition.base.take() {
            let unknown = || DefinitionFault::UnknownBase { name: name.clone(), nearest: None };
            let base =
                self.definition(&name).ok_or_else(|| DefinitionError::key("base", unknown()))?;
            definition = definition.over_base(&base);
        }
        let definition = Arc::new(definition);
        let games = if fits { &mut self.games } else { &mut self.too_large };
        for (name, matchup) in definition.games() {
            games.push(Game::new(name, &definition, matchup));
        }
        self.definitions.push((file, definition));
        Ok(())
    }

    /// The definition of this name or title.
    pub fn definition(&self, name: &str) -> Option<Arc<Definition>> {
        let wanted = key(name);
        let is_meant = |(name, definition): &&(&str, Arc<Definition>)| {
            key(name) == wanted
                || definition.title.as_ref().is_some_and(|title| fold(title) == wanted)
        };
        self.definitions.iter().find(is_meant).map(|(_, definition)| Arc::clone(definition))
    }

    /// The names of the definitions.
    pub fn definition_names(&self) -> impl Iterator<Item = &str> {
        self.definitions.iter().map(|&(name, _)| name)
    }

    /// The game that answers to a name or title.
    pub fn owner_of(&self, name: &str) -> Option<&Game> {
        let wanted = key(name);
        let mut all = self.games.iter().chain(&self.too_large);
        all.find(|game| game.is_called(&wanted) || game.title == wanted)
    }
}
