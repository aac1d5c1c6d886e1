//! Positions and moves as text, as `protocol.md` documents them.

mod fen;
mod fen_check;
mod fen_rights;
mod moves;
mod picture;
mod result;
mod san;

pub use fen::{FenError, FenField};
pub use moves::MoveError;
pub use result::GameResult;
