//! Which games are played, by whom and in what order, and playing them.
//!
//! A game is known by its number: from that follow the engines, the variant, the opening and the colors.
//! However many games are played at once, their results are taken in this order.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use super::adjudication::Adjudication;
use super::clock::Pace;
use super::engine::{Engine, Fault};
use super::game::{Conditions, Ending, Played, play};
use super::log::{EngineHeader, Header, Writer};
use super::openings::{Opening, Openings};
use super::pgn::GameResult;
use super::record::Record;
use super::report::Standing;
use super::spec::EngineSpec;
use super::stats::{Sprt, Verdict};
use garrison_rules::{Color, PerColor, Variant};

/// A match or a tournament.
#[derive(Debug, Clone)]
pub struct Match {
    /// What it is called in PGN.
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
    /// When games are ended though the rules let them go on.
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
    /// Whether engines are started anew for each game.
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

    fn job(&self, index: usize) -> Result<Job, String> {
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

    /// What the log says of the match.
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

    /// Starts every engine once, so that a wrong path, game or option is told before the first game.
    ///
    /// # Errors
    /// One line that names the engine.
    pub fn check_engines(&self, stop: &Arc<AtomicBool>) -> Result<(), String> {
        for spec in &self.engines {
            let place = |fault: String| format!("engine '{}' {fault}", spec.name);
            let mut engine = Engine::start(spec, self.patience, stop)
                .map_err(|fault| place(fault.to_string()))?;
            if let Some((name, _)) = spec.options.iter().find(|(name, _)| !engine.has_option(name))
            {
                return Err(place(format!("has no option '{}'", garrison_rules::shown(name))));
            }
            for variant in &self.variants {
                if !engine.plays(variant.name()) {
                    return Err(place(format!("does not play {}", variant.name())));
                }
            }
            engine.new_game(self.variants[0].name()).map_err(|fault| place(fault.to_string()))?;
        }
        Ok(())
    }
}

/// What a worker tells: a game was finished, was broken off, or cannot be played.
type Told = (usize, Result<Option<Record>, String>);

/// Plays a match: `done` holds the games of an earlier run. `shown` is told of every game in its order.
///
/// # Errors
/// One line: an engine cannot be started, a file cannot be written, a fault ends the match. What
/// was finished is in the log then.
pub fn run(
    plan: &Match,
    writer: &mut Writer,
    done: &BTreeMap<usize, Record>,
    stop: &Arc<AtomicBool>,
    shown: &mut dyn FnMut(&Record, &Standing),
) -> Result<End, String> {
    let indices = plan.indices();
    if !indices.starts_with(writer.logged()) {
        return Err(
            "the log has games that are not of this match (more games, or another --shard)"
                .to_string(),
        );
    }
    let jobs: Vec<usize> =
        indices.iter().copied().filter(|index| !done.contains_key(index)).collect();
    let next = AtomicUsize::new(0);
    // Apart from the user's wish to stop: an end inside must not look like one from outside.
    let halt = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (tell, told) = channel();
        for _ in 0..plan.concurrency.clamp(1, jobs.len().max(1)) {
            let (tell, jobs, next, halt) = (tell.clone(), &jobs, &next, &halt);
            scope.spawn(move || work(plan, jobs, next, halt, &tell));
        }
        drop(tell);
        let mut collector = Collector {
            plan,
            header: plan.header(),
            writer,
            indices: &indices,
            at: 0,
            ready: done.clone(),
            standing: Standing::new(&plan.engines),
            shown,
        };
        let end = collector.collect(&told, stop);
        halt.store(true, Ordering::Relaxed);
        end
    })
}

/// Takes the games of all workers and brings them in order.
struct Collector<'a> {
    plan: &'a Match,
    header: Header,
    writer: &'a mut Writer,
    indices: &'a [usize],
    /// The next of the indices.
    at: usize,
    /// Finished games whose turn has not come.
    ready: BTreeMap<usize, Record>,
    standing: Standing,
    shown: &'a mut dyn FnMut(&Record, &Standing),
}

