//! Searches for the page: of moves, of hints, of analyses. Their number is bounded, each ends when its reader goes, and a
//! tab that begins another one ends the one before.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::http::Status;
use super::line::Line;
use super::refusal::Refusal;
use super::view::View;
use crate::engine::{
    Clock, Control, Limits, MAX_THREADS, STACK_SIZE, Score, SearchEvent, SearchInfo, SearchResult,
    Searcher,
};
use crate::player::{OwnScores, Strength, events};
use crate::record::RecordedScore;
use garrison_rules::{Color, PerColor, Position};

/// The most searches at once.
const MOST_SEARCHES: usize = 4;
/// The most searchers whose memory is kept for the next search of their tab.
const MOST_IDLE: usize = 2;
/// The largest hash table that the page may ask for, in MiB.
const MOST_HASH: usize = 1024;
/// The most lines of an analysis.
const MOST_LINES: usize = 10;
/// The longest time for a move, and the longest on a clock.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// So often a reader is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// The longest name of a tab.
const LONGEST_TAB: usize = 64;

/// A search that the page asks for.
#[derive(Debug, Deserialize)]
pub struct SearchRequest {
    /// Who asks: a tab has one search at a time.
    pub tab: String,
    line: Line,
    limit: Limit,
    #[serde(default = "one")]
    lines: usize,
    #[serde(default = "one")]
    threads: usize,
    /// In MiB.
    #[serde(default = "default_hash")]
    hash: usize,
    /// Whether what earlier searches learned is forgotten first.
    #[serde(default)]
    fresh: bool,
    /// What the program thought of its own moves in this game, in centipawns for itself.
    #[serde(default)]
    own_scores: Vec<i32>,
    /// After how many of its moves it offered a draw last.
    #[serde(default)]
    offered: Option<usize>,
}

fn one() -> usize {
    1
}

fn default_hash() -> usize {
    16
}

/// When a search ends.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Limit {
    /// A level of play.
    Level(u8),
    /// Milliseconds.
    Time(u64),
    Nodes(u64),
    Depth(u32),
    /// A clock: milliseconds left and added, White's first.
    Clock {
        left: [u64; 2],
        increment: [u64; 2],
    },
    /// When the reader goes.
    Endless,
}

impl Limit {
    /// The strength by which draws are judged.
    fn strength(&self) -> Strength {
        match *self {
            Limit::Level(level) => Strength::Level(level),
            Limit::Time(time) => Strength::Time(Duration::from_millis(time).min(LONGEST)),
            _ => Strength::Level(crate::player::LEVELS),
        }
    }

    fn limits(&self) -> Limits {
        let time = |time| Duration::from_millis(time).min(LONGEST);
        match *self {
            Limit::Level(_) | Limit::Time(_) => self.strength().limits(),
            Limit::Nodes(nodes) => Limits { nodes: Some(nodes.max(1)), ..Limits::default() },
            Limit::Depth(depth) => Limits { depth: Some(depth.clamp(1, 127)), ..Limits::default() },
            Limit::Clock { left, increment } => {
                let (left, increment) = (PerColor(left.map(time)), PerColor(increment.map(time)));
                let clock = Clock { left, increment, ..Clock::default() };
                Limits { clock: Some(clock), ..Limits::default() }
            }
            Limit::Endless => Limits::default(),
        }
    }
}

/// The searches of all tabs.
#[derive(Debug, Default)]
pub struct Searches(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    running: Vec<Running>,
    /// The one used last at the end.
    idle: Vec<Idle>,
    next: u64,
    has_ended: bool,
}

#[derive(Debug)]
struct Running {
    number: u64,
    tab: String,
    control: Arc<Control>,
}

/// A searcher with what it has learned.
#[derive(Debug)]
struct Idle {
    tab: String,
    hash: usize,
    searcher: Searcher,
}

