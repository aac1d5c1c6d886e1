//! Work in another thread, so that the session can read input meanwhile: searches, perft, bench.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::Event;
use super::output::Output;
use crate::engine::{
    Clock, Control, Limits, STACK_SIZE, SearchEvent, SearchResult, Searcher, bench,
};
use crate::text::ERROR_LINE;
use garrison_rules::{Position, perft_while};

/// The result of work.
#[derive(Debug)]
pub(super) enum Ended {
    /// A search.
    Search(SearchResult),
    /// Anything else: its last lines.
    Text(String),
    /// It failed, which is a bug.
    Failed,
}

/// Properties of work that are known before it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Whether it is a search.
    pub searches: bool,
    /// Whether it ends without being stopped.
    pub limited: bool,
    /// Whether it is a ponder search, which does not end before `ponderhit` or `stop`.
    pub ponders: bool,
    /// Whether a clock limits it: it is part of a game.
    pub on_clock: bool,
}

impl Kind {
    /// Perft and bench.
    pub const COUNT: Kind =
        Kind { searches: false, limited: true, ponders: false, on_clock: false };
}

/// Running work.
pub(super) struct Work {
    thread: JoinHandle<Ended>,
    control: Arc<Control>,
    kind: Kind,
}

impl Work {
    /// Begins; `done` gets an event when it has ended.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn begin(
        kind: Kind,
        done: &SyncSender<Event>,
        job: impl FnOnce(&Control) -> Ended + Send + 'static,
    ) -> std::io::Result<Work> {
        let control = Arc::new(Control::new(kind.ponders));
        let (shared, done) = (Arc::clone(&control), done.clone());
        let run = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| job(&shared))).unwrap_or(Ended::Failed);
            // The receiver is gone only when the session is over.
            let _ = done.send(Event::Done);
            ended
        };
        let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(run)?;
        Ok(Work { thread, control, kind })
    }

    /// Whether it will end by itself, or is already stopping.
    pub fn will_end(&self) -> bool {
        self.is_stopping() || self.kind.limited && !self.control.is_pondering()
    }

    /// Whether it goes on to its end when no more input comes. The other side of a game on a clock has gone.
    pub fn outlasts_input(&self) -> bool {
        self.will_end() && (self.is_stopping() || !self.kind.on_clock)
    }

    /// Whether it was stopped.
    pub fn is_stopping(&self) -> bool {
        self.control.is_stopped()
    }

    /// Whether it is a search.
    pub fn is_search(&self) -> bool {
        self.kind.searches
    }

    /// Whether it is a ponder search.
    pub fn is_pondering(&self) -> bool {
        self.control.is_pondering()
    }

    /// The expected move was played; `clock` is the time now, if known.
    pub fn ponder_hit(&self, clock: Option<Clock>) {
        self.control.ponder_hit(clock);
    }

    /// Ends it as soon as possible.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Waits for its end.
    pub fn join(self) -> Ended {
        self.thread.join().unwrap_or(Ended::Failed)
    }
}

/// Searches. A search that is infinite or ponders returns only when it is stopped or hit.
pub(super) fn search(
    position: &Position,
    limits: &Limits,
    infinite: bool,
    control: &Control,
    searcher: &mut Searcher,
    on_event: impl FnMut(&SearchEvent),
) -> SearchResult {
    let found = searcher.search(position, limits, control, on_event);
    // In a finished game there is no move to hold back.
    let waits = || (infinite || control.is_pondering()) && !control.is_stopped();
    while found.best.is_some() && waits() {
        thread::sleep(Duration::from_millis(1));
    }
    found
}

/// Counts the leaf nodes below each legal move, which `text` writes.
pub(super) fn perft(
    position: &Position,
    depth: u32,
    control: &Control,
    text: impl Fn(&Position, garrison_rules::Move) -> String,
) -> String {
    let mut position = position.without_history();
    let mut counts = Vec::new();
    let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
    for mv in moves {
        let text = text(&position, mv);
        position.make(mv);
        let below = perft_while(&mut position, depth - 1, &|| !control.is_stopped());
        position.unmake();
        let Some(nodes) = below else {
            return "info string perft stopped".to_string();
        };
        counts.push((text, nodes));
    }
    counts.sort_unstable();
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
    let lines: String = counts.iter().map(|(mv, nodes)| format!("{mv}: {nodes}\n")).collect();
    format!("{lines}\nNodes searched: {total}")
}

/// The fixed work, with its nodes and their speed as the last line.
pub(super) fn run_bench(depth: u32, control: &Control, output: &Output) -> String {
    let report = |item: &bench::Item| output.line(&item.to_string());
    match bench::run(depth, control, report) {
        Ok(total) => total.summary(),
        Err(fault) => format!("{ERROR_LINE}bench {fault}"),
    }
}
