//! Text in lines of a width. Any module may use it; it depends on none.

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

#[cfg(test)]
mod tests {
    use super::lines_of;

    #[test]
    fn lines_break_between_words() {
        let lines = |text: &str, columns| lines_of(text.split(' '), columns);
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("abcdefgh ij", 5), ["abcdefgh", "ij"]);
        assert_eq!(lines("ä ö", 3), ["ä ö"]);
        assert_eq!(lines("", 5), [""]);
    }
}
