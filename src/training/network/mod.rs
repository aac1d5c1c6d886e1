//! Trains the network of a game: the same loss as for the linear evaluation, minimized by AdamW on mini-batches.
//! Nothing depends on the number of threads.

mod factors;
mod gradient;
mod model;
mod optimizer;

use std::cmp::Ordering;
use std::io::BufRead;
use std::ops::Range;
use std::sync::Arc;

use self::factors::Factors;
use self::gradient::{Gradients, sum_loss};
use self::model::{Example, Model, Shape};
use self::optimizer::Descent;
use super::corpus::{Corpus, Dataset, Examples, Losses, Part, Rows, Settings};
use super::data::{Packing, Record};
use super::sample::{LineError, Sample, SampleError};
use crate::engine::eval::LinearEval;
use crate::engine::eval::network::{
    FeatureForm, FeatureSet, Network, SCALE, output_for, weight_count,
};
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Variant};

/// The last learning rate; between the first and this it falls along a cosine.
const LAST_RATE: f32 = 1e-5;

/// How networks are trained; the default is what was found best (bench/README.md).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Recipe {
    /// Positions of a batch.
    pub batch: usize,
    /// The first learning rate of a new network, and of one whose training goes on.
    pub rates: [f32; 2],
    /// The share of the learning rate by which every weight decays at each step.
    pub decay: f32,
    /// The outputs of a new network.
    pub outputs: usize,
    /// Whether a new network has skip weights, which begin with what pieces are worth by the linear evaluation.
    pub has_skip: bool,
    /// Whether features share weights in the training of a new network.
    pub is_factorized: bool,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            batch: 4_096,
            rates: [1.5e-3, 3e-4],
            decay: 0.01,
            outputs: 8,
            has_skip: true,
            is_factorized: true,
        }
    }
}

/// How many weights a new network of a game has with so many hidden neurons.
pub fn network_weights(variant: &Variant, hidden: usize) -> usize {
    let features = FeatureSet::new(variant, FeatureForm::of(variant)).len();
    weight_count(features, hidden, Recipe::default().outputs)
}

/// Positions as a network sees them.
#[derive(Debug, Default)]
struct Data {
    /// As the side to move and as the other sees them.
    features: Rows<[u16; 2]>,
    /// For each position: whether either view may be seen with files exchanged as well, since no royal says how.
    free: Vec<[bool; 2]>,
    /// The pieces on the board.
    pieces: Vec<u8>,
    /// The expected score of the side to move.
    targets: Vec<f32>,
}

/// One position of the data.
struct Entry {
    features: Vec<[u16; 2]>,
    free: [bool; 2],
    pieces: u8,
    target: f32,
}

impl Dataset for Data {
    type Example = Entry;

    fn push(&mut self, entry: Entry) {
        self.features.push(entry.features);
        self.free.push(entry.free);
        self.pieces.push(entry.pieces);
        self.targets.push(entry.target);
    }

    fn len(&self) -> usize {
        self.features.len()
    }

    fn bytes(&self) -> usize {
        let of_one = size_of::<[bool; 2]>() + size_of::<u8>() + size_of::<f32>();
        self.features.bytes() + self.len() * of_one
    }
}

/// Feature numbers as they are, and with files exchanged.
struct Maps([Vec<u16>; 2]);

impl Maps {
    fn new(features: &FeatureSet) -> Maps {
        let all = 0..features.len();
        Maps([
            all.clone().map(|feature| feature as u16).collect(),
            all.map(|feature| features.mirrored(feature) as u16).collect(),
        ])
    }
}

impl Data {
    /// A position, its views with files exchanged if asked for, where that is the same position to the rules.
    fn example<'a>(
        &'a self,
        index: usize,
        bounds: &[u16],
        maps: &'a Maps,
        turned: bool,
    ) -> Example<'a> {
        Example {
            features: self.features.row(index),
            maps: self.free[index].map(|free| maps.0[usize::from(free && turned)].as_slice()),
            output: output_for(self.pieces[index].into(), bounds),
            target: self.targets[index],
        }
    }

    /// The positions of a batch, at random half of those that may be with files exchanged.
    fn batch<'a>(
        &'a self,
        batch: &[u32],
        bounds: &[u16],
        maps: &'a Maps,
        random: &mut SplitMix,
    ) -> Vec<Example<'a>> {
        let mut bits = 0;
        let mut one = |(at, &index): (usize, &u32)| {
            bits = if at % 64 == 0 { random.number() } else { bits >> 1 };
            self.example(index as usize, bounds, maps, bits & 1 == 1)
        };
        batch.iter().enumerate().map(&mut one).collect()
    }

    /// The summed loss of some positions.
    fn loss(&self, range: Range<usize>, model: &Model, bounds: &[u16], maps: &Maps) -> f64 {
        sum_loss(model, range, |index| self.example(index, bounds, maps, false))
    }
}

/// Trains a network of one shape, from data that is added first.
#[derive(Debug)]
pub struct Trainer {
    variant: Arc<Variant>,
    features: FeatureSet,
    hidden: usize,
    recipe: Recipe,
    /// What the skip weights of a new network begin with, in order of the features.
    skip: Vec<f32>,
    corpus: Corpus,
}

impl Trainer {
    /// For a new network with so many hidden neurons, or to go on with the training of one.
    pub(crate) fn new(variant: &Arc<Variant>, hidden: usize, start: Option<&Network>) -> Trainer {
        let new = || FeatureSet::new(variant, FeatureForm::of(variant));
        Trainer {
            variant: Arc::clone(variant),
            features: start.map_or_else(new, |start| start.features().clone()),
            hidden: start.map_or(hidden, |start| start.weights().hidden),
            recipe: Recipe::default(),
            skip: Vec::new(),
            corpus: Corpus::default(),
        }
    }

