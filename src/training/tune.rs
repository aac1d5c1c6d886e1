//! Fits the weights of the linear evaluation to games: logistic regression by Adam on mini-batches, with a part
//! of the games held out for validation (known as Texel tuning). Nothing depends on the number of threads: a
//! batch is split into parts of a fixed size, whose gradients are summed in order.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::adam::Adam;
use super::corpus::{
    Corpus, Dataset, Losses, PER_CENTIPAWN, Part, Rows, Settings, expected_score, sum_loss,
};
use super::data::{Packing, Record};
use super::examples::Examples;
use super::prior::{self, Prior, Start};
use super::sample::{Sample, SampleError};
use crate::engine::eval::{Layout, OPENING, TermSink};
use crate::engine::{GameProfile, LinearEval};
use garrison_rules::Variant;
use garrison_rules::random::SplitMix;

/// The most positions of a batch, and those of the parts that threads work on.
const BATCH: usize = 4_096;
const PART: usize = 1024;
/// The least batches of an epoch and positions of a batch. Adam moves every weight by about the learning rate in each
/// step, whatever speaks for it; only many steps, there and back, tell evidence from noise.
const BATCHES: usize = 40;
const LEAST_BATCH: usize = 64;
/// The first and the last learning rate, in centipawns; between them it falls along a cosine.
const RATES: (f64, f64) = (1.5, 0.02);

/// Positions as the linear evaluation sees them.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// The terms of each position and how often they count.
    counts: Rows<(u16, i8)>,
    /// The share of the middle game, 0 to 1.
    phases: Vec<f32>,
    targets: Vec<f32>,
    /// Whether the game was drawn, if it was played.
    drawn: Vec<Option<bool>>,
}

/// Fits the weights of a game.
#[derive(Debug)]
pub struct Tuner {
    variant: Arc<Variant>,
    layout: Layout,
    /// What counts the terms of a position; its weights do not matter.
    linear: LinearEval,
    corpus: Corpus,
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
    /// The factor of the definition's values in the initial weights; none if they were fitted before.
    pub scale: Option<f64>,
    /// The weights that occur in the data.
    pub used: usize,
}

/// Counts the terms of a position.
struct TermCounts(Vec<i32>);

impl TermSink for TermCounts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}

impl Tuner {
    /// Of a game, to positions of games of its family.
    pub fn new(variant: &Arc<Variant>, corpus: Corpus) -> Tuner {
        Tuner {
            variant: Arc::clone(variant),
            layout: Layout::new(variant),
            linear: LinearEval::plain(variant),
            corpus,
        }
    }

    /// Where the weights come from, a line each; `how` are the options of the start.
    pub fn provenance(&self, settings: &Settings, how: &str) -> Vec<String> {
        self.corpus.provenance("Weights in centipawns", how, settings)
    }

    /// The initial weights, and the factor of the definition's values in them.
    fn begin(
        &self,
        start: &Start,
        examples: &Examples<Data>,
    ) -> Result<(Vec<[f64; 2]>, Option<f64>), SampleError> {
        let of = |linear: &LinearEval| -> Vec<[f64; 2]> {
            (0..self.layout.terms).map(|term| linear.weight(term)).collect()
        };
        match start {
            Start::General(linear) | Start::Fitted(linear) => Ok((of(linear), None)),
            Start::Definition => {
                let plain = of(&LinearEval::plain(&self.variant));
                let scale = prior::scale(&plain, examples)?;
                let scaled = plain.iter().map(|pair| pair.map(|weight| weight * scale)).collect();
                Ok((scaled, Some(scale)))
            }
        }
    }

    /// Fits the weights. The start counts as much as so many positions (`prior`) that agree with it. `report` gets the
    /// number of each epoch, from 0 before the first, and the losses after it; the fit ends when it returns false.
    ///
    /// # Errors
    /// The positions cannot be read from the temporary file, or there is no memory for some thousand of them.
    pub fn fit(
        &self,
        start: &Start,
        prior: u64,
        settings: &Settings,
        mut report: impl FnMut(usize, Losses) -> bool,
    ) -> Result<Fit, SampleError> {
        let make = |packing: &Packing, record: &Record| {
            Ok(example(&self.layout, &self.linear, &packing.sample(record)?, settings))
        };
        let examples = Examples::<Data>::new(&self.corpus, &settings.room, &make)?;
        let (mut weights, scale) = self.begin(start, &examples)?;
        let prior = Prior::new(&self.layout, weights.clone(), prior, &examples)?;
        let mut adam = Adam::new(weights.len());
        let mut random = SplitMix::new(settings.seed);
        let mut losses = vec![losses_of(&examples, &weights)?];
        let (mut best, mut best_weights) = (0, weights.clone());
        report(0, losses[0]);
        let size = (self.corpus.positions() / BATCHES).clamp(LEAST_BATCH, BATCH);
        let batches = self.corpus.positions().div_ceil(size).max(1);
        let steps = batches * settings.epochs as usize;
        let mut step = 0;
        for epoch in 1..=settings.epochs as usize {
            examples.each_batch(&mut random, size, |_, data, batch| {
                let mut gradient = gradient(data, batch, &weights);
                prior.add_gradient(&weights, &mut gradient);
                let done = step as f64 / steps as f64;
                let cosine = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
                adam.step(&mut weights, &gradient, RATES.1 + (RATES.0 - RATES.1) * cosine);
                step += 1;
            })?;
            let now = losses_of(&examples, &weights)?;
            losses.push(now);
            if now.validation < losses[best].validation {
                (best, best_weights) = (epoch, weights.clone());
            }
            if !report(epoch, now) {
                break;
            }
        }
        let draws = draws(&examples, &best_weights)?;
        Ok(Fit {
            linear: LinearEval::from_weights(&self.variant, &best_weights),
            profile: GameProfile { draws, plies: self.corpus.mean_plies() },
            losses,
            best,
            scale,
            used: prior.used,
        })
    }
}

