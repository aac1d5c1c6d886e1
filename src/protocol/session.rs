//! One session, whatever dialect it speaks: the game and its position, the options, the work that may be
//! running.

use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Event;
use super::games::Games;
use super::options::{DEFAULT_VARIANT, Setting};
use super::output::Output;
use super::work::{self, Ended, Kind, Work};
use crate::engine::{
    Control, Evaluation, Evaluator, Limits, Score, SearchEvent, Searcher, TranspositionTable,
    bench, wdl,
};
use crate::files::read_text;
use garrison_rules::{Move, Position, find, shown};

/// The longest table that is read, in bytes; those that ship are far shorter.
const MOST_TABLE_BYTES: u64 = 4 << 20;

pub(super) struct Session {
    pub output: Output,
    pub games: Games,
    pub position: Position,
    searcher: Arc<Mutex<Searcher>>,
    /// The text of a table that judges in place of the game's own.
    table: Option<String>,
    /// That table, once it was read for the game that is set.
    evaluation: Option<Evaluation>,
    /// How many lines a search tells.
    pub multi_pv: usize,
    /// What is kept back of a clock.
    pub overhead: Duration,
    /// The most nodes of a search, if it is to play weaker than it can.
    skill: Option<u64>,
    /// Whether scores are told as chances too.
    show_wdl: bool,
    /// Whether a weaker player analyzes with full strength.
    analyse_mode: bool,
    /// Whether setup plies are played where a front end may not know them.
    pub plays_setups: bool,
    /// What another thread does.
    work: Option<Work>,
    /// What tells this session that the work is done.
    done: SyncSender<Event>,
}

/// A search to be begun.
pub(super) struct Search {
    pub position: Position,
    /// When it ends. Options add to it.
    pub limits: Limits,
    /// Whether it goes on until it is stopped, whatever it finds.
    pub infinite: bool,
    /// Whether it thinks on the other side's time.
    pub ponder: bool,
}

/// The share of draws between equals, if chances are told.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Chances(Option<f64>);

impl Chances {
    /// `wdl W D L ` in thousandths, or nothing.
    pub fn text(self, score: Score) -> String {
        self.0.map_or(String::new(), |draws| {
            let [won, drawn, lost] = wdl(score, draws);
            format!("wdl {won} {drawn} {lost} ")
        })
    }
}

impl Session {
    /// A session at the start of the default game; `None` if there is no memory for the table.
    pub fn new(output: Output, done: SyncSender<Event>) -> Option<Session> {
        let variant = find(DEFAULT_VARIANT).ok()?;
        Some(Session {
            output,
            games: Games::default(),
            position: Position::start(&variant),
            searcher: Arc::new(Mutex::new(Searcher::new(TranspositionTable::DEFAULT_SIZE)?)),
            table: None,
            evaluation: None,
            multi_pv: 1,
            overhead: Limits::OVERHEAD,
            skill: None,
            show_wdl: false,
            analyse_mode: false,
            plays_setups: false,
            work: None,
            done,
        })
    }

    /// What is being done, if anything is.
    pub fn work(&self) -> Option<&Work> {
        self.work.as_ref()
    }

    /// Refuses a command that would change what a search without limit searches.
    ///
    /// # Errors
    /// There is work.
    pub fn idle(&self, command: &str) -> Result<(), String> {
        match self.work {
            Some(_) => Err(format!("{command} while a search is running; send stop first")),
            None => Ok(()),
        }
    }

    /// Waits for the end of the work, if there is some, and says what it came to.
    pub fn join(&mut self) -> Option<Ended> {
        self.work.take().map(Work::join)
    }

    /// Ends the work as soon as possible; its end is heard like any other.
    pub fn stop(&self) {
        self.work.iter().for_each(Work::stop);
    }

    /// Carries out a setting. There must be no work.
    ///
    /// # Errors
    /// Why it cannot be done; nothing is changed then.
    pub fn set(&mut self, setting: Setting) -> Result<(), String> {
        match setting {
            Setting::Variant(name) => self.set_variant(&name)?,
            Setting::VariantPath(path) => self.games.load(path.as_deref())?,
            Setting::Hash(size) => {
                if !self.searcher().resize(size) {
                    return Err(format!("no memory for Hash {size}"));
                }
            }
            Setting::MultiPv(lines) => self.multi_pv = lines,
            Setting::Threads(threads) => self.searcher().set_threads(threads),
            Setting::Overhead(overhead) => self.overhead = overhead,
            Setting::Skill(nodes) => self.skill = nodes,
            Setting::ShowWdl(show) => self.show_wdl = show,
            Setting::AnalyseMode(on) => self.analyse_mode = on,
            Setting::EvalFile(path) => self.set_table(path.as_deref())?,
            Setting::Techniques(techniques) => self.searcher().set_techniques(techniques),
            Setting::ClearHash => self.searcher().clear_table(),
            Setting::SetupPhase(on) => self.plays_setups = on,
            // A front end sets it so that it may send `go ponder`.
            Setting::Ponder(_) => {}
        }
        Ok(())
    }

