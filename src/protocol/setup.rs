//! The command `setup`, for a user who arranges pieces on a board.

use garrison_rules::fault::Describe;
use garrison_rules::{Geometry, Notation, PieceType, Position, Square, shown};
use thiserror::Error;

/// Why `setup` is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum SetupError {
    /// No setup is pending.
    #[error("no setup is pending")]
    NotPending,
    /// A word that is not two squares.
    #[error("setup '{}' is not two squares such as {example} ('done' stands alone)", shown(.word))]
    NotTwoSquares {
        /// The word.
        word: String,
        /// Two squares as the dialect writes them.
        example: String,
    },
    /// Two squares whose contents cannot change places.
    #[error("setup {word}: {fault}")]
    Exchange {
        /// The two squares.
        word: String,
        /// Why.
        fault: String,
    },
}

/// Carries out `setup`, `setup b1d1 …` or `setup done`; returns the state afterwards, as text.
///
/// # Errors
/// What is wrong with the text, or that no setup is pending; nothing is changed then.
pub(super) fn setup(
    position: &mut Position,
    text: &str,
    notation: &dyn Notation,
) -> Result<String, SetupError> {
    if !position.setup_phase().is_pending() {
        return Err(SetupError::NotPending);
    }
    if text == "done" {
        position.make(position.setup_as_is());
    } else if !text.is_empty() {
        *position = rearranged(position, text, notation)?;
    }
    Ok(state(position, notation))
}

/// The position with pieces of the setup moved: each word names two squares whose contents change
/// places.
fn rearranged(
    position: &Position,
    text: &str,
    notation: &dyn Notation,
) -> Result<Position, SetupError> {
    let mut position = position.clone();
    for word in text.split_whitespace() {
        let geometry = position.variant().geometry();
        let (a, b) = two_squares(geometry, notation, word).ok_or_else(|| {
            let mut squares = position.setup_rank().map(|at| notation.square(geometry, at));
            let example = squares.next().unwrap_or_default() + &squares.next().unwrap_or_default();
            SetupError::NotTwoSquares { word: word.to_string(), example }
        })?;
        position = position.with_exchanged(a, b).map_err(|fault| SetupError::Exchange {
            word: shown(word),
            fault: fault.through(position.variant(), notation).to_string(),
        })?;
    }
    Ok(position)
}

/// Reads the names of two squares, and nothing else.
fn two_squares(
    geometry: &Geometry,
    notation: &dyn Notation,
    text: &str,
) -> Option<(Square, Square)> {
    let (a, rest) = notation.parse_square(geometry, text)?;
    let (b, rest) = notation.parse_square(geometry, rest)?;
    rest.is_empty().then_some((a, b))
}

/// Whose setup is pending, and the pieces that may be moved.
fn state(position: &Position, notation: &dyn Notation) -> String {
    let side = notation.color(position.side_to_move());
    if !position.setup_phase().is_pending() {
        return format!("setup done; {side} to move");
    }
    let variant = position.variant();
    let movable = |square: Square| -> Option<(PieceType, Square)> {
        let kind = position.at(square)?.kind();
        variant.setup_kinds().contains(kind).then_some((kind, square))
    };
    let text = |(kind, square): (PieceType, Square)| {
        format!("{}@{}", variant.piece(kind).letter, notation.square(variant.geometry(), square))
    };
    let pieces: Vec<String> = position.setup_rank().filter_map(movable).map(text).collect();
    let as_is = position.move_text_in(notation, position.setup_as_is());
    format!("setup pending: {side}; movable {}; as it stands {as_is}", pieces.join(" "))
}
