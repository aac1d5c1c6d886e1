//! Garrison: an engine for chess variants that no engine plays.
//!
//! [`rules`] knows the games, [`engine`] searches a position, [`arena`] plays matches and keeps records,
//! [`training`] makes the engine learn, [`protocol`] talks to programs and [`cli`] to people. Dependencies
//! point that way only: `cli` → `protocol`, `arena`, `training` → `engine` → `rules`.

pub mod arena;
pub mod cli;
pub mod engine;
mod files;
pub mod protocol;
pub mod rules;
pub mod training;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
