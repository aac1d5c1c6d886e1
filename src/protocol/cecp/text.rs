//! Moves and positions as XBoard writes them.
//!
//! On boards of exactly ten ranks it counts them from 0. A piece from a reserve is dropped by the letter of
//! what it becomes: XBoard knows no reserves.

use std::sync::Arc;

use super::board::Parent;
use garrison_rules::attacks::Geometry;
use garrison_rules::{Color, FenError, Move, MoveError, Position, Square, Tag, Variant, shown};

/// The number of ranks that XBoard counts from 0.
const COUNTED_FROM_0: u8 = 10;

/// A square.
pub fn square(geometry: &Geometry, square: Square) -> String {
    to_xboard(geometry, &geometry.name(square))
}

/// Numbers of ranks as XBoard counts them.
fn to_xboard(geometry: &Geometry, text: &str) -> String {
    if geometry.ranks() == COUNTED_FROM_0 { shifted(text, -1) } else { text.to_string() }
}

/// Numbers of ranks as the rules count them.
pub(super) fn from_xboard(geometry: &Geometry, text: &str) -> String {
    if geometry.ranks() == COUNTED_FROM_0 { shifted(text, 1) } else { text.to_string() }
}

/// The text with `by` added to its numbers; a number that is too long stays as it is.
fn shifted(text: &str, by: i32) -> String {
    let mut shifted = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[at..].bytes().take_while(u8::is_ascii_digit).count();
        let number = &rest[at..at + digits];
        shifted += &rest[..at];
        match number.parse::<i32>().ok().and_then(|number| number.checked_add(by)) {
            Some(number) => shifted += &number.to_string(),
            None => shifted += number,
        }
        rest = &rest[at + digits..];
    }
    shifted + rest
}

/// A legal move as XBoard has to see it.
pub fn move_text(position: &Position, mv: Move) -> String {
    let variant = position.variant();
    let own = match mv.tag() {
        Tag::Drop => {
            let name = variant.geometry().name(mv.to());
            format!("{}@{name}", variant.piece(mv.becomes()).letter)
        }
        _ => position.move_text(mv),
    };
    to_xboard(variant.geometry(), &own)
}

/// Reads a move that XBoard sends. A promotion that is declined may end in `=` or in the letter of the piece
/// itself. A drop takes the piece of that letter from hand, else the reserve with the fewest choices.
///
/// # Errors
/// Why it is no legal move.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, String> {
    let legal = position.legal_moves();
    let find = |text: &str| {
        let same = legal.iter().copied().filter(|&mv| move_text(position, mv) == text);
        same.min_by_key(|mv| match mv.tag() {
            Tag::Drop => position.variant().piece(mv.dropped()).reserve.len(),
            _ => 0,
        })
    };
    find(text).or_else(|| find(declined(position, text)?)).ok_or_else(|| why_not(position, text))
}

/// The text without the sign of a promotion that is declined, if it has one.
fn declined<'t>(position: &Position, text: &'t str) -> Option<&'t str> {
    let plain = text.strip_suffix('=');
    let itself = || {
        let geometry = position.variant().geometry();
        let own = from_xboard(geometry, text);
        let (from, _) = geometry.parse_square(&own)?;
        let piece = position.variant().piece(position.at(from)?.kind());
        text.strip_suffix(piece.letter.capital.to_ascii_lowercase())
    };
    plain.or_else(itself)
}

fn why_not(position: &Position, text: &str) -> String {
    match position.parse_move(&from_xboard(position.variant().geometry(), text)) {
        // Legal in our notation, but not what XBoard writes.
        Ok(_) => format!("'{}' is no move text of XBoard here", shown(text)),
        // Whoever refuses the move names it.
        Err(MoveError::Illegal { why, .. }) => why,
        Err(error) => error.to_string(),
    }
}

/// Reads a position as XBoard writes it: castling rights that the game does not have are passed over, and
/// so are hands that XBoard cannot follow.
///
/// # Errors
/// As [`Position::from_fen`].
pub fn parse_fen(variant: &Arc<Variant>, text: &str) -> Result<Position, FenError> {
    let mut fields = text.split_whitespace();
    let placement = fields.next().unwrap_or("");
    let side = fields.next().unwrap_or("w");
    let rest: Vec<&str> = fields.collect();
    let own: Vec<String> =
        rest.iter().map(|field| from_xboard(variant.geometry(), field)).collect();
    let is_square = |field: &&String| {
        variant.geometry().parse_square(field).is_some_and(|(_, rest)| rest.is_empty())
    };
    let passed = own.iter().find(is_square).map_or("-", String::as_str);
    let numbers: Vec<&str> = rest.iter().copied().filter(|field| is_number(field)).collect();
    let (halfmoves, fullmove) = match numbers[..] {
        [halfmoves, fullmove, ..] => (halfmoves, fullmove),
        _ => ("0", "1"),
    };
    let rights = rights(variant, rest.first().copied().unwrap_or("-"));
    let placement = match Parent::of(variant) {
        Parent::Bughouse => {
            placement.split('[').next().unwrap_or("").to_string() + &due(variant, placement)
        }
        _ => known_marks(variant, placement),
    };
    let fen = format!("{placement} {side} {rights} {passed} {halfmoves} {fullmove}");
    Position::from_fen(variant, &fen)
}

/// A field of castling rights, if the game has all of them.
fn rights<'t>(variant: &Variant, field: &'t str) -> &'t str {
    let letters = || Color::ALL.into_iter().flat_map(|color| variant.castling_letters(color));
    let known = |c| letters().any(|letter| letter == c);
    if field.chars().all(known) { field } else { "-" }
}

/// The placement without the marks (`N~`) of promoted pieces that are to the rules what they look like.
fn known_marks(variant: &Variant, placement: &str) -> String {
    let mut text = String::new();
    for c in placement.chars() {
        let marked = text.chars().last().unwrap_or(' ').to_ascii_uppercase();
        if c != '~' || variant.has_double(marked) {
            text.push(c);
        }
    }
    text
}

fn is_number(field: &str) -> bool {
    !field.is_empty() && field.bytes().all(|c| c.is_ascii_digit())
}

/// The hands of a position whose hands XBoard cannot follow: a royal piece that is due, nothing else.
fn due(variant: &Variant, placement: &str) -> String {
    let board = placement.split('[').next().unwrap_or("");
    let mut text = String::from("[");
    if let Some((royal, late)) = variant.royalty().and_then(|rule| Some((rule.piece, rule.late?))) {
        for side in Color::ALL {
            let letter = |kind| variant.piece(kind).letter.of_side(side);
            if !board.contains(&letter(late)) && !board.contains(&letter(royal)) {
                text += &letter(royal);
            }
        }
    }
    text + "]"
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
