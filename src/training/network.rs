//! Trains the small network that judges the positions of a game: the same loss as that of the tables,
//! by Adam on small batches, on half of the positions with files exchanged. Nothing depends on the
//! number of threads: parts of a batch are of fixed size and summed in their order.

use std::io::BufRead;
use std::sync::Arc;

use rayon::prelude::*;

use super::corpus::{
    Corpus, Kept, Losses, PER_CENTIPAWN, Rows, Settings, expectation, mean_loss, shuffle,
};
use super::sample::{LineError, Sample};
use crate::engine::eval::network::{
    FIRST_UNIT, HIDDEN, Inputs, LAST_UNIT, MOST, Network, OUTPUTS, SCALE, Weights,
};
use garrison_rules::{Color, SplitMix, Variant};

/// Positions of a batch, and of the parts that threads work on.
const BATCH: usize = 4_096;
const PART: usize = 2_048;
/// The first step of a weight, where there was no network before and where there was one.
const FIRST_STEP: [f32; 2] = [1.5e-3, 3e-4];
/// The last one; between them it falls along a cosine.
const LAST_STEP: f32 = 1e-5;
/// Adam's memory of gradients and of their squares.
const MOMENTS: (f32, f32) = (0.9, 0.999);
/// Weights fade by this part of each step.
const FADE: f32 = 0.01;

/// Positions as inputs of a network.
#[derive(Debug, Default)]
struct Data {
    /// As White and as Black sees them.
    inputs: Rows<[u16; 2]>,
    sides: Vec<Color>,
    /// Which output judges the position.
    outputs: Vec<u8>,
    /// The expected score of the side to move.
    targets: Vec<f32>,
}

/// One position.
struct Seen {
    inputs: Vec<[u16; 2]>,
    side: Color,
    output: u8,
    target: f32,
}

impl Kept for Data {
    type One = Seen;

    fn push(&mut self, seen: Seen) {
        self.inputs.push(seen.inputs);
        self.sides.push(seen.side);
        self.outputs.push(seen.output);
        self.targets.push(seen.target);
    }

    fn len(&self) -> usize {
        self.inputs.len()
    }
}

/// A training in the making.
#[derive(Debug)]
pub struct Trainer {
    variant: Arc<Variant>,
    inputs: Inputs,
    corpus: Corpus<Data>,
}

impl Trainer {
    /// For a game.
    pub fn new(variant: &Arc<Variant>) -> Trainer {
        Trainer {
            variant: Arc::clone(variant),
            inputs: Inputs::new(variant),
            corpus: Corpus::default(),
        }
    }

    /// Adds the positions of a file.
    ///
    /// # Errors
    /// The first line that is wrong, or is of a game of another family.
    pub fn add(&mut self, file: impl BufRead, settings: &Settings) -> Result<(), LineError> {
        let Trainer { variant, inputs, corpus } = self;
        corpus.add(variant, file, |sample| Trainer::see(inputs, sample, settings))
    }

    fn see(inputs: &Inputs, sample: &Sample, settings: &Settings) -> Seen {
        let (position, target) = (&sample.position, settings.target(sample) as f32);
        let side = position.side();
        Seen {
            inputs: inputs.of(position),
            side,
            output: inputs.output_of(position) as u8,
            target: if side == Color::White { target } else { 1.0 - target },
        }
    }

    /// Whether there is nothing to learn from, or nothing to judge by.
    pub fn is_too_small(&self) -> bool {
        self.corpus.is_too_small()
    }

    /// Where the data comes from, for the head of a network that was trained anew, or that goes on
    /// with the one in a file.
    pub fn provenance(&self, settings: &Settings, start: Option<&str>) -> Vec<String> {
        let start = start.map_or(String::new(), |file| format!("--start {file} "));
        self.corpus.provenance("A network", &format!("--network {start}"), settings)
    }

