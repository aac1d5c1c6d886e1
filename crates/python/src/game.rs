//! `Game`: a game with its tags, moves, comments and variations.

use std::sync::Arc;

use garrison::record::{GameRecord, Ply, Variation};
use garrison_rules::{GameResult, Position};
use pyo3::prelude::*;

use crate::errors::{GarrisonError, PgnError};
use crate::headers::PyHeaders;
use crate::moves::PyMove;
use crate::ply::PyPly;
use crate::position::PyPosition;
use crate::reading::{copied, read_move, root};
use crate::variant::{PyVariant, Reduced, variant_of};

/// A game: tags, moves with comments and variations, a result. `Game("chess")` is a new one from the start position.
///
/// `str(game)` is its PGN.
///
/// >>> import garrison
/// >>> game = garrison.Game("swda-oo")
/// >>> game.headers["White"] = "Anna"
/// >>> game.add("e3", comment="quiet", nags=[1])
/// >>> game.add("e6")
/// >>> game.add_variation(1, ["d6", "d3"], comment="or")
/// >>> game.result = "1/2-1/2"
/// >>> print(str(game).splitlines()[-1])
/// 1. e3 $1 {quiet} 1... e6 ({or} 1... d6 2. d3) 1/2-1/2
/// >>> [str(move) for move in game.moves], game.end.turn
/// (['e2e3', 'e7e6'], 'white')
#[pyclass(module = "garrison", name = "Game")]
pub struct PyGame {
    pub record: GameRecord,
    /// The position after all plies.
    end: Position,
    faults: Vec<String>,
}

impl PyGame {
    /// A record, and what of its variations could not be read.
    pub fn new(record: GameRecord, faults: Vec<String>) -> PyGame {
        PyGame { end: record.end(), record, faults }
    }

    fn ply(&mut self, index: usize) -> PyResult<&mut Ply> {
        let plies = self.record.plies.len();
        self.record.plies.get_mut(index).ok_or_else(|| {
            GarrisonError::new_err(format!("there is no ply {index}; the game has {plies} from 0"))
        })
    }

