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
mod games;
mod gate;
mod lock;
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
use crate::engine::{Control, Evaluation};
use crate::training::network::network_weights;
use crate::training::prior::{self, Start};
use crate::training::sample::Keep;
use crate::training::selfplay::Conditions;
use crew::{searcher, share};
use files::Saved;
use fit::{Fitted, Kind, Task};
use games::GameFile;
use garrison_rules::random::SplitMix;
use garrison_rules::{Variant, counted};
use gate::{Decision, Match, Rivals};
use lock::Lock;
use plan::Outlook;

/// The nodes of a move in self-play. Many positions of small searches teach more than few of larger ones (docs/tuning.md).
const NODES: u64 = 200;

/// Random plies of the openings of self-play.
const PLIES: u32 = 8;

/// No fit is made of fewer games, unless they take thrice the time that was meant for them.
const LEAST_GAMES: u64 = 40;

/// No match ends before so many pairs, unless they take thrice the time that was meant for them.
const LEAST_PAIRS: u64 = 16;

/// If so many games give no position, no more will.
const FRUITLESS: u64 = 60;

/// Tables are fitted to the games of so many generations, and one more for each that was not kept.
const WINDOW: usize = 4;

/// How often what was done is written while a phase lasts, in seconds.
const SAVE: f64 = 5.0;

