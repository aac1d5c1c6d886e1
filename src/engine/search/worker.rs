//! One thread of a search: its position, its frames, what it learned, and the deepening of its
//! iterations.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::lead::{Finished, Lead};
use super::params::{ASPIRATION, ASPIRATION_DEPTH, reduction};
use super::technique::{Technique, Techniques};
use super::win::Seeker;
use super::{MAX_PLY, News, Score};
use crate::engine::eval::Evaluator;
use crate::engine::exchange::Worth;
use crate::engine::history::{Arrival, History};
use crate::engine::limits::{Control, Limits};
use crate::engine::memory::prefetch;
use crate::engine::table::Table;
use crate::engine::time::TimeManager;
use garrison_rules::{Color, Key, Move, Outcome, Position};

/// How often time, stop and the other threads are looked at, in nodes.
const CHECK_EVERY: u64 = 512;

/// Frames before the root, so that what lies some plies back can be asked for everywhere.
const BEFORE: usize = 4;

/// Numbers of moves for which reductions are tabled.
const REDUCED_MOVES: usize = 128;

/// Reductions by depth and number of the move.
static REDUCTIONS: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let of_depth = |depth| (0..REDUCED_MOVES).map(move |number| reduction(depth, number));
    (0..=MAX_PLY as i32).flat_map(of_depth).collect()
});

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub table: &'a Table,
    pub techniques: Techniques,
    pub worth: &'a Worth,
    /// The side whose time counts.
    pub side: Color,
    /// How long a game lasts on average.
    pub plies: f64,
    /// Set when the first thread has finished.
    pub done: AtomicBool,
    /// Positions visited by all threads, up to date to some hundreds.
    pub nodes: AtomicU64,
    pub lead: Lead,
}

impl Shared<'_> {
    /// The times of the move; a ponder hit may have told the clock anew.
    pub fn time(&self) -> TimeManager {
        TimeManager::new(self.limits, self.control.clock(), self.side, self.plies)
    }
}

/// What a node leaves for those around it.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The static evaluation, unless the royal is attacked.
    pub eval: Option<Score>,
    pub check: bool,
    pub arrival: Arrival,
    pub passed: bool,
    pub excluded: Option<Move>,
    pub killers: [Option<Move>; 2],
    pub double_extensions: u8,
    /// Beta cutoffs in the children.
    pub cutoffs: u32,
    /// The best line from here on.
    pub line: Vec<Move>,
    pub lists: [Vec<(i32, Move)>; 2],
    pub quiets: Vec<Move>,
}

impl Frame {
    fn new(arrival: Arrival) -> Frame {
        Frame {
            eval: None,
            check: false,
            arrival,
            passed: false,
            excluded: None,
            killers: [None; 2],
            double_extensions: 0,
            cutoffs: 0,
            line: Vec::new(),
            lists: Default::default(),
            quiets: Vec::new(),
        }
    }
}

/// A move of the root and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// In this iteration; minus infinity if it was not found to be the best.
    pub score: Score,
    /// In the last iteration that judged it.
    pub previous: Score,
    pub depth: i32,
    pub seldepth: usize,
    pub line: Vec<Move>,
    pub nodes: u64,
}

/// What a thread keeps from one search to the next.
#[derive(Debug)]
pub(super) struct Memory {
    pub history: History,
    evaluator: Box<dyn Evaluator + Send>,
    /// Evaluations of late, by key.
    evaluated: Vec<(Key, i32)>,
}

/// The evaluations that are kept; a power of two.
const EVALUATED: usize = 1 << 15;

impl Memory {
    pub fn new(history: History, evaluator: Box<dyn Evaluator + Send>) -> Memory {
        Memory { history, evaluator, evaluated: vec![(0, 0); EVALUATED] }
    }

