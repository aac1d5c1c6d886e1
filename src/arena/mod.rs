//! Games between engines and their records.

pub mod pgn;
