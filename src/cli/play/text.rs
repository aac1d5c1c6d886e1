//! Text in lines that fit a terminal.

use crate::text::lines_of;

/// The text with line breaks in place of spaces, so that no line has more columns than this; a longer word is split.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    lines_of(text.split(' ').flat_map(|word| parts(word, columns)), columns).join("\n")
}

/// A list with commas in lines that do not break its items; an item longer than a line is split.
pub(super) fn wrapped_list(items: &[String], columns: usize) -> String {
    let last = items.len().saturating_sub(1);
    let comma = |(index, item): (usize, &String)| match index == last {
        true => item.clone(),
        false => format!("{item},"),
    };
    let items = items.iter().enumerate().map(comma);
    lines_of(items.flat_map(|item| parts(&item, columns)), columns).join("\n")
}

/// The parts of a word that are no longer than a line.
fn parts(word: &str, columns: usize) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    letters.chunks(columns.max(1)).map(|part| part.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(wrapped("abcdefgh ij", 5), "abcde\nfgh\nij");
        assert_eq!(wrapped("", 5), "");
        let moves = ["e4 (e3e4)", "e5 (e3e5)", "Nf3"].map(str::to_string);
        assert_eq!(wrapped_list(&moves, 22), "e4 (e3e4), e5 (e3e5),\nNf3");
        assert_eq!(wrapped_list(&moves, 80), "e4 (e3e4), e5 (e3e5), Nf3");
    }
}