fn losses_of(examples: &Examples<Data>, weights: &[[f64; 2]]) -> Result<Losses, SampleError> {
    let loss = |part| examples.mean(part, |data, range| data.loss(range, weights));
    Ok(Losses { training: loss(Part::Training)?, validation: loss(Part::Validation)? })
}

/// The gradient of the mean loss of a batch.
fn gradient(data: &Data, batch: &[u32], weights: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let parts: Vec<Vec<[f64; 2]>> = batch
        .par_chunks(PART)
        .map(|part| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            for &index in part {
                data.add_gradient(index as usize, weights, &mut gradient);
            }
            gradient
        })
        .collect();
    let size = batch.len() as f64;
    let mut total = vec![[0.0; 2]; weights.len()];
    for part in &parts {
        for (sum, gradient) in total.iter_mut().zip(part) {
            sum[0] += gradient[0] / size;
            sum[1] += gradient[1] / size;
        }
    }
    total
}

/// The share of draws between equals: the least-squares fit of `draws * 4e(1-e)`, where `e` is the expected
/// score, to the games that were drawn.
fn draws(examples: &Examples<Data>, weights: &[[f64; 2]]) -> Result<f64, SampleError> {
    let (mut drawn, mut all) = (0.0, 0.0);
    examples.each_part(Part::Training, |data, range| {
        for index in range {
            let expected = expected_score(data.value(index, weights));
            let even = 4.0 * expected * (1.0 - expected);
            let Some(was_drawn) = data.drawn[index] else { continue };
            drawn += if was_drawn { even } else { 0.0 };
            all += even * even;
        }
        true
    })?;
    Ok(if all > 0.0 { (drawn / all).clamp(0.0, GameProfile::MAX_DRAWS) } else { 0.0 })
}

/// One position.
#[derive(Debug)]
pub(super) struct Example {
    counts: Vec<(u16, i8)>,
    phase: f32,
    target: f32,
    drawn: Option<bool>,
}

pub(super) fn example(
    layout: &Layout,
    linear: &LinearEval,
    sample: &Sample,
    settings: &Settings,
) -> Example {
    let mut counts = TermCounts(vec![0; layout.terms]);
    linear.extract(&sample.position, &mut counts);
    let counts = counts.0.iter().enumerate().filter(|(_, count)| **count != 0);
    Example {
        counts: counts.map(|(term, &count)| (term as u16, count.clamp(-127, 127) as i8)).collect(),
        phase: linear.phase(&sample.position) as f32 / OPENING as f32,
        target: settings.target(sample.centipawns, sample.end) as f32,
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

    fn bytes(&self) -> usize {
        let of_lists = size_of_val(&*self.phases) + size_of_val(&*self.targets) + self.drawn.len();
        self.counts.bytes() + of_lists
    }
}

impl Data {
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    /// The values of some positions for White, in centipawns.
    pub fn values(&self, range: Range<usize>, weights: &[[f64; 2]]) -> Vec<f64> {
        range.into_par_iter().map(|index| self.value(index, weights)).collect()
    }

    /// Adds for each weight the square of what its term counts in each of some positions.
    pub fn add_squares_of_counts(&self, range: Range<usize>, sums: &mut [[f64; 2]]) {
        for index in range {
            let phase = f64::from(self.phases[index]);
            for (term, count) in self.counts_of(index) {
                let count = f64::from(count);
                sums[term][0] += (count * phase).powi(2);
                sums[term][1] += (count * (1.0 - phase)).powi(2);
            }
        }
    }

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

    /// Adds the gradient of the loss of a position.
    pub fn add_gradient(&self, index: usize, weights: &[[f64; 2]], gradient: &mut [[f64; 2]]) {
        let phase = f64::from(self.phases[index]);
        let error = expected_score(self.value(index, weights)) - f64::from(self.targets[index]);
        for (term, count) in self.counts_of(index) {
            let by_value = error * PER_CENTIPAWN * f64::from(count);
            gradient[term][0] += by_value * phase;
            gradient[term][1] += by_value * (1.0 - phase);
        }
    }

    /// The sum of the losses of some positions.
    pub fn loss(&self, range: Range<usize>, weights: &[[f64; 2]]) -> f64 {
        let predict = |(): &mut (), index| expected_score(self.value(index, weights));
        sum_loss(&self.targets, range, PART, 1e-9, || (), predict)
    }
}
