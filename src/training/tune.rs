//! Fits the weights of the linear evaluation to games: logistic regression by Adam on mini-batches, with a part
//! of the games held out for validation (known as Texel tuning). Nothing depends on the number of threads: a
//! batch is split into parts of a fixed size, whose gradients are summed in order.

use std::io::BufRead;
use std::sync::Arc;

use rayon::prelude::*;

use super::corpus::{
    Corpus, Dataset, Losses, PER_CENTIPAWN, Rows, Settings, expected_score, mean_loss, shuffle,
};
use super::sample::{LineError, Sample};
use crate::engine::eval::{Layout, OPENING, TermSink};
use crate::engine::{GameProfile, LinearEval};
use garrison_rules::Variant;
use garrison_rules::random::SplitMix;

/// Positions of a batch, and of the parts that threads work on.
const BATCH: usize = 4_096;
const PART: usize = 1024;
/// The first and the last learning rate, in centipawns; between them it falls along a cosine.
const RATES: (f64, f64) = (1.5, 0.02);
/// Adam's decay of the means of gradients and of their squares.
const BETAS: (f64, f64) = (0.9, 0.999);
/// Regularization: the initial weights count as much as so many positions that agree with them. The terms
/// of squares are many, and so each is rare: theirs count more.
const PRIOR_POSITIONS: f64 = 100.0;
const PRIOR_POSITIONS_OF_SQUARES: f64 = 600.0;

/// Positions as the linear evaluation sees them.
#[derive(Debug, Default)]
struct Data {
    /// The terms of each position and how often they count.
    counts: Rows<(u16, i8)>,
    /// The share of the middle game, 0 to 1.
    phases: Vec<f32>,
    targets: Vec<f32>,
    /// Whether the game was drawn, if it was played.
    drawn: Vec<Option<bool>>,
}

/// Fits the weights of a game, to data that is added first.
#[derive(Debug)]
pub struct Tuner {
    variant: Arc<Variant>,
    layout: Layout,
    linear: LinearEval,
    start: Vec<[f64; 2]>,
    /// By term: as how many positions the initial weight counts.
    priors: Vec<f64>,
    corpus: Corpus<Data>,
}

/// The result of a fit.
#[derive(Debug)]
pub struct Fit {
    /// The weights with the least validation loss.
    pub linear: LinearEval,
    /// How the games of the data went.
    pub profile: GameProfile,
    /// Before the first epoch and after each.
    pub losses: Vec<Losses>,
    /// The epoch whose weights were taken, 0 for the initial ones.
    pub best: usize,
}

/// Counts the terms of a position.
struct TermCounts(Vec<i32>);

impl TermSink for TermCounts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}

impl Tuner {
    /// Begins with the weights of this evaluation.
    pub fn new(variant: &Arc<Variant>, start: &LinearEval) -> Tuner {
        let layout = Layout::new(variant);
        let mut priors = vec![PRIOR_POSITIONS; layout.terms];
        for group in layout.groups.iter().filter(|group| group.name == "squares") {
            let terms = group.start..group.start + group.length;
            priors[terms].fill(PRIOR_POSITIONS_OF_SQUARES);
        }
        Tuner {
            priors,
            variant: Arc::clone(variant),
            start: (0..layout.terms).map(|term| start.weight(term)).collect(),
            layout,
            linear: start.clone(),
            corpus: Corpus::default(),
        }
    }

    /// Adds the positions of a file.
    ///
    /// # Errors
    /// The first line that is wrong, or is of a game of another family.
    pub fn add(&mut self, file: impl BufRead, settings: &Settings) -> Result<(), LineError> {
        let Tuner { variant, layout, linear, corpus, .. } = self;
        corpus.add(variant, file, |sample| example(layout, linear, sample, settings))
    }

    /// Whether there is nothing to learn from, or nothing for validation.
    pub fn is_too_small(&self) -> bool {
        self.corpus.is_too_small()
    }

    /// Where the weights come from, a line each.
    pub fn provenance(&self, settings: &Settings) -> Vec<String> {
        self.corpus.provenance("Weights in centipawns", "", settings)
    }

    /// Fits the weights; `report` gets the number of each epoch, from 0 before the first, and the losses after
    /// it; the fit ends when it returns false.
    pub fn fit(&self, settings: &Settings, mut report: impl FnMut(usize, Losses) -> bool) -> Fit {
        let mut weights = self.start.clone();
        let mut adam = Adam::new(weights.len());
        let mut order: Vec<u32> = (0..self.corpus.training.len() as u32).collect();
        let mut random = SplitMix::new(settings.seed);
        let mut losses = vec![self.losses(&weights)];
        let (mut best, mut best_weights) = (0, weights.clone());
        report(0, losses[0]);
        let batches = order.len().div_ceil(BATCH).max(1);
        let steps = batches * settings.epochs as usize;
        for epoch in 1..=settings.epochs as usize {
            shuffle(&mut order, &mut random);
            for (number, batch) in order.chunks(BATCH).enumerate() {
                let gradient = self.gradient(batch, &weights);
                let done = ((epoch - 1) * batches + number) as f64 / steps as f64;
                let cosine = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
                adam.step(&mut weights, &gradient, RATES.1 + (RATES.0 - RATES.1) * cosine);
            }
            let now = self.losses(&weights);
            losses.push(now);
            if now.validation < losses[best].validation {
                (best, best_weights) = (epoch, weights.clone());
            }
            if !report(epoch, now) {
                break;
            }
        }
        let profile =
            GameProfile { draws: self.draws(&best_weights), plies: self.corpus.mean_plies() };
        Fit {
            linear: LinearEval::from_weights(&self.variant, &best_weights),
            profile,
            losses,
            best,
        }
    }

