//! Gradients of the loss of a batch. The batch is split into parts of a fixed size, whose gradients are summed in
//! order, so that the number of threads does not matter. Of the rows of features only those are touched that occur.

use std::ops::Range;

use rayon::prelude::*;

use super::model::{Example, Model, SLOPE, Shape, Sums, empty_sums, expected};
use crate::cpu::{Vectorized, vectorized};
use crate::engine::eval::network::LANES;

/// Positions of a part.
pub(super) const PART: usize = 1_024;
/// Features whose rows a thread sums up at a time.
const FEATURES: usize = 64;

/// The gradients of one part, in the order of the weights; those of rows that do not occur are 0.
#[derive(Debug)]
struct Part {
    values: Vec<f32>,
    /// By feature: whether it occurs.
    touched: Vec<bool>,
    sums: Sums,
    by_sums: Sums,
    loss: f64,
}

/// The gradients of a batch.
#[derive(Debug)]
pub(super) struct Gradients {
    parts: Vec<Part>,
    /// Their mean over the positions of the batch, in the order of the weights.
    pub mean: Vec<f32>,
}

impl Gradients {
    /// Memory for batches of at most so many positions.
    pub fn new(shape: Shape, batch: usize) -> Gradients {
        let part = || Part {
            values: vec![0.0; shape.len()],
            touched: vec![false; shape.features],
            sums: empty_sums(shape.hidden),
            by_sums: empty_sums(shape.hidden),
            loss: 0.0,
        };
        Gradients {
            parts: std::iter::repeat_with(part).take(batch.div_ceil(PART)).collect(),
            mean: vec![0.0; shape.len()],
        }
    }

    /// Computes those of a batch; the summed loss of its positions.
    pub fn compute(&mut self, model: &Model, batch: &[Example]) -> f64 {
        let used = batch.len().div_ceil(PART);
        let parts = &mut self.parts[..used];
        parts.par_iter_mut().zip(batch.par_chunks(PART)).for_each(|(part, examples)| {
            vectorized(Backward { model, examples, part });
        });
        let loss = parts.iter().map(|part| part.loss).sum();
        self.add_up(model.shape, used, 1.0 / batch.len() as f32);
        loss
    }

    /// Sums up the parts, times a factor, and leaves 0 in them.
    fn add_up(&mut self, shape: Shape, used: usize, factor: f32) {
        let Gradients { parts, mean } = self;
        let parts = &mut parts[..used];
        let hidden = shape.hidden;
        let (rows, rest) = mean.split_at_mut(shape.skip());
        {
            let parts = &*parts;
            rows.par_chunks_mut(FEATURES * hidden).enumerate().for_each(|(chunk, rows)| {
                rows.fill(0.0);
                for (at, row) in rows.chunks_exact_mut(hidden).enumerate() {
                    let feature = chunk * FEATURES + at;
                    for part in parts.iter().filter(|part| part.touched[feature]) {
                        let values = &part.values[feature * hidden..][..hidden];
                        row.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * factor);
                    }
                }
            });
        }
        rest.fill(0.0);
        for part in parts.iter_mut() {
            let (rows, others) = part.values.split_at_mut(shape.skip());
            rest.iter_mut().zip(others.iter()).for_each(|(sum, value)| *sum += value * factor);
            others.fill(0.0);
            for (row, touched) in rows.chunks_exact_mut(hidden).zip(&mut part.touched) {
                if std::mem::take(touched) {
                    row.fill(0.0);
                }
            }
        }
    }
}

/// The gradients of the positions of a part.
struct Backward<'a> {
    model: &'a Model,
    examples: &'a [Example<'a>],
    part: &'a mut Part,
}

impl Vectorized for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Backward { model, examples, part } = self;
        part.loss = 0.0;
        for example in examples {
            backward(model, example, part);
        }
    }
}

