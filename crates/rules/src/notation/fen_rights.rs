//! The rights of pieces that have not moved, and the checks that have been given, in a FEN.

use super::fen::{FenError, FenField};
use crate::position::Position;
use crate::shown::shown;
use crate::types::Color;
use crate::variant::{Variant, with_check};

type Result<T> = std::result::Result<T, FenError>;

/// The rights of pieces that have not moved: letters of castles, then squares of first moves.
pub(super) fn rights_text(variant: &Variant, rights: u32) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let held = variant.side(color).castles.iter().filter(|castle| rights & castle.right != 0);
        text.extend(held.map(|castle| castle.letter));
    }
    for (square, _) in variant.rights.firsts().filter(|(_, bit)| rights & bit != 0) {
        text += &variant.geometry().name(square);
    }
    if text.is_empty() { "-".to_string() } else { text }
}

pub(super) fn parse_rights(variant: &Variant, text: &str) -> Result<u32> {
    if text == "-" {
        return Ok(0);
    }
    let fault = |what: &str| {
        let all = rights_text(variant, u32::MAX);
        let fault = format!("'{}' is no right of {}; all are {all}", shown(what), variant.name());
        FenError::new(FenField::Setup, fault)
    };
    let mut rights = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (bit, length) = match variant.geometry().parse_square(rest) {
            Some((square, after)) => (variant.rights.first(square), rest.len() - after.len()),
            None => {
                let sides = Color::ALL.into_iter().map(|color| variant.side(color));
                let mut castles = sides.flat_map(|side| side.castles.iter());
                let castle = castles.find(|castle| castle.letter == c);
                (castle.map_or(0, |castle| castle.right), c.len_utf8())
            }
        };
        if bit == 0 || rights & bit != 0 {
            return Err(fault(&rest[..length]));
        }
        rights |= bit;
        rest = &rest[length..];
    }
    Ok(rights)
}

/// Takes the field of the checks that are still needed, such as `3+2`, out of the fields; those that
/// have been given, as rights. The field may be missing.
pub(super) fn parse_checks(variant: &Variant, fields: &mut Vec<&str>) -> Result<u32> {
    let Some(limit) = variant.end().checks.filter(|_| matches!(fields.len(), 5 | 7)) else {
        return Ok(0);
    };
    let text = fields.remove(4);
    let left = |text: &str| text.parse().ok().filter(|left| (0..=limit).contains(left));
    let both = text.split_once('+').and_then(|(white, black)| Some((left(white)?, left(black)?)));
    let Some((white, black)) = both else {
        let fault = format!("'{}' is not two numbers from 0 to {limit} such as 1+1", shown(text));
        return Err(FenError::new(FenField::Checks, fault));
    };
    let given = [(Color::White, limit - white), (Color::Black, limit - black)];
    let all = given.into_iter().flat_map(|(color, count)| (0..count).map(move |_| color));
    Ok(all.fold(0, with_check))
}

impl Position {
    /// The checks that White and Black still need, with a space in front, where checks are counted.
    pub(super) fn checks_text(&self) -> String {
        let needed = self.variant().end().checks.map(|limit| {
            let [white, black] = Color::ALL.map(|c| limit.saturating_sub(self.checks_given(c)));
            format!(" {white}+{black}")
        });
        needed.unwrap_or_default()
    }
}
