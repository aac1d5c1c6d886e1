//! The course of a run: the iterations done, and where the constants stand.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::plan::{Plan, Trial};
use super::run::Outcome;

/// Values of constants are written with so many parts of 1.
const PARTS: f64 = 10_000.0;

/// An iteration that was done, as the log has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u32,
    /// The values of the first side.
    pub plus: Vec<i32>,
    /// The values of the second side.
    pub minus: Vec<i32>,
    /// Games that the first side lost, drew and won.
    pub games: [u64; 3],
    /// Games that ended by a fault of an engine.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub faults: u64,
    /// Where the constants stood after it, to four places: for readers, as it follows from the games.
    pub theta: Vec<f64>,
}

// Called by serde.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Iteration {
    pub(super) fn new(trial: &Trial, outcome: Outcome) -> Iteration {
        Iteration {
            iteration: trial.number,
            plus: trial.plus.clone(),
            minus: trial.minus.clone(),
            games: outcome.games,
            faults: outcome.faults,
            theta: Vec::new(),
        }
    }
}

/// An iteration of a log that does not follow from those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CourseFault {
    /// It has another number than the one expected.
    #[error("iteration {found} stands where iteration {expected} is due")]
    Number {
        /// The number that it has.
        found: u32,
        /// The number expected.
        expected: u32,
    },
    /// There are more than the plan has.
    #[error("more iterations than the {0} of its first line")]
    TooMany(u32),
    /// It has other values, or another number of games, than the plan says.
    #[error("iteration {0} does not follow from those before it")]
    Other(u32),
}

/// The course of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    plan: Plan,
    theta: Vec<f64>,
    /// For each constant: the sum of the squares of its moves.
    squares: Vec<f64>,
    /// Games that the first side lost, drew and won.
    games: [u64; 3],
    iterations: Vec<Iteration>,
}

impl Course {
    /// Before the first iteration.
    pub fn new(plan: Plan) -> Course {
        let theta = plan.start();
        let squares = vec![0.0; theta.len()];
        Course { plan, theta, squares, games: [0; 3], iterations: Vec::new() }
    }

    /// After these iterations. Only their games count: all else follows from the plan, so that a run that goes on is
    /// exactly the one that was never interrupted.
    ///
    /// # Errors
    /// An iteration is not that of the plan.
    pub fn replay(plan: Plan, iterations: Vec<Iteration>) -> Result<Course, CourseFault> {
        let mut course = Course::new(plan);
        for logged in iterations {
            let trial = course.due().ok_or(CourseFault::TooMany(course.plan.iterations))?;
            if logged.iteration != trial.number {
                let (found, expected) = (logged.iteration, trial.number);
                return Err(CourseFault::Number { found, expected });
            }
            let fault = CourseFault::Other(trial.number);
            let games = logged.games.iter().try_fold(0_u64, |sum, &games| sum.checked_add(games));
            if logged.plus != trial.plus
                || logged.minus != trial.minus
                || games != Some(2 * u64::from(course.plan.pairs))
            {
                return Err(fault);
            }
            let theta = logged.theta.clone();
            let replayed = &course.take(&trial, logged).theta;
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 2.0 / PARTS;
            if theta.len() != replayed.len() || !theta.iter().zip(replayed).all(is_near) {
                return Err(fault);
            }
        }
        Ok(course)
    }

    /// Its plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Where the constants stand.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// The iterations done.
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// How far each constant would have been carried by games that all values play alike: one standard deviation.
    /// Every move had its size and a sign by chance, so it is the root of the sum of their squares.
    pub fn chance(&self) -> Vec<f64> {
        self.squares.iter().map(|sum| sum.sqrt()).collect()
    }

    /// Games that the first side lost, drew and won.
    pub fn games(&self) -> [u64; 3] {
        self.games
    }

    /// Games that ended by a fault.
    pub fn faults(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.faults).sum()
    }

    /// The next iteration, if one is left.
    pub fn due(&self) -> Option<Trial> {
        let number = self.iterations.len() as u32 + 1;
        (number <= self.plan.iterations).then(|| self.plan.trial(&self.theta, number))
    }

    /// Moves the constants by an iteration that was done, and returns it with where they stand.
    pub(super) fn take(&mut self, trial: &Trial, mut iteration: Iteration) -> &Iteration {
        let [lost, _, won] = iteration.games;
        self.plan.apply(&mut self.theta, trial, won, lost);
        self.games.iter_mut().zip(iteration.games).for_each(|(sum, games)| *sum += games);
        let score = won as f64 - lost as f64;
        for (sum, step) in self.squares.iter_mut().zip(&trial.steps) {
            *sum += (step * score).powi(2);
        }
        iteration.theta = self.theta.iter().map(|value| (value * PARTS).round() / PARTS).collect();
        self.iterations.push(iteration);
        &self.iterations[self.iterations.len() - 1]
    }
}
