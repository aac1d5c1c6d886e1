//! The search: iterative deepening of a principal-variation search, one thread or several over a
//! shared table.

mod lead;
mod learn;
mod moves;
mod node;
mod params;
mod prune;
mod quiesce;
mod technique;
mod win;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::eval::Evaluation;
use super::exchange::Worth;
use super::history::History;
use super::limits::{Control, Limits};
use super::score::Score;
use super::table::Table;
use super::time::Iteration;
use super::{MAX_PLY, STACK_SIZE};
use garrison_rules::{Move, Position, Variant};
use lead::Lead;
pub use technique::{Technique, Techniques};
use worker::{Memory, RootMove, Shared, Worker};

/// What a search knows after an iteration.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Plies searched.
    pub depth: u32,
    /// The place of this line among those reported together, from 1 for the best.
    pub multipv: usize,
    /// Plies of the longest line looked at.
    pub seldepth: usize,
    /// The score of the side to move.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// The best line.
    pub pv: Vec<Move>,
}

/// What a search tells while it runs.
#[derive(Debug, Clone)]
pub enum News {
    /// A line that an iteration found.
    Line(Progress),
    /// A move of the root that is being tried now.
    Move {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place among the moves of the root, from 1.
        number: usize,
        /// Time since the search began.
        time: Duration,
    },
}

/// What a search ends with: nothing if the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Found {
    /// The best move.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
}

/// The most threads that can be asked for.
pub const MOST_THREADS: usize = 512;

/// What searches one position after another: the table, the threads and what they learned. A search
/// by one thread with a limit of nodes or depth is the same after every [`Searcher::clear`].
#[derive(Debug)]
pub struct Searcher {
    table: Table,
    threads: usize,
    techniques: Techniques,
    /// The game that the memories are of, and what judges it: reading that anew takes a while.
    judged: Option<(Arc<Variant>, Evaluation)>,
    worth: Option<Worth>,
    /// An evaluation that takes the place of the game's own.
    given: Option<Evaluation>,
    memories: Vec<Memory>,
    nodes: u64,
}

impl Searcher {
    /// One thread and a table of this many MiB; `None` if there is no memory for it.
    pub fn new(mebibytes: usize) -> Option<Searcher> {
        Some(Searcher {
            table: Table::new(mebibytes)?,
            threads: 1,
            techniques: Techniques::default(),
            judged: None,
            worth: None,
            given: None,
            memories: Vec::new(),
            nodes: 0,
        })
    }

    /// Changes the size of the table, which is empty afterwards; says whether there was memory for
    /// it. If not, the old one stays.
    pub fn resize(&mut self, mebibytes: usize) -> bool {
        let table = Table::new(mebibytes);
        let done = table.is_some();
        self.table = table.unwrap_or_else(|| std::mem::take(&mut self.table));
        done
    }

    /// Changes the number of threads, at least 1.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, MOST_THREADS);
        self.memories.truncate(self.threads);
    }

    /// Changes which techniques are used.
    pub fn set_techniques(&mut self, techniques: Techniques) {
        self.techniques = techniques;
    }

    /// Changes the evaluation to one that was made for the game that is searched next; none for the one
    /// that ships with the program.
    pub fn set_evaluation(&mut self, evaluation: Option<Evaluation>) {
        self.given = evaluation;
        self.judged = None;
        self.clear();
    }

    /// The evaluation of a game. What was learned from another game is forgotten.
    pub fn evaluation(&mut self, variant: &Arc<Variant>) -> &Evaluation {
        self.leave_other(variant);
        let read = || self.given.clone().unwrap_or_else(|| Evaluation::new(variant));
        &self.judged.get_or_insert_with(|| (Arc::clone(variant), read())).1
    }

    /// Forgets everything it learned, table and histories, as before a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.forget();
    }

    /// Empties the table only.
    pub fn clear_table(&mut self) {
        self.table.clear();
    }

    fn forget(&mut self) {
        self.memories.clear();
        self.worth = None;
    }

    /// Positions visited by the last search, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets what was learned from another game.
    fn leave_other(&mut self, variant: &Arc<Variant>) {
        if self.judged.as_ref().is_some_and(|(known, _)| !Arc::ptr_eq(known, variant)) {
            self.forget();
            self.judged = None;
        }
    }

    /// Makes the memories those of this game.
    fn prepare(&mut self, variant: &Arc<Variant>) {
        self.leave_other(variant);
        if self.worth.is_some() && self.memories.len() >= self.threads {
            return;
        }
        let evaluation = self.evaluation(variant).clone();
        let linear = &evaluation.linear;
        let (board, hand) = (|kind| linear.piece_value(kind), |kind| linear.hand_value(kind));
        self.worth = Some(Worth::new(variant, board, hand));
        while self.memories.len() < self.threads {
            let evaluator = Box::new(evaluation.clone());
            self.memories.push(Memory::new(History::new(variant), evaluator));
        }
    }

    /// Searches until a limit or a stop, telling every finished iteration: its lines, best first.
    /// The past of the position counts for repetition. It needs a stack of [`STACK_SIZE`] bytes.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        mut report: impl FnMut(&News),
    ) -> Found {
        self.nodes = 0;
        let mut moves = position.legal_moves();
        if !limits.search_moves.is_empty() {
            moves.retain(|mv| limits.search_moves.contains(mv));
        }
        if moves.is_empty() || is_finished(position) {
            return Found::default();
        }
        self.prepare(position.variant());
        let plies = self.evaluation(position.variant()).linear.course().plies;
        self.table.next_generation();
        let Some(worth) = &self.worth else { return Found::default() };
        let shared = Shared {
            limits,
            control,
            table: &self.table,
            techniques: self.techniques,
            worth,
            side: position.side(),
            plies,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            lead: Lead::new(self.memories.len()),
        };
        let Some((first, others)) = self.memories.split_first_mut() else {
            return Found::default();
        };
        let found = thread::scope(|scope| {
            for (number, memory) in others.iter_mut().enumerate() {
                let (shared, moves) = (&shared, &moves);
                let help = move || {
                    Worker::new(position, shared, memory, moves, number + 1).help();
                };
                // Without a thread to help, the first does it alone.
                let _ = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, help);
            }
            let mut worker = Worker::new(position, &shared, first, &moves, 0);
            worker.news = Some(&mut report);
            let found = worker.deepen();
            shared.done.store(true, Ordering::Relaxed);
            found
        });
        self.nodes = shared.nodes.load(Ordering::Relaxed);
        found
    }
}

