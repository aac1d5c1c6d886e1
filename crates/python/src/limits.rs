//! When a search ends, as keyword arguments.

use std::time::Duration;

use garrison::engine::{Clock, Limits};
use garrison::player::{LEVELS, Strength};
use garrison_rules::{PerColor, Position};
use pyo3::prelude::*;

use crate::errors::EngineError;
use crate::reading::read_moves;

/// The longest time that is taken, in seconds: a year.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;

/// The most lines of a search.
const MOST_LINES: usize = 500;

/// The limits of `Engine.play` and `Engine.analyze`, taken out of their keyword arguments.
pub struct LimitArguments<'py> {
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub movetime: Option<f64>,
    pub clock: Option<(f64, f64)>,
    pub increment: Option<(f64, f64)>,
    pub byoyomi: Option<f64>,
    pub moves_to_go: Option<u32>,
    pub mate: Option<u32>,
    pub level: Option<u8>,
    pub moves: Option<Bound<'py, PyAny>>,
}

fn seconds(name: &str, value: f64) -> PyResult<Duration> {
    if (0.0..=MOST_SECONDS).contains(&value) {
        return Ok(Duration::from_secs_f64(value));
    }
    Err(EngineError::new_err(format!("{name} of {value} s is not from 0 to {MOST_SECONDS}")))
}

fn at_least_one<T: PartialOrd + From<u8>>(name: &str, value: Option<T>) -> PyResult<Option<T>> {
    match value {
        Some(value) if value < T::from(1) => {
            Err(EngineError::new_err(format!("{name} is 0; it must be at least 1")))
        }
        value => Ok(value),
    }
}

impl LimitArguments<'_> {
    /// The limits, for a search of this position with so many lines.
    pub fn limits(self, position: &Position, multipv: usize) -> PyResult<Limits> {
        if !(1..=MOST_LINES).contains(&multipv) {
            let message = format!("multipv {multipv} is not from 1 to {MOST_LINES}");
            return Err(EngineError::new_err(message));
        }
        let clock = self.clock()?;
        let nodes = match self.level {
            None => at_least_one("nodes", self.nodes)?,
            Some(level) if (1..=LEVELS).contains(&level) && self.nodes.is_none() => {
                Strength::Level(level).limits().nodes
            }
            Some(level) => {
                let message =
                    format!("level {level} is not from 1 to {LEVELS}, or nodes are given too");
                return Err(EngineError::new_err(message));
            }
        };
        Ok(Limits {
            nodes,
            clock,
            depth: at_least_one("depth", self.depth)?,
            move_time: self.movetime.map(|time| seconds("movetime", time)).transpose()?,
            mate: at_least_one("mate", self.mate)?,
            search_moves: match &self.moves {
                None => Vec::new(),
                Some(moves) => match read_moves(position, moves)? {
                    moves if moves.is_empty() => {
                        return Err(EngineError::new_err("moves is empty; at least one is needed"));
                    }
                    moves => moves,
                },
            },
            multi_pv: multipv,
            ..Limits::default()
        })
    }

    fn clock(&self) -> PyResult<Option<Clock>> {
        let both = |name, (white, black)| -> PyResult<PerColor<Duration>> {
            Ok(PerColor([seconds(name, white)?, seconds(name, black)?]))
        };
        let Some(left) = self.clock else {
            if self.increment.is_some() || self.byoyomi.is_some() || self.moves_to_go.is_some() {
                let message =
                    "increment, byoyomi and moves_to_go need a clock: clock=(white, black)";
                return Err(EngineError::new_err(message));
            }
            return Ok(None);
        };
        Ok(Some(Clock {
            left: both("clock", left)?,
            increment: both("increment", self.increment.unwrap_or_default())?,
            moves_to_go: at_least_one("moves_to_go", self.moves_to_go)?,
            byoyomi: seconds("byoyomi", self.byoyomi.unwrap_or_default())?,
        }))
    }
}
