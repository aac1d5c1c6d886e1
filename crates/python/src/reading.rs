//! Positions and moves as arguments.

use std::sync::Arc;

use garrison_rules::{Move, Position, Tag};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::MoveError;
use crate::moves::PyMove;
use crate::position::PyPosition;

/// A copy of the position that an argument is: what works on it meanwhile does not keep others from changing it.
pub fn copied(position: &Bound<'_, PyPosition>) -> PyResult<Position> {
    Ok(position.try_borrow()?.position.clone())
}

/// The legal move of a position that an argument is: a `Move`, or a text in SAN or coordinates.
pub fn read_move(position: &Position, value: &Bound<'_, PyAny>) -> PyResult<Move> {
    let error = |error: garrison_rules::MoveError| MoveError::new_err(error.to_string());
    if let Ok(mv) = value.cast::<PyMove>() {
        let PyMove { game, mv, .. } = mv.get();
        // The same word means the same in every position, but for those whose texts depend on it.
        let is_plain = !matches!(
            mv.tag(),
            Tag::Setup | Tag::Promotion | Tag::Castle | Tag::Gate | Tag::GateCastle
        );
        if is_plain && Arc::ptr_eq(game, position.variant()) && position.is_legal(*mv) {
            return Ok(*mv);
        }
        return position.parse_move(&value.cast::<PyMove>()?.get().text()).map_err(error);
    }
    let Ok(text) = value.cast::<PyString>() else {
        let given = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a Move or its text is needed, not {given}")));
    };
    position.parse_san(&text.to_cow()?).map_err(error)
}

/// The legal moves that an iterable holds, each of this position.
pub fn read_moves(position: &Position, values: &Bound<'_, PyAny>) -> PyResult<Vec<Move>> {
    values.try_iter()?.map(|value| read_move(position, &value?)).collect()
}

/// The position before the moves made.
pub fn root(position: &Position) -> Position {
    let mut root = position.clone();
    while root.moves_made().len() > 0 {
        root.unmake();
    }
    root
}
