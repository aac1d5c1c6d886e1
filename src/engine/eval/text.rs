//! Tables of weights as text: TOML that a person can read. Every group of terms stands below its
//! piece's letter under its own name, as pairs of rows: `mg` for the middle game, `eg` for the end game,
//! in centipawns. `squares` go from the own first rank to the last, each rank from the edge file to
//! the middle. A network that judges in the table's place stands at the end, in Base64.

use std::fmt::Write;

use thiserror::Error;
use toml::{Table, Value};

use super::layout::{Group, Layout};
use super::linear::Linear;
use super::network::Network;
use super::{Course, Evaluation};
use garrison_rules::Variant;
use std::sync::Arc;

/// Why a table is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableError {
    /// It is no TOML.
    #[error("no TOML: {0}")]
    Syntax(String),
    /// A key that the game has no terms for.
    #[error("'{key}' is no term of {variant}; there {}", known(.nearest))]
    Unknown {
        /// As it stands in the table.
        key: String,
        /// The game.
        variant: String,
        /// The terms that there are.
        nearest: Vec<String>,
    },
    /// A key that is not what it must be.
    #[error("'{key}' must be {wanted}")]
    Wrong {
        /// As it stands in the table.
        key: String,
        /// What it must be.
        wanted: String,
    },
}

fn known(names: &[String]) -> String {
    format!("{} {}", if names.len() == 1 { "is" } else { "are" }, names.join(", "))
}

impl Evaluation {
    /// The evaluation of a game by a table. Terms that the table does not name are worth what the
    /// definition says, or nothing.
    ///
    /// # Errors
    /// What is wrong with the table.
    pub fn from_text(variant: &Arc<Variant>, text: &str) -> Result<Evaluation, TableError> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| TableError::Syntax(error.message().to_string()))?;
        let layout = Layout::new(variant);
        let mut weights = layout.plain(variant);
        let groups = layout.by_name(variant);
        let mut course = Course::default();
        let mut network = None;
        for (letter, entry) in &table {
            match letter.as_str() {
                "draws" => {
                    course.draws = within(entry, 0.0, 0.5)
                        .ok_or_else(|| wrong("draws", "a number from 0 to 0.5"))?;
                    continue;
                }
                "plies" => {
                    course.plies = within(entry, 1.0, Course::MOST_PLIES).ok_or_else(|| {
                        wrong("plies", &format!("a number from 1 to {}", Course::MOST_PLIES))
                    })?;
                    continue;
                }
                NETWORK => {
                    network = Some(read_network(variant, entry)?);
                    continue;
                }
                _ => {}
            }
            let entries =
                entry.as_table().ok_or_else(|| wrong(letter, "a table of the terms of a piece"))?;
            for (name, value) in entries {
                let key = format!("{letter}.{name}");
                let found = groups.iter().find(|((l, n), _)| l == letter && n == name);
                let Some((_, group)) = found else {
                    let of_letter = groups.keys().filter(|(l, _)| l == letter);
                    let mut nearest: Vec<_> = of_letter.map(|(l, n)| format!("{l}.{n}")).collect();
                    if nearest.is_empty() {
                        nearest = groups.keys().map(|(l, _)| l.clone()).collect();
                        nearest.dedup();
                    }
                    let variant = variant.name().to_string();
                    return Err(TableError::Unknown { key, variant, nearest });
                };
                for (phase, side) in ["mg", "eg"].into_iter().enumerate() {
                    let row = numbers(value, &format!("{key}.{side}"), side, group.length)?;
                    for (weight, number) in weights[group.start..].iter_mut().zip(row) {
                        weight[phase] = number;
                    }
                }
            }
        }
        Ok(Evaluation { linear: Linear::from_weights(variant, &weights, course), network })
    }

    /// The table as text, behind a comment on where it comes from, and the network behind one of its
    /// own.
    pub fn to_text(
        &self,
        variant: &Variant,
        provenance: &[String],
        of_network: &[String],
    ) -> String {
        let mut text = comment(provenance) + &self.linear.to_text(variant);
        if let Some(network) = &self.network {
            let weights = network.to_base64();
            // Writing to a string never fails.
            let _ = write!(
                text,
                "\n{}[{NETWORK}]\n{WEIGHTS} = \"\"\"\n{weights}\"\"\"\n",
                comment(of_network)
            );
        }
        text
    }
}

