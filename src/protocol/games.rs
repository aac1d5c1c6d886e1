//! The games that a session knows.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::definitions::add_sound_games;
use garrison_rules::catalogue::catalogue;
use garrison_rules::definition::Fault;
use garrison_rules::{Catalogue, UnknownGame, Variant, shown};

/// The games of a session: those of the program, and those of `VariantPath`.
#[derive(Debug)]
pub(super) struct Games(Catalogue);

/// The faults of the definitions at `VariantPath`.
#[derive(Debug, Error)]
#[error("VariantPath {}", in_short(.0))]
pub(super) struct GamesError(Vec<Fault>);

/// The first faults, each with its file, and how many more there are.
fn in_short(faults: &[Fault]) -> String {
    /// As many are printed.
    const MOST: usize = 4;
    /// The most characters of a fault.
    const LONGEST: usize = 300;
    let text = |fault: &Fault| {
        let error = fault.error.to_string();
        let rest = if error.chars().nth(LONGEST).is_some() { "…" } else { "" };
        let error: String = error.chars().take(LONGEST).collect();
        format!("'{}': {error}{rest}", shown(&fault.file))
    };
    let texts: Vec<String> = faults.iter().take(MOST).map(text).collect();
    let more = match faults.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    texts.join("; ") + &more
}

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
    /// All faults of the files. The games stay as they were, unless it is a folder that has files without faults: their
    /// games are there then.
    pub fn load(&mut self, path: Option<&str>) -> Result<(), GamesError> {
        let mut games = catalogue();
        let faults = match path {
            Some(path) => add_sound_games(&mut games, Path::new(path)).map_err(GamesError)?,
            None => Vec::new(),
        };
        self.0 = games;
        if faults.is_empty() { Ok(()) } else { Err(GamesError(faults)) }
    }
}