    /// Sets the game and its start position.
    ///
    /// # Errors
    /// There is no such game.
    pub fn set_variant(&mut self, name: &str) -> Result<(), String> {
        let variant = self.games.find(name).map_err(|unknown| unknown.to_string())?;
        // It was of the game before.
        self.forget_evaluation();
        self.position = Position::start(&variant);
        Ok(())
    }

    /// Forgets what was learned from the game before.
    pub fn new_game(&mut self) {
        self.searcher().clear();
    }

    /// Judges by a table in a file, or again by those that ship with the program. Whether it is one of
    /// the game is seen when it is used: a front end may set the game after it.
    fn set_table(&mut self, path: Option<&str>) -> Result<(), String> {
        let read = |path: &str| {
            let text = read_text(Path::new(path), MOST_TABLE_BYTES);
            text.map_err(|fault| format!("EvalFile '{}': {fault}", shown(path)))
        };
        self.table = path.map(read).transpose()?;
        self.forget_evaluation();
        Ok(())
    }

    fn forget_evaluation(&mut self) {
        self.evaluation = None;
        self.searcher().set_evaluation(None);
    }

    /// Reads the table for the game that is set, if that was not done before.
    ///
    /// # Errors
    /// It is wrong; it is done without from now on.
    pub fn use_table(&mut self) -> Result<(), String> {
        if self.evaluation.is_some() {
            return Ok(());
        }
        let Some(text) = &self.table else { return Ok(()) };
        match Evaluation::from_text(self.position.variant(), text) {
            Ok(evaluation) => {
                self.searcher().set_evaluation(Some(evaluation.clone()));
                self.evaluation = Some(evaluation);
                Ok(())
            }
            Err(error) => {
                self.table = None;
                Err(format!("EvalFile: {error}"))
            }
        }
    }

    /// The static evaluation for the side to move.
    pub fn evaluate(&self) -> Score {
        // What searches may be busy: it is not asked.
        let own = || Evaluation::new(self.position.variant());
        let mut evaluation = self.evaluation.clone().unwrap_or_else(own);
        Score::centipawns(evaluation.evaluate(&self.position))
    }

    /// Begins a search, of which `tell` hears. There must be no work.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn search(
        &mut self,
        search: Search,
        mut tell: impl FnMut(&SearchEvent, Chances) + Send + 'static,
    ) -> Result<(), String> {
        let Search { position, mut limits, infinite, ponder } = search;
        (limits.multi_pv, limits.overhead) = (self.multi_pv, self.overhead);
        let skill = self.skill.filter(|_| !self.analyse_mode);
        limits.nodes = limits.nodes.into_iter().chain(skill).min();
        let (searcher, output) = (Arc::clone(&self.searcher), self.output.clone());
        let show_wdl = self.show_wdl;
        // One that ponders without any limit goes on after the hit until it is stopped.
        let limited = !infinite && !limits.is_infinite();
        let kind = Kind { searches: true, limited, ponders: ponder };
        self.begin(kind, move |control| {
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            let draws =
                show_wdl.then(|| searcher.evaluation(position.variant()).linear.course().draws);
            let told = |news: &SearchEvent| {
                tell(news, Chances(draws));
                // Nobody reads any more.
                if output.is_closed() {
                    control.stop();
                }
            };
            Ended::Search(work::search(&position, &limits, infinite, control, &mut searcher, told))
        })
    }

    /// Begins to count legal move paths, each move written by `text`. There must be no work.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn perft(
        &mut self,
        depth: u32,
        text: impl Fn(&Position, Move) -> String + Send + 'static,
    ) -> Result<(), String> {
        let position = self.position.clone();
        self.begin(Kind::COUNT, move |control| {
            Ended::Text(work::perft(&position, depth, control, text))
        })
    }

    /// Begins the fixed work that measures speed, to a depth given as text, or the usual one. There must
    /// be no work.
    ///
    /// # Errors
    /// The depth is no number in range, or the system gives no thread.
    pub fn bench(&mut self, text: &str) -> Result<(), String> {
        let depth = match text {
            "" => bench::DEFAULT_DEPTH,
            text => text.parse().ok().filter(|depth| bench::DEPTHS.contains(depth)).ok_or_else(
                || format!("bench depth '{}' is no number from 1 to 32", shown(text)),
            )?,
        };
        let output = self.output.clone();
        self.begin(Kind::COUNT, move |control| {
            Ended::Text(work::run_bench(depth, control, &output))
        })
    }

    /// What searches; nobody else has it while the session is idle.
    fn searcher(&self) -> MutexGuard<'_, Searcher> {
        self.searcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(
        &mut self,
        kind: Kind,
        job: impl FnOnce(&Control) -> Ended + Send + 'static,
    ) -> Result<(), String> {
        self.work = Some(Work::begin(kind, &self.done, job)?);
        Ok(())
    }
}
