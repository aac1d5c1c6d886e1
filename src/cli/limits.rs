//! The options by which commands take the limits of a search.

use std::time::Duration;

use clap::Args;

use super::CommandResult;
use crate::engine::memory::{ARENA, has_room};
use crate::engine::{Limits, Searcher};
use garrison_rules::counted;

#[derive(Debug, Clone, Args)]
pub(super) struct LimitArgs {
    /// Time to search a position, in milliseconds
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Plies to search
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=127))]
    pub depth: Option<u32>,
    /// Positions to visit
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: u32,
}

impl LimitArgs {
    /// The limits, or these if none is given.
    pub fn limits(&self, otherwise: Limits) -> Limits {
        if self.movetime.is_none() && self.depth.is_none() && self.nodes.is_none() {
            return otherwise;
        }
        Limits {
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        }
    }

    /// A searcher with a hash table of the size asked for.
    pub fn searcher(&self) -> CommandResult<Searcher> {
        searcher(self.hash)
    }
}

/// A searcher with a hash table of this many MiB.
pub(super) fn searcher(mebibytes: u32) -> CommandResult<Searcher> {
    let searcher = Searcher::new(mebibytes as usize);
    let searcher = searcher.ok_or_else(|| format!("no memory for --hash {mebibytes}"))?;
    if !has_room(1, SEARCH_MEBIBYTES << 20) {
        let each = SEARCH_MEBIBYTES + (ARENA >> 20);
        return Err(format!("no memory for a search, which takes {each} MiB").into());
    }
    Ok(searcher)
}

/// The most that a search takes beside its hash table: what it learns from its moves (13 MiB), evaluations, its stack.
const SEARCH_MEBIBYTES: usize = 32;

/// Makes sure that there is memory for so many searchers at once, each with a hash table of this many MiB: what is asked
/// for while they run cannot be refused. `less`: the options that would need less.
pub(super) fn check_searchers(number: usize, mebibytes: u32, less: &str) -> CommandResult {
    check_room(number, "searcher", SEARCH_MEBIBYTES.saturating_add(mebibytes as usize), less)
}

/// Makes sure that there is memory for so many threads of so many MiB each.
pub(super) fn check_threads(number: usize, mebibytes: usize) -> CommandResult {
    check_room(number, "thread", mebibytes, FEWER_THREADS)
}

/// What needs less memory, as an error says it, where the hash table has a fixed size, and where it can be chosen.
pub(super) const FEWER_THREADS: &str = "fewer --threads need less";
pub(super) const FEWER_THREADS_OR_HASH: &str = "fewer --threads or a smaller --hash need less";

fn check_room(number: usize, of: &str, mebibytes: usize, less: &str) -> CommandResult {
    if has_room(number, mebibytes.saturating_mul(1 << 20)) {
        return Ok(());
    }
    let each = mebibytes.saturating_add(ARENA >> 20);
    let all = counted(number as u64, of);
    Err(format!("no memory for {all} of {each} MiB each; {less}").into())
}