/// Adds the gradients of the loss of one position.
#[inline(always)]
fn backward(model: &Model, example: &Example, part: &mut Part) {
    let shape = model.shape;
    let hidden = shape.hidden;
    let Part { values, touched, sums, by_sums, loss } = part;
    let score = expected(model.forward(example, sums));
    *loss += cross_entropy(score, example.target);
    let by_output = (score - example.target) * SLOPE;
    values[shape.output_bias() + example.output] += by_output;
    for view in 0..2 {
        let start = shape.output(example.output, view);
        let weights = &model.weights[start..][..hidden];
        let row = &mut values[start..][..hidden];
        let neurons = sums[view].iter().zip(&mut by_sums[view]).zip(weights).zip(row);
        for (((&sum, by_sum), weight), by_weight) in neurons {
            let clipped = sum.clamp(0.0, 1.0);
            *by_weight += by_output * clipped * clipped;
            let slope = if sum > 0.0 && sum < 1.0 { 2.0 * clipped } else { 0.0 };
            *by_sum = by_output * weight * slope;
        }
    }
    let bias = &mut values[shape.bias()..][..hidden];
    for ((by_bias, own), other) in bias.iter_mut().zip(&by_sums[0]).zip(&by_sums[1]) {
        *by_bias += own + other;
    }
    let (rows, others) = values.split_at_mut(shape.skip());
    let rows = rows.as_chunks_mut::<LANES>().0;
    for view in 0..2 {
        let by_skip = if view == 0 { by_output / 2.0 } else { -by_output / 2.0 };
        let seen = example
            .features
            .iter()
            .map(|features| usize::from(example.maps[view][usize::from(features[view])]));
        for feature in seen.clone() {
            touched[feature] = true;
            others[feature] += by_skip;
        }
        for (block, by_sums) in by_sums[view].as_chunks::<LANES>().0.iter().enumerate() {
            for feature in seen.clone() {
                let row = &mut rows[feature * (hidden / LANES) + block];
                row.iter_mut().zip(by_sums).for_each(|(sum, gradient)| *sum += gradient);
            }
        }
    }
}

/// The loss of a predicted score.
pub(super) fn cross_entropy(score: f32, target: f32) -> f64 {
    let score = f64::from(score).clamp(1e-6, 1.0 - 1e-6);
    let target = f64::from(target);
    -target * score.ln() - (1.0 - target) * (1.0 - score).ln()
}

/// The summed loss of some positions, which `example` gives by number.
pub(super) fn sum_loss<'a>(
    model: &Model,
    positions: Range<usize>,
    example: impl Fn(usize) -> Example<'a> + Sync,
) -> f64 {
    let Range { start, end } = positions;
    let parts: Vec<f64> = (0..positions.len().div_ceil(PART))
        .into_par_iter()
        .map(|part| {
            let first = start + part * PART;
            let examples = first..(first + PART).min(end);
            vectorized(Loss { model, examples: examples.map(&example) })
        })
        .collect();
    parts.iter().sum()
}

/// The summed loss of some positions.
struct Loss<'a, I> {
    model: &'a Model,
    examples: I,
}

impl<'a, I: Iterator<Item = Example<'a>>> Vectorized for Loss<'_, I> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let mut sums = empty_sums(self.model.shape.hidden);
        let mut total = 0.0;
        for example in self.examples {
            let score = expected(self.model.forward(&example, &mut sums));
            total += cross_entropy(score, example.target);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sort of weight against finite differences of the loss.
    #[test]
    fn gradients_are_what_the_loss_changes_by() {
        let shape = Shape { features: 6, hidden: 16, outputs: 2 };
        let mut model = Model::random(shape, 3);
        for (at, weight) in model.weights[shape.skip()..shape.bias()].iter_mut().enumerate() {
            *weight = 0.1 * at as f32 - 0.2;
        }
        let map: Vec<u16> = (0..6).collect();
        let turned: Vec<u16> = vec![1, 0, 2, 4, 3, 5];
        let features = [[[0, 3], [1, 2], [1, 5]], [[2, 2], [4, 0], [5, 1]]];
        let examples = [
            Example { features: &features[0], maps: [&map, &turned], output: 0, target: 0.9 },
            Example { features: &features[1], maps: [&map, &map], output: 1, target: 0.2 },
        ];
        let mut gradients = Gradients::new(shape, 2);
        gradients.compute(&model, &examples);
        let mean = gradients.mean.clone();
        // The memory of the parts is clean again.
        gradients.compute(&model, &examples);
        assert_eq!(gradients.mean, mean);
        let loss = |model: &Model| sum_loss(model, 0..2, |index| examples[index]) / 2.0;
        let mut differ = 0;
        for (weight, &found) in mean.iter().enumerate() {
            let step = 1e-2;
            let [more, less] = [step, -step].map(|step| {
                let mut changed = model.clone();
                changed.weights[weight] += step;
                loss(&changed)
            });
            let slope = (more - less) / f64::from(2.0 * step);
            let found = f64::from(found);
            assert!((slope - found).abs() < 1e-4 + 0.02 * slope.abs(), "{weight}: {slope} {found}");
            differ += usize::from(slope.abs() > 1e-5);
        }
        assert!(differ > shape.len() / 2, "most gradients are 0");
    }
}
