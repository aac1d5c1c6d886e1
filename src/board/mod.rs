//! `garrison board`: the games in the browser of this computer.
//!
//! The page is a thin view that knows no rule. It keeps its games itself and asks for everything else by values: a game
//! as its name, start and moves goes in, a position with its legal moves comes out. Nothing of a game stays here, so a
//! page goes on after a reload or a restart, and what answers could as well be part of the page.
//!
//! | file | what it is |
//! |---|---|
//! | `server`, `connections`, `http` | who is answered, how many, and how |
//! | `line`, `view`, `games` | a game as text, a position and a game as the page shows them |
//! | `edit` | a position that is being put together, with its faults |
//! | `search`, `files` | searches, PGN, annotation |
//! | `invent` | definitions that are typed on the page |
//! | `page`, `pictures` | the files of the page; pictures of pieces and of their moves, the page about a game |

mod connections;
mod edit;
mod files;
mod games;
mod http;
mod invent;
mod line;
mod page;
mod pictures;
mod refusal;
mod search;
mod server;
mod view;

pub use server::{PORT, Server, Stopper};

/// The media type of answers to commands.
const JSON: &str = "application/json";

/// The media type of answers in parts: a value a line.
const LINES: &str = "application/x-ndjson";
