//! What the user is told in words: XBoard shows neither why a move is refused, nor what a fallen fortress brings, nor what
//! it leaves out of a game.

use super::board::Parent;
use super::dialect::Cecp;
use super::text::XBoard;
use crate::protocol::session::Session;
use crate::text::lines_of;
use garrison_rules::fault::Describe;
use garrison_rules::{Move, PieceType, Reason, Variant};

/// The width of a text in a window, in characters.
const WIDTH: usize = 64;

impl Cecp {
    /// Shows a text to a person; a program needs none.
    pub(super) fn tell(&self, session: &Session, text: &str) {
        if !self.against_program {
            session.output.line(&format!("telluser {}", folded(text)));
        }
    }

    /// What a move brings beside itself, in a game against a person. The move was not made yet.
    pub(super) fn tell_fall(&self, session: &Session, mv: Move) {
        if self.engine_side.is_none() {
            return;
        }
        if let Some(fall) = session.position.fall_by(mv) {
            self.tell(session, &fall.through(session.position.variant(), &XBoard).to_string());
        }
    }

    /// That the rules call the game a draw, once in a game.
    pub(super) fn tell_draw(&mut self, session: &Session, reason: Reason) {
        if !std::mem::replace(&mut self.told_draw, true) {
            let text = format!("By the rules this is a draw ({reason}), which is offered.");
            self.tell(session, &text);
        }
    }

    /// What XBoard cannot show of a game, once for each game in a row.
    pub(super) fn explain_game(&mut self, session: &Session) {
        let variant = session.position.variant();
        if self.explained != variant.name() {
            self.explained = variant.name().to_string();
            if let Some(text) = explanation(variant) {
                self.tell(session, &text);
            }
        }
    }
}

/// A text for a window of XBoard, which is as wide as the text: long ones are written in several lines, in the form
/// that XBoard knows for them, with two backslashes before the text and `\n` between lines.
fn folded(text: &str) -> String {
    let lines = lines_of(text.split(' '), WIDTH);
    if lines.len() == 1 { lines.concat() } else { format!(r"\\{}", lines.join(r"\n")) }
}

/// What a person must know who plays a game in XBoard: what happens to its setup phase and hands.
fn explanation(variant: &Variant) -> Option<String> {
    let mut sentences = Vec::new();
    if variant.has_setup() {
        sentences.push(
            "XBoard has no setup phase: the first move keeps both arrays ('garrison play' lets you \
             rearrange yours)."
                .to_string(),
        );
    }
    if Parent::of(variant) == Parent::Bughouse {
        sentences.push(
            "The pieces beside the board are not your hand: drag from there what you hold. You are told what \
             you get."
                .to_string(),
        );
        sentences.extend(variant.hand_kinds().iter().filter_map(|&kind| reserve(variant, kind)));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// How a reserve is dropped: `G (guard reserve): drag W or F.`
fn reserve(variant: &Variant, kind: PieceType) -> Option<String> {
    let piece = variant.piece(kind);
    let letters = piece.reserve.map(|kind| variant.piece(kind).letter.to_string());
    let letters: Vec<String> = letters.collect();
    let (last, others) = letters.split_last()?;
    let letters =
        if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) };
    Some(format!("{} ({}): drag {letters}.", piece.letter, piece.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_folded() {
        assert_eq!(folded("short"), "short");
        let text = "a".repeat(40) + " " + &"b".repeat(30) + " c";
        let wanted = format!(r"\\{}\n{} c", "a".repeat(40), "b".repeat(30));
        assert_eq!(folded(&text), wanted);
        let long = "x".repeat(100);
        assert_eq!(folded(&long), long);
    }
}