    /// Asks for the memory of an evaluation that is going to be looked up.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(&self.evaluated[key as usize % EVALUATED]);
    }

    /// The static evaluation of a position, in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let key = position.key();
        let slot = key as usize % EVALUATED;
        if self.evaluated[slot].0 != key {
            self.evaluated[slot] = (key, self.evaluator.evaluate(position));
        }
        self.evaluated[slot].1
    }
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    pub position: Position,
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory,
    frames: Vec<Frame>,
    pub roots: Vec<RootMove>,
    /// The place of the line that is being searched.
    pub rank: usize,
    pub nodes: u64,
    told: u64,
    pub seldepth: usize,
    pub aborted: bool,
    /// Of the iteration that is running, or was the last.
    pub depth: i32,
    iterates: bool,
    /// Another thread has finished the iteration that is running, or a deeper one.
    overtaken: bool,
    /// The share of the nodes that was spent on the best move, by the thread whose iteration was the
    /// last to be finished: where iterations are broken off, the first move has too large a one.
    pub effort: f64,
    /// The deepest iteration whose lines were told.
    pub reported: i32,
    /// Passing is not allowed before this ply: a verification runs.
    pub no_pass_before: usize,
    reductions: &'static [i32],
    /// Whom the thread that answers tells.
    pub news: Option<&'a mut dyn FnMut(&News)>,
    /// Its place among the threads; the first, 0, answers.
    pub number: usize,
    pub seeker: Seeker,
}

