//! Garrison: an engine for chess variants that no engine plays.
//!
//! [`garrison_rules`] knows the games, [`engine`] searches a position, [`endings`] solves those of few pieces, [`record`] reads and writes games,
//! [`arena`] plays matches, [`training`] fits the evaluation, [`picture`], [`rulebook`] and [`viewer`] show positions,
//! games and their rules, [`protocol`] talks to programs, [`board`] to the browser and [`cli`] to people. Dependencies
//! point one way: `cli` → `protocol`, `board`, `arena`, `training` → `engine`, `record` → `garrison_rules`.

pub mod arena;
pub mod board;
pub mod cli;
pub mod cpu;
pub mod definitions;
pub mod divide;
pub mod endings;
pub mod engine;
pub mod eval_files;
pub mod files;
pub mod json_log;
mod page_texts;
pub mod picture;
pub mod player;
pub mod protocol;
pub mod record;
pub mod review;
pub mod rule_file;
pub mod rulebook;
mod text;
pub mod training;
pub mod viewer;
mod web_page;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
