//! Positions to learn from, read from files of self-play: what is kept of each is the learner's, and
//! some games are held out to judge by.

use std::io::BufRead;

use rayon::prelude::*;

use super::sample::{self, Line, LineError, Sample, SampleError};
use crate::engine::eval::Course;
use garrison_rules::{Color, Position, SplitMix, Variant};

/// What a centipawn counts in the exponent: expected score = 1/(1+10^(-cp/400)).
pub(super) const PER_CENTIPAWN: f64 = std::f64::consts::LN_10 / 400.0;

/// One game of so many is held out.
const HELD_OUT: u64 = 10;
/// So many positions are looked at together.
const TOGETHER: usize = 4_096;

/// How a fit is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How often all positions are gone through.
    pub epochs: u32,
    /// The part of the target that is the result of the game; the rest is the score that the search
    /// found. From 0 to 1.
    pub blend: f64,
    /// Of the order of the positions.
    pub seed: u64,
}

impl Settings {
    /// The expected score for White that is to be learned.
    pub(super) fn target(&self, sample: &Sample) -> f64 {
        let told = expectation(f64::from(sample.centipawns));
        match sample.result() {
            Some(result) => self.blend * result + (1.0 - self.blend) * told,
            None => told,
        }
    }
}

/// The mean losses of an epoch.
#[derive(Debug, Clone, Copy)]
pub struct Losses {
    /// Of the positions that are learned from.
    pub learned: f64,
    /// Of those held out.
    pub held_out: f64,
}

/// What is kept of positions.
pub(super) trait Kept: Default {
    /// What is kept of one.
    type One: Send;

    fn push(&mut self, one: Self::One);
    fn len(&self) -> usize;
}

/// Rows of any length, one behind the other.
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

    /// The row of this number.
    #[inline]
    pub fn row(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[index] as usize]
    }
}

/// The positions of some files.
#[derive(Debug, Default)]
pub(super) struct Corpus<K> {
    /// To learn from.
    pub learned: K,
    /// To judge by.
    pub held_out: K,
    games: u64,
    /// Games with a position that is kept, and the plies before the last such position of each.
    lengths: (u64, u64),
    headers: Vec<String>,
}

impl<K: Kept> Corpus<K> {
    /// Adds the positions of a file; `look` says what is kept of one.
    ///
    /// # Errors
    /// The first line that is wrong, or is of a game of another family.
    pub fn add(
        &mut self,
        variant: &Variant,
        file: impl BufRead,
        look: impl Fn(&Sample) -> K::One + Sync,
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
            if waiting.len() >= TOGETHER {
                self.take(std::mem::take(&mut waiting), &look);
            }
            Ok(())
        })?;
        self.take(waiting, &look);
        self.count_length(length);
        self.games = game;
        self.headers.push(header.to_string().trim_start_matches("# ").to_string());
        Ok(())
    }

    fn take(&mut self, samples: Vec<(u64, Sample)>, look: &(impl Fn(&Sample) -> K::One + Sync)) {
        let seen = samples.into_par_iter().map(|(game, sample)| (game, look(&sample)));
        for (game, one) in seen.collect::<Vec<_>>() {
            // By game: positions of one game are too much alike to judge each other.
            let held_out = SplitMix::new(game).number().is_multiple_of(HELD_OUT);
            let kept = if held_out { &mut self.held_out } else { &mut self.learned };
            kept.push(one);
        }
    }

    fn count_length(&mut self, plies: u64) {
        let (games, sum) = &mut self.lengths;
        (*games, *sum) = (*games + u64::from(plies > 0), *sum + plies);
    }

    /// The plies of a game on average, to its last position.
    pub fn mean_plies(&self) -> f64 {
        let (games, sum) = self.lengths;
        (sum as f64 / games.max(1) as f64).clamp(1.0, Course::MOST_PLIES)
    }

    /// Whether there is nothing to learn from, or nothing to judge by.
    pub fn is_too_small(&self) -> bool {
        self.learned.len() == 0 || self.held_out.len() == 0
    }

    /// Where it comes from, a line each, behind what was made of it by `how`.
    pub fn provenance(&self, what: &str, how: &str, settings: &Settings) -> Vec<String> {
        let Settings { epochs, blend, seed } = settings;
        let mut lines = vec![format!(
            "{what}, fitted by `garrison tune {how}--epochs {epochs} --blend {blend} --seed {seed}` \
             to {} positions ({} more held out) of {} games:",
            self.learned.len(),
            self.held_out.len(),
            self.games
        )];
        lines.extend(self.headers.iter().cloned());
        lines
    }
}

/// The plies that were played before a position.
fn plies_before(position: &Position) -> u64 {
    2 * u64::from(position.fullmove() - 1) + u64::from(position.side() == Color::Black)
}

/// The score expected of so many centipawns.
pub(super) fn expectation(centipawns: f64) -> f64 {
    1.0 / (1.0 + (-centipawns * PER_CENTIPAWN).exp())
}

/// The mean cross-entropy of the targets and what is expected by the number of a position, which is
/// taken to be that far from certain at least. Summed by parts of a fixed size, so that the threads
/// do not matter.
pub(super) fn mean_loss(
    targets: &[f32],
    part: usize,
    uncertain: f64,
    expected: impl Fn(usize) -> f64 + Sync,
) -> f64 {
    let one = |index: usize| {
        let target = f64::from(targets[index]);
        let expected = expected(index).clamp(uncertain, 1.0 - uncertain);
        -target * expected.ln() - (1.0 - target) * (1.0 - expected).ln()
    };
    let parts: Vec<f64> = (0..targets.len().div_ceil(part))
        .into_par_iter()
        .map(|number| (number * part..((number + 1) * part).min(targets.len())).map(one).sum())
        .collect();
    parts.iter().sum::<f64>() / targets.len().max(1) as f64
}

/// A random order (Fisher and Yates).
pub(super) fn shuffle(order: &mut [u32], random: &mut SplitMix) {
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
}
