//! What ends a search: limits that are set before it, and its control from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use garrison_rules::{Move, PerColor};

/// The state of a game clock before a move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    /// The time that each side has left.
    pub left: PerColor<Duration>,
    /// What each side gets added with every move.
    pub increment: PerColor<Duration>,
    /// The moves to the next time control; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
    /// The time for every move once the time left is used up; what is not used is lost.
    pub byoyomi: Duration,
}

/// When a search ends: at the first limit that is reached. Without any it runs until it is stopped.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads.
    pub nodes: Option<u64>,
    /// Time for the move, all of which is used.
    pub move_time: Option<Duration>,
    /// A game clock, of whose time a part is used.
    pub clock: Option<Clock>,
    /// A mate within this many moves ends the search.
    pub mate: Option<u32>,
    /// The moves of the root that are searched; all if there are none.
    pub search_moves: Vec<Move>,
    /// How many of the best moves are searched and reported with a line of their own; 0 counts as 1.
    pub multi_pv: usize,
    /// Whether to search on where a repetition, the move count or few pieces have ended the game: a front end that
    /// does not know the rule needs a move.
    pub plays_on: bool,
    /// Kept back of a clock for the time that a move takes to reach the other side.
    pub overhead: Duration,
    /// By how many centipawns a draw with all pieces on the board is worth less than an even position to the side that
    /// searches, which so prefers many pieces to few; 0 sees both sides alike. More than [`Limits::MOST_CONTEMPT`] counts as
    /// that, and as much below 0.
    pub contempt: i32,
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
            plays_on: false,
            overhead: Limits::OVERHEAD,
            contempt: 0,
        }
    }
}

/// The skill level of full strength.
pub const FULL_SKILL: u32 = 20;

/// The nodes that a skill level searches for a move, twice as many with each level; `None` for full strength.
pub fn skill_nodes(level: u32) -> Option<u64> {
    (level < FULL_SKILL).then(|| 16 << level)
}

impl Limits {
    /// The default of [`Limits::overhead`].
    pub const OVERHEAD: Duration = Duration::from_millis(10);
    /// The most centipawns of [`Limits::contempt`], for and against draws.
    pub const MOST_CONTEMPT: i32 = 200;
    /// The least time for a move, whatever the clock shows.
    pub const MIN_TIME: Duration = Duration::from_millis(1);

    /// Whether time or nodes end the search.
    pub fn is_by_time_or_nodes(&self) -> bool {
        self.move_time.is_some() || self.clock.is_some() || self.nodes.is_some()
    }

    /// Whether only a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.move_time.is_none()
            && self.clock.is_none()
            && self.mate.is_none()
    }
}

/// Controls a running search from another thread.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the search began.
    begun: Instant,
    limits_start: Mutex<LimitsStart>,
}

/// Since when limits of time count, and the clock then, if a ponder hit brought it.
#[derive(Debug, Clone, Copy)]
struct LimitsStart {
    at: Instant,
    clock: Option<Clock>,
}

impl Control {
    /// For a search that begins now. While it ponders no time counts, until [`Control::ponder_hit`].
    pub fn new(pondering: bool) -> Control {
        Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            begun: Instant::now(),
            limits_start: Mutex::new(LimitsStart { at: Instant::now(), clock: None }),
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The move pondered on was played: from now on time counts, with this clock, or that of the limits if none is
    /// given.
    pub fn ponder_hit(&self, clock: Option<Clock>) {
        *self.limits_start.lock().unwrap_or_else(PoisonError::into_inner) =
            LimitsStart { at: Instant::now(), clock };
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search ponders: no time counts yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// The time since the search began, pondering included.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// How long limits of time have counted.
    pub(super) fn elapsed(&self) -> Duration {
        self.limits_start().at.elapsed()
    }

    /// The clock that a ponder hit brought.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.limits_start().clock
    }

    fn limits_start(&self) -> LimitsStart {
        *self.limits_start.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
