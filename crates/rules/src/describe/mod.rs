//! The rules of a game in words, derived from its definition: nothing is said here of a game by name.

mod absences;
mod castling;
mod draws;
mod ends;
mod hands;
mod moves;
mod pieces;
mod royals;
mod squares;
mod steps;

pub use steps::{ExtraSteps, WrittenMoves};

use crate::types::{Color, PieceTypeSet};
use crate::variant::Variant;

impl Variant {
    /// What a player must know of this game, a sentence or two each: who begins, royalty, captures, drops, moves of two
    /// pieces at once, ends. What concerns one piece is said by [`piece_in_words`](Variant::piece_in_words).
    ///
    /// ```
    /// use garrison_rules::find;
    ///
    /// let rules = find("xiangqi")?.rules_in_words();
    /// assert!(rules.contains(&"A player without a legal move loses, in check or not.".to_string()));
    /// # Ok::<(), garrison_rules::UnknownGame>(())
    /// ```
    pub fn rules_in_words(&self) -> Vec<String> {
        let mut rules = vec![self.beginning()];
        rules.extend(self.shuffle_in_words());
        rules.extend(self.royals_in_words());
        rules.extend(self.captures_in_words());
        rules.extend(self.absences());
        rules.extend(self.obligations_in_words());
        rules.extend(self.ends_in_words());
        rules
    }

    /// Who begins, and with what.
    fn beginning(&self) -> String {
        let is_black = self.start_fen().split(' ').nth(1) == Some("b");
        let first = if is_black { Color::Black } else { Color::White };
        let Some(setup) = self.setup() else { return format!("{first} moves first.") };
        if !setup.rows.is_empty() {
            let place =
                squares::inside(self, setup.squares[Color::White]).replace("its own", "their own");
            return format!(
                "{first} moves first. Before that, White and then Black may rearrange their own {} {place} into one of \
                 the arrays {}, as each of them sees it. This does not count as a move.",
                list(&self.plurals(setup.pieces), "and"),
                list(&setup.rows, "and")
            );
        }
        let place =
            squares::inside(self, setup.squares[Color::White]).replace("its own", "their own");
        format!(
            "{first} moves first. Before that, White and then Black may rearrange their own {} over the squares {place} \
             that hold no other piece. This does not count as a move.",
            list(&self.plurals(setup.pieces), "and")
        )
    }

    /// The names of pieces, each as "the cannon (C)" without its article.
    fn named(&self, kinds: PieceTypeSet) -> Vec<String> {
        kinds.map(|kind| self.piece(kind).name.clone()).collect()
    }

    fn plurals(&self, kinds: PieceTypeSet) -> Vec<String> {
        let mut names: Vec<String> = self.named(kinds).iter().map(|name| plural(name)).collect();
        names.dedup();
        names
    }

    fn letters(&self, kinds: PieceTypeSet) -> Vec<String> {
        kinds.map(|kind| self.piece(kind).letter.to_string()).collect()
    }
}

/// Several pieces of a name.
pub(crate) fn plural(name: &str) -> String {
    match name {
        _ if ["ss", "sh", "ch", "x", "z"].iter().any(|end| name.ends_with(end)) => {
            format!("{name}es")
        }
        _ if name.ends_with(['s', 'ī']) => name.to_string(),
        _ => format!("{name}s"),
    }
}

/// "A", or "an" before a vowel.
pub(crate) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// "a, b or c".
pub(crate) fn list(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// A number in words, up to twelve.
pub(crate) fn count(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| word.to_string())
}

/// "third" and the like.
pub(crate) fn ordinal(number: u32) -> String {
    const WORDS: [&str; 13] = [
        "0th", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
        "ninth", "tenth", "eleventh", "twelfth",
    ];
    let word = WORDS.get(number as usize);
    word.map_or_else(|| format!("{number}th"), |word| word.to_string())
}

/// With a capital at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
