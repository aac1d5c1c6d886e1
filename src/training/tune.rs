//! Fits the weights of an evaluation to games: logistic regression by Adam on small batches, with a
//! part of the games held out (the method is known as Texel tuning). Nothing depends on the number of
//! threads: parts of a batch are of fixed size and summed in their order.

use std::io::BufRead;
use std::sync::Arc;

use rayon::prelude::*;

use super::corpus::{
    Corpus, Kept, Losses, PER_CENTIPAWN, Rows, Settings, expectation, mean_loss, shuffle,
};
use super::sample::{LineError, Sample};
use crate::engine::Linear;
use crate::engine::eval::{Course, Layout, Ledger, OPENING};
use garrison_rules::{SplitMix, Variant};

/// Positions of a batch, and of the parts that threads work on.
const BATCH: usize = 4_096;
const PART: usize = 1024;
/// The first and the last step of a weight, in centipawns; between them it falls along a cosine.
const STEPS: (f64, f64) = (1.5, 0.02);
/// Adam's memory of gradients and of their squares.
const MOMENTS: (f64, f64) = (0.9, 0.999);
/// A weight is held to its start as by so many positions that say it was right; those of squares, of
/// which there are many, more tightly.
const HELD_AS_BY: f64 = 100.0;
const SQUARES_HELD_AS_BY: f64 = 600.0;

/// Positions as counts of terms.
#[derive(Debug, Default)]
struct Data {
    /// The terms of each position and how often they count.
    counts: Rows<(u16, i8)>,
    /// The part of the middle game, 0 to 1.
    phases: Vec<f32>,
    targets: Vec<f32>,
    /// Whether the game was drawn, if it was played.
    drawn: Vec<Option<bool>>,
}

/// A fit in the making.
#[derive(Debug)]
pub struct Tuner {
    variant: Arc<Variant>,
    layout: Layout,
    linear: Linear,
    start: Vec<[f64; 2]>,
    /// By how many positions each weight is held to its start.
    holds: Vec<f64>,
    corpus: Corpus<Data>,
}

/// What a fit came to.
#[derive(Debug)]
pub struct Fit {
    /// The evaluation.
    pub linear: Linear,
    /// Before the first epoch and after each.
    pub losses: Vec<Losses>,
    /// The epoch whose weights were taken, 0 for those of the start.
    pub best: usize,
}

/// Sums the counts of a position.
struct Record {
    counts: Vec<i32>,
}

impl Ledger for Record {
    fn add(&mut self, term: usize, count: i32) {
        self.counts[term] += count;
    }
}

