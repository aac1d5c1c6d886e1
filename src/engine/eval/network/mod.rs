//! A small neural network that judges the positions of a game: one hidden layer over pieces, squares and
//! hands as either side sees them, and one output by the number of pieces on the board.

mod accumulator;
mod features;
mod file;
mod rows;
mod weights;

use std::sync::Arc;

use accumulator::Accumulator;
pub(crate) use features::FeatureSet;
pub use file::NetworkError;
pub(crate) use file::{NetworkFile, encode};
use rows::{AnySize, Fixed, Rows};
pub(crate) use weights::{
    DEFAULT_HIDDEN, DEFAULT_OUTPUTS, HIDDEN_SIZES, LANES, MAX_WEIGHT, QA, QB, SCALE, Weights,
    output_for, pieces_per_output,
};

use super::Evaluator;
use crate::cpu::{Vectorized, vectorized};
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
        vectorized(Evaluate { network: self, position })
    }
}

/// The evaluation of a position, compiled for more than one sort of CPU: it gains from wide vectors.
struct Evaluate<'a> {
    network: &'a mut Network,
    position: &'a Position,
}

impl Vectorized for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Evaluate { network, position } = self;
        match network.weights.hidden {
            64 => network.evaluate_rows::<Fixed<64>>(position),
            128 => network.evaluate_rows::<Fixed<128>>(position),
            256 => network.evaluate_rows::<Fixed<256>>(position),
            512 => network.evaluate_rows::<Fixed<512>>(position),
            _ => network.evaluate_rows::<AnySize>(position),
        }
    }
}

impl Network {
    #[inline(always)]
    fn evaluate_rows<R: Rows>(&mut self, position: &Position) -> i32 {
        let Network { features, weights, accumulator } = self;
        accumulator.update::<R>(features, weights, position);
        let side = position.side_to_move();
        let output = weights.output_for(position.occupied().len() as usize);
        let sum = R::weighted(accumulator.view(side), weights.output_row(output, false))
            + R::weighted(accumulator.view(!side), weights.output_row(output, true));
        let value = sum / i64::from(QA) + i64::from(weights.output_bias[output]);
        (value * i64::from(SCALE) / i64::from(QA * QB)) as i32
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::random_weights;
