//! Tournaments of more than two engines, described by a TOML file.

use garrison_rules::shown;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use super::spec::{EngineSpec, SpecError, parse_spec};

/// Why a tournament file is refused.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// It is not TOML, or has a wrong key or value.
    #[error("line {line}: {message}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// The TOML reader's message, on one line.
        message: String,
    },
    /// Fewer than two engines.
    #[error("a tournament needs two engines or more")]
    TooFewEngines,
    /// The number of games is out of range.
    #[error("games is no number from 1 to 10000000")]
    Games,
    /// An option of an engine with a date, a list or a table as its value.
    #[error("option '{}' is no text, number or true/false", shown(.0))]
    OptionValue(String),
    /// An engine is described wrongly.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

impl Format {
    const NAMES: [(&str, Format); 2] =
        [("round-robin", Format::RoundRobin), ("gauntlet", Format::Gauntlet)];
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
        let text = String::deserialize(deserializer)?;
        let format = Format::NAMES.iter().find(|(name, _)| *name == text);
        let names = Format::NAMES.map(|(name, _)| name).join(" or ");
        let unknown = || D::Error::custom(format!("format '{}' is not {names}", shown(&text)));
        format.map(|(_, format)| *format).ok_or_else(unknown)
    }
}

/// The names of games: one text, or a list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Names {
    /// Names with commas between, or `all`.
    Text(String),
    /// A list of names.
    List(Vec<String>),
}

/// A tournament file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The PGN tag `Event`.
    pub event: Option<String>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// The games.
    pub variants: Names,
    /// Games of each pairing.
    pub games: u32,
    /// A limit: `tc=10+0.1`, `movetime=100`, `nodes=1000`, `depth=6`.
    pub limit: Option<String>,
    /// As `--openings`.
    pub openings: Option<String>,
    /// As `--seed`.
    #[serde(default)]
    pub seed: u64,
    /// The engines.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineEntry>,
}

/// An engine of a tournament file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineEntry {
    /// Its name.
    pub name: Option<String>,
    /// The program; this one, if there is none.
    pub cmd: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// A limit of its own.
    pub limit: Option<String>,
    /// UCI options.
    #[serde(default)]
    pub options: toml::Table,
}

impl Plan {
    /// Reads a tournament file.
    ///
    /// # Errors
    /// What is wrong and where.
    pub fn parse(text: &str) -> Result<Plan, TournamentError> {
        let plan: Plan = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            TournamentError::Toml { line, message: error.message().replace('\n', " ") }
        })?;
        if plan.engines.len() < 2 {
            return Err(TournamentError::TooFewEngines);
        }
        if plan.games == 0 || plan.games > 10_000_000 {
            return Err(TournamentError::Games);
        }
        Ok(plan)
    }

    /// The names of the games with commas between.
    pub fn variant_names(&self) -> String {
        match &self.variants {
            Names::Text(text) => text.clone(),
            Names::List(names) => names.join(","),
        }
    }

    /// The engines.
    ///
    /// # Errors
    /// What is wrong with the description of one.
    pub fn engine_specs(&self) -> Result<Vec<EngineSpec>, TournamentError> {
        self.engines.iter().map(EngineEntry::spec).collect()
    }

    /// Who meets whom, by the numbers of the engines. In a round robin colors are spread by the order of
    /// the pairings; each pairing plays both colors anyway.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let number = self.engines.len();
        let firsts = match self.format {
            Format::RoundRobin => number,
            Format::Gauntlet => 1,
        };
        (0..firsts).flat_map(|a| (a + 1..number).map(move |b| (a, b))).collect()
    }
}

impl EngineEntry {
    fn spec(&self) -> Result<EngineSpec, TournamentError> {
        let mut words = Vec::new();
        words.extend(self.name.iter().map(|name| format!("name={name}")));
        words.extend(self.cmd.iter().map(|cmd| format!("cmd={cmd}")));
        words.extend(self.args.iter().map(|arg| format!("arg={arg}")));
        words.extend(self.limit.iter().cloned());
        for (name, value) in &self.options {
            let value = match value {
                toml::Value::String(text) => text.clone(),
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(on) => on.to_string(),
                _ => return Err(TournamentError::OptionValue(name.clone())),
            };
            words.push(format!("option.{name}={value}"));
        }
        Ok(parse_spec(&words)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        variants = ["shoranji", "swda"]
        games = 4
        limit = "nodes=100"
        [[engine]]
        name = "a"
        [[engine]]
        name = "b"
        cmd = "./b"
        args = ["-x"]
        options = { Hash = 16, Ponder = false, Book = "none" }
        [[engine]]
        name = "c"
        limit = "depth=3"
    "#;

    #[test]
    fn a_file_is_read() {
        let mut plan = Plan::parse(FILE).expect("a tournament");
        assert_eq!(plan.pairings(), [(0, 1), (0, 2), (1, 2)]);
        plan.format = Format::Gauntlet;
        assert_eq!(plan.pairings(), [(0, 1), (0, 2)]);
        let specs = plan.engine_specs().expect("engines");
        let options: Vec<_> = specs[1].options.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(options, ["Hash=16", "Ponder=false", "Book=none"]);
        assert_eq!(specs[1].arguments, ["-x"]);
        assert!(specs[2].pace.is_some() && specs[0].pace.is_none());
        assert_eq!(plan.variant_names(), "shoranji,swda");
    }

    #[test]
    fn wrong_files_are_refused_with_one_line() {
        for (from, to, printed) in [
            ("games = 4", "games = \"x\"", "line 3: "),
            ("games = 4", "game = 4", "line 3: "),
            ("games = 4", "games = 0", "games is no number"),
            ("limit = \"depth=3\"", "limit = 3", "line 14: "),
            ("variants =", "variant =", "line 2: "),
            ("games = 4", "games = 4\nformat = 3", "line 4: "),
            (
                "games = 4",
                "games = 4\nformat = \"swiss\"",
                "line 4: format 'swiss' is not round-robin or gauntlet",
            ),
        ] {
            let error = Plan::parse(&FILE.replace(from, to)).expect_err(to).to_string();
            assert!(error.starts_with(printed) && !error.contains('\n'), "{error}");
        }
        let one = "variants = \"all\"\ngames = 2\n[[engine]]\n";
        assert!(matches!(Plan::parse(one), Err(TournamentError::TooFewEngines)));
    }
}
