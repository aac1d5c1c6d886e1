//! Moves and scores as the commands read and write them.

use garrison_rules::{Move, MoveError, Position};

/// Reads a move as coordinates or as people write it.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    position.parse_san(text).map_err(|error| match position.parse_move(text) {
        // The text was written as coordinates, so report the error of that form.
        Err(illegal) if !illegal.is_syntax() => illegal,
        _ => error,
    })
}
