//! The games that a session knows.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::definitions::read_definitions;
use garrison_rules::catalogue::catalogue;
use garrison_rules::definition::Fault;
use garrison_rules::{Catalogue, UnknownGame, Variant};

/// The games of a session: those of the program, and those of `VariantPath`.
#[derive(Debug)]
pub(super) struct Games(Catalogue);

/// The faults of the definitions at `VariantPath`.
#[derive(Debug, Error)]
#[error("VariantPath {}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("; "))]
pub(super) struct GamesError(Vec<Fault>);

impl Default for Games {
    /// The games of the program.
    fn default() -> Games {
        Games(catalogue())
    }
}

impl Games {
    /// The game of this name; one of `VariantPath` before one of `--variants`.
    ///
    /// # Errors
    /// There is no such game.
    pub fn find(&self, name: &str) -> Result<Arc<Variant>, UnknownGame> {
        self.0.find(name)
    }

    /// The names of all games, those of the program first.
    pub fn names(&self) -> Vec<String> {
        self.0.names()
    }

    /// Reads the games of a file, or of a folder of files, in place of those read before; none without
    /// a path.
    ///
    /// # Errors
    /// All faults of the files; the games stay as they were then.
    pub fn load(&mut self, path: Option<&str>) -> Result<(), GamesError> {
        let mut games = catalogue();
        if let Some(path) = path {
            let files = read_definitions(Path::new(path));
            files.and_then(|files| games.add(files)).map_err(GamesError)?;
        }
        self.0 = games;
        Ok(())
    }
}
