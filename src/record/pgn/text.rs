//! The words of a PGN text: results, move numbers, glyphs, tags, escapes.

use garrison_rules::GameResult;

/// Whether a character separates words and means nothing else.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The word as a result, if it is one.
pub(super) fn result(word: &str) -> Option<GameResult> {
    match word {
        "1/2" | "½-½" => Some(GameResult::Draw),
        _ => GameResult::parse(word),
    }
}

/// The word without a move number in front of it.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.chars().next() {
        Some('.' | '…') => rest.trim_start_matches(['.', '…']),
        // Four zeros are a null move, which is refused as such.
        None if word != "0000" => "",
        _ => word,
    }
}

/// The number of a glyph that is written behind a move.
pub(super) fn glyph(marks: &str) -> Option<u8> {
    const GLYPHS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];
    GLYPHS.iter().position(|&glyph| glyph == marks).filter(|&nag| nag > 0).map(|nag| nag as u8)
}

/// Whether `[`, a name and a quotation mark begin the text.
pub(super) fn looks_like_tag(text: &str) -> bool {
    let Some(text) = text.strip_prefix('[') else { return false };
    let text = text.trim_start_matches([' ', '\t']);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    rest.len() < text.len() && rest.trim_start_matches([' ', '\t']).starts_with('"')
}

/// The length of the value at the start of the text, with its quotation marks; `None` if it does not
/// end on its line.
pub(super) fn value_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return None,
            b'"' if !is_escaped => return Some(at + 1),
            _ => is_escaped = byte == b'\\' && !is_escaped,
        }
    }
    None
}

/// The value of a tag without its escapes.
pub(super) fn unescaped_value(value: &str) -> String {
    replaced(value, |c| matches!(c, '"' | '\\').then_some(c))
}

/// A comment without its escapes: `\)` is a closing brace.
pub(super) fn unescaped(comment: &str) -> String {
    replaced(comment, |c| match c {
        ')' => Some('}'),
        '\\' => Some('\\'),
        _ => None,
    })
}

/// Replaces each backslash and the character after it by what `meant` returns for the character; a
/// backslash for which it returns nothing stays.
fn replaced(text: &str, meant: impl Fn(char) -> Option<char>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek().copied().filter(|_| c == '\\').and_then(&meant) {
            Some(meaning) => {
                result.push(meaning);
                chars.next();
            }
            None => result.push(c),
        }
    }
    result
}
