//! Files of positions to learn from, as `selfplay`, `rescore` and `convert` write them, packed or as text: game by game,
//! in order, whatever the number of threads, and so that an interrupted run can be resumed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use clap::ValueEnum;
use indicatif::ProgressBar;

use super::{BarLook, CommandError, CommandResult, complain, limits, print, progress_bar, signals};
use crate::engine::{Control, Evaluation, Searcher};
use crate::eval_files::read_eval_file;
use crate::files::{fault_in, is_special, open_file};
use crate::training::data::{DataWriter, PackedError, PackedHeader};
use crate::training::sample::{self, Header, Line};
use crate::training::selfplay::Game;
use crate::training::shard::{Shard, part_of};
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
pub(super) fn games_of(path: &Path, mut wants: impl FnMut(Game) -> bool) -> CommandResult {
    let (mut game, mut wanted) = (Game { number: 0, samples: Vec::new() }, true);
    let read = sample::read(open(path)?, |line, _| {
        match line {
            Line::Game(number) => {
                let whole = std::mem::replace(&mut game, Game { number, samples: Vec::new() });
                wanted = wanted && (whole.number == 0 || wants(whole));
            }
            Line::Sample(sample) if wanted => game.samples.push(*sample),
            Line::Sample(_) => {}
        }
        Ok(())
    });
    read.map_err(|error| fault_in(path, &error))?;
    if wanted && game.number > 0 {
        wants(game);
    }
    Ok(())
}

/// How a file holds its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A line each, to be read by people and other programs
    Text,
    /// Some forty bytes each
    Packed,
}

impl Format {
    /// What is asked for, or what the name says: text if it ends in `.txt`, or is that of a device or a pipe.
    pub fn of(path: &Path, wanted: Option<Format>) -> Format {
        let is_text = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"));
        let by_name = if is_text || is_special(path) { Format::Text } else { Format::Packed };
        wanted.unwrap_or(by_name)
    }
}

/// The file, with all games before the next one.
pub(super) struct Out {
    sink: Sink,
    path: PathBuf,
    /// The number of the next game, and by how much that of the one after it is greater.
    next: u64,
    step: u64,
    /// How many games it has.
    games: u64,
}

enum Sink {
    Text(File),
    Packed(Box<DataWriter<File>>, Box<PackedHeader>),
}

/// A game as it is written.
enum Written {
    Text(String),
    Packed(Vec<Vec<u8>>),
}

impl Out {
    /// Begins a file or resumes one; the last game of a text may be incomplete and is played again. No game of a
    /// greater number than `last` is wanted.
    pub fn open(
        path: &Path,
        format: Option<Format>,
        resume: bool,
        last: u64,
        header: &Header,
    ) -> Result<Out, String> {
        let place = |fault: &dyn std::fmt::Display| fault_in(path, fault);
        let unwritten = |fault: &std::io::Error| format!("cannot write {}", fault_in(path, fault));
        let packed = || PackedHeader::new(header).map_err(|error| place(&error));
        if is_special(path) {
            let form = Format::of(path, format);
            let packed = (form == Format::Packed).then(packed).transpose()?;
            return Out::begin(path, header, packed).map_err(|error| unwritten(&error));
        }
        let old = std::fs::metadata(path).map_or(0, |data| data.len());
        if old > 0 && !resume {
            return Err(place(&"exists; --resume goes on with it, or take another name"));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(|error| unwritten(&error))?;
        let mut start = BufReader::new(&file);
        let is_packed = sample::is_packed(&mut start).map_err(|error| place(&error))?;
        (&file).rewind().map_err(|error| place(&error))?;
        let found = match (old, is_packed) {
            (0, _) => None,
            (_, true) => Some(Format::Packed),
            (_, false) => Some(Format::Text),
        };
        if let (Some(wanted), Some(found)) = (format, found)
            && wanted != found
        {
            let found = if is_packed { "packed" } else { "text" };
            return Err(place(&format!("is {found}; --resume goes on with it without --format")));
        }
        let (sink, next) = match found.unwrap_or_else(|| Format::of(path, format)) {
            Format::Text => open_text(file, old, last, header, place, unwritten)?,
            Format::Packed => open_packed(file, old, packed()?, place, unwritten)?,
        };
        Ok(Out::at(sink, path, header, next))
    }

    fn at(sink: Sink, path: &Path, header: &Header, next: u64) -> Out {
        let (first, step) = (header.first_game(), header.step());
        Out { sink, path: path.to_path_buf(), next, step, games: (next - first) / step }
    }

    /// Begins to write to a device or a pipe, which keeps nothing that could be continued.
    fn begin(path: &Path, header: &Header, packed: Option<PackedHeader>) -> std::io::Result<Out> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let sink = match packed {
            Some(packed) => {
                Sink::Packed(Box::new(DataWriter::begin_stream(file, &packed)?), Box::new(packed))
            }
            None => {
                writeln!(file, "{header}")?;
                Sink::Text(file)
            }
        };
        Ok(Out::at(sink, path, header, header.first_game()))
    }

