//! Time controls and clocks: `level`, `st`, `sd`, `nps`, `time`, `otim`.

use std::time::Duration;

use crate::engine::{Clock, Limits};
use garrison_rules::{Color, PerColor, Position, shown};
use thiserror::Error;

/// The most seconds of a clock: more than a year.
const MOST_SECONDS: f64 = 40_000_000.0;

/// The moves that a clock is divided by where time is counted in nodes and the clock is for the whole game.
const SHARES_OF_A_GAME: u32 = 40;

/// Why a time control or clock is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(in crate::protocol) enum ClockError {
    /// `level` without its three values.
    #[error("level needs moves, minutes (or minutes:seconds) and increment")]
    LevelSyntax,
    /// A value of `time` or `otim`.
    #[error("'{}' is no number of hundredths of a second", shown(.0))]
    NotHundredths(String),
    /// A time in seconds.
    #[error("'{}' is no number of seconds", shown(.0))]
    NotSeconds(String),
    /// A whole number.
    #[error("'{}' is no number from 0 to {most}", shown(.value))]
    NotANumber {
        /// The value.
        value: String,
        /// The largest value allowed.
        most: u32,
    },
}

/// Time control and clocks.
#[derive(Debug, Clone)]
pub(super) struct Clocks {
    /// Moves of a period; 0 if there is one for the whole game.
    moves: u32,
    /// The time of a period.
    base: Duration,
    increment: Duration,
    /// A time for each move, in place of a clock.
    each: Option<Duration>,
    /// The deepest search.
    depth: Option<u32>,
    /// The nodes that count as a second of the engine's time; none if time is time.
    rate: Option<u32>,
    /// The time left: the engine's, and the opponent's.
    left: [Duration; 2],
}

impl Default for Clocks {
    /// Forty moves in five minutes.
    fn default() -> Clocks {
        let base = Duration::from_secs(300);
        Clocks {
            moves: 40,
            base,
            increment: Duration::ZERO,
            each: None,
            depth: None,
            rate: None,
            left: [base; 2],
        }
    }
}

impl Clocks {
    /// A new game: full clocks, and no limits for a move.
    pub fn reset(&mut self) {
        (self.each, self.depth, self.rate) = (None, None, None);
        self.left = [self.base; 2];
    }

    /// `level MOVES MINUTES[:SECONDS] INCREMENT`
    pub fn level(&mut self, text: &str) -> Result<(), ClockError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [moves, base, increment] = words[..] else {
            return Err(ClockError::LevelSyntax);
        };
        let moves = whole(moves, 10_000)?;
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let base = Duration::from_secs(60 * u64::from(whole(minutes, 500_000)?)) + time(seconds)?;
        self.increment = time(increment)?;
        (self.moves, self.base, self.each) = (moves, base, None);
        self.left = [base; 2];
        Ok(())
    }

    /// `st SECONDS`
    pub fn each(&mut self, text: &str) -> Result<(), ClockError> {
        self.each = Some(time(text)?);
        Ok(())
    }

    /// `sd DEPTH`
    pub fn depth(&mut self, text: &str) -> Result<(), ClockError> {
        self.depth = Some(whole(text, u32::MAX)?.max(1));
        Ok(())
    }

    /// `nps NODES`: so many nodes are a second from now on; with 0 the time of the processor is asked for, which is
    /// the time on the clock for an engine that always thinks.
    pub fn rate(&mut self, text: &str) -> Result<(), ClockError> {
        self.rate = Some(whole(text, u32::MAX)?).filter(|rate| *rate > 0);
        Ok(())
    }

    /// `time` (the engine's, 0) and `otim` (the opponent's, 1) in hundredths of a second. A clock that has run
    /// out may be negative.
    pub fn left(&mut self, whose: usize, text: &str) -> Result<(), ClockError> {
        let fault = || ClockError::NotHundredths(text.to_string());
        let hundredths: f64 = text.parse().map_err(|_| fault())?;
        let seconds = Some(hundredths / 100.0).filter(|seconds| seconds.is_finite());
        let seconds = seconds.ok_or_else(fault)?.clamp(0.0, MOST_SECONDS);
        self.left[whose] = Duration::from_secs_f64(seconds);
        Ok(())
    }

    /// Runs the engine's clock for a move that it has just made, in case the front end sends no `time`.
    pub fn spend(&mut self, time: Duration, position: &Position) {
        self.left[0] = self.left[0].saturating_sub(time) + self.increment;
        let made = position.fullmove() - u32::from(position.side_to_move() == Color::White);
        if self.moves > 0 && made.is_multiple_of(self.moves) {
            self.left[0] += self.base;
        }
    }

    /// The moves to the next period, for the side to move.
    fn moves_to_go(&self, position: &Position) -> Option<u32> {
        (self.moves > 0).then(|| self.moves - (position.fullmove() - 1) % self.moves)
    }

    /// The time for a move of the engine where it is counted in nodes: by `st`, or an equal part of the clock.
    fn share(&self, position: &Position) -> Duration {
        let moves = self.moves_to_go(position).unwrap_or(SHARES_OF_A_GAME);
        self.each.unwrap_or_else(|| (self.left[0] / moves + self.increment).min(self.left[0]))
    }

    /// The limits of a search by the side to move.
    pub fn limits(&self, position: &Position, overhead: Duration) -> Limits {
        let side = position.side_to_move();
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        if let Some(rate) = self.rate {
            let nodes = self.share(position).as_secs_f64() * f64::from(rate);
            limits.nodes = Some((nodes as u64).max(1));
            return limits;
        }
        if let Some(each) = self.each {
            // XBoard's clock runs until the move has arrived.
            let time = each.saturating_sub(overhead).max(Limits::MIN_TIME);
            limits.move_time = Some(time);
            return limits;
        }
        let mut left = PerColor([self.left[1]; 2]);
        left[side] = self.left[0];
        let increment = PerColor([self.increment; 2]);
        let moves_to_go = self.moves_to_go(position);
        limits.clock = Some(Clock { left, increment, moves_to_go, byoyomi: Duration::ZERO });
        limits
    }
}

