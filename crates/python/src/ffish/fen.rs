//! FENs as pyffish reads and writes them.

use std::sync::Arc;

use garrison_rules::fault::{FenFault, SetupFault};
use garrison_rules::{Color, FenError, Position, Setup, Variant};

use super::known::Known;

/// The fields of a FEN of pyffish that are missing at its end.
const DEFAULTS: [&str; 6] = ["", "w", "-", "-", "0", "1"];

/// The position of a FEN, or of the word `startpos`. What cannot be read as it stands is read as pyffish does: fields
/// may be missing at the end, rights without their pieces and passed squares without a pawn are left out.
///
/// # Errors
/// All that is wrong with the text as it stands.
pub fn read(variant: &Arc<Variant>, text: &str) -> Result<Position, FenError> {
    if text == "startpos" {
        return Ok(Position::start(variant));
    }
    let strict = match Position::from_fen(variant, text) {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    let read = Setup::from_fen(variant, &mended(variant, text)).and_then(leniently);
    read.map_err(|_| strict)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The position of a FEN whose rights and passed square are those of its pieces; fields may be missing at the end.
///
/// # Errors
/// All that is wrong with the text.
pub fn read_exactly(variant: &Arc<Variant>, text: &str) -> Result<Position, FenError> {
    Setup::from_fen(variant, &mended(variant, text))?.into_position()
}

/// The text with the fields and letters that Garrison reads.
fn mended(variant: &Variant, text: &str) -> String {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    let counts_checks = variant.end().checks.is_some();
    if words.is_empty() || counts_checks {
        return text.to_string();
    }
    if words.len() == 4 && is_number(&words[2]) {
        words.splice(2..2, ["-".to_string(), "-".to_string()]);
    }
    words.extend(DEFAULTS.iter().skip(words.len()).map(|text| text.to_string()));
    for &(own, other) in Known::of(variant).synonyms {
        let lower = |c: char| c.to_ascii_lowercase();
        words[0] = words[0].replace(other, &own.to_string());
        words[0] = words[0].replace(lower(other), &lower(own).to_string());
    }
    words.join(" ")
}

/// The position of a setup without the rights and the passed square that its pieces do not bear out.
fn leniently(mut setup: Setup) -> Result<Position, FenError> {
    let error = match setup.clone().into_position() {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    for fault in error.faults() {
        match fault {
            FenFault::Illegal(SetupFault::Castling { letter, .. }) => {
                setup.set_castling(*letter, false);
            }
            FenFault::Illegal(SetupFault::NotPassed(..) | SetupFault::PassedByMany { .. }) => {
                setup.en_passant = None;
            }
            _ => return Err(error),
        }
    }
    setup.into_position()
}

/// The position as a FEN as pyffish writes it: a promoted piece that moves like the unpromoted one is `Q~`, the hands
/// have pyffish's order, and a running count stands in the fields of the passed square and of plies.
pub fn write(position: &Position) -> String {
    let variant = position.variant();
    let text = with_count(position);
    if variant.hand_kinds().is_empty() {
        return text;
    }
    let Some((board, rest)) = text.split_once('[') else { return text };
    let Some((own_hands, fields)) = rest.split_once(']') else { return text };
    let board = with_tildes(variant, board);
    let order = Known::of(variant).hands;
    if order.is_empty() {
        return format!("{board}[{own_hands}]{fields}");
    }
    let count = |letter: char| own_hands.matches(letter).count();
    let white = order.chars();
    let black = order.chars().map(|capital| capital.to_ascii_lowercase());
    let hands: String =
        white.chain(black).map(|letter| letter.to_string().repeat(count(letter))).collect();
    format!("{board}[{hands}]{fields}")
}

/// The position as our own FEN, but with a running count where pyffish has it: its limit in the field of the passed square,
/// its plies in that of the plies without progress.
fn with_count(position: &Position) -> String {
    let text = position.fen();
    let Some(count) = position.running_count() else { return text };
    let mut words: Vec<String> = text.split(' ').map(str::to_string).collect();
    words.pop();
    let plies = words.len() - 2;
    words[3] = count.limit.to_string();
    words[plies] = count.plies.to_string();
    words.join(" ")
}

/// The rows of a board with `Q~` for `+Q`, where both move alike.
fn with_tildes(variant: &Variant, board: &str) -> String {
    if !board.contains('+') {
        return board.to_string();
    }
    let mut text = String::new();
    let mut letters = board.chars();
    while let Some(letter) = letters.next() {
        match (letter, letters.as_str().chars().next()) {
            ('+', Some(next)) if variant.has_double(next.to_ascii_uppercase()) => {
                letters.next();
                text.push(next);
                text.push('~');
            }
            _ => text.push(letter),
        }
    }
    text
}

/// The start position as the definition of a game has it; games like shogi leave the fields out that they do not use.
pub fn start(variant: &Variant) -> String {
    let fen = variant.start_fen();
    match fen.strip_suffix("[] w - - 0 1").filter(|_| Known::of(variant).is_shogi) {
        Some(board) => format!("{board}[-] w 0 1"),
        None => fen.to_string(),
    }
}

/// The letter of the piece that the last move captured, as it is in hand: without the promotion; empty if it captured
/// nothing.
pub fn captured_letter(position: &mut Position) -> String {
    let Some(mv) = position.moves_made().last() else { return String::new() };
    position.unmake();
    let captured = super::moves::captured(position, mv);
    position.make(mv);
    let Some(piece) = captured else { return String::new() };
    let capital = position.variant().piece(piece.kind()).letter.capital;
    let in_hand = position.variant().piece(piece.kind()).captured_slot;
    let slot_letter = |slot: usize| {
        let kind = position.variant().hand_kinds().get(slot)?;
        Some(position.variant().piece(*kind).letter.capital)
    };
    let capital = in_hand.and_then(slot_letter).unwrap_or(capital);
    match piece.color() {
        Color::White => capital.to_string(),
        Color::Black => capital.to_ascii_lowercase().to_string(),
    }
}
