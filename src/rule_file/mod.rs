//! Rule files of Fairy-Stockfish (`variants.ini`): their games as definitions.
//!
//! A rule file has a section for each game, `[name]` or `[name:base]`, with a key on each line. The games that
//! Fairy-Stockfish has built in and that others begin from stand in `bases.ini`, in the same form.

mod keys;
mod kinds;
mod rules;
mod sections;
mod squares;
mod translate;

use std::collections::BTreeMap;
use std::fmt;

use garrison_rules::definition::{Definition, DefinitionError};
use garrison_rules::{Variant, nearest_word};

use rules::Rules;
use sections::sections;

/// The games that rule files begin from.
const BASES: &str = include_str!("bases.ini");

/// What is wrong with a line of a rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub text: String,
}

impl fmt::Display for RuleFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// A game of a rule file as a definition.
#[derive(Debug, Clone)]
pub struct Imported {
    /// Its name in the rule file.
    pub name: String,
    /// Its rules.
    pub definition: Definition,
    /// The lines that the definition does not say.
    pub unsaid: Vec<String>,
}

impl Imported {
    /// What keeps the definition from being a game, such as that nobody could ever win it.
    pub fn faults(&self) -> Vec<DefinitionError> {
        match Variant::compile(&self.definition, None) {
            Ok(_) => Vec::new(),
            Err(faults) => faults,
        }
    }

    /// The text of the definition, below a comment for each line that it does not say.
    pub fn text(&self) -> String {
        let comments = self.unsaid.iter().map(|line| format!("# not said: {line}\n"));
        comments.collect::<String>() + &self.definition.to_toml()
    }
}

/// The games of a rule file, in their order.
///
/// # Errors
/// All faults of the file.
pub fn read(text: &str) -> Result<Vec<Imported>, Vec<RuleFault>> {
    let mut known = BTreeMap::new();
    known.insert("chess".to_string(), Rules::chess());
    // That the games here have no fault is tested.
    let bases = games(BASES, &mut known)?;
    debug_assert!(!bases.is_empty());
    let found = games(text, &mut known)?;
    Ok(found.iter().map(|(name, rules)| translate::translate(name, rules)).collect())
}

/// Reads the games of a text and adds them to those that are known.
fn games(
    text: &str,
    known: &mut BTreeMap<String, Rules>,
) -> Result<Vec<(String, Rules)>, Vec<RuleFault>> {
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for section in sections(text)? {
        let base = match section.base.as_deref().map(|base| (base, known.get(base))) {
            None => Rules::bare(),
            Some((_, Some(rules))) => rules.clone(),
            Some((base, None)) => {
                faults.push(RuleFault {
                    line: section.line,
                    text: unknown_base(&section.name, base, known),
                });
                continue;
            }
        };
        match base.changed_by(&section) {
            Ok(rules) => {
                known.insert(section.name.clone(), rules.clone());
                found.push((section.name, rules));
            }
            Err(wrong) => faults.extend(wrong),
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

fn unknown_base(name: &str, base: &str, known: &BTreeMap<String, Rules>) -> String {
    let nearest = nearest_word(base, known.keys().map(String::as_str));
    let hint = nearest.map_or(String::new(), |nearest| format!("; the nearest is '{nearest}'"));
    format!("[{name}:{base}]: '{base}' is neither a game above nor one that is known here{hint}")
}
