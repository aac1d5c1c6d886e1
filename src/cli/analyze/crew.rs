//! The threads that share the positions of a file.

use std::sync::{Mutex, PoisonError};

use super::Args;
use crate::cli::{CommandResult, limits, pool};
use crate::engine::{Limits, Searcher};

/// Threads, a searcher for each, and the limits of every search.
pub(super) struct Crew {
    pub pool: rayon::ThreadPool,
    pub limits: Limits,
    idle: Mutex<Vec<Searcher>>,
}

impl Crew {
    /// As many threads as asked for.
    pub fn new(args: &Args) -> CommandResult<Crew> {
        let searchers = (0..args.threads).map(|_| limits::searcher(args.file_hash()));
        let idle = Mutex::new(searchers.collect::<CommandResult<Vec<_>>>()?);
        Ok(Crew { pool: pool(args.threads)?, limits: args.file_limits(), idle })
    }

    /// Runs work of a thread of the pool with a searcher; `None` if more work runs at once than there are threads.
    pub fn with_searcher<T>(&self, work: impl FnOnce(&mut Searcher) -> T) -> Option<T> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut searcher = idle().pop()?;
        let result = work(&mut searcher);
        idle().push(searcher);
        Some(result)
    }
}
