//! A search that runs on a thread of its own, and what it reports.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use garrison::engine::{
    Control, Evaluator, Limits, STACK_SIZE, Score, SearchEvent, SearchInfo, SearchResult, Searcher,
};
use garrison_rules::Position;
use pyo3::prelude::*;

use crate::errors::EngineError;

/// A lock that a panic of another thread does not poison.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The searcher of an engine, or who has it.
pub enum Slot {
    /// Nobody searches.
    Free(Box<Searcher>),
    /// A search runs that this controls.
    Busy(Arc<Control>),
    /// A search has panicked.
    Lost,
}

/// The searcher of an engine, shared with its search.
pub struct Seat {
    slot: Mutex<Slot>,
    freed: Condvar,
}

impl Seat {
    pub fn new(searcher: Searcher) -> Seat {
        Seat { slot: Mutex::new(Slot::Free(Box::new(searcher))), freed: Condvar::new() }
    }

    /// Takes the searcher for a search with this control. A search that was stopped is waited for.
    pub fn take(&self, py: Python<'_>, control: &Arc<Control>) -> PyResult<Box<Searcher>> {
        let taken = py.detach(|| {
            let mut slot = lock(&self.slot);
            while matches!(&*slot, Slot::Busy(other) if other.is_stopped()) {
                slot = self.freed.wait(slot).unwrap_or_else(PoisonError::into_inner);
            }
            match std::mem::replace(&mut *slot, Slot::Busy(Arc::clone(control))) {
                Slot::Free(searcher) => Ok(searcher),
                other => {
                    let is_busy = matches!(other, Slot::Busy(_));
                    *slot = other;
                    Err(is_busy)
                }
            }
        });
        taken.map_err(|is_busy| {
            EngineError::new_err(if is_busy {
                "this engine is searching: stop that search first, or use an engine for each thread"
            } else {
                "a search of this engine ended by a fault of the program: make another engine"
            })
        })
    }

    /// Gives the searcher back; none if it is lost.
    pub fn give_back(&self, searcher: Option<Box<Searcher>>) {
        *lock(&self.slot) = searcher.map_or(Slot::Lost, Slot::Free);
        self.freed.notify_all();
    }
}

/// How a search ended.
#[derive(Clone, Copy)]
pub struct End {
    pub found: SearchResult,
    pub nodes: u64,
    /// The static evaluation, for a search that a limit ended before its first line.
    pub score: Score,
}

/// A search that may still run.
pub struct Running {
    pub control: Arc<Control>,
    reports: Mutex<Receiver<SearchInfo>>,
    /// How it ended, set before the last report is followed by nothing.
    end: Arc<Mutex<Option<End>>>,
}

impl Running {
    /// Begins a search on a thread of its own; the thread gives the searcher back.
    pub fn begin(
        seat: &Arc<Seat>,
        mut searcher: Box<Searcher>,
        control: Arc<Control>,
        position: Position,
        limits: Limits,
    ) -> PyResult<Running> {
        let (sender, receiver) = channel();
        let end = Arc::new(Mutex::new(None));
        let (seat_of_search, control_of_search) = (Arc::clone(seat), Arc::clone(&control));
        let end_of_search = Arc::clone(&end);
        let search = move || {
            // A panic is a bug; the engine is lost then, but not the program that uses it.
            let ended = catch_unwind(AssertUnwindSafe(|| {
                let found = searcher.search(&position, &limits, &control_of_search, |event| {
                    if let SearchEvent::Info(info) = event {
                        // Nobody may listen any more.
                        let _ = sender.send(info.clone());
                    }
                });
                let nodes = searcher.nodes();
                let mut evaluation = searcher.evaluation(position.variant()).clone();
                let score = Score::centipawns(evaluation.evaluate(&position));
                (End { found, nodes, score }, searcher)
            }));
            match ended {
                Ok((end, searcher)) => {
                    // The engine is free before its search is known to have ended.
                    seat_of_search.give_back(Some(searcher));
                    *lock(&end_of_search) = Some(end);
                }
                Err(_) => seat_of_search.give_back(None),
            }
        };
        if let Err(error) = thread::Builder::new().stack_size(STACK_SIZE).spawn(search) {
            seat.give_back(None);
            return Err(EngineError::new_err(format!("no thread for the search: {error}")));
        }
        Ok(Running { control, reports: Mutex::new(receiver), end })
    }

    /// The next line, waited for so long. Once there is none, the search has [ended](Running::end).
    pub fn receive(&self, slice: Duration) -> Result<SearchInfo, RecvTimeoutError> {
        lock(&self.reports).recv_timeout(slice)
    }

    /// How it ended; none while it runs, or if it panicked.
    pub fn end(&self) -> Option<End> {
        *lock(&self.end)
    }
}

/// Nobody can read what it reports any more.
impl Drop for Running {
    fn drop(&mut self) {
        self.control.stop();
    }
}
