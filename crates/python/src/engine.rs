//! `Engine`: the search in this process.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use garrison::engine::{
    Control, EvalFile, Evaluation, Evaluator, MAX_THREADS, Searcher, TranspositionTable,
};
use garrison::eval_files::read_eval_file;
use garrison::files::in_file;
use garrison_rules::{Position, Variant};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::analysis::{PyAnalysis, PySearchResult};
use crate::errors::{EngineError, EvalError};
use crate::limits::LimitArguments;
use crate::position::PyPosition;
use crate::reading::copied;
use crate::search::{Running, Seat, lock};
use crate::variant::variant_of;

/// The evaluation of a user's file for the game that was searched last.
type Fitted = Option<(Arc<Variant>, Evaluation)>;

#[pyclass(frozen, subclass, module = "garrison._garrison", name = "Engine")]
pub struct PyEngine {
    seat: Arc<Seat>,
    threads: usize,
    memory: usize,
    file: Option<EvalFile>,
    fitted: Mutex<Fitted>,
    /// The game whose evaluation the searcher has.
    searched: Mutex<Option<Arc<Variant>>>,
}

impl PyEngine {
    /// The evaluation by which this engine judges a game.
    fn evaluation(&self, game: &Arc<Variant>) -> PyResult<Evaluation> {
        let Some(file) = &self.file else { return Ok(Evaluation::new(game)) };
        let mut fitted = lock(&self.fitted);
        if let Some((known, evaluation)) = &*fitted
            && Arc::ptr_eq(known, game)
        {
            return Ok(evaluation.clone());
        }
        let evaluation =
            file.evaluation(game).map_err(|error| EvalError::new_err(error.to_string()))?;
        *fitted = Some((Arc::clone(game), evaluation.clone()));
        Ok(evaluation)
    }

    /// Gives the searcher the user's evaluation, where it does not have it yet.
    fn prepare(&self, searcher: &mut Searcher, game: &Arc<Variant>) -> PyResult<()> {
        let mut searched = lock(&self.searched);
        let is_known = searched.as_ref().is_some_and(|known| Arc::ptr_eq(known, game));
        if self.file.is_some() && !is_known {
            searcher.set_evaluation(Some(self.evaluation(game)?));
            searcher.set_profile(self.file.as_ref().and_then(EvalFile::profile));
        }
        *searched = Some(Arc::clone(game));
        Ok(())
    }

