//! One session for all dialects: the game and its position, the options, the running work.

use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Event;
use super::games::{Games, GamesError};
use super::options::{DEFAULT_VARIANT, Setting};
use super::output::Output;
use super::work::{self, Ended, Kind, Work};
use crate::engine::{
    Control, EvalFile, Evaluation, Evaluator, Limits, Score, SearchEvent, Searcher,
    TranspositionTable, bench, wdl,
};
use crate::eval_files::{EvalFileError, read_eval_file};
use garrison_rules::{Move, Position, Setup, UnknownGame, Variant, find, shown};
use thiserror::Error;

/// Why the session cannot do something.
#[derive(Debug, Error)]
pub(super) enum SessionError {
    /// A search is running that the command would change.
    #[error("{0} while a search is running; send stop first")]
    Busy(String),
    /// There is no such game.
    #[error(transparent)]
    UnknownVariant(#[from] UnknownGame),
    /// Definitions of games have faults.
    #[error(transparent)]
    Definitions(#[from] GamesError),
    /// The hash table does not fit into memory.
    #[error("no memory for Hash {0}")]
    NoMemory(usize),
    /// The threads do not fit into memory.
    #[error("no memory for Threads {0}")]
    NoMemoryForThreads(usize),
    /// Not even one thread fits into memory.
    #[error("no memory for a search")]
    NoMemoryForSearch,
    /// The file of evaluation weights cannot be read.
    #[error("EvalFile '{}': {error}", shown(.path))]
    EvalFile {
        /// The file.
        path: String,
        /// Why.
        error: EvalFileError,
    },
    /// The evaluation weights are wrong, or not those of the game.
    #[error("EvalFile: {0}")]
    Evaluation(String),
    /// The depth of `bench` is out of range.
    #[error("bench depth '{}' is no number from {} to {}", shown(.0), bench::DEPTHS.start(), bench::DEPTHS.end())]
    BenchDepth(String),
    /// The system gives no thread.
    #[error("no thread for the work: {0}")]
    NoThread(#[from] std::io::Error),
}

pub(super) struct Session {
    pub output: Output,
    pub games: Games,
    pub position: Position,
    /// Whether the last position that was sent was accepted. If not, there is none to search: the other side believes
    /// in another than this.
    pub has_position: bool,
    searcher: Arc<Mutex<Searcher>>,
    /// The file of `EvalFile`, which takes the place of the evaluation that ships with the program.
    eval_file: Option<EvalFile>,
    /// Its evaluation, once it was read for the game that is set.
    evaluation: Option<Evaluation>,
    /// How many lines a search reports.
    pub multi_pv: usize,
    /// The time reserved on a clock for delays outside the engine.
    pub overhead: Duration,
    /// The most nodes of a search, if its strength is limited.
    skill: Option<u64>,
    /// Whether win, draw and loss chances are printed with scores.
    show_wdl: bool,
    /// Whether a weaker player analyzes with full strength, and both sides are seen alike.
    analyse_mode: bool,
    /// By how many centipawns a draw is worth less than an even position to the engine when it plays.
    contempt: i32,
    /// Whether kings and rooks may start anywhere on their rank, as in Chess960.
    pub castles_by_rook: bool,
    /// Whether setup plies are played where a front end may not know them.
    pub plays_setups: bool,
    /// The work that is running.
    work: Option<Work>,
    /// Sends this session the end of the work.
    done: SyncSender<Event>,
}

/// A search to be begun.
pub(super) struct Search {
    pub position: Position,
    /// When it ends. Options add more limits.
    pub limits: Limits,
    /// Whether it runs until it is stopped.
    pub infinite: bool,
    /// Whether it is a ponder search.
    pub ponder: bool,
}

/// The share of draws between equal players, if chances are to be printed.
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
    /// A session at the start of the default game; `None` if there is no memory for the hash table.
    pub fn new(output: Output, done: SyncSender<Event>) -> Option<Session> {
        let variant = find(DEFAULT_VARIANT).ok()?;
        Some(Session {
            output,
            games: Games::default(),
            position: Position::start(&variant),
            has_position: true,
            searcher: Arc::new(Mutex::new(Searcher::new(TranspositionTable::DEFAULT_SIZE)?)),
            eval_file: None,
            evaluation: None,
            multi_pv: 1,
            overhead: Limits::OVERHEAD,
            skill: None,
            show_wdl: false,
            analyse_mode: false,
            contempt: 0,
            castles_by_rook: false,
            plays_setups: false,
            work: None,
            done,
        })
    }

    /// The work that is running, if any.
    pub fn work(&self) -> Option<&Work> {
        self.work.as_ref()
    }

    /// Refuses a command that would change a running search.
    ///
    /// # Errors
    /// There is work.
    pub fn idle(&self, command: &str) -> Result<(), SessionError> {
        match self.work {
            Some(_) => Err(SessionError::Busy(command.to_string())),
            None => Ok(()),
        }
    }

    /// Waits for the end of the work, if there is some, and returns its result.
    pub fn join(&mut self) -> Option<Ended> {
        self.work.take().map(Work::join)
    }

    /// Stops the work as soon as possible; its end comes as an event like any other.
    pub fn stop(&self) {
        self.work.iter().for_each(Work::stop);
    }

    /// Carries out a setting. There must be no work.
    ///
    /// # Errors
    /// Why it cannot be done; nothing is changed then.
    pub fn set(&mut self, setting: Setting) -> Result<(), SessionError> {
        match setting {
            Setting::Variant(name) => self.set_variant(&name)?,
            Setting::VariantPath(path) => self.games.load(path.as_deref())?,
            Setting::Hash(size) => {
                if !self.searcher().resize(size) {
                    return Err(SessionError::NoMemory(size));
                }
            }
            Setting::MultiPv(lines) => self.multi_pv = lines,
            Setting::Threads(threads) => {
                if !self.searcher().has_memory_for(threads, self.position.variant()) {
                    return Err(SessionError::NoMemoryForThreads(threads));
                }
                self.searcher().set_threads(threads);
            }
            Setting::Overhead(overhead) => self.overhead = overhead,
            Setting::Skill(nodes) => self.skill = nodes,
            Setting::ShowWdl(show) => self.show_wdl = show,
            Setting::AnalyseMode(on) => self.analyse_mode = on,
            Setting::EvalFile(path) => self.set_eval_file(path.as_deref())?,
            Setting::Techniques(techniques) => self.searcher().set_techniques(techniques),
            Setting::EndingTables(most) => self.searcher().set_ending_tables(most),
            Setting::Contempt(centipawns) => self.contempt = centipawns,
            Setting::ClearHash => self.searcher().clear_table(),
            Setting::Chess960(on) => {
                self.castles_by_rook = on;
                self.position.set_castles_by_rook(on || self.position.variant().castles_by_rook());
            }
            Setting::SetupPhase(on) => self.plays_setups = on,
            // A front end sets it so that it may send `go ponder`.
            Setting::Ponder(_) => {}
            #[cfg(feature = "tuning")]
            Setting::Constant(name, value) => {
                crate::engine::set_search_param(name, value);
            }
        }
        Ok(())
    }

    /// Sets the game and its start position.
    ///
    /// # Errors
    /// There is no such game.
    pub fn set_variant(&mut self, name: &str) -> Result<(), SessionError> {
        let variant = self.games.find(name)?;
        // It belongs to the previous game.
        self.forget_evaluation();
        self.position = self.start_of(&variant);
        self.has_position = true;
        Ok(())
    }

    /// The start position of a game, with castling written as the front end wants it.
    pub fn start_of(&self, variant: &Arc<Variant>) -> Position {
        let mut position = Position::start(variant);
        if self.castles_by_rook {
            position.set_castles_by_rook(true);
        }
        position
    }

    /// An empty board of a game, with castling written as the front end wants it.
    pub fn empty_setup(&self) -> Setup {
        let mut setup = Setup::empty(self.position.variant());
        if self.castles_by_rook {
            setup.name_castling_by_rook();
        }
        setup
    }

    /// Clears the hash table and the search histories, and reads the evaluation of `EvalFile`.
    ///
    /// # Errors
    /// The evaluation is not for the game that is set. The file is kept: a front end may set the game after this.
    pub fn new_game(&mut self) -> Result<(), SessionError> {
        self.searcher().clear();
        self.read_evaluation()
    }

    /// Sets the file of the evaluation, or none for those that ship with the program. Whether it is for the
    /// game is checked when it is used: a front end may set the game after it.
    fn set_eval_file(&mut self, path: Option<&str>) -> Result<(), SessionError> {
        let read = |path: &str| {
            let file = read_eval_file(Path::new(path));
            file.map_err(|error| SessionError::EvalFile { path: path.to_string(), error })
        };
        self.eval_file = path.map(read).transpose()?;
        self.forget_evaluation();
        Ok(())
    }

    fn forget_evaluation(&mut self) {
        self.evaluation = None;
        let mut searcher = self.searcher();
        searcher.set_evaluation(None);
        searcher.set_profile(None);
    }

    /// Reads the evaluation of `EvalFile` for the game that is set, if that was not done before.
    ///
    /// # Errors
    /// It is not for this game; it is no longer used.
    pub fn use_eval_file(&mut self) -> Result<(), SessionError> {
        self.read_evaluation().inspect_err(|_| self.eval_file = None)
    }

    fn read_evaluation(&mut self) -> Result<(), SessionError> {
        if self.evaluation.is_some() {
            return Ok(());
        }
        let Some(file) = &self.eval_file else { return Ok(()) };
        let read = file.evaluation(self.position.variant());
        let evaluation = read.map_err(|error| SessionError::Evaluation(error.to_string()))?;
        let mut searcher = self.searcher();
        searcher.set_evaluation(Some(evaluation.clone()));
        searcher.set_profile(file.profile());
        drop(searcher);
        self.evaluation = Some(evaluation);
        Ok(())
    }

    /// The static evaluation for the side to move.
    pub fn evaluate(&self) -> Score {
        // The searcher may be busy, so this uses an evaluation of its own.
        let own = || Evaluation::new(self.position.variant());
        let mut evaluation = self.evaluation.clone().unwrap_or_else(own);
        Score::centipawns(evaluation.evaluate(&self.position))
    }

    /// Begins a search; `on_event` is called with its events. There must be no work.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn search(
        &mut self,
        search: Search,
        mut on_event: impl FnMut(&SearchEvent, Chances) + Send + 'static,
    ) -> Result<(), SessionError> {
        let Search { position, mut limits, infinite, ponder } = search;
        if !self.searcher().has_memory_for(1, position.variant()) {
            return Err(SessionError::NoMemoryForSearch);
        }
        (limits.multi_pv, limits.overhead) = (self.multi_pv, self.overhead);
        // A search by time or nodes is for a move that is played; all others analyze, and see both sides alike.
        let plays = !infinite && !self.analyse_mode && limits.is_by_time_or_nodes();
        limits.contempt = if plays { self.contempt } else { 0 };
        let skill = self.skill.filter(|_| !self.analyse_mode);
        limits.nodes = limits.nodes.into_iter().chain(skill).min();
        let (searcher, output) = (Arc::clone(&self.searcher), self.output.clone());
        let show_wdl = self.show_wdl;
        // A ponder search without limits continues after the hit until it is stopped.
        let limited = !infinite && !limits.is_infinite();
        let on_clock = limits.clock.is_some();
        let kind = Kind { searches: true, limited, ponders: ponder, on_clock };
        self.begin(kind, move |control| {
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            let draws = show_wdl.then(|| searcher.profile(position.variant()).draws);
            let report = |news: &SearchEvent| {
                on_event(news, Chances(draws));
                // The reader of the output is gone.
                if output.is_closed() {
                    control.stop();
                }
            };
            Ended::Search(work::search(
                &position,
                &limits,
                infinite,
                control,
                &mut searcher,
                report,
            ))
        })
    }

    /// Begins perft, each root move written by `text`. There must be no work.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn perft(
        &mut self,
        depth: u32,
        text: impl Fn(&Position, Move) -> String + Send + 'static,
    ) -> Result<(), SessionError> {
        let position = self.position.clone();
        self.begin(Kind::COUNT, move |control| {
            Ended::Text(work::perft(&position, depth, control, text))
        })
    }

    /// Begins the benchmark, to a depth given as text, or to the default depth. There must be no work.
    ///
    /// # Errors
    /// The depth is no number in range, or the system gives no thread.
    pub fn bench(&mut self, text: &str) -> Result<(), SessionError> {
        let depth = match text {
            "" => bench::DEFAULT_DEPTH,
            text => {
                let depth = text.parse().ok().filter(|depth| bench::DEPTHS.contains(depth));
                depth.ok_or_else(|| SessionError::BenchDepth(text.to_string()))?
            }
        };
        let output = self.output.clone();
        self.begin(Kind::COUNT, move |control| {
            Ended::Text(work::run_bench(depth, control, &output))
        })
    }

    /// The searcher, which is free while the session is idle.
    fn searcher(&self) -> MutexGuard<'_, Searcher> {
        self.searcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(
        &mut self,
        kind: Kind,
        job: impl FnOnce(&Control) -> Ended + Send + 'static,
    ) -> Result<(), SessionError> {
        self.work = Some(Work::begin(kind, &self.done, job)?);
        Ok(())
    }
}
