//! What is suspicious about a fit: too few positions, pieces that are worth what no piece is.

use crate::engine::LinearEval;
use crate::training::prior::Start;
use crate::training::tune::Fit;
use garrison_rules::{PieceType, Variant};
use std::sync::Arc;

/// The least positions for each weight. With 14, weights fitted from the values of a definition lost to those that
/// ship; with 72 they were as good (docs/tuning.md).
const POSITIONS_OF_A_WEIGHT: usize = 50;
/// No piece is worth more, in centipawns: with so many more, all but one in 100 000 games would be won.
const MOST: i32 = 2_000;

/// A line for each thing that is suspicious.
pub(super) fn warnings(
    variant: &Arc<Variant>,
    start: &Start,
    fit: &Fit,
    positions: usize,
) -> Vec<String> {
    let each = positions as f64 / fit.used.max(1) as f64;
    let mut all = Vec::new();
    if each < POSITIONS_OF_A_WEIGHT as f64 {
        all.push(format!(
            "thin data: {positions} positions for {} weights, {each:.1} for each where \
             {POSITIONS_OF_A_WEIGHT} are wanted; play more games, and try the weights in a match",
            fit.used
        ));
    }
    if fit.best == 0 {
        all.push(
            "nothing was learned: the weights begun with predict the held-out games best, and are \
             what was written"
                .to_string(),
        );
    }
    let begun = match start {
        Start::Fitted(linear) => Some(linear),
        Start::Definition | Start::General(_) => None,
    };
    all.extend(absurd(variant, &fit.linear, begun));
    all
}

/// The values of pieces that cannot be: nothing or less, too much, or less than that of a piece which was worth half as
/// much by fitted weights that were begun with. (A definition is no measure: it is wrong by more than that.)
fn absurd(variant: &Arc<Variant>, linear: &LinearEval, begun: Option<&LinearEval>) -> Vec<String> {
    // Where pieces are to be lost, they may well be worth less than nothing, and less than lesser ones.
    let giveaway = variant.is_giveaway();
    let on_board = |kind: &PieceType| {
        variant.royal() != Some(*kind)
            && variant.piece(*kind).reserve.is_empty()
            && variant.piece(*kind).value > 0
    };
    let pieces: Vec<PieceType> = variant.kinds().filter(on_board).collect();
    let called = |kind| {
        let piece = variant.piece(kind);
        format!("{} ({})", piece.name, piece.letter)
    };
    let mut all = Vec::new();
    for &kind in &pieces {
        let value = linear.piece_value(kind);
        if value.abs() > MOST || value <= 0 && !giveaway {
            all.push(format!("the {} is worth {value} centipawns", called(kind)));
            continue;
        }
        let half = |other: &&PieceType| {
            let was_half =
                |begun: &LinearEval| 2 * begun.piece_value(**other) <= begun.piece_value(kind);
            begun.is_some_and(was_half) && linear.piece_value(**other) > value
        };
        if let Some(&other) = pieces.iter().find(half).filter(|_| !giveaway) {
            let (other, more) = (called(other), linear.piece_value(other));
            let name = called(kind);
            all.push(format!("the {name} is worth {value} centipawns, the {other} {more}"));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Evaluation;
    use crate::engine::eval::Layout;
    use garrison_rules::catalogue::{builtin_names, reference_names};
    use garrison_rules::find;

    #[test]
    fn what_ships_is_not_absurd() {
        for name in builtin_names().iter().chain(reference_names()) {
            let variant = find(name).expect("a built-in game");
            let found = absurd(&variant, &Evaluation::new(&variant).linear, None);
            assert!(found.is_empty(), "{name}: {found:?}");
        }
    }

    #[test]
    fn absurd_values_are_named() {
        let chess = find("chess").expect("a built-in game");
        let layout = Layout::new(&chess);
        let plain = LinearEval::plain(&chess);
        // Pawn, knight, bishop, rook, queen.
        for (letter, value, wanted) in [
            ("P", -60.0, "the pawn (P) is worth "),
            ("Q", 4000.0, "the queen (Q) is worth "),
            ("R", 20.0, "the rook (R) is worth "),
        ] {
            let mut weights = layout.plain(&chess);
            let by_name = layout.by_name(&chess);
            weights[by_name[&(letter.to_string(), "value")].start] = [value; 2];
            let found = absurd(&chess, &LinearEval::from_weights(&chess, &weights), Some(&plain));
            assert!(found.len() == 1 && found[0].starts_with(wanted), "{found:?}");
        }
    }
}
