//! Moves and positions in the forms of UCI and USI, made here from the rules' own and not by the program.

use std::sync::Arc;

use garrison_rules::Geometry;
use garrison_rules::{Move, Position, Variant};

/// In which form texts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Uci,
    Usi,
}

impl Form {
    /// The first word of a session, and of others.
    pub fn name(self) -> &'static str {
        match self {
            Form::Uci => "uci",
            Form::Usi => "usi",
        }
    }

    /// What a position is called in commands.
    pub fn position_word(self) -> &'static str {
        match self {
            Form::Uci => "fen",
            Form::Usi => "sfen",
        }
    }

    /// What stands before the position that `d` shows.
    pub fn title(self) -> &'static str {
        match self {
            Form::Uci => "Fen: ",
            Form::Usi => "Sfen: ",
        }
    }

    /// An option by the name that it has in UCI.
    pub fn option(self, name: &str) -> String {
        match (self, name) {
            (Form::Usi, "Hash" | "Ponder" | "MultiPV") => format!("USI_{name}"),
            (Form::Usi, _) => name.replace("UCI_", "USI_").replace(' ', "_"),
            (Form::Uci, _) => name.to_string(),
        }
    }

    /// A move of ours.
    pub fn move_text(self, geometry: &Geometry, own: &str) -> String {
        if self == Form::Uci || own.starts_with('=') {
            return own.to_string();
        }
        match own.split_once('@') {
            Some((piece, rest)) => format!("{piece}*{}", squares(geometry, rest)),
            None => squares(geometry, own),
        }
    }

    /// A legal move by its text.
    pub fn find(self, position: &Position, text: &str) -> Option<Move> {
        let geometry = position.variant().geometry();
        let same = |mv: &Move| self.move_text(geometry, &position.move_text(*mv)) == text;
        position.legal_moves().iter().copied().find(same)
    }

    /// A FEN of ours as a position of this form.
    pub fn position_text(self, variant: &Variant, fen: &str) -> String {
        let geometry = variant.geometry();
        if self == Form::Uci {
            return fen.to_string();
        }
        let fields: Vec<&str> = fen.split(' ').collect();
        let (board, held) = fields[0].split_once('[').unwrap_or((fields[0], ""));
        let side = if fields[1] == "w" { "b" } else { "w" };
        let fullmove: u32 = fields[5].parse().expect("a number of ours");
        let ply = 2 * fullmove - u32::from(fields[1] == "w");
        let mut held = held.trim_end_matches(']').to_string();
        // The pawn comes last.
        let first = variant.hand_kinds().first().map(|&kind| variant.piece(kind).letter.capital);
        if first == Some('P') {
            let of =
                |white: bool| held.chars().rev().filter(move |c| c.is_ascii_uppercase() == white);
            held = of(true).chain(of(false)).collect();
        }
        let plain = format!("{board} {side} {} {ply}", counted(&held));
        let halfmoves = if variant.counts_moves() { fields[4] } else { "0" };
        match (fields[2], fields[3], halfmoves, fields.get(6)) {
            ("-", "-", "0", None) => plain,
            (setup, passed, halfmoves, count) => {
                let count = count.map_or(String::new(), |count| format!(" {count}"));
                format!("{plain} {setup} {} {halfmoves}{count}", squares(geometry, passed))
            }
        }
    }

    /// The position of a text that the program wrote.
    pub fn position(self, variant: &Arc<Variant>, text: &str) -> Result<Position, String> {
        let fen = match self {
            Form::Uci => text.to_string(),
            Form::Usi => own_fen(variant, text).ok_or_else(|| format!("'{text}' is no SFEN"))?,
        };
        Position::from_fen(variant, &fen)
            .map_err(|error| format!("{text} does not read back: {error}"))
    }
}

/// A text with each square in it, as the rules name it, in USI's form.
fn squares(geometry: &Geometry, text: &str) -> String {
    let mut changed = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match geometry.parse_square(rest) {
            Some((square, behind)) => {
                let file = geometry.files() - geometry.file(square).0;
                let rank = geometry.ranks() - 1 - geometry.rank(square).0;
                changed += &format!("{file}{}", char::from(b'a' + rank));
                rest = behind;
            }
            None => {
                changed.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    changed
}

/// Pieces in hand with their numbers: `2Pn`.
fn counted(held: &str) -> String {
    let mut text = String::new();
    let mut rest = held;
    while let Some(first) = rest.chars().next() {
        let many = rest.chars().take_while(|&piece| piece == first).count();
        if many > 1 {
            text += &many.to_string();
        }
        text.push(first);
        rest = &rest[many..];
    }
    if text.is_empty() { "-".to_string() } else { text }
}

/// A FEN from a SFEN of the program.
fn own_fen(variant: &Variant, sfen: &str) -> Option<String> {
    let geometry = variant.geometry();
    let fields: Vec<&str> = sfen.split(' ').collect();
    let side = if *fields.get(1)? == "b" { "w" } else { "b" };
    let mut held = String::new();
    let mut many = 0;
    for c in fields.get(2)?.chars().filter(|&c| c != '-') {
        match c.to_digit(10) {
            Some(digit) => many = 10 * many + digit as usize,
            None => held.extend(std::iter::repeat_n(c, std::mem::take(&mut many).max(1))),
        }
    }
    let hands = if variant.hand_kinds().is_empty() { String::new() } else { format!("[{held}]") };
    let ply: u32 = fields.get(3)?.parse().ok()?;
    let passed = fields.get(5).copied().unwrap_or("-");
    let digits = passed.bytes().take_while(u8::is_ascii_digit).count();
    let passed = match passed[..digits].parse::<u8>() {
        Ok(number) => {
            let letter = passed[digits..].bytes().next()?;
            let file = b'a' + geometry.files() - number;
            format!("{}{}", char::from(file), geometry.ranks() - (letter - b'a'))
        }
        Err(_) => passed.to_string(),
    };
    let (setup, halfmoves) = (fields.get(4).unwrap_or(&"-"), fields.get(6).unwrap_or(&"0"));
    let count = fields.get(7).map_or(String::new(), |count| format!(" {count}"));
    let fullmove = ply.div_ceil(2);
    Some(format!("{}{hands} {side} {setup} {passed} {halfmoves} {fullmove}{count}", fields[0]))
}
