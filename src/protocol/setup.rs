//! The command `setup`, for a person who arranges pieces on a board.

use garrison_rules::Geometry;
use garrison_rules::{Describe, Notation, Position, Square, shown};

/// Carries out `setup`, `setup b1d1 …` or `setup done`; returns the state afterwards, as text.
///
/// # Errors
/// What is wrong with the text, or that no setup is pending; nothing is changed then.
pub(super) fn setup(
    position: &mut Position,
    text: &str,
    notation: &dyn Notation,
) -> Result<String, String> {
    if !position.setup_phase().is_pending() {
        return Err("no setup is pending".to_string());
    }
    if text == "done" {
        position.make(position.setup_as_is());
    } else if !text.is_empty() {
        *position = relocated(position, text, notation)?;
    }
    Ok(state(position, notation))
}

/// The position with pieces of the setup moved: each word names two squares whose contents change
/// places.
fn relocated(position: &Position, text: &str, notation: &dyn Notation) -> Result<Position, String> {
    let mut position = position.clone();
    for word in text.split_whitespace() {
        let geometry = position.variant().geometry();
        let (a, b) = two_squares(geometry, notation, word).ok_or_else(|| {
            let mut squares = position.setup_rank().map(|at| notation.square(geometry, at));
            let example = squares.next().unwrap_or_default() + &squares.next().unwrap_or_default();
            format!(
                "setup '{}' is not two squares such as {example} ('done' stands alone)",
                shown(word)
            )
        })?;
        position = position.with_exchanged(a, b).map_err(|fault| {
            format!("setup {word}: {}", fault.through(position.variant(), notation))
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
    if !position.setup_phase().is_pending() {
        return format!("setup done; {} to move", notation.color(position.side()));
    }
    let variant = position.variant();
    let geometry = variant.geometry();
    let pieces: Vec<String> = position
        .setup_rank()
        .filter_map(|square| {
            let kind = position.at(square)?.kind();
            let movable = variant.setup_kinds().contains(kind);
            movable.then(|| {
                format!("{}@{}", variant.piece(kind).letter, notation.square(geometry, square))
            })
        })
        .collect();
    let as_is = position.move_text_in(notation, position.setup_as_is());
    format!(
        "setup pending: {}; movable {}; as it stands {as_is}",
        notation.color(position.side()),
        pieces.join(" ")
    )
}
