//! The options: one list, which every dialect writes in its own form, and the parser of their values.

use std::time::Duration;

use super::games::Games;
use crate::endings::MAX_PIECES;
use crate::engine::{
    FULL_SKILL, Limits, MAX_THREADS, Techniques, TranspositionTable, UnknownTechnique, skill_nodes,
};
use garrison_rules::{UnknownGame, shown};
use thiserror::Error;

/// The variant that is set at the beginning.
pub(super) const DEFAULT_VARIANT: &str = "chess";

/// The most lines a search can be asked for.
const MOST_LINES: usize = 256;

/// The largest move overhead, in milliseconds.
const MOST_OVERHEAD: usize = 5000;

/// An option.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offer {
    /// Its name in UCI.
    pub name: &'static str,
    /// Its values.
    pub values: Values,
}

/// The values of an option.
#[derive(Debug, Clone, Copy)]
pub(super) enum Values {
    /// The name of a game.
    Game,
    /// A number.
    Number {
        /// Its unit.
        unit: &'static str,
        /// The value at the beginning.
        default: i32,
        /// The least and the most.
        range: (i32, i32),
    },
    /// True or false; the value at the beginning.
    Flag(bool),
    /// Any text, at the beginning none.
    Text,
    /// The path of a file, at the beginning none.
    Path,
    /// None: it does something once.
    Button,
}

/// The effect of an option with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Setting {
    /// The game.
    Variant(String),
    /// A file with definitions of games; none for those that ship with the program alone.
    VariantPath(Option<String>),
    /// The size of the hash table in MiB.
    Hash(usize),
    /// How many threads search.
    Threads(usize),
    /// The time reserved on a clock for delays outside the engine.
    Overhead(Duration),
    /// The most nodes of a search by a weaker player.
    Skill(Option<u64>),
    /// Whether win, draw and loss chances are printed with scores.
    ShowWdl(bool),
    /// Whether a weaker player analyzes with full strength.
    AnalyseMode(bool),
    /// A file of evaluation weights; none for those that ship with the program.
    EvalFile(Option<String>),
    /// How many lines a search reports.
    MultiPv(usize),
    /// Empties the hash table.
    ClearHash,
    /// The techniques that the search uses.
    Techniques(Techniques),
    /// The most pieces with which positions are looked up in ending tables.
    EndingTables(usize),
    /// By how many centipawns a draw is worth less than an even position to the engine when it plays.
    Contempt(i32),
    /// Whether the engine plays setup plies where a front end may not know them.
    SetupPhase(bool),
    /// Whether kings and rooks may start anywhere on their rank, and castling is written as the king that takes the rook.
    Chess960(bool),
    /// Whether the front end may ask for pondering.
    Ponder(bool),
    /// A constant of the search, by its name.
    #[cfg(feature = "tuning")]
    Constant(&'static str, i32),
}

const fn number(
    name: &'static str,
    unit: &'static str,
    default: usize,
    range: (usize, usize),
) -> Offer {
    let (default, range) = (default as i32, (range.0 as i32, range.1 as i32));
    Offer { name, values: Values::Number { unit, default, range } }
}

/// All options, in the order in which they are printed.
pub(super) fn offers() -> impl Iterator<Item = &'static Offer> {
    #[cfg(feature = "tuning")]
    return OFFERS.iter().chain(CONSTANTS.iter());
    #[cfg(not(feature = "tuning"))]
    OFFERS.iter()
}

/// The constants of the search, which only a build for tuning offers.
#[cfg(feature = "tuning")]
static CONSTANTS: std::sync::LazyLock<Vec<Offer>> = std::sync::LazyLock::new(|| {
    let offer = |param: &crate::engine::Param| {
        let (default, range) = (param.default, (param.min, param.max));
        let unit = "whole units";
        Offer { name: param.name, values: Values::Number { unit, default, range } }
    };
    crate::engine::search_params().iter().map(offer).collect()
});

/// Those of every build.
static OFFERS: [Offer; 17] = [
    Offer { name: "UCI_Variant", values: Values::Game },
    Offer { name: "VariantPath", values: Values::Path },
    Offer { name: "UCI_Chess960", values: Values::Flag(false) },
    number(
        "Hash",
        "MiB",
        TranspositionTable::DEFAULT_SIZE,
        (*TranspositionTable::SIZES.start(), *TranspositionTable::SIZES.end()),
    ),
    Offer { name: "Clear Hash", values: Values::Button },
    Offer { name: "Ponder", values: Values::Flag(false) },
    number("MultiPV", "lines", 1, (1, MOST_LINES)),
    // Search techniques to switch off, to measure what they are worth.
    Offer { name: "Without", values: Values::Text },
    number("Threads", "threads", 1, (1, MAX_THREADS)),
    number("Move Overhead", "ms", Limits::OVERHEAD.as_millis() as usize, (0, MOST_OVERHEAD)),
    number("Skill Level", "levels", FULL_SKILL as usize, (0, FULL_SKILL as usize)),
    Offer { name: "UCI_ShowWDL", values: Values::Flag(false) },
    Offer { name: "UCI_AnalyseMode", values: Values::Flag(false) },
    Offer { name: "EvalFile", values: Values::Path },
    number("Ending Tables", "pieces", 0, (0, MAX_PIECES)),
    Offer {
        name: "Contempt",
        values: Values::Number {
            unit: "centipawns",
            default: 0,
            range: (-Limits::MOST_CONTEMPT, Limits::MOST_CONTEMPT),
        },
    },
    Offer { name: SETUP_PHASE, values: Values::Flag(false) },
];

