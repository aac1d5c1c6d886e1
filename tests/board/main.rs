//! `garrison board`: its server, and its page in a real Chromium.

mod added;
#[path = "../chromium/mod.rs"]
mod chromium;
mod learn;
mod page;
mod play;
mod script;
mod security;
mod server;
