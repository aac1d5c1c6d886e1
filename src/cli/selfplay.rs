//! `garrison selfplay`: games of the engine against itself, and the positions to learn from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::position::unknown_variant;
use super::{BarLook, CommandResult, limits, pool_or_all, print, progress_bar};
use crate::engine::{Control, Evaluation};
use crate::rules::{Variant, find, shown};
use crate::training::sample::{self, Header, Keep, Line};
use crate::training::selfplay::{Conditions, Game};

/// Let the engine play against itself and keep positions for `tune`.
///
/// Each game begins with random plies, behind a random setup where the game has one, and goes on with
/// a fixed number of nodes a move. Kept are quiet positions with their score and the result of their
/// game. The same options make the same file, whatever the number of threads; after Ctrl-C or a crash,
/// --resume goes on with it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison selfplay --variant shoranji --games 10000 --nodes 2000 --out shoranji.txt
  garrison selfplay --variant swda-oo --variant swda-pp --games 500 --nodes 5000 --seed 7 --out swda.txt
  garrison selfplay --variant swda-oo --games 50000 --nodes 300 --keep aside --out many.txt
  garrison selfplay --variant shoranji --games 20000 --nodes 2000 --out shoranji.txt --resume
  garrison selfplay --variant shoranji --games 5000 --nodes 2000 --eval tuned.toml --out second.txt")]
pub(super) struct Args {
    /// The game (see `garrison variants`); with several, games of them take turns
    #[arg(long, value_name = "NAME", required = true)]
    variant: Vec<String>,
    /// How many games the file is to have
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Positions that the search visits for a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Other seeds make other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads share the games [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Random plies of each opening
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=200))]
    plies: u32,
    /// Size of the hash table of each thread in MiB
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Which positions are kept: `some`, every second or third; `all`; or `aside`, all and for each
    /// one a random move or two away, for networks
    #[arg(long, value_name = "WHAT", default_value = "some", value_parser = keep_parser())]
    keep: Keep,
    /// The evaluation table to play with, as `tune` writes it [default: the program's own]
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Go on with a file that an earlier run has begun
    #[arg(long)]
    resume: bool,
}

fn keep_parser() -> impl TypedValueParser<Value = Keep> {
    let names = PossibleValuesParser::new(Keep::NAMES.map(|(name, _)| name));
    names.try_map(|name| name.parse::<Keep>())
}

/// How the bar shows games and positions.
const GAMES: BarLook =
    ("{bar:30} {pos}/{len} games, {msg} positions, {per_sec} (about {eta} left)", "█░");

pub(super) fn run(args: &Args) -> CommandResult {
    let found = args.variant.iter().map(|name| find(name).ok_or_else(|| unknown_variant(name)));
    let variants: Vec<Arc<Variant>> = found.collect::<Result<_, _>>()?;
    let given = args.eval.as_deref().map(|path| table(path, &variants)).transpose()?;
    let (evaluation, sum) = given.unzip();
    let conditions = Conditions {
        variants,
        seed: args.seed,
        nodes: args.nodes,
        plies: args.plies,
        hash: args.hash,
        keep: args.keep,
        table: sum,
    };
    let pool = pool_or_all(args.threads)?;
    limits::searcher(args.hash)?;
    let control = Arc::new(Control::new(false));
    let stopped = Arc::clone(&control);
    ctrlc::set_handler(move || stopped.stop()).map_err(|error| format!("Ctrl-C: {error}"))?;

    let out = Out::open(args, &conditions.header())?;
    let (first, start) = (out.next, Instant::now());
    let bar = progress_bar(args.games, GAMES).with_position(first - 1);
    bar.reset_eta();
    let writer = Mutex::new(Writer {
        out,
        early: BTreeMap::new(),
        positions: 0,
        fault: None,
        bar: bar.clone(),
    });
    let play = |searcher: &mut Option<_>, number| {
        let game =
            searcher.as_mut().and_then(|searcher| conditions.play(number, searcher, &control));
        if let Some(game) = game {
            writer.lock().unwrap_or_else(PoisonError::into_inner).take(&game, &control);
        }
    };
    let searcher = || {
        let mut searcher = limits::searcher(args.hash).ok()?;
        searcher.set_evaluation(evaluation.clone());
        Some(searcher)
    };
    // Taken one by one: else half of them would wait for the other half to be written.
    pool.install(|| (first..=args.games).par_bridge().for_each_init(searcher, play));

    let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    bar.finish_and_clear();
    writer.end(args, first, start)
}

