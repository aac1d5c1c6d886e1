//! The games that other programs name in the tag `Variant`.

use std::sync::Arc;

use super::{Fallback, PgnFault};
use garrison_rules::{Variant, find};

/// Names that other programs give to games of the catalogue and that it does not know itself: lichess and PyChess
/// (`Standard`, `From Position`), XBoard (`normal`, `5x5+5_shogi`), cutechess, FICS and people. In small letters and
/// without spaces and signs.
const OTHER_NAMES: [(&str, &str); 15] = [
    ("standard", "chess"),
    ("normal", "chess"),
    ("fromposition", "chess"),
    ("regular", "chess"),
    ("classical", "chess"),
    ("orthodox", "chess"),
    ("standardchess", "chess"),
    ("orthodoxchess", "chess"),
    ("crazyhousechess", "crazyhouse"),
    ("thaichess", "makruk"),
    ("japanesechess", "shogi"),
    ("5x55shogi", "minishogi"),
    ("chinesechess", "xiangqi"),
    ("cchess", "xiangqi"),
    ("koreanchess", "janggi"),
];

/// The game that a tag names, or else that of the fallback; and whether it was assumed.
pub(super) fn find_foreign(
    name: Option<&str>,
    fallback: &Fallback,
) -> Result<(Arc<Variant>, bool), PgnFault> {
    let instead = |game: &Option<String>, fault: PgnFault| match game {
        Some(game) => Ok((find(game)?, true)),
        None => Err(fault),
    };
    let is_own = |own: &&Arc<Variant>| name.is_none_or(|name| name == own.name());
    if let Some(own) = fallback.own.as_ref().filter(is_own) {
        return Ok((Arc::clone(own), name.is_none()));
    }
    let Some(name) = name else { return instead(&fallback.missing, PgnFault::NoVariant) };
    let unknown = match find(name) {
        Ok(variant) => return Ok((variant, false)),
        Err(unknown) => unknown,
    };
    let letters = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    let folded: String = letters.collect();
    match OTHER_NAMES.iter().find(|(other, _)| *other == folded) {
        Some((_, game)) => Ok((find(game)?, false)),
        None => instead(&fallback.unknown, unknown.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_name_is_folded_and_needed() {
        for (other, game) in OTHER_NAMES {
            assert!(other.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{other}");
            assert!(find(game).is_ok(), "{game}");
            assert!(find(other).is_err(), "{other} is known to the catalogue");
        }
    }
}
