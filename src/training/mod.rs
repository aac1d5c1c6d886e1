//! Learning what positions are worth: games of the engine against itself, the positions kept from them, and the
//! evaluation weights and networks fitted to these.

mod adam;
pub mod corpus;
pub mod data;
mod examples;
pub mod game_file;
pub mod games;
pub mod learn;
pub mod merge;
pub mod network;
pub mod pgn;
pub mod pooled;
pub mod prior;
pub mod sample;
pub mod selfplay;
pub mod shard;
pub mod sink;
pub mod spsa;
mod store;
pub mod tune;