impl Searches {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a search of a tab; one that it has ends.
    ///
    /// # Errors
    /// There are too many, or the tab's name is too long.
    pub fn begin(&self, tab: &str) -> Result<Ticket<'_>, Refusal> {
        if tab.is_empty() || tab.len() > LONGEST_TAB {
            return Err("the name of the tab is empty or too long".into());
        }
        self.stop(tab);
        let mut state = self.state();
        // Those that are stopped are about to end; there must not be many of these either.
        let stopped = state.running.iter().filter(|running| running.control.is_stopped()).count();
        let active = state.running.len() - stopped;
        if active >= MOST_SEARCHES || stopped >= 2 * MOST_SEARCHES || state.has_ended {
            let text = "too many searches at once; close other boards or stop their analysis";
            return Err(Refusal::new(Status::TooMany, text));
        }
        let number = state.next;
        state.next += 1;
        let control = Arc::new(Control::new(false));
        let running = Running { number, tab: tab.to_string(), control: Arc::clone(&control) };
        state.running.push(running);
        drop(state);
        Ok(Ticket { searches: self, number, control })
    }

    /// Ends the search of a tab, if it has one. The search's reader still gets its result.
    pub fn stop(&self, tab: &str) {
        let state = self.state();
        let own = state.running.iter().filter(|running| running.tab == tab);
        own.for_each(|running| running.control.stop());
    }

    /// Ends all searches, and lets none begin.
    pub fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        state.running.iter().for_each(|running| running.control.stop());
    }

    /// The searcher that this tab used last, or a new one.
    fn take_searcher(&self, tab: &str, hash: usize) -> Result<Searcher, Refusal> {
        let mut state = self.state();
        let own = state.idle.iter().position(|idle| idle.tab == tab && idle.hash == hash);
        if let Some(at) = own {
            return Ok(state.idle.remove(at).searcher);
        }
        // Its memory may be what is missing.
        while state.idle.len() >= MOST_IDLE {
            state.idle.remove(0);
        }
        drop(state);
        let searcher = Searcher::new(hash);
        let text = || format!("no memory for a hash table of {hash} MiB");
        searcher.ok_or_else(|| Refusal::new(Status::Busy, text()))
    }

    fn keep_searcher(&self, tab: &str, hash: usize, searcher: Searcher) {
        let mut state = self.state();
        state.idle.retain(|idle| idle.tab != tab);
        if state.idle.len() >= MOST_IDLE {
            state.idle.remove(0);
        }
        state.idle.push(Idle { tab: tab.to_string(), hash, searcher });
    }
}

/// A search that may run.
pub struct Ticket<'s> {
    searches: &'s Searches,
    number: u64,
    /// Stops it.
    pub control: Arc<Control>,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let number = self.number;
        self.searches.state().running.retain(|running| running.number != number);
    }
}

/// A search that is ready to run.
pub struct Search<'s> {
    ticket: Ticket<'s>,
    tab: String,
    hash: usize,
    searcher: Searcher,
    position: Position,
    limits: Limits,
    strength: Strength,
    own: OwnScores,
}

