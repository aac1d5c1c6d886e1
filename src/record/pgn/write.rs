//! The canonical text of a game.

use std::fmt::Write as _;

use super::{ROSTER, START_TAGS};
use crate::record::{GameRecord, MOST_DEPTH, MOST_VARIATIONS, Ply, Variation, numbered};
use crate::text::lines_of;
use garrison_rules::Position;

/// The most characters of a line of moves.
const COLUMNS: usize = 80;

/// The text of a game.
pub(in crate::record) fn game(record: &GameRecord) -> String {
    let mut text = String::new();
    for (name, unknown) in ROSTER {
        add_tag(&mut text, name, record.tag(name).unwrap_or(unknown));
    }
    add_tag(&mut text, "Result", record.result.text());
    // The tags of the record may be out of date; those of the start position are written instead.
    let start = GameRecord::new(&record.start);
    start.tags.iter().for_each(|(name, value)| add_tag(&mut text, name, value));
    for (name, value) in &record.tags {
        let name = tag_name(name);
        let is_written = ROSTER.iter().any(|&(known, _)| known == name)
            || START_TAGS.contains(&name.as_str())
            || name == "Result";
        if !is_written {
            add_tag(&mut text, &name, value);
        }
    }
    text.push('\n');
    add_moves(&mut text, record);
    text
}

/// The name as a tag may have it.
pub(in crate::record) fn tag_name(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    if name.is_empty() { "_".to_string() } else { name.chars().map(fit).collect() }
}

fn add_tag(text: &mut String, name: &str, value: &str) {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            // A tag ends with its line.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    let _ = writeln!(text, "[{name} \"{escaped}\"]");
}

/// The words between which lines may break: moves with their numbers, annotations, comments.
struct Words {
    words: Vec<String>,
    /// Whether Black's next move needs its number: at the start of a line, behind a comment and behind a variation.
    number: bool,
    /// How many variations were written.
    variations: usize,
}

fn add_moves(text: &mut String, record: &GameRecord) {
    let mut words = Words { words: Vec::new(), number: true, variations: 0 };
    words.add_comment(record.comment.as_deref());
    words.add_line(&mut record.start.without_history(), &record.plies, 0);
    words.words.push(record.result.text().to_string());
    *text += &lines_of(&words.words, COLUMNS).join("\n");
    text.push('\n');
}

impl Words {
    /// The plies of a line as far as they are legal here; `depth` is how many variations it is within.
    fn add_line(&mut self, position: &mut Position, plies: &[Ply], depth: usize) {
        let mut made = 0;
        for ply in plies {
            if !position.is_legal(ply.mv) {
                break;
            }
            self.add_ply(position, ply);
            for variation in &ply.variations {
                self.add_variation(position, variation, depth + 1);
            }
            position.make(ply.mv);
            made += 1;
        }
        (0..made).for_each(|_| position.unmake());
    }

    /// A variation in parentheses, if it has a legal move.
    fn add_variation(&mut self, position: &mut Position, variation: &Variation, depth: usize) {
        let has_moves = variation.plies.first().is_some_and(|ply| position.is_legal(ply.mv));
        if !has_moves || depth > MOST_DEPTH || self.variations == MOST_VARIATIONS {
            return;
        }
        self.variations += 1;
        let first = self.words.len();
        self.number = true;
        self.add_comment(variation.comment.as_deref());
        self.add_line(position, &variation.plies, depth);
        self.words[first].insert(0, '(');
        self.words.last_mut().into_iter().for_each(|word| word.push(')'));
        self.number = true;
    }

    fn add_ply(&mut self, position: &Position, ply: &Ply) {
        self.words.push(numbered(position, ply.mv, self.number) + &position.san(ply.mv));
        self.number = false;
        self.words.extend(ply.nags.iter().map(|nag| format!("${nag}")));
        self.add_comment(ply.comment.as_deref());
    }

    /// A comment in braces; lines may break at its white space. `\)` stands for a closing brace, which
    /// would end the comment.
    fn add_comment(&mut self, comment: Option<&str>) {
        let escaped = comment.unwrap_or_default().replace('\\', "\\\\").replace('}', "\\)");
        let mut parts: Vec<String> = Vec::new();
        for word in escaped.split(|c: char| c.is_whitespace() || c.is_control()) {
            match parts.last_mut() {
                _ if word.is_empty() => {}
                // At the start of a line other programs take these for something else.
                Some(last) if word.starts_with(['%', '[', ';']) => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => parts.push(word.to_string()),
            }
        }
        if let Some(first) = parts.first_mut() {
            first.insert(0, '{');
        }
        if let Some(last) = parts.last_mut() {
            last.push('}');
            self.number = true;
        }
        self.words.append(&mut parts);
    }
}
