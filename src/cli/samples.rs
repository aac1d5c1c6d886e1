//! Files of positions to learn from, as `selfplay` and `rescore` write them: game by game, in order,
//! whatever the number of threads, and so that an interrupted run can be resumed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;

use super::{BarLook, CommandError, CommandResult, complain, limits, print, progress_bar, signals};
use crate::engine::{Control, Evaluation, Searcher};
use crate::eval_files::read_eval_file;
use crate::files::{fault_in, is_special, open_file};
use crate::training::sample::{self, Header, Line};
use crate::training::selfplay::Game;
use garrison_rules::{Variant, counted};

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

/// The file, with all games before the next one.
pub(super) struct Out {
    file: File,
    path: PathBuf,
    next: u64,
}

impl Out {
    /// Begins a file or resumes one; its last game may be incomplete and is played again. `games` is the
    /// number of games that the file is to have.
    pub fn open(path: &Path, resume: bool, games: u64, header: &Header) -> Result<Out, String> {
        let place = |fault: &dyn std::fmt::Display| fault_in(path, fault);
        let unwritten = |fault: &std::io::Error| format!("cannot write {}", fault_in(path, fault));
        if is_special(path) {
            return Out::begin(path, header).map_err(|error| unwritten(&error));
        }
        let old = std::fs::metadata(path).map_or(0, |data| data.len());
        if old > 0 && !resume {
            return Err(place(&"exists; --resume goes on with it, or take another name"));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(|error| unwritten(&error))?;
        let first_line = format!("{header}\n");
        let (kept, next) = if is_torn(&file, &first_line, old).map_err(|error| place(&error))? {
            (0, 1)
        } else {
            last_game(&mut file, header, first_line.len() as u64).map_err(|fault| place(&fault))?
        };
        // A file that has more games than are wanted loses none.
        let kept = if next > games { old } else { kept };
        let cut = file.set_len(kept).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| unwritten(&error))?;
        if kept == 0 {
            file.write_all(first_line.as_bytes()).map_err(|error| unwritten(&error))?;
        }
        Ok(Out { file, path: path.to_path_buf(), next })
    }

    /// Begins to write to a device or a pipe, which keeps nothing that could be continued.
    fn begin(path: &Path, header: &Header) -> std::io::Result<Out> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        writeln!(file, "{header}")?;
        Ok(Out { file, path: path.to_path_buf(), next: 1 })
    }

    /// The number of the game that is to be written next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Writes the next game in one go, so that a crash leaves at most one in part.
    fn write(&mut self, text: &str) -> CommandResult {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| {
            let place = fault_in(&self.path, &error);
            let done = self.next - 1;
            format!(
                "cannot write {place}; it has {}, --resume goes on",
                counted(done, "whole game")
            )
        })?;
        self.next += 1;
        Ok(())
    }
}

/// Whether a file has no more than a part of its first line.
fn is_torn(mut file: &File, first_line: &str, length: u64) -> std::io::Result<bool> {
    if length >= first_line.len() as u64 {
        return Ok(false);
    }
    let mut found = Vec::new();
    file.take(first_line.len() as u64).read_to_end(&mut found)?;
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
    /// The number of games that the file is to have.
    games: u64,
    /// When this run began, and with which game.
    start: Instant,
    first: u64,
    /// The text and number of positions of games that wait for an earlier one.
    early: BTreeMap<u64, (String, u64)>,
    /// How many positions this run has written.
    positions: u64,
    fault: Option<CommandError>,
    bar: ProgressBar,
}

impl Writer {
    pub fn new(out: Out, games: u64) -> Writer {
        let first = out.next;
        let bar = progress_bar(games, GAMES).with_position(first - 1);
        bar.reset_eta();
        let early = BTreeMap::new();
        Writer { out, games, start: Instant::now(), first, early, positions: 0, fault: None, bar }
    }

    /// Writes a game once all before it are written.
    pub fn take(&mut self, game: &Game, control: &Control) {
        let mut text = format!("# game {}\n", game.number);
        for sample in &game.samples {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{sample}");
        }
        self.early.insert(game.number, (text, game.samples.len() as u64));
        while let Some((text, samples)) = self.early.remove(&self.out.next) {
            if let Err(fault) = self.out.write(&text) {
                return self.fail(fault, control);
            }
            self.positions += samples;
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
        let games = counted(self.out.next - self.first, "game");
        let positions = counted(self.positions, "position");
        let rate = self.positions as f64 / seconds.max(1e-9);
        print(&format!("{games}, {positions} in {seconds:.1} s: {rate:.1} positions/s\n"));
        if self.out.next <= self.games {
            complain(&format!("stopped before game {}; go on with --resume", self.out.next));
            signals::end();
        }
        Ok(())
    }
}
