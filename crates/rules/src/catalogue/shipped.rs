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

/// What ships with the program and this build can play.
pub(super) static SHIPPED: LazyLock<Shipped> = LazyLock::new(|| {
    let wide = if IS_WIDE { WIDE } else { &[] };
    Shipped::read(FIRST_CLASS, &[REFERENCES, wide])
});

/// What ships and only a build with the feature `wide` can play; nothing in such a build. Read when a name is none of
/// the others.
pub(super) static TOO_LARGE: LazyLock<Shipped> =
    LazyLock::new(|| Shipped::read(&[], &[if IS_WIDE { &[] } else { WIDE }]));

#[derive(Debug, Default)]
pub(super) struct Shipped {
    /// The games, the first-class ones first.
    pub games: Vec<Game>,
    /// Their names.
    pub names: Vec<String>,
    /// How many of them are first-class.
    pub first_class: usize,
    definitions: Vec<(&'static str, Arc<Definition>)>,
}

impl Shipped {
    fn read(first_class: Texts, others: &[Texts]) -> Shipped {
        let mut shipped = Shipped::default();
        shipped.add_all(first_class);
        shipped.first_class = shipped.games.len();
        others.iter().for_each(|texts| shipped.add_all(texts));
        shipped.names = shipped.games.iter().map(|game| game.name.clone()).collect();
        shipped
    }

    fn add_all(&mut self, texts: Texts) {
        for &(file, text) in texts {
            // The texts are part of the program and every one of them is compiled by a test.
            self.add(file, text).unwrap_or_else(|error| {
                panic!("built-in game {}", Fault { file: file.to_string(), error })
            });
        }
    }

    fn add(&mut self, file: &'static str, text: &str) -> Result<(), DefinitionError> {
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
        for (name, matchup) in definition.games() {
            self.games.push(Game::new(name, &definition, matchup));
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
        self.games.iter().find(|game| game.is_called(&wanted) || game.title == wanted)
    }
}
