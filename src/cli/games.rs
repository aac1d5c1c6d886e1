//! The games that `--variant` names, where it may name several or leave armies to chance.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use super::CommandResult;
use garrison_rules::Variant;
use garrison_rules::catalogue::{builtin_names, candidates};

/// The games of names with commas between, or of `all`. Where a name leaves armies open (`swda-random`, `swda-o?`), it
/// stands for all match-ups, in an order that depends on the seed alone: played in turn, they come evenly.
pub(super) fn several(names: &str, seed: u64) -> CommandResult<Vec<Arc<Variant>>> {
    let names: Vec<&str> = match names.trim() {
        "all" => builtin_names().iter().map(String::as_str).collect(),
        names => names.split(',').collect(),
    };
    let mut variants: Vec<Arc<Variant>> = Vec::new();
    for name in names {
        let found = candidates(name.trim())?;
        for variant in found.shuffled(seed) {
            if variants.iter().any(|other| other.name() == variant.name()) {
                return Err(format!("the game {} is named twice", variant.name()).into());
            }
            variants.push(variant);
        }
    }
    Ok(variants)
}

/// A seed that nobody knows before.
pub(super) fn any_seed() -> u64 {
    // The keys of a new hasher are random.
    RandomState::new().hash_one(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, seed: u64) -> Vec<String> {
        let games = several(text, seed).unwrap_or_else(|error| panic!("{error}"));
        games.iter().map(|game| game.name().to_string()).collect()
    }

    #[test]
    fn match_ups_left_open_come_evenly_in_an_order_of_the_seed() {
        let random = names("swda-random", 3);
        assert_eq!(random, names("swda-??", 3));
        assert_ne!(random, names("swda-random", 4));
        let mut sorted = random;
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 16);
        assert_eq!(names("shoranji, swda-o?", 1).len(), 5);
        assert_eq!(names("all", 1), builtin_names());
    }

    #[test]
    fn a_game_may_not_come_twice() {
        for text in ["swda-oo,swda-random", "swda-o?,swda-?o", "chess,chess"] {
            let error = several(text, 0).expect_err(text).to_string();
            assert!(error.ends_with(" is named twice"), "{error}");
        }
    }

    #[test]
    fn no_seed_is_like_another() {
        assert_ne!(any_seed(), any_seed());
    }
}
