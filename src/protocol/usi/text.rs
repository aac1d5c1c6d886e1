//! Squares, moves and positions as USI writes them.
//!
//! Files are numbers, from 1 at White's right; ranks are letters, from `a` at the top. The side that moves
//! first, White in the rules, is called Black (`b`) and has capitals nevertheless.

use std::sync::Arc;

use garrison_rules::Geometry;
use garrison_rules::fault::FenFault;
use garrison_rules::{
    Color, FenError, File, Notation, Position, Rank, Setup, Square, Variant, shown,
};

/// The notation of USI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usi;

impl Notation for Usi {
    /// Reads `5e`.
    fn parse_square<'t>(&self, geometry: &Geometry, text: &'t str) -> Option<(Square, &'t str)> {
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

    fn file(&self, geometry: &Geometry, file: File) -> String {
        geometry.files().saturating_sub(file.0).to_string()
    }

    fn rank(&self, geometry: &Geometry, rank: Rank) -> String {
        let from_top = geometry.ranks().saturating_sub(1 + rank.0);
        char::from(b'a' + from_top.min(25)).to_string()
    }

    fn color(&self, color: Color) -> &'static str {
        match color {
            Color::White => "Black",
            Color::Black => "White",
        }
    }

    fn drop_sign(&self) -> char {
        '*'
    }

    fn position(&self) -> &'static str {
        "SFEN"
    }
}

/// The position as SFEN: board, side, hands, number of the ply; and where one of these is not as ever,
/// the setups pending, the square that was passed, plies without progress, and a running count.
pub fn sfen(position: &Position) -> String {
    let setup = Setup::from(position);
    let side = if setup.side_to_move == Color::White { "b" } else { "w" };
    let black = u32::from(setup.side_to_move == Color::Black);
    let ply = 2 * (setup.fullmove - 1) + black + 1;
    let plain = format!("{} {side} {} {ply}", setup.board_text(), hands(&setup));
    let (state, passed) = (setup.state_text(), setup.passed_text(&Usi));
    // Programs for shogi read nothing behind the ply, and their game does not count these plies.
    let counts = position.variant().counts_moves();
    let halfmoves = if counts { setup.halfmoves } else { 0 };
    match (state.as_str(), passed.as_str(), halfmoves, setup.count_text()) {
        ("-", "-", 0, None) => plain,
        (_, _, _, None) => format!("{plain} {state} {passed} {halfmoves}"),
        (_, _, _, Some(count)) => format!("{plain} {state} {passed} {halfmoves} {count}"),
    }
}

/// `-`, or the pieces in hand, each with their number in front if there are several. The pawn comes last, as USI
/// demands of shogi: a game that names it first is written backwards.
fn hands(setup: &Setup) -> String {
    let variant = setup.variant();
    let mut kinds = variant.hand_kinds().to_vec();
    if kinds.first().is_some_and(|&kind| variant.piece(kind).letter.capital == 'P') {
        kinds.reverse();
    }
    let mut text = String::new();
    for side in Color::ALL {
        for &kind in &kinds {
            let letter = setup.variant().piece(kind).letter.of_side(side);
            match setup.in_hand(side, kind) {
                0 => {}
                1 => text += &letter,
                many => text += &format!("{many}{letter}"),
            }
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

/// Reads a SFEN: `<board> <side> <hands> [<ply> [<setup> <passed> <halfmoves> [<count>]]]`.
///
/// # Errors
/// All fields that cannot be read, or everything in the position that breaks the rules of the game.
pub fn parse_sfen(variant: &Arc<Variant>, text: &str) -> Result<Position, FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (fields, count) = match fields.split_at_checked(7) {
        Some((fields, &[count])) => (fields, Some(count)),
        _ => (&fields[..], None),
    };
    let (board, side, held, ply, rest) = match fields[..] {
        [board, side, held] => (board, side, held, "1", ["-", "-", "0"]),
        [board, side, held, ply] => (board, side, held, ply, ["-", "-", "0"]),
        [board, side, held, ply, state, passed, halfmoves] => {
            (board, side, held, ply, [state, passed, halfmoves])
        }
        _ => {
            let needed = "board, side and hands, perhaps the number of the ply, and perhaps setup, ep and halfmoves";
            let fault = FenFault::Fields { found: fields.len(), needed };
            return Err(FenError::new(variant, vec![fault]));
        }
    };
    let mut setup = Setup::empty(variant);
    let [state, passed, halfmoves] = rest;
    let read_board = |setup: &mut Setup| match board.contains('[') {
        true => Err(FenFault::HandsInBoard),
        false => setup.read_board(board),
    };
    let reads = [
        read_board(&mut setup),
        // White, who moves first, is Black here.
        setup.read_side(side, ['b', 'w']),
        read_hands(&mut setup, held),
        setup.read_ply(ply),
        setup.read_state(state),
        setup.read_passed(passed, &Usi),
        setup.read_halfmoves(halfmoves),
        count.map_or(Ok(()), |count| setup.read_count(count)),
    ];
    let faults: Vec<FenFault> = reads.into_iter().filter_map(Result::err).collect();
    if faults.is_empty() { setup.into_position() } else { Err(FenError::new(variant, faults)) }
}

/// Reads the hands of a SFEN: `-`, or letters with the number of pieces in front if there are several.
fn read_hands(setup: &mut Setup, text: &str) -> Result<(), FenFault> {
    if text == "-" {
        return Ok(());
    }
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let wrong = || FenFault::HandCount(shown(text));
        let count = match &rest[..digits] {
            "" => 1,
            number => {
                number.parse().ok().filter(|count| (1..=120).contains(count)).ok_or_else(wrong)?
            }
        };
        let letter = rest[digits..].chars().next().ok_or_else(wrong)?;
        setup.read_in_hand(letter, count)?;
        rest = &rest[digits + letter.len_utf8()..];
    }
    Ok(())
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
