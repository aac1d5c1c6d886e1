//! A network in training: its weights as real numbers, what it makes of a position, and the whole numbers in the end.

use crate::engine::eval::network::{
    Coarse, FeatureWeights, LANES, QA, SCALE, SKIP_UNIT, Weights, output_for,
};
use crate::training::corpus::PER_CENTIPAWN;
use garrison_rules::random::SplitMix;

/// The least and the most that a weight of 1 of the outputs is as a whole number: as much as 8 bits allow.
const OUTPUT_UNITS: (f32, f32) = (64.0, 1024.0);
/// No weight is beyond this, so that one of the outputs fits in 8 bits with the least unit, one of the features in 8
/// coarse ones, and the sums of the usual number of features in 16.
pub(super) const MAX_WEIGHT: f32 = 1.98;
/// No skip weight is beyond this, so that it fits in 16 bits: 3160 centipawns.
pub(super) const MAX_SKIP: f32 = 7.9;
/// The largest weight of a feature that fits in 8 bits.
const MAX_BYTE: f32 = 127.0 / QA as f32;
/// Weights of features are coarse if a larger share of them is beyond [`MAX_BYTE`].
const CLIPPED_SHARE: f64 = 1e-4;

/// The sizes of a network, and the places of its weights in one list: a row of the hidden layer's size for each feature,
/// the skip weight of each, the biases of the hidden layer, for each output the weights for the view of the side to move
/// and for the other's, the biases of the outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub features: usize,
    pub hidden: usize,
    pub outputs: usize,
}

impl Shape {
    /// The first skip weight.
    pub fn skip(self) -> usize {
        self.features * self.hidden
    }

    /// The first bias of the hidden layer.
    pub fn bias(self) -> usize {
        self.skip() + self.features
    }

    /// The first weight of an output for a view, 0 that of the side to move.
    pub fn output(self, output: usize, view: usize) -> usize {
        self.bias() + self.hidden * (1 + 2 * output + view)
    }

    /// The first bias of the outputs.
    pub fn output_bias(self) -> usize {
        self.output(self.outputs, 0)
    }

    pub fn len(self) -> usize {
        self.output_bias() + self.outputs
    }
}

/// A position as a network in training sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Example<'a> {
    /// As the side to move and as the other sees them.
    pub features: &'a [[u16; 2]],
    /// For either view, the number under which a feature is to be seen: as it is, or with files exchanged.
    pub maps: [&'a [u16]; 2],
    /// Which output judges it.
    pub output: usize,
    /// The expected score of the side to move.
    pub target: f32,
}

/// The weights of a network.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub shape: Shape,
    pub weights: Vec<f32>,
}

/// The sums of the hidden layer before the activation, for the views of the side to move and of the other. Kept from one
/// position to the next, so that no memory is asked for.
pub(super) type Sums = [Vec<f32>; 2];

pub(super) fn empty_sums(hidden: usize) -> Sums {
    [vec![0.0; hidden], vec![0.0; hidden]]
}

/// The expected score of an output.
pub(super) fn expected(output: f32) -> f32 {
    1.0 / (1.0 + (-output * SLOPE).exp())
}

/// What an output of 1 is in the exponent of the expected score.
pub(super) const SLOPE: f32 = PER_CENTIPAWN as f32 * SCALE as f32;

impl Model {
    /// Small random weights.
    pub fn random(shape: Shape, seed: u64) -> Model {
        let mut random = SplitMix::new(seed);
        let mut around_0 = |most: f32| (2.0 * random.fraction() as f32 - 1.0) * most;
        let mut weights = vec![0.0; shape.len()];
        weights[..shape.skip()].iter_mut().for_each(|weight| *weight = around_0(0.1));
        let bias = &mut weights[shape.bias()..][..shape.hidden];
        bias.iter_mut().for_each(|weight| *weight = 0.2 + around_0(0.1));
        let outputs = &mut weights[shape.output(0, 0)..shape.output_bias()];
        outputs.iter_mut().for_each(|weight| *weight = around_0(0.1));
        Model { shape, weights }
    }