    /// Trains a network, or goes on with one; `told` hears the number of each epoch, from 0 before the first, and its
    /// losses.
    pub(crate) fn train(
        &self,
        settings: &Settings,
        start: Option<&Network>,
        mut told: impl FnMut(usize, Losses),
    ) -> (Network, Vec<Losses>) {
        let data = &self.corpus.learned;
        let losses = |trained: &Trained| Losses {
            learned: trained.loss(data),
            held_out: trained.loss(&self.corpus.held_out),
        };
        let inputs = &self.inputs;
        let mut trained = match start {
            Some(network) => Trained::from(network.weights()),
            None => Trained::new(inputs.len(), settings.seed),
        };
        let first_step = FIRST_STEP[usize::from(start.is_some())];
        let mirrored: Vec<usize> = (0..inputs.len()).map(|input| inputs.mirrored(input)).collect();
        let mut all = vec![losses(&trained)];
        told(0, all[0]);
        let mut adam = Adam::new(trained.row.len());
        let mut order: Vec<u32> = (0..data.len() as u32).collect();
        let mut random = SplitMix::new(settings.seed);
        let batches = order.len().div_ceil(BATCH).max(1);
        let steps = (batches * settings.epochs as usize) as f32;
        for epoch in 1..=settings.epochs as usize {
            shuffle(&mut order, &mut random);
            for (number, batch) in order.chunks(BATCH).enumerate() {
                let slopes = trained.slopes_of(data, batch, &mirrored, random.number());
                let done = ((epoch - 1) * batches + number) as f32 / steps;
                let cosine = (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
                let step = LAST_STEP + (first_step - LAST_STEP) * cosine;
                adam.step(&mut trained.row, &slopes, batch.len(), step);
            }
            all.push(losses(&trained));
            told(epoch, all[epoch]);
        }
        (Network::new(self.inputs.clone(), trained.whole()), all)
    }
}

/// A network in the making, all weights in one row: those of the inputs, the bias of the hidden layer,
/// for each output the last layer for the side to move's view and for the other's, the outputs' biases.
struct Trained {
    inputs: usize,
    row: Vec<f32>,
}

type Neurons = [f32; HIDDEN];

impl Trained {
    pub fn new(inputs: usize, seed: u64) -> Trained {
        let mut random = SplitMix::new(seed);
        let mut around = |most: f32| (2.0 * random.fraction() as f32 - 1.0) * most;
        let mut row: Vec<f32> = (0..inputs * HIDDEN).map(|_| around(0.1)).collect();
        row.extend((0..HIDDEN).map(|_| 0.2 + around(0.1)));
        row.extend((0..2 * OUTPUTS * HIDDEN).map(|_| around(0.1)));
        row.extend([0.0; OUTPUTS]);
        Trained { inputs, row }
    }

    fn neurons(row: &[f32], number: usize) -> &Neurons {
        row[number * HIDDEN..].first_chunk().expect("a row of neurons")
    }

    fn neurons_mut(row: &mut [f32], number: usize) -> &mut Neurons {
        row[number * HIDDEN..].first_chunk_mut().expect("a row of neurons")
    }

