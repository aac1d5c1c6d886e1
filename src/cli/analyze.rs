//! `garrison analyze`: the board, the principal variation as it grows, the best move.

use std::time::Duration;

use clap::Args as ClapArgs;

use super::position::PositionArgs;
use super::{CommandResult, on_large_stack, print};
use crate::engine::{Control, Limits, Progress, Search, Table};
use crate::rules::{Position, Status};

/// Search a position and show the board, the principal variation as it grows, the best move.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Example: garrison analyze --variant shoranji --movetime 3000")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Time to search, in milliseconds [default: 3000, if there is no other limit]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Plies to search
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Positions to visit
    #[arg(long)]
    nodes: Option<u64>,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

const DEFAULT_TIME: Duration = Duration::from_millis(3000);

pub(super) fn run(args: &Args) -> CommandResult {
    let position = args.position.position()?;
    let unlimited = args.movetime.is_none() && args.depth.is_none() && args.nodes.is_none();
    let limits = Limits {
        move_time: args.movetime.map(Duration::from_millis).or(unlimited.then_some(DEFAULT_TIME)),
        depth: args.depth,
        nodes: args.nodes,
        ..Limits::default()
    };
    let table = Table::new(args.hash as usize)
        .ok_or_else(|| format!("no memory for --hash {}", args.hash))?;
    print(&heading(&position));
    if let Status::Over(_) = position.status() {
        print(&format!("The game is over: {}\n", position.status()));
        return Ok(());
    }
    print("depth    score       nodes    time  line\n");
    let search = || {
        let control = Control::new(false);
        Search::new(&position, &limits, &control, &table)
            .run(|progress| print(&progress_line(&position, progress)))
    };
    let found = on_large_stack(search)?;
    let best = found.best.map_or("none".to_string(), |mv| position.move_text(mv));
    print(&format!("\nBest move: {best}\n"));
    Ok(())
}

fn heading(position: &Position) -> String {
    let variant = position.variant();
    let turn = if position.setup_phase().is_pending() { "to set up" } else { "to move" };
    format!(
        "{} ({})\n\n{}\nFen: {}\n{} {turn}\n\n",
        variant.info().title,
        variant.name(),
        position.picture(),
        position.fen(),
        position.side()
    )
}

fn progress_line(position: &Position, progress: &Progress) -> String {
    format!(
        "{:>5} {:>8} {:>11} {:>6.2}s  {}\n",
        progress.depth,
        progress.score.readable(),
        progress.nodes,
        progress.time.as_secs_f64(),
        position.line_text(&progress.pv).join(" ")
    )
}
