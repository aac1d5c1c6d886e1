//! The differences between UCI and USI: names, moves, positions and scores as text.

use std::sync::Arc;

use crate::engine::Score;
use crate::protocol::options::{self, DEFAULT_VARIANT, Offer, SETUP_PHASE};
use crate::protocol::refusal::TextError;
use crate::protocol::usi::text::{Usi, parse_sfen, sfen};
use garrison_rules::{Algebraic, Color, FenError, Move, Notation, Position, Setup, Variant};

/// UCI, or USI, which has the same commands with other texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::protocol) enum Form {
    Uci,
    Usi,
}

impl Form {
    /// The first word of a conversation, and the beginning of the answer to it.
    pub fn hello(self) -> &'static str {
        match self {
            Form::Uci => "uci",
            Form::Usi => "usi",
        }
    }

    /// The game until another is chosen: one that every front end knows.
    pub fn default_game(self) -> &'static str {
        match self {
            Form::Uci => DEFAULT_VARIANT,
            Form::Usi => "shogi",
        }
    }

    /// The options that are offered.
    pub fn offers(self) -> impl Iterator<Item = &'static Offer> {
        options::offers().filter(|offer| offer.name != SETUP_PHASE)
    }

    /// The name of an option.
    pub fn option_name(self, name: &str) -> String {
        if self == Form::Uci {
            return name.to_string();
        }
        match name {
            "Hash" | "Ponder" | "MultiPV" => format!("USI_{name}"),
            _ => name.replace("UCI_", "USI_").replace(' ', "_"),
        }
    }

    /// The word of `position` that comes before a position as text.
    pub fn position_word(self) -> &'static str {
        match self {
            Form::Uci => "fen",
            Form::Usi => "sfen",
        }
    }

    /// How squares and sides are named.
    pub fn notation(self) -> &'static dyn Notation {
        match self {
            Form::Uci => &Algebraic,
            Form::Usi => &Usi,
        }
    }

    /// Reads a position into an empty setup, behind a word of `position`, `fen` or `sfen`; `None` if the form has no such word. UCI reads
    /// SFEN too: behind `sfen`, and behind `fen` in the games that programs for shogi play.
    pub fn read_position(
        self,
        empty: Setup,
        word: &str,
        text: &str,
    ) -> Option<Result<Position, TextError>> {
        let variant = &Arc::clone(empty.variant());
        let is_sfen = match (self, word) {
            (Form::Uci, "fen") => is_shogi_text(variant, text),
            (_, "sfen") => true,
            _ => return None,
        };
        let error = |notation: &'static dyn Notation| {
            move |error: FenError| TextError::Position(error, notation)
        };
        Some(if is_sfen {
            parse_sfen(variant, text).map_err(error(&Usi))
        } else {
            empty.read_fen(text).and_then(Setup::into_position).map_err(error(&Algebraic))
        })
    }

    /// A position as text.
    pub fn position_text(self, position: &Position) -> String {
        match self {
            Form::Uci => position.fen(),
            Form::Usi => sfen(position),
        }
    }

    /// The title of a position that is displayed.
    pub fn position_title(self) -> &'static str {
        match self {
            Form::Uci => "Fen",
            Form::Usi => "Sfen",
        }
    }

    /// A legal move.
    pub fn move_text(self, position: &Position, mv: Move) -> String {
        position.move_text_in(self.notation(), mv)
    }

    /// Reads a legal move.
    pub fn parse_move(self, position: &Position, text: &str) -> Result<Move, TextError> {
        Ok(position.parse_move_in(self.notation(), text)?)
    }

    /// Reads a move and makes it; pending setups that it skips keep their arrays.
    pub fn play(self, position: &mut Position, text: &str) -> Result<usize, TextError> {
        Ok(position.play_in(self.notation(), text)?)
    }

    /// The color by which the form calls a side: in USI the side that moves first is Black.
    pub fn color(self, color: Color) -> Color {
        match self {
            Form::Uci => color,
            Form::Usi => !color,
        }
    }

    /// A line of play, as far as its moves are legal one after the other.
    pub fn line_text(self, position: &Position, line: &[Move]) -> String {
        position.line_with(line, |position, mv| self.move_text(position, mv)).join(" ")
    }

    /// A score: mates are counted in moves, in USI in plies.
    pub fn score(self, score: Score) -> String {
        match (self, score.mate_distance()) {
            (Form::Usi, Some(plies)) => format!("mate {plies}"),
            _ => score.to_string(),
        }
    }
}

/// Whether a text is a SFEN, `<board> <side> <hands> <ply>`, of a game in which captured pieces change sides, as in
/// shogi. No FEN of such a game has four fields of which the last is a number, but for one with a bracket.
fn is_shogi_text(variant: &Variant, text: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fields: Vec<&str> = text.split_whitespace().collect();
    let is_sfen = matches!(fields[..], [board, _, hands, ply]
        if !board.contains('[') && !is_number(hands) && is_number(ply));
    is_sfen && variant.captures_change_sides() && !variant.has_rights()
}