/// An option of XBoard's protocol alone.
pub(super) const SETUP_PHASE: &str = "Setup Phase";

/// The value that stands for no text.
pub(super) const EMPTY: &str = "<empty>";

impl Offer {
    /// Reads a value. Nothing is changed by it yet.
    ///
    /// # Errors
    /// What is wrong with the value.
    pub fn read(&self, value: &str, games: &Games) -> Result<Setting, OptionError> {
        let text = || Some(value).filter(|text| !["", EMPTY].contains(text)).map(str::to_string);
        Ok(match self.name {
            "UCI_Variant" => match games.find(value) {
                Ok(variant) => Setting::Variant(variant.name().to_string()),
                Err(unknown) => return Err(unknown.into()),
            },
            "VariantPath" => Setting::VariantPath(text()),
            "UCI_Chess960" => Setting::Chess960(self.flag(value)?),
            "Hash" => Setting::Hash(self.number(value)? as usize),
            "Clear Hash" => Setting::ClearHash,
            "Ponder" => Setting::Ponder(self.flag(value)?),
            "MultiPV" => Setting::MultiPv(self.number(value)? as usize),
            "Without" => {
                let techniques = Techniques::without(&text().unwrap_or_default());
                Setting::Techniques(techniques?)
            }
            "Threads" => Setting::Threads(self.number(value)? as usize),
            "Move Overhead" => Setting::Overhead(Duration::from_millis(self.number(value)? as u64)),
            "Skill Level" => Setting::Skill(skill_nodes(self.number(value)? as u32)),
            "UCI_ShowWDL" => Setting::ShowWdl(self.flag(value)?),
            "UCI_AnalyseMode" => Setting::AnalyseMode(self.flag(value)?),
            "EvalFile" => Setting::EvalFile(text()),
            "Ending Tables" => Setting::EndingTables(self.number(value)? as usize),
            "Contempt" => Setting::Contempt(self.number(value)?),
            SETUP_PHASE => Setting::SetupPhase(self.flag(value)?),
            #[cfg(feature = "tuning")]
            name if crate::engine::search_params().iter().any(|param| param.name == name) => {
                Setting::Constant(name, self.number(value)?)
            }
            _ => return Err(OptionError::Unknown(self.name.to_string())),
        })
    }

    /// True or false.
    fn flag(&self, value: &str) -> Result<bool, OptionError> {
        let fault = |_| OptionError::NotAFlag { name: self.name, value: value.to_string() };
        value.parse().map_err(fault)
    }

    /// A number in the range of the option.
    fn number(&self, value: &str) -> Result<i32, OptionError> {
        let name = self.name;
        let Values::Number { unit, range: (least, most), .. } = self.values else {
            return Err(OptionError::TakesNoNumber(name));
        };
        let value_text = || value.to_string();
        let fault =
            || OptionError::NotANumber { name, value: value_text(), unit, range: (least, most) };
        value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(fault)
    }
}

/// Why an option cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum OptionError {
    /// There is none of this name.
    #[error("no option '{}'; 'uci' lists them", shown(.0))]
    Unknown(String),
    /// There is no such game.
    #[error(transparent)]
    Variant(#[from] UnknownGame),
    /// A value that is not `true` or `false`.
    #[error("{name} '{}' is neither true nor false", shown(.value))]
    NotAFlag {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// A value that is no number, or out of range.
    #[error("{name} '{}' is no number of {unit} from {} to {}", shown(.value), .range.0, .range.1)]
    NotANumber {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// Its unit.
        unit: &'static str,
        /// The least and the most.
        range: (i32, i32),
    },
    /// The option has no number for its value.
    #[error("{0} takes no number")]
    TakesNoNumber(&'static str),
    /// A search technique that there is not.
    #[error(transparent)]
    Technique(#[from] UnknownTechnique),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Setting, OptionError> {
        let offer = offers().find(|offer| offer.name == name).expect("an option");
        offer.read(value, &Games::default())
    }

    #[test]
    fn every_option_is_read() {
        for offer in offers() {
            let least;
            let value = match offer.values {
                Values::Game => DEFAULT_VARIANT,
                Values::Number { range, .. } => {
                    least = range.0.to_string();
                    &least
                }
                Values::Flag(_) => "true",
                Values::Text | Values::Path | Values::Button => EMPTY,
            };
            assert!(read(offer.name, value).is_ok(), "{}", offer.name);
        }
    }

    #[test]
    fn values_are_read_and_wrong_ones_refused() {
        assert_eq!(read("UCI_Variant", "swda"), Ok(Setting::Variant("swda-oo".into())));
        assert_eq!(read("Hash", "64"), Ok(Setting::Hash(64)));
        assert_eq!(read("Skill Level", "0"), Ok(Setting::Skill(Some(16))));
        assert_eq!(read("EvalFile", "a b"), Ok(Setting::EvalFile(Some("a b".into()))));
        assert_eq!(read("EvalFile", EMPTY), Ok(Setting::EvalFile(None)));
        for (name, wrong) in [
            ("Hash", "0"),
            ("Hash", ""),
            ("Hash", "-1"),
            ("Hash", "99999999999999999999999"),
            ("MultiPV", "257"),
            ("Threads", "0"),
            ("UCI_Variant", "draughts"),
            ("Ponder", "maybe"),
            ("Without", "thinking"),
        ] {
            assert!(read(name, wrong).is_err(), "{name} {wrong}");
        }
    }
}