impl Collector<'_> {
    fn collect(
        &mut self,
        told: &std::sync::mpsc::Receiver<Told>,
        stop: &AtomicBool,
    ) -> Result<End, String> {
        loop {
            if let Some(end) = self.drain()? {
                return Ok(end);
            }
            if stop.load(Ordering::Relaxed) {
                // Workers may still hold a finished game in the channel.
                while let Ok((_, Ok(Some(record)))) = told.try_recv() {
                    self.take(record)?;
                }
                return Ok(self.drain()?.unwrap_or(End::Interrupted));
            }
            match told.recv_timeout(Duration::from_millis(50)) {
                Ok((_, result)) => {
                    if let Some(record) = result? {
                        self.take(record)?;
                    }
                }
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                    return Err("a worker of the match failed".to_string());
                }
            }
        }
    }

    fn take(&mut self, record: Record) -> Result<(), String> {
        if self.indices.get(self.at) != Some(&record.game) {
            self.writer.keep(&record)?;
        }
        self.ready.insert(record.game, record);
        Ok(())
    }

    /// Hands on the games whose turn has come; how the match ended, if it did.
    fn drain(&mut self) -> Result<Option<End>, String> {
        while let Some(record) =
            self.indices.get(self.at).and_then(|index| self.ready.remove(index))
        {
            if self.at >= self.writer.logged().len() {
                self.writer.write(&record, &self.header)?;
            }
            self.at += 1;
            self.standing.add(&record);
            (self.shown)(&record, &self.standing);
            if let (Some(fault), true) = (&record.fault, self.plan.stop_on_fault) {
                let game = record.game + 1;
                return Err(format!(
                    "game {game}: engine '{}' {} ({})",
                    fault.engine, fault.text, fault.kind
                ));
            }
            if let Some(sprt) = &self.plan.sprt {
                let verdict = sprt.verdict(&self.standing.first().pairs);
                if verdict != Verdict::Continue {
                    return Ok(Some(End::Decided(verdict)));
                }
            }
        }
        Ok((self.at == self.indices.len()).then_some(End::Complete))
    }
}

/// Plays one job after the other until there is none or the match is halted.
fn work(
    plan: &Match,
    jobs: &[usize],
    next: &AtomicUsize,
    halt: &Arc<AtomicBool>,
    tell: &Sender<Told>,
) {
    let mut engines: HashMap<usize, Engine> = HashMap::new();
    while !halt.load(Ordering::Relaxed) {
        let Some(&index) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        let result = plan.job(index).and_then(|job| play_job(plan, job, &mut engines, halt));
        let goes_on = matches!(result, Ok(Some(_)));
        if tell.send((index, result)).is_err() || !goes_on {
            return;
        }
    }
}

/// Plays a game with the engines of this worker; those that are of no more use are ended.
fn play_job(
    plan: &Match,
    job: Job,
    engines: &mut HashMap<usize, Engine>,
    halt: &Arc<AtomicBool>,
) -> Result<Option<Record>, String> {
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
                return Err(format!("engine '{}' {fault}", plan.engines[number].name));
            }
            Err(fault) => {
                let (result, ending) = (GameResult::win(!*side), Ending::Fault(*side, fault));
                return Ok(Some(record(Played { moves: Vec::new(), result, ending })));
            }
        }
    }
    let mut pair = job.engines.map(|number| engines.remove(&number));
    let [Some(white), Some(black)] = &mut pair else {
        return Err("an engine cannot play against itself in one process".to_string());
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

/// Makes an engine ready for a game; if it is not, it is started anew once.
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
            // It may have ended behind its last game: that is no fault of this one.
            Err(_) => {}
        }
    }
    let mut engine = Engine::start(&plan.engines[number], plan.patience, halt)?;
    engine.new_game(variant)?;
    engines.insert(number, engine);
    Ok(())
}
