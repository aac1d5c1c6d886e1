//! Text for people: paragraphs and lists, wrapped to the width of the terminal.

use crate::text::lines_of;

/// The width of a text that goes into a file or another program.
const PIPED: usize = 80;

/// The widths within which a text follows the terminal: narrower it is torn, wider it is hard to read.
const WIDTHS: (usize, usize) = (40, 100);

/// A text that is being written.
pub(super) struct Page {
    text: String,
    width: usize,
}

impl Page {
    /// An empty page as wide as the terminal.
    pub fn new() -> Page {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        let width = size.map_or(PIPED, |(width, _)| usize::from(width.0));
        Page::of_width(width.clamp(WIDTHS.0, WIDTHS.1))
    }

    fn of_width(width: usize) -> Page {
        Page { text: String::new(), width }
    }

    /// Adds text as it stands.
    pub fn plain(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    /// Adds an empty line and a heading.
    pub fn heading(&mut self, text: &str) {
        self.text.push('\n');
        self.paragraph("", text);
    }

    /// Adds a paragraph; its first line begins with `first`, the others are indented as far.
    pub fn paragraph(&mut self, first: &str, text: &str) {
        let indent = first.chars().count();
        let later = " ".repeat(indent);
        let firsts = std::iter::once(first).chain(std::iter::repeat(later.as_str()));
        for (begin, line) in
            firsts.zip(lines_of(text.split(' '), self.width.saturating_sub(indent)))
        {
            self.plain(format!("{begin}{line}").trim_end());
        }
    }

    /// Adds a list.
    pub fn items(&mut self, items: impl IntoIterator<Item = impl AsRef<str>>) {
        items.into_iter().for_each(|item| self.paragraph("- ", item.as_ref()));
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_hang_and_wrap() {
        let mut page = Page::of_width(20);
        page.paragraph("- ", "one two three four five sixandseventyseventhousand eight");
        let wrapped = "- one two three four\n  five\n  sixandseventyseventhousand\n  eight\n";
        assert_eq!(page.into_text(), wrapped);
    }
}
