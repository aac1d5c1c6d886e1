//! Matches between engines: processes, clocks, openings, games, statistics, logs.

pub mod adjudication;
pub mod chart;
pub mod clock;
mod collector;
pub mod cross_table;
pub mod ending;
pub mod engine;
pub mod fault;
pub mod game;
pub mod log;
pub mod openings;
mod pipes;
pub mod record;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod stats;
pub mod tournament;
mod worker;
