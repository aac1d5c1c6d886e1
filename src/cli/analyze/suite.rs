//! A suite: positions with their solutions. Lines are read as threads get free, and printed in their order.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::json;

use super::crew::Crew;
use super::epd::{Task, parse};
use super::live::score_value;
use super::{Analysis, Args, analyze_position};
use crate::cli::{CommandResult, complain, print};
use crate::engine::{Limits, Searcher};
use crate::files::{LONGEST_POSITION_LINE, Lines, ReadError, fault_in, open_source};
use garrison_rules::{Variant, counted, find};

/// The result of a search.
struct Answer {
    analysis: Analysis,
    /// When it found the solution that it kept; `None` if it did not.
    since: Option<Since>,
}

/// A point of a search.
struct Since {
    time: Duration,
    nodes: u64,
}

/// Searches; returns the result, and when the search found the solution.
fn solve(task: &Task, limits: &Limits, searcher: &mut Searcher) -> Option<Answer> {
    let limits = Limits { mate: task.mate, ..limits.clone() };
    let (start, mut since) = (Instant::now(), None);
    let analysis = analyze_position(&task.position, &limits, searcher, |line| {
        if !task.is_solved_by(line.pv.first().copied(), Some(line.score)) {
            since = None;
        } else if since.is_none() {
            since = Some(Since { time: line.time, nodes: line.nodes });
        }
    });
    let analysis = analysis?;
    if since.is_none() && task.is_solved_by(analysis.pv.first().copied(), Some(analysis.score)) {
        // The limit came before the first line.
        since = Some(Since { time: start.elapsed(), nodes: analysis.nodes });
    }
    Some(Answer { analysis, since })
}

pub(super) fn run(args: &Args, path: &Path) -> CommandResult {
    let name = args.position.variant.as_deref();
    let variant = name.map(find).transpose()?;
    let source = open_source(path).map_err(|error| fault_in(path, &error))?;
    let crew = Crew::new(args)?;
    let early = BTreeMap::new();
    let printer = Printer { args, path, next: 0, early, solved: 0, total: 0, skipped: 0 };
    let printer = Mutex::new(printer);
    let start = Instant::now();
    let lines = Lines::new(source, LONGEST_POSITION_LINE).enumerate();
    let tasks = lines.filter_map(|(index, line)| read(index + 1, line, variant.as_ref()));
    let work = |(place, task): (usize, Result<Task, String>)| {
        let solve = |task: Task| {
            let answer = crew.with_searcher(|searcher| solve(&task, &crew.limits, searcher));
            (task, answer.flatten())
        };
        let done = task.map(solve);
        printer.lock().unwrap_or_else(PoisonError::into_inner).take(place, done);
    };
    // Lines are handed out one by one: no more of them are in memory than are worked on or wait for their turn.
    crew.pool.install(|| tasks.enumerate().par_bridge().for_each(work));
    printer.into_inner().unwrap_or_else(PoisonError::into_inner).end(start.elapsed())
}

/// The task of a line; the fault names it. Empty lines and comments have none.
fn read(
    number: usize,
    line: Result<Vec<u8>, ReadError>,
    variant: Option<&Arc<Variant>>,
) -> Option<Result<Task, String>> {
    let line = match line {
        Ok(line) => line,
        Err(error) => return Some(Err(format!("{error}; the rest is not read"))),
    };
    let line = String::from_utf8_lossy(&line);
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    Some(
        parse(line, variant, number)
            .map_err(|fault| format!("line {number}: {fault}; line skipped")),
    )
}

/// A task with the result of its search, or why there is none.
type Done = Result<(Task, Option<Answer>), String>;

/// Prints results in the order of the lines, whichever is there first.
struct Printer<'a> {
    args: &'a Args,
    path: &'a Path,
    /// The result to be printed next.
    next: usize,
    /// Results that wait for an earlier one.
    early: BTreeMap<usize, Done>,
    solved: usize,
    total: usize,
    skipped: usize,
}

impl Printer<'_> {
    /// Prints a result once all before it are printed.
    fn take(&mut self, place: usize, done: Done) {
        self.early.insert(place, done);
        while let Some(done) = self.early.remove(&self.next) {
            self.next += 1;
            match done {
                Ok((task, answer)) => {
                    self.total += 1;
                    let is_solved = print_answer(&task, answer.as_ref(), self.args.json);
                    self.solved += usize::from(is_solved);
                }
                Err(fault) => {
                    self.skipped += 1;
                    complain(&fault_in(self.path, &fault));
                }
            }
        }
    }

    /// Prints the sum.
    fn end(self, time: Duration) -> CommandResult {
        let Printer { solved, total, skipped, .. } = self;
        if total > 0 && self.args.json {
            print(&format!("{}\n", json!({ "type": "suite", "solved": solved, "total": total })));
        } else if total > 0 {
            print(&format!("\nsolved {solved}/{total} in {:.1} s\n", time.as_secs_f64()));
        }
        let place = |fault: &str| fault_in(self.path, &fault);
        match (total, skipped) {
            (0, 0) => Err(place("has no positions").into()),
            (_, 0) => Ok(()),
            _ => {
                let all = counted((total + skipped) as u64, "line");
                Err(place(&format!("{skipped} of {all} skipped")).into())
            }
        }
    }
}

/// Prints the result of a position; returns whether it was solved.
fn print_answer(task: &Task, answer: Option<&Answer>, as_json: bool) -> bool {
    let analysis = answer.map(|answer| &answer.analysis);
    let since = answer.and_then(|answer| answer.since.as_ref());
    let best = analysis.and_then(|analysis| analysis.pv.first()).copied();
    let san = best.map(|mv| task.position.san(mv));
    if as_json {
        let value = json!({
            "type": "epd",
            "id": task.id,
            "solved": since.is_some(),
            "move": best.map(|mv| task.position.move_text(mv)),
            "san": san,
            "score": analysis.map(|analysis| score_value(analysis.score)),
            "depth": analysis.map(|analysis| analysis.depth),
            "nodes": analysis.map(|analysis| analysis.nodes),
            "solved_ms": since.map(|since| since.time.as_millis() as u64),
            "solved_nodes": since.map(|since| since.nodes),
        });
        print(&format!("{value}\n"));
        return since.is_some();
    }
    let word = if since.is_some() { "solved" } else { "missed" };
    let mut line = format!("{word:<7} {:<32}", task.id);
    let _ = write!(line, " {:<8}", san.unwrap_or_else(|| "none".to_string()));
    if let Some(analysis) = analysis {
        let _ = write!(line, " {:>7} depth {:<3}", analysis.score.readable(), analysis.depth);
    }
    if let Some(since) = since {
        let _ = write!(line, " {:>7.3} s", since.time.as_secs_f64());
    }
    print(&format!("{line} {}\n", task.wanted()));
    since.is_some()
}
