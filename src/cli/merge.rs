//! `garrison merge`: the parts of a run of self-play as one file, or different runs as a pool.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressBarIter};

use super::samples::{open, warn_of_torn};
use super::signals::{self, stopped_by_signal};
use super::{BYTES, CommandResult, complain, print, progress_bar};
use crate::engine::Control;
use crate::files::{LONGEST_POSITION_LINE, WholeFile, fault_in, is_special, unwritten};
use crate::training::data::PackedError;
use crate::training::games::Games;
use crate::training::merge::{Difference, MergeFault, pool, whole};
use crate::training::sample::Header;
use crate::training::selfplay::Game;
use crate::training::sink::{Format, Sink};
use garrison_rules::{counted, find, shown};

/// Join the parts of a run of `selfplay` or `rescore` into one file.
///
/// The file is the one that the run would have made without --shard. Parts that are missing, given twice, not finished or
/// of other runs are refused. With --pool, files of different runs are joined, whatever they have; their games are numbered
/// anew. (Parts of a match are joined by `match --merge`.)
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison selfplay --variant shoranji --games 5000 --nodes 300 --shard 1/2 --out 1.gdata
  garrison selfplay --variant shoranji --games 5000 --nodes 300 --shard 2/2 --out 2.gdata
  garrison merge 1.gdata 2.gdata --out all.gdata
  garrison merge --pool monday.gdata tuesday.gdata --out both.gdata")]
pub(super) struct Args {
    /// The files to join
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How positions are written [default: text if the name ends in .txt, or is that of a device or a pipe; else packed]
    #[arg(long)]
    format: Option<Format>,
    /// Join different runs of games of one family, and parts of runs as far as they are there
    #[arg(long)]
    pool: bool,
}

/// A file to join.
type Input = Games<ProgressBarIter<BufReader<File>>>;

pub(super) fn run(args: &Args) -> CommandResult {
    let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    let bar = progress_bar(args.files.iter().map(length).sum(), BYTES);
    let inputs = args.files.iter().map(|path| input(path, &bar));
    let mut inputs: Vec<Input> = inputs.collect::<Result<_, _>>()?;
    let headers: Vec<Header> = inputs.iter().map(|input| input.header().clone()).collect();
    // The one part of a run in one part (--shard 1/1) is the whole run.
    let is_whole = headers.len() == 1 && headers[0].part().is_none();
    let (header, order) =
        if is_whole { (headers[0].clone(), vec![0]) } else { joined(args, &headers)? };
    if !is_special(&args.out) && args.out.exists() {
        return Err(fault_in(&args.out, &"exists; choose another name").into());
    }
    let control = stopped_by_signal()?;
    let mut out = Joined::begin(args, &header, &control)?;
    if args.pool || is_whole {
        append(&args.files, &mut inputs, &mut out)?;
    } else {
        let games = headers[order[0]].part().map_or(0, |part| part.games);
        interleave(&args.files, &mut inputs, &order, games, &mut out)?;
    }
    bar.finish_and_clear();
    out.end(args.files.len())
}

/// Opens a file and reads its first line.
fn input(path: &Path, bar: &ProgressBar) -> CommandResult<Input> {
    Ok(Games::new(bar.wrap_read(open(path)?)).map_err(|error| fault_in(path, &error))?)
}

/// The header of the file to write, and the order of the files.
fn joined(args: &Args, headers: &[Header]) -> CommandResult<(Header, Vec<usize>)> {
    let found = if args.pool {
        of_one_family(&args.files, headers)?;
        pool(headers).map(|header| (header, Vec::new()))
    } else {
        whole(headers)
    };
    let (header, order) = found.map_err(|fault| in_words(&args.files, &fault))?;
    if header.to_string().len() as u64 > LONGEST_POSITION_LINE {
        let runs = counted(header.runs().count() as u64, "run");
        return Err(format!(
            "a pool of {runs} is too large: its first line has more than {LONGEST_POSITION_LINE} bytes"
        )
        .into());
    }
    Ok((header, order))
}

/// A fault as a line that names the files.
fn in_words(files: &[PathBuf], fault: &MergeFault) -> String {
    let name = |file: usize| shown(&files[file].to_string_lossy()).to_string();
    match fault {
        MergeFault::NoPart { file } => {
            fault_in(&files[*file], &"is no part of a run (--shard); --pool joins different runs")
        }
        MergeFault::Unlike { file, difference } => {
            let Difference { found, expected, .. } = difference;
            let what = difference.what();
            let first = name(0);
            fault_in(&files[*file], &format!("has {what} {found}, but '{first}' has {expected}"))
        }
        MergeFault::Twice { file, before } => {
            fault_in(&files[*file], &format!("has the same games as '{}'", name(*before)))
        }
        MergeFault::Missing { .. } => fault.to_string(),
    }
}

