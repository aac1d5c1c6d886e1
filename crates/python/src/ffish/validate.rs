//! What is wrong with a FEN, as one of the numbers that pyffish returns.

use std::sync::Arc;

use garrison_rules::fault::{FenFault, FenField, PlacementError, RowFault, SetupFault};
use garrison_rules::{FenError, Setup, Variant};

/// The text is empty.
pub const EMPTY: i32 = 0;
/// Nothing is wrong.
pub const OK: i32 = 1;
/// The last field is no number.
pub const MOVE_COUNTER: i32 = -1;
/// The field of plies without progress is no number.
pub const HALF_MOVE_COUNTER: i32 = -2;
/// A side has too many kings or too few.
pub const NUMBER_OF_KINGS: i32 = -3;
/// The field of the passed square is neither a square nor `-`, or nothing can have passed it.
pub const EN_PASSANT_SQUARE: i32 = -4;
/// The rights to castle, or the setups pending, are not written as such, or the pieces do not bear them out.
pub const CASTLING_INFO: i32 = -5;
/// The side to move is neither `w` nor `b`.
pub const SIDE_TO_MOVE: i32 = -6;
/// The pieces in hand cannot be read.
pub const POCKET_INFO: i32 = -7;
/// The board has not the right number of ranks and files.
pub const BOARD_GEOMETRY: i32 = -8;
/// The kings stand beside each other.
pub const TOUCHING_KINGS: i32 = -9;
/// A letter is no piece of the game.
pub const CHAR: i32 = -10;
/// The text has too many fields.
pub const NB_PARTS: i32 = -11;
/// A `+` stands before a letter that has no promoted form.
pub const PROMOTED_PIECE: i32 = -12;
/// The checks given are not written as such.
pub const CHECK_COUNT: i32 = -13;
/// The text can be read, but no game can come to this position: a number that pyffish does not have.
pub const ILLEGAL: i32 = -15;

/// [`OK`], or the number of the first thing that is wrong.
pub fn code(variant: &Arc<Variant>, text: &str) -> i32 {
    if text.is_empty() {
        return EMPTY;
    }
    match super::fen::read_exactly(variant, text) {
        Ok(_) => OK,
        Err(error) => code_of(variant, text, &error),
    }
}

fn code_of(variant: &Arc<Variant>, text: &str, error: &FenError) -> i32 {
    let Some(fault) = error.faults().first() else { return ILLEGAL };
    match fault {
        FenFault::Fields { .. } => NB_PARTS,
        FenFault::Placement(PlacementError::Row { fault: RowFault::Letter(letter), .. }) => {
            if letter.starts_with('+') {
                PROMOTED_PIECE
            } else {
                CHAR
            }
        }
        FenFault::Placement(_) | FenFault::HandsInBoard => BOARD_GEOMETRY,
        // A bracket is no letter of a game without hands.
        FenFault::NoHands(_) => CHAR,
        FenFault::Illegal(fault) => code_of_position(variant, text, fault),
        _ => match fault.field() {
            FenField::Hands => POCKET_INFO,
            FenField::Side => SIDE_TO_MOVE,
            FenField::Setup => CASTLING_INFO,
            FenField::EnPassant => EN_PASSANT_SQUARE,
            FenField::Checks => CHECK_COUNT,
            FenField::Halfmoves | FenField::Count => HALF_MOVE_COUNTER,
            FenField::Fullmove | FenField::Ply => MOVE_COUNTER,
            FenField::Board => BOARD_GEOMETRY,
            FenField::Line => NB_PARTS,
        },
    }
}

fn code_of_position(variant: &Arc<Variant>, text: &str, fault: &SetupFault) -> i32 {
    match fault {
        SetupFault::NoRoyal(..) | SetupFault::NoRoyals | SetupFault::NoRoyalNorGuard { .. } => {
            NUMBER_OF_KINGS
        }
        SetupFault::TooMany { kind, .. } if variant.royals().contains(*kind) => NUMBER_OF_KINGS,
        SetupFault::Castling { .. } | SetupFault::FirstMove(_) | SetupFault::Gate(..) => {
            CASTLING_INFO
        }
        SetupFault::NotPassed(..) | SetupFault::PassedByMany { .. } => EN_PASSANT_SQUARE,
        SetupFault::Attacked(..) if kings_touch(variant, text) => TOUCHING_KINGS,
        _ => ILLEGAL,
    }
}

/// Whether two royals of different sides stand beside each other.
fn kings_touch(variant: &Arc<Variant>, text: &str) -> bool {
    let Ok(setup) = Setup::from_fen(variant, text) else { return false };
    let is_royal = |kind| variant.royals().contains(kind);
    let royals: Vec<_> = setup.pieces().filter(|(_, piece)| is_royal(piece.kind())).collect();
    royals.iter().any(|(square, piece)| {
        let beside = variant.geometry().neighbors(*square);
        royals.iter().any(|(at, other)| beside.contains(*at) && other.color() != piece.color())
    })
}
