//! One thread of a search: its position, its stack, what it has learned, and when it stops.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::contempt::Contempt;
use super::eval_cache::EvalCache;
use super::mate_search::MateSearch;
use super::proof_search::ProofSearch;
use super::reductions::Reductions;
use super::root_moves::RootMoves;
use super::scheduler::IterationScheduler;
use super::stack::Stack;
use super::technique::{Technique, Techniques};
use super::{Score, SearchEvent};
use crate::engine::ending_tables::{Lookup, Snapshot};
use crate::engine::eval::{Evaluation, Evaluator};
use crate::engine::history::History;
use crate::engine::limits::{Control, Limits};
use crate::engine::see::ExchangeValues;
use crate::engine::time::TimeManager;
use crate::engine::transposition::TranspositionTable;
use garrison_rules::{Color, Move, MoveList, Outcome, Position, Scope, Variant};

/// How often limits are checked, in nodes.
const CHECK_INTERVAL: u64 = 512;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub tt: &'a TranspositionTable,
    pub techniques: Techniques,
    pub exchange_values: &'a ExchangeValues,
    /// The side whose clock runs.
    pub side: Color,
    /// How long a game lasts on average, in plies.
    pub game_plies: f64,
    pub contempt: Option<Contempt>,
    /// Set when the first thread has finished.
    pub done: AtomicBool,
    /// Nodes of all threads. Each thread adds its own every [`CHECK_INTERVAL`] nodes.
    pub nodes: AtomicU64,
    pub scheduler: IterationScheduler,
    /// The ending tables of the game, if they are used.
    pub tables: Option<Lookup>,
}

impl Shared<'_> {
    /// The time for the move; a ponder hit may have brought another state of the clock.
    pub fn time(&self) -> TimeManager {
        TimeManager::new(self.limits, self.control.clock(), self.side, self.game_plies)
    }
}

/// What a thread keeps from one search to the next.
#[derive(Debug)]
pub(super) struct ThreadData {
    pub history: History,
    evaluation: Evaluation,
    eval_cache: EvalCache,
    /// Where moves are generated: 24 KiB that no node needs on its stack, as it keeps only their scored list.
    pub generated: Box<MoveList>,
}

impl ThreadData {
    /// The bytes that a thread takes beside its stack, with some for what it allocates while it searches.
    pub fn bytes(variant: &Variant) -> usize {
        const WHILE_IT_SEARCHES: usize = 4 << 20;
        History::bytes(variant) + EvalCache::BYTES + size_of::<MoveList>() + WHILE_IT_SEARCHES
    }

    /// Nothing learned yet.
    pub fn new(variant: &Variant, evaluation: Evaluation) -> ThreadData {
        ThreadData {
            history: History::new(variant),
            evaluation,
            eval_cache: EvalCache::new(),
            generated: Box::default(),
        }
    }

    /// The static evaluation of a position for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let evaluation = &mut self.evaluation;
        self.eval_cache.get_or_insert_with(position.key(), || evaluation.evaluate(position))
    }

    /// The legal moves within a scope.
    pub fn legal_moves(&mut self, position: &Position, scope: &Scope) -> &[Move] {
        self.generated.clear();
        position.add_legal_moves(scope, &mut self.generated);
        &self.generated
    }
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    /// Its place among the threads; 0 is the main thread, which checks limits, reports and answers.
    pub id: usize,
    pub shared: &'a Shared<'a>,
    pub data: &'a mut ThreadData,
    pub position: Position,
    pub stack: Stack,
    pub root_moves: RootMoves,
    /// The rank of the line that is being searched, from 0 for the best.
    pub pv_index: usize,
    /// The depth of the iteration that runs, or of the last one.
    pub depth: i32,
    pub seldepth: usize,
    /// The nodes of this thread, and how many of them are counted in those of all threads.
    pub nodes: u64,
    published_nodes: u64,
    /// The search, or this iteration of it, must end without a result.
    pub aborted: bool,
    /// Whether an iteration runs, rather than the mate search.
    pub iterating: bool,
    /// Another thread has finished the iteration that runs, or a deeper one.
    pub overtaken: bool,
    /// The share of nodes that the last finished iteration's thread spent on the best move, 0 to 1. An
    /// iteration that was broken off has none: its first move would have too large a share.
    pub effort: f64,
    /// The depth of the last iteration that was reported.
    pub reported_depth: i32,
    /// No null moves before this ply, while a null move's fail high is verified; else 0.
    pub null_move_min_ply: usize,
    pub mate_search: MateSearch,
    pub proof_search: ProofSearch,
    pub reductions: Reductions,
    /// The ending tables that were ready when the iteration began.
    pub tables: Option<Snapshot>,
    /// Where the main thread reports. `dyn`, as every caller of a search listens with a closure of its own, and
    /// the search should not be compiled once for each.
    pub on_event: Option<&'a mut dyn FnMut(&SearchEvent)>,
}