/// The evaluation table of a file and its checksum; the games must share their men.
fn table(path: &Path, variants: &[Arc<Variant>]) -> Result<(Evaluation, String), String> {
    let place =
        |fault: &dyn std::fmt::Display| format!("'{}': {fault}", shown(&path.to_string_lossy()));
    let text = std::fs::read_to_string(path).map_err(|error| place(&error))?;
    let Some((first, rest)) = variants.split_first() else {
        return Err("needs a game".to_string());
    };
    if let Some(other) = rest.iter().find(|other| other.family() != first.family()) {
        return Err(place(&format!("cannot be for {} and {} at once", first.name(), other.name())));
    }
    let evaluation = Evaluation::from_text(first, &text).map_err(|error| place(&error))?;
    Ok((evaluation, format!("{:016x}", checksum(&text))))
}

/// FNV-1a in 64 bits: the same on every machine, so that --resume knows the table again.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The file, with all games before the next one.
struct Out {
    file: File,
    path: PathBuf,
    /// The number of the game that is to be written next.
    next: u64,
}

impl Out {
    /// Begins a file or goes on with one; its last game may not be whole and is played again.
    fn open(args: &Args, header: &Header) -> Result<Out, String> {
        let path = &args.out;
        let place = |fault: &dyn std::fmt::Display| {
            format!("'{}': {fault}", shown(&path.to_string_lossy()))
        };
        let old = std::fs::metadata(path).map_or(0, |data| data.len());
        if old > 0 && !args.resume {
            return Err(place(&"exists; --resume goes on with it, or take another name"));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(|error| place(&error))?;
        let first_line = format!("{header}\n");
        let (kept, next) = if is_torn(&file, &first_line, old).map_err(|error| place(&error))? {
            (0, 1)
        } else {
            last_game(&mut file, header, first_line.len() as u64).map_err(|fault| place(&fault))?
        };
        // A file that has more games than are wanted loses none.
        let kept = if next > args.games { old } else { kept };
        let cut = file.set_len(kept).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| place(&error))?;
        if kept == 0 {
            file.write_all(first_line.as_bytes()).map_err(|error| place(&error))?;
        }
        Ok(Out { file, path: path.to_path_buf(), next })
    }

    /// Writes the next game in one go, so that a crash leaves at most one in part.
    fn write(&mut self, text: &str) -> CommandResult {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| format!("'{}': {error}", shown(&self.path.to_string_lossy())))?;
        self.next += 1;
        Ok(())
    }
}

/// Whether a file has no more than a part of its first line.
fn is_torn(mut file: &File, first_line: &str, length: u64) -> std::io::Result<bool> {
    use std::io::Read;
    if length >= first_line.len() as u64 {
        return Ok(false);
    }
    let mut found = Vec::new();
    file.read_to_end(&mut found)?;
    file.rewind()?;
    Ok(first_line.as_bytes().starts_with(&found))
}

/// Where the last game of a file begins, in bytes, and its number; the end of the header and 1 if there
/// is none.
fn last_game(file: &mut File, header: &Header, start: u64) -> Result<(u64, u64), String> {
    let mut last = (start, 1);
    let found = sample::read(BufReader::new(file), |line, at| {
        if let Line::Game(number) = line {
            last = (at, number);
        }
        Ok(())
    });
    let found = found.map_err(|error| error.to_string())?;
    if found != *header {
        return Err(format!("has other games, '{found}'; it cannot be gone on with"));
    }
    Ok(last)
}

/// Writes games in their order, whatever the order they end in.
struct Writer {
    out: Out,
    /// The text and number of positions of games whose turn has not come.
    early: BTreeMap<u64, (String, u64)>,
    /// How many positions this run has written.
    positions: u64,
    fault: Option<String>,
    bar: ProgressBar,
}

impl Writer {
    fn take(&mut self, game: &Game, control: &Control) {
        let mut text = format!("# game {}\n", game.number);
        for sample in &game.samples {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{sample}");
        }
        self.early.insert(game.number, (text, game.samples.len() as u64));
        while let Some((text, samples)) = self.early.remove(&self.out.next) {
            if let Err(fault) = self.out.write(&text) {
                self.fault.get_or_insert(fault);
                control.stop();
                return;
            }
            self.positions += samples;
            self.bar.set_message(self.positions.to_string());
            self.bar.inc(1);
        }
    }

    /// Says what was done.
    fn end(self, args: &Args, first: u64, start: Instant) -> CommandResult {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let (games, seconds) = (self.out.next - first, start.elapsed().as_secs_f64());
        let rate = self.positions as f64 / seconds.max(1e-9);
        print(&format!(
            "{games} games, {} positions in {seconds:.1} s: {rate:.1} positions/s\n",
            self.positions
        ));
        if self.out.next <= args.games {
            eprintln!("garrison: stopped before game {}; go on with --resume", self.out.next);
            std::process::exit(130);
        }
        Ok(())
    }
}
