//! Squares and pieces as texts.

use garrison_rules::{Algebraic, Color, Notation, Position, Square};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::GarrisonError;
use crate::words;

/// The square with this name.
pub fn square(position: &Position, name: &str) -> PyResult<Square> {
    let game = position.variant();
    match Algebraic.parse_square(game.geometry(), name) {
        Some((square, "")) => Ok(square),
        _ => {
            let (name, game) = (garrison_rules::shown(name), game.name());
            Err(GarrisonError::new_err(format!("there is no square '{name}' in {game}")))
        }
    }
}

/// The piece on a square as in a FEN.
pub fn letter(position: &Position, square: Square) -> Option<String> {
    let piece = position.at(square)?;
    Some(position.variant().piece(piece.kind()).letter.of_side(piece.color()))
}

/// All pieces on the board by their squares.
pub fn board<'py>(py: Python<'py>, position: &Position) -> PyResult<Bound<'py, PyDict>> {
    let board = PyDict::new(py);
    for square in position.occupied() {
        let name = position.variant().geometry().name(square);
        board.set_item(name, letter(position, square))?;
    }
    Ok(board)
}

/// The pieces in hand by side and letter.
pub fn hands<'py>(py: Python<'py>, position: &Position) -> PyResult<Bound<'py, PyDict>> {
    let hands = PyDict::new(py);
    for color in Color::ALL {
        let hand = PyDict::new(py);
        for &kind in position.variant().hand_kinds() {
            let count = position.in_hand(color, kind);
            if count > 0 {
                hand.set_item(position.variant().piece(kind).letter.to_string(), count)?;
            }
        }
        hands.set_item(words::color_word(color), hand)?;
    }
    Ok(hands)
}
