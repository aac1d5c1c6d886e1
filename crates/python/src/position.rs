//! `Position`: pieces, hands, moves made, and how the game stands.

use std::sync::Arc;

use garrison::picture::{BoardLook, SQUARE_PIXELS, board_svg, move_squares};
use garrison_rules::{Move, Position, SetupPhase, Variant};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{FenError, GarrisonError, MoveError};
use crate::moves::PyMove;
use crate::pieces;
use crate::reading::{read_move, root};
use crate::status::PyStatus;
use crate::variant::{PyVariant, Reduced, variant_of};
use crate::words;

/// A position of a game, with the moves that led to it: `Position("chess")` is the start, `Position("chess", fen)` any
/// other.
///
/// Moves are made by `push` and taken back by `pop`. Positions are equal if pieces, hands, side to move, rights and
/// counters are; the moves that led there play no part. The hash is that of the position as it is now: make no more
/// moves in one that is a key of a dict.
///
/// >>> import garrison
/// >>> position = garrison.Position("crazyhouse")
/// >>> for move in ["e4", "d5", "exd5", "d8d5"]:
/// ...     _ = position.push(move)
/// >>> position.fen
/// 'rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3'
/// >>> position.turn, position.hands["white"], len(position.legal_moves)
/// ('white', {'P': 1}, 62)
/// >>> position.pop()
/// <Move d8d5>
#[pyclass(module = "garrison", name = "Position")]
pub struct PyPosition {
    pub position: Position,
}

impl From<Position> for PyPosition {
    fn from(position: Position) -> PyPosition {
        PyPosition { position }
    }
}

impl PyPosition {
    /// The position of a FEN; without one, the start.
    pub fn of(game: &Arc<Variant>, fen: Option<&str>) -> PyResult<Position> {
        let Some(fen) = fen else { return Ok(Position::start(game)) };
        Position::from_fen(game, fen).map_err(|error| FenError::new_err(error.to_string()))
    }

