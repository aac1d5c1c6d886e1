//! Texts from outside in messages.

/// A text from outside as an error message can quote it: in one line, with control characters
/// escaped, and cut after 60 characters.
///
/// ```
/// use garrison_rules::shown;
///
/// assert_eq!(shown("e2e4\n"), "e2e4\\n");
/// assert_eq!(shown(&"x".repeat(61)), format!("{}…", "x".repeat(60)));
/// ```
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().count() > MOST {
        short.push('…');
    }
    short
}