    /// The value of a position for the side to move; leaves the sums of the hidden layer in `sums`.
    #[inline(always)]
    pub fn forward(&self, example: &Example, sums: &mut Sums) -> f32 {
        let Shape { hidden, .. } = self.shape;
        let rows = self.weights[..self.shape.skip()].as_chunks::<LANES>().0;
        let bias = self.weights[self.shape.bias()..][..hidden].as_chunks::<LANES>().0;
        let mut value = self.weights[self.shape.output_bias() + example.output];
        for view in 0..2 {
            let output = &self.weights[self.shape.output(example.output, view)..][..hidden];
            let output = output.as_chunks::<LANES>().0;
            let mut products = [0.0; LANES];
            for (block, sums) in sums[view].as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let mut total = bias[block];
                for features in example.features {
                    let feature = usize::from(example.maps[view][usize::from(features[view])]);
                    let row = &rows[feature * (hidden / LANES) + block];
                    total.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
                }
                *sums = total;
                for ((product, sum), weight) in products.iter_mut().zip(total).zip(&output[block]) {
                    let clipped = sum.clamp(0.0, 1.0);
                    *product += clipped * clipped * weight;
                }
            }
            value += products.iter().sum::<f32>();
        }
        let skip = &self.weights[self.shape.skip()..self.shape.bias()];
        let skips = example.features.iter().map(|features| {
            let [own, other] = [0, 1]
                .map(|view| skip[usize::from(example.maps[view][usize::from(features[view])])]);
            own - other
        });
        value + skips.sum::<f32>() / 2.0
    }

    /// The weights in the whole numbers that the engine computes with; those of features coarse if finer ones do not
    /// hold nearly all of them. Without skip weights if these are all 0.
    pub fn quantize(&self, bounds: &[u16]) -> Weights {
        let shape = self.shape;
        let round = |weight: &f32, unit: i32| (weight * unit as f32).round();
        let rows = &self.weights[..shape.skip()];
        let skip = &self.weights[shape.skip()..shape.bias()];
        let beyond = rows.iter().filter(|weight| weight.abs() > MAX_BYTE + 0.5 / QA as f32);
        let outputs = &self.weights[shape.output(0, 0)..shape.output_bias()];
        let largest = outputs.iter().fold(0.01, |most: f32, weight| most.max(weight.abs()));
        let output_unit = (127.0 / largest).floor().clamp(OUTPUT_UNITS.0, OUTPUT_UNITS.1) as i32;
        let is_narrow = beyond.count() as f64 <= CLIPPED_SHARE * rows.len() as f64;
        Weights {
            hidden: shape.hidden,
            features: if is_narrow {
                // The conversion saturates.
                let byte = |weight: &f32| round(weight, QA) as i8;
                FeatureWeights::Bytes(rows.iter().map(byte).collect())
            } else {
                let step = f32::from(Coarse::STEP);
                let coarse = |weight: &f32| (weight * QA as f32 / step).round() as i8;
                FeatureWeights::Coarse(rows.iter().map(|weight| Coarse(coarse(weight))).collect())
            },
            skip: if skip.iter().all(|&weight| weight == 0.0) {
                Vec::new()
            } else {
                skip.iter().map(|weight| round(weight, SKIP_UNIT) as i16).collect()
            },
            bias: self.weights[shape.bias()..shape.output(0, 0)]
                .iter()
                .map(|weight| round(weight, QA) as i16)
                .collect(),
            outputs: outputs.iter().map(|weight| round(weight, output_unit) as i8).collect(),
            output_unit,
            output_bias: self.weights[shape.output_bias()..]
                .iter()
                .map(|weight| round(weight, QA * output_unit) as i32)
                .collect(),
            bounds: bounds.to_vec(),
        }
    }
}

impl From<&Weights> for Model {
    fn from(quantized: &Weights) -> Model {
        let real = |weight: i32, unit: i32| (f64::from(weight) / f64::from(unit)) as f32;
        let shape = Shape {
            features: quantized.features.len() / quantized.hidden,
            hidden: quantized.hidden,
            outputs: quantized.output_bias.len(),
        };
        let unit = quantized.output_unit;
        let mut weights: Vec<f32> = (0..quantized.features.len())
            .map(|index| real(quantized.features.get(index).into(), QA))
            .collect();
        let skip = quantized.skip.iter().map(|&weight| real(weight.into(), SKIP_UNIT));
        weights.extend(skip.chain(std::iter::repeat(0.0)).take(shape.features));
        weights.extend(quantized.bias.iter().map(|&weight| real(weight.into(), QA)));
        weights.extend(quantized.outputs.iter().map(|&weight| real(weight.into(), unit)));
        weights.extend(quantized.output_bias.iter().map(|&weight| real(weight, QA * unit)));
        Model { shape, weights }
    }
}

/// Bounds by which so many outputs judge about as many positions each; `counts` says how many positions have 0, 1, …
/// pieces on the board. Fewer outputs if the numbers of pieces are too few.
pub(super) fn bounds(counts: &[u64], outputs: usize) -> Vec<u16> {
    let all: u64 = counts.iter().sum();
    let mut bounds = Vec::new();
    // Positions with no more pieces, and those of them that are below the last bound.
    let (mut below, mut bounded) = (0, 0);
    for (pieces, &count) in counts.iter().enumerate() {
        below += count;
        let more = outputs - bounds.len();
        if more > 1 && below < all && below - bounded >= ((all - bounded) / more as u64).max(1) {
            bounds.push(pieces as u16);
            bounded = below;
        }
    }
    debug_assert!(output_for(counts.len(), &bounds) == bounds.len());
    bounds
}