impl<'a> Worker<'a> {
    pub fn new(
        position: &Position,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        moves: &[Move],
        number: usize,
    ) -> Worker<'a> {
        let roots = moves.iter().map(|&mv| RootMove {
            mv,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            depth: 0,
            seldepth: 0,
            line: vec![mv],
            nodes: 0,
        });
        Worker {
            position: position.clone(),
            frames: vec![Frame::new(memory.history.no_arrival()); BEFORE + MAX_PLY + 4],
            shared,
            memory,
            roots: roots.collect(),
            rank: 0,
            nodes: 0,
            told: 0,
            seldepth: 0,
            aborted: false,
            depth: 0,
            iterates: false,
            overtaken: false,
            effort: 0.0,
            reported: 0,
            no_pass_before: 0,
            reductions: &REDUCTIONS,
            news: None,
            number,
            seeker: Seeker::default(),
        }
    }

    /// Whether a technique is used.
    #[inline]
    pub fn uses(&self, technique: Technique) -> bool {
        self.shared.techniques.has(technique)
    }

    /// The frame of a ply.
    #[inline]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE]
    }

    /// The frame `back` plies before, up to four before the root.
    #[inline]
    pub fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE - back]
    }

    /// The reduction of a late move in 1024ths of a ply.
    #[inline]
    pub fn reduction(&self, depth: i32, number: usize) -> i32 {
        let depth = depth.clamp(0, MAX_PLY as i32) as usize;
        self.reductions[depth * REDUCED_MOVES + number.min(REDUCED_MOVES - 1)]
    }

    /// Asks for the memory that is going to be looked at when a move is made.
    #[inline]
    pub fn prefetch(&self, mv: Move) {
        let key = self.position.likely_key_after(mv);
        self.shared.table.prefetch(key);
        self.memory.prefetch(key);
    }

    /// Makes a move of the node at `ply`; the next frame learns of it.
    #[inline]
    pub fn make(&mut self, ply: usize, mv: Move) {
        let arrival = self.memory.history.arrival(&self.position, mv);
        self.position.make(mv);
        let check = self.is_check();
        let next = self.frame(ply + 1);
        (next.arrival, next.check, next.passed) = (arrival, check, false);
    }

    /// Whether the side to move must see to its royal: it is attacked, or waits to be placed.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.position.is_check() || self.position.must_place_royal(self.position.side()).is_some()
    }

    /// Makes `mv` followed by the best line of the next ply the best line of this one.
    pub fn take_line(&mut self, ply: usize, mv: Move) {
        let (this, next) = self.frames.split_at_mut(ply + BEFORE + 1);
        let (Some(this), Some(next)) = (this.last_mut(), next.first()) else { return };
        this.line.clear();
        this.line.push(mv);
        this.line.extend_from_slice(&next.line);
    }

    /// The score of a game that is over.
    pub fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == self.position.side() => Score::mate_in(ply),
            Some(_) => Score::mated_in(ply),
        }
    }

    /// The score of a position without legal moves.
    pub fn no_moves_score(&self, ply: usize) -> Score {
        let outcome = self.position.status().outcome();
        outcome.map_or(Score::DRAW, |outcome| self.outcome_score(outcome, ply))
    }

    /// Whether the search is to be broken off; looked at every so many nodes.
    #[inline]
    pub fn must_abort(&mut self) -> bool {
        let limit = self.shared.limits.nodes;
        if self.nodes.is_multiple_of(CHECK_EVERY) || limit.is_some_and(|most| self.nodes >= most) {
            self.look_around();
        }
        self.aborted
    }

    #[cold]
    fn look_around(&mut self) {
        let shared = self.shared;
        self.tell_nodes();
        let over_nodes = || {
            let all = shared.nodes.load(Ordering::Relaxed);
            shared.limits.nodes.is_some_and(|most| all >= most)
        };
        // While it ponders no time counts; a limit of nodes does, or a weak level would be a strong one.
        let over_time = || {
            !shared.control.is_pondering()
                && shared.time().maximum().is_some_and(|most| shared.control.elapsed() >= most)
        };
        let limited = self.number == 0 && (over_nodes() || over_time());
        let lead = shared.lead.depth();
        self.overtaken = self.iterates && lead >= self.depth;
        if self.iterates && !self.overtaken && lead > self.reported && self.news.is_some() {
            self.report_lead();
        }
        self.aborted |= limited
            || self.overtaken
            || shared.control.is_stopped()
            || shared.done.load(Ordering::Relaxed);
    }

    /// Adds the nodes visited since the last time to those of all threads.
    pub fn tell_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// One iteration: searches the best lines one after the other, each beginning with another
    /// move. The best moves come first in `roots` afterwards.
    pub fn iterate(&mut self, depth: i32, lines: usize) {
        (self.depth, self.iterates) = (depth, true);
        self.forget_scores();
        for rank in 0..lines {
            self.rank = rank;
            self.seldepth = 0;
            self.search_window(depth);
            self.sort(rank);
            if self.aborted {
                break;
            }
        }
        // What the table learned on the way can make a later line the better one.
        self.roots[..lines].sort_by_key(|root| -root.score.max(root.previous_if_unjudged()));
        self.iterates = false;
        if !self.aborted {
            self.effort = self.roots[0].nodes as f64 / self.nodes.max(1) as f64;
            self.shared.lead.tell(depth, &self.roots[..lines], self.effort);
        } else if self.overtaken {
            (self.aborted, self.overtaken) = (false, false);
            self.follow();
        } else if self.roots[0].score == -Score::INFINITE
            && self.shared.lead.depth() > self.roots[0].depth
        {
            self.follow();
        }
    }

    /// No move is judged yet.
    fn forget_scores(&mut self) {
        for root in &mut self.roots {
            root.previous = root.previous_if_unjudged();
            root.score = -Score::INFINITE;
        }
    }

    /// Goes on from the deepest iteration, whichever thread finished it.
    fn follow(&mut self) {
        let (depth, Finished { lines, effort }) = self.shared.lead.finished();
        (self.depth, self.effort) = (depth, effort);
        self.forget_scores();
        for (rank, line) in lines.into_iter().enumerate() {
            let Some(at) = self.roots.iter().position(|root| root.mv == line.mv) else { continue };
            let root = &mut self.roots[at];
            *root = RootMove { nodes: root.nodes, ..line };
            self.roots[rank..=at].rotate_right(1);
        }
    }

    /// Searches the root with a window around the score expected, widened until the score is in it.
    fn search_window(&mut self, depth: i32) {
        let expected = self.roots[self.rank].previous;
        let narrow = depth >= ASPIRATION_DEPTH
            && self.uses(Technique::Aspiration)
            && !expected.is_mate()
            && expected > -Score::INFINITE;
        let mut delta = ASPIRATION;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if narrow {
            (alpha, beta) = (expected - delta, expected + delta);
        }
        let mut shallower = 0;
        loop {
            let score = self.search_root((depth - shallower).max(1), alpha, beta);
            if self.aborted {
                return;
            }
            self.sort(self.rank);
            if score <= alpha && alpha > -Score::INFINITE {
                beta = Score::centipawns((alpha.value() + beta.value()) / 2);
                alpha = if delta > 1000 { -Score::INFINITE } else { score - delta };
                shallower = 0;
            } else if score >= beta && beta < Score::INFINITE {
                beta = if delta > 1000 { Score::INFINITE } else { score + delta };
                shallower = (shallower + 1).min(3);
            } else {
                return;
            }
            delta += delta / 2 + 4;
        }
    }

    /// Brings the best of the moves from `first` on to its front; the others keep their order.
    fn sort(&mut self, first: usize) {
        self.roots[first..].sort_by_key(|root| -root.score);
    }
}

impl RootMove {
    /// The score of the iteration before, for a line that this one did not come to.
    pub fn previous_if_unjudged(&self) -> Score {
        if self.score > -Score::INFINITE { self.score } else { self.previous }
    }
}
