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

/// A text from outside as an error message can show it: in one line, with control characters
/// escaped, and cut where it is long.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().count() > MOST {
        short.push('…');
    }
    short
}
