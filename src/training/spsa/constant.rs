//! A constant that the tuner varies, and how constants are chosen by name.

use garrison_rules::shown;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engine::{Param, search_params};

/// The part of a step by which a constant moves for a game won or lost at the end of a run, as fishtest and OpenBench
/// have it.
const R_END: f64 = 0.002;

/// A constant to be tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constant {
    /// Its name, which is that of its UCI option.
    pub name: String,
    /// Where it begins.
    pub start: i32,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// By how much both sides differ from the value in the last iteration.
    pub c_end: f64,
    /// By which part of `c_end` the value moves in the last iteration, for each game won more than lost.
    pub r_end: f64,
}

impl Constant {
    /// A constant of the search, from its default.
    pub fn of(param: &Param) -> Constant {
        Constant {
            name: param.name.to_string(),
            start: param.default,
            min: param.min,
            max: param.max,
            c_end: f64::from(param.step),
            r_end: R_END,
        }
    }

    /// As OpenBench reads it: name, type, start, least, greatest, `c_end`, `r_end`.
    pub fn line(&self) -> String {
        let Constant { name, start, min, max, c_end, r_end } = self;
        format!("{name}, int, {start}, {min}, {max}, {c_end}, {r_end}")
    }

    /// The nearest value that is allowed.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.min), f64::from(self.max))
    }
}

/// A name or pattern that fits no constant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no constant is called '{}'; garrison spsa --list prints all", shown(.0))]
pub struct UnknownConstant(pub String);

/// The constants of names or patterns (`lmr_*`) with commas between, in the order of their declaration.
///
/// # Errors
/// A name or pattern that fits none.
pub fn selected(text: &str) -> Result<Vec<Constant>, UnknownConstant> {
    let patterns: Vec<&str> = text.split(',').map(str::trim).collect();
    let all = search_params();
    let fits_none =
        |pattern: &&&str| !all.iter().any(|param| fits(pattern.as_bytes(), param.name.as_bytes()));
    if let Some(unknown) = patterns.iter().find(fits_none) {
        return Err(UnknownConstant((*unknown).to_string()));
    }
    let is_meant = |param: &&Param| {
        patterns.iter().any(|pattern| fits(pattern.as_bytes(), param.name.as_bytes()))
    };
    Ok(all.iter().filter(is_meant).map(Constant::of).collect())
}

/// Whether a name fits a pattern, in which `*` stands for any letters and `?` for one.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            fits(rest, name) || name.split_first().is_some_and(|(_, name)| fits(pattern, name))
        }
        (Some((letter, rest)), Some((first, name))) if [*first, b'?'].contains(letter) => {
            fits(rest, name)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_chosen_by_names_and_patterns() {
        let names = |text: &str| -> Vec<String> {
            let constants = selected(text).unwrap_or_else(|error| panic!("{error}"));
            constants.into_iter().map(|constant| constant.name).collect()
        };
        assert_eq!(names("*").len(), search_params().len());
        assert_eq!(names("lmr_divisor, lmr_base"), ["lmr_base", "lmr_divisor"]);
        assert_eq!(names("lmr_pv,lmr_?v"), ["lmr_pv"]);
        assert!(names("lmr_*").len() > 10 && names("*_margin").contains(&"singular_margin".into()));
        for wrong in ["", "lmr", "lmr_*,nothing", "LMR_BASE", "lmr_base,"] {
            assert!(selected(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_constant_is_written_as_openbench_reads_it() {
        let constant = &selected("null_move_static_margin").expect("a constant")[0];
        assert_eq!(constant.line(), "null_move_static_margin, int, 30, -25, 150, 8, 0.002");
    }
}
