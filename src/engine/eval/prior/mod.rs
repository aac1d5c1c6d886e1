//! The prior: weights of the linear evaluation for a game that nobody has trained. Each weight is a sum of bases – what the
//! piece type can do on this board, where the square lies, what the rules are – times coefficients that are the same for all
//! games, and were fitted to positions of many games at once (`examples/fit_prior.rs`).

mod bases;
mod design;
mod places;
mod traits;

use std::sync::{Arc, LazyLock};

use super::LinearEval;
use super::layout::IN_HAND;
pub(crate) use bases::{COLUMNS, Coefficients, names};
pub(crate) use design::Design;
use garrison_rules::Variant;
use toml::{Table, Value};

/// No weight is farther from nothing, in centipawns.
const MOST: f64 = 3_000.0;

/// The coefficients that ship with the program.
static SHIPPED: LazyLock<Coefficients> =
    // A test reads the file.
    LazyLock::new(|| parse(include_str!("../prior.toml")).unwrap_or_else(|_| untrained()));

/// No piece that can be captured is worth less on the board, in centipawns.
const LEAST: i32 = 15;

/// Where nothing that is captured comes to a hand, a piece there only waits for its place: it is worth no larger share of
/// what it is on the board.
const WAITING: f64 = 0.9;

/// The evaluation of a game by the coefficients that ship with the program.
pub(super) fn evaluation(variant: &Arc<Variant>) -> LinearEval {
    evaluation_by(variant, &SHIPPED, true)
}

/// The evaluation of a game by these coefficients; `hints`: whether the values that its definition writes count.
pub(crate) fn evaluation_by(
    variant: &Arc<Variant>,
    coefficients: &Coefficients,
    hints: bool,
) -> LinearEval {
    let design = Design::new(variant, hints);
    let by_design = weights_by(&design, coefficients);
    let linear = LinearEval::from_weights(variant, &by_design);
    // Where pieces are given away they may well be worth less than nothing.
    if design.giveaway {
        return linear;
    }
    let mut weights = by_design.clone();
    let is_placed_once = !design.drops && linear.layout().fortress_kinds.is_empty();
    for kind in variant.kinds() {
        let terms = linear.layout().kinds[kind.index()];
        let is_captured = design.single_royal != Some(kind) && terms.value < weights.len();
        let of_board = |kind| f64::from(linear.piece_value(kind));
        let stands_as = traits::best_of_reserve(variant, kind, of_board).unwrap_or(kind);
        let value = linear.piece_value(stands_as);
        if is_captured && value < LEAST {
            weights[terms.value].iter_mut().for_each(|weight| *weight += f64::from(LEAST - value));
        }
        if is_placed_once && terms.hand < weights.len() {
            let most = f64::from(value.max(LEAST)) * WAITING;
            let in_hand = weights[terms.hand..][..IN_HAND].iter_mut().flatten();
            in_hand.for_each(|weight| *weight = weight.min(most).round());
        }
    }
    if weights == by_design { linear } else { LinearEval::from_weights(variant, &weights) }
}

/// The weights of a game by these coefficients, as they are played with: whole centipawns, as files have them.
pub(crate) fn weights_by(design: &Design, coefficients: &Coefficients) -> Vec<[f64; 2]> {
    let clamp =
        |weight: f64| if weight.is_finite() { weight.clamp(-MOST, MOST).round() } else { 0.0 };
    design.weights(coefficients).into_iter().map(|pair| pair.map(clamp)).collect()
}

/// What a fit begins with: what pieces are worth by their definitions or moves, 3 for a move, 10 for the side to move.
pub(crate) fn untrained() -> Coefficients {
    let begin = |(group, basis): (&str, &str)| {
        let size = match (group, basis) {
            ("value", "value") => 60.0,
            ("hand_1" | "hand_2" | "hand_3", "value") => 60.0,
            ("mobility", "one") => 3.0,
            ("tempo", "one") => 10.0,
            _ => 0.0,
        };
        [size, size, 0.0, 0.0, 0.0, 0.0]
    };
    names().map(begin).collect()
}

/// Reads coefficients.
///
/// # Errors
/// What is wrong, in a line.
pub(crate) fn parse(text: &str) -> Result<Coefficients, String> {
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| error.message().to_string())?;
    let row = |(group, basis): (&str, &str)| {
        let value = table.get(group).and_then(|group| group.get(basis));
        let numbers =
            value.and_then(Value::as_array).map(|row| row.iter().filter_map(Value::as_float));
        let numbers: Vec<f64> = numbers.into_iter().flatten().collect();
        <[f64; COLUMNS]>::try_from(numbers)
            .map_err(|_| format!("'{group}.{basis}' must be a list of {COLUMNS} numbers"))
    };
    names().map(row).collect()
}

/// Coefficients as a person can read them, behind a comment.
pub(crate) fn to_text(comment: &[String], coefficients: &Coefficients) -> String {
    let mut text: String = comment.iter().map(|line| format!("# {line}\n")).collect();
    let mut last = "";
    for ((group, basis), row) in names().zip(coefficients) {
        if group != last {
            text += &format!("\n[{group}]\n");
            last = group;
        }
        let row: Vec<String> = row.iter().map(|number| format!("{:.2}", number + 0.0)).collect();
        text += &format!("{basis} = [{}]\n", row.join(", "));
    }
    text
}

#[cfg(test)]
mod tests;
