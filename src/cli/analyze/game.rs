//! Whole games: every move gets a score and the best line, bad moves are marked, players get a report.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::annotate::annotate;
use super::crew::Crew;
use super::out::{Header, Out};
use super::report::{Report, tallies};
use super::review::{GameAnalysis, Value, position_before};
use super::{Args, analyze_position, graph, json};
use crate::cli::{BarLook, CommandResult, print, progress_bar, signals, skipped_game, write_file};
use crate::engine::eval::hash::fnv1a;
use crate::files::{fault_in, open_source};
use crate::record::GameRecord;
use crate::record::pgn::{Fallback, Games, GamesError, PgnError};
use crate::viewer::{self, ViewerGame};
use garrison_rules::counted;

/// For the positions of a game.
const POSITIONS: BarLook = ("game {msg}: {pos}/{len} positions, {elapsed} {wide_bar}", "█░");

pub(super) fn run(args: &Args, path: &Path) -> CommandResult {
    let fallback = Fallback::to(args.position.variant.as_deref())?;
    let source = open_source(path).map_err(|error| fault_in(path, &error))?;
    let crew = Crew::new(args)?;
    let out = Out::open(args.out.as_deref(), args.resume, &header(args))?;
    let out = Arc::new(Mutex::new(out));
    stop_by_signal(&out)?;
    let bar = progress_bar(0, POSITIONS);
    let mut run =
        Run { args, path, crew, out, report: Report::default(), games: 0, skipped: 0, bar };
    if args.resume {
        run.say(&format!("{} kept", counted(run.out().kept() as u64, "game")));
    }
    let mut games = Games::new(source, fallback);
    let mut fatal = None;
    while let Some(game) = games.next() {
        match game {
            Ok(game) => {
                games.faults().iter().for_each(|fault| run.say(&fault_in(path, fault)));
                run.game(games.number(), game)?;
            }
            Err(GamesError::Game(fault)) => run.skip(&fault),
            Err(GamesError::Read(fault)) => {
                fatal = Some(fault_in(path, &format!("{fault}; the rest is not read")));
            }
        }
    }
    run.end(fatal)
}

/// What a file must have been begun with to be gone on with.
fn header(args: &Args) -> Header {
    let limits = args.file_limits();
    let limit = |name: &str, value: Option<u64>| value.map(|value| format!("{name} {value}"));
    let options = [
        Some(if args.json { "JSON" } else { "PGN" }.to_string()),
        limit("depth", limits.depth.map(u64::from)),
        limit("nodes", limits.nodes),
        limit("movetime", args.limits.movetime),
        limit("hash", Some(u64::from(args.file_hash()))),
        args.position.variant.as_ref().map(|name| format!("variant {name}")),
        args.svg.as_ref().map(|path| format!("graphs {}", path.display())),
        args.html.as_ref().map(|path| format!("pages {}", path.display())),
    ];
    let options = options.into_iter().flatten().collect::<Vec<_>>().join(", ");
    Header { version: env!("CARGO_PKG_VERSION").to_string(), options }
}

