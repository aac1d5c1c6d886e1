//! The games that a session knows: those that the program knows, and those of a file.

use std::path::Path;
use std::sync::Arc;

use crate::definitions::read_definitions;
use garrison_rules::{Variant, all_names, find, load};

/// The games of a session.
#[derive(Debug, Default)]
pub(super) struct Games {
    /// Those of a file.
    own: Vec<Arc<Variant>>,
}

impl Games {
    /// The game of this name; one of a file before one that the program knows.
    pub fn find(&self, name: &str) -> Option<Arc<Variant>> {
        let own = self.own.iter().find(|variant| variant.name() == name);
        own.map(Arc::clone).or_else(|| find(name))
    }

    /// The names of all games, those of the program first.
    pub fn names(&self) -> Vec<String> {
        let mut names = all_names();
        for variant in &self.own {
            if !names.iter().any(|name| name == variant.name()) {
                names.push(variant.name().to_string());
            }
        }
        names
    }

    /// Reads the games of a file, or of a folder of files, in place of those read before; none without
    /// a path.
    ///
    /// # Errors
    /// All faults of the files; the games stay as they were then.
    pub fn load(&mut self, path: Option<&str>) -> Result<(), String> {
        self.own = match path {
            None => Vec::new(),
            Some(path) => read_definitions(Path::new(path)).and_then(load).map_err(|faults| {
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                format!("VariantPath {}", faults.join("; "))
            })?,
        };
        Ok(())
    }
}
