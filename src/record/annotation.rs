//! Scores as the comments of a game record have them.

/// The beginning of a score in a comment.
pub const EVAL: &str = "[%eval ";

/// A score of a move, for White or for the player who moved, as the record defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedScore {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate; negative: to being mated.
    Mate(i32),
}

impl RecordedScore {
    /// In centipawns, from -30000 to 30000; a mate is more than any other score.
    pub fn centipawns(self) -> i32 {
        match self {
            RecordedScore::Centipawns(value) => value.clamp(-29_999, 29_999),
            RecordedScore::Mate(moves) if moves > 0 => 30_000,
            RecordedScore::Mate(_) => -30_000,
        }
    }

    /// For people: pawns (`+0.31`) or moves to mate (`#3`, `#-2`).
    pub fn readable(self) -> String {
        match self {
            RecordedScore::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            RecordedScore::Mate(moves) => format!("#{moves}"),
        }
    }

    /// The same score from the other player's view.
    #[must_use]
    pub fn reversed(self) -> RecordedScore {
        match self {
            RecordedScore::Centipawns(value) => RecordedScore::Centipawns(-value),
            RecordedScore::Mate(moves) => RecordedScore::Mate(-moves),
        }
    }
}

/// The inside of `[%eval …]`: White's score in pawns or moves to mate, and the depth in plies, as in
/// `0.31,8` or `#-2,8`.
pub fn eval_note(white: RecordedScore, depth: u32) -> String {
    format!("{},{depth}", white.readable().trim_start_matches('+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_beyond_all_other_scores() {
        let mated = RecordedScore::Mate(-2);
        assert_eq!((mated.centipawns(), mated.readable().as_str()), (-30_000, "#-2"));
        assert_eq!(mated.reversed().centipawns(), 30_000);
        assert_eq!(RecordedScore::Centipawns(1 << 20).centipawns(), 29_999);
    }

    #[test]
    fn notes_have_no_plus() {
        assert_eq!(eval_note(RecordedScore::Centipawns(31), 7), "0.31,7");
        assert_eq!(eval_note(RecordedScore::Centipawns(31).reversed(), 7), "-0.31,7");
        assert_eq!(eval_note(RecordedScore::Mate(2), 7), "#2,7");
    }
}
