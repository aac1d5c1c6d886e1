//! Work in another thread, so that the session can hear meanwhile: searches, perft, bench.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::Event;
use super::output::Output;
use super::report::{Info, best_line};
use crate::engine::{Control, Found, Limits, News, STACK_SIZE, Searcher, bench};
use crate::rules::{Position, perft_while};

/// What is to be done.
pub(super) enum Job {
    /// Find the best move.
    Search {
        position: Position,
        limits: Limits,
        infinite: bool,
        ponder: bool,
        searcher: Arc<Mutex<Searcher>>,
        /// Whether scores are told as chances too.
        show_wdl: bool,
    },
    /// Count legal move paths.
    Perft { position: Position, depth: u32 },
    /// The fixed work that measures speed.
    Bench { depth: u32 },
}

impl Job {
    /// Does it; returns the text that it ends with.
    fn run(&self, control: &Control, output: &Output) -> String {
        match self {
            Job::Search { position, limits, infinite, searcher, show_wdl, .. } => {
                let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
                let draws = show_wdl.then(|| searcher.evaluation(position.variant()).draws());
                let mut info = Info::new(position, limits.multi_pv > 1, draws);
                let found = search(position, limits, *infinite, control, &mut searcher, |news| {
                    info.tell(news, output);
                    // Nobody reads any more.
                    if output.is_closed() {
                        control.stop();
                    }
                    output.is_closed()
                });
                best_line(position, found)
            }
            Job::Perft { position, depth } => perft(position, *depth, control),
            Job::Bench { depth } => run_bench(*depth, control, output),
        }
    }

    /// Whether it comes to its end without being told to.
    fn is_limited(&self) -> bool {
        !matches!(self, Job::Search { infinite: true, .. })
    }
}

/// Work that is being done.
pub(super) struct Work {
    thread: JoinHandle<()>,
    control: Arc<Control>,
    limited: bool,
    searches: bool,
}

impl Work {
    /// Begins; the sender hears when it is done.
    pub fn begin(job: Job, output: &Output, done: &SyncSender<Event>) -> Result<Work, String> {
        let control = Arc::new(Control::new(matches!(job, Job::Search { ponder: true, .. })));
        let (limited, searches) = (job.is_limited(), matches!(job, Job::Search { .. }));
        let (shared, output, done) = (Arc::clone(&control), output.clone(), done.clone());
        let run = move || {
            let last = catch_unwind(AssertUnwindSafe(|| job.run(&shared, &output)));
            output.line(&last.unwrap_or_else(|_| {
                output.error("the work failed; this is a bug");
                "bestmove (none)".to_string()
            }));
            // Whoever hears has gone only when the session is over.
            let _ = done.send(Event::Done);
        };
        let thread = thread::Builder::new()
            .stack_size(STACK_SIZE)
            .spawn(run)
            .map_err(|error| format!("no thread for the work: {error}"))?;
        Ok(Work { thread, control, limited, searches })
    }

    /// Whether it will end without being told to any more.
    pub fn will_end(&self) -> bool {
        self.is_stopping() || self.limited && !self.control.is_pondering()
    }

    /// Whether it was told to stop.
    pub fn is_stopping(&self) -> bool {
        self.control.is_stopped()
    }

    /// Whether it is a search.
    pub fn is_search(&self) -> bool {
        self.searches
    }

    /// Whether it is a search on the other side's time.
    pub fn is_pondering(&self) -> bool {
        self.control.is_pondering()
    }

    /// The move pondered on was played.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Ends it as soon as possible.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Waits for its end.
    pub fn join(self) {
        // A panic in the work has been told by the work.
        let _ = self.thread.join();
    }
}

/// Counts the paths below each legal move.
fn perft(position: &Position, depth: u32, control: &Control) -> String {
    let mut position = position.without_history();
    let mut counts = Vec::new();
    let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
    for mv in moves {
        let text = position.move_text(mv);
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

/// Searches. `tell` hears the news, and says whether nobody reads any more.
fn search(
    position: &Position,
    limits: &Limits,
    infinite: bool,
    control: &Control,
    searcher: &mut Searcher,
    mut tell: impl FnMut(&News) -> bool,
) -> Found {
    let mut closed = false;
    let found = searcher.search(position, limits, control, |news| closed |= tell(news));
    // A search without limit answers only when it is told to; a finished game has no answer to wait for.
    let waits = || (infinite || control.is_pondering()) && !control.is_stopped();
    while found.best.is_some() && waits() && !closed {
        thread::sleep(Duration::from_millis(1));
    }
    found
}

/// The fixed work, with its nodes and their speed as the last line.
fn run_bench(depth: u32, control: &Control, output: &Output) -> String {
    let report = |item: &bench::Item| output.line(&item.to_string());
    match bench::run(depth, control, report) {
        Ok(total) => total.summary(),
        Err(fault) => format!("info string error: bench {fault}"),
    }
}
