//! How much time XBoard gives: `level`, `st`, `sd`, `time`, `otim`.

use std::time::Duration;

use crate::engine::{Clock, Limits};
use garrison_rules::{Color, PerColor, Position, shown};

/// The most seconds that are told of: more than a year.
const MOST_SECONDS: f64 = 40_000_000.0;

/// Time control and clocks.
#[derive(Debug, Clone)]
pub(super) struct Clocks {
    /// The moves of a period; 0 for the whole game.
    moves: u32,
    /// The time for them.
    base: Duration,
    increment: Duration,
    /// A time for each move, in place of all that.
    each: Option<Duration>,
    /// The deepest search.
    depth: Option<u32>,
    /// What the engine has left, and what the other side has.
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
            left: [base; 2],
        }
    }
}

impl Clocks {
    /// A new game: full clocks, and no limits of a move.
    pub fn reset(&mut self) {
        (self.each, self.depth) = (None, None);
        self.left = [self.base; 2];
    }

    /// `level MOVES MINUTES[:SECONDS] INCREMENT`
    pub fn level(&mut self, text: &str) -> Result<(), String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [moves, base, increment] = words[..] else {
            return Err("level needs moves, minutes (or minutes:seconds) and increment".into());
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
    pub fn each(&mut self, text: &str) -> Result<(), String> {
        self.each = Some(time(text)?);
        Ok(())
    }

    /// `sd DEPTH`
    pub fn depth(&mut self, text: &str) -> Result<(), String> {
        self.depth = Some(whole(text, u32::MAX)?.max(1));
        Ok(())
    }

    /// `time` (the engine's, 0) and `otim` (the other side's, 1) in hundredths of a second. A clock that
    /// has run out may be negative.
    pub fn left(&mut self, whose: usize, text: &str) -> Result<(), String> {
        let fault = || format!("'{}' is no number of hundredths of a second", shown(text));
        let hundredths: f64 = text.parse().map_err(|_| fault())?;
        let seconds = Some(hundredths / 100.0).filter(|seconds| seconds.is_finite());
        let seconds = seconds.ok_or_else(fault)?.clamp(0.0, MOST_SECONDS);
        self.left[whose] = Duration::from_secs_f64(seconds);
        Ok(())
    }

    /// A move of the engine, now made, took so long: what `time` would say next if it were not sent.
    pub fn spend(&mut self, time: Duration, position: &Position) {
        self.left[0] = self.left[0].saturating_sub(time) + self.increment;
        let made = position.fullmove() - u32::from(position.side() == Color::White);
        if self.moves > 0 && made.is_multiple_of(self.moves) {
            self.left[0] += self.base;
        }
    }

    /// The moves to the next period, for the side to move.
    fn moves_to_go(&self, position: &Position) -> Option<u32> {
        (self.moves > 0).then(|| self.moves - (position.fullmove() - 1) % self.moves)
    }

    /// The limits of a search by the side to move.
    pub fn limits(&self, position: &Position, overhead: Duration) -> Limits {
        let side = position.side();
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        if let Some(each) = self.each {
            // XBoard counts the way of the move too.
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

/// The limits of a side whose time has run for a while already.
pub(super) fn late(mut limits: Limits, side: Color, by: Duration) -> Limits {
    limits.move_time = limits.move_time.map(|time| time.saturating_sub(by).max(Limits::MIN_TIME));
    if let Some(clock) = &mut limits.clock {
        clock.left[side] = clock.left[side].saturating_sub(by);
    }
    limits
}

/// A number of seconds, which may have a fraction.
fn time(text: &str) -> Result<Duration, String> {
    let fault = || format!("'{}' is no number of seconds", shown(text));
    let seconds: f64 = text.parse().map_err(|_| fault())?;
    let fits = (0.0..=MOST_SECONDS).contains(&seconds);
    fits.then(|| Duration::from_secs_f64(seconds)).ok_or_else(fault)
}

fn whole(text: &str, most: u32) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| format!("'{}' is no number from 0 to {most}", shown(text)))
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
        for wrong in ["", "40", "40 5", "x 5 0", "40 5 -1", "40 5:x 0", "40 5 inf", "40 5 0 0"] {
            assert!(clocks.level(wrong).is_err(), "{wrong}");
        }
        assert!(clocks.each("NaN").is_err() && clocks.left(0, "NaN").is_err());
    }
}
