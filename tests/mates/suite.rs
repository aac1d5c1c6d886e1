//! The lines of a suite of forced wins.

use garrison_rules::{Position, find};

/// A win to find.
pub struct Task {
    pub id: String,
    pub position: Position,
    /// The moves it takes.
    pub within: u32,
    /// What happens in it: the names of its themes, how it ends being the first.
    pub themes: Vec<String>,
}

/// Reads the lines `FEN dm N; id "…"; c0 "…"; variant NAME;` but for empty ones and remarks; the error
/// is the line that is none.
pub fn read(text: &str) -> Result<Vec<Task>, String> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| read_line(line).ok_or_else(|| format!("not a win to find: {line}"))).collect()
}

fn read_line(line: &str) -> Option<Task> {
    let (fen, rest) = line.split_once(" dm ")?;
    let mut parts = rest.trim_end_matches(';').split("; ");
    let within = parts.next()?.parse().ok()?;
    let id = parts.next()?.strip_prefix("id ")?.trim_matches('"').to_string();
    let themes = parts.next()?.strip_prefix("c0 ")?.trim_matches('"').split(", ");
    let themes = themes.map(str::to_string).collect();
    let variant = find(parts.next()?.strip_prefix("variant ")?).ok()?;
    Some(Task { id, position: Position::from_fen(&variant, fen).ok()?, within, themes })
}
