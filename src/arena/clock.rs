//! Limits of an engine's moves (clocks, times, nodes, depths) and their texts.

use std::fmt;
use std::time::Duration;

use garrison_rules::shown;
use thiserror::Error;

/// A game clock: `[moves/]seconds[+increment]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves of a period; `None`: the time is for the whole game.
    pub moves: Option<u32>,
    /// The time for the game, or for each period.
    pub time: Duration,
    /// The time added after each move.
    pub increment: Duration,
}

/// The limit of the search for each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// A game clock.
    Clock(TimeControl),
    /// A time for each move.
    MoveTime(Duration),
    /// Positions to visit for each move.
    Nodes(u64),
    /// Plies to search for each move.
    Depth(u32),
}

/// A text that is no time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("time control '{}': {fault}; write it as 10+0.1 or 40/60+0.5", shown(.text))]
pub struct TimeControlError {
    /// The text.
    pub text: String,
    /// Its part at fault.
    pub fault: TimeControlFault,
}

/// What is wrong with a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TimeControlFault {
    /// The moves, before `/`.
    #[error("moves are a number from 1 to 1000")]
    Moves,
    /// The time itself.
    #[error("the time is no number of seconds")]
    Time,
    /// The increment, behind `+`.
    #[error("the increment is no number of seconds")]
    Increment,
    /// There is no time.
    #[error("the time is 0")]
    Zero,
}

/// A limit that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PaceError {
    /// A wrong time control.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// A value out of range.
    #[error("{name} '{}' is no number from 1 to {most}", shown(.value))]
    NotANumber {
        /// The option.
        name: String,
        /// Its value.
        value: String,
        /// The largest value allowed.
        most: u64,
    },
    /// No such limit.
    #[error("'{}' is none of tc, movetime, nodes, depth", shown(.0))]
    Unknown(String),
}

impl TimeControl {
    /// Reads `10+0.1`, `40/60+0.5`, `300`: times in seconds, to the millisecond.
    ///
    /// # Errors
    /// The part at fault.
    pub fn parse(text: &str) -> Result<TimeControl, TimeControlError> {
        let fault = |fault| TimeControlError { text: text.to_string(), fault };
        let (moves, rest) = match text.split_once('/') {
            None => (None, text),
            Some((moves, rest)) => {
                let number = whole(moves).filter(|moves| (1..=1000).contains(moves));
                (Some(number.ok_or_else(|| fault(TimeControlFault::Moves))?), rest)
            }
        };
        let (time, increment) = match rest.split_once('+') {
            None => (rest, None),
            Some((time, increment)) => (time, Some(increment)),
        };
        let time = seconds(time).ok_or_else(|| fault(TimeControlFault::Time))?;
        let increment = increment.map_or(Some(Duration::ZERO), seconds);
        let increment = increment.ok_or_else(|| fault(TimeControlFault::Increment))?;
        if time.is_zero() {
            return Err(fault(TimeControlFault::Zero));
        }
        Ok(TimeControl { moves, time, increment })
    }
}

