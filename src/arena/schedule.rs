//! The schedule of a match, and the workers that play it.
//!
//! The number of a game determines its engines, variant, opening and colors. However many games are played at
//! once, their results are taken in the order of their numbers.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use super::adjudication::Adjudication;
use super::clock::Pace;
use super::engine::{Engine, Fault};
use super::game::{Conditions, Ending, Played, play};
use super::log::{EngineHeader, Header, LogError, Writer};
use super::openings::{Opening, OpeningError, Openings, OpeningsError};
use super::record::{FaultRecord, Record};
use super::report::Standing;
use super::spec::EngineSpec;
use super::stats::{Sprt, Verdict};
use garrison_rules::{Color, GameResult, PerColor, Variant, counted, shown};
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
struct Job {
    index: usize,
    variant: usize,
    opening: Opening,
    /// The engines that have White and Black.
    engines: [usize; 2],
}

impl Match {
    /// The numbers of the games that are played here.
    pub fn indices(&self) -> Vec<usize> {
        let (part, parts) = self.shard;
        let total = self.games.saturating_mul(self.pairings.len());
        (0..total).filter(|index| index / 2 % parts.max(1) == part).collect()
    }

    fn job(&self, index: usize) -> Result<Job, OpeningsError> {
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
        let Adjudication { resign, draw, max_plies } = self.adjudication;
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
            openings: self.openings_text.clone(),
            seed: self.seed,
            conditions: format!(
                "margin {} ms; resign {resign}; draw {draw}; most plies {max_plies}; {}restart; {}",
                self.margin.as_millis(),
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
        Ok(engine.new_game(self.variants[0].name())?)
    }
}

/// The result of a worker: a game that was finished (`Some`), was interrupted, or cannot be played.
type Finished = Result<Option<Record>, MatchError>;

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
    std::thread::scope(|scope| {
        let closed = gate.write();
        let (sender, finished) = channel();
        let workers = plan.concurrency.clamp(1, jobs.len().max(1));
        for _ in 0..workers {
            let (sender, jobs, next, halt, gate) = (sender.clone(), &jobs, &next, &halt, &gate);
            let work = move || {
                drop(gate.read());
                work(plan, jobs, next, halt, &sender);
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

/// So many games in a row without a move end the match: no engine works. Where only one fails at its first move,
/// the other makes a move in every second game.
const MOST_UNBEGUN: usize = 3;

/// Takes the games of all workers and puts them in order.
struct Collector<'a> {
    plan: &'a Match,
    header: Header,
    writer: &'a mut Writer,
    indices: &'a [usize],
    /// The next of the indices.
    at: usize,
    /// Games whose turn has come, but which ended without a move: they count once a later one has moves.
    unbegun: Vec<Record>,
    /// Finished games whose turn has not come.
    ready: BTreeMap<usize, Record>,
    standing: Standing,
    on_game: &'a mut dyn FnMut(&Record, &Standing),
}

impl Collector<'_> {
    fn collect(
        &mut self,
        finished: &Receiver<Finished>,
        stop: &AtomicBool,
    ) -> Result<End, MatchError> {
        loop {
            if let Some(end) = self.drain()? {
                return Ok(end);
            }
            if stop.load(Ordering::Relaxed) {
                // Workers may still hold a finished game in the channel.
                while let Ok(Ok(Some(record))) = finished.try_recv() {
                    self.take(record)?;
                }
                return Ok(self.drain()?.unwrap_or(End::Interrupted));
            }
            match finished.recv_timeout(Duration::from_millis(50)) {
                Ok(result) => result?.map_or(Ok(()), |record| self.take(record))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(MatchError::Worker),
            }
        }
    }

    fn take(&mut self, record: Record) -> Result<(), MatchError> {
        if self.indices.get(self.at) != Some(&record.game) {
            self.writer.keep(&record)?;
        }
        self.ready.insert(record.game, record);
        Ok(())
    }

    /// Writes and reports the games whose turn has come; returns how the match ended, if it did.
    fn drain(&mut self) -> Result<Option<End>, MatchError> {
        while let Some(record) =
            self.indices.get(self.at).and_then(|index| self.ready.remove(index))
        {
            let is_logged = self.at < self.writer.logged().len();
            self.at += 1;
            if !is_logged && !self.plan.stop_on_fault && record.is_without_moves() {
                self.unbegun.push(record);
                self.check_unbegun(MOST_UNBEGUN)?;
                continue;
            }
            let waiting = std::mem::take(&mut self.unbegun);
            for record in waiting.into_iter().chain([record]) {
                if let Some(end) = self.count(&record, is_logged)? {
                    return Ok(Some(end));
                }
            }
        }
        if self.at < self.indices.len() {
            return Ok(None);
        }
        if !self.standing.has_games() {
            self.check_unbegun(1)?;
        }
        for record in std::mem::take(&mut self.unbegun) {
            self.count(&record, false)?;
        }
        Ok(Some(End::Complete))
    }

    /// Ends the match after so many games in a row without a move.
    fn check_unbegun(&self, most: usize) -> Result<(), MatchError> {
        match self.unbegun.last().and_then(|record| record.fault.clone()) {
            Some(fault) if self.unbegun.len() >= most => {
                Err(MatchError::NoMoves { games: self.unbegun.len(), fault })
            }
            _ => Ok(()),
        }
    }

    /// Writes and reports a game; returns how the match ended, if it did.
    fn count(&mut self, record: &Record, is_logged: bool) -> Result<Option<End>, MatchError> {
        if !is_logged {
            self.writer.write(record, &self.header)?;
        }
        self.standing.add(record);
        (self.on_game)(record, &self.standing);
        if let (Some(fault), true) = (&record.fault, self.plan.stop_on_fault) {
            let (game, fault) = (record.game, fault.clone());
            return Err(MatchError::StoppedByFault { game, fault });
        }
        let verdict = |sprt: &Sprt| sprt.verdict(&self.standing.first().pairs);
        let verdict = self.plan.sprt.as_ref().map(verdict);
        Ok(verdict.filter(|verdict| *verdict != Verdict::Continue).map(End::Decided))
    }
}

/// Plays one job after the other until there is none or the match is halted.
fn work(
    plan: &Match,
    jobs: &[usize],
    next: &AtomicUsize,
    halt: &Arc<AtomicBool>,
    sender: &Sender<Finished>,
) {
    let mut engines: HashMap<usize, Engine> = HashMap::new();
    while !halt.load(Ordering::Relaxed) {
        let Some(&index) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        let job = plan.job(index).map_err(MatchError::from);
        let result = job.and_then(|job| play_job(plan, job, &mut engines, halt));
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
