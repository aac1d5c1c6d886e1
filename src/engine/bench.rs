//! A fixed amount of work: the same number of nodes on every machine, for speed and for knowing
//! whether a change altered the search.

use std::time::{Duration, Instant};

use super::{Control, Limits, Search, Table};
use crate::rules::{Position, builtin_names, find};

/// The depth to which `bench` searches if none is given.
pub const DEFAULT_DEPTH: u32 = 4;

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

/// Searches the start position of every game to this depth with an empty table of the default size.
pub fn run(depth: u32, mut report: impl FnMut(&Item)) -> Option<Item> {
    let table = Table::new(Table::DEFAULT_SIZE)?;
    let mut total = Item { variant: "total".to_string(), nodes: 0, time: Duration::ZERO };
    for variant in builtin_names().iter().filter_map(|name| find(name)) {
        table.clear();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let control = Control::new(false);
        let mut position = Position::start(&variant);
        while position.setup_phase().is_pending() {
            position.make(position.setup_as_is());
        }
        let start = Instant::now();
        let mut search = Search::new(&position, &limits, &control, &table);
        search.run(|_| {});
        let item = Item {
            variant: variant.name().to_string(),
            nodes: search.nodes(),
            time: start.elapsed(),
        };
        total.nodes += item.nodes;
        total.time += item.time;
        report(&item);
    }
    Some(total)
}
