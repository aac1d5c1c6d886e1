//! Files of positions to learn from, as `selfplay`, `rescore` and `convert` write them, packed or as text: game by game,
//! in order, whatever the number of threads, and so that an interrupted run can be resumed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use indicatif::ProgressBar;

use super::{BarLook, CommandError, CommandResult, complain, limits, print, progress_bar, signals};
use crate::engine::{Control, Evaluation, Searcher};
use crate::eval_files::read_eval_file;
use crate::files::{fault_in, open_file};
use crate::training::data::Torn;
use crate::training::game_file::{GameFile, Wanted};
use crate::training::games::Games;
use crate::training::sample::Header;
use crate::training::selfplay::Game;
use crate::training::shard::{Shard, part_of};
use crate::training::sink::{Format, Written};
use garrison_rules::{Variant, counted, shown};

/// How the bar shows games and positions.
const GAMES: BarLook =
    ("{pos}/{len} games, {msg} positions, {per_sec}, {eta} left {wide_bar}", "█░");

/// A file to read.
pub(super) fn open(path: &Path) -> Result<BufReader<File>, String> {
    open_file(path).map_err(|error| fault_in(path, &error))
}

/// The evaluation of a file and its checksum; the games must be of one family.
pub(super) fn evaluation(
    path: &Path,
    variants: &[Arc<Variant>],
) -> Result<(Evaluation, String), String> {
    let place = |fault: &dyn std::fmt::Display| fault_in(path, fault);
    let file = read_eval_file(path).map_err(|fault| place(&fault))?;
    let Some((first, rest)) = variants.split_first() else {
        return Err("needs a game".to_string());
    };
    if let Some(other) = rest.iter().find(|other| other.family() != first.family()) {
        return Err(place(&format!("cannot be for {} and {} at once", first.name(), other.name())));
    }
    let evaluation = file.evaluation(first).map_err(|error| place(&error))?;
    Ok((evaluation, format!("{:016x}", file.checksum())))
}

/// The part of a run that `--shard I/N` asks for; `None` for a whole one.
pub(super) fn shard(text: Option<&str>, games: u64) -> CommandResult<Option<Shard>> {
    let Some(text) = text else {
        return Ok(None);
    };
    let (part, parts) = part_of(text).ok_or_else(|| wrong_shard(text))?;
    Ok((parts > 1).then_some(Shard { part, parts, games }))
}

/// The fault of a `--shard` that is no `I/N`.
pub(super) fn wrong_shard(text: &str) -> String {
    format!("--shard '{}': write it as 1/4, the first of four parts", shown(text))
}

/// Passes the games of a file on, until `wants` returns false.
pub(super) fn games_of(path: &Path, wants: impl FnMut(Game) -> bool) -> CommandResult {
    let mut games = Games::new(open(path)?).map_err(|error| fault_in(path, &error))?;
    pass_on(path, &mut games, wants)?;
    warn_of_torn(path, games.torn());
    Ok(())
}

/// Prints what was left out at the end of a file, if anything was.
pub(super) fn warn_of_torn(path: &Path, torn: Option<Torn>) {
    if let Some(torn) = torn {
        complain(&format!("warning: {}", fault_in(path, &torn)));
    }
}

