//! The schedule of a match, and the workers that play it.
//!
//! The number of a game determines its engines, variant, opening and colors. However many games are played at
//! once, their results are taken in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use super::adjudication::Adjudication;
use super::clock::Pace;
use super::collector::Collector;
use super::engine::Engine;
use super::fault::Fault;
use super::log::{EngineHeader, Header, LogError, Writer};
use super::openings::{Opening, OpeningError, Openings, OpeningsError};
use super::record::{FaultRecord, Record};
use super::report::Standing;
use super::spec::EngineSpec;
use super::stats::{Sprt, Verdict};
use super::worker::work;
use crate::definitions::own_rules;
use crate::endings::Arbiter;
use garrison_rules::{Variant, counted, shown};
use thiserror::Error;

/// Why a match cannot be played, or not to its end.
#[derive(Debug, Error)]
pub enum MatchError {
    /// There is no opening for a game.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Log or PGN cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log to be continued has other games.
    #[error("the log has games that are not of this match (more games, or another --shard)")]
    OtherGames,
    /// An engine cannot play the match.
    #[error("engine '{name}' {fault}")]
    Engine {
        /// Its name.
        name: String,
        /// Why.
        fault: EngineFault,
    },
    /// A fault ended the match, as was asked for.
    #[error("game {}: engine '{}' {} ({})", .game + 1, .fault.engine, .fault.detail, .fault.kind)]
    StoppedByFault {
        /// The number of the game, from 0.
        game: usize,
        /// The fault.
        fault: FaultRecord,
    },
    /// Game after game ended by a fault before any move.
    #[error(
        "no move in {}: engine '{}' {}",
        counted(*.games as u64, "game"), .fault.engine, .fault.detail
    )]
    NoMoves {
        /// How many.
        games: usize,
        /// The last fault.
        fault: FaultRecord,
    },
    /// A worker cannot be started.
    #[error("no thread for each of {games} at once: {error}; a lower --concurrency needs less memory",
        games = counted(*.games as u64, "game"))]
    Thread {
        /// How many are played at once.
        games: usize,
        /// Why.
        error: std::io::Error,
    },
    /// An engine is paired with itself.
    #[error("an engine cannot play against itself in one process")]
    SameEngine,
    /// A worker ended without a result, which is a bug.
    #[error("a worker of the match failed")]
    Worker,
}

/// Why an engine cannot play a match.
#[derive(Debug, Error)]
pub enum EngineFault {
    /// It does not start or answer.
    #[error(transparent)]
    Process(#[from] Fault),
    /// It lacks an option that was given.
    #[error("has no option '{}'", shown(.0))]
    NoOption(String),
    /// It does not play a game of the match.
    #[error("does not play {0}")]
    NoVariant(String),
}

/// A match or a tournament.
#[derive(Debug, Clone)]
pub struct Match {
    /// Its name in PGN.
    pub event: String,
    /// The engines, with different names.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom, by the numbers of the engines; the first has White in the first game of a pair.
    pub pairings: Vec<(usize, usize)>,
    /// The games, in turn.
    pub variants: Vec<Arc<Variant>>,
    /// Games of each pairing.
    pub games: usize,
    /// The number of the first game, which is even: a match may be a stretch of a longer one.
    pub first: usize,
    /// Where they begin.
    pub openings: Openings,
    /// The same as text.
    pub openings_text: String,
    /// For random openings and the order of given ones.
    pub seed: u64,
    /// The limit of engines without their own.
    pub pace: Pace,
    /// How much more than its time a move may take.
    pub margin: Duration,
    /// How long an engine may be silent where no clock runs.
    pub patience: Duration,
    /// When games are ended although the rules do not end them.
    pub adjudication: Adjudication,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    /// How many games are played at once.
    pub concurrency: usize,
    /// Which part of the pairs of games is played: number (from 0) and count of parts.
    pub shard: (usize, usize),
    /// Whether a fault ends the match (else it loses the game).
    pub stop_on_fault: bool,
    /// Whether times and dates are left out of the records.
    pub reproducible: bool,
    /// Whether engines are restarted for each game.
    pub restart: bool,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All games were played.
    Complete,
    /// The test was decided.
    Decided(Verdict),
    /// It was stopped from outside.
    Interrupted,
}

/// A game to be played.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub index: usize,
    pub variant: usize,
    pub opening: Opening,
    /// The engines that have White and Black.
    pub engines: [usize; 2],
}

impl Match {
    /// The numbers of the games that are played here.
    pub fn indices(&self) -> Vec<usize> {
        let (part, parts) = self.shard;
        let total = self.games.saturating_mul(self.pairings.len());
        let games = self.first..self.first.saturating_add(total);
        games.filter(|index| index / 2 % parts.max(1) == part).collect()
    }

