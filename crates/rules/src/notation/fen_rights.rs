//! The rights of pieces that have not moved, and the checks that have been given, in a FEN.

use super::fen_error::FenFault;
use crate::setup::{Right, Setup};
use crate::shown::shown;
use crate::types::{Color, Square};
use crate::variant::file_letter;

impl Setup {
    /// The rights of pieces that have not moved: letters of castling, files of gates that these do not imply, and squares of
    /// first moves.
    pub(super) fn rights_text(&self) -> String {
        let held = self.rights_held();
        let implied: Vec<Square> =
            held.iter().flat_map(|right| self.implied_gates(*right)).collect();
        let is_written =
            |right: &Right| !matches!(right, Right::Gate(square) if implied.contains(square));
        let text: String =
            held.into_iter().filter(is_written).map(|right| self.right_text(right)).collect();
        if text.is_empty() { "-".to_string() } else { text }
    }

    /// The squares of king and rook, of a right to castle, which have not been left either.
    fn implied_gates(&self, right: Right) -> Vec<Square> {
        let Right::Castling(letter) = right else { return Vec::new() };
        let castles = Color::ALL.into_iter().flat_map(|color| self.all_rights.castles(color));
        let named = castles.filter(|castle| castle.letter == letter);
        named.flat_map(|castle| [castle.king.0, castle.rook.0]).collect()
    }

    /// A right as a FEN names it.
    fn right_text(&self, right: Right) -> String {
        match right {
            Right::Castling(letter) => letter.to_string(),
            Right::FirstMove(square) => self.variant().geometry().name(square),
            Right::Gate(square) => {
                let is_white =
                    self.all_rights.gate(square) & self.all_rights.gates(Color::White) != 0;
                let color = if is_white { Color::White } else { Color::Black };
                file_letter(color, self.variant().geometry().file(square)).to_string()
            }
        }
    }

    pub(super) fn read_rights(&mut self, text: &str) -> Result<(), FenFault> {
        self.rights = 0;
        if text == "-" {
            return Ok(());
        }
        let words = self.words_of_rights(text);
        if words
            .iter()
            .any(|word| matches!(*word, Right::Castling(letter) if self.is_rook_file(letter)))
        {
            self.name_castling_by_rook();
        }
        for word in words {
            let before = self.rights;
            match word {
                Right::FirstMove(square) => self.set_first_move(square, true),
                Right::Castling(letter) => self.set_castling(letter, true),
                Right::Gate(square) => self.set_gate(square, true),
            };
            if self.has_gates(word) {
                self.implied_gates(word).into_iter().for_each(|square| {
                    self.set_gate(square, true);
                });
            }
            if self.rights == before {
                self.rights = 0;
                let text = shown(&self.right_text(word));
                let mut all = Setup::empty(self.variant());
                all.rights = u32::MAX;
                return Err(FenFault::Right { text, all: all.rights_text() });
            }
        }
        Ok(())
    }

    /// The squares and the other letters of a text of rights.
    fn words_of_rights(&self, text: &str) -> Vec<Right> {
        let geometry = self.variant().geometry();
        let (mut words, mut rest) = (Vec::new(), text);
        while let Some(letter) = rest.chars().next() {
            let (word, after) = match geometry.parse_square(rest) {
                Some((square, after)) => (Right::FirstMove(square), after),
                None => {
                    let gate = self.gate_of(letter).map(Right::Gate);
                    (gate.unwrap_or(Right::Castling(letter)), &rest[letter.len_utf8()..])
                }
            };
            words.push(word);
            rest = after;
        }
        words
    }

    /// The gate that a letter names by its file, if it does not name a right to castle.
    fn gate_of(&self, letter: char) -> Option<Square> {
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        let castles = self.all_rights.castles(color).iter();
        if castles.into_iter().any(|castle| castle.letter == letter) {
            return None;
        }
        let file = |square| file_letter(color, self.variant().geometry().file(square));
        let mut gates = self.all_rights.gate_squares(color).map(|(square, _)| square);
        gates.find(|&square| file(square) == letter)
    }

    /// Whether the side of a right to castle can let pieces come from hand.
    fn has_gates(&self, right: Right) -> bool {
        let Right::Castling(letter) = right else { return false };
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        let gating = self.variant().gating();
        gating.is_some_and(|gating| gating.hands_refill || !self.hand(color).is_empty())
    }

    /// Reads the checks that White and Black still need, such as `3+2`, in a game that counts them.
    pub(super) fn read_checks(&mut self, text: &str) -> Result<(), FenFault> {
        let limit = self.variant().end().checks.unwrap_or(0);
        let left = |text: &str| text.parse().ok().filter(|left| (0..=limit).contains(left));
        let both = text.split_once('+');
        let both = both.and_then(|(white, black)| Some([left(white)?, left(black)?]));
        let Some([white, black]) = both else {
            return Err(FenFault::Checks { text: shown(text), limit });
        };
        self.checks_given[Color::White] = limit - white;
        self.checks_given[Color::Black] = limit - black;
        Ok(())
    }

    /// The checks that White and Black still need, with a space in front, where checks are counted.
    pub(super) fn checks_text(&self) -> String {
        let needed = self.variant().end().checks.map(|limit| {
            let [white, black] = self.checks_given.0.map(|given| limit.saturating_sub(given));
            format!(" {white}+{black}")
        });
        needed.unwrap_or_default()
    }
}
