//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter 2019), on weights that are partly shared.

use rayon::prelude::*;

use super::factors::Factors;
use super::model::{MAX_SKIP, MAX_WEIGHT, Model};

/// Adam's decay of the means of gradients and of their squares.
const BETAS: (f32, f32) = (0.9, 0.999);
/// Weights that a thread works on at a time.
const CHUNK: usize = 1 << 13;

/// The means of some weights' gradients and of their squares.
#[derive(Debug)]
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
}

/// How far a step goes.
#[derive(Debug, Clone, Copy)]
struct Step {
    rate: f32,
    /// The share of a weight that is taken away.
    decay: f32,
    /// What the running means are divided by, since they began with 0.
    corrections: (f32, f32),
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { means: vec![0.0; size], squares: vec![0.0; size] }
    }

    fn step(&mut self, weights: &mut [f32], gradients: &[f32], step: Step) {
        let Step { rate, decay, corrections } = step;
        let (beta_1, beta_2) = BETAS;
        let means = self.means.par_chunks_mut(CHUNK);
        let squares = self.squares.par_chunks_mut(CHUNK);
        let chunks = weights.par_chunks_mut(CHUNK).zip(gradients.par_chunks(CHUNK));
        chunks.zip(means).zip(squares).for_each(|(((weights, gradients), means), squares)| {
            let gradients = gradients.iter().zip(means).zip(squares);
            for (weight, ((gradient, mean), square)) in weights.iter_mut().zip(gradients) {
                *mean = beta_1 * *mean + (1.0 - beta_1) * gradient;
                *square = beta_2 * *square + (1.0 - beta_2) * gradient * gradient;
                let scale = (*square / corrections.1).sqrt() + 1e-8;
                *weight -= rate * (*mean / corrections.0) / scale + decay * *weight;
            }
        });
    }
}

/// A descent: the weights that are learned. The weights of a feature, with which a model computes, are the sum of those
/// of its own and of those of its groups.
#[derive(Debug)]
pub(super) struct Descent {
    factors: Factors,
    /// In the order of the model's weights.
    own: Vec<f32>,
    own_adam: Adam,
    /// A row for each group, then the skip weight of each.
    shared: Vec<f32>,
    shared_gradients: Vec<f32>,
    shared_adam: Adam,
    has_skip: bool,
    decay: f32,
    steps: i32,
}

impl Descent {
    /// Begins with the weights of a model. The skip weights of one without stay 0.
    pub fn new(model: &Model, factors: Factors, has_skip: bool, decay: f32) -> Descent {
        let shared = factors.groups() * (model.shape.hidden + 1);
        Descent {
            factors,
            own: model.weights.clone(),
            own_adam: Adam::new(model.weights.len()),
            shared: vec![0.0; shared],
            shared_gradients: vec![0.0; shared],
            shared_adam: Adam::new(shared),
            has_skip,
            decay,
            steps: 0,
        }
    }

    /// One step of about `rate` against the gradients, in the order of the model's weights.
    pub fn step(&mut self, model: &mut Model, gradients: &mut [f32], rate: f32) {
        self.steps += 1;
        let shape = model.shape;
        if !self.has_skip {
            gradients[shape.skip()..shape.bias()].fill(0.0);
        }
        let step = Step {
            rate,
            decay: rate * self.decay,
            corrections: (1.0 - BETAS.0.powi(self.steps), 1.0 - BETAS.1.powi(self.steps)),
        };
        self.share(shape.hidden, &gradients[..shape.bias()]);
        self.own_adam.step(&mut self.own, gradients, step);
        self.shared_adam.step(&mut self.shared, &self.shared_gradients, step);
        self.add_up(model);
    }

    /// The gradients of what groups share: the sums of those of their features.
    fn share(&mut self, hidden: usize, gradients: &[f32]) {
        let Descent { factors, shared_gradients, .. } = self;
        if factors.groups() == 0 {
            return;
        }
        shared_gradients.fill(0.0);
        let (rows, skips) = gradients.split_at(gradients.len() / (hidden + 1) * hidden);
        for (feature, (row, skip)) in rows.chunks_exact(hidden).zip(skips).enumerate() {
            for group in factors.of(feature) {
                let shared = &mut shared_gradients[group * hidden..][..hidden];
                shared.iter_mut().zip(row).for_each(|(sum, gradient)| *sum += gradient);
                shared_gradients[factors.groups() * hidden + group] += skip;
            }
        }
    }

    /// Gives the model its weights, none of them too large.
    fn add_up(&mut self, model: &mut Model) {
        let Descent { factors, own, shared, .. } = self;
        let shape = model.shape;
        let hidden = shape.hidden;
        let (rows, rest) = model.weights.split_at_mut(shape.skip());
        let (own_rows, own_rest) = own.split_at_mut(shape.skip());
        let shared_skip = &shared[factors.groups() * hidden..];
        rows.par_chunks_mut(hidden).zip(own_rows.par_chunks_mut(hidden)).enumerate().for_each(
            |(feature, (row, own))| {
                row.copy_from_slice(own);
                for group in factors.of(feature) {
                    let shared = &shared[group * hidden..][..hidden];
                    row.iter_mut().zip(shared).for_each(|(sum, weight)| *sum += weight);
                }
                for (weight, own) in row.iter_mut().zip(own) {
                    let clamped = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
                    *own += clamped - *weight;
                    *weight = clamped;
                }
            },
        );
        let (skips, others) = rest.split_at_mut(shape.features);
        for (feature, (skip, own)) in skips.iter_mut().zip(own_rest.iter()).enumerate() {
            let shared = factors.of(feature).map(|group| shared_skip[group]).sum::<f32>();
            *skip = (own + shared).clamp(-MAX_SKIP, MAX_SKIP);
        }
        for (weight, own) in others.iter_mut().zip(&mut own_rest[shape.features..]) {
            *own = own.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            *weight = *own;
        }
    }
}