impl<'s> Search<'s> {
    /// Prepares what the page asks for.
    ///
    /// # Errors
    /// There is no such position, no memory, or too much is asked for.
    pub fn new(searches: &'s Searches, request: SearchRequest) -> Result<Search<'s>, Refusal> {
        let position = request.line.position()?;
        let ticket = searches.begin(&request.tab)?;
        let hash = request.hash.clamp(1, MOST_HASH);
        let threads = request.threads.clamp(1, MAX_THREADS);
        let mut searcher = searches.take_searcher(&request.tab, hash)?;
        if !searcher.has_memory_for(threads, position.variant()) {
            let text = format!("no memory for {threads} threads");
            return Err(Refusal::new(Status::Busy, text));
        }
        searcher.set_threads(threads);
        if request.fresh {
            searcher.clear();
        }
        let mut limits = request.limit.limits();
        limits.multi_pv = request.lines.clamp(1, MOST_LINES);
        let scores = request.own_scores.into_iter().map(Score::centipawns).collect();
        Ok(Search {
            ticket,
            tab: request.tab,
            hash,
            searcher,
            position,
            limits,
            strength: request.limit.strength(),
            own: OwnScores::new(scores, request.offered),
        })
    }

    /// Searches; `send` gets a line of JSON for everything that is found, or an empty part to see whether the reader is
    /// still there.
    ///
    /// # Errors
    /// The reader has gone.
    pub fn run(mut self, mut send: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let (position, limits) = (&self.position, &self.limits);
        let (control, searcher) = (&self.ticket.control, &mut self.searcher);
        let mut last = None;
        let search = |events: Sender<SearchInfo>| {
            searcher.search(position, limits, control, move |event| {
                if let SearchEvent::Info(info) = event {
                    // Nobody receives it once the reader has gone.
                    let _ = events.send(info.clone());
                }
            })
        };
        let part = |info: SearchInfo| {
            let line = json_line(&line_value(position, &info));
            if info.multipv == 1 {
                last = Some(info);
            }
            line
        };
        let found = report(control, search, part, &mut send);
        // Also when it was given up: the tab's next search takes the same memory, and knows what this one has found.
        let Search { ticket, tab, hash, searcher, .. } = self;
        if !matches!(found, Ok(Err(_))) {
            ticket.searches.keep_searcher(&tab, hash, searcher);
        }
        drop(ticket);
        let result = match found? {
            Ok(result) => result,
            Err(failure) => return send(&failure),
        };
        let best = best_value(&self.position, result, last.as_ref(), self.strength, &mut self.own);
        send(&json_line(&best))
    }
}

/// Lets a thread work, and sends a part for everything that it reports, or an empty one now and then to see whether the
/// reader is still there. What the work results in, or the part that says that it failed.
///
/// # Errors
/// The reader has gone; the work was stopped.
pub fn report<T: Send, R: Send>(
    control: &Control,
    work: impl FnOnce(Sender<T>) -> R + Send,
    mut part: impl FnMut(T) -> Vec<u8>,
    mut send: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<Result<R, Vec<u8>>> {
    let (sender, news) = channel();
    thread::scope(|scope| {
        let failed = |error: String| json_line(&json!({ "type": "error", "error": error }));
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        let worker = match thread.spawn_scoped(scope, move || work(sender)) {
            Ok(worker) => worker,
            Err(error) => return Ok(Err(failed(error.to_string()))),
        };
        loop {
            let part = match news.recv_timeout(HEARTBEAT) {
                Ok(found) => part(found),
                Err(RecvTimeoutError::Timeout) => b"\n".to_vec(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            send(&part).inspect_err(|_| control.stop())?;
        }
        Ok(worker.join().map_err(|_| failed("the search failed".to_string())))
    })
}

/// A value on a line.
pub fn json_line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

/// A line of an analysis.
fn line_value(position: &Position, info: &SearchInfo) -> Value {
    let milliseconds = info.time.as_millis().max(1) as u64;
    json!({
        "type": "line",
        "rank": info.multipv,
        "depth": info.depth,
        "seldepth": info.seldepth,
        "score": score_value(info.score, position.side_to_move()),
        "nodes": info.nodes,
        "nps": info.nodes.saturating_mul(1000) / milliseconds,
        "time": milliseconds,
        "hashfull": info.hashfull,
        "moves": position.line_text(&info.pv),
        "san": position.line_san(&info.pv),
    })
}

/// A score as White sees it: text, and White's expected share of the point.
fn score_value(score: Score, side: Color) -> Value {
    let recorded = RecordedScore::from(score);
    let (white, expected) = match side {
        Color::White => (recorded, score.expectation()),
        Color::Black => (recorded.reversed(), 1.0 - score.expectation()),
    };
    json!({ "text": white.readable(), "expected": expected, "centipawns": white.centipawns() })
}

/// What a search found in the end, and what the program says to a draw with its move.
fn best_value(
    position: &Position,
    result: SearchResult,
    last: Option<&SearchInfo>,
    strength: Strength,
    own: &mut OwnScores,
) -> Value {
    let Some(best) = result.best else { return json!({ "type": "best", "move": null }) };
    let score = last.map(|info| info.score);
    let claim = events::claimable(position).filter(|_| score.is_some_and(|it| it <= Score::DRAW));
    if let Some(score) = score {
        own.remember(score);
    }
    let mut after = position.clone();
    after.make(best);
    let offers = own.offers_draw(strength, &after);
    let own_score = score.map(|score| RecordedScore::from(score).centipawns());
    json!({
        "type": "best",
        "move": position.move_text(best),
        "san": position.san(best),
        "score": score.map(|score| score_value(score, position.side_to_move())),
        "depth": last.map(|info| info.depth),
        "own": own_score,
        "claims": claim.map(|reason| reason.to_string()),
        "offers": offers,
        // The page shows the move without asking once more.
        "view": View::after(position, best),
    })
}

/// A draw that a person offers the program.
#[derive(Debug, Deserialize)]
pub struct DrawRequest {
    limit: Limit,
    #[serde(default)]
    own_scores: Vec<i32>,
}

/// What the program says to a draw: `accepts`, `early`, or `better` with its score.
pub fn answer_to_draw(request: DrawRequest) -> Value {
    use crate::player::Answer;

    let scores = request.own_scores.into_iter().map(Score::centipawns).collect();
    match OwnScores::new(scores, None).answer_to_draw(request.limit.strength()) {
        Answer::Accepts => json!({ "answer": "accepts" }),
        Answer::TooEarly => json!({ "answer": "early" }),
        Answer::StandsBetter(score) => json!({ "answer": "better", "score": score.readable() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_bounded_and_a_tab_has_one() {
        let searches = Searches::default();
        let tickets: Vec<Ticket> =
            (0..MOST_SEARCHES).filter_map(|tab| searches.begin(&tab.to_string()).ok()).collect();
        assert_eq!(tickets.len(), MOST_SEARCHES);
        assert!(searches.begin("another").is_err_and(|why| why.status == Status::TooMany));
        let again = searches.begin("0").expect("in place of the one before");
        assert!(tickets[0].control.is_stopped() && !again.control.is_stopped());
        drop(tickets);
        assert!(searches.begin("another").is_ok());
        searches.end();
        assert!(searches.begin("late").is_err());
        assert!(searches.begin("").is_err());
    }
}
