//! The options that `setoption` sets.

use std::time::Duration;

use crate::engine::{FULL_SKILL, Limits, MOST_THREADS, Table, Techniques, skill_nodes};
use crate::rules::{all_names, find, shown};

/// What a `setoption` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Setting {
    /// The game.
    Variant(String),
    /// The size of the hash table in MiB.
    Hash(usize),
    /// How many threads search.
    Threads(usize),
    /// What is kept back of a clock for the way of a move.
    Overhead(Duration),
    /// The most nodes of a search by a weaker player.
    Skill(Option<u64>),
    /// Whether scores are told as chances too.
    ShowWdl(bool),
    /// A table for the evaluation of the game; none for the one that ships with the program.
    EvalFile(Option<String>),
    /// How many lines a search tells.
    MultiPv(usize),
    /// Empties the hash table.
    ClearHash,
    /// The techniques that the search uses.
    Techniques(Techniques),
    /// An option that changes nothing in the engine.
    Accepted,
}

/// The variant that is set at the beginning.
pub(super) const DEFAULT_VARIANT: &str = "sixfortresses";

/// The most lines a search can be asked for.
const MOST_LINES: usize = 256;

/// The longest time that can be kept back, in milliseconds.
const MOST_OVERHEAD: usize = 5000;

/// The lines that `uci` answers with for the options.
pub(super) fn listing() -> Vec<String> {
    let names: Vec<String> = all_names().iter().map(|name| format!("var {name}")).collect();
    let (least, most) = (Table::SIZES.start(), Table::SIZES.end());
    vec![
        format!("option name UCI_Variant type combo default {DEFAULT_VARIANT} {}", names.join(" ")),
        format!(
            "option name Hash type spin default {} min {least} max {most}",
            Table::DEFAULT_SIZE
        ),
        "option name Clear Hash type button".to_string(),
        "option name Ponder type check default false".to_string(),
        format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
        // Search techniques to do without, to measure what they are worth.
        "option name Without type string default <empty>".to_string(),
        format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"),
        format!(
            "option name Move Overhead type spin default {} min 0 max {MOST_OVERHEAD}",
            Limits::OVERHEAD.as_millis()
        ),
        format!("option name Skill Level type spin default {FULL_SKILL} min 0 max {FULL_SKILL}"),
        "option name UCI_ShowWDL type check default false".to_string(),
        "option name EvalFile type string default <empty>".to_string(),
    ]
}

/// Reads what stands behind `setoption`: `name <name> [value <value>]`. Names are read without
/// regard to case.
pub(super) fn parse(text: &str) -> Result<Setting, String> {
    let text = text.strip_prefix("name ").ok_or("setoption needs 'name <name> [value <value>]'")?;
    let (name, value) = match text.split_once(" value ") {
        Some((name, value)) => (name.trim(), value.trim()),
        None => (text.strip_suffix(" value").unwrap_or(text).trim(), ""),
    };
    match name.to_ascii_lowercase().as_str() {
        "uci_variant" => find(value)
            .map(|variant| Setting::Variant(variant.name().to_string()))
            .ok_or_else(|| unknown_variant(value)),
        "hash" => {
            let (least, most) = (*Table::SIZES.start(), *Table::SIZES.end());
            number(value, least, most, "Hash", "number of MiB").map(Setting::Hash)
        }
        "multipv" => {
            number(value, 1, MOST_LINES, "MultiPV", "number of lines").map(Setting::MultiPv)
        }
        "threads" => {
            number(value, 1, MOST_THREADS, "Threads", "number of threads").map(Setting::Threads)
        }
        "move overhead" => number(value, 0, MOST_OVERHEAD, "Move Overhead", "number of ms")
            .map(|ms| Setting::Overhead(Duration::from_millis(ms as u64))),
        "skill level" => number(value, 0, FULL_SKILL as usize, "Skill Level", "level")
            .map(|level| Setting::Skill(skill_nodes(level as u32))),
        "uci_showwdl" => flag(value, "UCI_ShowWDL").map(Setting::ShowWdl),
        "evalfile" => Ok(Setting::EvalFile(
            Some(value).filter(|path| !["", "<empty>"].contains(path)).map(str::to_string),
        )),
        "without" => {
            let names = if value == "<empty>" { "" } else { value };
            Techniques::without(names).map(Setting::Techniques)
        }
        "clear hash" => Ok(Setting::ClearHash),
        "ponder" => flag(value, "Ponder").map(|_| Setting::Accepted),
        _ => Err(format!("no option '{}'; 'uci' lists them", shown(name))),
    }
}

/// True or false.
fn flag(value: &str, name: &str) -> Result<bool, String> {
    value.parse().map_err(|_| format!("{name} '{}' is neither true nor false", shown(value)))
}

/// A number in a range.
fn number(value: &str, least: usize, most: usize, name: &str, what: &str) -> Result<usize, String> {
    let fault = || format!("{name} '{}' is no {what} from {least} to {most}", shown(value));
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(fault)
}

/// What to say of a game that there is not.
pub(super) fn unknown_variant(name: &str) -> String {
    format!("no variant '{}'; 'variants' lists them", shown(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_wrong_ones_refused() {
        assert_eq!(parse("name UCI_Variant value swda"), Ok(Setting::Variant("swda-oo".into())));
        assert_eq!(parse("name hash value 64"), Ok(Setting::Hash(64)));
        assert_eq!(parse("name multipv value 4"), Ok(Setting::MultiPv(4)));
        assert_eq!(parse("name Threads value 1"), Ok(Setting::Threads(1)));
        assert_eq!(parse("name Clear Hash"), Ok(Setting::ClearHash));
        assert_eq!(parse("name Ponder value true"), Ok(Setting::Accepted));
        for wrong in [
            "",
            "Hash 3",
            "name Hash value 0",
            "name Hash",
            "name MultiPV value 257",
            "name Threads value 0",
            "name UCI_Variant value checkers",
            "name Ponder value maybe",
            "name Nothing value 1",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
