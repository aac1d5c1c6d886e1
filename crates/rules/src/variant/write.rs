//! A definition as text, in the layout of the files that people write: one line for each key and each piece.

use std::fmt::Write;

use toml::{Table, Value};

use super::Definition;

/// The tables that stand behind their name in brackets; all others are in braces on the line of their key.
const IN_BRACKETS: [&str; 3] = ["regions", "pieces", "end"];

impl Definition {
    /// The text of this definition, which [`Definition::parse`] reads as the same definition.
    ///
    /// ```
    /// use garrison_rules::definition::Definition;
    ///
    /// let text = "name = \"passchess\"\nbase = \"chess\"\npass = true\n\n[pieces]\nK = { betza = \"KN\" }\n";
    /// let definition = Definition::parse(text).expect("a definition");
    /// assert_eq!(definition.to_toml(), text);
    /// ```
    pub fn to_toml(&self) -> String {
        let table = Table::try_from(self).unwrap_or_default();
        let is_apart = |key: &str| IN_BRACKETS.contains(&key);
        let mut text = String::new();
        for (key, value) in table.iter().filter(|(key, _)| !is_apart(key)) {
            let _ = writeln!(text, "{} = {}", written_key(key), written(value, 0));
        }
        for (key, value) in table.iter().filter(|(key, _)| is_apart(key)) {
            let Value::Table(inner) = value else { continue };
            let _ = writeln!(text, "\n[{key}]");
            for (key, value) in inner {
                let _ = writeln!(text, "{} = {}", written_key(key), written(value, 0));
            }
        }
        text
    }
}

/// A key, in quotes where it needs them.
fn written_key(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_bare) { key.to_string() } else { quoted(key) }
}

/// A value; a list of tables with a line for each, unless it stands in braces itself (`depth` is not 0).
fn written(value: &Value, depth: usize) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Table(table) => {
            let keys = table.iter();
            let keys = keys.map(|(key, value)| {
                format!("{} = {}", written_key(key), written(value, depth + 1))
            });
            format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let lines: Vec<String> = items.iter().map(|item| written(item, depth + 1)).collect();
            if depth == 0 && items.iter().any(Value::is_table) {
                format!("[\n    {},\n]", lines.join(",\n    "))
            } else {
                format!("[{}]", lines.join(", "))
            }
        }
        number => number_text(number),
    }
}

/// A number, or true or false.
fn number_text(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Boolean(is) => is.to_string(),
        // A definition has no other values.
        _ => String::new(),
    }
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
