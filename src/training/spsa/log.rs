//! The log of a run: a line of JSON for the run, then one for each iteration, written when it is done.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::course::{Course, CourseFault, Iteration};
use super::plan::{Plan, PlanFault};
use crate::files::{InFile, in_file, open_source};
use crate::json_log::{self, LogFile, ReadFault, Refusal, Unwritten, is_begun};

/// The version of the log.
const FORMAT: u32 = 1;

/// Why a log cannot be read, written or joined with others.
#[derive(Debug, Error)]
pub enum LogError {
    /// Its text is none.
    #[error("log {0}")]
    Read(#[from] InFile<LogFault>),
    /// It cannot be opened or written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// It would be overwritten, or is of another run.
    #[error(transparent)]
    Refused(#[from] InFile<Refusal<Difference>>),
    /// Two of the logs are of one part.
    #[error(transparent)]
    SamePart(#[from] InFile<SamePart>),
    /// There are no logs.
    #[error("no log to report on")]
    Nothing,
}

/// What is wrong with the text of a log.
#[derive(Debug, Error)]
pub enum LogFault {
    /// It is no log.
    #[error(transparent)]
    Text(#[from] ReadFault),
    /// It was written by another version of the program.
    #[error("is of format {0}, and this program reads {FORMAT}")]
    Format(u32),
    /// Its plan is none.
    #[error("line 1: {0}")]
    Plan(#[from] PlanFault),
    /// Its iterations are not those of its plan.
    #[error(transparent)]
    Course(#[from] CourseFault),
}

/// The log of this part of the run was given before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is part {0} once more")]
pub struct SamePart(pub u32);

/// The first thing that differs between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Difference {
    /// Other names, starts, ranges or steps.
    #[error("other constants, starts, ranges or steps")]
    Constants,
    /// How many there are, on which the gains depend.
    #[error("another number of iterations")]
    Iterations,
    /// Pairs of games in an iteration.
    #[error("another number of pairs")]
    Pairs,
    /// The seed of the run.
    #[error("another seed")]
    Seed,
    /// Which part it is, or of how many.
    #[error("another shard")]
    Part,
    /// The games.
    #[error("other games")]
    Variants,
    /// The rules of a user's games.
    #[error("other rules of its games")]
    Rules,
    /// Where the openings come from.
    #[error("other openings")]
    Openings,
    /// The limit of a move.
    #[error("another limit")]
    Limit,
    /// Other options of both sides.
    #[error("other options")]
    Options,
    /// Adjudication, margin, restarts.
    #[error("other conditions")]
    Conditions,
}

/// How the games of a run are played.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Conditions {
    /// The games.
    pub variants: Vec<String>,
    /// The checksum of the rules of a user's games ([`own_rules`](crate::definitions::own_rules)), if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Where the openings come from.
    pub openings: String,
    /// The limit of a move.
    pub limit: String,
    /// UCI options of both sides as `NAME=VALUE`, beside the constants.
    pub options: Vec<String>,
    /// The margin of time, adjudication and other conditions, as text.
    pub conditions: String,
}

/// The first line of a log: everything that the run depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the log.
    spsa: u32,
    /// What is varied.
    #[serde(flatten)]
    pub plan: Plan,
    /// How games are played.
    pub games: Conditions,
}

impl Header {
    /// The first line of a run.
    pub fn new(plan: Plan, games: Conditions) -> Header {
        Header { spsa: FORMAT, plan, games }
    }

    /// The first difference from another run but for the part, if there is one.
    fn difference(&self, other: &Header) -> Option<Difference> {
        let (plan, its, games, others) = (&self.plan, &other.plan, &self.games, &other.games);
        let same = [
            (plan.constants == its.constants, Difference::Constants),
            (plan.iterations == its.iterations, Difference::Iterations),
            (plan.pairs == its.pairs, Difference::Pairs),
            (plan.seed == its.seed, Difference::Seed),
            (plan.part.1 == its.part.1, Difference::Part),
            (games.variants == others.variants, Difference::Variants),
            (games.rules == others.rules, Difference::Rules),
            (games.openings == others.openings, Difference::Openings),
            (games.limit == others.limit, Difference::Limit),
            (games.options == others.options, Difference::Options),
            (games.conditions == others.conditions, Difference::Conditions),
        ];
        same.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
    }
}

/// Reads a log. A last line that was only written in part is not counted.
///
/// # Errors
/// What is wrong and where.
pub fn read(path: &Path) -> Result<(Header, Course), LogError> {
    let (header, course, _) = read_whole(path)?;
    Ok((header, course))
}

/// The log and the length of its whole lines in bytes.
fn read_whole(path: &Path) -> Result<(Header, Course, u64), LogError> {
    let read = || -> Result<_, LogFault> {
        let source = open_source(path).map_err(ReadFault::Unreadable)?;
        let (header, iterations, valid) = json_log::read::<Header, Iteration>(source)?;
        if header.spsa != FORMAT {
            return Err(LogFault::Format(header.spsa));
        }
        header.plan.check()?;
        let course = Course::replay(header.plan.clone(), iterations)?;
        Ok((header, course, valid))
    };
    Ok(read().map_err(|fault| in_file(path, fault))?)
}

/// Reads the logs of the parts of one run, in the order of the parts. Some may be missing.
///
/// # Errors
/// One cannot be read, is of another run, or is there twice.
pub fn read_parts(paths: &[PathBuf]) -> Result<(Header, Vec<Course>), LogError> {
    let (first, rest) = paths.split_first().ok_or(LogError::Nothing)?;
    let (header, course) = read(first)?;
    let mut courses = vec![course];
    for path in rest {
        let (other, course) = read(path)?;
        if let Some(difference) = header.difference(&other) {
            let fault = Refusal::UnlikeFirst { difference, first: first.clone() };
            return Err(in_file(path, fault).into());
        }
        let part = other.plan.part.0;
        if courses.iter().any(|course| course.plan().part.0 == part) {
            return Err(in_file(path, SamePart(part)).into());
        }
        courses.push(course);
    }
    courses.sort_by_key(|course| course.plan().part);
    Ok((header, courses))
}

/// Where a run writes its iterations; nowhere by default.
#[derive(Debug, Default)]
pub struct Writer(Option<LogFile>);

impl Writer {
    /// Begins a log, or continues that of an earlier run; returns the course so far.
    ///
    /// # Errors
    /// The file exists and `resume` is not set, belongs to another run, or cannot be read or written.
    pub fn open(path: &Path, resume: bool, header: &Header) -> Result<(Writer, Course), LogError> {
        let begun = is_begun(path);
        if begun && !resume {
            return Err(in_file(path, Refusal::Exists).into());
        }
        let mut file = LogFile::open(path)?;
        if !begun {
            file.write(header)?;
            let course = Course::new(header.plan.clone());
            return Ok((Writer(Some(file)), course));
        }
        let (old, course, valid) = read_whole(path)?;
        let part = (old.plan.part != header.plan.part).then_some(Difference::Part);
        if let Some(difference) = header.difference(&old).or(part) {
            return Err(in_file(path, Refusal::OfAnother(difference)).into());
        }
        file.go_on(valid)?;
        Ok((Writer(Some(file)), course))
    }

    /// Writes an iteration that was done.
    pub(super) fn write(&mut self, iteration: &Iteration) -> Result<(), LogError> {
        match &mut self.0 {
            None => Ok(()),
            Some(file) => Ok(file.write(iteration)?),
        }
    }
}