impl Tuner {
    /// Begins with this evaluation.
    pub fn new(variant: &Arc<Variant>, start: &Linear) -> Tuner {
        let layout = Layout::new(variant);
        let mut holds = vec![HELD_AS_BY; layout.terms];
        for group in layout.groups.iter().filter(|group| group.name == "squares") {
            holds[group.start..group.start + group.length].fill(SQUARES_HELD_AS_BY);
        }
        Tuner {
            holds,
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
        corpus.add(variant, file, |sample| Tuner::count(layout, linear, sample, settings))
    }

    /// Whether there is nothing to learn from, or nothing to judge by.
    pub fn is_too_small(&self) -> bool {
        self.corpus.is_too_small()
    }

    fn count(layout: &Layout, linear: &Linear, sample: &Sample, settings: &Settings) -> Counted {
        let mut record = Record { counts: vec![0; layout.terms] };
        linear.record(&sample.position, &mut record);
        let counts = record.counts.iter().enumerate().filter(|(_, count)| **count != 0);
        Counted {
            counts: counts
                .map(|(term, &count)| (term as u16, count.clamp(-127, 127) as i8))
                .collect(),
            phase: linear.phase(&sample.position) as f32 / OPENING as f32,
            target: settings.target(sample) as f32,
            drawn: sample.result().map(|result| result == 0.5),
        }
    }

    /// Where the data comes from, for the head of a table.
    pub fn provenance(&self, settings: &Settings) -> Vec<String> {
        self.corpus.provenance("Weights in centipawns", "", settings)
    }

    /// Fits the weights; `told` hears the number of each epoch, from 0 before the first, and its
    /// losses.
    pub fn fit(&self, settings: &Settings, mut told: impl FnMut(usize, Losses)) -> Fit {
        let mut weights = self.start.clone();
        let mut adam = Adam::new(weights.len());
        let mut order: Vec<u32> = (0..self.corpus.learned.len() as u32).collect();
        let mut random = SplitMix::new(settings.seed);
        let mut losses = vec![self.losses(&weights)];
        let (mut best, mut best_weights) = (0, weights.clone());
        told(0, losses[0]);
        let batches = order.len().div_ceil(BATCH).max(1);
        let steps = batches * settings.epochs as usize;
        for epoch in 1..=settings.epochs as usize {
            shuffle(&mut order, &mut random);
            for (number, batch) in order.chunks(BATCH).enumerate() {
                let gradient = self.gradient(batch, &weights);
                let done = ((epoch - 1) * batches + number) as f64 / steps as f64;
                let cosine = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
                adam.step(&mut weights, &gradient, STEPS.1 + (STEPS.0 - STEPS.1) * cosine);
            }
            let now = self.losses(&weights);
            losses.push(now);
            if now.held_out < losses[best].held_out {
                (best, best_weights) = (epoch, weights.clone());
            }
            told(epoch, now);
        }
        let course = Course { draws: self.draws(&best_weights), plies: self.corpus.mean_plies() };
        Fit { linear: Linear::from_weights(&self.variant, &best_weights, course), losses, best }
    }

    fn losses(&self, weights: &[[f64; 2]]) -> Losses {
        Losses {
            learned: self.corpus.learned.loss(weights),
            held_out: self.corpus.held_out.loss(weights),
        }
    }

    /// The gradient of the loss of a batch, with the pull toward the start.
    fn gradient(&self, batch: &[u32], weights: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let data = &self.corpus.learned;
        let parts: Vec<Vec<[f64; 2]>> = batch
            .par_chunks(PART)
            .map(|part| {
                let mut gradient = vec![[0.0; 2]; weights.len()];
                for &index in part {
                    let index = index as usize;
                    let phase = f64::from(data.phases[index]);
                    let error =
                        expectation(data.value(index, weights)) - f64::from(data.targets[index]);
                    for (term, count) in data.counts_of(index) {
                        let slope = error * PER_CENTIPAWN * f64::from(count);
                        gradient[term][0] += slope * phase;
                        gradient[term][1] += slope * (1.0 - phase);
                    }
                }
                gradient
            })
            .collect();
        let one = PER_CENTIPAWN * PER_CENTIPAWN / 4.0 / data.len().max(1) as f64;
        let mut total = vec![[0.0; 2]; weights.len()];
        for part in &parts {
            for (sum, slope) in total.iter_mut().zip(part) {
                sum[0] += slope[0];
                sum[1] += slope[1];
            }
        }
        let size = batch.len() as f64;
        let start_and_hold = self.start.iter().zip(&self.holds);
        for ((sum, weight), (start, hold)) in total.iter_mut().zip(weights).zip(start_and_hold) {
            let held = hold * one;
            for phase in 0..2 {
                sum[phase] = sum[phase] / size + held * (weight[phase] - start[phase]);
            }
        }
        total
    }

    /// The share of draws between equals: the least squares fit of `draws * 4e(1-e)`, where `e` is
    /// the expected score, to what was drawn.
    fn draws(&self, weights: &[[f64; 2]]) -> f64 {
        let data = &self.corpus.learned;
        let (mut drawn, mut all) = (0.0, 0.0);
        for index in 0..data.len() {
            let expected = expectation(data.value(index, weights));
            let even = 4.0 * expected * (1.0 - expected);
            let Some(was_drawn) = data.drawn[index] else { continue };
            drawn += if was_drawn { even } else { 0.0 };
            all += even * even;
        }
        if all > 0.0 { (drawn / all).clamp(0.0, 0.5) } else { 0.0 }
    }
}

/// The counts of one position.
#[derive(Debug)]
struct Counted {
    counts: Vec<(u16, i8)>,
    phase: f32,
    target: f32,
    drawn: Option<bool>,
}

impl Kept for Data {
    type One = Counted;

    fn push(&mut self, counted: Counted) {
        self.counts.push(counted.counts);
        self.phases.push(counted.phase);
        self.targets.push(counted.target);
        self.drawn.push(counted.drawn);
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
        mean_loss(&self.targets, PART, 1e-9, |index| expectation(self.value(index, weights)))
    }
}

/// Adam (Kingma and Ba 2015).
struct Adam {
    first: Vec<[f64; 2]>,
    second: Vec<[f64; 2]>,
    steps: i32,
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { first: vec![[0.0; 2]; size], second: vec![[0.0; 2]; size], steps: 0 }
    }

    fn step(&mut self, weights: &mut [[f64; 2]], gradient: &[[f64; 2]], rate: f64) {
        self.steps += 1;
        let (keep, keep_square) = MOMENTS;
        let (bias, bias_square) = (1.0 - keep.powi(self.steps), 1.0 - keep_square.powi(self.steps));
        for (term, weight) in weights.iter_mut().enumerate() {
            for phase in 0..2 {
                let slope = gradient[term][phase];
                let first = &mut self.first[term][phase];
                *first = keep * *first + (1.0 - keep) * slope;
                let second = &mut self.second[term][phase];
                *second = keep_square * *second + (1.0 - keep_square) * slope * slope;
                let scale = (*second / bias_square).sqrt() + 1e-9;
                weight[phase] -= rate * (*first / bias) / scale;
            }
        }
    }
}
