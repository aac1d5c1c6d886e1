//! The events of a search for XBoard: thinking lines, and the answer to `.`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::text;
use crate::engine::{Score, SearchEvent, SearchInfo};
use crate::protocol::output::Output;
use garrison_rules::{Move, Position};

/// The score of a mate, to which its moves are added.
const MATE: i32 = 100_000;

/// The latest state of a running search.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The score of the best line.
    pub score: Option<Score>,
    /// The best line.
    pub line: Vec<Move>,
    depth: u32,
    nodes: u64,
    time: Duration,
    /// The move of the root being tried, and its number.
    trying: Option<(Move, usize)>,
}

/// Keeps the state of a search, and prints its lines.
#[derive(Debug, Clone)]
pub(super) struct Post {
    position: Position,
    /// The expected move in brackets, if the search is on the position after it.
    ahead: String,
    seen: Arc<Mutex<Seen>>,
}

impl Post {
    /// For a search of this position; `expected` is the opponent's move that leads to it, if it was not made
    /// yet.
    pub fn new(position: Position, expected: Option<&str>) -> Post {
        let ahead = expected.map_or(String::new(), |text| format!("({text}) "));
        Post { position, ahead, seen: Arc::default() }
    }

    /// The state so far.
    pub fn seen(&self) -> Seen {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps an event, and prints it if there is an output.
    pub fn report(&self, news: &SearchEvent, output: Option<&Output>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match news {
            SearchEvent::Info(progress) => {
                if progress.multipv == 1 {
                    seen.score = Some(progress.score);
                    seen.line.clone_from(&progress.pv);
                }
                (seen.depth, seen.nodes, seen.time) =
                    (progress.depth, progress.nodes, progress.time);
                if let Some(output) = output {
                    output.line(&self.line(progress));
                }
            }
            SearchEvent::CurrentMove { depth, mv, number, time } => {
                (seen.depth, seen.time, seen.trying) = (*depth, *time, Some((*mv, *number)));
            }
        }
    }

    /// `ply score time nodes pv`
    fn line(&self, progress: &SearchInfo) -> String {
        let pv = self.position.line_with(&progress.pv, text::move_text).join(" ");
        format!(
            "{} {} {} {} {}{pv}",
            progress.depth,
            score_text(progress.score),
            hundredths(progress.time),
            progress.nodes,
            self.ahead
        )
    }

    /// The answer to `.`
    pub fn status(&self) -> String {
        let seen = self.seen();
        let moves = self.position.legal_moves().len();
        let left = seen.trying.map_or(0, |(_, number)| moves.saturating_sub(number));
        let mv = seen.trying.map_or(String::new(), |(mv, _)| text::move_text(&self.position, mv));
        let (time, nodes, depth) = (hundredths(seen.time), seen.nodes, seen.depth);
        format!("stat01: {time} {nodes} {depth} {left} {moves} {mv}").trim_end().to_string()
    }
}

fn hundredths(time: Duration) -> u128 {
    time.as_millis() / 10
}

/// Centipawns, or 100000 and the moves to the mate.
fn score_text(score: Score) -> i32 {
    match (score.mate_moves(), score.as_centipawns()) {
        (Some(moves), _) if moves > 0 => MATE + moves,
        (Some(moves), _) => moves - MATE,
        (None, centipawns) => centipawns.unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_beyond_all_other_scores() {
        assert_eq!(score_text(Score::centipawns(-31)), -31);
        assert_eq!(score_text(Score::mate_in(3)), 100_002);
        assert_eq!(score_text(Score::mated_in(4)), -100_002);
    }
}
