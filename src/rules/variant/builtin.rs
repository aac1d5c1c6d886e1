//! The games that ship with the program.

use std::sync::{Arc, LazyLock, OnceLock};

use ahash::AHashMap;

use super::{Definition, DefinitionError, Variant};

/// The definitions, bases before what builds on them.
const TEXTS: [(&str, &str); 7] = [
    ("sixfortresses", include_str!("../games/sixfortresses.toml")),
    ("sixfortresses-short", include_str!("../games/sixfortresses-short.toml")),
    ("shoranji", include_str!("../games/shoranji.toml")),
    ("shoranji-maximus", include_str!("../games/shoranji-maximus.toml")),
    ("chesstonia", include_str!("../games/chesstonia.toml")),
    ("swda", include_str!("../games/swda.toml")),
    ("shoogantshii", include_str!("../games/shoogantshii.toml")),
];

/// A built-in game, compiled when it is first asked for.
struct Entry {
    definition: Arc<Definition>,
    matchup: Option<(String, String)>,
    variant: OnceLock<Arc<Variant>>,
}

struct Library {
    names: Vec<String>,
    aliases: AHashMap<String, String>,
    entries: AHashMap<String, Entry>,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    // The texts are part of the program and every one of them is compiled by a test.
    Library::load().unwrap_or_else(|(file, error)| panic!("built-in game {file}: {error}"))
});

impl Library {
    fn load() -> Result<Library, (&'static str, DefinitionError)> {
        let mut definitions: Vec<(&str, Arc<Definition>)> = Vec::new();
        let mut library =
            Library { names: Vec::new(), aliases: AHashMap::new(), entries: AHashMap::new() };
        for (file, text) in TEXTS {
            let mut definition = Definition::parse(text).map_err(|error| (file, error))?;
            if let Some(name) = definition.base.take() {
                let base = definitions.iter().find(|(file, _)| *file == name);
                let missing = || (file, DefinitionError::key("base", format!("no game '{name}'")));
                definition = definition.over_base(&base.ok_or_else(missing)?.1);
            }
            let definition = Arc::new(definition);
            definitions.push((file, Arc::clone(&definition)));
            library.add(&definition);
        }
        Ok(library)
    }

    fn add(&mut self, definition: &Arc<Definition>) {
        let pattern = definition.name.clone().unwrap_or_default();
        for matchup in definition.matchups() {
            let name = match &matchup {
                Some((white, black)) => pattern.replace("{white}", white).replace("{black}", black),
                None => pattern.clone(),
            };
            self.names.push(name.clone());
            let definition = Arc::clone(definition);
            self.entries.insert(name, Entry { definition, matchup, variant: OnceLock::new() });
        }
        for alias in definition.aliases.iter().flatten() {
            if let Some((alias, name)) = alias.split_once('=') {
                self.aliases.insert(alias.trim().to_string(), name.trim().to_string());
            }
        }
    }
}

/// The names of all built-in games.
pub fn builtin_names() -> &'static [String] {
    &LIBRARY.names
}

/// The game of this name (or alias), `None` if there is none.
pub fn find(name: &str) -> Option<Arc<Variant>> {
    let name = LIBRARY.aliases.get(name).map_or(name, String::as_str);
    let entry = LIBRARY.entries.get(name)?;
    let variant = entry.variant.get_or_init(|| {
        let matchup = entry.matchup.as_ref().map(|(white, black)| (white.as_str(), black.as_str()));
        let variant = Variant::compile(&entry.definition, matchup);
        Arc::new(variant.unwrap_or_else(|error| panic!("built-in game {name}: {error}")))
    });
    Some(Arc::clone(variant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_built_in_games_compile() {
        assert_eq!(builtin_names().len(), 22);
        for name in builtin_names() {
            assert_eq!(find(name).map(|variant| variant.name().to_string()).as_ref(), Some(name));
        }
        assert_eq!(
            find("swda").map(|variant| variant.name().to_string()).as_deref(),
            Some("swda-oo")
        );
        assert!(find("chess").is_none());
    }
}
