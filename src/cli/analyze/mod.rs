//! `garrison analyze`: one position, whole games, or a suite of positions.

mod crew;
mod epd;
mod game;
mod graph;
mod json;
mod live;
mod out;
mod report;
mod suite;

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::limits::LimitArgs;
use super::position::PositionArgs;
use super::render::StyleArg;
use super::{CommandResult, refuse_shared};
use crate::engine::Limits;
use crate::review::{self, Analysis, analyze_position, annotate};

/// Analyze a position, the games of a PGN file (--pgn) or a suite of positions (--epd).
///
/// Without limits a position is searched for 3000 ms, and each position of a file to 100000 nodes, so
/// that the same file gives the same analysis. A file is read game by game or line by line; what is faulty in it is
/// reported and skipped. `-` is standard input.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("variant", |arg| arg.required(false).required_unless_present_any(["pgn", "epd"])))]
#[command(after_help = "Examples:
  garrison analyze --variant shoranji --movetime 3000
  garrison analyze --variant swda-op --moves e2e3 e7e6 --multipv 3 --infinite
  garrison analyze --variant shoogantshii --depth 6 --json | jq 'select(.type == \"best\")'
  garrison analyze --pgn games.pgn --out annotated.pgn --svg graph.svg --threads 2
  garrison analyze --pgn games.pgn --html game.html > /dev/null
  garrison analyze --pgn games.pgn --out annotated.pgn --resume
  garrison analyze --pgn - --json < games.pgn
  garrison analyze --epd mates.epd --nodes 50000")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// How many of the best moves get a line of their own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Search until Ctrl-C
    #[arg(long, conflicts_with_all = ["movetime", "depth", "nodes", "pgn", "epd"])]
    infinite: bool,
    /// Lines of JSON, for programs
    #[arg(long)]
    json: bool,
    /// Annotate every move of the games in this file. Those without a tag Variant are chess, or the game of --variant,
    /// as are those whose tag names no known game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "epd", "multipv"])]
    pgn: Option<PathBuf>,
    /// Where the annotated games go [default: standard output]
    #[arg(long, alias = "output", value_name = "FILE", requires = "pgn")]
    out: Option<PathBuf>,
    /// Continue a file (--out) that an earlier run has begun
    #[arg(long, requires = "out")]
    resume: bool,
    /// Draw the graph of the evaluation as SVG; the second game's goes to FILE-2.svg, and so on
    #[arg(long, value_name = "FILE", requires = "pgn")]
    svg: Option<PathBuf>,
    /// Write the game as a page for a browser that needs no other file: board, graph, comments, best lines; the second
    /// game's goes to FILE-2.html, and so on
    #[arg(long, value_name = "FILE", requires = "pgn")]
    html: Option<PathBuf>,
    /// How pieces look on that page
    #[arg(long, value_enum, default_value_t, requires = "html")]
    style: StyleArg,
    /// Solve the positions of this file: in each line a FEN, then bm and am moves or dm and a number
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "multipv"])]
    epd: Option<PathBuf>,
    /// Threads that search the position; those of a file share its positions, each searched by one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
}

/// The nodes for each position of a file, if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// The most MiB of the hash table for a position of a file: it is cleared for every position, so it is no larger than
/// such a search needs.
const MOST_HASH: u32 = 16;

pub(super) fn run(args: &Args) -> CommandResult {
    let written = [("--out", &args.out), ("--svg", &args.svg), ("--html", &args.html)];
    let written = written.map(|(option, path)| (option, path.as_deref()));
    refuse_shared(&written, &[("--pgn", args.pgn.as_deref())])?;
    match (&args.pgn, &args.epd) {
        (Some(path), _) => game::run(args, path),
        (_, Some(path)) => suite::run(args, path),
        _ => live::run(args),
    }
}

impl Args {
    /// The limits for each position of a file.
    fn file_limits(&self) -> Limits {
        self.limits.limits(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() })
    }

    /// The size of the hash table of a thread that analyzes positions of a file, in MiB.
    fn file_hash(&self) -> u32 {
        self.limits.hash.min(MOST_HASH)
    }
}
