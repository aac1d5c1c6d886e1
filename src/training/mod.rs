//! Learning what men are worth: games of the engine against itself, and the positions kept from them.

pub mod sample;
pub mod selfplay;
pub mod tune;
