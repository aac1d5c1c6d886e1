//! The lines of a rule file: sections, each with keys and values.

use super::RuleFault;

/// A game of a rule file, as it is written.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// The line of its name, from 1.
    pub line: usize,
    pub name: String,
    /// The game from which it differs.
    pub base: Option<String>,
    pub entries: Vec<Entry>,
}

/// A line `key = value`.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub line: usize,
    pub key: String,
    pub value: String,
}

/// The sections of a text.
///
/// # Errors
/// All lines that are neither a section, nor a key with a value, nor a comment.
pub(super) fn sections(text: &str) -> Result<Vec<Section>, Vec<RuleFault>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut faults = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let line = index + 1;
        let trimmed = raw.trim_start_matches('\u{feff}').trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let read = match trimmed.strip_prefix('[') {
            Some(header) => section(line, header, &sections).map(|section| sections.push(section)),
            None => entry(line, trimmed, sections.last_mut()),
        };
        faults.extend(read.err().map(|text| RuleFault { line, text }));
    }
    if sections.is_empty() && faults.is_empty() {
        let text =
            "there is no game here; a game begins with its name in brackets, [name] or [name:base]";
        faults.push(RuleFault { line: 1, text: text.to_string() });
    }
    if faults.is_empty() { Ok(sections) } else { Err(faults) }
}

/// A section, from what stands behind its first bracket.
fn section(line: usize, header: &str, before: &[Section]) -> Result<Section, String> {
    let Some((inside, _)) = header.split_once(']') else {
        return Err(format!(
            "[{header}: the closing bracket is missing; expected is [name] or [name:base]"
        ));
    };
    let (name, base) = match inside.split_once(':') {
        Some((name, base)) => (name.trim(), Some(base.trim())),
        None => (inside.trim(), None),
    };
    if name.is_empty() || base.is_some_and(str::is_empty) {
        return Err(format!("[{inside}]: expected is [name] or [name:base]"));
    }
    if let Some(other) = before.iter().find(|other| other.name == name) {
        return Err(format!("[{name}]: there is a game of this name in line {}", other.line));
    }
    Ok(Section {
        line,
        name: name.to_string(),
        base: base.map(str::to_string),
        entries: Vec::new(),
    })
}

fn entry(line: usize, text: &str, section: Option<&mut Section>) -> Result<(), String> {
    let Some((key, value)) = text.split_once('=') else {
        return Err(format!("'{text}': expected is a key and its value: key = value"));
    };
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || value.is_empty() {
        return Err(format!("'{text}': expected is a key and its value: key = value"));
    }
    let Some(section) = section else {
        return Err(format!(
            "'{key}' stands before the first game; a game begins with its name in brackets, [name]"
        ));
    };
    // Of a key that stands twice the last line counts, as in Fairy-Stockfish.
    section.entries.retain(|entry| entry.key != key);
    section.entries.push(Entry { line, key: key.to_string(), value: value.to_string() });
    Ok(())
}
