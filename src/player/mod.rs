//! The program as a player, wherever it plays people: how strong it is, what it says to a draw, what is said of moves.

pub mod draws;
pub mod events;
mod strength;

pub use draws::{Answer, OwnScores};
pub use strength::{LEVELS, Strength};
