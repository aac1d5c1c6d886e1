//! `garrison bench`: fixed searches, the same nodes on every machine.

use clap::Args as ClapArgs;

use super::{CommandResult, on_large_stack, print};
use crate::engine::{Control, bench};

/// Search fixed positions of every game, from the start and the middle.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "A line for each game, '<game>: <nodes> nodes <speed> nps'; the last line is '<nodes> nodes <speed> nps'.

Examples:
  garrison bench
  garrison bench 8"
)]
pub(super) struct Args {
    /// Plies; positions with few moves are searched some plies deeper
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(i64::from(*bench::DEPTHS.start())..=i64::from(*bench::DEPTHS.end())))]
    depth: u32,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let report = |item: &bench::Item| print(&format!("{item}\n"));
    let total = on_large_stack(|| bench::run(args.depth, &Control::new(false), report))?;
    let total = total.map_err(|error| format!("bench {error}"))?;
    print(&format!("{}\n", total.summary()));
    Ok(())
}
