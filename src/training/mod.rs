//! Learning what pieces are worth: games of the engine against itself, the positions kept from them, and
//! the tables and networks fitted to these.

pub mod corpus;
pub mod network;
pub mod sample;
pub mod selfplay;
pub mod tune;
