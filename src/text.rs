//! Text in lines of a width, and what lines begin with. Any module may use it; it depends on none.

/// How a line of UCI or USI begins that reports an error (protocol.md).
pub(crate) const ERROR_LINE: &str = "info string error: ";

/// Words with spaces between them, in lines of at most so many characters; a longer word has a line of its own. There is
/// at least one line.
pub(crate) fn lines_of(
    words: impl IntoIterator<Item = impl AsRef<str>>,
    columns: usize,
) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in words {
        let word = word.as_ref();
        let length = word.chars().count();
        let fits = used == 0 || used + 1 + length <= columns;
        if !fits {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += length;
        }
    }
    lines
}

/// Text as XML and HTML have it, also inside quotation marks. Characters that XML does not allow are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escaped, lines_of};

    #[test]
    fn lines_break_between_words() {
        let lines = |text: &str, columns| lines_of(text.split(' '), columns);
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("abcdefgh ij", 5), ["abcdefgh", "ij"]);
        assert_eq!(lines("ä ö", 3), ["ä ö"]);
        assert_eq!(lines("", 5), [""]);
    }

    #[test]
    fn markup_is_escaped_and_control_characters_are_left_out() {
        assert_eq!(escaped("a<b & \"c\"'\u{0}\nd"), "a&lt;b &amp; &quot;c&quot;&#39; d");
    }
}
