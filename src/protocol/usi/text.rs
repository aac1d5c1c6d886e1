//! Squares, moves and positions as USI writes them.
//!
//! Files are numbers, from 1 at White's right; ranks are letters, from `a` at the top. The side that moves
//! first, White in the rules, is called Black (`b`) and has capitals, as ever.

use std::sync::Arc;

use garrison_rules::attacks::Geometry;
use garrison_rules::{
    Color, FenError, File, Letter, Move, MoveError, Position, Rank, Square, Tag, Variant, shown,
};

/// A square: `5e`.
pub fn square(geometry: &Geometry, square: Square) -> String {
    let file = geometry.files() - geometry.file(square).0;
    let rank = geometry.ranks() - 1 - geometry.rank(square).0;
    format!("{file}{}", char::from(b'a' + rank))
}

/// Reads the name of a square from the start of a text; returns it and the rest.
fn parse_square<'t>(geometry: &Geometry, text: &'t str) -> Option<(Square, &'t str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 2 || text.starts_with('0') {
        return None;
    }
    let number: u8 = text[..digits].parse().ok()?;
    let letter = text[digits..].chars().next().filter(char::is_ascii_lowercase)?;
    let rank = geometry.ranks().checked_sub(1 + (letter as u8 - b'a'))?;
    let file = geometry.files().checked_sub(number)?;
    let square = geometry.square(File(file), Rank(rank))?;
    Some((square, &text[digits + 1..]))
}

/// A legal move: `7g7f`, `7g7f+`, `5b5an`, `P*5e`, `G*5ew`, `=TWF1T1FWT`.
pub fn move_text(position: &Position, mv: Move) -> String {
    from_own(position.variant().geometry(), &position.move_text(mv), mv.tag())
}

/// A move in USI's form, from our own.
fn from_own(geometry: &Geometry, own: &str, tag: Tag) -> String {
    let convert = |text| geometry.parse_square(text).map(|(at, rest)| (square(geometry, at), rest));
    let converted = match tag {
        Tag::Setup | Tag::Pass => None,
        Tag::Drop => own.split_once('@').and_then(|(piece, rest)| {
            convert(rest).map(|(to, choice)| format!("{piece}*{to}{choice}"))
        }),
        _ => convert(own).and_then(|(from, rest)| {
            convert(rest).map(|(to, choice)| format!("{from}{to}{choice}"))
        }),
    };
    converted.unwrap_or_else(|| own.to_string())
}

/// A move in our own form, from USI's; `None` if it is not written like one.
fn to_own(geometry: &Geometry, text: &str) -> Option<String> {
    let convert =
        |text| parse_square(geometry, text).map(|(square, rest)| (geometry.name(square), rest));
    if text.starts_with('=') || text == "0000" {
        return Some(text.to_string());
    }
    if let Some((piece, rest)) = text.split_once('*') {
        let (to, choice) = convert(rest)?;
        return Some(format!("{piece}@{to}{choice}"));
    }
    let (from, rest) = convert(text)?;
    let (to, choice) = convert(rest)?;
    Some(format!("{from}{to}{choice}"))
}

/// Reads a legal move.
///
/// # Errors
/// Why it is none.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, String> {
    let own = own_text(position, text)?;
    position.parse_move(&own).map_err(|error| fault(position, text, error))
}

/// Reads a move and makes it, as [`Position::play`].
///
/// # Errors
/// Why it is no legal move; nothing is changed then.
pub fn play(position: &mut Position, text: &str) -> Result<usize, String> {
    let own = own_text(position, text)?;
    position.play(&own).map_err(|error| fault(position, text, error))
}

fn own_text(position: &Position, text: &str) -> Result<String, String> {
    let wrong = || not_written(position, text);
    to_own(position.variant().geometry(), text).ok_or_else(wrong)
}

fn not_written(position: &Position, text: &str) -> String {
    let example = position.legal_moves().first().map(|&mv| move_text(position, mv));
    format!(
        "'{}' is no move text of {} (such as {})",
        shown(text),
        position.variant().name(),
        example.as_deref().unwrap_or("5e5d")
    )
}

/// What is wrong with a move, with its squares in USI's form.
fn fault(position: &Position, text: &str, error: MoveError) -> String {
    match error {
        MoveError::Syntax { .. } => not_written(position, text),
        MoveError::Illegal { why, .. } => {
            let why = with_squares(position.variant().geometry(), &why);
            format!("illegal move '{}': {why}", shown(text))
        }
    }
}

/// A text for people with the squares and moves in it in USI's form.
pub fn with_squares(geometry: &Geometry, text: &str) -> String {
    words(text, |word| {
        if let Some((at, "")) = geometry.parse_square(word) {
            return Some(square(geometry, at));
        }
        // A piece on a square: no drop.
        if let Some((piece, at)) = word.split_once('@') {
            let (at, _) = geometry.parse_square(at)?;
            return Some(format!("{piece}@{}", square(geometry, at)));
        }
        let (from, rest) = geometry.parse_square(word)?;
        let (to, choice) = geometry.parse_square(rest)?;
        Some(format!("{}{}{choice}", square(geometry, from), square(geometry, to)))
    })
}

/// A text with the squares and moves in it in our own form.
pub fn own_squares(geometry: &Geometry, text: &str) -> String {
    words(text, |word| to_own(geometry, word))
}

