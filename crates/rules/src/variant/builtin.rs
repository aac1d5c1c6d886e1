//! The games that can be asked for by name: those that ship with the program, and those that a user
//! has added.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use super::{Definition, DefinitionError, Variant};

/// The seven games, bases before what builds on them.
const TEXTS: [(&str, &str); 7] = [
    ("sixfortresses", include_str!("../../games/sixfortresses.toml")),
    ("sixfortresses-short", include_str!("../../games/sixfortresses-short.toml")),
    ("shoranji", include_str!("../../games/shoranji.toml")),
    ("shoranji-maximus", include_str!("../../games/shoranji-maximus.toml")),
    ("chesstonia", include_str!("../../games/chesstonia.toml")),
    ("swda", include_str!("../../games/swda.toml")),
    ("shoogantshii", include_str!("../../games/shoogantshii.toml")),
];

/// Games that the world knows, bases before what builds on them.
const REFERENCES: [(&str, &str); 12] = [
    ("chess", include_str!("../../games/reference/chess.toml")),
    ("crazyhouse", include_str!("../../games/reference/crazyhouse.toml")),
    ("shatranj", include_str!("../../games/reference/shatranj.toml")),
    ("makruk", include_str!("../../games/reference/makruk.toml")),
    ("shogi", include_str!("../../games/reference/shogi.toml")),
    ("minishogi", include_str!("../../games/reference/minishogi.toml")),
    ("xiangqi", include_str!("../../games/reference/xiangqi.toml")),
    ("janggi", include_str!("../../games/reference/janggi.toml")),
    ("capablanca", include_str!("../../games/reference/capablanca.toml")),
    ("grand", include_str!("../../games/reference/grand.toml")),
    ("berolina", include_str!("../../games/reference/berolina.toml")),
    ("twinlakes", include_str!("../../games/reference/twinlakes.toml")),
];

/// A game that ships with the program, compiled when it is first asked for.
struct Entry {
    definition: Arc<Definition>,
    matchup: Option<(String, String)>,
    variant: OnceLock<Arc<Variant>>,
}

#[derive(Default)]
struct Library {
    names: Vec<String>,
    references: Vec<String>,
    aliases: HashMap<String, String>,
    entries: HashMap<String, Entry>,
    definitions: HashMap<String, Arc<Definition>>,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    // The texts are part of the program and every one of them is compiled by a test.
    Library::load().unwrap_or_else(|(file, fault)| panic!("built-in game {file}: {fault}"))
});

/// The games that a user has added.
static OWN: RwLock<Vec<Arc<Variant>>> = RwLock::new(Vec::new());

type Unread = (&'static str, DefinitionError);

impl Library {
    fn load() -> Result<Library, Unread> {
        let mut library = Library::default();
        for (file, text) in TEXTS {
            let names = library.add(file, text)?;
            library.names.extend(names);
        }
        for (file, text) in REFERENCES {
            let names = library.add(file, text)?;
            library.references.extend(names);
        }
        Ok(library)
    }

    /// Adds a definition; returns the names of its games.
    fn add(&mut self, file: &'static str, text: &str) -> Result<Vec<String>, Unread> {
        let first = |faults: Vec<DefinitionError>| {
            (
                file,
                faults.into_iter().next().unwrap_or_else(|| DefinitionError::key("", "is empty")),
            )
        };
        let mut definition = Definition::parse(text).map_err(first)?;
        if let Some(name) = definition.base.take() {
            let missing = || (file, DefinitionError::key("base", format!("no game '{name}'")));
            definition = definition.over_base(self.definitions.get(&name).ok_or_else(missing)?);
        }
        let definition = Arc::new(definition);
        self.definitions.insert(file.to_string(), Arc::clone(&definition));
        for (alias, name) in definition.split_aliases().filter_map(|(_, names)| names) {
            self.aliases.insert(alias.to_string(), name.to_string());
        }
        let mut names = Vec::new();
        for (name, matchup) in definition.games() {
            names.push(name.clone());
            let definition = Arc::clone(&definition);
            self.entries.insert(name, Entry { definition, matchup, variant: OnceLock::new() });
        }
        Ok(names)
    }
}

/// The names of the seven games and their match-ups.
pub fn builtin_names() -> &'static [String] {
    &LIBRARY.names
}

/// The names of the games that the world knows, which ship as definitions as well.
pub fn reference_names() -> &'static [String] {
    &LIBRARY.references
}

/// The names of the games that have been [added](super::add).
pub fn own_names() -> Vec<String> {
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    own.iter().map(|variant| variant.name().to_string()).collect()
}

/// The names of all games: the seven, those that the world knows, those that have been added.
pub fn all_names() -> Vec<String> {
    [builtin_names().to_vec(), reference_names().to_vec(), own_names()].concat()
}

/// The definition of this name that ships with the program.
pub(super) fn shipped(name: &str) -> Option<Arc<Definition>> {
    LIBRARY.definitions.get(name).cloned()
}

/// Whether a game that ships with the program has this name.
pub(super) fn is_shipped(name: &str) -> bool {
    LIBRARY.entries.contains_key(name) || LIBRARY.aliases.contains_key(name)
}

/// Adds games; one that was added under the same name before is replaced.
pub(super) fn register(variants: &[Arc<Variant>]) {
    let mut own = OWN.write().unwrap_or_else(PoisonError::into_inner);
    own.retain(|old| variants.iter().all(|new| !old.is_called(new.name())));
    own.extend(variants.iter().cloned());
}

/// The game of this name (or alias), `None` if there is none.
pub fn find(name: &str) -> Option<Arc<Variant>> {
    let name = LIBRARY.aliases.get(name).map_or(name, String::as_str);
    let Some(entry) = LIBRARY.entries.get(name) else {
        let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
        return own.iter().find(|variant| variant.is_called(name)).cloned();
    };
    let variant = entry.variant.get_or_init(|| {
        Variant::compile(&entry.definition, entry.matchup.as_ref()).unwrap_or_else(|faults| {
            let faults: Vec<String> = faults.iter().map(DefinitionError::to_string).collect();
            panic!("built-in game {name}: {}", faults.join("; "))
        })
    });
    Some(Arc::clone(variant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_built_in_games_compile() {
        assert_eq!(builtin_names().len(), 22);
        assert_eq!(reference_names().len(), REFERENCES.len());
        for name in builtin_names().iter().chain(reference_names()) {
            assert_eq!(find(name).map(|variant| variant.name().to_string()).as_ref(), Some(name));
        }
        assert_eq!(
            find("swda").map(|variant| variant.name().to_string()).as_deref(),
            Some("swda-oo")
        );
        assert!(find("checkers").is_none());
    }
}