    /// Lets the skip weights of a new network begin with what pieces are worth by a linear evaluation.
    #[must_use]
    pub(crate) fn with_values(mut self, linear: &LinearEval) -> Trainer {
        let output = |centipawns: f64| centipawns as f32 / SCALE as f32;
        self.skip = self.features.values(&self.variant, linear).into_iter().map(output).collect();
        self
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

    /// How many positions there are to learn from.
    pub fn positions(&self) -> usize {
        self.corpus.len(Part::Training)
    }

    /// Where the network comes from, a line each; `start` names the file that the training went on with, if it
    /// did.
    pub fn provenance(&self, settings: &Settings, start: Option<&str>) -> Vec<String> {
        let start = start.map_or_else(
            || format!("--hidden {} ", self.hidden),
            |file| format!("--start {file} "),
        );
        self.corpus.provenance("A network", &format!("--network {start}"), settings)
    }

    /// The model to begin with, and the bounds of its outputs.
    fn begin(
        &self,
        start: Option<&Network>,
        seed: u64,
        examples: &Examples<Data>,
    ) -> Result<(Model, Vec<u16>), SampleError> {
        if let Some(network) = start {
            return Ok((Model::from(network.weights()), network.weights().bounds.clone()));
        }
        let bounds = model::bounds(&piece_counts(examples)?, self.recipe.outputs);
        let (features, hidden) = (self.features.len(), self.hidden);
        let mut model = Model::random(Shape { features, hidden, outputs: bounds.len() + 1 }, seed);
        if self.recipe.has_skip {
            let skip = model.shape.skip();
            model.weights[skip..][..self.skip.len()].copy_from_slice(&self.skip);
        }
        Ok((model, bounds))
    }

    /// Trains, from random weights or from those of the network that [`Trainer::new`] was given; `report` gets
    /// the number of each epoch, from 0 before the first, and the losses after it (those of the training positions while
    /// they were learned from); the training ends when it returns false.
    ///
    /// # Errors
    /// The positions cannot be read from the temporary file, or there is no memory for some thousand of them.
    pub(crate) fn train(
        &self,
        settings: &Settings,
        start: Option<&Network>,
        mut report: impl FnMut(usize, Losses) -> bool,
    ) -> Result<(Network, Vec<Losses>), SampleError> {
        let make = |packing: &Packing, record: &Record| {
            Ok(entry(&self.features, &packing.sample(record)?, settings))
        };
        let examples = Examples::<Data>::new(&self.corpus, &settings.room, &make)?;
        let (mut model, bounds) = self.begin(start, settings.seed, &examples)?;
        let maps = Maps::new(&self.features);
        let loss = |model: &Model, part| {
            examples.mean(part, |data, range| data.loss(range, model, &bounds, &maps))
        };
        let before = Losses {
            training: loss(&model, Part::Training)?,
            validation: loss(&model, Part::Validation)?,
        };
        let mut all = vec![before];
        report(0, before);
        let Recipe { batch, rates, decay, .. } = self.recipe;
        let first_rate = rates[usize::from(start.is_some())];
        let mut descent = Descent::new(&model, self.factors(start), self.has_skip(start), decay);
        let mut gradients = Gradients::new(model.shape, batch);
        let mut random = SplitMix::new(settings.seed);
        let positions = self.positions().max(1);
        let steps = (positions.div_ceil(batch) * settings.epochs as usize) as f32;
        let mut step = 0;
        for epoch in 1..=settings.epochs as usize {
            let mut sum = 0.0;
            examples.each_batch(&mut random, batch, |random, data, batch| {
                let batch = data.batch(batch, &bounds, &maps, random);
                sum += gradients.compute(&model, &batch);
                let done = step as f32 / steps;
                let cosine = (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
                let rate = LAST_RATE + (first_rate - LAST_RATE) * cosine;
                descent.step(&mut model, &mut gradients.mean, rate);
                step += 1;
            })?;
            let training = sum / positions as f64;
            let now = Losses { training, validation: loss(&model, Part::Validation)? };
            all.push(now);
            if !report(epoch, now) {
                break;
            }
        }
        Ok((Network::new(self.features.clone(), model.quantize(&bounds)), all))
    }

    /// The weights that features share in training. A network whose training goes on knows them already, and shared
    /// weights would only make its steps larger.
    fn factors(&self, start: Option<&Network>) -> Factors {
        if self.recipe.is_factorized && start.is_none() {
            Factors::new(&self.features)
        } else {
            Factors::none(self.features.len())
        }
    }

    fn has_skip(&self, start: Option<&Network>) -> bool {
        start.map_or(self.recipe.has_skip, |start| !start.weights().skip.is_empty())
    }
}

/// How many positions to learn from have 0, 1, … pieces on the board.
fn piece_counts(examples: &Examples<Data>) -> Result<Vec<u64>, SampleError> {
    let mut counts = vec![0; 1 + usize::from(u8::MAX)];
    examples.each_part(Part::Training, |data, range| {
        data.pieces[range].iter().for_each(|&pieces| counts[usize::from(pieces)] += 1);
        true
    })?;
    Ok(counts)
}

fn entry(features: &FeatureSet, sample: &Sample, settings: &Settings) -> Entry {
    let (position, target) = (&sample.position, settings.target(sample) as f32);
    let side = position.side_to_move();
    let mut seen = features.extract(position);
    if side == Color::Black {
        seen.iter_mut().for_each(|views| views.reverse());
    }
    Entry {
        features: seen,
        free: [side, !side].map(|view| features.tilt(position, view) == Ordering::Equal),
        pieces: position.occupied().len() as u8,
        target: if side == Color::White { target } else { 1.0 - target },
    }
}

#[cfg(test)]
mod tests;
