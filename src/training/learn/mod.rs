//! Learning a game by itself: the engine plays against itself, an evaluation is fitted to the games, and a match says whether
//! it takes the place of the one before; then the next generation begins. Tables of weights come first, which a person can
//! read and which need few positions, then networks that grow with the positions.
//!
//! All that is known stands in one folder. A run can be ended at any moment, and the next one goes on from there: games are
//! written one by one, and [what was done](State) after every step, whole or not at all.

mod crew;
mod fault;
mod files;
mod fit;
mod gate;
mod lock;
mod phases;
mod plan;
pub mod report;
mod state;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub use fault::LearnError;
pub use files::Folder;
pub use state::{Generation, Phase, State, Step};

use crate::arena::stats::Tally;
use crate::engine::Control;
use crate::training::network::weights_of_a_neuron;
use garrison_rules::random::SplitMix;
use garrison_rules::{Variant, counted};
use lock::Lock;
use plan::{Outlook, Plan};

/// How often what was done is written while a phase lasts, in seconds.
const SAVE: f64 = 5.0;

/// What a run is asked for.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where everything is kept.
    pub folder: PathBuf,
    /// The file or folder that defines a user's game, for the commands that the report shows.
    pub definition: Option<PathBuf>,
    /// The time for all runs in this folder together, in seconds.
    pub time: f64,
    /// Games that are played at once.
    pub threads: usize,
    /// The size of the transposition table of each searcher in MiB.
    pub hash: u32,
    /// Of all random numbers; none for that of the folder, or 1.
    pub seed: Option<u64>,
    /// No more generations than this.
    pub generations: Option<u32>,
    /// Games of each generation, in place of a share of the time.
    pub games: Option<u64>,
    /// The most pairs of games of a match, in place of a share of the time.
    pub pairs: Option<u64>,
}

/// What happens while a run learns.
#[derive(Debug)]
pub enum Event<'a> {
    /// A phase begins, or goes on after an interruption.
    Begins(&'a State, &'a Step),
    /// What is done so far in a phase; often.
    Progress(&'a State, Progress),
    /// A phase is over.
    Ends(&'a State, &'a Step),
    /// A generation is over.
    Generation(&'a State, &'a Generation),
}

/// What is done in a phase.
#[derive(Debug, Clone, Copy)]
pub enum Progress {
    /// Games and positions of this generation, and games in a second.
    Games(u64, u64, f64),
    /// The positions are read.
    Reading,
    /// Epochs of a fit: done, of how many, the validation loss after it.
    Epochs(usize, u32, f64),
    /// Games of the match, by the new evaluation's results.
    Match(Tally),
}

