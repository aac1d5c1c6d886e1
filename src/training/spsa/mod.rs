//! The tuner of the search's constants: simultaneous perturbation stochastic approximation (SPSA).
//!
//! An iteration moves all constants at once, each up or down by chance, plays pairs of games between the program with
//! these values and the program with the opposite ones, and moves every constant towards the side that won more. So it
//! takes the same number of games however many constants there are.
//!
//! Sources: J. C. Spall, *Implementation of the simultaneous perturbation algorithm for stochastic optimization* (IEEE
//! Transactions on Aerospace and Electronic Systems 34, 1998) for the method and its gain sequences; fishtest and
//! OpenBench for the way to choose them by the values at the end of the run (`c_end`, `r_end`), for moving by wins less
//! losses, and for rounding by chance.

mod chart;
mod constant;
mod course;
mod gains;
mod games;
mod log;
mod plan;
mod report;
mod run;

#[cfg(test)]
mod tests;

pub use chart::svg;
pub use constant::{Constant, UnknownConstant, selected};
pub use course::{Course, CourseFault, Iteration};
pub use games::Games;
pub use log::{Conditions, Difference, Header, LogError, Writer, read, read_parts};
pub use plan::{Plan, Trial};
pub use report::report;
pub use run::{End, Objective, Outcome, RunError, run};
