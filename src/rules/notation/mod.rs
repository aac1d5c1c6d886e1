//! Positions and moves as text, as `protocol.md` documents them.

mod fen;
mod fen_check;
mod moves;
mod picture;

pub use fen::{FenError, FenField};
pub use moves::MoveError;
