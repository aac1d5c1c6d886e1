//! How games usually go, as self-play has shown: what divides a clock and turns scores into chances. It is no
//! part of the evaluation of positions.

use std::fmt;
use std::sync::LazyLock;

use super::eval::named_profile;
use garrison_rules::Variant;
use thiserror::Error;
use toml::{Table, Value};

/// How games of one kind usually go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameProfile {
    /// The share of draws between equal players, 0 to 0.5; in [`wdl`](super::wdl) that of a position with
    /// expected score `e` is `draws · 4e(1−e)`.
    pub draws: f64,
    /// The length of a game on average, 1 to 2000 plies.
    pub plies: f64,
}

/// Why a profile is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProfileError {
    /// A key that profiles do not have.
    #[error("'profile.{0}' is unknown; a profile has draws and plies")]
    Unknown(String),
    /// A value that is not what it must be.
    #[error("'profile.{key}' must be {wanted}")]
    Wrong {
        /// The key.
        key: &'static str,
        /// What its value must be.
        wanted: String,
    },
}

/// The profiles that ship with the program, by family.
static SHIPPED: LazyLock<Table> =
    // A test reads the file.
    LazyLock::new(|| include_str!("profiles.toml").parse().unwrap_or_default());

impl GameProfile {
    /// The most that `draws` can be.
    pub const MAX_DRAWS: f64 = 0.5;
    /// The most that `plies` can be.
    pub const MAX_PLIES: f64 = 2000.0;

    /// The profile of a game: that of the evaluation which its definition names, that of its family if one ships with
    /// the program, else the default.
    pub fn of(variant: &Variant) -> GameProfile {
        if let Some(own) = named_profile(variant) {
            return own;
        }
        let table = SHIPPED.get(variant.family()).and_then(Value::as_table);
        table.and_then(|table| GameProfile::from_table(table).ok()).unwrap_or_default()
    }

    /// Reads the keys `draws` and `plies`; a missing one has its default.
    pub(crate) fn from_table(table: &Table) -> Result<GameProfile, ProfileError> {
        let mut profile = GameProfile::default();
        for (key, value) in table {
            let (key, place, least, most) = match key.as_str() {
                "draws" => ("draws", &mut profile.draws, 0.0, GameProfile::MAX_DRAWS),
                "plies" => ("plies", &mut profile.plies, 1.0, GameProfile::MAX_PLIES),
                other => return Err(ProfileError::Unknown(other.to_string())),
            };
            let number = value.as_float().or(value.as_integer().map(|number| number as f64));
            *place = number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                ProfileError::Wrong { key, wanted: format!("a number from {least} to {most}") }
            })?;
        }
        Ok(profile)
    }
}

impl Default for GameProfile {
    /// That of a game of which nothing is known.
    fn default() -> GameProfile {
        GameProfile { draws: 0.1, plies: 110.0 }
    }
}

/// As in a file, a line for each key.
impl fmt::Display for GameProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "draws = {:.3}\nplies = {:.0}\n", self.draws, self.plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::catalogue::{builtin_names, reference_names};
    use garrison_rules::find;

    fn read(text: &str) -> Result<GameProfile, String> {
        let table: Table = text.parse().expect("TOML");
        GameProfile::from_table(&table).map_err(|error| error.to_string())
    }

    #[test]
    fn every_shipped_profile_is_read() {
        assert!(!SHIPPED.is_empty());
        for (family, table) in SHIPPED.iter() {
            let table = table.as_table().expect("a table");
            GameProfile::from_table(table).expect("a good profile");
            let is_it = |name: &String| find(name).is_ok_and(|game| game.family() == family);
            let mut names = builtin_names().iter().chain(reference_names());
            assert!(names.any(is_it), "{family} is no game");
        }
        let plies = |name| GameProfile::of(&find(name).expect("a game")).plies;
        assert_eq!((plies("swda-oo"), plies("swda-ap")), (231.0, 231.0));
    }

    #[test]
    fn a_profile_is_written_as_it_is_read() {
        let profile = GameProfile { draws: 0.236, plies: 175.0 };
        assert_eq!(read(&profile.to_string()), Ok(profile));
        assert_eq!(read("").expect("the default"), GameProfile::default());
    }

    #[test]
    fn wrong_values_are_refused_with_their_range() {
        let fault = |text| read(text).expect_err(text);
        assert_eq!(fault("draws = 7.0"), "'profile.draws' must be a number from 0 to 0.5");
        assert_eq!(fault("plies = 0"), "'profile.plies' must be a number from 1 to 2000");
        assert_eq!(fault("plies = 'long'"), "'profile.plies' must be a number from 1 to 2000");
        assert_eq!(
            fault("length = 9"),
            "'profile.length' is unknown; a profile has draws and plies"
        );
    }
}
