//! Moves as pyffish reads and writes them: coordinates, and a pass as a step of the king to where it stands.

use garrison_rules::{Move, MoveError, Piece, Position, Tag};

/// Makes the move of a text. Setups that are pending are made first, with the arrays as they stand.
///
/// # Errors
/// The text is no legal move; nothing is changed then.
pub fn play(position: &mut Position, text: &str) -> Result<(), MoveError> {
    let error = match position.play(text) {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    match own_pass(position, text) {
        Some(pass) => {
            position.make(pass);
            Ok(())
        }
        None => Err(error),
    }
}

/// The legal move of a text.
///
/// # Errors
/// The text is no legal move.
pub fn read(position: &Position, text: &str) -> Result<Move, MoveError> {
    position.parse_move(text).or_else(|error| own_pass(position, text).ok_or(error))
}

/// The pass that is written as a step of the king to where it stands.
fn own_pass(position: &Position, text: &str) -> Option<Move> {
    let king = position.royal_square(position.side_to_move())?;
    let (from, to) = position.variant().geometry().parse_two_squares(text)?;
    let pass = Move::pass();
    ((from, to) == (king, king) && position.is_legal(pass)).then_some(pass)
}

/// Adds a legal move as text.
pub fn write(position: &Position, mv: Move, text: &mut String) {
    if mv.tag() != Tag::Pass {
        text.push_str(&position.move_text(mv));
        return;
    }
    match position.royal_square(position.side_to_move()) {
        Some(king) => {
            let king = position.variant().geometry().name(king);
            text.push_str(&king);
            text.push_str(&king);
        }
        None => text.push_str("0000"),
    }
}

/// The piece that a legal move captures; of two, the last.
pub fn captured(position: &Position, mv: Move) -> Option<Piece> {
    position.captured_on(mv).last().and_then(|square| position.at(square))
}
