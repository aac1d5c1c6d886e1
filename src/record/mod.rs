//! Game records: what was played, by whom, how it ended, and what was noted on the way. PGN is their text.
//! Matches, `play`, `analyze` and opening files share them.

mod annotation;
mod game;
pub mod pgn;

pub use annotation::{EVAL, RecordedScore, eval_note};
pub use game::{GameRecord, Ply};
