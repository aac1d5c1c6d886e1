//! Games of the program against itself, as the objective of a run: the arena plays them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::constant::Constant;
use super::log::Conditions;
use super::plan::Trial;
use super::run::{Objective, Outcome};
use crate::arena::log::Writer;
use crate::arena::schedule::{End, Match, MatchError, run};

/// Plays the pairs of each iteration as a stretch of one long match, so that games, openings and colors take turns over
/// all iterations as they do in a match.
#[derive(Debug)]
pub struct Games {
    plan: Match,
    names: Vec<String>,
    /// The options of both engines beside the constants.
    options: Vec<(String, String)>,
    stop: Arc<AtomicBool>,
}

impl Games {
    /// Games by this plan, whose two engines are the same program with the same options, until `stop` is set.
    pub fn new(plan: Match, constants: &[Constant], stop: Arc<AtomicBool>) -> Games {
        let names = constants.iter().map(|constant| constant.name.clone()).collect();
        let options = plan.engines.first().map_or(Vec::new(), |engine| engine.options.clone());
        Games { plan, names, options, stop }
    }

    /// How the games are played, for the log.
    pub fn conditions(&self) -> Conditions {
        let header = self.plan.header();
        let limit = header.engines.into_iter().next().map_or(String::new(), |engine| engine.limit);
        Conditions {
            variants: header.variants,
            rules: header.rules,
            openings: header.openings,
            limit,
            options: self.options.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            conditions: header.conditions,
        }
    }

    /// Starts the program once with its constants set, so that a wrong path, game or option is reported before the first
    /// game.
    ///
    /// # Errors
    /// Why it cannot play.
    pub fn check(&mut self, trial: &Trial) -> Result<(), MatchError> {
        self.prepare(trial, 1);
        self.plan.check_engines(&self.stop)
    }

    /// Makes the plan that of an iteration.
    fn prepare(&mut self, trial: &Trial, pairs: u32) {
        (self.plan.first, self.plan.games) = (trial.first_pair as usize * 2, pairs as usize * 2);
        for (engine, values) in self.plan.engines.iter_mut().zip([&trial.plus, &trial.minus]) {
            let values = self.names.iter().zip(values);
            let values = values.map(|(name, value)| (name.clone(), value.to_string()));
            engine.options = self.options.iter().cloned().chain(values).collect();
        }
    }
}

impl Objective for Games {
    type Error = MatchError;

    fn play(&mut self, trial: &Trial, pairs: u32) -> Result<Option<Outcome>, MatchError> {
        self.prepare(trial, pairs);
        let mut outcome = Outcome::default();
        let (mut writer, done) = (Writer::default(), BTreeMap::new());
        let end = run(&self.plan, &mut writer, &done, &self.stop, &mut |record, standing| {
            outcome.faults += u64::from(record.fault.is_some());
            outcome.games = standing.first().games;
        })?;
        Ok((end == End::Complete).then_some(outcome))
    }
}