/// A text with its words, signs behind them apart, as `change` makes them.
fn words(text: &str, change: impl Fn(&str) -> Option<String>) -> String {
    let changed = text.split(' ').map(|word| {
        let bare = word.trim_end_matches([',', ';', ':', ')']);
        match change(bare.trim_start_matches('(')) {
            Some(other) => {
                let opening = if bare.starts_with('(') { "(" } else { "" };
                format!("{opening}{other}{}", &word[bare.len()..])
            }
            None => word.to_string(),
        }
    });
    changed.collect::<Vec<_>>().join(" ")
}

/// The position as SFEN: board, side, hands, number of the ply; and where one of these is not as ever,
/// the setups pending, the square that was passed, and plies without progress.
pub fn sfen(position: &Position) -> String {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, setup, _, halfmoves, ..] = fields[..] else { return fen };
    let board = board.split('[').next().unwrap_or(board);
    let side = if side == "w" { "b" } else { "w" };
    let geometry = position.variant().geometry();
    let passed = position.en_passant().map_or("-".to_string(), |at| square(geometry, at));
    let black = u32::from(position.side() == Color::Black);
    let ply = 2 * (position.fullmove() - 1) + black + 1;
    let plain = format!("{board} {side} {} {ply}", hands(position));
    match (setup, passed.as_str(), halfmoves) {
        ("-", "-", "0") => plain,
        _ => format!("{plain} {setup} {passed} {halfmoves}"),
    }
}

/// `-`, or the pieces in hand, each with their number in front if there are several.
fn hands(position: &Position) -> String {
    let mut text = String::new();
    for side in Color::ALL {
        for &kind in position.variant().hand_kinds() {
            let letter = position.variant().piece(kind).letter.of_side(side);
            match position.in_hand(side, kind) {
                0 => {}
                1 => text += &letter,
                many => text += &format!("{many}{letter}"),
            }
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

/// Reads a SFEN: `<board> <side> <hands> [<ply> [<setup> <passed> <halfmoves>]]`.
///
/// # Errors
/// What is wrong with it, in a line.
pub fn parse_sfen(variant: &Arc<Variant>, text: &str) -> Result<Position, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (board, side, held, ply, rest) = match fields[..] {
        [board, side, held] => (board, side, held, "1", ["-", "-", "0"]),
        [board, side, held, ply] => (board, side, held, ply, ["-", "-", "0"]),
        [board, side, held, ply, setup, passed, halfmoves] => {
            (board, side, held, ply, [setup, passed, halfmoves])
        }
        _ => {
            return Err(format!(
                "SFEN: {} fields; needed are board, side and hands, perhaps the number of the ply, and \
                 perhaps setup, ep and halfmoves",
                fields.len()
            ));
        }
    };
    if board.contains('[') {
        return Err("SFEN field 'board': hands are a field of their own".to_string());
    }
    let side = match side {
        "b" => "w",
        "w" => "b",
        _ => return Err(format!("SFEN field 'side': '{}' is neither b nor w", shown(side))),
    };
    let number: u32 =
        ply.parse().ok().filter(|ply| (1..=1_999_998).contains(ply)).ok_or_else(|| {
            format!("SFEN field 'ply': '{}' is no number from 1 to 1999998", shown(ply))
        })?;
    let held = parse_hands(variant, held)?;
    let [setup, passed, halfmoves] = rest;
    let geometry = variant.geometry();
    let passed = match parse_square(geometry, passed) {
        Some((square, "")) => geometry.name(square),
        _ if passed == "-" => passed.to_string(),
        _ => return Err(format!("SFEN field 'ep': '{}' is no square and not -", shown(passed))),
    };
    let fullmove = (number - 1) / 2 + 1;
    let fen = format!("{board}{held} {side} {setup} {passed} {halfmoves} {fullmove}");
    let fault = |error: FenError| with_squares(geometry, &format!("S{error}"));
    Position::from_fen(variant, &fen).map_err(fault)
}

/// The hands of a FEN from those of a SFEN.
fn parse_hands(variant: &Arc<Variant>, text: &str) -> Result<String, String> {
    if text == "-" {
        return Ok(if variant.hand_kinds().is_empty() { "" } else { "[]" }.to_string());
    }
    let fault = |what: &str| format!("SFEN field 'hands': '{}' {what}", shown(text));
    let mut pieces = String::new();
    let mut rest = text;
    while let Some(c) = rest.trim_start_matches(|c: char| c.is_ascii_digit()).chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let many: usize = match &rest[..digits] {
            "" => 1,
            number => number
                .parse()
                .ok()
                .filter(|many| (1..=120).contains(many))
                .ok_or_else(|| fault("has a number that is not from 1 to 120"))?,
        };
        let capital = c.to_ascii_uppercase();
        if variant.kind_of(Letter { capital, promoted: false }).is_none() {
            return Err(fault(&format!("has '{}', which is no piece", c.escape_debug())));
        }
        pieces.extend(std::iter::repeat_n(c, many));
        if pieces.len() > 1000 {
            return Err(fault("has too many pieces"));
        }
        rest = &rest[digits + c.len_utf8()..];
    }
    if rest.is_empty() { Ok(format!("[{pieces}]")) } else { Err(fault("ends with a number")) }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
