//! The words of a PGN text: results, move numbers, glyphs, tags, escapes.

use crate::record::SIGNS;
use garrison_rules::GameResult;

/// Whether a character separates words and means nothing else.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The dashes that some programs write in place of `-`.
const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];

/// The word as a result, if it is one.
pub(super) fn result(word: &str) -> Option<GameResult> {
    match word.replace(DASHES, "-").as_str() {
        "1/2" | "½-½" => Some(GameResult::Draw),
        word => GameResult::parse(word),
    }
}

/// The word as a move, without its number; `None` if nothing is left that could be a move.
pub(super) fn move_of(word: &str) -> Option<String> {
    let mv = without_number(word).replace(DASHES, "-");
    // Some programs write check marks and `e.p.` as separate words, or `e.p.` behind the move, which needs
    // neither. Others judge the position, as the Informant does.
    let mv = mv.strip_suffix("e.p.").unwrap_or(&mv);
    let is_judgment = mv != NULL_MOVE && mv.chars().all(|c| JUDGMENTS.contains(c));
    (!is_judgment && mv != "ep").then(|| mv.to_string())
}

/// How many programs write a null move.
const NULL_MOVE: &str = "--";

/// What check marks and judgments such as `+-` and `∓` are made of.
const JUDGMENTS: &str = "+#-=/±∓⩲⩱∞□";

/// The word without a move number in front of it.
fn without_number(word: &str) -> &str {
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
    SIGNS.iter().position(|&sign| sign == marks).filter(|&nag| nag > 0).map(|nag| nag as u8)
}

/// Whether `[`, a name and a quotation mark begin the text.
pub(super) fn looks_like_tag(text: &str) -> bool {
    let Some(text) = text.strip_prefix('[') else { return false };
    let text = text.trim_start_matches([' ', '\t']);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    rest.len() < text.len() && rest.trim_start_matches([' ', '\t']).starts_with('"')
}

/// The length of the value at the start of the line, with its quotation marks; `None` if it does not end there.
/// It ends at the first quotation mark that has no backslash in front and a bracket behind, because some programs
/// escape nothing; at the first without a backslash if none has a bracket.
pub(super) fn value_length(text: &str) -> Option<usize> {
    let (mut is_escaped, mut first) = (false, None);
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if byte == b'"' && !is_escaped {
            if text[at + 1..].trim_start_matches([' ', '\t']).starts_with(']') {
                return Some(at + 1);
            }
            first = first.or(Some(at + 1));
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    first
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
