//! A worker of a match: it has engines, and plays one game after the other.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use super::engine::Engine;
use super::fault::Fault;
use super::game::{Conditions, Ending, Played, play};
use super::record::Record;
use super::schedule::{Job, Match, MatchError};
use crate::endings::Arbiter;
use garrison_rules::{Color, GameResult, PerColor};

/// The result of a worker: a game that was finished (`Some`), was interrupted, or cannot be played.
pub(super) type Finished = Result<Option<Record>, MatchError>;

/// Plays one job after the other until there is none or the match is halted.
pub(super) fn work(
    plan: &Match,
    jobs: &[usize],
    next: &AtomicUsize,
    halt: &Arc<AtomicBool>,
    arbiter: &Arbiter,
    sender: &Sender<Finished>,
) {
    let mut engines: HashMap<usize, Engine> = HashMap::new();
    while !halt.load(Ordering::Relaxed) {
        let Some(&index) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        let job = plan.job(index).map_err(MatchError::from);
        let result = job.and_then(|job| play_job(plan, job, &mut engines, halt, arbiter));
        let goes_on = matches!(result, Ok(Some(_)));
        if sender.send(result).is_err() || !goes_on {
            return;
        }
    }
}

/// Plays a game with the engines of this worker; those that the game does not need are ended.
fn play_job(
    plan: &Match,
    job: Job,
    engines: &mut HashMap<usize, Engine>,
    halt: &Arc<AtomicBool>,
    arbiter: &Arbiter,
) -> Finished {
    if plan.restart {
        engines.clear();
    }
    engines.retain(|number, _| job.engines.contains(number));
    let variant = &plan.variants[job.variant];
    let names = job.engines.map(|number| plan.engines[number].name.as_str());
    let record = |played| {
        let name = variant.name();
        Record::new(job.index, name, job.opening.clone(), names, played, plan.reproducible)
    };
    for (side, &number) in Color::ALL.iter().zip(&job.engines) {
        match ready(plan, number, variant.name(), engines, halt) {
            Ok(()) => {}
            Err(Fault::Interrupted) => return Ok(None),
            Err(fault @ Fault::NoStart(_)) => {
                let (name, fault) = (plan.engines[number].name.clone(), fault.into());
                return Err(MatchError::Engine { name, fault });
            }
            Err(fault) => {
                let (result, ending) = (GameResult::win(!*side), Ending::Fault(*side, fault));
                return Ok(Some(record(Played { moves: Vec::new(), result, ending })));
            }
        }
    }
    let mut pair = job.engines.map(|number| engines.remove(&number));
    let [Some(white), Some(black)] = &mut pair else {
        return Err(MatchError::SameEngine);
    };
    let conditions = Conditions {
        paces: PerColor(job.engines.map(|number| plan.engines[number].pace.unwrap_or(plan.pace))),
        margin: plan.margin,
        adjudication: plan.adjudication,
        arbiter,
    };
    let played = play(PerColor([white, black]), variant, &job.opening, &conditions)?;
    let lost = match played.as_ref().map(|played| &played.ending) {
        Some(Ending::Fault(side, fault)) if fault.needs_restart() => Some(side.index()),
        _ => None,
    };
    for (side, (engine, number)) in pair.into_iter().zip(job.engines).enumerate() {
        if let (Some(engine), true) = (engine, lost != Some(side)) {
            engines.insert(number, engine);
        }
    }
    Ok(played.map(record))
}

/// Prepares an engine for a game; one that fails is restarted once.
fn ready(
    plan: &Match,
    number: usize,
    variant: &str,
    engines: &mut HashMap<usize, Engine>,
    halt: &Arc<AtomicBool>,
) -> Result<(), Fault> {
    if let Some(mut engine) = engines.remove(&number) {
        match engine.new_game(variant) {
            Ok(()) => {
                engines.insert(number, engine);
                return Ok(());
            }
            Err(Fault::Interrupted) => return Err(Fault::Interrupted),
            // It may have ended after its last game, which is no fault in this one.
            Err(_) => {}
        }
    }
    let mut engine = Engine::start(&plan.engines[number], plan.patience, halt)?;
    engine.new_game(variant)?;
    engines.insert(number, engine);
    Ok(())
}
