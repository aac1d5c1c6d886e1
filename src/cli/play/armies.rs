//! Armies that the players choose in secret, for a game whose name leaves them open: `swda-??`.

use garrison_rules::catalogue::all_names;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, find};

use super::Side;
use super::input::{Input, Line};
use crate::cli::{CommandResult, print};

/// The letter that leaves an army open.
const OPEN: char = '?';

/// Whether a name leaves an army open.
pub(super) fn is_open(name: &str) -> bool {
    name.contains(OPEN)
}

/// An army: the letter in the name of a game, and its own name.
type Army = (char, String);

/// The places of the two armies in a name such as `swda-??`, whose games all have names of that length.
struct Pattern {
    name: Vec<char>,
    /// The places of White's and Black's army.
    places: [usize; 2],
    /// The names of the games.
    games: Vec<String>,
}

impl Pattern {
    fn new(name: &str) -> Option<Pattern> {
        let name: Vec<char> = name.to_lowercase().chars().collect();
        let fits = |game: &String| {
            let letters: Vec<char> = game.chars().collect();
            let same = |(a, b): (&char, &char)| *a == OPEN || a == b;
            letters.len() == name.len() && name.iter().zip(&letters).all(same)
        };
        let games: Vec<String> = all_names().into_iter().filter(fits).collect();
        let has_armies = |game: &String| find(game).is_ok_and(|game| game.info().armies.is_some());
        let has_pairs = !games.is_empty() && games.iter().all(has_armies);
        // The armies are the last two letters.
        let places = [name.len().checked_sub(2)?, name.len() - 1];
        has_pairs.then_some(Pattern { name, places, games })
    }

    /// The armies from which a side can choose; none if the name names its army.
    fn armies(&self, color: Color) -> Vec<Army> {
        let place = self.places[color as usize];
        if self.name[place] != OPEN {
            return Vec::new();
        }
        let mut armies: Vec<Army> = Vec::new();
        for game in &self.games {
            let Some(letter) = game.chars().nth(place) else { continue };
            let names = find(game).ok().and_then(|game| game.info().armies.clone());
            if let Some(names) = names.filter(|_| armies.iter().all(|army| army.0 != letter)) {
                armies.push((letter, names[color].clone()));
            }
        }
        armies
    }
}

/// The name of the game after each side has chosen its army: people in turn, unseen by each other, the program by
/// chance.
pub(super) fn choose(name: &str, people: Side, input: &mut Input) -> CommandResult<String> {
    let pattern = Pattern::new(name).ok_or_else(|| {
        format!("'{name}' is no game with open armies; as in: swda-??, swda-o?, swda-?p")
    })?;
    let (mut chance, mut chosen) = (chance(), pattern.name.clone());
    for color in Color::ALL {
        let armies = pattern.armies(color);
        if armies.is_empty() {
            continue;
        }
        chosen[pattern.places[color as usize]] = match people.has(color) {
            true => ask(color, &armies, people == Side::Both, input)?,
            false => armies[chance.below(armies.len())].0,
        };
    }
    let name: String = chosen.into_iter().collect();
    let armies = find(&name).map_err(|unknown| unknown.to_string())?.info().armies.clone();
    if let Some(armies) = armies {
        print(&format!("White plays {}, Black plays {}.\n\n", armies.0[0], armies.0[1]));
    }
    Ok(name)
}

/// A number that nobody knows before.
fn chance() -> SplitMix {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = now.unwrap_or_default().as_nanos() as u64;
    SplitMix::new(nanos ^ u64::from(std::process::id()).rotate_left(32))
}

/// Asks a player for his army until he names one; in secret, nothing shows what was typed.
fn ask(color: Color, armies: &[Army], in_secret: bool, input: &mut Input) -> CommandResult<char> {
    let letters = armies.iter().map(|(letter, name)| format!("  {letter}  {name}\n"));
    let secret = if in_secret { " (it is not shown; the other looks away)" } else { "" };
    print(&format!("{color}, choose your army{secret}:\n{}", letters.collect::<String>()));
    loop {
        let prompt = format!("{color}'s army> ");
        let line =
            if in_secret { input.read_hidden(&prompt) } else { input.read(&prompt, Vec::new()) };
        let Line::Text(text) = line else { return Err("no army was chosen".into()) };
        let typed = text.trim().to_lowercase();
        let is_it = |(letter, name): &&Army| {
            typed == letter.to_string() || !typed.is_empty() && name.to_lowercase() == typed
        };
        if let Some((letter, _)) = armies.iter().find(is_it) {
            if in_secret && input.is_conversation() {
                print("\u{1b}[2J\u{1b}[H");
            }
            return Ok(*letter);
        }
        let all: Vec<String> = armies.iter().map(|(letter, _)| letter.to_string()).collect();
        print(&format!("that is no army; there are {}\n", all.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_names_have_armies_to_choose_from() {
        let letters = |name, color| -> String {
            let pattern = Pattern::new(name).expect("a pattern");
            pattern.armies(color).iter().map(|army| army.0).collect()
        };
        let mut all: Vec<char> = letters("swda-??", Color::White).chars().collect();
        all.sort_unstable();
        assert_eq!(all, ['a', 'j', 'o', 'p']);
        assert_eq!(letters("swda-o?", Color::White), "");
        assert_eq!(letters("swda-o?", Color::Black).len(), 4);
        assert_eq!(letters("SWDA-?p", Color::White).len(), 4);
        assert!(Pattern::new("shoranj?").is_none());
        assert!(Pattern::new("??").is_none());
    }
}
