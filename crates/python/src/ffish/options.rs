//! The options that a program may set.

use std::path::Path;

use garrison::definitions::add_games_for_all;
use garrison_rules::find;
use pyo3::PyResult;

use super::{error, lines};

/// What the options do, by their names in UCI.
enum Effect {
    /// It names a game; every call names its own.
    Game,
    /// It adds the games of a file or folder.
    Games,
    /// Nothing: it is an option of a search, which no call here makes, or each call says it itself.
    None,
}

const OPTIONS: [(&str, Effect); 18] = [
    ("UCI_Variant", Effect::Game),
    ("VariantPath", Effect::Games),
    ("UCI_Chess960", Effect::None),
    ("Protocol", Effect::None),
    ("Debug Log File", Effect::None),
    ("Threads", Effect::None),
    ("Hash", Effect::None),
    ("Clear Hash", Effect::None),
    ("Ponder", Effect::None),
    ("MultiPV", Effect::None),
    ("Skill Level", Effect::None),
    ("Move Overhead", Effect::None),
    ("UCI_LimitStrength", Effect::None),
    ("UCI_Elo", Effect::None),
    ("UCI_AnalyseMode", Effect::None),
    ("UCI_ShowWDL", Effect::None),
    ("Use NNUE", Effect::None),
    ("EvalFile", Effect::None),
];

/// Sets an option to a value, written as text.
///
/// # Errors
/// There is no such option, or the value cannot be used.
pub fn set(name: &str, value: &str) -> PyResult<()> {
    let known = OPTIONS.iter().find(|(own, _)| *own == name);
    let Some((_, effect)) = known else {
        let names: Vec<&str> = OPTIONS.iter().map(|(own, _)| *own).collect();
        let name = garrison_rules::shown(name);
        return Err(error(format!("no option '{name}'; there are {}", names.join(", "))));
    };
    match effect {
        Effect::Game => find(value).map(drop).map_err(error),
        Effect::Games if ["", "<empty>"].contains(&value) => Ok(()),
        Effect::Games => {
            let faults = add_games_for_all(Path::new(value)).unwrap_or_else(|faults| faults);
            if faults.is_empty() { Ok(()) } else { Err(error(lines(&faults))) }
        }
        Effect::None => Ok(()),
    }
}