/// Makes sure that one evaluation can learn from all games.
fn of_one_family(files: &[PathBuf], headers: &[Header]) -> CommandResult {
    let mut first = None;
    for (path, header) in files.iter().zip(headers) {
        for name in header.runs().flat_map(|run| &run.variants) {
            let variant = find(name).map_err(|unknown| fault_in(path, &unknown))?;
            let (first_path, first) = first.get_or_insert_with(|| (path, variant.clone()));
            if first.family() != variant.family() {
                let other = shown(&first_path.to_string_lossy()).to_string();
                let family = first.name();
                let fault =
                    format!("{name} is no game of the family of {family}, which '{other}' has");
                return Err(fault_in(path, &fault).into());
            }
        }
    }
    Ok(())
}

/// Writes the games of all parts in the order of their numbers.
fn interleave(
    files: &[PathBuf],
    inputs: &mut [Input],
    order: &[usize],
    games: u64,
    out: &mut Joined,
) -> CommandResult {
    let in_turn = order.iter().cycle();
    for (number, &file) in (1..=games).zip(in_turn) {
        let Some(game) = next(&files[file], &mut inputs[file])? else {
            let fault = format!(
                "ends before game {number} of {games}; finish it with --resume, or join what there is with --pool"
            );
            return Err(fault_in(&files[file], &fault).into());
        };
        out.write(&game)?;
    }
    for (path, input) in files.iter().zip(inputs) {
        if next(path, input)?.is_some() {
            return Err(fault_in(
                path,
                &format!("has more games than the {games} of its first line"),
            )
            .into());
        }
        if input.torn().is_some() {
            return Err(fault_in(path, &"ends within a game; finish it with --resume").into());
        }
    }
    Ok(())
}

/// Writes the games of one file after the other, numbered anew.
fn append(files: &[PathBuf], inputs: &mut [Input], out: &mut Joined) -> CommandResult {
    let mut number = 0;
    for (path, input) in files.iter().zip(inputs) {
        while let Some(game) = next(path, input)? {
            number += 1;
            out.write(&Game { number, ..game })?;
        }
        warn_of_torn(path, input.torn());
    }
    Ok(())
}

/// The next game of a file.
fn next(path: &Path, input: &mut Input) -> CommandResult<Option<Game>> {
    Ok(input.next().transpose().map_err(|error| fault_in(path, &error))?)
}

/// The file that is written: whole or not at all.
struct Joined<'a> {
    sink: Sink<WholeFile>,
    path: &'a Path,
    control: &'a Control,
    games: u64,
    positions: u64,
}

impl Joined<'_> {
    fn begin<'a>(
        args: &'a Args,
        header: &Header,
        control: &'a Control,
    ) -> CommandResult<Joined<'a>> {
        let path = args.out.as_path();
        let file = WholeFile::create(path).map_err(|error| unwritten(path, &error))?;
        let sink = Sink::begin_stream(file, Format::of(path, args.format), header);
        let sink = sink.map_err(|error| match error {
            PackedError::Io(_) => unwritten(path, &error),
            error => fault_in(path, &error),
        })?;
        Ok(Joined { sink, path, control, games: 0, positions: 0 })
    }

    fn write(&mut self, game: &Game) -> CommandResult {
        let written = self.sink.prepare(game).and_then(|game| self.sink.write(&game));
        written.map_err(|error| unwritten(self.path, &error))?;
        self.games += 1;
        self.positions += game.samples.len() as u64;
        if self.control.is_stopped() {
            self.sink.get_mut().discard();
            complain("stopped; nothing is written");
            signals::end();
        }
        Ok(())
    }

    /// Puts the file in its place and prints what is in it.
    fn end(self, files: usize) -> CommandResult {
        let Joined { sink, path, games, positions, .. } = self;
        let put = sink.end().and_then(WholeFile::commit);
        put.map_err(|error| unwritten(path, &error))?;
        let [games, positions] =
            [(games, "game"), (positions, "position")].map(|(number, what)| counted(number, what));
        let files = counted(files as u64, "file");
        print(&format!("{games}, {positions} of {files}\n"));
        Ok(())
    }
}
