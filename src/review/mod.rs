//! What an analysis says of positions and of whole games, wherever it is asked for.

pub mod annotate;
mod game;

pub use game::{GameAnalysis, Mark, Review, Value, player, position_before};

use crate::engine::{Control, Limits, Score, SearchEvent, SearchInfo, Searcher, evaluate};
use crate::record::{RecordedScore, eval_note};
use garrison_rules::{Color, Move, Position};

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// For the side to move.
    pub score: Score,
    /// Plies.
    pub depth: u32,
    /// The best line.
    pub pv: Vec<Move>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Searches with an empty hash table; `None` if the game is over. `on_line` is called with every line that the search
/// reports.
pub fn analyze_position(
    position: &Position,
    limits: &Limits,
    searcher: &mut Searcher,
    mut on_line: impl FnMut(&SearchInfo),
) -> Option<Analysis> {
    searcher.clear();
    let control = Control::new(false);
    let mut analysis = None;
    let found = searcher.search(position, limits, &control, |news| {
        if let SearchEvent::Info(found) = news {
            let (score, depth, pv) = (found.score, found.depth, found.pv.clone());
            analysis = Some(Analysis { score, depth, pv, nodes: found.nodes });
            on_line(found);
        }
    });
    // A limit may end the search before its first line: then the static evaluation counts.
    let unsearched = |mv| {
        let (score, nodes) = (evaluate(position), searcher.nodes());
        Analysis { score, depth: 0, pv: vec![mv], nodes }
    };
    analysis.or_else(|| found.best.map(unsearched))
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
pub fn eval_text(score: Score, side: Color, depth: u32) -> String {
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
