//! Game records: players, start, moves, comments, variations and result of a game. PGN is their text.
//! Matches, `play`, `analyze` and opening files share them.

mod annotation;
mod game;
pub mod pgn;

pub use annotation::{EVAL, RecordedScore, eval_note};
pub use game::{
    GameRecord, MOST_DEPTH, MOST_VARIATIONS, Ply, SIGNS, Variation, move_number, numbered,
};
