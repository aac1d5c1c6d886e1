//! Moves and positions as XBoard writes them.
//!
//! On boards of exactly ten ranks it counts them from 0. A piece from a reserve is dropped by the letter of
//! what it becomes: XBoard knows no reserves.

use std::borrow::Cow;
use std::sync::Arc;

use thiserror::Error;

use super::board::Parent;
use super::highlight::{is_board_move, strongest_first};
use super::known::Known;
use garrison_rules::Geometry;
use garrison_rules::fault::FenFault;
use garrison_rules::{
    Algebraic, Color, FenError, File, Move, MoveError, Notation, Piece, Position, Rank, Setup,
    Square, Tag, Variant, shown,
};

/// The number of ranks that XBoard counts from 0.
const COUNTED_FROM_0: u8 = 10;

/// The notation of XBoard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct XBoard;

impl XBoard {
    /// The number of the first rank.
    pub fn first_rank(geometry: &Geometry) -> u8 {
        if geometry.ranks() == COUNTED_FROM_0 { 0 } else { 1 }
    }
}

impl Notation for XBoard {
    fn parse_square<'t>(&self, geometry: &Geometry, text: &'t str) -> Option<(Square, &'t str)> {
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = text[1..].split_at(digits);
        if digits > 1 && number.starts_with('0') {
            return None;
        }
        let rank = number.parse::<u8>().ok()?.checked_sub(XBoard::first_rank(geometry))?;
        Some((geometry.square(File(letter - b'a'), Rank(rank))?, rest))
    }

    fn file(&self, geometry: &Geometry, file: File) -> String {
        Algebraic.file(geometry, file)
    }

    fn rank(&self, geometry: &Geometry, rank: Rank) -> String {
        (rank.0 + XBoard::first_rank(geometry)).to_string()
    }

    fn color(&self, color: Color) -> &'static str {
        Algebraic.color(color)
    }

    fn position(&self) -> &'static str {
        Algebraic.position()
    }
}

/// A legal move as XBoard has to see it.
pub fn move_text(position: &Position, mv: Move) -> String {
    let variant = position.variant();
    match mv.tag() {
        Tag::Drop => {
            let letter = variant.piece(mv.becomes()).letter;
            format!("{letter}@{}", XBoard.square(variant.geometry(), mv.to()))
        }
        Tag::Castle if position.castles_by_rook() => {
            position.san(mv).trim_end_matches(['+', '#']).to_string()
        }
        _ => position.move_text_in(&XBoard, mv),
    }
}

/// Reads a move that XBoard sends. A promotion that is declined may end in `=` or in the letter of the piece
/// itself; a `+` where a piece has no promoted form of its own promotes to the strongest. A drop takes the piece of
/// that letter from hand, else the reserve with the fewest choices.
///
/// # Errors
/// Why it is no legal move.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, XBoardMoveError> {
    let legal = position.legal_moves();
    let find = |text: &str| {
        let same = legal.iter().copied().filter(|&mv| move_text(position, mv) == text);
        same.min_by_key(|mv| match mv.tag() {
            Tag::Drop => position.variant().piece(mv.dropped()).reserve.len(),
            _ => 0,
        })
    };
    let strongest = || {
        let plain = text.strip_suffix('+')?;
        let (from, rest) = XBoard.parse_square(position.variant().geometry(), plain)?;
        let (to, _) = XBoard.parse_square(position.variant().geometry(), rest).filter(is_whole)?;
        let is_it = |mv: &Move| is_board_move(*mv) && mv.from() == from && mv.to() == to;
        let moves: Vec<Move> = legal.iter().copied().filter(is_it).collect();
        strongest_first(position, &moves).first().copied()
    };
    let found = find(text).or_else(|| find(declined(position, text)?)).or_else(strongest);
    found.ok_or_else(|| why_not(position, text))
}

/// Whether nothing is left of a text.
fn is_whole((_, rest): &(Square, &str)) -> bool {
    rest.is_empty()
}