    fn begin(
        &self,
        py: Python<'_>,
        position: Position,
        limits: LimitArguments<'_>,
        (multipv, must_end): (usize, bool),
    ) -> PyResult<PyAnalysis> {
        let limits = limits.limits(&position, multipv)?;
        let status = position.status();
        let claims = position.variant().end().claim;
        // A draw that has to be claimed does not end a game.
        if status.outcome().is_some_and(|end| end.winner.is_some() || !claims) {
            return Err(EngineError::new_err(format!("the game is over: {status}")));
        }
        if must_end && limits.is_infinite() {
            let message = "a limit is missing: nodes, depth, movetime, clock, mate or level";
            return Err(EngineError::new_err(message));
        }
        let control = Arc::new(Control::new(false));
        let mut searcher = self.seat.take(py, &control)?;
        if let Err(error) = self.prepare(&mut searcher, position.variant()) {
            self.seat.give_back(Some(searcher));
            return Err(error);
        }
        let shared = Arc::new(position.clone());
        let running = Running::begin(&self.seat, searcher, control, position, limits)?;
        Ok(PyAnalysis::new(shared, running))
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (*, threads=1, memory=TranspositionTable::DEFAULT_SIZE, evaluation=None))]
    fn py_new(threads: usize, memory: usize, evaluation: Option<PathBuf>) -> PyResult<PyEngine> {
        let sizes = TranspositionTable::SIZES;
        if !(1..=MAX_THREADS).contains(&threads) {
            let message = format!("threads {threads} is not from 1 to {MAX_THREADS}");
            return Err(EngineError::new_err(message));
        }
        if !sizes.contains(&memory) {
            let message =
                format!("memory of {memory} MiB is not from {} to {}", sizes.start(), sizes.end());
            return Err(EngineError::new_err(message));
        }
        let file = evaluation.map(|path| {
            let file = read_eval_file(&path);
            file.map_err(|error| EvalError::new_err(in_file(&path, error).to_string()))
        });
        let file = file.transpose()?;
        let mut searcher = Searcher::new(memory)
            .ok_or_else(|| EngineError::new_err(format!("there is no memory for {memory} MiB")))?;
        searcher.set_threads(threads);
        let seat = Arc::new(Seat::new(searcher));
        let (fitted, searched) = (Mutex::default(), Mutex::default());
        Ok(PyEngine { seat, threads, memory, file, fitted, searched })
    }

    /// The number of threads.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// The size of the transposition table, in MiB.
    #[getter]
    fn memory(&self) -> usize {
        self.memory
    }

    /// Searches for a move until the first limit, and returns what was found.
    ///
    /// `nodes`, `depth` (plies), `mate` (moves) and `level` (1 to 10) are whole numbers; `movetime` is in seconds, and
    /// so are those of `clock=(white, black)` with `increment=(white, black)`, `byoyomi` and `moves_to_go`. `moves`
    /// are the moves among which to choose. Repetitions count from the moves of the position.
    ///
    /// Other threads of Python run meanwhile; Ctrl-C stops the search. Raises EngineError if no limit is given, the
    /// game is over, or the engine is searching.
    ///
    /// >>> import garrison
    /// >>> position = garrison.Position("shoogantshii")
    /// >>> result = garrison.Engine().play(position, nodes=2000)
    /// >>> result.move in position.legal_moves, result.nodes > 0
    /// (True, True)
    #[pyo3(signature = (position, *, nodes=None, depth=None, movetime=None, clock=None, increment=None, byoyomi=None,
        moves_to_go=None, mate=None, level=None, moves=None))]
    #[allow(clippy::too_many_arguments)]
    fn play<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyPosition>,
        nodes: Option<u64>,
        depth: Option<u32>,
        movetime: Option<f64>,
        clock: Option<(f64, f64)>,
        increment: Option<(f64, f64)>,
        byoyomi: Option<f64>,
        moves_to_go: Option<u32>,
        mate: Option<u32>,
        level: Option<u8>,
        moves: Option<Bound<'py, PyAny>>,
    ) -> PyResult<PySearchResult> {
        let limits = LimitArguments {
            nodes,
            depth,
            movetime,
            clock,
            increment,
            byoyomi,
            moves_to_go,
            mate,
            level,
            moves,
        };
        self.begin(py, copied(position)?, limits, (1, true))?.result(py)
    }

    /// Begins a search, and returns it while it runs: see `Analysis`. The limits are those of `play`; without any the
    /// search goes on until it is stopped. `multipv` is the number of best moves that get a line each.
    ///
    /// >>> import garrison
    /// >>> position = garrison.Position("chess")
    /// >>> for info in garrison.Engine().analyze(position, depth=3):
    /// ...     last = info
    /// >>> last.depth, last.pv[0] in position.legal_moves
    /// (3, True)
    #[pyo3(signature = (position, *, nodes=None, depth=None, movetime=None, clock=None, increment=None, byoyomi=None,
        moves_to_go=None, mate=None, level=None, moves=None, multipv=1))]
    #[allow(clippy::too_many_arguments)]
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyPosition>,
        nodes: Option<u64>,
        depth: Option<u32>,
        movetime: Option<f64>,
        clock: Option<(f64, f64)>,
        increment: Option<(f64, f64)>,
        byoyomi: Option<f64>,
        moves_to_go: Option<u32>,
        mate: Option<u32>,
        level: Option<u8>,
        moves: Option<Bound<'py, PyAny>>,
        multipv: usize,
    ) -> PyResult<PyAnalysis> {
        let limits = LimitArguments {
            nodes,
            depth,
            movetime,
            clock,
            increment,
            byoyomi,
            moves_to_go,
            mate,
            level,
            moves,
        };
        self.begin(py, copied(position)?, limits, (multipv, false))
    }

    /// The value of a position for the side to move without a search, in centipawns.
    ///
    /// >>> import garrison
    /// >>> ahead = garrison.Position("chess", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    /// >>> garrison.Engine().evaluate(ahead) > 300
    /// True
    fn evaluate(&self, position: &Bound<'_, PyPosition>) -> PyResult<i32> {
        let position = copied(position)?;
        Ok(self.evaluation(position.variant())?.evaluate(&position))
    }

    /// The inputs of the network that a position sets, as two arrays of the same length: as White sees them and as
    /// Black does. Their order says nothing. They are below `feature_count`.
    ///
    /// Needs NumPy. Raises EvalError if no network judges the game.
    ///
    /// >>> import garrison
    /// >>> white, black = garrison.Engine().features(garrison.Position("swda-oo"))
    /// >>> white.shape, black.dtype.name
    /// ((32,), 'uint16')
    fn features<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyPosition>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let position = copied(position)?;
        let game = position.variant();
        let features = self.evaluation(game)?.features(&position);
        let features = features.ok_or_else(|| no_network(game.name()))?;
        let numpy = py.import("numpy").map_err(|error| {
            let message = "features are arrays of NumPy, which is not installed: pip install numpy";
            let new = PyImportError::new_err(message);
            new.set_cause(py, Some(error));
            new
        })?;
        let view = |view: usize| {
            let numbers: Vec<u16> = features.iter().map(|feature| feature[view]).collect();
            numpy.call_method1("array", (numbers, "uint16"))
        };
        PyTuple::new(py, [view(0)?, view(1)?])
    }

    /// The number of inputs of the network that judges a game. Raises EvalError if none does.
    fn feature_count(&self, variant: &Bound<'_, PyAny>) -> PyResult<usize> {
        let game = variant_of(variant)?;
        self.evaluation(&game)?.feature_count().ok_or_else(|| no_network(game.name()))
    }

    /// Forgets what was learned from earlier searches, as before a new game. After that, a search by one thread to a
    /// depth or a number of nodes is always the same.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let mut searcher = self.seat.take(py, &Arc::new(Control::new(false)))?;
        searcher.clear();
        self.seat.give_back(Some(searcher));
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<Engine of {} threads and {} MiB>", self.threads, self.memory)
    }
}

fn no_network(game: &str) -> PyErr {
    EvalError::new_err(format!("no network judges {game}: its evaluation is linear"))
}