    /// The number of the game that is to be written next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The numbers of the games that are to be written, up to this one.
    pub fn numbers(&self, last: u64) -> impl Iterator<Item = u64> + Send + use<> {
        let (next, step) = (self.next, self.step);
        std::iter::successors(Some(next), move |number| number.checked_add(step))
            .take_while(move |number| *number <= last)
    }

    /// A game as this file has it.
    fn prepare(&self, game: &Game) -> Result<Written, PackedError> {
        match &self.sink {
            Sink::Text(_) => Ok(Written::Text(text_of(game))),
            Sink::Packed(_, header) => {
                let records = game.samples.iter().map(|sample| header.pack(sample));
                records.collect::<Result<_, _>>().map(Written::Packed)
            }
        }
    }

    /// Writes the next game in one go, so that a crash leaves at most one in part.
    fn write(&mut self, game: &Written) -> CommandResult {
        let written = match (&mut self.sink, game) {
            (Sink::Text(file), Written::Text(text)) => file
                .write_all(text.as_bytes())
                .and_then(|()| file.flush())
                .map_err(|error| error.to_string()),
            (Sink::Packed(writer, _), Written::Packed(records)) => {
                writer.write(self.next, records).map_err(|error| error.to_string())
            }
            _ => Ok(()),
        };
        written.map_err(|error| self.unwritten(&error))?;
        self.next += self.step;
        self.games += 1;
        Ok(())
    }

    fn unwritten(&self, error: &dyn std::fmt::Display) -> String {
        let place = fault_in(&self.path, error);
        let done = counted(self.games, "whole game");
        format!("cannot write {place}; it has {done}, --resume goes on")
    }

    /// Writes what a pipe has not got yet.
    fn end(self) -> CommandResult {
        if let Sink::Packed(writer, _) = self.sink {
            let ended = writer.end();
            ended.map_err(|error| format!("cannot write {}", fault_in(&self.path, &error)))?;
        }
        Ok(())
    }
}

/// What to write to, and the number of its next game.
type Opened = (Sink, u64);

/// A text that is empty or is resumed.
fn open_text(
    mut file: File,
    old: u64,
    last: u64,
    header: &Header,
    place: impl Fn(&dyn std::fmt::Display) -> String,
    unwritten: impl Fn(&std::io::Error) -> String,
) -> Result<Opened, String> {
    let first_line = format!("{header}\n");
    let is_torn = is_torn(&file, first_line.as_bytes(), old).map_err(|error| place(&error))?;
    let (kept, next) = if is_torn {
        (0, header.first_game())
    } else {
        last_game(&mut file, header, first_line.len() as u64).map_err(|fault| place(&fault))?
    };
    // A file that has more games than are wanted loses none.
    let kept = if next > last { old } else { kept };
    let cut = file.set_len(kept).and_then(|()| file.seek(SeekFrom::End(0)));
    cut.map_err(|error| unwritten(&error))?;
    if kept == 0 {
        file.write_all(first_line.as_bytes()).map_err(|error| unwritten(&error))?;
    }
    Ok((Sink::Text(file), next))
}

