//! Trains the network of a game: the same loss as for the linear evaluation, minimized by AdamW on
//! mini-batches, half of the positions with files exchanged. Nothing depends on the number of threads: a
//! batch is split into parts of a fixed size, whose gradients are summed in order.

use std::io::BufRead;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::corpus::{
    Corpus, Dataset, Examples, Losses, PER_CENTIPAWN, Part, Rows, Settings, expected_score,
    sum_loss,
};
use super::sample::{LineError, Sample, SampleError};
use crate::engine::eval::network::{
    DEFAULT_OUTPUTS, FeatureSet, MAX_WEIGHT, Network, QA, QB, SCALE, Weights, output_for,
    pieces_per_output,
};
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Position, Variant};

/// Positions of a batch, and of the parts that threads work on.
const BATCH: usize = 4_096;
const PART: usize = 2_048;
/// The first learning rate of a new network, and of one whose training goes on.
const FIRST_RATES: [f32; 2] = [1.5e-3, 3e-4];
/// The last learning rate; between them it falls along a cosine.
const LAST_RATE: f32 = 1e-5;
/// Adam's decay of the means of gradients and of their squares.
const BETAS: (f32, f32) = (0.9, 0.999);
/// The share of the learning rate by which every weight decays at each step.
const WEIGHT_DECAY: f32 = 0.01;

/// Positions as a network sees them.
#[derive(Debug, Default)]
struct Data {
    /// As White and as Black sees them.
    features: Rows<[u16; 2]>,
    sides: Vec<Color>,
    /// Which output judges each position.
    outputs: Vec<u8>,
    /// The expected score of the side to move.
    targets: Vec<f32>,
}

/// One position.
struct Example {
    features: Vec<[u16; 2]>,
    side: Color,
    output: u8,
    target: f32,
}

impl Dataset for Data {
    type Example = Example;

    fn push(&mut self, example: Example) {
        self.features.push(example.features);
        self.sides.push(example.side);
        self.outputs.push(example.output);
        self.targets.push(example.target);
    }

    fn len(&self) -> usize {
        self.features.len()
    }

    fn bytes(&self) -> usize {
        let of_one = size_of::<Color>() + size_of::<u8>() + size_of::<f32>();
        self.features.bytes() + self.sides.len() * of_one
    }
}

/// The sizes of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    features: usize,
    /// Neurons of the hidden layer.
    hidden: usize,
    outputs: usize,
    pieces_per_output: usize,
}

impl Shape {
    fn of(weights: &Weights) -> Shape {
        Shape {
            features: weights.features.len() / weights.hidden,
            hidden: weights.hidden,
            outputs: weights.output_bias.len(),
            pieces_per_output: weights.pieces_per_output,
        }
    }
}

/// Trains a network of one shape, from data that is added first.
#[derive(Debug)]
pub struct Trainer {
    variant: Arc<Variant>,
    features: FeatureSet,
    shape: Shape,
    corpus: Corpus,
}

impl Trainer {
    /// For a new network with so many hidden neurons, or to go on with the training of one.
    pub(crate) fn new(variant: &Arc<Variant>, hidden: usize, start: Option<&Network>) -> Trainer {
        let features = FeatureSet::new(variant);
        let pieces = Position::start(variant).occupied().len() as usize;
        let new = Shape {
            features: features.len(),
            hidden,
            outputs: DEFAULT_OUTPUTS,
            pieces_per_output: pieces_per_output(pieces, DEFAULT_OUTPUTS),
        };
        Trainer {
            variant: Arc::clone(variant),
            features,
            shape: start.map_or(new, |start| Shape::of(start.weights())),
            corpus: Corpus::default(),
        }
    }

    /// Adds the positions of a file.
    ///
    /// # Errors
    /// The first line that is wrong, or is of a game of another family; or there is no room for the positions.
    pub fn add(&mut self, file: impl BufRead, settings: &Settings) -> Result<(), LineError> {
        self.corpus.add(&self.variant, file, &settings.room)
    }

    /// Whether there is nothing to learn from, or nothing for validation.
    pub fn is_too_small(&self) -> bool {
        self.corpus.is_too_small()
    }

    /// Where the network comes from, a line each; `start` names the file that the training went on with, if it
    /// did.
    pub fn provenance(&self, settings: &Settings, start: Option<&str>) -> Vec<String> {
        let start = start.map_or_else(
            || format!("--hidden {} ", self.shape.hidden),
            |file| format!("--start {file} "),
        );
        self.corpus.provenance("A network", &format!("--network {start}"), settings)
    }

