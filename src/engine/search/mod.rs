//! The search: iterative deepening of a principal variation search with null windows, by one thread or several
//! that share a transposition table.

mod contempt;
mod deepening;
mod eval_cache;
mod event;
mod mate_search;
mod moves;
mod node;
pub(super) mod params;
mod proof_search;
mod pruning;
mod quiescence;
mod reductions;
mod root_moves;
mod scheduler;
mod stack;
mod technique;
mod update;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::GameProfile;
use super::ending_tables::EndingTables;
use super::eval::Evaluation;
use super::limits::{Control, Limits};
use super::memory;
use super::score::Score;
use super::see::ExchangeValues;
use super::transposition::TranspositionTable;
use super::{MAX_PLY, STACK_SIZE};
use contempt::Contempt;
pub use event::{SearchEvent, SearchInfo, SearchResult};
use garrison_rules::{Move, Position, Variant};
use scheduler::IterationScheduler;
pub use technique::{Technique, Techniques, UnknownTechnique};
use worker::{Shared, ThreadData, Worker};

/// The most threads of a search.
pub const MAX_THREADS: usize = 512;

/// Searches one position after another and keeps what it learns: the transposition table and the histories
/// of each thread. A search by one thread with a limit of nodes or depth is the same after every
/// [`Searcher::clear`].
#[derive(Debug)]
pub struct Searcher {
    tt: TranspositionTable,
    threads: usize,
    techniques: Techniques,
    /// The game that is searched and its evaluation, which takes a while to read.
    evaluation: Option<(Arc<Variant>, Evaluation)>,
    exchange_values: Option<ExchangeValues>,
    /// The user's evaluation in place of the game's own.
    user_evaluation: Option<Evaluation>,
    /// The user's profile in place of the game's own.
    user_profile: Option<GameProfile>,
    ending_tables: EndingTables,
    thread_data: Vec<ThreadData>,
    nodes: u64,
}

impl Searcher {
    /// One thread and a transposition table of this many MiB; `None` if there is no memory for it.
    pub fn new(mebibytes: usize) -> Option<Searcher> {
        Some(Searcher {
            tt: TranspositionTable::new(mebibytes)?,
            threads: 1,
            techniques: Techniques::default(),
            evaluation: None,
            exchange_values: None,
            user_evaluation: None,
            user_profile: None,
            ending_tables: EndingTables::default(),
            thread_data: Vec::new(),
            nodes: 0,
        })
    }

    /// Replaces the transposition table by an empty one of this many MiB; returns whether there was memory for
    /// it. If not, the old one stays.
    pub fn resize(&mut self, mebibytes: usize) -> bool {
        let Some(tt) = TranspositionTable::new(mebibytes) else { return false };
        self.tt = tt;
        true
    }