    /// The sums of the hidden layer as the side to move and the other see the position.
    fn sums(&self, data: &Data, index: usize, turn: impl Fn(u16) -> usize) -> [Neurons; 2] {
        let mut sums = [*Self::neurons(&self.row, self.inputs); 2];
        let views = views(data.sides[index]);
        for input in data.inputs.row(index) {
            for (sums, view) in sums.iter_mut().zip(views) {
                let row = Self::neurons(&self.row, turn(input[view]));
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
        sums
    }

    /// The output of the last layer.
    fn output(&self, sums: &[Neurons; 2], at: usize) -> f32 {
        let mut output = self.row[self.row.len() - OUTPUTS + at];
        for (view, sums) in sums.iter().enumerate() {
            let last = Self::neurons(&self.row, self.inputs + 1 + 2 * at + view);
            let given = sums.iter().zip(last).map(|(sum, weight)| {
                let sum = sum.clamp(0.0, 1.0);
                sum * sum * weight
            });
            output += given.sum::<f32>();
        }
        output
    }

    /// The expected score of a position.
    fn expected(output: f32) -> f32 {
        expectation(f64::from(SCALE as f32 * output)) as f32
    }

    /// The slopes of the loss of some positions, by parts; the bits of `turned` say which of them are
    /// seen with files exchanged.
    fn slopes_of(
        &self,
        data: &Data,
        batch: &[u32],
        mirrored: &[usize],
        turned: u64,
    ) -> Vec<Vec<f32>> {
        let part = |(part, indices): (usize, &[u32])| {
            let mut slopes = vec![0.0; self.row.len()];
            for (at, &index) in indices.iter().enumerate() {
                let index = index as usize;
                if turned >> ((part + at) % 64) & 1 == 1 {
                    let turn = |input: u16| mirrored[usize::from(input)];
                    self.add_slopes(data, index, turn, &mut slopes);
                } else {
                    self.add_slopes(data, index, usize::from, &mut slopes);
                }
            }
            slopes
        };
        batch.par_chunks(PART).enumerate().map(part).collect()
    }

    /// Adds the slopes of the loss of one position.
    fn add_slopes(&self, data: &Data, index: usize, turn: impl Fn(u16) -> usize, to: &mut [f32]) {
        let sums = self.sums(data, index, &turn);
        let at = usize::from(data.outputs[index]);
        let error = Self::expected(self.output(&sums, at)) - data.targets[index];
        let slope = error * PER_CENTIPAWN as f32 * SCALE as f32;
        let end = to.len() - OUTPUTS + at;
        to[end] += slope;
        let mut below = [[0.0; HIDDEN]; 2];
        for view in 0..2 {
            let last = Self::neurons(&self.row, self.inputs + 1 + 2 * at + view);
            let to = Self::neurons_mut(to, self.inputs + 1 + 2 * at + view);
            for neuron in 0..HIDDEN {
                let sum = sums[view][neuron];
                let given = sum.clamp(0.0, 1.0);
                to[neuron] += slope * given * given;
                let open = if sum > 0.0 && sum < 1.0 { 2.0 * given } else { 0.0 };
                below[view][neuron] = slope * last[neuron] * open;
            }
        }
        let bias = Self::neurons_mut(to, self.inputs);
        for neuron in 0..HIDDEN {
            bias[neuron] += below[0][neuron] + below[1][neuron];
        }
        let views = views(data.sides[index]);
        for input in data.inputs.row(index) {
            for (below, view) in below.iter().zip(views) {
                let row = Self::neurons_mut(to, turn(input[view]));
                row.iter_mut().zip(below).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }

    pub fn loss(&self, data: &Data) -> f64 {
        mean_loss(&data.targets, PART, 1e-6, |index| {
            let sums = self.sums(data, index, usize::from);
            f64::from(Self::expected(self.output(&sums, usize::from(data.outputs[index]))))
        })
    }

    /// In the whole numbers that the engine counts with.
    fn whole(&self) -> Weights {
        let round = |weight: f32, unit: i32| (weight * unit as f32).round();
        let first = |number| Self::neurons(&self.row, number).map(|w| round(w, FIRST_UNIT));
        let last =
            |row| Self::neurons(&self.row, self.inputs + 1 + row).map(|w| round(w, LAST_UNIT));
        let biases = &self.row[self.row.len() - OUTPUTS..];
        Weights {
            first: (0..self.inputs).map(|input| first(input).map(|weight| weight as i8)).collect(),
            bias: first(self.inputs).map(|weight| weight as i16),
            last: std::array::from_fn(|at| {
                std::array::from_fn(|view| last(2 * at + view).map(|weight| weight as i8))
            }),
            last_bias: std::array::from_fn(|at| round(biases[at], FIRST_UNIT * LAST_UNIT) as i32),
        }
    }
}

impl From<&Weights> for Trained {
    fn from(weights: &Weights) -> Trained {
        let part = |weight: f64, unit: i32| (weight / f64::from(unit)) as f32;
        let Weights { first, bias, last, last_bias } = weights;
        let mut row: Vec<f32> = Vec::new();
        row.extend(first.iter().flatten().map(|&weight| part(weight.into(), FIRST_UNIT)));
        row.extend(bias.iter().map(|&weight| part(weight.into(), FIRST_UNIT)));
        row.extend(last.iter().flatten().flatten().map(|&weight| part(weight.into(), LAST_UNIT)));
        row.extend(last_bias.iter().map(|&weight| part(weight.into(), FIRST_UNIT * LAST_UNIT)));
        Trained { inputs: first.len(), row }
    }
}

/// The views of the side to move and of the other.
fn views(side: Color) -> [usize; 2] {
    [side.index(), (!side).index()]
}

/// Adam with weights that fade (Loshchilov and Hutter 2019).
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { first: vec![0.0; size], second: vec![0.0; size], steps: 0 }
    }

    fn step(&mut self, row: &mut [f32], parts: &[Vec<f32>], batch: usize, rate: f32) {
        self.steps += 1;
        let (keep, keep_square) = MOMENTS;
        let (bias, bias_square) = (1.0 - keep.powi(self.steps), 1.0 - keep_square.powi(self.steps));
        let size = batch as f32;
        const CHUNK: usize = 1 << 14;
        let first = self.first.par_chunks_mut(CHUNK);
        let second = self.second.par_chunks_mut(CHUNK);
        row.par_chunks_mut(CHUNK).zip(first).zip(second).enumerate().for_each(
            |(chunk, ((row, first), second))| {
                let at = chunk * CHUNK;
                let mut slopes = vec![0.0; row.len()];
                for part in parts {
                    let part = &part[at..at + row.len()];
                    slopes.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
                }
                for (((weight, first), second), slope) in
                    row.iter_mut().zip(first).zip(second).zip(slopes)
                {
                    let slope = slope / size;
                    *first = keep * *first + (1.0 - keep) * slope;
                    *second = keep_square * *second + (1.0 - keep_square) * slope * slope;
                    let scale = (*second / bias_square).sqrt() + 1e-8;
                    *weight -= rate * (*first / bias / scale + FADE * *weight);
                    *weight = weight.clamp(-MOST, MOST);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_on_with_is_the_same_network() {
        let mut random = SplitMix::new(3);
        let mut weight = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
        let weights = Weights {
            first: (0..40).map(|_| std::array::from_fn(|_| weight(126) as i8)).collect(),
            bias: std::array::from_fn(|_| weight(126) as i16),
            last: std::array::from_fn(|_| {
                std::array::from_fn(|_| std::array::from_fn(|_| weight(126) as i8))
            }),
            last_bias: std::array::from_fn(|_| weight(30_000)),
        };
        let again = Trained::from(&weights).whole();
        assert_eq!(again.first, weights.first);
        assert_eq!(again.bias, weights.bias);
        assert_eq!(again.last, weights.last);
        assert_eq!(again.last_bias, weights.last_bias);
    }
}
