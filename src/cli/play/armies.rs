//! Armies that the players choose in secret, for a game whose name leaves them open: `swda-??`.

use std::sync::Arc;

use garrison_rules::catalogue::candidates;
use garrison_rules::game::Army;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Variant};

use super::Side;
use super::game::Screen;
use super::input::{Input, Line};
use super::text::wrapped;
use crate::cli::{CommandResult, print};

/// Whether players choose armies in a game of this name. Of `swda-random` chance chooses both.
pub(super) fn are_chosen(name: &str) -> bool {
    name.contains('?')
}

/// The game after each side has chosen its army: people in turn, unseen by each other, the program by chance.
pub(super) fn choose(
    name: &str,
    people: Side,
    chance: &mut SplitMix,
    input: &mut Input,
) -> CommandResult<Arc<Variant>> {
    let found = candidates(name)?;
    if !found.are_open() {
        return Err(format!("'{name}' leaves no army open").into());
    }
    let mut games = found.all().to_vec();
    for color in Color::ALL {
        let armies = armies(found.all(), color);
        if armies.len() < 2 {
            continue;
        }
        let chosen = match people.has(color) {
            true => ask(color, &armies, people == Side::Both, input)?,
            false => armies[chance.below(armies.len())].clone(),
        };
        games.retain(|game| army(game, color).is_some_and(|army| army.key == chosen.key));
    }
    let game = games.into_iter().next().ok_or("no game has these armies")?;
    if let Some(armies) = &game.info().armies {
        let [white, black] = &armies.0;
        say(&format!("White plays {}, Black plays {}.", white.name, black.name));
    }
    Ok(game)
}

/// Prints a sentence in lines that fit.
fn say(text: &str) {
    print(&format!("{}\n", wrapped(text, Screen::columns())));
}

/// The army of a side.
fn army(game: &Variant, color: Color) -> Option<&Army> {
    game.info().armies.as_ref().map(|armies| &armies[color])
}

/// The armies that a side has in these games, in the order of the catalogue.
fn armies(games: &[Arc<Variant>], color: Color) -> Vec<Army> {
    let mut armies: Vec<Army> = Vec::new();
    for army in games.iter().filter_map(|game| army(game, color)) {
        if armies.iter().all(|other| other.key != army.key) {
            armies.push(army.clone());
        }
    }
    armies
}

/// Asks a player for his army until he names one; in secret, nothing shows what was typed.
fn ask(color: Color, armies: &[Army], in_secret: bool, input: &mut Input) -> CommandResult<Army> {
    let list = armies.iter().map(|army| format!("  {}  {}\n", army.key, army.name));
    let secret = if in_secret { " (what you type is not shown)" } else { "" };
    say(&format!("{color}, choose your army{secret}:"));
    print(&list.collect::<String>());
    loop {
        let prompt = format!("{color}'s army> ");
        let line =
            if in_secret { input.read_hidden(&prompt) } else { input.read(&prompt, Vec::new()) };
        let Line::Text(text) = line else { return Err("no army was chosen".into()) };
        let typed = text.trim().to_lowercase();
        let is_it = |army: &&Army| typed == army.key || typed == army.name.to_lowercase();
        if let Some(army) = armies.iter().find(is_it) {
            if in_secret && input.is_conversation() {
                print("\u{1b}[2J\u{1b}[H");
            }
            return Ok(army.clone());
        }
        let all: Vec<&str> = armies.iter().map(|army| army.key.as_str()).collect();
        print(&format!("that is no army; there are {}\n", all.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_names_have_armies_to_choose_from() {
        let keys = |name, color| -> String {
            let found = candidates(name).expect("a family of games");
            armies(found.all(), color).into_iter().map(|army| army.key).collect()
        };
        assert_eq!(keys("swda-??", Color::White), "ojpa");
        assert_eq!(keys("swda-o?", Color::White), "o");
        assert_eq!(keys("swda-o?", Color::Black), "ojpa");
        assert_eq!(keys("SWDA-?p", Color::White), "ojpa");
    }
}