impl Worker<'_> {
    /// Iterates without telling, until the first thread has finished.
    fn help(&mut self) {
        while self.depth < self.deepest() && !self.aborted {
            self.iterate_on();
        }
        self.tell_nodes();
    }

    /// One iteration more, at the depth that is next for this thread.
    fn iterate_on(&mut self) {
        let depth = self.shared.lead.next(self.number).min(self.deepest());
        self.iterate(depth, self.lines_wanted());
    }

    /// The depth at which the search ends.
    fn deepest(&self) -> i32 {
        let deepest = MAX_PLY as u32 - 1;
        self.shared.limits.depth.unwrap_or(deepest).clamp(1, deepest) as i32
    }

    fn lines_wanted(&self) -> usize {
        self.shared.limits.multi_pv.clamp(1, self.roots.len().max(1))
    }

    /// Iterates until a limit or a stop.
    fn deepen(&mut self) -> Found {
        let mut best = self.roots[0].mv;
        let mut stable_for = 0;
        let mut average: Option<i32> = None;
        while self.depth < self.deepest() {
            self.iterate_on();
            self.seek_win();
            self.tell_nodes();
            self.report();
            if self.aborted {
                break;
            }
            let root = &self.roots[0];
            stable_for = if root.mv == best { stable_for + 1 } else { 0 };
            best = root.mv;
            let value = root.score.value();
            let facts = Iteration {
                depth: self.depth as u32,
                stable_for,
                score_drop: average.map_or(0, |average| average - value),
                effort: self.effort,
                moves: self.roots.len(),
            };
            average = Some(average.map_or(value, |average| (3 * average + value) / 4));
            if self.is_enough(&facts) {
                break;
            }
        }
        let line = &self.roots[0].line;
        Found { best: line.first().copied(), ponder: line.get(1).copied() }
    }

    /// Tells the lines of an iteration; one that was broken off tells what it came to, and behind it
    /// the lines of the one before.
    fn report(&mut self) {
        let told = self.roots.iter().filter(|root| root.depth > 0).take(self.lines_wanted());
        let news = told.enumerate().map(|(index, root)| self.news_of(index + 1, root)).collect();
        self.tell(self.depth, news);
    }

    /// Tells the lines that another thread found, while this one is at a deeper iteration.
    fn report_lead(&mut self) {
        let (depth, finished) = self.shared.lead.finished();
        let news =
            (1..).zip(&finished.lines).map(|(multipv, root)| self.news_of(multipv, root)).collect();
        self.tell(depth, news);
    }

    fn tell(&mut self, depth: i32, news: Vec<News>) {
        self.reported = depth;
        if let Some(tell) = &mut self.news {
            news.iter().for_each(tell);
        }
    }

    /// Tells which move of the root is being tried.
    fn report_move(&mut self, mv: Move, number: usize) {
        let (depth, time) = (self.depth as u32, self.shared.control.age());
        if let Some(tell) = &mut self.news {
            tell(&News::Move { depth, mv, number: self.rank + number, time });
        }
    }

    fn news_of(&self, multipv: usize, root: &RootMove) -> News {
        News::Line(Progress {
            depth: root.depth as u32,
            multipv,
            seldepth: root.seldepth,
            score: root.previous_if_unjudged(),
            nodes: self.shared.nodes.load(Ordering::Relaxed),
            time: self.shared.control.age(),
            hashfull: self.shared.table.permille(),
            pv: root.line.clone(),
        })
    }

    /// Whether no further iteration is worth its time.
    fn is_enough(&self, facts: &Iteration) -> bool {
        let shared = self.shared;
        let mate = self.roots[0].score.mate_distance().filter(|&plies| plies > 0);
        if let (Some(wanted), Some(plies)) = (shared.limits.mate, mate)
            && (plies as u32).div_ceil(2) <= wanted
        {
            return true;
        }
        let known = self.seeker.is_done() && shared.limits.clock.is_some();
        !shared.control.is_pondering()
            && (known || shared.time().is_enough(shared.control.elapsed(), facts))
    }
}

/// Whether the game is over, not only by a draw that would have to be claimed.
fn is_finished(position: &Position) -> bool {
    let claim = position.variant().end().claim;
    position.status().outcome().is_some_and(|outcome| outcome.winner.is_some() || !claim)
}