/// The limits of `side` when its clock has already run for a while.
pub(super) fn late(mut limits: Limits, side: Color, by: Duration) -> Limits {
    limits.move_time = limits.move_time.map(|time| time.saturating_sub(by).max(Limits::MIN_TIME));
    if let Some(clock) = &mut limits.clock {
        clock.left[side] = clock.left[side].saturating_sub(by);
    }
    limits
}

/// A number of seconds, which may have a fraction.
fn time(text: &str) -> Result<Duration, ClockError> {
    let fault = || ClockError::NotSeconds(text.to_string());
    let seconds: f64 = text.parse().map_err(|_| fault())?;
    let fits = (0.0..=MOST_SECONDS).contains(&seconds);
    fits.then(|| Duration::from_secs_f64(seconds)).ok_or_else(fault)
}

fn whole(text: &str, most: u32) -> Result<u32, ClockError> {
    let number = text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| ClockError::NotANumber { value: text.to_string(), most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    #[test]
    fn times_are_read() {
        let mut position = Position::start(&find("swda").expect("a game"));
        let mut clocks = Clocks::default();
        clocks.level("40 2:30 0.5").expect("a level");
        clocks.left(0, "1234").expect("a time");
        clocks.left(1, "-5").expect("a time");
        let clock = clocks.limits(&position, Duration::ZERO).clock.expect("a clock");
        assert_eq!(clock.left.0, [Duration::from_millis(12_340), Duration::ZERO]);
        let passed =
            late(clocks.limits(&position, Duration::ZERO), Color::White, Duration::from_secs(2));
        let left = passed.clock.expect("a clock").left.0;
        assert_eq!(left, [Duration::from_millis(10_340), Duration::ZERO]);
        assert_eq!((clock.moves_to_go, clock.increment.0[0].as_millis()), (Some(40), 500));
        for mv in ["e2e3", "e7e6"] {
            position.play(mv).expect("a move");
        }
        let clock = clocks.limits(&position, Duration::ZERO).clock.expect("a clock");
        assert_eq!(clock.moves_to_go, Some(39));
        clocks.each("2").expect("a time");
        clocks.depth("0").expect("a depth");
        let limits = clocks.limits(&position, Duration::from_millis(10));
        assert_eq!(limits.move_time, Some(Duration::from_millis(1990)));
        assert_eq!(limits.depth, Some(1));
        let passed = late(limits, Color::White, Duration::from_secs(1));
        assert_eq!(passed.move_time, Some(Duration::from_millis(990)));
        // So many nodes are a second.
        let nodes = |clocks: &Clocks| clocks.limits(&position, Duration::ZERO).nodes;
        clocks.rate("500").expect("a rate");
        assert_eq!(nodes(&clocks), Some(1000));
        clocks.level("40 0:39 0").expect("a level");
        assert_eq!(nodes(&clocks), Some(500));
        clocks.level("0 0:40 0").expect("a level");
        assert_eq!(nodes(&clocks), Some(500));
        clocks.rate("0").expect("a rate");
        assert_eq!(nodes(&clocks), None);
        assert!(clocks.rate("-1").is_err() && clocks.rate("").is_err());
        for wrong in ["", "40", "40 5", "x 5 0", "40 5 -1", "40 5:x 0", "40 5 inf", "40 5 0 0"] {
            assert!(clocks.level(wrong).is_err(), "{wrong}");
        }
        assert!(clocks.each("NaN").is_err() && clocks.left(0, "NaN").is_err());
    }
}
