//! Garrison: an engine for chess variants that no engine plays.
//!
//! [`garrison_rules`] knows the games, [`engine`] searches a position, [`arena`] plays matches and keeps records,
//! [`training`] makes the engine learn, [`protocol`] talks to programs and [`cli`] to people. Dependencies
//! point that way only: `cli` → `protocol`, `arena`, `training` → `engine` → `garrison_rules`.

pub mod arena;
pub mod cli;
pub mod definitions;
pub mod divide;
pub mod engine;
mod files;
pub mod protocol;
pub mod training;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
