//! What a move does beside moving a piece, in a sentence; and what has been captured.

use garrison_rules::fault::Describe;
use garrison_rules::{Algebraic, Color, Move, Piece, PieceType, Position, Reason};

/// The pieces that a move captures: none, one, or by a move of two legs up to two.
pub fn captured(position: &Position, mv: Move) -> impl Iterator<Item = Piece> {
    position.captured_on(mv).filter_map(|square| position.at(square))
}

/// The rule by which the side to move can claim a draw, where draws must be claimed.
pub fn claimable(position: &Position) -> Option<Reason> {
    let outcome = position.status().outcome()?;
    let must_claim = position.variant().end().claim && outcome.winner.is_none();
    (must_claim && position.has_legal_move()).then_some(outcome.reason)
}

/// The sentence about a move that is to be made in a position: a fortress that falls, a king that appears.
pub fn sentence(position: &Position, mv: Move) -> Option<String> {
    royal_appears(position, mv).or_else(|| gain(position, mv))
}

/// A royal comes onto the board in the midst of the game.
fn royal_appears(position: &Position, mv: Move) -> Option<String> {
    let variant = position.variant();
    if !mv.is_drop() || !variant.royals().contains(mv.dropped()) {
        return None;
    }
    let name = &variant.piece(mv.dropped()).name;
    let square = variant.geometry().name(mv.to());
    let side = position.side_to_move();
    Some(format!(
        "{side}'s {name} appears on {square}. From now on check and mate count for {side}."
    ))
}

/// A piece falls whose capture puts pieces into hands.
fn gain(position: &Position, mv: Move) -> Option<String> {
    let fall = position.fall_by(mv)?;
    Some(fall.through(position.variant(), &Algebraic).to_string())
}

/// The pieces that a side has captured since `start` and that went to no hand: `q 2n 3p`, the most valuable first.
pub fn taken(start: &Position, moves: impl Iterator<Item = Move>, by: Color) -> String {
    let mut position = start.without_history();
    let variant = start.variant();
    let mut counts: Vec<(PieceType, usize)> = variant.kinds().map(|kind| (kind, 0)).collect();
    for mv in moves {
        for piece in captured(&position, mv).filter(|_| position.side_to_move() == by) {
            let goes_to_hand = variant.piece(piece.kind()).captured_slot.is_some();
            let count = counts.iter_mut().find(|(kind, _)| *kind == piece.kind());
            count.filter(|_| !goes_to_hand).into_iter().for_each(|(_, count)| *count += 1);
        }
        position.make(mv);
    }
    counts.retain(|&(_, count)| count > 0);
    counts.sort_by_key(|&(kind, _)| -variant.piece(kind).value);
    let text = |(kind, count): &(PieceType, usize)| {
        let letter = variant.piece(*kind).letter.of_side(!by);
        if *count > 1 { format!("{count}{letter}") } else { letter }
    };
    counts.iter().map(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    fn said(game: &str, fen: &str, text: &str) -> Option<String> {
        let variant = find(game).expect("a game");
        let position = Position::from_fen(&variant, fen).expect("a position");
        sentence(&position, position.parse_move(text).expect("a legal move"))
    }

    #[test]
    fn fortresses_fall_with_a_sentence() {
        let first = "t3t3t/4R4/9/9/9/9/9/9/T3T3T[] w - - 0 1";
        assert_eq!(
            said("sixfortresses", first, "e8e9").expect("a sentence"),
            "Black's first fortress, on e9, falls: White gets a bishop and a knight, Black gets an imposter. \
             Black has two left."
        );
        let late = "9/9/9/9/9/9/9/9/T3T3T[k] b - - 0 1";
        let text = said("sixfortresses", late, "K@e9").expect("a sentence");
        assert!(text.starts_with("Black's king appears on e9."), "{text}");
        assert_eq!(said("sixfortresses", first, "e8e5"), None);
    }

    #[test]
    fn captured_pieces_are_counted_that_went_to_no_hand() {
        let variant = find("chess").expect("a game");
        let start = Position::start(&variant);
        let mut position = start.clone();
        for text in ["e2e4", "d7d5", "e4d5", "c7c5", "d5c6", "d8d2", "d1d2"] {
            position.play(text).expect("a legal move");
        }
        let by = |color| taken(&start, position.moves_made(), color);
        assert_eq!((by(Color::White), by(Color::Black)), ("q 2p".into(), "P".into()));
        let variant = find("chesstonia").expect("a game");
        let fen = "4k4/9/9/9/9/9/9/4p4/4P4/9/9/4K4[] w - - 0 1";
        let start = Position::from_fen(&variant, fen).expect("a position");
        let capture = start.parse_move("e4e5").expect("a capture");
        assert_eq!(taken(&start, [capture].into_iter(), Color::White), "");
    }
}
