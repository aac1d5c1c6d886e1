//! XBoard's protocol, version 2.
//!
//! XBoard knows none of the games: it is told board and pieces when one is chosen, and asks the engine where
//! a piece may go. The engine keeps the game, and says when it is over.

pub mod board;
mod clock;
mod command;
mod dialect;
mod features;
pub mod highlight;
mod post;
pub mod text;
mod think;

pub(super) use dialect::Cecp;
