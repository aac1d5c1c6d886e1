//! `Move`: a move of a position.

use std::sync::Arc;

use garrison_rules::{Algebraic, Move, PieceType, Position, Tag, Variant};
use pyo3::class::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::MoveError;
use crate::variant::{PyVariant, Reduced};

/// A move. Positions make them; `str(move)` is its text in coordinates, and it is equal to that text.
///
/// A move is written `e2e4`, a promotion names the new piece (`e7e8q`, `c6c7+`), a drop the piece in hand (`N@e5`), a
/// setup the new first rank (`=TWF1T1FWT`), a pass is `0000`.
///
/// >>> import garrison
/// >>> position = garrison.Position("crazyhouse", "4k3/8/8/8/8/8/P7/4K3[N] w - - 0 1")
/// >>> drop = position.parse_move("N@e5")
/// >>> drop.is_drop, drop.piece, drop.from_square, drop.to_square
/// (True, 'N', None, 'e5')
/// >>> position.legal_moves[0] == "a2a3", "a2a4" in position.legal_moves
/// (True, True)
#[pyclass(frozen, module = "garrison", name = "Move")]
pub struct PyMove {
    pub game: Arc<Variant>,
    pub mv: Move,
    /// The type of the piece that moves, for moves on the board.
    pub moved: Option<PieceType>,
    /// The text of a setup or castling, which its position gave it.
    written: Option<Box<str>>,
}

impl PyMove {
    /// A legal move of a position.
    pub fn new(position: &Position, mv: Move) -> PyMove {
        let game = Arc::clone(position.variant());
        let on_board = !matches!(mv.tag(), Tag::Drop | Tag::Setup | Tag::Pass);
        let moved = on_board.then(|| position.at(mv.from()).map(|piece| piece.kind())).flatten();
        let is_of_position = matches!(mv.tag(), Tag::Setup | Tag::Castle | Tag::GateCastle);
        let written = is_of_position.then(|| position.move_text(mv).into_boxed_str());
        PyMove { game, mv, moved, written }
    }

    /// The moves that led to a position since it was set up, oldest first.
    pub fn made(position: &Position) -> Vec<PyMove> {
        let mut before = position.clone();
        let latest_first = position.moves_made().rev().map(|mv| {
            before.unmake();
            PyMove::new(&before, mv)
        });
        let mut made: Vec<PyMove> = latest_first.collect();
        made.reverse();
        made
    }

    /// The moves of a line that begins with this position, as far as they are legal.
    pub fn line(position: &Position, line: &[Move]) -> Vec<PyMove> {
        let mut position = position.without_history();
        let mut moves = Vec::with_capacity(line.len());
        for &mv in line {
            if !position.is_legal(mv) {
                break;
            }
            moves.push(PyMove::new(&position, mv));
            position.make(mv);
        }
        moves
    }

    /// Its text in coordinates.
    pub fn text(&self) -> String {
        match &self.written {
            Some(text) => text.to_string(),
            None => self.game.move_text_in(&Algebraic, self.mv, self.moved).unwrap_or_default(),
        }
    }

    fn square(&self, square: garrison_rules::Square) -> String {
        self.game.geometry().name(square)
    }

    fn letter(&self, kind: PieceType) -> String {
        self.game.piece(kind).letter.to_string()
    }
}

#[pymethods]
impl PyMove {
    /// The text in coordinates.
    #[getter(text)]
    fn py_text(&self) -> String {
        self.text()
    }

    /// The square from which a piece moves; None for drops, setups and passes.
    #[getter(from_square)]
    fn origin(&self) -> Option<String> {
        self.moved.map(|_| self.square(self.mv.from()))
    }

    /// The square to which a piece moves or is dropped; None for setups and passes.
    #[getter(to_square)]
    fn target(&self) -> Option<String> {
        let has_target = !matches!(self.mv.tag(), Tag::Setup | Tag::Pass);
        has_target.then(|| self.square(self.mv.to()))
    }

