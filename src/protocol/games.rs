//! The games that a session knows: those that ship with the program, and those of a file.

use std::sync::Arc;

use super::files::read_text;
use crate::rules::{Definition, Position, Variant, builtin_names, find, shown};

/// The games of a session.
#[derive(Debug, Default)]
pub(super) struct Games {
    /// Those of a file.
    own: Vec<Arc<Variant>>,
}

impl Games {
    /// The game of this name; one of a file before one that ships with the program.
    pub fn find(&self, name: &str) -> Option<Arc<Variant>> {
        let own = self.own.iter().find(|variant| variant.name() == name);
        own.map(Arc::clone).or_else(|| find(name))
    }

    /// The names of all games, those of the program first.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = builtin_names().iter().map(String::as_str).collect();
        for variant in &self.own {
            if !names.contains(&variant.name()) {
                names.push(variant.name());
            }
        }
        names
    }

    /// Reads the games of a file, in place of those read before; none without a file.
    ///
    /// # Errors
    /// What is wrong with the file; the games stay as they were then.
    pub fn load(&mut self, path: Option<&str>) -> Result<(), String> {
        self.own = match path {
            None => Vec::new(),
            Some(path) => {
                read(path).map_err(|fault| format!("VariantPath '{}': {fault}", shown(path)))?
            }
        };
        Ok(())
    }
}

/// The games of a file.
fn read(path: &str) -> Result<Vec<Arc<Variant>>, String> {
    let text = read_text(path)?;
    let definition = Definition::parse(&text).map_err(|error| error.to_string())?;
    let mut games = Vec::new();
    for matchup in definition.matchups() {
        let matchup = matchup.as_ref().map(|(white, black)| (white.as_str(), black.as_str()));
        let variant = Variant::compile(&definition, matchup).map_err(|error| error.to_string())?;
        let variant = Arc::new(variant);
        // Whoever sets the game later may rely on its start.
        Position::from_fen(&variant, variant.start_fen())
            .map_err(|error| format!("start of {}: {error}", variant.name()))?;
        games.push(variant);
    }
    Ok(games)
}