    /// Trains, from random weights or from those of the network that [`Trainer::new`] was given; `report` gets
    /// the number of each epoch, from 0 before the first, and the losses after it; the training ends when it
    /// returns false.
    ///
    /// # Errors
    /// The positions cannot be read from the temporary file, or there is no memory for some thousand of them.
    pub(crate) fn train(
        &self,
        settings: &Settings,
        start: Option<&Network>,
        mut report: impl FnMut(usize, Losses) -> bool,
    ) -> Result<(Network, Vec<Losses>), SampleError> {
        let make = |sample: &Sample| example(&self.features, self.shape, sample, settings);
        let examples = Examples::<Data>::new(&self.corpus, &settings.room, &make)?;
        let losses = |model: &Model| {
            let loss = |part| examples.mean(part, |data, range| model.loss(data, range));
            let (training, validation) = (loss(Part::Training)?, loss(Part::Validation)?);
            Ok::<Losses, SampleError>(Losses { training, validation })
        };
        let features = &self.features;
        let mut model = match start {
            Some(network) => Model::from(network.weights()),
            None => Model::random(self.shape, settings.seed),
        };
        let first_rate = FIRST_RATES[usize::from(start.is_some())];
        let mirrored: Vec<usize> =
            (0..features.len()).map(|feature| features.mirrored(feature)).collect();
        let mut all = vec![losses(&model)?];
        report(0, all[0]);
        let mut adam = Adam::new(model.weights.len());
        let mut random = SplitMix::new(settings.seed);
        let batches = self.corpus.len(Part::Training).div_ceil(BATCH).max(1);
        let steps = (batches * settings.epochs as usize) as f32;
        let mut step = 0;
        for epoch in 1..=settings.epochs as usize {
            examples.each_batch(&mut random, BATCH, |random, data, batch| {
                let gradients = model.gradients(data, batch, &mirrored, random.number());
                let done = step as f32 / steps;
                let cosine = (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
                let rate = LAST_RATE + (first_rate - LAST_RATE) * cosine;
                adam.step(&mut model.weights, &gradients, batch.len(), rate);
                step += 1;
            })?;
            all.push(losses(&model)?);
            if !report(epoch, all[epoch]) {
                break;
            }
        }
        Ok((Network::new(self.features.clone(), model.quantize()), all))
    }
}

fn example(features: &FeatureSet, shape: Shape, sample: &Sample, settings: &Settings) -> Example {
    let (position, target) = (&sample.position, settings.target(sample) as f32);
    let side = position.side_to_move();
    let pieces = position.occupied().len() as usize;
    Example {
        features: features.extract(position),
        side,
        output: output_for(pieces, shape.pieces_per_output, shape.outputs) as u8,
        target: if side == Color::White { target } else { 1.0 - target },
    }
}

/// A network in training, all weights in one list: rows of the hidden layer's size for each feature, for the bias of
/// the hidden layer, and for each output's weights for the view of the side to move and for the other's; then
/// the outputs' biases.
struct Model {
    shape: Shape,
    weights: Vec<f32>,
}

/// What is computed for one position on the way to its output, for the views of the side to move and of the
/// other. Kept from one position to the next, so that no memory is asked for.
struct Scratch {
    /// Sums of the hidden layer, before the activation.
    sums: [Vec<f32>; 2],
    /// Gradients of the loss by these sums.
    gradients: [Vec<f32>; 2],
}

impl Scratch {
    fn new(hidden: usize) -> Scratch {
        let zeros = || [vec![0.0; hidden], vec![0.0; hidden]];
        Scratch { sums: zeros(), gradients: zeros() }
    }
}

impl Model {
    fn random(shape: Shape, seed: u64) -> Model {
        let Shape { features, hidden, outputs, .. } = shape;
        let mut random = SplitMix::new(seed);
        let mut around_0 = |most: f32| (2.0 * random.fraction() as f32 - 1.0) * most;
        let mut weights: Vec<f32> = (0..features * hidden).map(|_| around_0(0.1)).collect();
        weights.extend((0..hidden).map(|_| 0.2 + around_0(0.1)));
        weights.extend((0..2 * outputs * hidden).map(|_| around_0(0.1)));
        weights.extend(std::iter::repeat_n(0.0, outputs));
        Model { shape, weights }
    }

    /// A row of a list that is ordered as the weights are.
    fn row(&self, number: usize) -> &[f32] {
        &self.weights[number * self.shape.hidden..][..self.shape.hidden]
    }

