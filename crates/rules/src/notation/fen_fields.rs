//! The fields of a FEN, as this crate writes them or as other programs do. What can be read in our own form is
//! never read in another.

use super::fen_error::FenFault;
use crate::variant::Variant;

/// The pieces in hand, as they stand beside the board.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hands<'t> {
    /// What follows the `[`.
    Bracket(&'t str),
    /// A row behind those of the board, as PyChess and lichess write them.
    Row(&'t str),
}

/// The texts of the fields of a FEN.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'t> {
    pub board: &'t str,
    pub hands: Option<Hands<'t>>,
    pub side: &'t str,
    pub state: &'t str,
    pub passed: &'t str,
    pub checks: Option<&'t str>,
    pub halfmoves: &'t str,
    pub fullmove: &'t str,
    /// The count of a player who has little left.
    pub count: Option<&'t str>,
}

impl<'t> Fields<'t> {
    /// Divides a text into its fields; those that are missing have the values of a game's first move.
    ///
    /// # Errors
    /// The text has the wrong number of fields.
    pub fn split(variant: &Variant, fen: &'t str) -> Result<Fields<'t>, FenFault> {
        let mut words: Vec<&str> = fen.split_whitespace().collect();
        // A count stands behind all other fields, as plies and limit: `5/128`.
        let has_count = words.len() > 1 && words.last().is_some_and(|word| word.contains('/'));
        let count = words.pop_if(|_| has_count && variant.has_counts());
        // The checks that are still needed stand in a field of their own, which may be missing.
        let counts_checks = variant.end().checks.is_some() && matches!(words.len(), 5 | 7);
        let checks = counts_checks.then(|| words.remove(4));
        let (placement, side, state, passed, halfmoves, fullmove) = match words[..] {
            [board, side, state, passed, half, full] => (board, side, state, passed, half, full),
            // Fairy-Stockfish leaves out castling and ep in shogi: `w 0 1`.
            [board, side, half, full] if is_number(half) && is_number(full) => {
                (board, side, "-", "-", half, full)
            }
            // cutechess leaves out ep and the halfmoves in shogi: `w - 1`. Without the bracket it might be a SFEN.
            [board, side, state, full] if board.contains('[') && is_number(full) => {
                (board, side, state, "-", "0", full)
            }
            [board, side, state, passed] => (board, side, state, passed, "0", "1"),
            [board] => (board, "w", "-", "-", "0", "1"),
            _ => {
                let needed = "board, side, setup, ep and perhaps both halfmoves and fullmove";
                return Err(FenFault::Fields { found: words.len(), needed });
            }
        };
        let (board, hands) = split_hands(variant, placement);
        Ok(Fields { board, hands, side, state, passed, checks, halfmoves, fullmove, count })
    }
}

/// Divides the first field into board and hands.
fn split_hands<'t>(variant: &Variant, text: &'t str) -> (&'t str, Option<Hands<'t>>) {
    if let Some((board, hands)) = text.split_once('[') {
        return (board, Some(Hands::Bracket(hands)));
    }
    let ranks = usize::from(variant.geometry().ranks());
    let has_row_more = text.matches('/').count() == ranks && !variant.hand_kinds().is_empty();
    match text.rsplit_once('/').filter(|_| has_row_more) {
        Some((board, row)) if row == "-" || row.chars().all(char::is_alphabetic) => {
            (board, Some(Hands::Row(row)))
        }
        _ => (text, None),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
