//! Answers to the user's mouse: the squares that a piece may go to, and its promotions there.
//!
//! The marks are a FEN of colors: `Y` a move, `R` a capture, `M` a promotion with a choice, `B` a promotion
//! (or none) that the engine decides. XBoard allows no other squares.

use std::borrow::Cow;

use super::board::{Parent, PieceTable};
use super::text::XBoard;
use crate::engine::Evaluation;
use garrison_rules::{Color, Move, Notation, Piece, PieceType, Position, Square, Tag};

/// The text behind `choice ` for a piece that promotes, and for one that does not.
const PROMOTE: &str = "+";
const DECLINE: &str = "=";

/// The answer to `lift SQUARE`: the marks of the squares that the piece there may go to. A square beside the
/// board is a slot of a hand. There is always an answer: XBoard allows no move without one.
pub fn marks(position: &Position, square: &str) -> String {
    let position = &*in_play(position);
    let legal = position.legal_moves();
    let mark = |to: Square| -> Option<char> {
        let mut moves = match lifted(position, square)? {
            Lifted::Piece(from) => {
                let goes = move |mv: &&Move| is_board_move(**mv) && mv.from() == from;
                return board_mark(position, legal.iter().filter(goes), to);
            }
            Lifted::Held(kind) => {
                legal.iter().filter(move |mv| mv.is_drop() && mv.becomes() == kind)
            }
        };
        moves.any(|mv| mv.to() == to).then_some('Y')
    };
    let geometry = position.variant().geometry();
    let ranks: Vec<String> = (0..geometry.ranks())
        .rev()
        .map(|rank| {
            let squares = geometry.squares().filter(|&s| geometry.rank(s).0 == rank);
            row(squares.map(mark))
        })
        .collect();
    ranks.join("/")
}

/// The answer to `put SQUARE` after `lift`, if the piece promotes there: the letters of the pieces that it may become,
/// by their values the strongest first, which XBoard takes unless the user chooses; its own letter last if it need
/// not promote.
pub fn choice(position: &Position, from: &str, to: &str) -> Option<String> {
    let position = &*in_play(position);
    let Lifted::Piece(from) = lifted(position, from)? else { return None };
    let Lifted::Piece(to) = lifted(position, to)? else { return None };
    let legal = position.legal_moves();
    let moves: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&mv| is_board_move(mv) && mv.from() == from && mv.to() == to)
        .collect();
    let variant = position.variant();
    let promotes = moves.iter().any(|mv| mv.tag() == Tag::Promotion);
    if Parent::of(variant) == Parent::Shogi {
        let decided = moves.len() == 1 && offers(position, moves[0]);
        return decided.then(|| if promotes { PROMOTE } else { DECLINE }.to_string());
    }
    if !promotes {
        return None;
    }
    let own = variant.piece(position.at(from)?.kind()).letter.capital;
    let declines = moves.iter().any(|mv| mv.tag() != Tag::Promotion);
    let letters = strongest_first(position, &moves).into_iter();
    let letters = letters.map(|mv| variant.piece(mv.becomes()).letter.capital);
    Some(letters.chain(declines.then_some(own)).collect())
}

/// The promotions among moves of one piece to one square, by the values of what it becomes.
pub(super) fn strongest_first(position: &Position, moves: &[Move]) -> Vec<Move> {
    let variant = position.variant();
    let linear = Evaluation::new(variant).linear;
    let value = |mv: &Move| linear.value_at_rest(variant, mv.becomes());
    let promotions = moves.iter().copied().filter(|mv| mv.tag() == Tag::Promotion);
    let mut promotions: Vec<Move> = promotions.collect();
    promotions.sort_by(|a, b| value(b).total_cmp(&value(a)));
    promotions
}

/// The position that XBoard shows: it knows no setup plies, so the first move keeps the arrays.
fn in_play(position: &Position) -> Cow<'_, Position> {
    let mut seen = Cow::Borrowed(position);
    if seen.setup_phase().is_pending() {
        seen.to_mut().keep_arrays();
    }
    seen
}

/// The piece that a click lifts.
enum Lifted {
    Piece(Square),
    Held(PieceType),
}

fn lifted(position: &Position, name: &str) -> Option<Lifted> {
    let geometry = position.variant().geometry();
    if let Some((square, "")) = XBoard.parse_square(geometry, name) {
        return Some(Lifted::Piece(square));
    }
    // White's hand is two files to the right, its slots from below; Black's two to the left, from above.
    let file = name.bytes().next()?;
    let first = usize::from(XBoard::first_rank(geometry));
    let rank = name.get(1..)?.parse::<usize>().ok()?.checked_sub(first)?;
    let ranks = usize::from(geometry.ranks());
    let slot = match position.side_to_move() {
        Color::White if file == b'a' + geometry.files() + 1 => rank,
        Color::Black if file == b'a' - 2 => ranks.checked_sub(rank + 1)?,
        _ => return None,
    };
    let pieces = PieceTable::of(position.variant())?.hand(position.variant());
    pieces.get(slot).map(|&kind| Lifted::Held(kind))
}

pub(super) fn is_board_move(mv: Move) -> bool {
    !matches!(mv.tag(), Tag::Drop | Tag::Setup | Tag::Pass)
}

/// The mark of a square for these moves of one piece.
fn board_mark<'m>(
    position: &Position,
    moves: impl Iterator<Item = &'m Move>,
    to: Square,
) -> Option<char> {
    let moves: Vec<&Move> = moves.filter(|mv| mv.to() == to).collect();
    let first = moves.first()?;
    let captures = position.at(to).is_some() || position.en_passant_by(**first).is_some();
    let plain = if captures { 'R' } else { 'Y' };
    let promotes = moves.iter().any(|mv| mv.tag() == Tag::Promotion);
    Some(match (Parent::of(position.variant()), moves.len()) {
        (Parent::Shogi, 1) if offers(position, **first) => 'B',
        (Parent::Shogi, 1) => plain,
        (_, 1) if promotes => 'B',
        // Without this mark, XBoard's shogi offers some pieces no choice.
        _ if promotes => 'M',
        _ => plain,
    })
}

/// Whether XBoard would offer a promotion by its own shogi rules: to a piece with a promoted form, for a move into,
/// within or out of the last third of the board.
fn offers(position: &Position, mv: Move) -> bool {
    let (variant, side) = (position.variant(), position.side_to_move());
    let geometry = variant.geometry();
    let zone = geometry.ranks() - geometry.ranks() / 3 - u8::from(geometry.ranks() == 8);
    let far = |square| geometry.rank(geometry.relative(side, square)).0 >= zone;
    let promotes = |piece: Piece| !variant.promotes_to(side, piece.kind()).is_empty();
    position.at(mv.from()).is_some_and(promotes) && (far(mv.from()) || far(mv.to()))
}

/// One rank of marks as in a FEN.
fn row(marks: impl Iterator<Item = Option<char>>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for mark in marks {
        match mark {
            None => empty += 1,
            Some(mark) => {
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text.push(mark);
            }
        }
    }
    if empty > 0 { text + &empty.to_string() } else { text }
}

#[cfg(test)]
#[path = "highlight_tests.rs"]
mod tests;
