//! Moves and scores as the commands read and write them.

use crate::engine::Score;
use garrison_rules::{Color, Move, MoveError, Position};

/// Reads a move as coordinates or as people write it.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    position.parse_san(text).map_err(|error| match position.parse_move(text) {
        // It was written as coordinates, so what is wrong with these is what matters.
        Err(illegal) if !illegal.is_syntax() => illegal,
        _ => error,
    })
}

/// What begins a score in a comment of a game.
pub(super) const EVAL: &str = "[%eval ";

/// A score for `side` as the comments of a game have it, seen from White: pawns or moves to mate, and
/// the depth in plies, as in `0.31,8` or `#-2,8`.
pub(super) fn eval_text(score: Score, side: Color, depth: u32) -> String {
    let text = match (side, score.as_centipawns()) {
        (Color::White, _) => score.readable(),
        (Color::Black, Some(_)) => (-score).readable(),
        // Moves are counted from the side to move, so the sign alone changes.
        (Color::Black, None) => match score.readable().strip_prefix("#-") {
            Some(moves) => format!("#{moves}"),
            None => score.readable().replace('#', "#-"),
        },
    };
    format!("{},{depth}", text.trim_start_matches('+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_seen_from_white() {
        let text = |score, side| eval_text(score, side, 7);
        assert_eq!(text(Score::centipawns(31), Color::White), "0.31,7");
        assert_eq!(text(Score::centipawns(31), Color::Black), "-0.31,7");
        assert_eq!(text(Score::mate_in(3), Color::White), "#2,7");
        assert_eq!(text(Score::mate_in(3), Color::Black), "#-2,7");
        assert_eq!(text(Score::mated_in(4), Color::Black), "#2,7");
    }
}
