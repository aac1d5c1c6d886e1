//! `garrison perft`: counts of legal move paths, also the measure of the move generator's speed.

use std::fmt::Write;
use std::time::Instant;

use clap::Args as ClapArgs;

use super::position::PositionArgs;
use super::{CommandResult, pool, print};
use crate::divide::divide;
use garrison_rules::shown;

/// Count legal move paths.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison perft --variant shoranji 4 --divide
  garrison perft --variant swda-op --moves=\"e2e3 e7e6\" 5 --threads 2")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Plies, up to 64
    depth: Option<String>,
    /// Also show the count of each legal move
    #[arg(long)]
    divide: bool,
    /// How many threads share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub(super) fn run(args: &Args) -> CommandResult {
    // Behind `--moves` the depth reads as one more of them.
    let (moves, depth) = match (&args.depth, args.position.moves.split_last()) {
        (None, Some((depth, moves))) => (moves, Some(depth)),
        (depth, _) => (args.position.moves.as_slice(), depth.as_ref()),
    };
    let depth = depth.ok_or("perft needs a depth, as in: garrison perft --variant swda 4")?;
    let fault = || format!("depth '{}' is no number from 0 to 64", shown(depth));
    let depth = depth.parse().ok().filter(|depth| *depth <= 64).ok_or_else(fault)?;
    let position = args.position.position_after(moves)?;
    let pool = pool(args.threads)?;
    let start = Instant::now();
    let counts = pool.install(|| divide(&position, depth));
    let seconds = start.elapsed().as_secs_f64();
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, _, nodes)| nodes).sum() };
    let mut text = String::new();
    if args.divide {
        for (_, mv, nodes) in &counts {
            let _ = writeln!(text, "{mv}: {nodes}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "Nodes searched: {total}");
    let _ =
        writeln!(text, "Time: {seconds:.3} s, {:.1} M/s", total as f64 / seconds.max(1e-9) / 1e6);
    print(&text);
    Ok(())
}
