//! A slow, literal reference implementation of the rule book: the slow twin that the fast rules are
//! compared with. It was written from the rule book alone, independently of the program: a plain
//! mailbox, a copy per move, no cleverness. Comments of the form "§n" quote section n of the rule
//! book, "notation" quotes the notation contract, "note n" an entry of NOTES.md.

#![allow(dead_code)]

mod betza;
mod fen;
mod history;
mod moves;
mod position;
mod rules;

pub use self::history::Game;
pub use self::position::Position;
