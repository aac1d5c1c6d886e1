//! Nothing lost, nothing silent: every command on a full disk, with an endless input, little memory, a closed pipe, and
//! signals. The commands are those of `garrison --help`, so that a new one is not forgotten.
//!
//! What each prints is the table of docs/errors.md; `bench/outputs` prints it, `bench/outputs --write` writes it there.
#![cfg(target_os = "linux")]

mod commands;
mod data;
mod kept;
mod matches;
mod runner;
mod table;
