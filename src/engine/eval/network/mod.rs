//! A small neural network that judges the positions of a game: one hidden layer over pieces, squares and
//! hands as either side sees them, and one output by the number of pieces on the board.

mod accumulator;
mod features;
mod file;
mod weights;

use std::sync::Arc;

use accumulator::{Accumulator, Sums};
pub(crate) use features::FeatureSet;
pub use file::NetworkError;
pub(crate) use file::{NetworkFile, encode};
pub(crate) use weights::{
    DEFAULT_HIDDEN, DEFAULT_OUTPUTS, HIDDEN_SIZES, LANES, MAX_WEIGHT, QA, QB, SCALE, Weights,
    output_for, pieces_per_output,
};

use super::Evaluator;
use garrison_rules::Position;

/// A network with the accumulator of the position that it judged last.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    features: Arc<FeatureSet>,
    weights: Arc<Weights>,
    accumulator: Accumulator,
}

impl Network {
    pub fn new(features: FeatureSet, weights: Weights) -> Network {
        Network {
            accumulator: Accumulator::new(&features, &weights),
            features: Arc::new(features),
            weights: Arc::new(weights),
        }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Evaluator for Network {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let Network { features, weights, accumulator } = self;
        accumulator.update(features, weights, position);
        let side = position.side();
        let output = weights.output_for(position.occupied().len() as usize);
        let sum = weighted(accumulator.view(side), weights.output_row(output, false))
            + weighted(accumulator.view(!side), weights.output_row(output, true));
        let value = sum / i64::from(QA) + i64::from(weights.output_bias[output]);
        (value * i64::from(SCALE) / i64::from(QA * QB)) as i32
    }
}

/// Blocks whose sum stays within 32 bits: 256 neurons of at most 255 · 255 · 128.
const BLOCKS_PER_SUM: usize = 256 / LANES;

/// The activations of the neurons, squares of their sums clipped to 0 to [`QA`], times the output's weights.
#[inline]
fn weighted(sums: &[Sums], weights: &[[i8; LANES]]) -> i64 {
    let parts = sums.chunks(BLOCKS_PER_SUM).zip(weights.chunks(BLOCKS_PER_SUM));
    parts.map(|(sums, weights)| i64::from(weighted_part(sums, weights))).sum()
}

#[inline]
fn weighted_part(sums: &[Sums], weights: &[[i8; LANES]]) -> i32 {
    let mut lanes = [0i32; LANES];
    for (sums, weights) in sums.iter().zip(weights) {
        for ((lane, &sum), &weight) in lanes.iter_mut().zip(sums).zip(weights) {
            let clipped = sum.clamp(0, QA as i16);
            *lane += i32::from(clipped * i16::from(weight)) * i32::from(clipped);
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::random_weights;
