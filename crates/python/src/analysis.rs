//! `Analysis`, `Info` and `SearchResult`: a search as Python sees it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use garrison::engine::SearchInfo;
use garrison_rules::Position;
use pyo3::prelude::*;

use crate::errors::EngineError;
use crate::moves::PyMove;
use crate::score::PyScore;
use crate::search::{End, Running, lock};
use crate::wait;

/// One of the best lines of a search, as known after an iteration.
#[pyclass(frozen, module = "garrison", name = "Info")]
#[derive(Clone)]
pub struct PyInfo {
    position: Arc<Position>,
    info: Arc<SearchInfo>,
}

#[pymethods]
impl PyInfo {
    /// The depth of the iteration, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.info.depth
    }

    /// The greatest ply reached.
    #[getter]
    fn seldepth(&self) -> usize {
        self.info.seldepth
    }

    /// The rank of this line, from 1 for the best.
    #[getter]
    fn multipv(&self) -> usize {
        self.info.multipv
    }

    /// The score for the side to move.
    #[getter]
    fn score(&self) -> PyScore {
        PyScore { score: self.info.score }
    }

    /// Nodes searched so far, by all threads.
    #[getter]
    fn nodes(&self) -> u64 {
        self.info.nodes
    }

    /// Seconds since the search began.
    #[getter]
    fn time(&self) -> f64 {
        self.info.time.as_secs_f64()
    }

    /// How full the transposition table is, in thousandths.
    #[getter]
    fn hashfull(&self) -> u32 {
        self.info.hashfull
    }

    /// The moves of the line.
    #[getter]
    fn pv(&self) -> Vec<PyMove> {
        PyMove::line(&self.position, &self.info.pv)
    }

    /// The moves of the line as people write them.
    #[getter]
    fn san(&self) -> Vec<String> {
        self.position.line_san(&self.info.pv)
    }

    fn __repr__(&self) -> String {
        let (score, line) = (self.info.score.readable(), self.san().join(" "));
        format!("<Info depth {} score {score} pv {line}>", self.info.depth)
    }
}

/// What a search found.
#[pyclass(frozen, module = "garrison", name = "SearchResult")]
pub struct PySearchResult {
    position: Arc<Position>,
    end: End,
    lines: Vec<PyInfo>,
}

impl PySearchResult {
    fn best(&self) -> Option<&SearchInfo> {
        self.lines.first().map(|line| &*line.info)
    }
}

#[pymethods]
impl PySearchResult {
    /// The best move.
    #[getter]
    fn r#move(&self) -> Option<PyMove> {
        self.end.found.best.map(|mv| PyMove::new(&self.position, mv))
    }

    /// The reply expected, if there is one.
    #[getter]
    fn ponder(&self) -> Option<PyMove> {
        let (best, ponder) = (self.end.found.best?, self.end.found.ponder?);
        PyMove::line(&self.position, &[best, ponder]).pop().filter(|reply| reply.mv == ponder)
    }

    /// The score for the side to move; the static evaluation, if a limit came before the first line.
    #[getter]
    fn score(&self) -> PyScore {
        PyScore { score: self.best().map_or(self.end.score, |info| info.score) }
    }

    /// The best line.
    #[getter]
    fn pv(&self) -> Vec<PyMove> {
        match self.lines.first() {
            Some(line) => line.pv(),
            None => self.r#move().into_iter().collect(),
        }
    }

    /// The best line as people write it.
    #[getter]
    fn san(&self) -> Vec<String> {
        self.lines.first().map(PyInfo::san).unwrap_or_default()
    }

    /// The depth of the last iteration, in plies; 0 if none ended.
    #[getter]
    fn depth(&self) -> u32 {
        self.best().map_or(0, |info| info.depth)
    }

    /// Nodes searched, by all threads.
    #[getter]
    fn nodes(&self) -> u64 {
        self.end.nodes
    }

    /// Seconds until the best line was found.
    #[getter]
    fn time(&self) -> f64 {
        self.best().map_or(0.0, |info| info.time.as_secs_f64())
    }

    /// The best lines, as many as were asked for by `multipv`, the best first.
    #[getter]
    fn lines(&self) -> Vec<PyInfo> {
        self.lines.clone()
    }

    fn __repr__(&self) -> String {
        let best = self.r#move().map_or("none".to_string(), |mv| mv.text());
        let score = self.score().score.readable();
        format!("<SearchResult {best} score {score} depth {}>", self.depth())
    }
}