    /// The legal move that an argument is, in SAN or coordinates, or a `Move`.
    pub fn read_move(&self, value: &Bound<'_, PyAny>) -> PyResult<Move> {
        read_move(&self.position, value)
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (variant, fen=None, moves=None))]
    fn py_new(
        variant: &Bound<'_, PyAny>,
        fen: Option<&str>,
        moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPosition> {
        let mut position = PyPosition::of(&variant_of(variant)?, fen)?;
        if let Some(moves) = moves {
            for mv in moves.try_iter()? {
                let mv = read_move(&position, &mv?)?;
                position.make(mv);
            }
        }
        Ok(PyPosition { position })
    }

    /// The game.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant::new(Arc::clone(self.position.variant()))
    }

    /// The position as a FEN.
    #[getter]
    fn fen(&self) -> String {
        self.position.fen()
    }

    /// The side to move: `white` or `black`.
    #[getter]
    fn turn(&self) -> &'static str {
        words::color_word(self.position.side_to_move())
    }

    /// The number of the move, from 1; it rises after Black's.
    #[getter]
    fn fullmove(&self) -> u32 {
        self.position.fullmove()
    }

    /// Plies since the last capture, drop, promotion or pawn move.
    #[getter]
    fn halfmoves(&self) -> u16 {
        self.position.halfmoves()
    }

    /// All legal moves.
    ///
    /// They are there when the game is over by repetition, a count of moves or few pieces too.
    ///
    /// >>> import garrison
    /// >>> position = garrison.Position("minishogi")
    /// >>> [str(move) for move in position.legal_moves if move.piece == "P"]
    /// ['a2a3']
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let moves = self.position.legal_moves();
        let moves = moves.iter().map(|&mv| PyMove::new(&self.position, mv));
        PyList::new(py, moves.collect::<Vec<_>>())
    }

    /// The number of legal moves, without a list of them.
    fn count_legal_moves(&self) -> u64 {
        self.position.count_legal_moves()
    }

    /// Whether a move, or its text, is legal. What is written unlike a move is not.
    ///
    /// >>> import garrison
    /// >>> garrison.Position("chess").is_legal("e2e5")
    /// False
    #[pyo3(signature = (r#move))]
    fn is_legal(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.read_move(r#move) {
            Ok(_) => Ok(true),
            Err(error) if error.is_instance_of::<MoveError>(py) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes a move: a `Move`, or its text as people write it (`Nf3`) or in coordinates (`g1f3`). Returns it.
    ///
    /// Raises MoveError, and changes nothing, if it is not legal here.
    ///
    /// >>> import garrison
    /// >>> position = garrison.Position("chess")
    /// >>> position.push("Nf3")
    /// <Move g1f3>
    /// >>> position.push("g1f3")
    /// Traceback (most recent call last):
    /// garrison.MoveError: illegal move 'g1f3': there is no piece on g1
    #[pyo3(signature = (r#move))]
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<PyMove> {
        let mv = self.read_move(r#move)?;
        let made = PyMove::new(&self.position, mv);
        self.position.make(mv);
        Ok(made)
    }

    /// Takes back the last move and returns it. Raises MoveError if none was made.
    fn pop(&mut self) -> PyResult<PyMove> {
        let Some(mv) = self.position.moves_made().next_back() else {
            return Err(MoveError::new_err("there is no move to take back"));
        };
        self.position.unmake();
        Ok(PyMove::new(&self.position, mv))
    }

    /// The moves made since the position was set up, oldest first.
    #[getter]
    fn moves(&self) -> Vec<PyMove> {
        PyMove::made(&self.position)
    }

    /// The position before the moves made, as a position of its own.
    fn root(&self) -> PyPosition {
        root(&self.position).into()
    }

    /// The legal move of a text in coordinates, such as `e2e4`, `c6c7+`, `N@e5`.
    fn parse_move(&self, text: &str) -> PyResult<PyMove> {
        let mv = self.position.parse_move(text);
        let mv = mv.map_err(|error| MoveError::new_err(error.to_string()))?;
        Ok(PyMove::new(&self.position, mv))
    }

    /// The legal move of a text as people write it, such as `Nf3`, or in coordinates.
    fn parse_san(&self, text: &str) -> PyResult<PyMove> {
        let mv = self.position.parse_san(text);
        let mv = mv.map_err(|error| MoveError::new_err(error.to_string()))?;
        Ok(PyMove::new(&self.position, mv))
    }

    /// A legal move as people write it.
    ///
    /// >>> import garrison
    /// >>> garrison.Position("xiangqi").san("h3e3")
    /// 'Che3'
    #[pyo3(signature = (r#move))]
    fn san(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.position.san(self.read_move(r#move)?))
    }

    /// A line of moves as people write them, each in the position after those before it.
    ///
    /// >>> import garrison
    /// >>> garrison.Position("chess").san_line(["e2e4", "e7e5", "g1f3"])
    /// ['e4', 'e5', 'Nf3']
    fn san_line(&self, moves: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let mut position = self.position.clone();
        let mut line = Vec::new();
        for value in moves.try_iter()? {
            let mv = read_move(&position, &value?)?;
            line.push(position.san(mv));
            position.make(mv);
        }
        Ok(line)
    }

    /// Whether a royal piece of the side to move is attacked.
    #[getter]
    fn is_check(&self) -> bool {
        self.position.is_check()
    }

    /// Whether a legal move attacks a royal piece of the enemy.
    #[pyo3(signature = (r#move))]
    fn gives_check(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = self.read_move(r#move)?;
        let mut after = self.position.without_history();
        after.make(mv);
        Ok(after.is_check())
    }

    /// Whether a legal move captures a piece.
    #[pyo3(signature = (r#move))]
    fn is_capture(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = self.read_move(r#move)?;
        Ok(!self.position.captured_on(mv).is_empty())
    }

    /// The pieces in hand of each side: letters, capitals for both, with their numbers.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        pieces::hands(py, &self.position)
    }

    /// The setups still to be made: `both`, `second` (Black's), or `done`, also in games without a setup phase.
    #[getter]
    fn setup_phase(&self) -> &'static str {
        match self.position.setup_phase() {
            SetupPhase::Both => "both",
            SetupPhase::Second => "second",
            SetupPhase::Done => "done",
        }
    }

    /// Makes the setups that are still to be made so that all pieces stay where they are. Returns the number of plies
    /// made, 0 to 2.
    ///
    /// >>> import garrison
    /// >>> position = garrison.Position("shoranji")
    /// >>> position.setup_phase, position.keep_arrays(), position.setup_phase
    /// ('both', 2, 'done')
    fn keep_arrays(&mut self) -> usize {
        self.position.keep_arrays()
    }

    /// Whether the game is over, who won, and by which rule. Draws that a player would have to claim count.
    ///
    /// >>> import garrison
    /// >>> position = garrison.Position("chess", moves=["f3", "e5", "g4", "Qh4"])
    /// >>> print(position.status)
    /// black wins (checkmate)
    /// >>> position.status.winner, position.status.reason, position.result
    /// ('black', 'checkmate', '0-1')
    #[getter]
    fn status(&self) -> PyStatus {
        PyStatus::from(self.position.status())
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on.
    #[getter]
    fn result(&self) -> &'static str {
        self.status().result()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.position.status().outcome().is_some()
    }

    /// How often this position has occurred since the position that was set up, now included.
    #[getter]
    fn repetitions(&self) -> u32 {
        self.position.occurrences()
    }

    /// The piece on a square as in a FEN, a capital for White; None if it is empty.
    ///
    /// >>> import garrison
    /// >>> garrison.Position("chess").piece_at("e8")
    /// 'k'
    fn piece_at(&self, square: &str) -> PyResult<Option<String>> {
        Ok(pieces::letter(&self.position, pieces::square(&self.position, square)?))
    }

    /// All pieces on the board by their squares, letters as in a FEN.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        pieces::board(py, &self.position)
    }

    /// The key of the position, 64 bits: equal for equal positions, whatever their counters and moves are.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// The board as text, with the hands beside it; `bottom` is the side at the bottom.
    #[pyo3(signature = (bottom="white"))]
    fn picture(&self, bottom: &str) -> PyResult<String> {
        Ok(self.position.picture_with(words::color(bottom)?, |_, _, cell| cell))
    }

    /// The board as a picture (SVG), with the last move marked.
    ///
    /// `style` is `figures` or `tiles`, `theme` is `light`, `dark` or `auto`; `arrows` are pairs of squares, `marks`
    /// squares, `size` is that of a square in pixels, 8 to 512.
    #[pyo3(signature = (*, style="figures", theme="light", bottom="white", arrows=None, marks=None, size=SQUARE_PIXELS,
        coordinates=true, hands=true))]
    #[allow(clippy::too_many_arguments)]
    fn svg(
        &self,
        style: &str,
        theme: &str,
        bottom: &str,
        arrows: Option<Vec<(String, String)>>,
        marks: Option<Vec<String>>,
        size: u32,
        coordinates: bool,
        hands: bool,
    ) -> PyResult<String> {
        if !(8..=512).contains(&size) {
            return Err(GarrisonError::new_err(format!("size {size} is not from 8 to 512")));
        }
        let square = |name: &String| pieces::square(&self.position, name);
        let ends = |(from, to): &(String, String)| Ok((square(from)?, square(to)?));
        let look = BoardLook {
            style: words::style(style)?,
            theme: words::theme(theme)?,
            bottom: words::color(bottom)?,
            coordinates,
            hands,
            square: size,
            arrows: arrows.unwrap_or_default().iter().map(ends).collect::<PyResult<_>>()?,
            marks: marks.unwrap_or_default().iter().map(square).collect::<PyResult<_>>()?,
            last: self.position.moves_made().next_back().map(move_squares).unwrap_or_default(),
            ..BoardLook::default()
        };
        Ok(board_svg(&self.position, &look))
    }

    fn _repr_svg_(&self) -> String {
        let last = self.position.moves_made().next_back().map(move_squares).unwrap_or_default();
        board_svg(&self.position, &BoardLook { last, ..BoardLook::default() })
    }

    /// A position of its own with the same moves.
    fn copy(&self) -> PyPosition {
        self.position.clone().into()
    }

    fn __copy__(&self) -> PyPosition {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyPosition {
        self.copy()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyPosition>().is_ok_and(|other| {
            other.try_borrow().is_ok_and(|other| self.position == other.position)
        })
    }

    fn __hash__(&self) -> u64 {
        self.position.key()
    }

    fn __str__(&self) -> String {
        self.position.picture()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', '{}')", self.position.variant().name(), self.position.fen())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let make = py.import("garrison._garrison")?.getattr("Position")?;
        let root = root(&self.position);
        let mut position = root.clone();
        let mut moves = Vec::new();
        for mv in self.position.moves_made() {
            moves.push(position.move_text(mv));
            position.make(mv);
        }
        Ok((make, (self.variant(), root.fen(), moves).into_pyobject(py)?))
    }
}
