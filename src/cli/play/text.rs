//! Text in lines that fit a terminal.

/// The text with line breaks in place of spaces, so that no line has more columns than this; a longer word is split.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    let words = text.split(' ').map(str::to_string);
    lines_of(words, columns).join("\n")
}

/// A list with commas in lines that do not break its items; an item longer than a line is split.
pub(super) fn wrapped_list(items: &[String], columns: usize) -> String {
    let last = items.len().saturating_sub(1);
    let comma = |(index, item): (usize, &String)| match index == last {
        true => item.clone(),
        false => format!("{item},"),
    };
    lines_of(items.iter().enumerate().map(comma), columns).join("\n")
}

/// Words with spaces between them in lines of at most so many columns.
fn lines_of(words: impl Iterator<Item = String>, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in words {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > columns {
            lines.push(String::new());
            used = 0;
        }
        if used > 0 {
            lines.iter_mut().last().into_iter().for_each(|line| line.push(' '));
            used += 1;
        }
        for c in word.chars() {
            if used == columns {
                lines.push(String::new());
                used = 0;
            }
            lines.iter_mut().last().into_iter().for_each(|line| line.push(c));
            used += 1;
        }
    }
    lines
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