impl<'a> Worker<'a> {
    pub fn new(
        position: &Position,
        shared: &'a Shared<'a>,
        data: &'a mut ThreadData,
        moves: &[Move],
        id: usize,
    ) -> Worker<'a> {
        Worker {
            id,
            shared,
            position: position.clone(),
            stack: Stack::new(data.history.no_piece_to()),
            data,
            root_moves: RootMoves::new(moves),
            pv_index: 0,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            published_nodes: 0,
            aborted: false,
            iterating: false,
            overtaken: false,
            effort: 0.0,
            reported_depth: 0,
            null_move_min_ply: 0,
            mate_search: MateSearch::default(),
            proof_search: ProofSearch::default(),
            reductions: Reductions::new(),
            tables: None,
            on_event: None,
        }
    }

    /// Whether a technique is switched on.
    #[inline]
    pub fn uses(&self, technique: Technique) -> bool {
        self.shared.techniques.has(technique)
    }

    /// Prefetches what the node after this move will read.
    #[inline]
    pub fn prefetch(&self, mv: Move) {
        let key = self.position.likely_key_after(mv);
        self.shared.tt.prefetch(key);
        self.data.eval_cache.prefetch(key);
    }

    /// Makes a move of the node at `ply` and prepares the frame of the next ply.
    #[inline]
    pub fn make(&mut self, ply: usize, mv: Move) {
        let piece_to = self.data.history.piece_to(&self.position, mv);
        self.position.make(mv);
        let forced = self.is_forced();
        self.stack[ply + 1].enter(piece_to, forced, false);
    }

    /// Whether the side to move is bound to do something: to answer a threat to its royal or of another end of the game,
    /// to place its royal, or to capture.
    #[inline]
    pub fn is_forced(&mut self) -> bool {
        self.is_check()
            || self.position.must_capture()
            || self.position.is_win_threatened(&mut self.data.generated)
    }

    /// Whether the side to move must answer a threat to its royal, or place its royal.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.position.is_check()
            || self.position.must_place_royal(self.position.side_to_move()).is_some()
    }

    /// The static evaluation at this ply, corrected by the correction history, with contempt.
    pub fn evaluate(&mut self, ply: usize) -> Score {
        let contempt = self.shared.contempt.map_or(0, |it| it.of_pieces(&self.position));
        if !self.uses(Technique::Correction) {
            return Score::centipawns(self.data.evaluate(&self.position) + contempt);
        }
        let frame = &mut self.stack[ply];
        let slots = self.data.history.correction_slots(&self.position, frame.piece_to);
        frame.corrections = slots;
        // The corrections arrive while the position is judged.
        self.data.history.prefetch_corrections(slots);
        let value = self.data.evaluate(&self.position);
        let more = self.uses(Technique::MoreCorrections);
        Score::centipawns(value + contempt + self.data.history.correction(slots, more))
    }

    /// The score of a position that an ending table knows.
    #[inline]
    pub fn table_score(&self, ply: usize) -> Option<Score> {
        let score = self.tables.as_ref()?.score(&self.position, ply)?;
        Some(if score == Score::DRAW { self.draw_score() } else { score })
    }

    /// The score of a draw.
    #[inline]
    fn draw_score(&self) -> Score {
        self.shared.contempt.map_or(Score::DRAW, |it| it.draw(&self.position))
    }

    /// The score of a game that is over.
    pub fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        match outcome.winner {
            None => self.draw_score(),
            Some(winner) if winner == self.position.side_to_move() => Score::mate_in(ply),
            Some(_) => Score::mated_in(ply),
        }
    }

    /// The score of a position without legal moves.
    pub fn no_moves_score(&self, ply: usize) -> Score {
        let outcome = self.position.status().outcome();
        outcome.map_or(self.draw_score(), |outcome| self.outcome_score(outcome, ply))
    }

    /// Whether the search must end. Limits are checked every [`CHECK_INTERVAL`] nodes.
    #[inline]
    pub fn must_abort(&mut self) -> bool {
        let limit = self.shared.limits.nodes;
        if self.nodes.is_multiple_of(CHECK_INTERVAL) || limit.is_some_and(|most| self.nodes >= most)
        {
            self.check_limits();
        }
        self.aborted
    }

    /// Checks the limits, the other threads and whether the search was stopped.
    #[cold]
    fn check_limits(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        let finished_depth = shared.scheduler.finished_depth();
        self.overtaken = self.iterating && finished_depth >= self.depth;
        let unreported = finished_depth > self.reported_depth && self.on_event.is_some();
        if self.iterating && !self.overtaken && unreported {
            self.report_published();
        }
        self.aborted |= self.is_over_limit()
            || self.overtaken
            || shared.control.is_stopped()
            || shared.done.load(Ordering::Relaxed);
    }

    /// Whether the nodes or the time of the search are used up. Only the main thread asks.
    fn is_over_limit(&self) -> bool {
        let shared = self.shared;
        let over_nodes = || {
            let all = shared.nodes.load(Ordering::Relaxed);
            shared.limits.nodes.is_some_and(|most| all >= most)
        };
        // Pondering costs no time. It does cost nodes, or a level limited by nodes would gain strength by it.
        let over_time = || {
            !shared.control.is_pondering()
                && shared.time().maximum().is_some_and(|most| shared.control.elapsed() >= most)
        };
        self.id == 0 && (over_nodes() || over_time())
    }

    /// Adds the nodes visited since the last call to those of all threads.
    pub fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.published_nodes, Ordering::Relaxed);
        self.published_nodes = self.nodes;
    }
}