    /// Whether there is memory for so many threads that search this game; those that there are have theirs.
    pub fn has_memory_for(&self, threads: usize, variant: &Arc<Variant>) -> bool {
        let is_known =
            self.evaluation.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, variant));
        let ready = if is_known { self.thread_data.len() } else { 0 };
        let missing = useful_threads(threads).saturating_sub(ready);
        missing == 0 || memory::has_room(missing, ThreadData::bytes(variant) + STACK_SIZE)
    }

    /// Sets the number of threads, from 1 to [`MAX_THREADS`]. No more are started than can run at once: a thread that
    /// waits for a processor keeps the others from stopping in time.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = useful_threads(threads);
        self.thread_data.truncate(self.threads);
    }

    /// Sets which techniques are used.
    pub fn set_techniques(&mut self, techniques: Techniques) {
        self.techniques = techniques;
    }

    /// Sets the most pieces with which positions are looked up in ending tables, which are made when a game comes near to
    /// them; 0 for no tables.
    pub fn set_ending_tables(&mut self, most_pieces: usize) {
        self.ending_tables.set_most(most_pieces);
    }

    /// Sets the evaluation, which must have been made for the game that is searched next; `None` for the one
    /// that ships with the program.
    pub fn set_evaluation(&mut self, evaluation: Option<Evaluation>) {
        self.user_evaluation = evaluation;
        self.evaluation = None;
        self.clear();
    }

    /// Changes how games are expected to go; none for what is known of the game that is searched.
    pub fn set_profile(&mut self, profile: Option<GameProfile>) {
        self.user_profile = profile;
    }

    /// How games are expected to go.
    pub fn profile(&self, variant: &Variant) -> GameProfile {
        self.user_profile.unwrap_or_else(|| GameProfile::of(variant))
    }

    /// The evaluation of a game. What was learned from another game is forgotten.
    pub fn evaluation(&mut self, variant: &Arc<Variant>) -> &Evaluation {
        self.forget_other_game(variant);
        let read = || self.user_evaluation.clone().unwrap_or_else(|| Evaluation::new(variant));
        &self.evaluation.get_or_insert_with(|| (Arc::clone(variant), read())).1
    }

    /// Forgets everything learned, transposition table and histories, as before a new game.
    pub fn clear(&mut self) {
        self.tt.clear();
        self.forget_histories();
    }

    /// Empties the transposition table only.
    pub fn clear_table(&mut self) {
        self.tt.clear();
    }

    /// Nodes of the last search, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget_histories(&mut self) {
        self.thread_data.clear();
        self.exchange_values = None;
    }

    /// Forgets what was learned from any game but this.
    fn forget_other_game(&mut self, variant: &Arc<Variant>) {
        if self.evaluation.as_ref().is_some_and(|(known, _)| !Arc::ptr_eq(known, variant)) {
            self.forget_histories();
            self.evaluation = None;
        }
    }

    /// Makes what a search of this game needs and does not exist yet.
    fn prepare(&mut self, variant: &Arc<Variant>) {
        self.forget_other_game(variant);
        if self.exchange_values.is_some() && self.thread_data.len() >= self.threads {
            return;
        }
        let evaluation = self.evaluation(variant).clone();
        let linear = &evaluation.linear;
        let (board, hand) = (|kind| linear.piece_value(kind), |kind| linear.hand_value(kind));
        self.exchange_values = Some(ExchangeValues::new(variant, board, hand));
        // If the memory does not last for all threads, those search for which it does.
        let has_room_for_helpers = |helpers| {
            memory::is_left(ThreadData::bytes(variant)) && memory::has_room(helpers, STACK_SIZE)
        };
        while self.thread_data.len() < self.threads
            && (self.thread_data.is_empty() || has_room_for_helpers(self.thread_data.len()))
        {
            self.thread_data.push(ThreadData::new(variant, evaluation.clone()));
        }
    }

    /// Searches until a limit or a stop, and reports the best lines of every iteration. Repetitions count from
    /// the history of the position. It needs a stack of [`STACK_SIZE`] bytes.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        mut on_event: impl FnMut(&SearchEvent),
    ) -> SearchResult {
        self.nodes = 0;
        let moves = root_moves(position, limits);
        if moves.is_empty() || !limits.plays_on && is_game_over(position) {
            return SearchResult::default();
        }
        self.prepare(position.variant());
        let game_plies = self.profile(position.variant()).plies;
        let tables = self.ending_tables.prepare(position, limits, control, self.threads);
        self.tt.next_generation();
        let Some(exchange_values) = &self.exchange_values else { return SearchResult::default() };
        let shared = Shared {
            limits,
            control,
            tt: &self.tt,
            techniques: self.techniques,
            exchange_values,
            side: position.side_to_move(),
            game_plies,
            contempt: Contempt::new(limits.contempt, position),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            scheduler: IterationScheduler::new(self.thread_data.len()),
            tables,
        };
        let Some((first, others)) = self.thread_data.split_first_mut() else {
            return SearchResult::default();
        };
        let result = thread::scope(|scope| {
            for (number, data) in others.iter_mut().enumerate() {
                let (shared, moves) = (&shared, &moves);
                let help = move || Worker::new(position, shared, data, moves, number + 1).help();
                // If the system gives no thread, the main thread searches with those there are.
                let _ = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, help);
            }
            let mut worker = Worker::new(position, &shared, first, &moves, 0);
            worker.on_event = Some(&mut on_event);
            let result = worker.deepen();
            shared.done.store(true, Ordering::Relaxed);
            result
        });
        self.nodes = shared.nodes.load(Ordering::Relaxed);
        result
    }
}

