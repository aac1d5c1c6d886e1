//! The analysis of a game as marks and comments of its record.

use super::{GameAnalysis, Value};
use crate::record::{EVAL, eval_note};

/// The glyphs that rate a move; an analysis replaces them.
pub(crate) const QUALITY: std::ops::RangeInclusive<u8> = 1..=6;

/// What stands before a best line.
pub(crate) const BEST: &str = "best ";

/// Adds scores, marks and best lines to the record of a game. The score of a move is that of the position after it.
pub fn annotate(game: &mut GameAnalysis) {
    let positions: Vec<_> = game.positions().collect();
    for (index, position) in positions {
        let (before, after) = (&game.values[index], &game.values[index + 1]);
        let ply = &mut game.record.plies[index];
        ply.nags.retain(|nag| !QUALITY.contains(nag));
        ply.nags.splice(0..0, game.reviews[index].mark.map(|mark| mark.nag()));
        let mut parts = kept(ply.comment.as_deref().unwrap_or_default());
        let status = || after.status.clone();
        parts.push(format!("{EVAL}{}]", after.note().unwrap_or_else(status)));
        let best = position.line_san(&before.line);
        if let (false, Some(note)) = (best.is_empty(), before.note()) {
            parts.push(format!("{BEST}{} ({note})", best.join(" ")));
        }
        ply.comment = Some(parts.join(" "));
    }
    game.record.set_tag("Annotator", concat!("Garrison ", env!("CARGO_PKG_VERSION")));
}

impl Value {
    /// As `[%eval …]` has it: pawns or moves to mate, for White, and the depth; `None` if the game is over.
    fn note(&self) -> Option<String> {
        self.searched.map(|(score, depth)| eval_note(score, depth))
    }
}

/// The parts of a comment that an analysis keeps: all but scores, and the best line that an earlier analysis wrote
/// behind its score.
pub(crate) fn kept(comment: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = comment;
    while let Some((before, behind)) = rest.split_once(EVAL) {
        parts.push(before);
        rest = behind.split_once(']').map_or("", |(_, rest)| rest);
        if let Some((_, behind)) =
            rest.trim_start().strip_prefix(BEST).and_then(|line| line.split_once(')'))
        {
            rest = behind;
        }
    }
    parts.push(rest);
    let parts = parts.into_iter().map(|part| part.trim().to_string());
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_replaces_what_one_before_it_wrote_and_nothing_else() {
        let kept = |comment| kept(comment).join(" | ");
        assert_eq!(kept("[%eval 0.31,8] best Nf3 (0.20,8)"), "");
        assert_eq!(kept("a bold move [%eval #2,8]"), "a bold move");
        assert_eq!(kept("[%eval white wins (checkmate)] best Qh7# (#1,9)"), "");
        assert_eq!(kept("[%eval 0.17] [%clk 0:00:30]"), "[%clk 0:00:30]");
        assert_eq!(
            kept("[%clk 0:00:30] [%eval 0.17] best was Nf3"),
            "[%clk 0:00:30] | best was Nf3"
        );
        assert_eq!(kept(""), "");
    }
}
