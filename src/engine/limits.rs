//! How long a search may take, and how it is told to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use garrison_rules::{Move, PerColor};

/// The state of a clock before a move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    /// The time each side has left.
    pub left: PerColor<Duration>,
    /// What each side gets for a move.
    pub increment: PerColor<Duration>,
    /// The moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// The time for each move once the time left is used up.
    pub byoyomi: Duration,
}

/// When a search ends. Without any limit it goes on until it is stopped.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub move_time: Option<Duration>,
    /// A game clock.
    pub clock: Option<Clock>,
    /// Ends when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Only these moves of the root are searched; all if there is none.
    pub search_moves: Vec<Move>,
    /// How many of the best moves get a line of their own; 0 counts as 1.
    pub multi_pv: usize,
    /// Kept back of a clock for the way of a move to the other side.
    pub overhead: Duration,
}

impl Default for Limits {
    /// No limit.
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            move_time: None,
            clock: None,
            mate: None,
            search_moves: Vec::new(),
            multi_pv: 1,
            overhead: Limits::OVERHEAD,
        }
    }
}

/// The level of a player of full strength.
pub const FULL_SKILL: u32 = 20;

/// The positions that a weaker player visits for a move; each level has twice the work of the one
/// before it. None for full strength.
pub fn skill_nodes(level: u32) -> Option<u64> {
    (level < FULL_SKILL).then(|| 16 << level)
}

impl Limits {
    /// What is kept back of a clock if nothing else is asked for.
    pub const OVERHEAD: Duration = Duration::from_millis(10);
    /// The least time for a move, whatever the clock says.
    pub const LEAST: Duration = Duration::from_millis(1);

    /// Whether nothing ends the search but a stop.
    pub fn is_infinite(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.move_time.is_none()
            && self.clock.is_none()
            && self.mate.is_none()
    }
}

/// What the owner of a search tells it while it runs.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    begun: Instant,
    started: Mutex<Started>,
}

/// From when the limits count, and the clock then, if it was told anew.
#[derive(Debug, Clone, Copy)]
struct Started {
    at: Instant,
    clock: Option<Clock>,
}

impl Control {
    /// For a search that begins now; one that ponders has no limit until it is hit.
    pub fn new(pondering: bool) -> Control {
        Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            begun: Instant::now(),
            started: Mutex::new(Started { at: Instant::now(), clock: None }),
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The move pondered on was played: from now on the limits count, with the clock as it is now if that
    /// is known, else as it was told before.
    pub fn ponder_hit(&self, clock: Option<Clock>) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) =
            Started { at: Instant::now(), clock };
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether limits do not count yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// How long the search has gone on, pondering included.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// How long the limits have counted.
    pub(super) fn elapsed(&self) -> Duration {
        self.started().at.elapsed()
    }

    /// The clock that was told with a ponder hit.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.started().clock
    }

    fn started(&self) -> Started {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
