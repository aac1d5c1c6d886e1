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

/// A number of things by their name in the singular, as in `1 game` and `2 games`.
///
/// ```
/// # use garrison_rules::counted;
/// assert_eq!([0, 1, 2].map(|number| counted(number, "game")), ["0 games", "1 game", "2 games"]);
/// ```
pub fn counted(number: u64, name: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {name}{ending}")
}
