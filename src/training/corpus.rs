//! Positions to learn from, read from files of self-play. Each learner keeps of a position what it needs; the
//! positions of some games are held out for validation.

use std::io::BufRead;

use rayon::prelude::*;

use super::sample::{self, Line, LineError, Sample, SampleError};
use crate::engine::GameProfile;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Position, Variant, counted};

/// What a centipawn is in the exponent of the expected score, 1/(1+10^(-cp/400)).
pub(super) const PER_CENTIPAWN: f64 = std::f64::consts::LN_10 / 400.0;

/// One game in so many is for validation.
const VALIDATION_GAMES: u64 = 10;
/// Positions that the threads share at a time.
const BATCH: usize = 4_096;

/// How a fit is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Passes over all positions.
    pub epochs: u32,
    /// The share of the game's result in the target, 0 to 1; the rest is the score that the search found.
    pub blend: f64,
    /// Of the random order of the positions, and of random initial weights.
    pub seed: u64,
}

impl Settings {
    /// The target: the expected score for White, 0 to 1.
    pub(super) fn target(&self, sample: &Sample) -> f64 {
        let by_search = expected_score(f64::from(sample.centipawns));
        match sample.result() {
            Some(result) => self.blend * result + (1.0 - self.blend) * by_search,
            None => by_search,
        }
    }
}

/// The mean losses after an epoch.
#[derive(Debug, Clone, Copy)]
pub struct Losses {
    /// Of the positions that are learned from.
    pub training: f64,
    /// Of those held out.
    pub validation: f64,
}

/// What a learner keeps of positions.
pub(super) trait Dataset: Default {
    /// What it keeps of one.
    type Example: Send;

    fn push(&mut self, example: Self::Example);
    fn len(&self) -> usize;
}

/// Rows of any length in one list.
#[derive(Debug)]
pub(super) struct Rows<T> {
    /// Where each row ends.
    ends: Vec<u64>,
    all: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows { ends: Vec::new(), all: Vec::new() }
    }
}

impl<T> Rows<T> {
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.all.extend(row);
        self.ends.push(self.all.len() as u64);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub fn row(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[index] as usize]
    }
}

/// The positions of some files.
#[derive(Debug, Default)]
pub(super) struct Corpus<D> {
    pub training: D,
    pub validation: D,
    games: u64,
    /// How many games have a position that is kept, and the sum over them of the plies before their last one.
    lengths: (u64, u64),
    /// The first lines of the files.
    headers: Vec<String>,
}

impl<D: Dataset> Corpus<D> {
    /// Adds the positions of a file; `example` makes of each what is kept.
    ///
    /// # Errors
    /// The first line that is wrong, or is of a game of another family.
    pub fn add(
        &mut self,
        variant: &Variant,
        file: impl BufRead,
        example: impl Fn(&Sample) -> D::Example + Sync,
    ) -> Result<(), LineError> {
        let (first, mut game) = (self.games, self.games);
        let mut length = 0;
        let mut waiting: Vec<(u64, Sample)> = Vec::new();
        let header = sample::read(file, |line, _| {
            match line {
                Line::Game(number) => {
                    game = first + number;
                    self.count_length(std::mem::take(&mut length));
                }
                Line::Sample(sample) => {
                    let found = sample.position.variant();
                    if found.family() != variant.family() {
                        return Err(SampleError::Family {
                            found: found.name().to_string(),
                            expected: variant.name().to_string(),
                        });
                    }
                    length = length.max(plies_before(&sample.position));
                    waiting.push((game, *sample));
                }
            }
            if waiting.len() >= BATCH {
                self.add_examples(std::mem::take(&mut waiting), &example);
            }
            Ok(())
        })?;
        self.add_examples(waiting, &example);
        self.count_length(length);
        self.games = game;
        self.headers.push(header.to_string().trim_start_matches("# ").to_string());
        Ok(())
    }

    fn add_examples(
        &mut self,
        samples: Vec<(u64, Sample)>,
        example: &(impl Fn(&Sample) -> D::Example + Sync),
    ) {
        let examples = samples.into_par_iter().map(|(game, sample)| (game, example(&sample)));
        for (game, example) in examples.collect::<Vec<_>>() {
            // By game: positions of one game are too much alike to validate each other.
            let is_held_out = SplitMix::new(game).number().is_multiple_of(VALIDATION_GAMES);
            let set = if is_held_out { &mut self.validation } else { &mut self.training };
            set.push(example);
        }
    }

    fn count_length(&mut self, plies: u64) {
        let (games, sum) = &mut self.lengths;
        (*games, *sum) = (*games + u64::from(plies > 0), *sum + plies);
    }

    /// The mean length of a game in plies, up to its last position.
    pub fn mean_plies(&self) -> f64 {
        let (games, sum) = self.lengths;
        (sum as f64 / games.max(1) as f64).clamp(1.0, GameProfile::MAX_PLIES)
    }

    /// Whether there is nothing to learn from, or nothing for validation.
    pub fn is_too_small(&self) -> bool {
        self.training.len() == 0 || self.validation.len() == 0
    }

    /// Where `what` comes from, a line each: the command with its options `how`, then the data.
    pub fn provenance(&self, what: &str, how: &str, settings: &Settings) -> Vec<String> {
        let Settings { epochs, blend, seed } = settings;
        let mut lines = vec![format!(
            "{what}, fitted by `garrison tune {how}--epochs {epochs} --blend {blend} --seed {seed}` \
             to {} ({} more for validation) of {}:",
            counted(self.training.len() as u64, "position"),
            self.validation.len(),
            counted(self.games, "game")
        )];
        lines.extend(self.headers.iter().cloned());
        lines
    }
}

/// The plies that were played before a position.
fn plies_before(position: &Position) -> u64 {
    2 * u64::from(position.fullmove() - 1) + u64::from(position.side_to_move() == Color::Black)
}

/// The score expected, 0 to 1, of a value in centipawns.
pub(super) fn expected_score(centipawns: f64) -> f64 {
    1.0 / (1.0 + (-centipawns * PER_CENTIPAWN).exp())
}

/// The mean cross-entropy of targets and predictions. `predict` makes the prediction for an index, with scratch
/// memory from `scratch`; it is clamped to at least `margin` from 0 and 1. Summed in parts of a fixed size, so
/// that the number of threads does not matter.
pub(super) fn mean_loss<S>(
    targets: &[f32],
    part: usize,
    margin: f64,
    scratch: impl Fn() -> S + Sync,
    predict: impl Fn(&mut S, usize) -> f64 + Sync,
) -> f64 {
    let loss = |scratch: &mut S, index: usize| {
        let target = f64::from(targets[index]);
        let predicted = predict(scratch, index).clamp(margin, 1.0 - margin);
        -target * predicted.ln() - (1.0 - target) * (1.0 - predicted).ln()
    };
    let parts: Vec<f64> = (0..targets.len().div_ceil(part))
        .into_par_iter()
        .map(|number| {
            let mut scratch = scratch();
            let indices = number * part..((number + 1) * part).min(targets.len());
            indices.map(|index| loss(&mut scratch, index)).sum()
        })
        .collect();
    parts.iter().sum::<f64>() / targets.len().max(1) as f64
}

/// A random order (Fisher and Yates).
pub(super) fn shuffle(order: &mut [u32], random: &mut SplitMix) {
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
}
