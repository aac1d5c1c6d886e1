//! Garrison: an engine for chess variants that no engine plays.
//!
//! [`rules`] knows the games, [`engine`] searches a position, [`protocol`] talks to programs and
//! [`cli`] to people. Dependencies point that way only: `cli` → `protocol` → `engine` → `rules`.

pub mod cli;
pub mod engine;
pub mod protocol;
pub mod rules;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