/// Decimal digits only: no sign, no blank.
fn whole(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Seconds with a fraction, up to about eleven days.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = text.parse().ok().filter(|_| plain)?;
    (number <= 1e6).then(|| Duration::from_millis((number * 1000.0).round() as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(f, "+{}", self.increment.as_secs_f64())
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Clock(control) => write!(f, "{control}"),
            Pace::MoveTime(time) => write!(f, "{} ms/move", time.as_millis()),
            Pace::Nodes(nodes) => write!(f, "{nodes} nodes/move"),
            Pace::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

impl Pace {
    /// Whether an engine that is deterministic plays the same game twice.
    pub fn is_reproducible(&self) -> bool {
        matches!(self, Pace::Nodes(_) | Pace::Depth(_))
    }

    /// Reads the value of an option `tc`, `movetime` (ms), `nodes` or `depth`.
    ///
    /// # Errors
    /// The name or value at fault.
    pub fn parse(name: &str, value: &str) -> Result<Pace, PaceError> {
        let number = |most: u64| {
            let number = value.parse::<u64>().ok().filter(|number| (1..=most).contains(number));
            let (name, value) = (name.to_string(), value.to_string());
            number.ok_or(PaceError::NotANumber { name, value, most })
        };
        match name {
            "tc" => Ok(Pace::Clock(TimeControl::parse(value)?)),
            "movetime" => Ok(Pace::MoveTime(Duration::from_millis(number(1_000_000_000)?))),
            "nodes" => Ok(Pace::Nodes(number(u64::MAX)?)),
            "depth" => Ok(Pace::Depth(number(127)? as u32)),
            _ => Err(PaceError::Unknown(name.to_string())),
        }
    }
}

/// The clock of one side during a game.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pace: Pace,
    left: Duration,
    to_go: Option<u32>,
}

impl Clock {
    /// The clock before the first move.
    pub fn new(pace: Pace) -> Clock {
        match pace {
            Pace::Clock(control) => Clock { pace, left: control.time, to_go: control.moves },
            _ => Clock { pace, left: Duration::ZERO, to_go: None },
        }
    }

    /// The limit.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// The time that the next move may take, if there is such a limit.
    pub fn allowed(&self) -> Option<Duration> {
        match self.pace {
            Pace::Clock(_) => Some(self.left),
            Pace::MoveTime(time) => Some(time),
            Pace::Nodes(_) | Pace::Depth(_) => None,
        }
    }

    /// A move took this long, and not too long.
    pub fn spend(&mut self, time: Duration) {
        let Pace::Clock(control) = self.pace else {
            return;
        };
        self.left = self.left.saturating_sub(time) + control.increment;
        if let Some(to_go) = &mut self.to_go {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = control.moves.unwrap_or(1);
                self.left += control.time;
            }
        }
    }

    /// The words behind `go` for the side of this clock, `other` being the other's.
    pub fn go_words(&self, white: bool, other: &Clock) -> String {
        match self.pace {
            Pace::MoveTime(time) => format!("movetime {}", time.as_millis()),
            Pace::Nodes(nodes) => format!("nodes {nodes}"),
            Pace::Depth(depth) => format!("depth {depth}"),
            Pace::Clock(control) => {
                // A side without a clock of its own is shown as having as much.
                let (theirs, increment) = match other.pace {
                    Pace::Clock(control) => (other.left, control.increment),
                    _ => (self.left, control.increment),
                };
                let (w, b) = if white { (self.left, theirs) } else { (theirs, self.left) };
                let (winc, binc) = if white {
                    (control.increment, increment)
                } else {
                    (increment, control.increment)
                };
                let mut words = format!(
                    "wtime {} btime {} winc {} binc {}",
                    w.as_millis(),
                    b.as_millis(),
                    winc.as_millis(),
                    binc.as_millis()
                );
                if let Some(to_go) = self.to_go {
                    words += &format!(" movestogo {to_go}");
                }
                words
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, moves, time, increment) in [
            ("10+0.1", None, 10_000, 100),
            ("40/60+0.5", Some(40), 60_000, 500),
            ("300", None, 300_000, 0),
            ("0.25", None, 250, 0),
            ("1/1", Some(1), 1000, 0),
        ] {
            let control = TimeControl::parse(text).expect(text);
            let wanted = TimeControl { moves, time: millis(time), increment: millis(increment) };
            assert_eq!(control, wanted, "{text}");
            assert_eq!(control.to_string(), text);
        }
    }

    #[test]
    fn wrong_time_controls_are_refused() {
        for wrong in [
            "", "+", "10+", "+1", "/10", "0/10", "1001/10", "x/10", "-1/10", "10/", "0", "0+1",
            "-10", "10+-1", "1e3", "inf", "nan", "10+0.1+1", "40/60/60", " 10", "10 +1", "1:30",
            "99999999", "1..5", "+5/10", "0.0001",
        ] {
            let error = TimeControl::parse(wrong).expect_err(wrong).to_string();
            assert!(error.starts_with("time control '") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_clock_runs() {
        let control = TimeControl::parse("2/10+1").expect("a time control");
        let (mut clock, other) = (Clock::new(Pace::Clock(control)), Clock::new(Pace::Depth(3)));
        assert_eq!(clock.allowed(), Some(millis(10_000)));
        clock.spend(millis(4000));
        assert_eq!(
            clock.go_words(false, &other),
            "wtime 7000 btime 7000 winc 1000 binc 1000 movestogo 1"
        );
        clock.spend(millis(6500));
        assert_eq!(clock.left(), millis(11_500));
        assert_eq!(other.go_words(true, &clock), "depth 3");
        assert!(clock.go_words(true, &other).ends_with("movestogo 2"));
    }

    #[test]
    fn paces_are_read() {
        assert_eq!(Pace::parse("nodes", "100"), Ok(Pace::Nodes(100)));
        assert_eq!(Pace::parse("movetime", "50"), Ok(Pace::MoveTime(millis(50))));
        for (name, value) in [("nodes", "0"), ("depth", "128"), ("movetime", "x"), ("st", "1")] {
            assert!(Pace::parse(name, value).is_err());
        }
        assert_eq!(Pace::Nodes(100).to_string(), "100 nodes/move");
    }
}