/// A search that runs: iterate over it for each line as it is found, `stop` it, `wait` for its result.
///
/// It is stopped when the `with` block is left or nothing refers to it any more. Several threads may use it; each
/// line goes to one of them.
///
/// >>> import garrison
/// >>> engine = garrison.Engine()
/// >>> with engine.analyze(garrison.Position("chess"), depth=4, multipv=2) as analysis:
/// ...     ranks = {info.multipv for info in analysis}
/// >>> sorted(ranks), len(analysis.lines)
/// ([1, 2], 2)
#[pyclass(frozen, module = "garrison", name = "Analysis")]
pub struct PyAnalysis {
    position: Arc<Position>,
    running: Running,
    /// The latest line of each rank that was read.
    lines: Mutex<Vec<PyInfo>>,
    /// Whether the end was read.
    has_ended: AtomicBool,
}

impl PyAnalysis {
    pub fn new(position: Arc<Position>, running: Running) -> PyAnalysis {
        PyAnalysis { position, running, lines: Mutex::default(), has_ended: AtomicBool::new(false) }
    }

    /// The next line; none if the search has ended. After an exception such as that of Ctrl-C the search is stopped.
    fn next(&self, py: Python<'_>) -> PyResult<Option<PyInfo>> {
        match wait::next(py, |slice| self.running.receive(slice)) {
            Ok(Some(info)) => Ok(Some(self.see(info))),
            Ok(None) => {
                self.has_ended.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) => {
                self.running.control.stop();
                Err(error)
            }
        }
    }

    /// Keeps the latest line of each rank.
    fn see(&self, info: SearchInfo) -> PyInfo {
        let rank = info.multipv;
        let info = PyInfo { position: Arc::clone(&self.position), info: Arc::new(info) };
        let lines = &mut lock(&self.lines);
        match lines.iter().position(|line| line.info.multipv >= rank) {
            Some(index) if lines[index].info.multipv == rank => lines[index] = info.clone(),
            Some(index) => lines.insert(index, info.clone()),
            None => lines.push(info.clone()),
        }
        info
    }

    /// Waits for the end.
    pub fn result(&self, py: Python<'_>) -> PyResult<PySearchResult> {
        while self.next(py)?.is_some() {}
        let end = self.running.end();
        let end =
            end.ok_or_else(|| EngineError::new_err("the search ended by a fault of the program"))?;
        Ok(PySearchResult {
            position: Arc::clone(&self.position),
            end,
            lines: lock(&self.lines).clone(),
        })
    }
}

#[pymethods]
impl PyAnalysis {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyInfo>> {
        self.next(py)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Stops the search and waits for its end.
    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.stop();
        self.result(py).map(|_| ())
    }

    /// Ends the search as soon as possible. The iteration goes on to the lines that are known by then.
    fn stop(&self) {
        self.running.control.stop();
    }

    /// Waits for the end of the search, and returns what it found. Ctrl-C stops it.
    fn wait(&self, py: Python<'_>) -> PyResult<PySearchResult> {
        self.result(py)
    }

    /// The best lines that have been read so far, the best first.
    #[getter]
    fn lines(&self) -> Vec<PyInfo> {
        lock(&self.lines).clone()
    }

    /// Whether the end of the search has not been read yet.
    #[getter]
    fn is_running(&self) -> bool {
        !self.has_ended.load(Ordering::Relaxed)
    }
}
