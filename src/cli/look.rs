//! Positions for people: with colors on a terminal, as plain text everywhere else.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Color as Paint, Style};

use garrison_rules::{Color, Move, Position, Tag};

/// White's pieces: bold, so that they stand out on light and on dark terminals.
const WHITE: Style = Style::new().bold();
/// Black's pieces.
const BLACK: Style = AnsiColor::Cyan.on_default().bold();
/// The target of the last move.
const LAST: Style = AnsiColor::Black.on_default().bg_color(Some(Paint::Ansi(AnsiColor::Yellow)));

/// How to show things.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    color: bool,
}

impl Look {
    /// As standard output allows: colors on a terminal, none in a pipe or with `NO_COLOR` set
    /// (<https://no-color.org>).
    pub fn of_stdout() -> Look {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Look { color: !refused && std::io::stdout().is_terminal() }
    }

    /// Whether there are colors.
    pub fn has_color(self) -> bool {
        self.color
    }

    /// Text in a style.
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    /// Text that stands out.
    pub fn strong(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// The board with the hands, this side at the bottom; the target of the last move is marked.
    pub fn board(self, position: &Position, bottom: Color, last: Option<Move>) -> String {
        let target = last.filter(|mv| mv.tag() != Tag::Setup).map(Move::to);
        position.picture_with(bottom, |square, piece, cell| match piece {
            None => cell,
            Some(_) if target == Some(square) => self.paint(LAST, &cell),
            Some(piece) if piece.color() == Color::White => self.paint(WHITE, &cell),
            Some(_) => self.paint(BLACK, &cell),
        })
    }

    /// The game, the board, its FEN and the side to move.
    pub fn heading(self, position: &Position) -> String {
        let variant = position.variant();
        let turn = if position.setup_phase().is_pending() { "to set up" } else { "to move" };
        format!(
            "{} ({})\n\n{}\nFen: {}\n{} {turn}\n\n",
            self.strong(&variant.info().title),
            variant.name(),
            self.board(position, Color::White, None),
            position.fen(),
            position.side_to_move()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    #[test]
    fn colors_change_nothing_but_the_colors() {
        let shoranji = find("shoranji").expect("a game");
        let mut position = Position::start(&shoranji);
        position.play("d3d5").expect("a legal move");
        let last = position.moves_made().last();
        let board = |color| Look { color }.board(&position, Color::White, last);
        let (plain, colored) = (board(false), board(true));
        assert_eq!(plain, position.picture());
        let mut stripped = String::new();
        for (index, part) in colored.split('\u{1b}').enumerate() {
            stripped += if index == 0 { part } else { part.split_once('m').expect("a color").1 };
        }
        assert_eq!(stripped, plain);
        let marked = Look { color: true }.paint(LAST, " P ");
        assert_eq!(colored.matches(&marked).count(), 1);
    }
}
