//! The command `setup`, for a person who arranges pieces on a board.

use garrison_rules::{Position, shown};

/// Carries out `setup`, `setup b1d1 …` or `setup done`; returns the state afterwards, as text.
///
/// # Errors
/// What is wrong with the text, or that no setup is pending; nothing is changed then.
pub(super) fn setup(position: &mut Position, text: &str) -> Result<String, String> {
    if !position.setup_phase().is_pending() {
        return Err("no setup is pending".to_string());
    }
    if text == "done" {
        position.make(position.setup_as_is());
    } else if !text.is_empty() {
        *position = relocated(position, text)?;
    }
    Ok(state(position))
}

/// The position with pieces of the setup moved: each word names two squares whose contents change
/// places.
fn relocated(position: &Position, text: &str) -> Result<Position, String> {
    let mut position = position.clone();
    for word in text.split_whitespace() {
        let geometry = position.variant().geometry();
        let squares = geometry.parse_two_squares(word);
        let (a, b) = squares.ok_or_else(|| {
            format!("setup '{}' is not two squares such as b1d1 ('done' stands alone)", shown(word))
        })?;
        position =
            position.with_exchanged(a, b).map_err(|fault| format!("setup {word}: {fault}"))?;
    }
    Ok(position)
}

/// Whose setup is pending, and the pieces that may be moved.
fn state(position: &Position) -> String {
    if !position.setup_phase().is_pending() {
        return format!("setup done; {} to move", position.side());
    }
    let variant = position.variant();
    let geometry = variant.geometry();
    let pieces: Vec<String> = position
        .setup_rank()
        .filter_map(|square| {
            let kind = position.at(square)?.kind();
            let movable = variant.setup_kinds().contains(kind);
            movable.then(|| format!("{}@{}", variant.piece(kind).letter, geometry.name(square)))
        })
        .collect();
    let as_is = position.move_text(position.setup_as_is());
    format!(
        "setup pending: {}; movable {}; as it stands {as_is}",
        position.side(),
        pieces.join(" ")
    )
}
