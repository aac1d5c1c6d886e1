//! What a fit of weights begins with, and how strongly it holds them there: a Gaussian prior around the initial
//! weights, as if some positions had been seen that agree with them.

use super::corpus::{PER_CENTIPAWN, Part, expected_score, sum_loss};
use super::examples::Examples;
use super::sample::SampleError;
use super::tune::Data;
use crate::engine::LinearEval;
use crate::engine::eval::Layout;

/// As many positions weights count that were fitted before. With fewer, thin data makes weights worse than those
/// that ship; with more, many positions teach them little (docs/tuning.md has the figures).
pub const FITTED: u64 = 200_000;
/// As many the prior, which was fitted to other games.
pub const GENERAL: u64 = 20_000;
/// As many the values of a definition, which are guesses.
pub const GUESSED: u64 = 5_000;

/// Besides, every weight counts as so many positions that have its term once: what is seen a few times says
/// little. The terms of squares are many, and so each is rare: theirs count more.
const OF_A_TERM: f64 = 100.0;
const OF_A_SQUARE: f64 = 600.0;

/// Positions that a thread measures at a time.
const PART: usize = 1024;
/// As many positions as the scale is fitted to, if there are more: one number needs no more.
const SCALED: usize = 1 << 20;

/// The weights that a fit begins with.
#[derive(Debug, Clone)]
pub enum Start {
    /// The values of the definition. They say which pieces are worth more than others, and not how sure a win is with
    /// so many centipawns more; so their common scale is fitted first, to the data.
    Definition,
    /// The prior of the game ([`LinearEval::prior`]).
    General(LinearEval),
    /// Weights that were fitted before.
    Fitted(LinearEval),
}

impl Start {
    /// As how many positions it counts, unless somebody says otherwise.
    pub fn usual_prior(&self) -> u64 {
        match self {
            Start::Definition => GUESSED,
            Start::General(_) => GENERAL,
            Start::Fitted(_) => FITTED,
        }
    }
}

/// Pulls weights to where they began.
#[derive(Debug)]
pub(super) struct Prior {
    start: Vec<[f64; 2]>,
    /// The strength of the pull, for the mean loss of a position.
    strength: Vec<[f64; 2]>,
    /// How many weights have a term in the data.
    pub used: usize,
}

impl Prior {
    /// The start counts as `positions` that have each term as often as those of the data have it.
    ///
    /// # Errors
    /// The positions cannot be read.
    pub fn new(
        layout: &Layout,
        start: Vec<[f64; 2]>,
        positions: u64,
        examples: &Examples<Data>,
    ) -> Result<Prior, SampleError> {
        let (mut seen, mut size) = (vec![[0.0; 2]; start.len()], 0);
        examples.each_part(Part::Training, |data, range| {
            size += range.len();
            data.add_squares_of_counts(range, &mut seen);
            true
        })?;
        let size = size.max(1) as f64;
        // The second derivative of the loss of an even position by a weight whose term it has once.
        let curvature = PER_CENTIPAWN * PER_CENTIPAWN / 4.0;
        let mut strength: Vec<[f64; 2]> = seen
            .iter()
            .map(|pair| pair.map(|sum| positions as f64 * sum / size + OF_A_TERM))
            .collect();
        for group in layout.groups.iter().filter(|group| group.name == "squares") {
            for pair in &mut strength[group.start..group.start + group.length] {
                *pair = pair.map(|sum| sum - OF_A_TERM + OF_A_SQUARE);
            }
        }
        for pair in &mut strength {
            *pair = pair.map(|sum| sum * curvature / size);
        }
        let used = seen.iter().flatten().filter(|sum| **sum > 0.0).count();
        Ok(Prior { start, strength, used })
    }

    /// Adds the gradient of the prior to that of the mean loss.
    pub fn add_gradient(&self, weights: &[[f64; 2]], gradient: &mut [[f64; 2]]) {
        for (term, sum) in gradient.iter_mut().enumerate() {
            for phase in 0..2 {
                let away = weights[term][phase] - self.start[term][phase];
                sum[phase] += self.strength[term][phase] * away;
            }
        }
    }
}

/// The factor by which these weights fit the data best, from 1/16 to 4: a golden-section search, as the loss is
/// convex in it.
///
/// # Errors
/// The positions cannot be read.
pub(super) fn scale(weights: &[[f64; 2]], examples: &Examples<Data>) -> Result<f64, SampleError> {
    let (mut values, mut targets) = (Vec::new(), Vec::new());
    examples.each_part(Part::Training, |data, range| {
        values.extend(data.values(range.clone(), weights));
        targets.extend(&data.targets()[range]);
        values.len() < SCALED
    })?;
    Ok(scale_of(&values, &targets))
}

/// The same of values of positions for White, in centipawns, and their targets.
pub(super) fn scale_of(values: &[f64], targets: &[f32]) -> f64 {
    let loss = |scale: f64| {
        let predict = |(): &mut (), index: usize| expected_score(scale * values[index]);
        sum_loss(targets, 0..targets.len(), PART, 1e-9, || (), predict)
    };
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (1.0 / 16.0, 4.0);
    for _ in 0..20 {
        let step = golden * (high - low);
        if loss(high - step) < loss(low + step) { high = low + step } else { low = high - step }
    }
    // Two decimals are said, and no more are meant.
    ((low + high) * 50.0).round() / 100.0
}
