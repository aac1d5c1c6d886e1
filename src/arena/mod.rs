//! Games between engines and their records.

pub mod chart;
pub mod pgn;