    /// The number of the row of an output's weights for a view.
    fn output_row(&self, output: usize, view: usize) -> usize {
        self.shape.features + 1 + 2 * output + view
    }

    /// Computes the sums of the hidden layer.
    fn forward(
        &self,
        data: &Data,
        index: usize,
        turn: impl Fn(u16) -> usize,
        sums: &mut [Vec<f32>; 2],
    ) {
        let bias = self.row(self.shape.features);
        sums.iter_mut().for_each(|sums| sums.copy_from_slice(bias));
        let views = views(data.sides[index]);
        for features in data.features.row(index) {
            for (sums, view) in sums.iter_mut().zip(views) {
                let row = self.row(turn(features[view]));
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
    }

    /// The value of an output.
    fn output(&self, sums: &[Vec<f32>; 2], output: usize) -> f32 {
        let mut value = self.weights[self.weights.len() - self.shape.outputs + output];
        for (view, sums) in sums.iter().enumerate() {
            let weights = self.row(self.output_row(output, view));
            let products = sums.iter().zip(weights).map(|(sum, weight)| {
                let clipped = sum.clamp(0.0, 1.0);
                clipped * clipped * weight
            });
            value += products.sum::<f32>();
        }
        value
    }

    /// The expected score of an output.
    fn expected(output: f32) -> f32 {
        expected_score(f64::from(SCALE as f32 * output)) as f32
    }

    /// The gradients of the summed loss of a batch, by parts; the bits of `turned` say which positions are
    /// seen with files exchanged.
    fn gradients(
        &self,
        data: &Data,
        batch: &[u32],
        mirrored: &[usize],
        turned: u64,
    ) -> Vec<Vec<f32>> {
        let part = |(part, indices): (usize, &[u32])| {
            let mut gradients = vec![0.0; self.weights.len()];
            let mut scratch = Scratch::new(self.shape.hidden);
            for (at, &index) in indices.iter().enumerate() {
                let index = index as usize;
                if turned >> ((part + at) % 64) & 1 == 1 {
                    let turn = |feature: u16| mirrored[usize::from(feature)];
                    self.backward(data, index, turn, &mut scratch, &mut gradients);
                } else {
                    self.backward(data, index, usize::from, &mut scratch, &mut gradients);
                }
            }
            gradients
        };
        batch.par_chunks(PART).enumerate().map(part).collect()
    }

    /// Adds the gradients of the loss of one position.
    fn backward(
        &self,
        data: &Data,
        index: usize,
        turn: impl Fn(u16) -> usize,
        scratch: &mut Scratch,
        gradients: &mut [f32],
    ) {
        let Shape { features, hidden, outputs, .. } = self.shape;
        let Scratch { sums, gradients: by_sums } = scratch;
        self.forward(data, index, &turn, sums);
        let output = usize::from(data.outputs[index]);
        let error = Self::expected(self.output(sums, output)) - data.targets[index];
        let by_output = error * PER_CENTIPAWN as f32 * SCALE as f32;
        let bias_start = gradients.len() - outputs;
        gradients[bias_start + output] += by_output;
        for view in 0..2 {
            let number = self.output_row(output, view);
            let weights = self.row(number);
            let row = &mut gradients[number * hidden..][..hidden];
            let neurons = sums[view].iter().zip(&mut by_sums[view]).zip(weights).zip(row);
            for (((&sum, by_sum), weight), by_weight) in neurons {
                let clipped = sum.clamp(0.0, 1.0);
                *by_weight += by_output * clipped * clipped;
                let slope = if sum > 0.0 && sum < 1.0 { 2.0 * clipped } else { 0.0 };
                *by_sum = by_output * weight * slope;
            }
        }
        let bias = &mut gradients[features * hidden..][..hidden];
        for ((by_bias, own), other) in bias.iter_mut().zip(&by_sums[0]).zip(&by_sums[1]) {
            *by_bias += own + other;
        }
        let views = views(data.sides[index]);
        for features in data.features.row(index) {
            for (by_sums, view) in by_sums.iter().zip(views) {
                let row = &mut gradients[turn(features[view]) * hidden..][..hidden];
                row.iter_mut().zip(by_sums).for_each(|(sum, gradient)| *sum += gradient);
            }
        }
    }

    /// The sum of the losses of some positions.
    fn loss(&self, data: &Data, range: Range<usize>) -> f64 {
        let zeros = || [vec![0.0; self.shape.hidden], vec![0.0; self.shape.hidden]];
        sum_loss(&data.targets, range, PART, 1e-6, zeros, |sums, index| {
            self.forward(data, index, usize::from, sums);
            f64::from(Self::expected(self.output(sums, usize::from(data.outputs[index]))))
        })
    }

    /// The weights in the whole numbers that the engine computes with.
    fn quantize(&self) -> Weights {
        let Shape { features, hidden, outputs, pieces_per_output } = self.shape;
        let round = |weight: &f32, unit: i32| (weight * unit as f32).round();
        let (feature_weights, rest) = self.weights.split_at(features * hidden);
        let (bias, rest) = rest.split_at(hidden);
        let (output_weights, output_bias) = rest.split_at(2 * outputs * hidden);
        Weights {
            hidden,
            features: feature_weights.iter().map(|weight| round(weight, QA) as i8).collect(),
            bias: bias.iter().map(|weight| round(weight, QA) as i16).collect(),
            outputs: output_weights.iter().map(|weight| round(weight, QB) as i8).collect(),
            output_bias: output_bias.iter().map(|bias| round(bias, QA * QB) as i32).collect(),
            pieces_per_output,
        }
    }
}

impl From<&Weights> for Model {
    fn from(quantized: &Weights) -> Model {
        let real = |weight: f64, unit: i32| (weight / f64::from(unit)) as f32;
        let Weights { features, bias, outputs, output_bias, .. } = quantized;
        let mut weights: Vec<f32> = Vec::new();
        weights.extend(features.iter().map(|&weight| real(weight.into(), QA)));
        weights.extend(bias.iter().map(|&weight| real(weight.into(), QA)));
        weights.extend(outputs.iter().map(|&weight| real(weight.into(), QB)));
        weights.extend(output_bias.iter().map(|&weight| real(weight.into(), QA * QB)));
        Model { shape: Shape::of(quantized), weights }
    }
}

/// The views of the side to move and of the other.
fn views(side: Color) -> [usize; 2] {
    [side.index(), (!side).index()]
}

/// AdamW: Adam with decoupled weight decay (Loshchilov and Hutter 2019).
struct Adam {
    /// Running means of the gradients and of their squares.
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { means: vec![0.0; size], squares: vec![0.0; size], steps: 0 }
    }

    /// One step by the gradients of the parts of a batch.
    fn step(&mut self, weights: &mut [f32], parts: &[Vec<f32>], batch: usize, rate: f32) {
        self.steps += 1;
        let (beta_1, beta_2) = BETAS;
        let correction_1 = 1.0 - beta_1.powi(self.steps);
        let correction_2 = 1.0 - beta_2.powi(self.steps);
        let size = batch as f32;
        const CHUNK: usize = 1 << 14;
        let means = self.means.par_chunks_mut(CHUNK);
        let squares = self.squares.par_chunks_mut(CHUNK);
        weights.par_chunks_mut(CHUNK).zip(means).zip(squares).enumerate().for_each(
            |(chunk, ((weights, means), squares))| {
                let at = chunk * CHUNK;
                let mut gradients = vec![0.0; weights.len()];
                for part in parts {
                    let part = &part[at..at + weights.len()];
                    gradients.iter_mut().zip(part).for_each(|(sum, gradient)| *sum += gradient);
                }
                for (((weight, mean), square), gradient) in
                    weights.iter_mut().zip(means).zip(squares).zip(gradients)
                {
                    let gradient = gradient / size;
                    *mean = beta_1 * *mean + (1.0 - beta_1) * gradient;
                    *square = beta_2 * *square + (1.0 - beta_2) * gradient * gradient;
                    let scale = (*square / correction_2).sqrt() + 1e-8;
                    *weight -= rate * (*mean / correction_1 / scale + WEIGHT_DECAY * *weight);
                    *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_goes_on_with_the_same_weights() {
        let mut random = SplitMix::new(3);
        let mut weight = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
        for hidden in [16, 128] {
            let mut bytes = |rows: usize| -> Vec<i8> {
                (0..rows * hidden).map(|_| weight(126) as i8).collect()
            };
            let weights = Weights {
                hidden,
                features: bytes(40),
                outputs: bytes(2 * 3),
                bias: (0..hidden).map(|_| weight(126) as i16).collect(),
                output_bias: (0..3).map(|_| weight(30_000)).collect(),
                pieces_per_output: 5,
            };
            assert_eq!(Model::from(&weights).quantize(), weights);
        }
    }
}
