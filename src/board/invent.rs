//! Definitions that are typed on the page. What is right can be played at once: the game gets a name that follows from the
//! text, so that tabs with games of the same name do not meet, and a page that sends the text again finds the same game.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::line::Line;
use super::refusal::Refusal;
use super::search::{Searches, Ticket, json_line};
use crate::engine::eval::hash::fnv1a;
use garrison_rules::catalogue::shipped_texts;
use garrison_rules::definition::{DefinitionFile, load};
use garrison_rules::{Position, Variant, perft_while};

/// What the name of such a game begins with; no other name does.
const MARK: char = '~';
/// The most games that are known at once. The one that was asked for longest ago goes.
const MOST: usize = 64;
/// The most bytes of a definition.
const LONGEST: usize = 64 << 10;
/// The most plies and the most time of a perft.
const MOST_PLIES: u32 = 8;
const MOST_TIME: Duration = Duration::from_secs(10);

/// Games by name, the one asked for last at the end.
static DEFINED: Mutex<Vec<(String, Arc<Variant>)>> = Mutex::new(Vec::new());

fn defined() -> MutexGuard<'static, Vec<(String, Arc<Variant>)>> {
    DEFINED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The game of a definition that was typed.
pub fn find(name: &str) -> Option<Arc<Variant>> {
    if !name.starts_with(MARK) {
        return None;
    }
    let mut defined = defined();
    let at = defined.iter().position(|(own, _)| own == name)?;
    let found = defined.remove(at);
    let variant = Arc::clone(&found.1);
    defined.push(found);
    Some(variant)
}

/// A definition.
#[derive(Debug, Deserialize)]
pub struct DefineRequest {
    text: String,
}

/// The games of a definition, or what is wrong with it.
#[derive(Debug, Serialize)]
pub struct Defined {
    games: Vec<GameName>,
    faults: Vec<FaultView>,
}

#[derive(Debug, Serialize)]
struct GameName {
    /// By which the page asks for it.
    name: String,
    /// As the definition has it.
    own_name: String,
    title: String,
}

#[derive(Debug, Serialize)]
struct FaultView {
    /// From 1; 0 if it is unknown.
    line: usize,
    /// From 1.
    column: usize,
    key: String,
    text: String,
}

/// Reads a definition.
///
/// # Errors
/// It is too long.
pub fn define(request: &DefineRequest) -> Result<Defined, Refusal> {
    if request.text.len() > LONGEST {
        return Err(format!("a definition of more than {} KiB", LONGEST >> 10).into());
    }
    let file = DefinitionFile { name: String::new(), text: request.text.clone() };
    let variants = match load(vec![file]) {
        Ok(variants) => variants,
        Err(faults) => {
            let view = |fault: &garrison_rules::definition::Fault| FaultView {
                line: fault.error.line,
                column: fault.error.column,
                key: fault.error.key.clone(),
                text: fault.error.fault.to_string(),
            };
            return Ok(Defined { games: Vec::new(), faults: faults.iter().map(view).collect() });
        }
    };
    let hash = fnv1a(request.text.as_bytes());
    let mut defined = defined();
    let mut games = Vec::new();
    for (index, variant) in variants.into_iter().enumerate() {
        let name = format!("{MARK}{hash:016x}.{index}");
        let title = variant.info().title.clone();
        games.push(GameName { name: name.clone(), own_name: variant.name().to_string(), title });
        // What is searched goes on with the game that it has.
        if defined.iter().all(|(own, _)| *own != name) {
            defined.push((name, variant));
        }
    }
    let too_many = defined.len().saturating_sub(MOST);
    defined.drain(..too_many);
    Ok(Defined { games, faults: Vec::new() })
}

/// A definition to begin from.
#[derive(Debug, Serialize)]
pub struct Text {
    name: &'static str,
    text: &'static str,
}

/// The smallest of games, with all that a game needs.
const TEN_LINES: &str = "name = \"hook\"
board = { files = 5, ranks = 6 }
start = \"rnkbr/ppppp/5/5/PPPPP/RNKBR w - - 0 1\"
royalty = { piece = \"K\" }
[pieces]
K = { betza = \"K\" }
R = { betza = \"R\" }
N = { betza = \"N\" }
B = { betza = \"B\" }
P = { betza = \"mfWcfF\", promotion = { zone = \"last\", to = \"R\", forced = \"last\" } }
";

/// The definitions from which one may begin.
pub fn texts() -> Vec<Text> {
    let shipped = shipped_texts().map(|(name, text)| Text { name, text });
    std::iter::once(Text { name: "", text: TEN_LINES }).chain(shipped).collect()
}

/// A perft that the page asks for.
#[derive(Debug, Deserialize)]
pub struct CountRequest {
    tab: String,
    line: Line,
    depth: u32,
}

/// A perft that is ready to run.
pub struct Count<'s> {
    ticket: Ticket<'s>,
    position: Position,
    depth: u32,
}

impl<'s> Count<'s> {
    /// Prepares what the page asks for.
    ///
    /// # Errors
    /// There is no such position, or too much runs already.
    pub fn new(searches: &'s Searches, request: CountRequest) -> Result<Count<'s>, Refusal> {
        let position = request.line.position()?;
        let ticket = searches.begin(&request.tab)?;
        Ok(Count { ticket, position, depth: request.depth.min(MOST_PLIES) })
    }

    /// Counts ply after ply, as far as there is time; `send` gets a line of JSON for each.
    ///
    /// # Errors
    /// The reader has gone.
    pub fn run(mut self, mut send: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let began = Instant::now();
        for depth in 1..=self.depth {
            let control = &self.ticket.control;
            let go_on = || !control.is_stopped() && began.elapsed() < MOST_TIME;
            let Some(nodes) = perft_while(&mut self.position, depth, &go_on) else {
                return send(&json_line(&json!({ "type": "stopped" })));
            };
            let time = began.elapsed().as_millis() as u64;
            let part = json!({ "type": "count", "depth": depth, "nodes": nodes, "time": time });
            send(&json_line(&part))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::Color;

    fn define_text(text: &str) -> Defined {
        define(&DefineRequest { text: text.to_string() }).expect("short enough")
    }

    #[test]
    fn what_is_typed_is_a_game_or_has_faults_at_their_lines() {
        let game = define_text(TEN_LINES);
        assert!(game.faults.is_empty() && game.games.len() == 1);
        let name = &game.games[0].name;
        let variant = find(name).expect("the game");
        assert_eq!((variant.name(), variant.kinds_of(Color::White).len()), ("hook", 5));
        // The same text is the same game.
        define_text(TEN_LINES);
        assert!(find(name).is_some_and(|again| Arc::ptr_eq(&again, &variant)));
        let faulty =
            TEN_LINES.replace("\"R\" }\nN", "\"Rx\" }\nN").replace("royalty =", "royality =");
        let lines: Vec<usize> =
            define_text(&faulty).faults.iter().map(|fault| fault.line).collect();
        assert!(lines.contains(&4) && lines.contains(&7), "{lines:?}");
        assert!(find("~0").is_none() && find("chess").is_none());
    }

    #[test]
    fn every_text_to_begin_from_is_right_under_another_name() {
        for Text { name, text } in texts() {
            let renamed = text.replacen(&format!("name = \"{name}\""), "name = \"my-own-game\"", 1);
            let found = define_text(&renamed);
            // Names and titles of shipped games may not be used twice; nothing else is wrong.
            let others = found.faults.iter().filter(|fault| !fault.text.contains("ships with"));
            assert_eq!(others.count(), 0, "{name}: {:?}", found.faults);
        }
    }
}
