//! Answers to questions and to the mouse, and settings.

use std::str::FromStr;

use super::command::Command;
use super::dialect::Cecp;
use super::features::find_offer;
use super::think::Purpose;
use super::{highlight, text};
use crate::engine::{MAX_THREADS, TranspositionTable};
use crate::protocol::options::{OptionError, Setting, Values};
use crate::protocol::refusal::Refusal;
use crate::protocol::session::Session;
use crate::protocol::setup::setup;
use garrison_rules::Algebraic;

impl Cecp {
    /// Prints a good move for the side to move: the one that the engine expects.
    pub(super) fn hint(&self, session: &Session) {
        let seen = match &self.purpose {
            Some(Purpose::Move(post) | Purpose::Analysis(post)) => {
                post.seen().line.first().copied()
            }
            _ => self.expected,
        };
        if let Some(mv) = seen.filter(|&mv| session.position.is_legal(mv)) {
            session.output.line(&format!("Hint: {}", text::move_text(&session.position, mv)));
        }
    }

    pub(super) fn status(&self, session: &Session) {
        if let Some(Purpose::Move(post) | Purpose::Ponder(_, post) | Purpose::Analysis(post)) =
            &self.purpose
        {
            session.output.line(&post.status());
        }
    }

    /// `memory`, `cores` and `option`.
    pub(super) fn set(&self, session: &mut Session, command: Command<'_>) -> Result<(), Refusal> {
        let setting = match command {
            // XBoard sends one value for all engines, so it is limited to this engine's range.
            Command::Memory(text) => Setting::Hash(
                number::<usize>(text)?
                    .clamp(*TranspositionTable::SIZES.start(), *TranspositionTable::SIZES.end()),
            ),
            Command::Cores(text) => Setting::Threads(number::<usize>(text)?.clamp(1, MAX_THREADS)),
            Command::Option(text) => option(session, text)?,
            _ => return Ok(()),
        };
        Ok(session.set(setting)?)
    }

    pub(super) fn lift(&mut self, session: &Session, square: &str) {
        self.lifted = square.chars().take(8).collect();
        let marks = highlight::marks(&session.position, &self.lifted);
        session.output.line(&format!("highlight {marks}"));
    }

    pub(super) fn put(&self, session: &Session, square: &str) {
        if let Some(choice) = highlight::choice(&session.position, &self.lifted, square) {
            session.output.line(&format!("choice {choice}"));
        }
    }

    pub(super) fn setup(&mut self, session: &mut Session, text: &str) -> Result<(), Refusal> {
        let state = setup(&mut session.position, text, &Algebraic)?;
        // Moves before a setup cannot be taken back.
        self.plies.clear();
        session.output.line(&format!("# {state}"));
        Ok(())
    }
}

pub(super) fn pong(session: &Session, text: &str) -> Result<(), Refusal> {
    session.output.line(&format!("pong {}", number::<u64>(text)?));
    Ok(())
}

fn number<T: FromStr>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|_| Refusal::NotANumber(text.to_string()))
}

/// `option NAME=VALUE`, `option NAME` for a button.
fn option(session: &Session, text: &str) -> Result<Setting, OptionError> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let (name, value) = (name.trim(), value.trim());
    let offer = find_offer(name).ok_or_else(|| OptionError::Unknown(name.to_string()))?;
    // XBoard writes flags as numbers.
    let value = match (offer.values, value) {
        (Values::Flag(_), "1") => "true",
        (Values::Flag(_), "0") => "false",
        _ => value,
    };
    offer.read(value, &session.games)
}

pub(super) fn display(session: &Session) {
    let position = &session.position;
    let text =
        format!("{}\nFen: {}\nStatus: {}", position.picture(), position.fen(), position.status());
    let lines: Vec<String> = text.lines().map(|line| format!("# {line}")).collect();
    session.output.line(&lines.join("\n"));
}

pub(super) fn legal(session: &Session) {
    let position = &session.position;
    let moves = position.legal_moves();
    let texts: Vec<String> = moves.iter().map(|&mv| text::move_text(position, mv)).collect();
    session.output.line(&format!("# {}", texts.join(" ")));
}
