//! Moves and scores as the commands read and write them.

use crate::engine::Score;
use crate::record::{RecordedScore, eval_note};
use garrison_rules::{Color, Move, MoveError, Position};

/// Reads a move as coordinates or as people write it.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    position.parse_san(text).map_err(|error| match position.parse_move(text) {
        // The text was written as coordinates, so report the error of that form.
        Err(illegal) if !illegal.is_syntax() => illegal,
        _ => error,
    })
}

impl From<Score> for RecordedScore {
    /// For the side to move.
    fn from(score: Score) -> RecordedScore {
        match (score.mate_moves(), score.as_centipawns()) {
            (Some(moves), _) => RecordedScore::Mate(moves),
            (None, centipawns) => RecordedScore::Centipawns(centipawns.unwrap_or(0)),
        }
    }
}

/// A score for `side` as the comments of a game record have it, seen from White: pawns or moves to mate,
/// and the depth in plies, as in `0.31,8` or `#-2,8`.
pub(super) fn eval_text(score: Score, side: Color, depth: u32) -> String {
    let recorded = RecordedScore::from(score);
    eval_note(if side == Color::White { recorded } else { recorded.reversed() }, depth)
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
