//! The rights of pieces that have not moved, and the checks that have been given, in a FEN.

use super::fen_error::FenFault;
use crate::setup::Setup;
use crate::shown::shown;
use crate::types::Color;

impl Setup {
    /// The rights of pieces that have not moved: letters of castling, then squares of first moves.
    pub(super) fn rights_text(&self) -> String {
        let variant = self.variant();
        let mut text = String::new();
        for color in Color::ALL {
            let castles = variant.side(color).castles.iter();
            let held = castles.filter(|castle| self.rights & castle.right != 0);
            text.extend(held.map(|castle| castle.letter));
        }
        for (square, _) in variant.rights().firsts().filter(|(_, bit)| self.rights & bit != 0) {
            text += &variant.geometry().name(square);
        }
        if text.is_empty() { "-".to_string() } else { text }
    }

    pub(super) fn read_rights(&mut self, text: &str) -> Result<(), FenFault> {
        self.rights = 0;
        if text == "-" {
            return Ok(());
        }
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let before = self.rights;
            let length = match self.variant().geometry().parse_square(rest) {
                Some((square, after)) => {
                    let length = rest.len() - after.len();
                    self.set_first_move(square, true);
                    length
                }
                None => {
                    self.set_castling(c, true);
                    c.len_utf8()
                }
            };
            if self.rights == before {
                self.rights = u32::MAX;
                let all = self.rights_text();
                self.rights = 0;
                return Err(FenFault::Right { text: shown(&rest[..length]), all });
            }
            rest = &rest[length..];
        }
        Ok(())
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
