//! Why learning ends before it is done.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{fault_in, unwritten};
use crate::training::game_file::GameFileError;
use crate::training::sample::SampleError;
use garrison_rules::shown;

/// Why learning cannot begin or go on.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file or folder is wrong, and which.
    #[error("{0}")]
    File(String),
    /// Another run uses the folder.
    #[error("'{}': {}", shown(&.folder.to_string_lossy()), in_use(*.process))]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// The process, if it is known.
        process: Option<u32>,
    },
    /// The folder was begun for another game.
    #[error("'{}': has what was learned of {found}, not of {wanted}; take another --out", shown(&.folder.to_string_lossy()))]
    OtherGame {
        /// The folder.
        folder: PathBuf,
        /// The game that it is for.
        found: String,
        /// The game that is to be learned.
        wanted: String,
    },
    /// The rules of the game have changed.
    #[error("'{}': the rules of {game} have changed since; take another --out", shown(&.folder.to_string_lossy()))]
    OtherRules {
        /// The folder.
        folder: PathBuf,
        /// The game.
        game: String,
    },
    /// The folder was begun with another seed.
    #[error("'{}': was begun with --seed {found}, not {wanted}", shown(&.folder.to_string_lossy()))]
    OtherSeed {
        /// The folder.
        folder: PathBuf,
        /// Its seed.
        found: u64,
        /// The one that was asked for.
        wanted: u64,
    },
    /// The games give no positions to learn from.
    #[error("{0} games gave no position to learn from: are there quiet positions in this game?")]
    NothingToLearn(u64),
    /// There is no memory for the hash table of a thread.
    #[error("no memory for --hash {0} on each thread; fewer --threads need less")]
    NoMemory(u32),
    /// A fit cannot keep or read its positions.
    #[error(transparent)]
    Fit(#[from] SampleError),
    /// The system gives no thread.
    #[error("no thread for the work: {0}")]
    NoThread(String),
    /// It was stopped from outside. All that was done is kept.
    #[error("stopped")]
    Stopped,
}

fn in_use(process: Option<u32>) -> String {
    let process = process.map_or_else(String::new, |process| format!(", process {process}"));
    format!("another run is learning there{process}")
}

impl LearnError {
    /// A fault of this file.
    pub(super) fn of(path: &Path, fault: &dyn std::fmt::Display) -> LearnError {
        LearnError::File(fault_in(path, fault))
    }

    /// This file of games cannot be begun, gone on with or written.
    pub(super) fn of_games(path: &Path, fault: &GameFileError) -> LearnError {
        LearnError::File(fault.in_file(path))
    }

    /// This file cannot be written.
    pub(super) fn unwritten(path: &Path, fault: &std::io::Error) -> LearnError {
        LearnError::File(unwritten(path, fault))
    }
}
