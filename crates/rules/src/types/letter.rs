//! How pieces are written.

use std::fmt;

use super::Color;

/// How a piece is written: a capital, with a `+` in front for a promoted form.
///
/// ```
/// use garrison_rules::{Color, Letter};
///
/// let pawn = Letter { capital: 'P', promoted: false };
/// let tokin = Letter { capital: 'P', promoted: true };
/// assert_eq!(Letter::split("P+P"), Some(vec![pawn, tokin]));
/// assert_eq!(tokin.to_string(), "+P");
/// assert_eq!(tokin.of_side(Color::Black), "+p");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Letter {
    /// `A` to `Z`.
    pub capital: char,
    /// Whether a `+` stands in front.
    pub promoted: bool,
}

impl Letter {
    /// Splits a text such as `RNB` or `+R+B` into letters; `None` if it contains anything else.
    pub fn split(text: &str) -> Option<Vec<Letter>> {
        let mut letters = Vec::new();
        let mut promoted = false;
        for c in text.chars() {
            match c {
                '+' if !promoted => promoted = true,
                'A'..='Z' => {
                    letters.push(Letter { capital: c, promoted });
                    promoted = false;
                }
                _ => return None,
            }
        }
        (!promoted).then_some(letters)
    }

    /// The letter of a piece of `color` in a FEN: upper case for White, lower case for Black.
    pub fn of_side(self, color: Color) -> String {
        let text = self.to_string();
        if color == Color::Black { text.to_lowercase() } else { text }
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.promoted { "+" } else { "" }, self.capital)
    }
}
