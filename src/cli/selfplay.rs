//! `garrison selfplay`: games of the engine against itself, and the positions to learn from.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;

use super::games::several;
use super::samples::{Out, Writer, evaluation, searcher_or_end, shard};
use super::signals::stopped_by_signal;
use super::{CommandResult, limits, pool_or_all};
use crate::training::sample::Keep;
use crate::training::selfplay::Conditions;
use crate::training::sink::Format;

/// Let the engine play against itself and keep positions for `tune`.
///
/// Each game begins with random plies, after a random setup where the game has one, and is played with a
/// fixed number of nodes per move. Quiet positions are kept, with their score and the result of their
/// game. The same options make the same file, whatever the number of threads; after Ctrl-C or a crash,
/// --resume continues it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison selfplay --variant shoranji --games 10000 --nodes 2000 --out shoranji.gdata
  garrison selfplay --variant swda-oo --variant swda-pp --games 500 --nodes 5000 --seed 7 --out swda.gdata
  garrison selfplay --variant swda-random --games 1600 --nodes 2000 --out armies.gdata
  garrison selfplay --variant swda-oo --games 50000 --nodes 300 --keep aside --out many.gdata
  garrison selfplay --variant shoranji --games 20000 --nodes 2000 --out shoranji.gdata --resume
  garrison selfplay --variant shoranji --games 5000 --nodes 2000 --eval tuned.toml --out second.gdata
  Two parts of one run on two machines, and the file of the whole run:
    garrison selfplay --variant shoranji --games 5000 --nodes 300 --shard 1/2 --out 1.gdata
    garrison selfplay --variant shoranji --games 5000 --nodes 300 --shard 2/2 --out 2.gdata
    garrison merge 1.gdata 2.gdata --out all.gdata")]
pub(super) struct Args {
    /// The game (see `garrison variants`); with several, games of them take turns, and so do the match-ups of
    /// `swda-random`
    #[arg(long, value_name = "NAME", required = true)]
    variant: Vec<String>,
    /// Number of games in the file, or with --shard in the files of all parts
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Positions that the search visits per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How positions are written [default: text if FILE ends in .txt, or is a device or a pipe; else packed]
    #[arg(long)]
    format: Option<Format>,
    /// Seed of the random numbers; other seeds make other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that share the games [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Random plies of each opening
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=200))]
    plies: u32,
    /// Size of the transposition table of each thread in MiB
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Which positions are kept: `some`, every second or third quiet one; `all` quiet ones; `aside`, these
    /// and for each another quiet one, one or two random moves away; or `any`, the same, but those away
    /// quiet or not, for networks
    #[arg(long, value_name = "WHAT", default_value = "some", value_parser = keep_parser())]
    keep: Keep,
    /// Evaluation weights or a network to play with, as `tune` writes them [default: those that ship]
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Play only part I of N of the games (1/4 … 4/4), for a job array; `merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Continue a file that an earlier run has begun
    #[arg(long)]
    resume: bool,
}

fn keep_parser() -> impl TypedValueParser<Value = Keep> {
    let names = PossibleValuesParser::new(Keep::NAMES.map(|(name, _)| name));
    names.try_map(|name| name.parse::<Keep>())
}

pub(super) fn run(args: &Args) -> CommandResult {
    let variants = several(&args.variant.join(","), args.seed)?;
    let given = args.eval.as_deref().map(|path| evaluation(path, &variants)).transpose()?;
    let (evaluation, checksum) = given.unzip();
    let conditions = Conditions {
        variants,
        seed: args.seed,
        nodes: args.nodes,
        plies: args.plies,
        hash: args.hash,
        keep: args.keep,
        shard: shard(args.shard.as_deref(), args.games)?,
        evaluation: checksum,
    };
    let pool = pool_or_all(args.threads)?;
    let threads = pool.current_num_threads();
    limits::check_searchers(threads, args.hash, limits::FEWER_THREADS_OR_HASH)?;
    let control = stopped_by_signal()?;

    let out = Out::open(&args.out, args.format, args.resume, args.games, &conditions.header())?;
    let numbers = out.numbers(args.games);
    let writer = Mutex::new(Writer::new(out, args.games));
    let play = |searcher: &mut Option<_>, number| {
        let game =
            searcher.as_mut().and_then(|searcher| conditions.play(number, searcher, &control));
        if let Some(game) = game {
            writer.lock().unwrap_or_else(PoisonError::into_inner).take(&game, &control);
        }
    };
    let searcher = || searcher_or_end(args.hash, &evaluation, &writer, &control);
    // Games are handed out one by one: split in halves, those of the second half would wait for the first.
    let games = numbers.take_while(|_| !control.is_stopped());
    pool.install(|| games.par_bridge().for_each_init(searcher, play));

    let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    writer.end()
}
