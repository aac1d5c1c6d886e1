//! A fixed amount of work: the same number of nodes on every machine, for speed and for knowing
//! whether a change altered the search.

use std::fmt;
use std::time::{Duration, Instant};

use super::{Control, Limits, Searcher, TranspositionTable};
use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, find};

/// The depth to which `bench` searches if none is given.
pub const DEFAULT_DEPTH: u32 = 14;

/// The depths that `bench` can be asked for.
pub const DEPTHS: std::ops::RangeInclusive<u32> = 1..=32;

/// The work on one position.
#[derive(Debug, Clone)]
pub struct Item {
    /// The game.
    pub variant: String,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Item {
    /// The last line of a bench: nodes and their speed.
    pub fn summary(&self) -> String {
        let per_second = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        format!("{} nodes {per_second:.0} nps", self.nodes)
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} nodes", self.variant, self.nodes)
    }
}

/// Searches the start position of every game, setups made, to this depth with an empty table of the
/// default size.
///
/// # Errors
/// There is no memory for the table, or it was stopped.
pub fn run(depth: u32, control: &Control, mut report: impl FnMut(&Item)) -> Result<Item, String> {
    let mut searcher = Searcher::new(TranspositionTable::DEFAULT_SIZE)
        .ok_or("has no memory for the hash table")?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut total = Item { variant: "total".to_string(), nodes: 0, time: Duration::ZERO };
    for variant in builtin_names().iter().filter_map(|name| find(name).ok()) {
        searcher.clear();
        let mut position = Position::start(&variant);
        position.keep_arrays();
        let start = Instant::now();
        searcher.search(&position, &limits, control, |_| {});
        if control.is_stopped() {
            return Err("was stopped".to_string());
        }
        let item = Item {
            variant: variant.name().to_string(),
            nodes: searcher.nodes(),
            time: start.elapsed(),
        };
        total.nodes += item.nodes;
        total.time += item.time;
        report(&item);
    }
    Ok(total)
}
