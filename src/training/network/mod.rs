//! Trains the network of a game: the same loss as for the linear evaluation, minimized by AdamW on mini-batches.
//! Nothing depends on the number of threads.

mod course;
mod entries;
mod factors;
mod gradient;
mod model;
mod optimizer;

use std::sync::Arc;

use self::course::{Course, Pace};
use self::entries::{Asides, Batches, Entries, Entry, Sight};
use self::factors::Factors;
use self::gradient::{Gradients, PART};
use self::model::{Model, Shape};
use self::optimizer::Descent;
use super::corpus::{Corpus, Losses, Part, Room, Settings};
use super::data::{Packing, Record};
use super::examples::Examples;
use super::sample::SampleError;
use super::store::check_memory_for;
use crate::engine::eval::LinearEval;
use crate::engine::eval::network::{FeatureForm, FeatureSet, Network, SCALE};
use garrison_rules::Variant;
use garrison_rules::random::SplitMix;

/// Positions aside of the data, about, at most: who has more data needs them less, and memory more.
const MOST_ASIDES: usize = 4_000_000;

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
    /// Positions aside of each of the data, by which a new network learns the linear evaluation first.
    pub asides: usize,
    /// Passes over these.
    pub aside_epochs: u32,
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
            asides: 2,
            aside_epochs: 4,
            is_factorized: true,
        }
    }
}

/// How many weights a new network of a game has for each neuron of its hidden layer: of the features, its bias, of the
/// outputs for both views.
pub fn weights_of_a_neuron(variant: &Variant) -> usize {
    let features = FeatureSet::new(variant, FeatureForm::of(variant));
    features.len_of_one_state() + 1 + 2 * Recipe::default().outputs
}

/// Trains a network of one shape.
#[derive(Debug)]
pub struct Trainer {
    variant: Arc<Variant>,
    features: FeatureSet,
    hidden: usize,
    recipe: Recipe,
    /// What the skip weights of a new network begin with, in order of the features.
    skip: Vec<f32>,
    /// What judges positions aside of the data, by which a new network learns first.
    linear: Option<LinearEval>,
    corpus: Corpus,
}

impl Trainer {
    /// For a new network with so many hidden neurons, or to go on with the training of one, by positions of games of
    /// the family of `variant`.
    pub(crate) fn new(
        variant: &Arc<Variant>,
        corpus: Corpus,
        hidden: usize,
        start: Option<&Network>,
    ) -> Trainer {
        let new = || FeatureSet::new(variant, FeatureForm::of(variant));
        Trainer {
            variant: Arc::clone(variant),
            features: start.map_or_else(new, |start| start.features().clone()),
            hidden: start.map_or(hidden, |start| start.weights().hidden),
            recipe: Recipe::default(),
            skip: Vec::new(),
            linear: None,
            corpus,
        }
    }

