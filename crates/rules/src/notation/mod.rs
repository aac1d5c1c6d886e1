//! Positions and moves as text, as `protocol.md` documents them.

mod fen;
mod fen_error;
mod fen_fields;
mod fen_rights;
mod move_error;
mod moves;
mod picture;
mod result;
mod san;
mod why;

pub use fen_error::{FenError, FenFault, FenField};
pub use move_error::{MoveError, MoveFault};
pub use result::GameResult;
