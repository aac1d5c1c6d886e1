//! What differs between UCI and USI: the texts of names, moves, positions and scores.

use std::sync::Arc;

use crate::engine::Score;
use crate::protocol::options::{DEFAULT_VARIANT, OFFERS, Offer, SETUP_PHASE};
use crate::protocol::usi::text as usi;
use garrison_rules::{Move, Position, Variant};

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

    /// The game until another is chosen: the one that every front end knows.
    pub fn default_game(self) -> &'static str {
        match self {
            Form::Uci => DEFAULT_VARIANT,
            Form::Usi => "shogi",
        }
    }

    /// The options that are offered.
    pub fn offers(self) -> impl Iterator<Item = &'static Offer> {
        OFFERS.iter().filter(|offer| offer.name != SETUP_PHASE)
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

    /// The name of what `position` sets from a text.
    pub fn position_word(self) -> &'static str {
        match self {
            Form::Uci => "fen",
            Form::Usi => "sfen",
        }
    }

    /// Reads a position.
    pub fn read_position(self, variant: &Arc<Variant>, text: &str) -> Result<Position, String> {
        match self {
            Form::Uci => Position::from_fen(variant, text).map_err(|error| error.to_string()),
            Form::Usi => usi::parse_sfen(variant, text),
        }
    }

    /// A position, whole.
    pub fn position_text(self, position: &Position) -> String {
        match self {
            Form::Uci => position.fen(),
            Form::Usi => usi::sfen(position),
        }
    }

    /// What a position is called where it is shown.
    pub fn position_title(self) -> &'static str {
        match self {
            Form::Uci => "Fen",
            Form::Usi => "Sfen",
        }
    }

    /// A legal move.
    pub fn move_text(self, position: &Position, mv: Move) -> String {
        match self {
            Form::Uci => position.move_text(mv),
            Form::Usi => usi::move_text(position, mv),
        }
    }

    /// Reads a legal move.
    pub fn parse_move(self, position: &Position, text: &str) -> Result<Move, String> {
        match self {
            Form::Uci => position.parse_move(text).map_err(|error| error.to_string()),
            Form::Usi => usi::parse_move(position, text),
        }
    }

    /// Reads a move and makes it; setups that it leaves out keep their arrays.
    pub fn play(self, position: &mut Position, text: &str) -> Result<usize, String> {
        match self {
            Form::Uci => position.play(text).map_err(|error| error.to_string()),
            Form::Usi => usi::play(position, text),
        }
    }

    /// Text with squares in it, as people read it, from one with our own names of them.
    pub fn with_squares(self, position: &Position, text: String) -> String {
        match self {
            Form::Uci => text,
            Form::Usi => usi::with_squares(position.variant().geometry(), &text),
        }
    }

    /// The squares of a text in our own names.
    pub fn own_squares(self, position: &Position, text: &str) -> String {
        match self {
            Form::Uci => text.to_string(),
            Form::Usi => usi::own_squares(position.variant().geometry(), text),
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