    /// Lets a new network learn a linear evaluation first; its skip weights begin with what pieces are worth by that.
    #[must_use]
    pub(crate) fn with_values(mut self, linear: &LinearEval) -> Trainer {
        let output = |centipawns: f64| centipawns as f32 / SCALE as f32;
        self.skip = self.features.values(&self.variant, linear).into_iter().map(output).collect();
        self.linear = Some(linear.clone());
        self
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

    /// The model to begin with, and what it sees.
    fn begin(
        &self,
        start: Option<&Network>,
        seed: u64,
        examples: &Examples<Entries>,
    ) -> Result<(Model, Sight), SampleError> {
        let sight = |bounds| Sight::new(&self.features, bounds);
        if let Some(network) = start {
            let weights = network.weights();
            return Ok((Model::from(weights), sight(weights.bounds.clone())));
        }
        let mut counts = vec![0; 1 + usize::from(u8::MAX)];
        examples.each_part(Part::Training, |data, range| {
            data.count_pieces(range, &mut counts);
            true
        })?;
        let bounds = model::bounds(&counts, self.recipe.outputs);
        let (features, hidden) = (self.features.len(), self.hidden);
        let mut model = Model::random(Shape { features, hidden, outputs: bounds.len() + 1 }, seed);
        if self.recipe.has_skip {
            let skip = model.shape.skip();
            model.weights[skip..][..self.skip.len()].copy_from_slice(&self.skip);
        }
        Ok((model, sight(bounds)))
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
            Entry::judged(&self.features, packing, record, settings)
        };
        let examples = Examples::<Entries>::new(&self.corpus, &settings.room, &make)?;
        let (mut model, sight) = self.begin(start, settings.seed, &examples)?;
        let mut random = SplitMix::new(settings.seed);
        if let Some(linear) = self.linear.as_ref().filter(|_| start.is_none()) {
            // The judged positions stay, and take their part of the memory.
            let memory = settings.room.memory.saturating_sub(examples.in_memory());
            let room = Room { memory, ..settings.room.clone() };
            self.learn_asides(linear, &mut model, &sight, &mut random, &room)?;
        }
        let loss = |model: &Model, part| {
            examples.mean(part, |data, range| data.loss(range, model, &sight))
        };
        let before = Losses {
            training: loss(&model, Part::Training)?,
            validation: loss(&model, Part::Validation)?,
        };
        let mut all = vec![before];
        report(0, before);
        let rate = self.recipe.rates[usize::from(start.is_some())];
        let batch = self.recipe.batch;
        let pace = Pace { batch, of_each: 1, first_rate: rate, epochs: settings.epochs };
        let mut course = self.course(&examples, &model, &sight, start, pace)?;
        for epoch in 1..=settings.epochs as usize {
            let training = course.epoch(&mut model, &mut random)?;
            let now = Losses { training, validation: loss(&model, Part::Validation)? };
            all.push(now);
            if !report(epoch, now) {
                break;
            }
        }
        Ok((Network::new(self.features.clone(), model.quantize(&sight.bounds)), all))
    }

    /// Teaches a new network the linear evaluation, by positions aside of the data.
    fn learn_asides(
        &self,
        linear: &LinearEval,
        model: &mut Model,
        sight: &Sight,
        random: &mut SplitMix,
        room: &Room,
    ) -> Result<(), SampleError> {
        let Recipe { asides, aside_epochs, batch, rates, .. } = self.recipe;
        if asides == 0 {
            return Ok(());
        }
        let share = MOST_ASIDES as f64 / (asides * self.corpus.positions()).max(1) as f64;
        let make = |packing: &Packing, record: &Record| {
            let position = packing.position(record)?;
            Ok(Entry::aside(&self.features, linear, &position, asides, share))
        };
        let examples = Examples::<Asides>::new(&self.corpus, room, &make)?;
        let pace = Pace {
            batch: batch.div_ceil(asides),
            of_each: asides,
            first_rate: rates[0],
            epochs: aside_epochs,
        };
        let mut course = self.course(&examples, model, sight, None, pace)?;
        for _ in 0..aside_epochs {
            course.epoch(model, random)?;
        }
        Ok(())
    }

    /// A course by some examples.
    ///
    /// # Errors
    /// There is no memory for it.
    fn course<'a, D: Batches>(
        &self,
        examples: &'a Examples<'a, D>,
        model: &Model,
        sight: &'a Sight,
        start: Option<&Network>,
        pace: Pace,
    ) -> Result<Course<'a, D>, SampleError> {
        let decay = self.recipe.decay;
        let Pace { batch, of_each, first_rate, epochs } = pace;
        let positions = batch * of_each;
        // The gradients of the parts of a batch and their sum; the weights, shared and not, with two means of each.
        let lists = positions.div_ceil(PART) + 1 + 6;
        check_memory_for(lists * model.shape.len() * size_of::<f32>())?;
        Ok(Course {
            examples,
            sight,
            descent: Descent::new(model, self.factors(start), self.has_skip(start), decay),
            gradients: Gradients::new(model.shape, positions),
            batch,
            positions: self.corpus.positions(),
            first_rate,
            epochs,
            steps: 0,
        })
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

#[cfg(test)]
mod tests;