/// Passes games that are read from a file on, until `wants` returns false.
pub(super) fn pass_on<E: std::fmt::Display>(
    path: &Path,
    games: impl Iterator<Item = Result<Game, E>>,
    mut wants: impl FnMut(Game) -> bool,
) -> CommandResult {
    for game in games {
        if !wants(game.map_err(|error| fault_in(path, &error))?) {
            break;
        }
    }
    Ok(())
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        &[Format::Text, Format::Packed]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Format::Text => "A line each, to be read by people and other programs",
            Format::Packed => "Some forty bytes each",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// The file that is written, and its name.
pub(super) struct Out {
    file: GameFile,
    path: PathBuf,
}

impl Out {
    /// Begins a file or resumes one. No game of a greater number than `last` is wanted.
    pub fn open(
        path: &Path,
        format: Option<Format>,
        resume: bool,
        last: u64,
        header: &Header,
    ) -> Result<Out, String> {
        let wanted = Wanted { header, format, resume, any_version: false, last };
        let file = GameFile::open(path, &wanted).map_err(|fault| fault.in_file(path))?;
        Ok(Out { file, path: path.to_path_buf() })
    }

    /// The number of the game that is to be written next.
    pub fn next(&self) -> u64 {
        self.file.next()
    }

    /// The numbers of the games that are to be written, up to this one.
    pub fn numbers(&self, last: u64) -> impl Iterator<Item = u64> + Send + use<> {
        self.file.numbers(last)
    }

    fn write(&mut self, game: &Written) -> Result<(), String> {
        self.file.write(game).map_err(|fault| {
            let done = counted(self.file.games(), "whole game");
            format!("{}; it has {done}, --resume goes on", fault.in_file(&self.path))
        })
    }
}

/// The searcher of a thread. Without the memory for it, the work ends.
pub(super) fn searcher_or_end(
    mebibytes: u32,
    evaluation: &Option<Evaluation>,
    writer: &Mutex<Writer>,
    control: &Control,
) -> Option<Searcher> {
    match limits::searcher(mebibytes) {
        Ok(mut searcher) => {
            searcher.set_evaluation(evaluation.clone());
            Some(searcher)
        }
        Err(fault) => {
            writer.lock().unwrap_or_else(PoisonError::into_inner).fail(fault, control);
            None
        }
    }
}

/// Writes games in the order of their numbers, whichever ends first.
pub(super) struct Writer {
    out: Out,
    /// The greatest number of a game that the file is to have.
    last: u64,
    /// When this run began, and with how many games.
    start: Instant,
    begun: u64,
    /// Games that wait for an earlier one, by number.
    early: BTreeMap<u64, Written>,
    /// How many positions this run has written.
    positions: u64,
    fault: Option<CommandError>,
    bar: ProgressBar,
}

impl Writer {
    /// For the games up to the one of this number.
    pub fn new(out: Out, last: u64) -> Writer {
        let begun = out.file.games();
        let all = begun + out.numbers(last).count() as u64;
        let bar = progress_bar(all, GAMES).with_position(begun);
        bar.reset_eta();
        let early = BTreeMap::new();
        Writer { out, last, start: Instant::now(), begun, early, positions: 0, fault: None, bar }
    }

    /// Writes a game once all before it are written.
    pub fn take(&mut self, game: &Game, control: &Control) {
        match self.out.file.prepare(game) {
            Ok(written) => self.early.insert(game.number, written),
            Err(fault) => return self.fail(fault.in_file(&self.out.path).into(), control),
        };
        while let Some(written) = self.early.remove(&self.out.next()) {
            if let Err(fault) = self.out.write(&written) {
                return self.fail(fault.into(), control);
            }
            self.positions += written.positions();
            self.bar.set_message(self.positions.to_string());
            self.bar.inc(1);
        }
    }

    /// Ends the work: there is no memory for a thread's searcher, or the like.
    pub fn fail(&mut self, fault: CommandError, control: &Control) {
        self.fault.get_or_insert(fault);
        control.stop();
    }

    /// Prints what was done.
    pub fn end(self) -> CommandResult {
        self.bar.finish_and_clear();
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let Out { file, path } = self.out;
        let (next, all) = (file.next(), file.games());
        file.end().map_err(|fault| fault.in_file(&path))?;
        let games = counted(all - self.begun, "game");
        let positions = counted(self.positions, "position");
        let rate = self.positions as f64 / seconds.max(1e-9);
        print(&format!("{games}, {positions} in {seconds:.1} s: {rate:.1} positions/s\n"));
        if next <= self.last {
            complain(&format!("stopped before game {next}; go on with --resume"));
            signals::end();
        }
        Ok(())
    }
}