/// What a run is asked for.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where everything is kept.
    pub folder: PathBuf,
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
        let variant = &self.variants[0];
        let data = self.for_networks();
        let positions = |number: &u32| self.state.generations[*number as usize - 1].positions;
        let outlook = Outlook {
            state: &self.state,
            total: self.settings.time,
            weights_of_a_neuron: (network_weights(variant, 2) - network_weights(variant, 1)) as u64,
            positions: data.iter().map(positions).sum(),
        };
        let plan = outlook.plan()?;
        let from = self.state.best;
        let made = Generation { number, hidden: plan.hidden, from, ..Generation::default() };
        Some(Step { phase: Phase::Play, play: [plan.play, 0.0], test: [plan.test, 0.0], made })
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

    fn conditions(&self, step: &Step, player: &Saved) -> Conditions {
        Conditions {
            variants: self.variants.clone(),
            seed: self.seed(step.made.number, 1),
            // Where games teach no more, deeper searches do (docs/tuning.md).
            nodes: NODES << (self.state.failures() / 2).min(2),
            plies: PLIES,
            hash: self.settings.hash,
            keep: Keep::Aside,
            shard: None,
            evaluation: Some(player.checksum.clone()),
        }
    }

    /// Lets the best evaluation play against itself.
    fn play(
        &mut self,
        mut step: Step,
        control: &Control,
        watch: Watch,
    ) -> Result<Option<Step>, LearnError> {
        let player = self.folder.load(step.made.from, &self.variants[0])?;
        let conditions = self.conditions(&step, &player);
        let path = self.folder.data(step.made.number);
        let mut file = GameFile::open(&path, &conditions.header())?;
        let before = file.games;
        let begun = Instant::now();
        let hash = self.settings.hash;
        let workers = (0..self.settings.threads).map(|_| searcher(hash, &player.evaluation));
        let workers = workers.collect::<Result<Vec<_>, _>>()?;
        let most = self.settings.games;
        let numbers = file.games + 1..most.unwrap_or(u64::MAX - 1) + 1;
        let outcome = share(
            workers,
            numbers,
            control,
            |searcher, number, control| conditions.play(number, searcher, control),
            |game| {
                if let Some(game) = game {
                    file.push(&game)?;
                }
                step.play[1] += self.clock.passed();
                (step.made.games, step.made.positions) = (file.games, file.positions);
                let rate = (file.games - before) as f64 / begun.elapsed().as_secs_f64().max(1e-3);
                self.note(&step, Progress::Games(file.games, file.positions, rate), watch)?;
                if file.positions == 0 && file.games >= FRUITLESS {
                    return Err(LearnError::NothingToLearn(file.games));
                }
                Ok(most.is_some() || !is_enough(&step) && self.is_in_time())
            },
        );
        (step.made.games, step.made.positions) = (file.games, file.positions);
        if let Err(fault) = outcome {
            self.state.step = Some(step);
            return Err(fault);
        }
        step.made.seconds += step.play[1];
        watch(&Event::Ends(&self.state, &step));
        step.phase = Phase::Fit;
        Ok(Some(step))
    }

    /// The generations whose games a network learns from. The first ones of a game of which nothing was known are poor.
    fn for_networks(&self) -> Vec<u32> {
        let all = 1..=self.state.generations.len() as u32;
        let is_poor =
            |number: &u32| !self.state.fitted && *number == 1 && self.state.generations.len() > 3;
        all.filter(|number| !is_poor(number)).collect()
    }

    /// The files of games that a generation learns from.
    fn data(&self, made: &Generation) -> Vec<PathBuf> {
        let mut numbers = self.for_networks();
        if made.hidden == 0 {
            let wanted = WINDOW - 1 + self.state.failures();
            numbers = (1..made.number).collect();
            numbers.drain(..numbers.len().saturating_sub(wanted));
        }
        numbers.push(made.number);
        let paths = numbers.into_iter().map(|number| self.folder.data(number));
        // Somebody may have deleted what could not be read.
        let paths: Vec<PathBuf> = paths.filter(|path| path.exists()).collect();
        games::with_room(paths)
    }

    /// Fits a new evaluation to the games.
    fn fit(
        &mut self,
        mut step: Step,
        control: &Control,
        watch: Watch,
    ) -> Result<Option<Step>, LearnError> {
        let best = self.folder.load(step.made.from, &self.variants[0])?;
        let data = self.data(&step.made);
        watch(&Event::Progress(&self.state, Progress::Reading));
        let kind = match step.made.hidden {
            0 => self.table(&step, &best),
            neurons => Kind::Network(neurons as usize),
        };
        let left = (self.settings.time - self.clock.now()).max(60.0);
        let comment = format!(
            "Generation {} of `garrison learn {}`, seed {}.",
            step.made.number, self.state.game, self.state.seed
        );
        let task = Task {
            variant: Arc::clone(&self.variants[0]),
            data,
            profile: best.profile,
            best: best.evaluation,
            comment,
            seed: self.seed(step.made.number, 2),
            threads: self.settings.threads,
            kind,
            longest: left * 0.5,
        };
        let name = Folder::network_name(step.made.number);
        let (state, clock) = (&mut self.state, &self.clock);
        let fitted = fit::fit(task, name, control, |epoch, epochs, loss| {
            state.seconds = clock.now();
            watch(&Event::Progress(state, Progress::Epochs(epoch, epochs, loss)));
        })?;
        step.made.fit_seconds = self.clock.passed();
        step.made.seconds += step.made.fit_seconds;
        let Some(Fitted { weights, network, positions, loss }) = fitted else {
            self.end(step.made, watch)?;
            return Ok(None);
        };
        self.folder.save(step.made.number, &weights, network.as_deref())?;
        (step.made.learned, step.made.loss) = (positions, loss);
        watch(&Event::Ends(&self.state, &step));
        step.phase = Phase::Match;
        Ok(Some(step))
    }

    /// What the fit of a table begins with, and as how many positions that counts.
    fn table(&self, step: &Step, best: &Saved) -> Kind {
        let linear = best.evaluation.linear.clone();
        match (step.made.from, self.state.fitted) {
            (0, false) => Kind::Table(Start::General(linear), prior::GENERAL),
            (0, true) => Kind::Table(Start::Fitted(linear), prior::FITTED),
            // The games that it was fitted to are learned from again.
            _ => Kind::Table(Start::Fitted(linear), prior::GUESSED),
        }
    }

    /// Lets the new evaluation play against the best.
    fn test(
        &mut self,
        mut step: Step,
        control: &Control,
        watch: Watch,
    ) -> Result<Option<Step>, LearnError> {
        let sides = [step.made.number, step.made.from];
        let evaluations: Vec<Evaluation> = sides
            .iter()
            .map(|&number| Ok(self.folder.load(number, &self.variants[0])?.evaluation))
            .collect::<Result<_, LearnError>>()?;
        let hash = self.settings.hash;
        let rivals = || -> Result<Rivals, LearnError> {
            Ok([searcher(hash, &evaluations[0])?, searcher(hash, &evaluations[1])?])
        };
        if step.made.nodes == [0; 2] {
            step.made.nodes = self.nodes(&evaluations, rivals()?, control)?;
        }
        let seed = self.seed(step.made.number, 3);
        let plan = Match { variants: self.variants.clone(), seed, nodes: step.made.nodes };
        let workers = (0..self.settings.threads).map(|_| rivals());
        let workers = workers.collect::<Result<Vec<_>, _>>()?;
        let most = self.settings.pairs.unwrap_or(gate::MOST_PAIRS);
        let is_over = |made: &Generation| gate::decision(&made.tally()) != Decision::Open;
        let first: u64 = step.made.pairs.iter().sum();
        let end = if is_over(&step.made) { first } else { most.max(first) };
        let has_limit = self.settings.pairs.is_some();
        let outcome = share(
            workers,
            first..end,
            control,
            |rivals, number, control| plan.pair(number, rivals, control),
            |pair: Option<[usize; 2]>| {
                if let Some(points) = pair {
                    points.iter().for_each(|&points| step.made.results[points] += 1);
                    step.made.pairs[points[0] + points[1]] += 1;
                }
                step.test[1] += self.clock.passed();
                self.note(&step, Progress::Match(step.made.tally()), watch)?;
                let lasts = has_limit || !is_tried(&step) && self.is_in_time();
                Ok(!is_over(&step.made) && lasts)
            },
        );
        if let Err(fault) = outcome {
            self.state.step = Some(step);
            return Err(fault);
        }
        step.made.seconds += step.test[1];
        step.made.kept = gate::is_won(&step.made);
        self.end(step.made, watch)?;
        Ok(None)
    }

    /// The nodes of a move for each side of a match: the same unless one evaluation is faster.
    fn nodes(
        &self,
        evaluations: &[Evaluation],
        rivals: Rivals,
        control: &Control,
    ) -> Result<[u64; 2], LearnError> {
        let hidden =
            |evaluation: &Evaluation| evaluation.network().map(|network| network.weights().hidden);
        if hidden(&evaluations[0]) == hidden(&evaluations[1]) {
            return Ok([gate::NODES; 2]);
        }
        let mut nodes = [gate::NODES; 2];
        let measure = |rivals: &mut Rivals, _: u64, control: &Control| {
            Some(gate::fair_nodes(&self.variants, rivals, control))
        };
        share(vec![rivals], 0..1, control, measure, |measured| {
            nodes = measured.unwrap_or(nodes);
            Ok(true)
        })?;
        Ok(nodes)
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
        };
        self.folder.write_report(&page.html())
    }

    /// What was done, in a line.
    pub fn summary(&self) -> String {
        let state = &self.state;
        let kept = state.kept().count();
        let games: u64 = state.generations.iter().map(|generation| generation.games).sum();
        let elo = state.elo();
        format!(
            "{}, {kept} kept, of {} in {:.0} s: Elo {:+.0} ± {:.0} over what was begun with",
            counted(state.generations.len() as u64, "generation"),
            counted(games, "game"),
            state.seconds,
            elo.difference,
            elo.error
        )
    }
}

/// Whether the match of a generation has lasted long enough.
fn is_tried(step: &Step) -> bool {
    let [meant, done] = step.test;
    let pairs: u64 = step.made.pairs.iter().sum();
    done >= meant && pairs >= LEAST_PAIRS || done >= 3.0 * meant
}

/// Whether a generation has played enough.
fn is_enough(step: &Step) -> bool {
    let [meant, done] = step.play;
    done >= meant && step.made.games >= LEAST_GAMES || done >= 3.0 * meant
}
