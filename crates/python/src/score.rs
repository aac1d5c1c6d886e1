//! `Score`: what a search thinks of a position.

use std::cmp::Ordering;

use garrison::engine::Score;
use pyo3::prelude::*;

/// A score for the side to move: centipawns, or moves to a mate. Scores are ordered, and `-score` is that of the
/// other side.
///
/// A mate is any forced end of the game by a win or loss.
///
/// >>> import garrison
/// >>> position = garrison.Position("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
/// >>> score = garrison.Engine().play(position, depth=3).score
/// >>> print(score, score.mate, score.centipawns, score.expectation, -score < score)
/// #1 1 None 1.0 True
#[pyclass(frozen, module = "garrison", name = "Score")]
#[derive(Clone, Copy)]
pub struct PyScore {
    pub score: Score,
}

#[pymethods]
impl PyScore {
    /// Hundredths of a pawn; None if it is a mate.
    #[getter]
    fn centipawns(&self) -> Option<i32> {
        self.score.as_centipawns()
    }

    /// The moves to the mate, negative or 0 if the side to move is mated; None if it is none.
    #[getter]
    fn mate(&self) -> Option<i32> {
        self.score.mate_moves()
    }

    /// The expected result, from 0.0 for a loss to 1.0 for a win.
    #[getter]
    fn expectation(&self) -> f64 {
        self.score.expectation()
    }

    fn __neg__(&self) -> PyScore {
        PyScore { score: -self.score }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyScore>().is_ok_and(|other| other.get().score == self.score)
    }

    fn __lt__(&self, other: &PyScore) -> bool {
        self.score.cmp(&other.score) == Ordering::Less
    }

    fn __le__(&self, other: &PyScore) -> bool {
        self.score <= other.score
    }

    fn __gt__(&self, other: &PyScore) -> bool {
        self.score > other.score
    }

    fn __ge__(&self, other: &PyScore) -> bool {
        self.score >= other.score
    }

    fn __hash__(&self) -> u64 {
        let score =
            self.score.mate_distance().map_or((0, self.score.as_centipawns()), |d| (d, None));
        (i64::from(score.0) << 32 ^ i64::from(score.1.unwrap_or(0))) as u64
    }

    /// For people: pawns, or moves to mate.
    fn __str__(&self) -> String {
        self.score.readable()
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.score.readable())
    }
}
