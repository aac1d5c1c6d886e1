//! Names that leave the armies of a game open: `swda-random`, `swda-??`, `swda-o?`, `swda-?p`.

use std::sync::Arc;

use super::{Catalogue, Game, UnknownGame, key};
use crate::random::SplitMix;
use crate::spelling::fold;
use crate::variant::Variant;

/// The letter of an army that is left open.
const OPEN: &str = "?";

/// What follows the name of a family of which both armies are left open.
const RANDOM: &str = "random";

/// The games that a name may mean: one game, or match-ups of different armies of which one army or both are left open.
///
/// ```
/// use garrison_rules::catalogue::candidates;
///
/// let count = |name| candidates(name).map(|games| games.all().len());
/// assert_eq!((count("swda-random")?, count("swda-??")?), (16, 16));
/// assert_eq!(count("swda-o?")?, 4); // White has the Orderly Originals
/// assert_eq!((count("swda-op")?, count("shoranji")?), (1, 1));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct Candidates(Vec<Arc<Variant>>);

impl Candidates {
    /// The games, at least one, in the order of the catalogue.
    pub fn all(&self) -> &[Arc<Variant>] {
        &self.0
    }

    /// Whether there are several.
    pub fn are_open(&self) -> bool {
        self.0.len() > 1
    }

    /// The games in an order by chance: in turn, each of them comes as often as the others. The same seed gives the
    /// same order.
    ///
    /// ```
    /// use garrison_rules::catalogue::candidates;
    ///
    /// let names = |seed| -> Vec<String> {
    ///     let games = candidates("swda-random").expect("a family of games").shuffled(seed);
    ///     games.iter().map(|game| game.name().to_string()).collect()
    /// };
    /// assert_eq!(names(1), names(1));
    /// assert_ne!(names(1), names(2));
    /// ```
    pub fn shuffled(&self, seed: u64) -> Vec<Arc<Variant>> {
        let mut games = self.0.clone();
        let mut random = SplitMix::new(seed);
        for last in (1..games.len()).rev() {
            games.swap(last, random.below(last + 1));
        }
        games
    }

    /// One of the games by chance. The same seed gives the same game.
    pub fn by_chance(&self, seed: u64) -> Arc<Variant> {
        Arc::clone(&self.0[SplitMix::new(seed).below(self.0.len())])
    }
}

impl Catalogue {
    /// The games that a name may mean: the one that [`find`](Catalogue::find) finds, or match-ups of different armies:
    /// all of a family (`swda-random`, `swda-??`), or those in which one side has a given army (`swda-o?`, `swda-?p`).
    ///
    /// # Errors
    /// The name means no game.
    pub fn candidates(&self, name: &str) -> Result<Candidates, UnknownGame> {
        let open: Vec<Arc<Variant>> = self.left_open(name).map(Game::variant).collect();
        if open.is_empty() { Ok(Candidates(vec![self.find(name)?])) } else { Ok(Candidates(open)) }
    }

    /// The match-ups that a name leaves open; none for the name of a single game.
    pub(super) fn left_open(&self, name: &str) -> impl Iterator<Item = &Game> {
        let wanted = pattern_key(name);
        let is_a_game = !name.contains(OPEN) && self.games().any(|game| game.is_called(&key(name)));
        let is_meant =
            move |game: &&Game| game.patterns().iter().any(|text| pattern_key(text) == wanted);
        self.games().filter(move |_| !is_a_game).filter(is_meant)
    }
}

impl Game {
    /// The names that leave one of its armies open, or both.
    fn patterns(&self) -> Vec<String> {
        let Some((white, black)) = &self.matchup else { return Vec::new() };
        let name = |white, black| self.definition.name_of(white, black);
        let random = format!("{} {RANDOM}", self.definition.family());
        vec![random, name(OPEN, OPEN), name(white, OPEN), name(OPEN, black)]
    }
}

/// Whether a text leaves something open that may not be left out when names are compared.
pub(super) fn has_open_army(name: &str) -> bool {
    name.contains(OPEN)
}

/// A name as it is looked up, but with the letters left open.
fn pattern_key(name: &str) -> String {
    name.split(OPEN).map(fold).collect::<Vec<_>>().join(OPEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::DefinitionFile;

    fn names(games: &Catalogue, name: &str) -> Vec<String> {
        let found = games.candidates(name).unwrap_or_else(|unknown| panic!("{unknown}"));
        found.all().iter().map(|game| game.name().to_string()).collect()
    }

    #[test]
    fn armies_are_left_open_in_all_spellings() {
        let games = Catalogue::new();
        let all = names(&games, "swda-random");
        assert_eq!(all.len(), 16);
        assert!(all.iter().all(|name| name.starts_with("swda-")));
        for spelling in ["swda-??", "SWDA ??", "swda??", "Swda_Random", "swdarandom"] {
            assert_eq!(names(&games, spelling), all, "{spelling}");
        }
        assert_eq!(names(&games, "SWDA O?"), ["swda-oo", "swda-oj", "swda-op", "swda-oa"]);
        assert_eq!(names(&games, "swda-?p"), ["swda-op", "swda-jp", "swda-pp", "swda-ap"]);
        assert_eq!(names(&games, "swda"), ["swda-oo"]);
    }

    #[test]
    fn one_game_is_not_found_by_a_name_that_leaves_it_open() {
        let games = Catalogue::new();
        let error = |name: &str| games.find(name).expect_err(name).to_string();
        assert_eq!(
            error("swda-o?"),
            "'swda-o?' leaves an army open; one game is needed here, such as swda-oo, swda-oj or swda-op"
        );
        assert_eq!(
            error("SWDA random"),
            "'SWDA random' leaves an army open; one game is needed here, such as swda-oo, swda-oj or swda-op"
        );
        // Not swda-oo, which `swda` means.
        for name in ["swda-?", "swda-???", "swda-x?", "chess-random"] {
            let unknown = games.candidates(name).expect_err(name);
            assert!(unknown.to_string().starts_with("no variant '"), "{unknown}");
        }
    }

    #[test]
    fn chance_depends_on_the_seed_and_reaches_every_game() {
        let open = Catalogue::new().candidates("swda-??").expect("a family");
        let name = |seed| open.by_chance(seed).name().to_string();
        let mut seen: Vec<String> = (0..400).map(name).collect();
        assert_eq!((0..400).map(name).collect::<Vec<_>>(), seen);
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 16);
        let order = |seed| -> Vec<String> {
            open.shuffled(seed).iter().map(|game| game.name().to_string()).collect()
        };
        assert_ne!(order(0), order(1));
        let mut sorted = order(1);
        sorted.sort();
        assert_eq!(sorted, seen);
    }

    #[test]
    fn a_users_own_armies_are_left_open_too_and_a_game_comes_before_chance() {
        let text = include_str!("../../games/swda.toml")
            .replace("swda-{white}{black}", "clash-{white}-{black}");
        let text = text.replace("aliases = [\"swda = swda-oo\"]", "");
        let other = "name = 'clash-random'\nbase = 'chess'\n".to_string();
        let file = |name: &str, text| DefinitionFile { name: name.to_string(), text };
        let mut games = Catalogue::new();
        assert!(games.add(vec![file("clash.toml", text)]).is_ok());
        assert_eq!(names(&games, "clash-random").len(), 16);
        assert_eq!(names(&games, "clash-j-?")[2], "clash-j-p");
        assert!(games.add(vec![file("random.toml", other)]).is_ok());
        assert_eq!(names(&games, "clash-random"), ["clash-random"]);
        assert_eq!(names(&games, "clash-?-?").len(), 16);
    }
}
