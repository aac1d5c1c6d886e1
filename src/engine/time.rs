//! How long a move may take.

use std::time::Duration;

use super::limits::Limits;
use crate::rules::Color;

/// What an iteration tells about whether another is worth its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Iteration {
    pub depth: u32,
    pub stable_for: u32,
    pub score_drop: i32,
    pub effort: f64,
    pub moves: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TimeManager {
    time: Option<(Duration, Duration)>,
    clock: bool,
}

impl TimeManager {
    pub fn new(limits: &Limits, side: Color) -> TimeManager {
        TimeManager { time: limits.time_for(side), clock: limits.clock.is_some() }
    }
    pub fn maximum(&self) -> Option<Duration> {
        self.time.map(|time| time.1)
    }
    pub fn is_enough(&self, elapsed: Duration, facts: &Iteration) -> bool {
        self.clock && facts.moves == 1 || self.time.is_some_and(|(soft, _)| elapsed >= soft)
    }
}
