//! `Ply` and `Variation`: the moves of a game as values.

use garrison::record::{Ply, Variation, move_number};
use garrison_rules::Position;
use pyo3::prelude::*;

use crate::moves::PyMove;
use crate::words;

/// A move of a game with its comment, glyphs and variations.
///
/// >>> import garrison
/// >>> text = "1. e4 $1 {center} (1. d4 d5) e5 *"
/// >>> ply = garrison.Game.from_pgn(text, "chess").plies[0]
/// >>> ply.number, ply.side, ply.san, ply.nags, ply.comment
/// (1, 'white', 'e4', [1], 'center')
/// >>> [[ply.san for ply in variation.plies] for variation in ply.variations]
/// [['d4', 'd5']]
#[pyclass(frozen, module = "garrison", name = "Ply")]
pub struct PyPly {
    before: Position,
    ply: Ply,
}

impl PyPly {
    /// A line of a game that begins with this position, as far as it is legal.
    pub fn line(start: &Position, plies: &[Ply]) -> Vec<PyPly> {
        let mut position = start.without_history();
        let mut line = Vec::with_capacity(plies.len());
        for ply in plies {
            if !position.is_legal(ply.mv) {
                break;
            }
            line.push(PyPly { before: position.without_history(), ply: ply.clone() });
            position.make(ply.mv);
        }
        line
    }
}

#[pymethods]
impl PyPly {
    /// The move.
    #[getter]
    fn r#move(&self) -> PyMove {
        PyMove::new(&self.before, self.ply.mv)
    }

    /// The move as people write it.
    #[getter]
    fn san(&self) -> String {
        self.before.san(self.ply.mv)
    }

    /// The number of the move; 0 for a setup, which comes before the first.
    #[getter]
    fn number(&self) -> u32 {
        move_number(&self.before, self.ply.mv)
    }

    /// Who makes it: `white` or `black`.
    #[getter]
    fn side(&self) -> &'static str {
        words::color_word(self.before.side_to_move())
    }

    /// The comment behind it.
    #[getter]
    fn comment(&self) -> Option<&str> {
        self.ply.comment.as_deref()
    }

    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`, and so on.
    #[getter]
    fn nags(&self) -> Vec<u32> {
        self.ply.nags.iter().map(|&nag| u32::from(nag)).collect()
    }

    /// Lines that could be played in its place.
    #[getter]
    fn variations(&self) -> Vec<PyVariation> {
        let of = |variation: &Variation| PyVariation {
            comment: variation.comment.clone(),
            start: self.before.clone(),
            plies: variation.plies.clone(),
        };
        self.ply.variations.iter().map(of).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Ply {}. {}>", self.number(), self.san())
    }
}

/// A line that could be played in place of a move.
#[pyclass(frozen, module = "garrison", name = "Variation")]
pub struct PyVariation {
    comment: Option<String>,
    start: Position,
    plies: Vec<Ply>,
}

#[pymethods]
impl PyVariation {
    /// The comment before its first move.
    #[getter]
    fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// The moves, which may have variations of their own.
    #[getter]
    fn plies(&self) -> Vec<PyPly> {
        PyPly::line(&self.start, &self.plies)
    }

    fn __len__(&self) -> usize {
        self.plies.len()
    }

    fn __repr__(&self) -> String {
        format!("<Variation of {} plies>", self.plies.len())
    }
}