/// The text without the sign of a promotion that is declined, if it has one.
fn declined<'t>(position: &Position, text: &'t str) -> Option<&'t str> {
    let plain = text.strip_suffix('=');
    let itself = || {
        let geometry = position.variant().geometry();
        let (from, _) = XBoard.parse_square(geometry, text)?;
        let piece = position.variant().piece(position.at(from)?.kind());
        text.strip_suffix(piece.letter.capital.to_ascii_lowercase())
    };
    plain.or_else(itself)
}

/// Why XBoard's text of a move is refused; whoever refuses it names the text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum XBoardMoveError {
    /// A legal move, but not as XBoard writes it.
    #[error("'{}' is no move text of XBoard here", shown(.0))]
    OtherForm(String),
    /// No move text, or no legal move.
    #[error("{}", if .0.is_syntax() { .0.to_string() } else { .0.reason() })]
    Move(MoveError),
}

fn why_not(position: &Position, text: &str) -> XBoardMoveError {
    match position.parse_move_in(&XBoard, text) {
        Ok(_) => XBoardMoveError::OtherForm(text.to_string()),
        Err(error) => XBoardMoveError::Move(error),
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
    let is_square = |field: &&&str| {
        let square = XBoard.parse_square(variant.geometry(), field);
        square.is_some_and(|(_, rest)| rest.is_empty())
    };
    let passed = rest.iter().find(is_square).copied().unwrap_or("-");
    let numbers: Vec<&str> = rest.iter().copied().filter(|field| is_number(field)).collect();
    let (halfmoves, fullmove) = match numbers[..] {
        [halfmoves, fullmove, ..] => (halfmoves, fullmove),
        _ => ("0", "1"),
    };
    let (board, hands) = board_and_hands(variant, placement);
    let mut setup = Setup::empty(variant);
    let mut faults: Vec<FenFault> = Vec::new();
    let mut note = |read: Result<(), FenFault>| faults.extend(read.err());
    if Parent::of(variant) == Parent::Bughouse {
        note(setup.read_board(board));
        put_due_royals_in_hand(&mut setup);
    } else {
        note(setup.read_board(&known_marks(variant, board)));
        // XBoard shows captured pieces in grand, which are in nobody's hand.
        let shows_captured = |known: &Known| known.hand > 0 && variant.hand_kinds().is_empty();
        let hands = hands.filter(|_| !Known::of(variant).is_some_and(shows_captured));
        note(hands.map_or(Ok(()), |hands| setup.read_hands(&hands)));
    }
    note(setup.read_side(side, ['w', 'b']));
    if variant.has_rights() {
        // Rights that the game does not have are none.
        let _ = setup.read_state(rest.first().copied().unwrap_or("-"));
    }
    note(setup.read_passed(passed, &XBoard));
    note(setup.read_halfmoves(halfmoves));
    note(setup.read_fullmove(fullmove));
    if faults.is_empty() { setup.into_position() } else { Err(FenError::new(variant, faults)) }
}

/// The rows of the board, and the hands without the opening bracket: they stand in brackets, or as a row more.
fn board_and_hands<'t>(variant: &Variant, placement: &'t str) -> (&'t str, Option<Cow<'t, str>>) {
    let ranks = usize::from(variant.geometry().ranks());
    match (placement.split_once('['), placement.rsplit_once('/')) {
        (Some((board, hands)), _) => (board, Some(hands.into())),
        (None, Some((board, hands))) if board.split('/').count() == ranks => {
            (board, Some(format!("{hands}]").into()))
        }
        _ => (placement, None),
    }
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

/// In a game whose hands XBoard cannot follow: a royal that is due is in hand, nothing else.
fn put_due_royals_in_hand(setup: &mut Setup) {
    let royalty =
        setup.variant().royalty().and_then(|royalty| Some((royalty.piece, royalty.late?)));
    let Some((royal, guard)) = royalty else { return };
    for color in Color::ALL {
        let is_either = |piece: Piece| {
            piece.color() == color && (piece.kind() == royal || piece.kind() == guard)
        };
        if !setup.pieces().any(|(_, piece)| is_either(piece)) {
            setup.set_in_hand(color, royal, 1);
        }
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
