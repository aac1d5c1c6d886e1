//! Matches between engines: processes, clocks, openings, games, statistics, logs.

pub mod adjudication;
pub mod chart;
pub mod clock;
pub mod cross_table;
pub mod ending;
pub mod engine;
pub mod game;
pub mod log;
pub mod openings;
pub mod record;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod stats;
pub mod tournament;