/// On Ctrl-C and the like, ends the program with the games that are done; one that is being written is written first.
fn stop_by_signal(out: &Arc<Mutex<Out>>) -> CommandResult {
    let out = Arc::clone(out);
    signals::on_signal(move || {
        // Not for ever: the reader of a pipe may have stopped to read.
        for _ in 0..100 {
            if let Ok(out) = out.try_lock() {
                let hint = if out.can_resume() { "; go on with --resume" } else { "" };
                let games = counted(out.written as u64, "game");
                // The terminal may be gone.
                let _ = writeln!(std::io::stderr(), "garrison: stopped after {games}{hint}");
                signals::end();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        signals::end();
    })
}

/// A run over the games of a file.
struct Run<'a> {
    args: &'a Args,
    path: &'a Path,
    crew: Crew,
    out: Arc<Mutex<Out>>,
    report: Report,
    /// Games analyzed, in this run or before.
    games: usize,
    /// Faulty games.
    skipped: usize,
    bar: ProgressBar,
}

impl Run<'_> {
    fn out(&self) -> MutexGuard<'_, Out> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a line on standard error.
    fn say(&self, text: &str) {
        self.bar.suspend(|| drop(writeln!(std::io::stderr(), "garrison: {text}")));
    }

    /// Analyzes a game and writes it, if that was not done before.
    fn game(&mut self, number: usize, record: GameRecord) -> CommandResult {
        let input = fnv1a(record.to_pgn().as_bytes());
        let kept = self.out().take_kept(number, input)?;
        let players = match kept {
            Some(entry) => entry.players,
            None => {
                let values = self.values(number, &record)?;
                let mut game = GameAnalysis::new(number, record, values);
                if let Some(path) = &self.args.svg {
                    write_file(&numbered(path, number), &graph::draw(&game)?)?;
                }
                if let Some(path) = &self.args.html {
                    write_file(&numbered(path, number), &self.page(&game))?;
                }
                let players = tallies(&game);
                let text = self.text(&mut game);
                self.out().write(&text, number, input, &players)?;
                players
            }
        };
        self.report.add(&players);
        self.games += 1;
        Ok(())
    }

    /// The value of every position of a game.
    fn values(&self, number: usize, record: &GameRecord) -> CommandResult<Vec<Value>> {
        let positions = record.plies.len() + 1;
        self.bar.set_length(positions as u64);
        self.bar.set_message(number.to_string());
        self.bar.set_position(0);
        let value = |index| {
            let position = position_before(record, index);
            let analysis = self.crew.with_searcher(|searcher| {
                analyze_position(&position, &self.crew.limits, searcher, |_| {})
            });
            self.bar.inc(1);
            analysis.map(|analysis| Value::of(&position, analysis))
        };
        let values: Option<Vec<Value>> =
            self.crew.pool.install(|| (0..positions).into_par_iter().map(value).collect());
        Ok(values.ok_or("more positions are searched at once than there are threads")?)
    }

    /// The page of a game.
    fn page(&self, game: &GameAnalysis) -> String {
        let mut shown = ViewerGame::of_analysis(game);
        shown.notes = tallies(game).iter().map(|(name, tally)| tally.to_words(name)).collect();
        viewer::page(&shown, self.args.style.into())
    }

    /// What is written of a game.
    fn text(&self, game: &mut GameAnalysis) -> String {
        if self.args.json {
            return format!("{}\n", json::game(game));
        }
        annotate(game);
        let between = if self.out().is_empty() { "" } else { "\n" };
        format!("{between}{}", game.record)
    }

    /// Reports a faulty game.
    fn skip(&mut self, fault: &PgnError) {
        self.skipped += 1;
        let is_named = self.args.position.variant.is_some();
        self.say(&skipped_game(self.path, fault, is_named));
    }

    /// Prints the report, and what keeps the run from success.
    fn end(self, fatal: Option<String>) -> CommandResult {
        self.bar.finish_and_clear();
        if self.games > 0 {
            self.print_report();
        }
        if let Some(fatal) = fatal {
            return Err(fatal.into());
        }
        self.out().finish()?;
        let place = |fault: &str| fault_in(self.path, &fault);
        match (self.games, self.skipped) {
            (0, 0) => Err(place("has no games").into()),
            (_, 0) => Ok(()),
            (games, skipped) => {
                let all = counted((games + skipped) as u64, "game");
                Err(place(&format!("{skipped} of {all} skipped")).into())
            }
        }
    }

    /// The report goes to standard output, unless the games do that are no JSON.
    fn print_report(&self) {
        if self.args.json {
            print(&format!("{}\n", self.report.to_json(self.games, self.skipped)));
        } else if self.args.out.is_some() {
            print(&self.report.to_text());
        } else {
            let _ = write!(std::io::stderr(), "\n{}", self.report.to_text());
        }
    }
}

/// The path for the graph or the page of the game with this number: the first has the path given.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let dot = if extension.is_empty() { "" } else { "." };
    path.with_file_name(format!("{stem}-{number}{dot}{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_graph_of_its_own() {
        assert_eq!(numbered(Path::new("a/b.svg"), 1), Path::new("a/b.svg"));
        assert_eq!(numbered(Path::new("a/b.svg"), 2), Path::new("a/b-2.svg"));
        assert_eq!(numbered(Path::new("graph"), 3), Path::new("graph-3"));
    }
}
