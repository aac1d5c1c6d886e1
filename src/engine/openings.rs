//! Balanced openings: positions after random moves that a short search finds even. Each is made
//! from a seed and its own number alone, so that any number of threads makes the same ones.

use std::sync::Arc;

use super::{Control, Limits, News, Score, Searcher};
use garrison_rules::{Position, SplitMix, Variant};

/// What an opening has to be like.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Random plies, behind those of a setup phase, which are random too.
    pub plies: u32,
    /// The most that either side may be ahead, in centipawns.
    pub window: u32,
    /// When the search that judges ends; depth or nodes, as a time makes other sets on other days.
    pub limits: Limits,
    /// Other seeds make other sets.
    pub seed: u64,
}

/// The position of this number, without a past; `None` if the game is over there.
pub fn candidate(variant: &Arc<Variant>, wanted: &Wanted, number: u64) -> Option<Position> {
    let mut random = SplitMix::new(wanted.seed ^ SplitMix::new(number).number());
    let mut position = Position::start(variant);
    let mut left = wanted.plies;
    while left > 0 || position.setup_phase().is_pending() {
        left -= u32::from(!position.setup_phase().is_pending());
        let moves = position.legal_moves();
        position.make(*moves.get(random.below(moves.len()))?);
        position.status().outcome().is_none().then_some(())?;
    }
    Some(position.without_history())
}

/// Makes so many random moves, or fewer if the game is over before.
pub(crate) fn wander(position: &mut Position, plies: usize, random: &mut SplitMix) {
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.status().outcome().is_some() {
            break;
        }
        position.make(moves[random.below(moves.len())]);
    }
}

/// Whether the search finds neither side ahead by more than the window. What the searcher knew is
/// forgotten first.
///
/// It needs a stack of some megabytes, as every search does.
pub fn is_even(position: &Position, wanted: &Wanted, searcher: &mut Searcher) -> bool {
    searcher.clear();
    let control = Control::new(false);
    let mut score = None;
    searcher.search(position, &wanted.limits, &control, |news| {
        if let News::Line(line) = news {
            score = Some(line.score);
        }
    });
    let score = score.and_then(Score::as_centipawns);
    score.is_some_and(|score| score.unsigned_abs() <= wanted.window)
}