    fn losses(&self, weights: &[[f64; 2]]) -> Losses {
        Losses {
            training: self.corpus.training.loss(weights),
            validation: self.corpus.validation.loss(weights),
        }
    }

    /// The gradient of the mean loss of a batch, with that of the regularization.
    fn gradient(&self, batch: &[u32], weights: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let data = &self.corpus.training;
        let parts: Vec<Vec<[f64; 2]>> = batch
            .par_chunks(PART)
            .map(|part| {
                let mut gradient = vec![[0.0; 2]; weights.len()];
                for &index in part {
                    let index = index as usize;
                    let phase = f64::from(data.phases[index]);
                    let error =
                        expected_score(data.value(index, weights)) - f64::from(data.targets[index]);
                    for (term, count) in data.counts_of(index) {
                        let by_value = error * PER_CENTIPAWN * f64::from(count);
                        gradient[term][0] += by_value * phase;
                        gradient[term][1] += by_value * (1.0 - phase);
                    }
                }
                gradient
            })
            .collect();
        // The curvature of the loss of one even position, as part of the mean.
        let one = PER_CENTIPAWN * PER_CENTIPAWN / 4.0 / data.len().max(1) as f64;
        let mut total = vec![[0.0; 2]; weights.len()];
        for part in &parts {
            for (sum, gradient) in total.iter_mut().zip(part) {
                sum[0] += gradient[0];
                sum[1] += gradient[1];
            }
        }
        let size = batch.len() as f64;
        let start_and_prior = self.start.iter().zip(&self.priors);
        for ((sum, weight), (start, prior)) in total.iter_mut().zip(weights).zip(start_and_prior) {
            let strength = prior * one;
            for phase in 0..2 {
                sum[phase] = sum[phase] / size + strength * (weight[phase] - start[phase]);
            }
        }
        total
    }

    /// The share of draws between equals: the least-squares fit of `draws * 4e(1-e)`, where `e` is the expected
    /// score, to the games that were drawn.
    fn draws(&self, weights: &[[f64; 2]]) -> f64 {
        let data = &self.corpus.training;
        let (mut drawn, mut all) = (0.0, 0.0);
        for index in 0..data.len() {
            let expected = expected_score(data.value(index, weights));
            let even = 4.0 * expected * (1.0 - expected);
            let Some(was_drawn) = data.drawn[index] else { continue };
            drawn += if was_drawn { even } else { 0.0 };
            all += even * even;
        }
        if all > 0.0 { (drawn / all).clamp(0.0, GameProfile::MAX_DRAWS) } else { 0.0 }
    }
}

/// One position.
#[derive(Debug)]
struct Example {
    counts: Vec<(u16, i8)>,
    phase: f32,
    target: f32,
    drawn: Option<bool>,
}

fn example(layout: &Layout, linear: &LinearEval, sample: &Sample, settings: &Settings) -> Example {
    let mut counts = TermCounts(vec![0; layout.terms]);
    linear.extract(&sample.position, &mut counts);
    let counts = counts.0.iter().enumerate().filter(|(_, count)| **count != 0);
    Example {
        counts: counts.map(|(term, &count)| (term as u16, count.clamp(-127, 127) as i8)).collect(),
        phase: linear.phase(&sample.position) as f32 / OPENING as f32,
        target: settings.target(sample) as f32,
        drawn: sample.result().map(|result| result == 0.5),
    }
}

impl Dataset for Data {
    type Example = Example;

    fn push(&mut self, example: Example) {
        self.counts.push(example.counts);
        self.phases.push(example.phase);
        self.targets.push(example.target);
        self.drawn.push(example.drawn);
    }

    fn len(&self) -> usize {
        self.counts.len()
    }
}

impl Data {
    fn counts_of(&self, index: usize) -> impl Iterator<Item = (usize, i8)> + '_ {
        self.counts.row(index).iter().map(|&(term, count)| (usize::from(term), count))
    }

    /// The value of a position for White, in centipawns.
    fn value(&self, index: usize, weights: &[[f64; 2]]) -> f64 {
        let (mut middle, mut end) = (0.0, 0.0);
        for (term, count) in self.counts_of(index) {
            middle += weights[term][0] * f64::from(count);
            end += weights[term][1] * f64::from(count);
        }
        let phase = f64::from(self.phases[index]);
        middle * phase + end * (1.0 - phase)
    }

    fn loss(&self, weights: &[[f64; 2]]) -> f64 {
        let predict = |(): &mut (), index| expected_score(self.value(index, weights));
        mean_loss(&self.targets, PART, 1e-9, || (), predict)
    }
}

/// Adam (Kingma and Ba 2015).
struct Adam {
    /// Running means of the gradients and of their squares.
    means: Vec<[f64; 2]>,
    squares: Vec<[f64; 2]>,
    steps: i32,
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { means: vec![[0.0; 2]; size], squares: vec![[0.0; 2]; size], steps: 0 }
    }

    fn step(&mut self, weights: &mut [[f64; 2]], gradient: &[[f64; 2]], rate: f64) {
        self.steps += 1;
        let (beta_1, beta_2) = BETAS;
        let correction_1 = 1.0 - beta_1.powi(self.steps);
        let correction_2 = 1.0 - beta_2.powi(self.steps);
        for (term, weight) in weights.iter_mut().enumerate() {
            for phase in 0..2 {
                let gradient = gradient[term][phase];
                let mean = &mut self.means[term][phase];
                *mean = beta_1 * *mean + (1.0 - beta_1) * gradient;
                let square = &mut self.squares[term][phase];
                *square = beta_2 * *square + (1.0 - beta_2) * gradient * gradient;
                let scale = (*square / correction_2).sqrt() + 1e-9;
                weight[phase] -= rate * (*mean / correction_1) / scale;
            }
        }
    }
}