    /// The position before a ply, which there is.
    fn before(&self, index: usize) -> Position {
        let mut position = self.end.clone();
        for _ in index..self.record.plies.len() {
            position.unmake();
        }
        position
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (variant, fen=None))]
    fn py_new(variant: &Bound<'_, PyAny>, fen: Option<&str>) -> PyResult<PyGame> {
        let position = PyPosition::of(&variant_of(variant)?, fen)?;
        Ok(PyGame::new(GameRecord::new(&position), Vec::new()))
    }

    /// The game that the moves of a position are. Its result is that of the position.
    ///
    /// >>> import garrison
    /// >>> position = garrison.Position("chess", moves=["f3", "e5", "g4", "Qh4"])
    /// >>> print(str(garrison.Game.from_position(position)).splitlines()[-1])
    /// 1. f3 e5 2. g4 Qh4# 0-1
    #[staticmethod]
    fn from_position(position: &Bound<'_, PyPosition>) -> PyResult<PyGame> {
        let position = copied(position)?;
        let mut record = GameRecord::new(&root(&position));
        position.moves_made().for_each(|mv| record.push(mv, None));
        record.result = GameResult::from(position.status());
        Ok(PyGame { record, end: position, faults: Vec::new() })
    }

    /// The game of a PGN text; the first one, if there are several.
    ///
    /// `variant` is for a text without the tag Variant, or that names this game. Raises PgnError if there is no game, or
    /// a faulty one.
    ///
    /// >>> import garrison
    /// >>> game = garrison.Game.from_pgn("1. e4 e5 2. Nf3 *", "chess")
    /// >>> [ply.san for ply in game.plies]
    /// ['e4', 'e5', 'Nf3']
    #[staticmethod]
    #[pyo3(signature = (text, variant=None))]
    fn from_pgn(text: &str, variant: Option<&Bound<'_, PyAny>>) -> PyResult<PyGame> {
        let mut games = crate::pgn::games_of_text(text.to_string(), variant)?;
        match games.next() {
            Some(Ok(record)) => {
                let faults = games.faults().iter().map(ToString::to_string).collect();
                Ok(PyGame::new(record, faults))
            }
            Some(Err(error)) => Err(PgnError::new_err(error.to_string())),
            None => Err(PgnError::new_err("the text holds no game")),
        }
    }

    /// The game that is played.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant::new(Arc::clone(self.record.start.variant()))
    }

    /// The tags, such as `White` and `Date`, as a mapping that can be changed. `Result` is the result; `Variant`, `SetUp`
    /// and `FEN` follow from the start.
    #[getter]
    fn headers(slf: Bound<'_, Self>) -> PyHeaders {
        PyHeaders { game: slf.unbind() }
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyPosition {
        self.record.start.clone().into()
    }

    /// The position after the last move, with all moves.
    #[getter]
    fn end(&self) -> PyPosition {
        self.end.clone().into()
    }

    /// The position before the ply with this number, from 0; with the number of plies, the end.
    fn position(&self, ply: usize) -> PyResult<PyPosition> {
        if ply > self.record.plies.len() {
            let plies = self.record.plies.len();
            let message = format!("there is no position {ply}; the game has {plies} plies");
            return Err(GarrisonError::new_err(message));
        }
        Ok(self.before(ply).into())
    }

    /// The moves.
    #[getter]
    fn moves(&self) -> Vec<PyMove> {
        let line: Vec<_> = self.record.plies.iter().map(|ply| ply.mv).collect();
        PyMove::line(&self.record.start, &line)
    }

    /// The moves with their comments, glyphs and variations.
    #[getter]
    fn plies(&self) -> Vec<PyPly> {
        PyPly::line(&self.record.start, &self.record.plies)
    }

    /// The comment before the first move.
    #[getter]
    fn comment(&self) -> Option<&str> {
        self.record.comment.as_deref()
    }

    #[setter]
    fn set_comment(&mut self, comment: Option<String>) {
        self.record.comment = comment;
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.record.result.text()
    }

    #[setter]
    fn set_result(&mut self, result: &str) -> PyResult<()> {
        self.record.result = parse_result(result)?;
        Ok(())
    }

    /// What of its variations could not be read, a line each.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.faults.clone()
    }

    /// Adds a move at the end: a `Move`, or its text in SAN or coordinates. `nags` are numeric annotation glyphs (1 is
    /// `!`, 2 `?`). Raises MoveError, and changes nothing, if it is not legal.
    #[pyo3(signature = (r#move, *, comment=None, nags=Vec::new()))]
    fn add(
        &mut self,
        r#move: &Bound<'_, PyAny>,
        comment: Option<String>,
        nags: Vec<u8>,
    ) -> PyResult<()> {
        let mv = read_move(&self.end, r#move)?;
        self.record.plies.push(Ply { comment, nags, ..Ply::plain(mv) });
        self.end.make(mv);
        Ok(())
    }

    /// Takes the last move away. Raises GarrisonError if there is none.
    fn remove_last(&mut self) -> PyResult<PyMove> {
        let ply = self.record.plies.pop();
        let ply = ply.ok_or_else(|| GarrisonError::new_err("the game has no moves"))?;
        self.end.unmake();
        Ok(PyMove::new(&self.end, ply.mv))
    }

    /// Says something of the ply with this number, from 0; what is not given stays.
    #[pyo3(signature = (ply, *, comment=None, nags=None))]
    fn annotate(
        &mut self,
        ply: usize,
        comment: Option<String>,
        nags: Option<Vec<u8>>,
    ) -> PyResult<()> {
        let ply = self.ply(ply)?;
        if comment.is_some() {
            ply.comment = comment;
        }
        if let Some(nags) = nags {
            ply.nags = nags;
        }
        Ok(())
    }

    /// Adds a line of moves that could be played in place of the ply with this number, from 0.
    #[pyo3(signature = (ply, moves, *, comment=None))]
    fn add_variation(
        &mut self,
        ply: usize,
        moves: &Bound<'_, PyAny>,
        comment: Option<String>,
    ) -> PyResult<()> {
        self.ply(ply)?;
        let mut position = self.before(ply);
        let mut plies = Vec::new();
        for value in moves.try_iter()? {
            let mv = read_move(&position, &value?)?;
            plies.push(Ply::plain(mv));
            position.make(mv);
        }
        if plies.is_empty() {
            return Err(GarrisonError::new_err("the variation has no moves"));
        }
        // What ran while the moves were read may have changed the game.
        self.ply(ply)?.variations.push(Variation { comment, plies });
        Ok(())
    }

    /// A game of its own with the same content.
    fn copy(&self) -> PyGame {
        PyGame { record: self.record.clone(), end: self.end.clone(), faults: self.faults.clone() }
    }

    fn __copy__(&self) -> PyGame {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.copy()
    }

    fn __len__(&self) -> usize {
        self.record.plies.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PyGame>()
            .is_ok_and(|other| other.try_borrow().is_ok_and(|other| self.record == other.record))
    }

    fn __str__(&self) -> String {
        self.record.to_pgn()
    }

    fn __repr__(&self) -> String {
        let (plies, result) = (self.record.plies.len(), self.record.result);
        format!("<Game of {}: {plies} plies, {result}>", self.record.start.variant().name())
    }

    /// As PGN, which has all of a game.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let make = py.import("garrison._garrison")?.getattr("Game")?.getattr("from_pgn")?;
        Ok((make, (self.record.to_pgn(), self.variant()).into_pyobject(py)?))
    }
}

/// The result of a text.
pub fn parse_result(text: &str) -> PyResult<GameResult> {
    GameResult::parse(text).ok_or_else(|| {
        let given = garrison_rules::shown(text);
        GarrisonError::new_err(format!("result '{given}' is none of 1-0, 0-1, 1/2-1/2, *"))
    })
}
