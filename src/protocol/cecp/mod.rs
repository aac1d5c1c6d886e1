//! XBoard's protocol, version 2.
//!
//! XBoard does not know the games: when one is chosen, the engine sends board and pieces, and XBoard asks it where a
//! piece may go. The engine keeps the game, and reports its end.

mod answers;
pub mod board;
mod clock;
mod command;
mod dialect;
mod features;
pub mod highlight;
mod known;
mod post;
pub mod text;
mod think;
mod words;

pub(super) use clock::ClockError;
pub(super) use dialect::Cecp;
