//! `garrison openings`: balanced opening sets, the same for the same seed.

use std::sync::Arc;

use ahash::AHashSet;
use clap::Args as ClapArgs;
use rayon::prelude::*;

use super::{CommandResult, WORK, limits, pool, print, progress_bar};
use crate::engine::Limits;
use crate::engine::openings::{OpeningRequirements, candidate, is_even};
use garrison_rules::catalogue::candidates;
use garrison_rules::{Position, Variant};

/// Make a set of balanced openings: a FEN a line.
///
/// Random plies are made from the start position, after a random setup where the game has one. A
/// position is kept if the game is not over, the position is new, and a short search scores neither
/// side ahead by more than the window. The same options make the same set, whatever the number of
/// threads.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison openings --variant shoranji --count 100 --plies 8 --window 60 --seed 1 > shoranji.epd
  garrison openings --variant swda-op --count 500 --plies 6 --window 100 --depth 5 --threads 4")]
pub(super) struct Args {
    /// The game (see `garrison variants`); of `swda-random` and `swda-o?` all match-ups, evenly, with `NAME; ` before
    /// each FEN
    #[arg(long, value_name = "NAME")]
    variant: String,
    /// How many openings
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// Random plies
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=200))]
    plies: u32,
    /// The most that a side may be ahead, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 80, value_parser = clap::value_parser!(u32).range(0..=30_000))]
    window: u32,
    /// Plies that the search looks ahead
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Positions that the search visits [default: 10000, if there is no depth]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Other seeds make other sets
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

const DEFAULT_NODES: u64 = 10_000;

/// The number of candidates that are searched in parallel before the next are made.
const BATCH: u64 = 64;

/// The search for openings ends after this many candidates in a row without a new one.
const MOST_IN_VAIN: u64 = 20_000;

pub(super) fn run(args: &Args) -> CommandResult {
    let found = candidates(&args.variant)?;
    let nodes = args.nodes.or(args.depth.is_none().then_some(DEFAULT_NODES));
    let wanted = OpeningRequirements {
        plies: args.plies,
        window: args.window,
        limits: Limits { depth: args.depth, nodes, ..Limits::default() },
        seed: args.seed,
    };
    let pool = pool(args.threads)?;
    // The hash table is cleared for every position, so it is small.
    limits::check_searchers(pool.current_num_threads(), 1, limits::FEWER_THREADS)?;
    let bar = progress_bar(u64::from(args.count), WORK);
    let set = Set { wanted, pool, bar };
    let games = found.shuffled(args.seed);
    for (variant, count) in games.iter().zip(shares(args.count, games.len() as u32)) {
        let named = if found.are_open() { format!("{}; ", variant.name()) } else { String::new() };
        set.print(variant, count, &named)?;
    }
    set.bar.finish_and_clear();
    Ok(())
}

/// A number divided among so many, as evenly as can be.
fn shares(count: u32, among: u32) -> impl Iterator<Item = u32> {
    (0..among).map(move |number| count / among + u32::from(number < count % among))
}

/// A set of openings that is being made.
struct Set {
    wanted: OpeningRequirements,
    pool: rayon::ThreadPool,
    bar: indicatif::ProgressBar,
}

impl Set {
    /// Prints so many openings of a game, each behind `named`.
    fn print(&self, variant: &Arc<Variant>, count: u32, named: &str) -> CommandResult {
        let (mut seen, mut number, mut in_vain, mut found) = (AHashSet::new(), 0, 0, 0);
        while found < count {
            let made = (number..number + BATCH).filter_map(|n| candidate(variant, &self.wanted, n));
            let fresh: Vec<Position> =
                made.filter(|position| seen.insert(position.key())).collect();
            number += BATCH;
            in_vain += BATCH;
            for position in self.even(fresh).into_iter().take((count - found) as usize) {
                self.bar.suspend(|| print(&format!("{named}{}\n", position.fen())));
                self.bar.inc(1);
                (found, in_vain) = (found + 1, 0);
            }
            if in_vain > MOST_IN_VAIN {
                return Err(format!(
                    "no new opening in {in_vain} tries after {found}; ask for more --plies or a wider --window"
                )
                .into());
            }
        }
        Ok(())
    }

    /// Those positions, in their order, in which a search finds neither side too far ahead.
    fn even(&self, positions: Vec<Position>) -> Vec<Position> {
        let check = |searcher: &mut Option<_>, position: Position| {
            let searcher = searcher.as_mut();
            let even = searcher.is_some_and(|s| is_even(&position, &self.wanted, s));
            even.then_some(position)
        };
        let checked: Vec<Option<Position>> = self.pool.install(|| {
            positions.into_par_iter().map_init(|| limits::searcher(1).ok(), check).collect()
        });
        checked.into_iter().flatten().collect()
    }
}
