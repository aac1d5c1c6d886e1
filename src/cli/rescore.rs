//! `garrison rescore`: new scores for positions of self-play, and scores for those of PGN.

use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args as ClapArgs;
use rayon::prelude::*;

use super::samples::{Out, Writer, evaluation, games_of, open, pass_on, searcher_or_end, shard};
use super::signals::stopped_by_signal;
use super::{CommandResult, complain, limits, pool_or_all, skipped_game};
use crate::files::fault_in;
use crate::record::pgn::Fallback;
use crate::training::pgn;
use crate::training::sample::{self, Header, Rescored};
use crate::training::selfplay::{Game, rescore};
use crate::training::sink::Format;
use garrison_rules::find;

/// Give the positions of a file of `selfplay` new scores, or those of a PGN file scores.
///
/// Every position is searched, in the order of its game; those that are not quiet by the new search
/// are left out. Use it to learn from games that an earlier evaluation played, with the scores of a later
/// one or of a deeper search, or from games of people and of other engines (`garrison match --pgn`), whose results
/// count as those of self-play do. The same options make the same file, whatever the number of threads; after
/// Ctrl-C or a crash, --resume continues it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison rescore --data games.gdata --nodes 150 --out again.gdata
  garrison rescore --data games.gdata --nodes 150 --eval network.toml --out again.gdata --resume
  garrison rescore --data games.gdata --nodes 150 --shard 2/8 --out 2.gdata     and `merge` joins the parts
  garrison rescore --data match.pgn --nodes 1000 --out match.gdata              to learn from any games")]
pub(super) struct Args {
    /// A file of `garrison selfplay`, packed or text, or (*.pgn) of any games
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// The game of records of PGN without a known tag Variant [default: chess where they have none]
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Positions that the search visits per score
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How positions are written [default: text if FILE ends in .txt, or is a device or a pipe; else packed]
    #[arg(long)]
    format: Option<Format>,
    /// Threads that share the games [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Evaluation weights or a network to search with, as `tune` writes them [default: those that ship]
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Rescore only part I of N of the games (1/4 … 4/4), for a job array; `merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Continue a file that an earlier run has begun
    #[arg(long)]
    resume: bool,
}

/// The most games that are read before a thread is free for them.
const AHEAD: usize = 64;

pub(super) fn run(args: &Args) -> CommandResult {
    let source = Source::of(args)?;
    let (mut header, games) = source.survey()?;
    let found = header.variants_of_all_runs().into_iter();
    let found = found.map(|name| find(name).map_err(|unknown| fault_in(&args.data, &unknown)));
    let variants: Vec<_> = found.collect::<Result<_, _>>()?;
    let given = args.eval.as_deref().map(|path| evaluation(path, &variants)).transpose()?;
    let (evaluation, checksum) = given.unzip();
    header.set_rescored(&Rescored { nodes: args.nodes, evaluation: checksum });
    let last = part(args, &mut header, games)?;
    let pool = pool_or_all(args.threads)?;
    let threads = pool.current_num_threads();
    limits::check_searchers(threads, header.hash, limits::FEWER_THREADS)?;
    let control = stopped_by_signal()?;

    let out = Out::open(&args.out, args.format, args.resume, last, &header)?;
    let (first, shard) = (out.next(), header.part());
    let writer = Mutex::new(Writer::new(out, last));
    let (sender, receiver) = sync_channel(AHEAD);
    let judge = |searcher: &mut Option<_>, game: Game| {
        let again = |searcher: &mut _| rescore(&game, header.keep, args.nodes, searcher, &control);
        let new = searcher.as_mut().and_then(again);
        if let Some(new) = new {
            writer.lock().unwrap_or_else(PoisonError::into_inner).take(&new, &control);
        }
    };
    let searcher = || searcher_or_end(header.hash, &evaluation, &writer, &control);
    let read = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let sender = sender;
            source.pass_on(|game| {
                // Nobody receives it once the run was stopped.
                let is_wanted =
                    game.number >= first && shard.is_none_or(|shard| shard.contains(game.number));
                !is_wanted || !control.is_stopped() && sender.send(game).is_ok()
            })
        });
        pool.install(|| receiver.into_iter().par_bridge().for_each_init(searcher, judge));
        reader.join().unwrap_or_else(|_| Err("the reader failed".into()))
    });
    read?;
    writer.into_inner().unwrap_or_else(PoisonError::into_inner).end()
}

/// Where the positions come from.
enum Source<'a> {
    /// A file of positions.
    Positions(&'a Path),
    /// A file of PGN, and which game its records are of where they do not say so.
    Pgn(&'a Path, Fallback),
}

impl Source<'_> {
    /// What the options name: a file is PGN if its name says so.
    fn of(args: &Args) -> CommandResult<Source<'_>> {
        let path = args.data.as_path();
        if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn")) {
            return Ok(Source::Pgn(path, Fallback::to(args.variant.as_deref())?));
        }
        match args.variant {
            Some(_) => {
                Err("--variant is for PGN; a file of positions says which game it is of".into())
            }
            None => Ok(Source::Positions(path)),
        }
    }

    /// The header of the file to be written, and how many games there are. Reports games that cannot be read.
    fn survey(&self) -> CommandResult<(Header, u64)> {
        match self {
            Source::Positions(path) => {
                let surveyed = sample::survey(open(path)?);
                Ok(surveyed.map_err(|error| fault_in(path, &error))?)
            }
            Source::Pgn(path, fallback) => {
                let is_named = fallback.unknown.is_some();
                let surveyed = pgn::survey(open(path)?, fallback.clone(), |fault| {
                    complain(&skipped_game(path, fault, is_named));
                });
                let (header, games) = surveyed.map_err(|error| fault_in(path, &error))?;
                match (header.variants.is_empty(), games) {
                    (false, _) => Ok((header, games)),
                    (true, 0) => Err(fault_in(path, &"has no games").into()),
                    (true, _) => Err(fault_in(path, &"has no game that can be read").into()),
                }
            }
        }
    }

    /// Passes the games on, until `wants` returns false.
    fn pass_on(&self, wants: impl FnMut(Game) -> bool) -> CommandResult {
        match self {
            Source::Positions(path) => games_of(path, wants),
            Source::Pgn(path, fallback) => {
                pass_on(path, pgn::games(open(path)?, fallback.clone()), wants)
            }
        }
    }
}

/// Notes in the header which part of the file's games is rescored; the greatest number of a game of it.
fn part(args: &Args, header: &mut Header, games: u64) -> CommandResult<u64> {
    let last = header.last_game(games);
    let Some(shard) = shard(args.shard.as_deref(), last)? else {
        return Ok(last);
    };
    let fault = match header.part() {
        Some(part) => Some(format!("is part {} of a run itself", part.name())),
        None if header.runs().count() > 1 => Some("is a pool of several runs".to_string()),
        None => None,
    };
    if let Some(fault) = fault {
        let fault = format!("{fault}; rescore it without --shard");
        return Err(fault_in(&args.data, &fault).into());
    }
    header.shard = Some(shard);
    Ok(last)
}