/// Who hears of [`Event`]s.
pub type Watch<'a> = &'a mut dyn FnMut(&Event<'_>);

/// A game that is being learned in a folder. While it lives, no other process can learn there.
#[derive(Debug)]
pub struct Learner {
    settings: Settings,
    /// One game, or the games of a family, which take turns.
    variants: Vec<Arc<Variant>>,
    folder: Folder,
    state: State,
    clock: Clock,
    _lock: Lock,
}

/// The time that learning takes, over all runs.
#[derive(Debug)]
struct Clock {
    begun: Instant,
    /// The time of earlier runs, in seconds.
    before: f64,
    /// When the state was last written, and time last counted to a phase, on this clock.
    saved: f64,
    counted: f64,
}

impl Clock {
    fn now(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    /// The time since this was asked last.
    fn passed(&mut self) -> f64 {
        let now = self.now();
        let passed = now - self.counted;
        self.counted = now;
        passed
    }
}

impl Learner {
    /// Begins to learn a game, or the games of a family, in a folder, or goes on there.
    ///
    /// # Errors
    /// The folder is in use, was begun for another game, is broken, or cannot be written.
    pub fn open(variants: Vec<Arc<Variant>>, settings: Settings) -> Result<Learner, LearnError> {
        let folder = Folder::new(&settings.folder)?;
        let lock = Lock::take(&settings.folder)?;
        let state = folder.begin(&variants, settings.seed)?;
        let before = state.seconds;
        let clock = Clock { begun: Instant::now(), before, saved: before, counted: before };
        let learner = Learner { settings, variants, folder, state, clock, _lock: lock };
        learner.publish()?;
        learner.report()?;
        Ok(learner)
    }

    /// What was done so far.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Learns until the time is over.
    ///
    /// # Errors
    /// It was stopped, or a file cannot be read or written. What was done is kept, and the best evaluation can be used.
    pub fn learn(&mut self, control: &Control, watch: Watch) -> Result<(), LearnError> {
        loop {
            let more = self.next_phase(control, watch);
            self.state.seconds = self.clock.now();
            // A fault that hinders the work, such as a full disk, may hinder this as well; the first counts.
            let saved = self.state.write(&self.settings.folder);
            if !more.and_then(|more| saved.map(|()| more))? {
                return Ok(());
            }
        }
    }

    /// Does the next phase; whether there was one.
    fn next_phase(&mut self, control: &Control, watch: Watch) -> Result<bool, LearnError> {
        if control.is_stopped() {
            return Err(LearnError::Stopped);
        }
        self.state.seconds = self.clock.now();
        let Some(step) = self.state.step.clone().or_else(|| self.plan()) else { return Ok(false) };
        self.state.step = Some(step.clone());
        self.clock.passed();
        watch(&Event::Begins(&self.state, &step));
        let step = match step.phase {
            Phase::Play => self.play(step, control, watch)?,
            Phase::Fit => self.fit(step, control, watch)?,
            Phase::Match => self.test(step, control, watch)?,
        };
        if let Some(step) = step {
            self.state.step = Some(step);
        }
        Ok(true)
    }

    /// The next generation, if there is time for one.
    fn plan(&self) -> Option<Step> {
        let number = self.state.generations.len() as u32 + 1;
        if self.settings.generations.is_some_and(|most| number > most) {
            return None;
        }
        let plan = self.outlook().plan()?;
        let from = self.state.best;
        let Plan { hidden, played_by, deeper, nodes: play_nodes, .. } = plan;
        let keep = plan::keep(hidden);
        let rest = Generation::default();
        let made = Generation { number, hidden, from, played_by, deeper, play_nodes, keep, ..rest };
        Some(Step { phase: Phase::Play, play: [plan.play, 0.0], test: [plan.test, 0.0], made })
    }

    /// What the next generation depends on.
    fn outlook(&self) -> Outlook<'_> {
        let positions = |number: u32| self.state.generations[number as usize - 1].positions;
        Outlook {
            state: &self.state,
            total: self.settings.time,
            weights_of_a_neuron: weights_of_a_neuron(&self.variants[0]) as u64,
            positions: self.for_networks().into_iter().map(positions).sum(),
        }
    }

    /// The generations whose games a network learns from. The first ones of a game of which nothing was known are poor.
    fn for_networks(&self) -> Vec<u32> {
        let all = 1..=self.state.generations.len() as u32;
        let is_poor =
            |number: &u32| !self.state.fitted && *number == 1 && self.state.generations.len() > 3;
        all.filter(|number| !is_poor(number)).collect()
    }

    /// Counts time to a phase, writes what was done every few seconds, and reports.
    fn note(
        &mut self,
        step: &Step,
        progress: Progress,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), LearnError> {
        self.state.seconds = self.clock.now();
        if self.clock.now() - self.clock.saved > SAVE {
            self.clock.saved = self.clock.now();
            self.state.step = Some(step.clone());
            self.state.write(&self.settings.folder)?;
        }
        watch(&Event::Progress(&self.state, progress));
        Ok(())
    }

    /// Whether the time for all runs is not used up.
    fn is_in_time(&self) -> bool {
        self.clock.now() < self.settings.time
    }

    /// The random numbers of a generation; other purposes have others.
    fn seed(&self, generation: u32, purpose: u64) -> u64 {
        let seed = SplitMix::new(self.state.seed).number();
        SplitMix::new(seed ^ u64::from(generation) << 8 ^ purpose).number() >> 16
    }

    /// Ends a generation. If it is kept, its evaluation is the one that others use from now on.
    fn end(&mut self, made: Generation, watch: Watch) -> Result<(), LearnError> {
        if made.kept {
            self.state.best = made.number;
        }
        self.state.generations.push(made);
        self.state.step = None;
        self.state.seconds = self.clock.now();
        self.state.write(&self.settings.folder)?;
        self.publish()?;
        self.report()?;
        if let Some(made) = self.state.generations.last() {
            watch(&Event::Generation(&self.state, made));
        }
        Ok(())
    }

    /// Writes the best evaluation under the name that others use.
    fn publish(&self) -> Result<(), LearnError> {
        self.folder.publish(self.state.best, &self.variants[0])
    }

    /// Writes the report.
    fn report(&self) -> Result<(), LearnError> {
        let variant = &self.variants[0];
        let first = self.folder.load(0, variant)?;
        let best = self.folder.load(self.state.best, variant)?;
        let page = report::Page {
            state: &self.state,
            variant,
            before: &first.evaluation.linear,
            after: &best.evaluation.linear,
            folder: &self.settings.folder,
            definition: self.settings.definition.as_deref(),
        };
        self.folder.write_report(&page.html())
    }

    /// What was done, in a line.
    pub fn summary(&self) -> String {
        let state = &self.state;
        let kept = state.kept().count();
        let games: u64 = state.generations.iter().map(|generation| generation.games).sum();
        let done = format!(
            "{}, {kept} kept, of {} in {:.0} s",
            counted(state.generations.len() as u64, "generation"),
            counted(games, "game"),
            state.seconds,
        );
        if kept == 0 {
            return done;
        }
        let elo = state.elo();
        let (difference, error) = (elo.difference, elo.error);
        format!("{done}: Elo {difference:+.0} ± {error:.0}, the sum of the matches that they won")
    }
}
