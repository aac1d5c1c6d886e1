//! The canonical text of a game.

use std::fmt::Write as _;

use super::{ROSTER, START_TAGS};
use crate::record::{GameRecord, Ply};
use crate::text::lines_of;
use garrison_rules::{Color, Position, Tag};

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
    /// Whether Black's next move needs its number: at the start and behind a comment.
    number: bool,
}

fn add_moves(text: &mut String, record: &GameRecord) {
    let mut words = Words { words: Vec::new(), number: true };
    words.add_comment(record.comment.as_deref());
    let mut position = record.start.without_history();
    for ply in &record.plies {
        if !position.is_legal(ply.mv) {
            break;
        }
        words.add_ply(&position, ply);
        position.make(ply.mv);
    }
    words.words.push(record.result.text().to_string());
    *text += &lines_of(&words.words, COLUMNS).join("\n");
    text.push('\n');
}

impl Words {
    fn add_ply(&mut self, position: &Position, ply: &Ply) {
        // Setup plies come before the first move.
        let number = if ply.mv.tag() == Tag::Setup { 0 } else { position.fullmove() };
        let number = match position.side_to_move() {
            Color::White => format!("{number}. "),
            Color::Black if self.number => format!("{number}... "),
            Color::Black => String::new(),
        };
        self.number = false;
        self.words.push(number + &position.san(ply.mv));
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
