//! The games that a session knows: those that ship with the program, and those of a file.

use std::fs;
use std::sync::Arc;

use crate::rules::{Definition, Position, Variant, builtin_names, find, shown};

/// The longest file of definitions that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

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
    let size = fs::metadata(path).map_err(|error| error.to_string())?;
    if !size.is_file() || size.len() > MOST_BYTES {
        return Err(format!("needed is a file of at most {MOST_BYTES} bytes"));
    }
    let text = fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(text).map_err(|_| "it is no UTF-8 text".to_string())?;
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
