//! The plan of a run, from which every iteration follows.

use garrison_rules::random::SplitMix;
use garrison_rules::shown;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::constant::Constant;
use super::gains::Gains;

/// The most iterations, pairs in an iteration, and parts.
const MOST: (u32, u32, u32) = (10_000_000, 10_000, 10_000);

/// A plan that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanFault {
    /// There is nothing to vary.
    #[error("no constants")]
    NoConstants,
    /// Two constants have one name.
    #[error("the constant '{}' twice", shown(.0))]
    Twice(String),
    /// Its name has other characters than letters, digits and `_`, its start is out of range, or a step is not above 0.
    #[error("the constant '{}' has a name, start, range or step that is none", shown(.0))]
    Constant(String),
    /// Iterations, pairs or parts are none or too many.
    #[error(
        "iterations, pairs and parts are from 1 to {}, {} and {}", MOST.0, MOST.1, MOST.2
    )]
    Counts,
}

/// What a run varies and for how long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The constants, with different names.
    pub constants: Vec<Constant>,
    /// How many iterations there are; the gains depend on it.
    pub iterations: u32,
    /// Pairs of games in an iteration.
    pub pairs: u32,
    /// Of all random numbers.
    pub seed: u64,
    /// Which of several independent runs it is, from 1, and how many there are.
    pub part: (u32, u32),
}

/// The two sides of an iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The number of the iteration, from 1.
    pub number: u32,
    /// The number of its first pair of games among those of all parts, from 0.
    pub first_pair: u64,
    /// The values of the first side.
    pub plus: Vec<i32>,
    /// The values of the second side.
    pub minus: Vec<i32>,
    /// By how much each constant moves for each game that the first side wins more than it loses.
    pub(super) steps: Vec<f64>,
}

impl Plan {
    /// Whether it can be carried out.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), PlanFault> {
        if self.constants.is_empty() {
            return Err(PlanFault::NoConstants);
        }
        for (index, constant) in self.constants.iter().enumerate() {
            if self.constants[..index].iter().any(|other| other.name == constant.name) {
                return Err(PlanFault::Twice(constant.name.clone()));
            }
            let Constant { start, min, max, c_end, r_end, .. } = constant;
            let steps = [c_end, r_end].into_iter().all(|step| step.is_finite() && *step > 0.0);
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let named = !constant.name.is_empty() && constant.name.chars().all(is_name);
            if !(min <= start && start <= max && steps && named) {
                return Err(PlanFault::Constant(constant.name.clone()));
            }
        }
        let (part, parts) = self.part;
        let counts = (1..=MOST.0).contains(&self.iterations) && (1..=MOST.1).contains(&self.pairs);
        let is_whole = counts && (1..=parts).contains(&part) && parts <= MOST.2;
        if is_whole { Ok(()) } else { Err(PlanFault::Counts) }
    }

    /// Where the constants begin.
    pub fn start(&self) -> Vec<f64> {
        self.constants.iter().map(|constant| f64::from(constant.start)).collect()
    }

    /// The iteration with this number, from 1, where the constants stand at `theta`. It depends on nothing else.
    pub fn trial(&self, theta: &[f64], number: u32) -> Trial {
        let mut random = self.random(number);
        let count = self.constants.len();
        let mut trial = Trial {
            number,
            first_pair: self.first_pair(number),
            plus: Vec::with_capacity(count),
            minus: Vec::with_capacity(count),
            steps: Vec::with_capacity(count),
        };
        for (constant, &value) in self.constants.iter().zip(theta) {
            let gains = Gains::of(constant, number, self.iterations);
            let direction = if random.below(2) == 0 { -1.0 } else { 1.0 };
            // A value between two whole numbers is rounded up as often as its fraction says, so that the mean of many
            // iterations is the value. The same number serves both sides, which so differ by what they should.
            let chance = random.fraction();
            let side = |variation: f64| constant.clamp((value + variation + chance).floor()) as i32;
            trial.plus.push(side(direction * gains.variation));
            trial.minus.push(side(-direction * gains.variation));
            trial.steps.push(direction * gains.step);
        }
        trial
    }

    /// Moves the constants by the games that the first side won and lost.
    pub fn apply(&self, theta: &mut [f64], trial: &Trial, won: u64, lost: u64) {
        let score = won as f64 - lost as f64;
        for ((constant, value), step) in self.constants.iter().zip(theta).zip(&trial.steps) {
            *value = constant.clamp(*value + step * score);
        }
    }

    /// The random numbers of an iteration.
    fn random(&self, number: u32) -> SplitMix {
        let place = u64::from(self.part.0) << 32 | u64::from(number);
        SplitMix::new(SplitMix::new(SplitMix::new(self.seed).number() ^ place).number())
    }

    /// The parts have different games.
    fn first_pair(&self, number: u32) -> u64 {
        let before = u64::from(self.part.0 - 1) * u64::from(self.iterations);
        (before + u64::from(number - 1)) * u64::from(self.pairs)
    }
}
