//! Balanced openings: positions after random moves that a short search finds even. Each depends on a seed and its
//! own number alone, so that any number of threads produces the same ones.

use std::sync::Arc;

use super::{Control, Limits, Score, SearchEvent, Searcher};
use garrison_rules::random::SplitMix;
use garrison_rules::{Position, Variant};

/// What openings must be like.
#[derive(Debug, Clone)]
pub struct OpeningRequirements {
    /// Random plies, after those of a setup phase, which are random too.
    pub plies: u32,
    /// The most that either side may be ahead, in centipawns.
    pub window: u32,
    /// The limits of the search that tests a position: depth or nodes, as with a limit of time the same seed would
    /// give other openings on another run.
    pub limits: Limits,
    /// Other seeds give other openings.
    pub seed: u64,
}

/// The random position of this number, without a history; `None` if the game is over there.
pub fn candidate(
    variant: &Arc<Variant>,
    requirements: &OpeningRequirements,
    number: u64,
) -> Option<Position> {
    let mut random = SplitMix::new(requirements.seed ^ SplitMix::new(number).number());
    let mut position = random_start(variant, &mut random);
    let mut left = requirements.plies;
    while left > 0 || position.setup_phase().is_pending() {
        left -= u32::from(!position.setup_phase().is_pending());
        let moves = position.legal_moves();
        position.make(*moves.get(random.below(moves.len()))?);
        position.status().outcome().is_none().then_some(())?;
    }
    Some(position.without_history())
}

/// The start position, with an array drawn by lot where the game has several.
pub(crate) fn random_start(variant: &Arc<Variant>, random: &mut SplitMix) -> Position {
    let arrays = variant.arrays();
    let number = if arrays > 1 { random.number() % arrays } else { 0 };
    Position::start_array(variant, number).unwrap_or_else(|| Position::start(variant))
}

/// Plays so many random moves, or fewer if the game ends before.
pub(crate) fn play_random_moves(position: &mut Position, plies: usize, random: &mut SplitMix) {
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.status().outcome().is_some() {
            break;
        }
        position.make(moves[random.below(moves.len())]);
    }
}

/// Whether a search finds neither side ahead by more than the window. The searcher is cleared first, so that the
/// answer does not depend on earlier ones.
///
/// It needs a stack of [`STACK_SIZE`](super::STACK_SIZE) bytes, as every search does.
pub fn is_even(
    position: &Position,
    requirements: &OpeningRequirements,
    searcher: &mut Searcher,
) -> bool {
    searcher.clear();
    let control = Control::new(false);
    let mut score = None;
    searcher.search(position, &requirements.limits, &control, |event| {
        if let SearchEvent::Info(info) = event {
            score = Some(info.score);
        }
    });
    let score = score.and_then(Score::as_centipawns);
    score.is_some_and(|score| score.unsigned_abs() <= requirements.window)
}
