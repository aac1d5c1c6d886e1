//! The loop over the iterations.

use std::fmt::Display;

use thiserror::Error;

use super::course::{Course, Iteration};
use super::log::{LogError, Writer};
use super::plan::Trial;

/// What the pairs of an iteration came to, seen by the first side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Games lost, drawn, won.
    pub games: [u64; 3],
    /// Games that ended by a fault of an engine.
    pub faults: u64,
}

/// What is to be made as great as possible: the strength of the program, or a model of it.
pub trait Objective {
    /// Why it cannot be measured.
    type Error: Display;

    /// Plays the pairs of an iteration between the values `plus` and `minus` of a trial; `None` if it was stopped.
    ///
    /// # Errors
    /// The games cannot be played.
    fn play(&mut self, trial: &Trial, pairs: u32) -> Result<Option<Outcome>, Self::Error>;
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All iterations were done.
    Complete,
    /// It was stopped from outside.
    Interrupted,
}

/// Why a run does not go on. What was done is in the log.
#[derive(Debug, Error)]
pub enum RunError<E: Display> {
    /// The games cannot be played.
    #[error("{0}")]
    Objective(E),
    /// The log cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Does the iterations that a course still lacks, and writes each when it is done. `on_iteration` is called after each.
///
/// # Errors
/// The games cannot be played, or the log cannot be written.
pub fn run<O: Objective>(
    course: &mut Course,
    objective: &mut O,
    writer: &mut Writer,
    on_iteration: &mut dyn FnMut(&Course),
) -> Result<End, RunError<O::Error>> {
    while let Some(trial) = course.due() {
        let played = objective.play(&trial, course.plan().pairs).map_err(RunError::Objective)?;
        let Some(outcome) = played else {
            return Ok(End::Interrupted);
        };
        let iteration = Iteration::new(&trial, outcome);
        writer.write(course.take(&trial, iteration))?;
        on_iteration(course);
    }
    Ok(End::Complete)
}
