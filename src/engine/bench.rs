//! A fixed amount of work: the same number of nodes on every machine, for speed and for knowing
//! whether a change altered the search.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Control, Limits, Searcher, TranspositionTable};
use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, Variant, find};

/// The depth to which `bench` searches if none is given, in plies.
pub const DEFAULT_DEPTH: u32 = 8;

/// The depths that `bench` can be asked for, in plies.
pub const DEPTHS: std::ops::RangeInclusive<u32> = 1..=32;

/// Lines of game, plies beyond the depth asked for, and FEN, separated by semicolons.
const POSITIONS: &str = include_str!("bench/positions.txt");

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// The transposition table cannot be allocated.
    #[error("has no memory for the hash table")]
    NoMemory,
    /// The control stopped it.
    #[error("was stopped")]
    Stopped,
    /// A line of its list is no position of a game that ships with the program.
    #[error("cannot read its position '{0}'")]
    Position(&'static str),
}

/// The work on the positions of a family of games, or on all.
#[derive(Debug, Clone)]
pub struct Item {
    /// The family of games; `total` for all.
    pub game: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Time of the searches alone.
    pub time: Duration,
}

impl Item {
    fn new(game: &str) -> Item {
        Item { game: game.to_string(), nodes: 0, time: Duration::ZERO }
    }

    /// The last line of a bench: nodes, and nodes per second.
    pub fn summary(&self) -> String {
        let per_second = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        format!("{} nodes {per_second:.0} nps", self.nodes)
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.game, self.summary())
    }
}

/// A family of games, and its positions with the plies by which each is searched deeper.
type Family = (String, Vec<(u32, Position)>);

/// Searches fixed positions of every family of games to this depth (in plies; where there are few moves, some more),
/// each with a cleared searcher and a transposition table of the default size: so the nodes of a family depend on
/// no other.
///
/// # Errors
/// There is no memory for the table, it was stopped, or the list of positions has a fault.
pub fn run(
    depth: u32,
    control: &Control,
    mut report: impl FnMut(&Item),
) -> Result<Item, BenchError> {
    let mut searcher =
        Searcher::new(TranspositionTable::DEFAULT_SIZE).ok_or(BenchError::NoMemory)?;
    let mut total = Item::new("total");
    for (family, positions) in positions_by_family()? {
        let mut item = Item::new(&family);
        for (plies, position) in &positions {
            let limits = Limits { depth: Some(depth + plies), ..Limits::default() };
            searcher.clear();
            let start = Instant::now();
            searcher.search(position, &limits, control, |_| {});
            if control.is_stopped() {
                return Err(BenchError::Stopped);
            }
            item.nodes += searcher.nodes();
            item.time += start.elapsed();
        }
        total.nodes += item.nodes;
        total.time += item.time;
        report(&item);
    }
    Ok(total)
}

/// The families of the built-in games, each with its positions: those of the list, or without any the start
/// position of its first game.
fn positions_by_family() -> Result<Vec<Family>, BenchError> {
    let mut families: Vec<Family> = Vec::new();
    let mut firsts: Vec<Arc<Variant>> = Vec::new();
    for variant in builtin_names().iter().filter_map(|name| find(name).ok()) {
        if families.iter().all(|(family, _)| family != variant.family()) {
            families.push((variant.family().to_string(), Vec::new()));
            firsts.push(variant);
        }
    }
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let fault = || BenchError::Position(line);
        let mut fields = line.splitn(3, ';').map(str::trim);
        let (Some(game), Some(plies), Some(fen)) = (fields.next(), fields.next(), fields.next())
        else {
            return Err(fault());
        };
        let variant = find(game).map_err(|_| fault())?;
        let plies = plies.parse().map_err(|_| fault())?;
        let position = Position::from_fen(&variant, fen).map_err(|_| fault())?;
        let mut all = families.iter_mut();
        let (_, positions) =
            all.find(|(family, _)| family == variant.family()).ok_or_else(fault)?;
        positions.push((plies, position));
    }
    for ((_, positions), first) in families.iter_mut().zip(&firsts) {
        if positions.is_empty() {
            let mut start = Position::start(first);
            start.keep_arrays();
            positions.push((0, start));
        }
    }
    Ok(families)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_read_and_goes_on() {
        let families = positions_by_family().expect("a list without faults");
        let names: Vec<&str> = families.iter().map(|(family, _)| family.as_str()).collect();
        assert!(names.contains(&"swda") && names.contains(&"shoranji-maximus"), "{names:?}");
        for (family, positions) in &families {
            for (_, position) in positions {
                assert!(position.status().outcome().is_none(), "{family}: {}", position.fen());
            }
        }
        let listed = POSITIONS.lines().filter(|line| !line.starts_with('#')).count();
        assert!(families.iter().map(|(_, positions)| positions.len()).sum::<usize>() >= listed);
    }
}
