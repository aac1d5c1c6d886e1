//! What a position is worth: men on the board and in hand, and how far they move.

use super::Score;
use crate::rules::{Color, Position};

/// What one square that a man can go to is worth, in centipawns.
const MOBILITY: i32 = 3;
/// What the right to move is worth, in centipawns.
const TEMPO: i32 = 10;

/// The value of a position to the side to move.
pub fn evaluate(position: &Position) -> Score {
    let side = position.side();
    Score::centipawns(side_value(position, side) - side_value(position, !side) + TEMPO)
}

fn side_value(position: &Position, color: Color) -> i32 {
    let variant = position.variant();
    let men: i32 = variant
        .kinds_of(color)
        .map(|kind| {
            let count =
                position.men(color, kind).len() as i32 + i32::from(position.in_hand(color, kind));
            count * variant.man(kind).value
        })
        .sum();
    men + MOBILITY * position.mobility(color) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{builtin_names, find};

    #[test]
    fn a_start_position_is_worth_the_tempo_where_the_armies_are_the_same() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let armies = variant.info().armies.as_ref();
            if armies.is_none_or(|armies| armies[Color::White] == armies[Color::Black]) {
                let start = Position::start(&variant);
                assert_eq!(evaluate(&start), Score::centipawns(TEMPO), "{name}");
            }
        }
    }
}