/// The section of a network, and its weights in it.
const NETWORK: &str = "network";
const WEIGHTS: &str = "weights";

fn comment(lines: &[String]) -> String {
    lines.iter().map(|line| format!("# {line}\n")).collect()
}

fn read_network(variant: &Arc<Variant>, entry: &Value) -> Result<Network, TableError> {
    let key = format!("{NETWORK}.{WEIGHTS}");
    let wanted = || wrong(&key, "the weights of a network that was trained for this game");
    let text = entry.get(WEIGHTS).and_then(Value::as_str).ok_or_else(wanted)?;
    Network::from_base64(variant, text).ok_or_else(wanted)
}

impl Linear {
    fn to_text(&self, variant: &Variant) -> String {
        let mut text = String::new();
        let Course { draws, plies } = self.course();
        text += &format!("draws = {draws:.3}\nplies = {plies:.0}\n");
        let mut last = None;
        let layout = self.layout();
        // The terms of no piece come first, as they are the shortest.
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

    fn group_text(&self, group: &Group) -> String {
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

fn wrong(key: &str, wanted: &str) -> TableError {
    TableError::Wrong { key: key.to_string(), wanted: wanted.to_string() }
}

/// A number from `least` to `most`, whole or not.
fn within(value: &Value, least: f64, most: f64) -> Option<f64> {
    let number = value.as_float().or(value.as_integer().map(|number| number as f64))?;
    (least..=most).contains(&number).then_some(number)
}

/// The numbers of one row of a group.
fn numbers(value: &Value, key: &str, side: &str, length: usize) -> Result<Vec<f64>, TableError> {
    let fault = || wrong(key, &format!("a list of {length} numbers from -9999 to 9999"));
    let row = value.get(side).and_then(Value::as_array).ok_or_else(fault)?;
    let row: Vec<f64> = row.iter().filter_map(|value| within(value, -9999.0, 9999.0)).collect();
    (row.len() == length
        && value.get(side).is_some_and(|row| row.as_array().is_some_and(|row| row.len() == length)))
    .then_some(row)
    .ok_or_else(fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    #[test]
    fn a_table_is_written_as_it_is_read() {
        for name in ["swda-oj", "shoogantshii", "shoranji"] {
            let variant = find(name).expect("a game");
            let comment = ["a test".to_string()];
            let text = Evaluation::new(&variant).to_text(&variant, &comment, &comment);
            let again = Evaluation::from_text(&variant, &text).expect("a table");
            assert_eq!(again.to_text(&variant, &comment, &comment), text);
        }
    }

    #[test]
    fn wrong_tables_are_refused_with_what_is_right() {
        let variant = find("swda-oo").expect("a game");
        let fault = |text: &str| match Evaluation::from_text(&variant, text) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{text} was accepted"),
        };
        assert!(fault("draws = ").starts_with("no TOML"));
        assert_eq!(fault("draws = 7.0"), "'draws' must be a number from 0 to 0.5");
        assert_eq!(fault("plies = 0"), "'plies' must be a number from 1 to 2000");
        assert_eq!(fault("plies = 'long'"), "'plies' must be a number from 1 to 2000");
        assert!(fault("[P]\nvalu = { mg = [1], eg = [1] }").contains("P.value"));
        assert!(fault("[X]\nvalue = { mg = [1], eg = [1] }").contains("game"));
        let short = fault("[P]\nvalue = { mg = [1, 2], eg = [1] }");
        assert_eq!(short, "'P.value.mg' must be a list of 1 numbers from -9999 to 9999");
    }
}