    /// The letter, a capital, of the piece that moves or leaves the hand; None for setups and passes.
    #[getter]
    fn piece(&self) -> Option<String> {
        let dropped = self.mv.is_drop().then(|| self.mv.dropped());
        self.moved.or(dropped).map(|kind| self.letter(kind))
    }

    /// The letter, a capital, of the piece that a promotion, or the drop of a reserve, makes; None for other moves.
    #[getter]
    fn promotion(&self) -> Option<String> {
        let becomes = match self.mv.tag() {
            Tag::Promotion => true,
            Tag::Drop => self.mv.becomes() != self.mv.dropped(),
            _ => false,
        };
        becomes.then(|| self.letter(self.mv.becomes()))
    }

    /// Whether it drops a piece from hand.
    #[getter]
    fn is_drop(&self) -> bool {
        self.mv.is_drop()
    }

    /// Whether it rearranges pieces before the first move.
    #[getter]
    fn is_setup(&self) -> bool {
        self.mv.tag() == Tag::Setup
    }

    /// Whether it passes.
    #[getter]
    fn is_pass(&self) -> bool {
        self.mv.tag() == Tag::Pass
    }

    /// Whether it castles.
    #[getter]
    fn is_castling(&self) -> bool {
        self.mv.is_castling()
    }

    /// Whether it captures a piece in passing.
    #[getter]
    fn is_en_passant(&self) -> bool {
        self.mv.tag() == Tag::EnPassant
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Move {}>", self.text())
    }

    /// Moves are compared as their texts, with moves and texts.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let order = if let Ok(other) = other.cast::<PyMove>() {
            let other = other.get();
            let is_same =
                self.mv == other.mv && self.moved == other.moved && self.written == other.written;
            if is_same && Arc::ptr_eq(&self.game, &other.game) {
                std::cmp::Ordering::Equal
            } else {
                self.text().cmp(&other.text())
            }
        } else if let Ok(text) = other.cast::<PyString>() {
            // A text with lone surrogates is no move.
            text.to_cow().map_or(std::cmp::Ordering::Less, |text| self.text().as_str().cmp(&text))
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(op.matches(order).into_pyobject(py)?.to_owned().into_any().unbind())
    }

    /// That of its text, to which it is equal.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.text()).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let make = py.import("garrison._garrison")?.getattr("_make_move")?;
        let moved = self.moved.map(|kind| kind.index() as u8);
        let variant = PyVariant::new(Arc::clone(&self.game));
        Ok((make, (variant, self.mv.bits(), moved, self.written.as_deref()).into_pyobject(py)?))
    }
}

/// For pickle: a move as `Move.__reduce__` writes it.
#[pyfunction]
#[pyo3(signature = (variant, bits, moved, written))]
pub fn _make_move(
    variant: PyRef<'_, PyVariant>,
    bits: u32,
    moved: Option<u8>,
    written: Option<String>,
) -> PyResult<PyMove> {
    let game = Arc::clone(&variant.game);
    let mv = Move::from_bits(bits);
    let squares = game.geometry().squares();
    let is_kind = |kind: PieceType| game.kinds().any(|known| known == kind);
    let is_of_game = match mv.tag() {
        Tag::Setup => written.is_some(),
        Tag::Pass => true,
        Tag::Castle | Tag::GateCastle if written.is_none() => false,
        Tag::Drop => squares.contains(mv.to()) && is_kind(mv.dropped()) && is_kind(mv.becomes()),
        _ => squares.contains(mv.to()) && squares.contains(mv.from()) && is_kind(mv.becomes()),
    };
    let moved = moved
        .map(|index| game.kinds().find(|kind| kind.index() == usize::from(index)).ok_or(index));
    match moved.transpose() {
        Ok(moved) if is_of_game => {
            let written = written.map(String::into_boxed_str);
            Ok(PyMove { game, mv, moved, written })
        }
        _ => Err(MoveError::new_err(format!("{bits} is no move of {}", game.name()))),
    }
}
