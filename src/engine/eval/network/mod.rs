//! A small neural network that judges the positions of a game: one hidden layer over pieces, squares and
//! hands as either side sees them, and one output by the number of pieces on the board.

mod accumulator;
mod features;
mod file;
mod pieces;
mod rows;
mod weights;

use std::sync::Arc;

use accumulator::{Accumulators, Table};
pub(crate) use features::{FeatureForm, FeatureSet};
pub use file::NetworkError;
pub(crate) use file::{NetworkFile, RowForm, encode};
use rows::{AnySize, Fixed, RowWeight, Rows};
pub(crate) use weights::{
    Coarse, DEFAULT_HIDDEN, FeatureWeights, HIDDEN_SIZES, LANES, QA, SCALE, SKIP_UNIT, Weights,
    output_for,
};

use super::Evaluator;
use crate::cpu::{Vectorized, vectorized};
use garrison_rules::Position;

/// A network with the accumulators of the positions that it judged last.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    features: Arc<FeatureSet>,
    weights: Arc<Weights>,
    accumulators: Accumulators,
}

impl Network {
    pub fn new(features: FeatureSet, weights: Weights) -> Network {
        Network {
            accumulators: Accumulators::new(&features, &weights),
            features: Arc::new(features),
            weights: Arc::new(weights),
        }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    pub fn features(&self) -> &FeatureSet {
        &self.features
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
        let Evaluate { network: Network { features, weights, accumulators }, position } = self;
        match &weights.features {
            FeatureWeights::Bytes(rows) => {
                evaluate(accumulators, features, weights, rows, position)
            }
            FeatureWeights::Coarse(rows) => {
                evaluate(accumulators, features, weights, rows, position)
            }
            // Of old files alone: not worth code for each size.
            FeatureWeights::Words(rows) => {
                let table = Table { features, rows, skip: &weights.skip };
                evaluate_rows::<AnySize, i16>(accumulators, weights, table, position)
            }
        }
    }
}

/// Chooses the arithmetic for the size of the hidden layer.
#[inline(always)]
fn evaluate<W: RowWeight>(
    accumulators: &mut Accumulators,
    features: &FeatureSet,
    weights: &Weights,
    rows: &[W],
    position: &Position,
) -> i32 {
    let table = Table { features, rows, skip: &weights.skip };
    match weights.hidden {
        16 => evaluate_rows::<Fixed<16>, W>(accumulators, weights, table, position),
        32 => evaluate_rows::<Fixed<32>, W>(accumulators, weights, table, position),
        64 => evaluate_rows::<Fixed<64>, W>(accumulators, weights, table, position),
        128 => evaluate_rows::<Fixed<128>, W>(accumulators, weights, table, position),
        256 => evaluate_rows::<Fixed<256>, W>(accumulators, weights, table, position),
        _ => evaluate_rows::<AnySize, W>(accumulators, weights, table, position),
    }
}

#[inline(always)]
fn evaluate_rows<R: Rows, W: RowWeight>(
    accumulators: &mut Accumulators,
    weights: &Weights,
    table: Table<W>,
    position: &Position,
) -> i32 {
    accumulators.update::<R, W>(table, position);
    let side = position.side_to_move();
    let output = weights.output_for(position.occupied().len() as usize);
    let sum = R::weighted(accumulators.view(side), weights.output_row(output, false))
        + R::weighted(accumulators.view(!side), weights.output_row(output, true));
    let value = sum / i64::from(QA) + i64::from(weights.output_bias[output]);
    let skip = accumulators.skip(side) - accumulators.skip(!side);
    let hidden = value * i64::from(SCALE) / i64::from(QA * weights.output_unit);
    (hidden + skip * i64::from(SCALE) / i64::from(2 * SKIP_UNIT)) as i32
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::random_weights;
