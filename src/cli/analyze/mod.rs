//! `garrison analyze`: one position, whole games, or a suite of positions.

mod game;
mod graph;
mod live;
mod suite;

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::CommandResult;
use super::limits::LimitArgs;
use super::position::PositionArgs;
use crate::engine::{Control, Limits, Score, SearchEvent, SearchInfo, Searcher, evaluate};
use garrison_rules::{Move, Position};

/// Analyze a position, the games of a PGN file (--pgn) or a suite of positions (--epd).
///
/// Without limits a position is searched for 3000 ms, and each position of a file to 100000 nodes, so
/// that the same file gives the same analysis.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("variant", |arg| arg.required(false).required_unless_present_any(["pgn", "epd"])))]
#[command(after_help = "Examples:
  garrison analyze --variant shoranji --movetime 3000
  garrison analyze --variant swda-op --moves e2e3 e7e6 --multipv 3 --infinite
  garrison analyze --variant shoogantshii --depth 6 --json | jq 'select(.type == \"best\")'
  garrison analyze --pgn games.pgn --output annotated.pgn --svg graph.svg --threads 2
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
    #[arg(long, conflicts_with = "pgn")]
    json: bool,
    /// Annotate every move of the games in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "epd", "multipv"])]
    pgn: Option<PathBuf>,
    /// Where the annotated games go [default: standard output]
    #[arg(long, value_name = "FILE", requires = "pgn")]
    output: Option<PathBuf>,
    /// Draw the graph of the evaluation as SVG; the second game's goes to FILE-2.svg, and so on
    #[arg(long, value_name = "FILE", requires = "pgn")]
    svg: Option<PathBuf>,
    /// Solve the positions of this file: in each line a FEN, then bm and am moves or dm and a number
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "multipv"])]
    epd: Option<PathBuf>,
    /// How many threads share the positions of a file
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// The nodes for each position of a file, if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

pub(super) fn run(args: &Args) -> CommandResult {
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

    /// A searcher for a thread that analyzes positions of a file. Its hash table is cleared for every
    /// position, so it is no larger than such a search needs.
    fn file_searcher(&self) -> Option<Searcher> {
        Searcher::new(self.limits.hash.min(16) as usize)
    }
}

/// The result of a search.
#[derive(Debug, Clone)]
struct Analysis {
    /// For the side to move.
    score: Score,
    /// Plies.
    depth: u32,
    pv: Vec<Move>,
    nodes: u64,
}

/// Searches with an empty hash table; `None` if the game is over.
fn analyze_position(
    position: &Position,
    limits: &Limits,
    searcher: &mut Searcher,
) -> Option<Analysis> {
    analyze_with(position, limits, searcher, |_| {})
}

/// The same; `on_line` is called with every line that the search reports.
fn analyze_with(
    position: &Position,
    limits: &Limits,
    searcher: &mut Searcher,
    mut on_line: impl FnMut(&SearchInfo),
) -> Option<Analysis> {
    searcher.clear();
    let control = Control::new(false);
    let mut analysis = None;
    let found = searcher.search(position, limits, &control, |news| {
        if let SearchEvent::Info(found) = news {
            let (score, depth, pv) = (found.score, found.depth, found.pv.clone());
            analysis = Some(Analysis { score, depth, pv, nodes: found.nodes });
            on_line(found);
        }
    });
    // A limit may end the search before its first line: then the static evaluation counts.
    let unsearched = |mv| {
        let (score, nodes) = (evaluate(position), searcher.nodes());
        Analysis { score, depth: 0, pv: vec![mv], nodes }
    };
    analysis.or_else(|| found.best.map(unsearched))
}
