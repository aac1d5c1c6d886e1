//! How strong the program plays.

use std::fmt;
use std::time::Duration;

use crate::engine::Limits;

/// The positions that the program looks at for a move, by level from 1. Each level has about three
/// times the work of the one before, which is about a ply and a half.
const NODES: [u64; 10] = [30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

/// The highest level.
pub const LEVELS: u8 = NODES.len() as u8;

/// How strong the program plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// By the positions that it looks at, from 1.
    Level(u8),
    /// By the time for each move.
    Time(Duration),
}

impl Strength {
    /// What is played if nothing else is said.
    pub const DEFAULT: Strength = Strength::Level(5);

    /// When the search for a move ends.
    pub fn limits(self) -> Limits {
        match self {
            Strength::Level(level) => {
                let index = usize::from(level).clamp(1, NODES.len()) - 1;
                Limits { nodes: Some(NODES[index]), ..Limits::default() }
            }
            Strength::Time(time) => Limits { move_time: Some(time), ..Limits::default() },
        }
    }

    /// How far its scores are to be trusted, in centipawns: the less it looks at, the less.
    pub(super) fn doubt(self) -> i32 {
        let level = if let Strength::Level(level) = self { level } else { LEVELS };
        5 + 5 * i32::from(LEVELS - level.min(LEVELS))
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Level(level) => write!(f, "level {level}"),
            Strength::Time(time) => write!(f, "{} ms a move", time.as_millis()),
        }
    }
}