/// A packed file that is empty or is resumed.
fn open_packed(
    mut file: File,
    old: u64,
    header: PackedHeader,
    place: impl Fn(&dyn std::fmt::Display) -> String,
    unwritten: impl Fn(&std::io::Error) -> String,
) -> Result<Opened, String> {
    let is_torn = is_torn(&file, &header.bytes(), old).map_err(|error| place(&error))?;
    if is_torn {
        file.set_len(0).map_err(|error| unwritten(&error))?;
        let writer = DataWriter::begin(file, &header).map_err(|error| unwritten(&error))?;
        let first = header.header.first_game();
        return Ok((Sink::Packed(Box::new(writer), Box::new(header)), first));
    }
    let found = PackedHeader::read(&mut file);
    let found = found.map_err(|error| place(&format!("header: {error}")))?.header;
    if found != header.header {
        return Err(place(&other_games(&found)));
    }
    let (mut writer, end) = DataWriter::resume(file, &header).map_err(|error| place(&error))?;
    writer.get_mut().set_len(end).map_err(|error| unwritten(&error))?;
    let next = match writer.last() {
        0 => header.header.first_game(),
        last => last + header.header.step(),
    };
    Ok((Sink::Packed(Box::new(writer), Box::new(header)), next))
}

fn other_games(found: &Header) -> String {
    format!("has other games, '{found}'; it cannot be gone on with")
}

/// Whether a file has no more than a part of what it begins with.
fn is_torn(mut file: &File, start: &[u8], length: u64) -> std::io::Result<bool> {
    if length >= start.len() as u64 {
        return Ok(false);
    }
    let mut found = Vec::new();
    file.take(start.len() as u64).read_to_end(&mut found)?;
    file.rewind()?;
    Ok(start.starts_with(&found))
}

/// Where the last game of a file begins, in bytes, and its number; the end of the header and the number of the
/// first game if there is none.
fn last_game(file: &mut File, header: &Header, start: u64) -> Result<(u64, u64), String> {
    let mut last = (start, header.first_game());
    let found = sample::read(BufReader::new(file), |line, at| {
        if let Line::Game(number) = line {
            last = (at, number);
        }
        Ok(())
    });
    let found = found.map_err(|error| error.to_string())?;
    if found != *header {
        return Err(other_games(&found));
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

/// The lines of a game.
pub(super) fn text_of(game: &Game) -> String {
    let mut text = format!("# game {}\n", game.number);
    for sample in &game.samples {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{sample}");
    }
    text
}

/// Writes games in the order of their numbers, whichever ends first.
pub(super) struct Writer {
    out: Out,
    /// The greatest number of a game that the file is to have.
    last: u64,
    /// When this run began, and with how many games.
    start: Instant,
    begun: u64,
    /// The text and number of positions of games that wait for an earlier one.
    early: BTreeMap<u64, (Written, u64)>,
    /// How many positions this run has written.
    positions: u64,
    fault: Option<CommandError>,
    bar: ProgressBar,
}

impl Writer {
    /// For the games up to the one of this number.
    pub fn new(out: Out, last: u64) -> Writer {
        let begun = out.games;
        let all = begun + out.numbers(last).count() as u64;
        let bar = progress_bar(all, GAMES).with_position(begun);
        bar.reset_eta();
        let early = BTreeMap::new();
        Writer { out, last, start: Instant::now(), begun, early, positions: 0, fault: None, bar }
    }

    /// Writes a game once all before it are written.
    pub fn take(&mut self, game: &Game, control: &Control) {
        match self.out.prepare(game) {
            Ok(written) => {
                self.early.insert(game.number, (written, game.samples.len() as u64));
            }
            Err(error) => return self.fail(fault_in(&self.out.path, &error).into(), control),
        }
        while let Some((written, samples)) = self.early.remove(&self.out.next) {
            if let Err(fault) = self.out.write(&written) {
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
        let (next, all) = (self.out.next, self.out.games);
        self.out.end()?;
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
