//! Evaluation weights as text: TOML that a person can read. Every group of terms stands below its
//! piece's letter under its own name, as two rows: `mg` for the middle game, `eg` for the end game,
//! in centipawns. `squares` go from the own first rank to the last, each rank from the edge file to
//! the middle.

use std::fmt::Write;
use std::sync::Arc;

use garrison_rules::Variant;
use toml::{Table, Value};

use super::LinearEval;
use super::file::{EvalError, wrong};
use super::layout::{Layout, TermGroup};

impl LinearEval {
    /// From the terms of a file. Those that it does not name are worth what the definition of the game says,
    /// or nothing.
    pub(super) fn from_table(
        variant: &Arc<Variant>,
        table: &Table,
    ) -> Result<LinearEval, EvalError> {
        let layout = Layout::new(variant);
        let mut weights = layout.plain(variant);
        let groups = layout.by_name(variant);
        for (letter, entry) in table {
            let entries =
                entry.as_table().ok_or_else(|| wrong(letter, "a table of the terms of a piece"))?;
            for (name, value) in entries {
                let key = format!("{letter}.{name}");
                let Some(group) = groups.get(&(letter.clone(), name.as_str())) else {
                    let of_letter = groups.keys().filter(|(l, _)| l == letter);
                    let mut nearest: Vec<_> = of_letter.map(|(l, n)| format!("{l}.{n}")).collect();
                    if nearest.is_empty() {
                        nearest = groups.keys().map(|(l, _)| l.clone()).collect();
                        nearest.dedup();
                    }
                    let game = variant.name().to_string();
                    return Err(EvalError::UnknownTerm { key, game, nearest });
                };
                for (phase, row) in ["mg", "eg"].into_iter().enumerate() {
                    let numbers = numbers(value, &format!("{key}.{row}"), row, group.length)?;
                    for (weight, number) in weights[group.start..].iter_mut().zip(numbers) {
                        weight[phase] = number;
                    }
                }
            }
        }
        Ok(LinearEval::from_weights(variant, &weights))
    }

    /// All terms, in whole centipawns.
    pub(super) fn to_text(&self, variant: &Variant) -> String {
        let mut text = String::new();
        let mut last = None;
        let layout = self.layout();
        // The terms that belong to no piece come first, as they are the shortest.
        let general = layout.groups.iter().filter(|group| group.kind.is_none());
        for group in general.chain(layout.groups.iter().filter(|group| group.kind.is_some())) {
            if last != Some(group.kind) {
                last = Some(group.kind);
                let header = match group.kind {
                    None => "[game]".to_string(),
                    Some(kind) => {
                        let piece = variant.piece(kind);
                        format!("[\"{}\"] # {}", piece.letter, piece.name)
                    }
                };
                // Writing to a string never fails.
                let _ = writeln!(text, "\n{header}");
            }
            text += &self.group_text(group);
        }
        text
    }

    fn group_text(&self, group: &TermGroup) -> String {
        let row = |phase: usize| -> Vec<String> {
            let terms = group.start..group.start + group.length;
            terms.map(|term| format!("{:.0}", self.weight(term)[phase] + 0.0)).collect()
        };
        let clean = |text: String| if text == "-0" { "0".to_string() } else { text };
        let rows = [row(0), row(1)].map(|row| row.into_iter().map(clean).collect::<Vec<_>>());
        let half = self.layout().half_files;
        if group.name != "squares" {
            return format!(
                "{} = {{ mg = [{}], eg = [{}] }}\n",
                group.name,
                rows[0].join(", "),
                rows[1].join(", ")
            );
        }
        let square_text = |row: &[String]| -> String {
            row.chunks(half).map(|rank| format!("  {},\n", rank.join(", "))).collect()
        };
        format!(
            "squares.mg = [\n{}]\nsquares.eg = [\n{}]\n",
            square_text(&rows[0]),
            square_text(&rows[1])
        )
    }
}

/// The numbers of one row of a group.
fn numbers(value: &Value, key: &str, row: &str, length: usize) -> Result<Vec<f64>, EvalError> {
    let fault = || wrong(key, &format!("a list of {length} numbers from -9999 to 9999"));
    let row = value.get(row).and_then(Value::as_array).ok_or_else(fault)?;
    let number = |value: &Value| {
        let number = value.as_float().or(value.as_integer().map(|number| number as f64));
        number.filter(|number| (-9999.0..=9999.0).contains(number))
    };
    let numbers: Option<Vec<f64>> = row.iter().map(number).collect();
    numbers.filter(|numbers| numbers.len() == length).ok_or_else(fault)
}