/// As many threads as are asked for, but not more than the machine has processors, or 4.
fn useful_threads(threads: usize) -> usize {
    const IN_ANY_CASE: usize = 4;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    threads.clamp(1, MAX_THREADS.min(processors.max(IN_ANY_CASE)))
}

/// The moves of the root that are searched: all legal moves, or those of them that the limits name.
fn root_moves(position: &Position, limits: &Limits) -> Vec<Move> {
    let wanted = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
    position.legal_moves().iter().copied().filter(wanted).collect()
}

/// Whether the game is over. A draw that has to be claimed does not end it.
fn is_game_over(position: &Position) -> bool {
    let claim = position.variant().end().claim;
    position.status().outcome().is_some_and(|outcome| outcome.winner.is_some() || !claim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::catalogue::builtin_names;
    use garrison_rules::find;

    /// Full hands on the largest board: more than a thousand legal moves.
    const FULL_HANDS: &str =
        "t3t3t/9/4m4/9/9/9/9/9/9/4M4/9/T3T3T[AAAEGGHHMNNaaaegghhmnn] w - - 0 1";

    /// An iteration of the greatest depth that goes straight down to the greatest ply, as nothing is pruned or
    /// reduced. Returns the greatest ply reached.
    fn search_straight_down(position: &Position, nodes: u64) -> usize {
        let mut searcher = Searcher::new(1).expect("memory for the smallest table");
        searcher.prepare(position.variant());
        let without = "null-move reductions late-moves exchange-pruning razoring reverse-futility \
                       futility prob-cut internal-reduction";
        let shared = Shared {
            limits: &Limits { nodes: Some(nodes), ..Limits::default() },
            control: &Control::new(false),
            tt: &searcher.tt,
            techniques: Techniques::without(without).expect("techniques"),
            exchange_values: searcher.exchange_values.as_ref().expect("it is prepared"),
            side: position.side_to_move(),
            game_plies: 100.0,
            contempt: None,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            scheduler: IterationScheduler::new(1),
            tables: None,
        };
        let moves = root_moves(position, shared.limits);
        let mut worker = Worker::new(position, &shared, &mut searcher.thread_data[0], &moves, 0);
        worker.iterate(MAX_PLY as i32 - 1, 1);
        worker.seldepth
    }

    /// No node keeps a list of moves on the stack: in a game with 6144 moves at most, each would take 24 KiB.
    #[test]
    fn the_deepest_search_needs_a_quarter_of_its_stack_at_most() {
        let search = || {
            let variant = find("shoranji-maximus").expect("a built-in game");
            let position = Position::from_fen(&variant, FULL_HANDS).expect("a position");
            assert!(position.count_legal_moves() > 1000);
            search_straight_down(&position, 20_000)
        };
        let thread = thread::Builder::new().stack_size(STACK_SIZE / 4).spawn(search);
        let seldepth = thread.expect("a thread").join().expect("the search");
        assert_eq!(seldepth, MAX_PLY);
    }

    #[test]
    fn a_deep_search_of_every_game_needs_a_quarter_of_its_stack_at_most() {
        let search = || {
            for variant in builtin_names().iter().filter_map(|name| find(name).ok()) {
                let mut position = Position::start(&variant);
                position.keep_arrays();
                assert!(
                    search_straight_down(&position, 2_000) >= MAX_PLY / 4,
                    "{}",
                    variant.name()
                );
            }
        };
        let thread = thread::Builder::new().stack_size(STACK_SIZE / 4).spawn(search);
        thread.expect("a thread").join().expect("the search");
    }
}