    pub(super) fn job(&self, index: usize) -> Result<Job, OpeningsError> {
        let pair = index / 2;
        let (first, second) = self.pairings[pair % self.pairings.len()];
        // Every pairing gets the same variants and openings.
        let turn = pair / self.pairings.len();
        let variant = turn % self.variants.len();
        let number = turn / self.variants.len();
        let opening = self.openings.get(variant, &self.variants, self.seed, number)?;
        let engines = if index.is_multiple_of(2) { [first, second] } else { [second, first] };
        Ok(Job { index, variant, opening, engines })
    }

    /// The header of the log.
    pub fn header(&self) -> Header {
        let engine = |spec: &EngineSpec| EngineHeader {
            name: spec.name.clone(),
            command: std::iter::once(spec.command.to_string_lossy().into_owned())
                .chain(spec.arguments.iter().cloned())
                .collect(),
            options: spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            limit: spec.pace.unwrap_or(self.pace).to_string(),
        };
        let Adjudication { resign, draw, max_plies, endings } = self.adjudication;
        let resign =
            resign.map_or("no".to_string(), |r| format!("score={} moves={}", r.score, r.moves));
        let draw = draw.map_or("no".to_string(), |d| {
            format!("score={} moves={} after={}", d.score, d.moves, d.after)
        });
        Header {
            event: self.event.clone(),
            engines: self.engines.iter().map(engine).collect(),
            pairings: self.pairings.clone(),
            variants: self.variants.iter().map(|variant| variant.name().to_string()).collect(),
            rules: own_rules(&self.variants),
            openings: self.openings_text.clone(),
            seed: self.seed,
            conditions: format!(
                "margin {} ms; resign {resign}; draw {draw}; most plies {max_plies}; {}{}restart; {}",
                self.margin.as_millis(),
                if endings > 0 { format!("endings of {endings} pieces; ") } else { String::new() },
                if self.restart { "" } else { "no " },
                if self.reproducible { "reproducible" } else { "timed" },
            ),
        }
    }

    /// Starts every engine once, so that a wrong path, game or option is reported before the first game.
    ///
    /// # Errors
    /// The engine that cannot play, and why.
    pub fn check_engines(&self, stop: &Arc<AtomicBool>) -> Result<(), MatchError> {
        self.engines.iter().try_for_each(|spec| {
            let place = |fault| MatchError::Engine { name: spec.name.clone(), fault };
            self.check_engine(spec, stop).map_err(place)
        })
    }

    fn check_engine(&self, spec: &EngineSpec, stop: &Arc<AtomicBool>) -> Result<(), EngineFault> {
        let mut engine = Engine::start(spec, self.patience, stop)?;
        if let Some((name, _)) = spec.options.iter().find(|(name, _)| !engine.has_option(name)) {
            return Err(EngineFault::NoOption(name.clone()));
        }
        if let Some(variant) = self.variants.iter().find(|variant| !engine.plays(variant.name())) {
            return Err(EngineFault::NoVariant(variant.name().to_string()));
        }
        // An evaluation that is not for the game is refused here.
        Ok(self.variants.iter().try_for_each(|variant| engine.new_game(variant.name()))?)
    }
}

/// Plays a match: `done` holds the games of an earlier run. `on_game` is called with every game, in order.
///
/// # Errors
/// An engine cannot be started, a file cannot be written, a fault ends the match. Finished games are in
/// the log then.
pub fn run(
    plan: &Match,
    writer: &mut Writer,
    done: &BTreeMap<usize, Record>,
    stop: &Arc<AtomicBool>,
    on_game: &mut dyn FnMut(&Record, &Standing),
) -> Result<End, MatchError> {
    let indices = plan.indices();
    if !indices.starts_with(writer.logged()) {
        return Err(MatchError::OtherGames);
    }
    let jobs: Vec<usize> =
        indices.iter().copied().filter(|index| !done.contains_key(index)).collect();
    let next = AtomicUsize::new(0);
    // Separate from `stop`, so that an end of the match does not look like an interruption.
    let halt = Arc::new(AtomicBool::new(false));
    // No worker begins before the last one is there: what a game needs must not be taken from their stacks.
    let gate = RwLock::new(());
    let arbiter = Arbiter::new(usize::from(plan.adjudication.endings));
    std::thread::scope(|scope| {
        let closed = gate.write();
        let (sender, finished) = channel();
        let workers = plan.concurrency.clamp(1, jobs.len().max(1));
        for _ in 0..workers {
            let (sender, jobs, next, halt, gate) = (sender.clone(), &jobs, &next, &halt, &gate);
            let arbiter = &arbiter;
            let work = move || {
                drop(gate.read());
                work(plan, jobs, next, halt, arbiter, &sender);
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                halt.store(true, Ordering::Relaxed);
                return Err(MatchError::Thread { games: workers, error });
            }
        }
        drop((sender, closed));
        let mut collector = Collector {
            plan,
            header: plan.header(),
            writer,
            indices: &indices,
            at: 0,
            unbegun: Vec::new(),
            ready: done.clone(),
            standing: Standing::new(&plan.engines),
            on_game,
        };
        let end = collector.collect(&finished, stop);
        halt.store(true, Ordering::Relaxed);
        end
    })
}
