//! The value of one position and of its moves.

use std::fmt::Write as _;

use super::CommandResult;
use super::table::WITHOUT_COUNTS;
use crate::endings::{Endings, Material, Value, line, rated_moves};
use crate::record::numbered;
use crate::text::lines_of;
use garrison_rules::{Color, Move, Position, counted};

/// The columns of a line of moves.
const WIDTH: usize = 96;

/// What the tables say of a position, which are made now.
pub(super) fn text(endings: &mut Endings, position: &Position) -> CommandResult<String> {
    let variant = position.variant();
    let pieces = position.occupied().len();
    let material = Material::of(position)
        .ok_or_else(|| format!("{pieces} pieces on the board; tables have 4 at most"))?;
    if position.has_rights() {
        return Err(
            "the position has rights of pieces that have not moved; tables have none".into()
        );
    }
    let table = endings.solve(&material)?;
    let side = position.side_to_move();
    let value = endings.value(position).ok_or("the position is in no table")?;
    let mut text = format!("{} ({}), {}\n\n", variant.info().title, variant.name(), table.name());
    let _ = writeln!(text, "{side} to move: {}", sentence(value, side));
    if let Some(limit) = table.limit() {
        let left = limit.saturating_sub(position.halfmoves());
        if position.halfmoves() > 0 && value.plies().is_some_and(|plies| plies > left) {
            let _ = writeln!(
                text,
                "The count of moves is taken as 0. It stands at {} and may draw the game at {limit}.",
                position.halfmoves()
            );
        }
    }
    if variant.has_counts() {
        let _ = writeln!(text, "{WITHOUT_COUNTS}");
    }
    for words in line_text(position, &line(endings, position)) {
        let _ = writeln!(text, "  {words}");
    }
    let moves = rated_moves(endings, position).unwrap_or_default();
    if !moves.is_empty() {
        text.push('\n');
    }
    for rated in moves {
        let _ = writeln!(text, "{:<8} {}", position.san(rated.mv), sentence(rated.value, side));
    }
    Ok(text)
}

/// `White wins in 16 moves (31 plies)`
fn sentence(value: Value, side: Color) -> String {
    match (value.winner(side), value.plies()) {
        (Some(winner), Some(0)) => format!("{winner} has won"),
        (Some(winner), Some(plies)) => {
            let moves = moves_of_winner(winner == side, plies);
            let moves = counted(u64::from(moves), "move");
            let word = if plies == 1 { "ply" } else { "plies" };
            format!("{winner} wins in {moves} ({plies} {word})")
        }
        _ if value == Value::DrawnByCount => "drawn by the count of moves".to_string(),
        _ => "drawn".to_string(),
    }
}

/// The moves that the winner makes in so many plies.
fn moves_of_winner(is_first: bool, plies: u16) -> u16 {
    if is_first { plies.div_ceil(2) } else { plies / 2 }
}

/// A line as people write it, in lines.
pub(super) fn line_text(position: &Position, line: &[Move]) -> Vec<String> {
    let begins_black = position.side_to_move() == Color::Black;
    let words = position.line_with(line, |after, mv| {
        let is_asked = begins_black && after.fullmove() == position.fullmove();
        format!("{}{}", numbered(after, mv, is_asked), after.san(mv))
    });
    if words.is_empty() { Vec::new() } else { lines_of(words, WIDTH) }
}
