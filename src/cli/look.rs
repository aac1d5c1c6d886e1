//! Positions for people: with colors on a terminal, as plain text everywhere else.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Color as Paint, Style};

use garrison_rules::{Color, Position};

/// White's pieces: bold, so that they stand out on light and on dark terminals.
const WHITE: Style = Style::new().bold();
/// Black's pieces.
const BLACK: Style = AnsiColor::Cyan.on_default().bold();
/// Origin and target of the last move.
const LAST: Style = AnsiColor::Black.on_default().bg_color(Some(Paint::Ansi(AnsiColor::Yellow)));

/// How to show things.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    color: bool,
}

impl Look {
    /// With colors or without.
    #[cfg(test)]
    pub fn new(color: bool) -> Look {
        Look { color }
    }

    /// As standard output allows: colors on a terminal, none in a pipe, on a terminal that has none or is not
    /// named (`TERM=dumb`), or with `NO_COLOR` set (<https://no-color.org>).
    pub fn of_stdout() -> Look {
        let is_set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let is_dumb = cfg!(unix) && is_set("TERM").is_none_or(|term| term == "dumb");
        let refused = is_set("NO_COLOR").is_some() || is_dumb;
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

    /// A square with a piece of this color or none; `is_last` if the last move came from or went to it.
    pub fn square(self, piece: Option<Color>, is_last: bool, cell: &str) -> String {
        match piece {
            _ if is_last => self.paint(LAST, cell),
            None => cell.to_string(),
            Some(Color::White) => self.paint(WHITE, cell),
            Some(Color::Black) => self.paint(BLACK, cell),
        }
    }

    /// The game, the board, its FEN and the side to move.
    pub fn heading(self, position: &Position) -> String {
        let variant = position.variant();
        let turn = if position.setup_phase().is_pending() { "to set up" } else { "to move" };
        let board = position.picture_with(Color::White, |_, piece, cell| {
            self.square(piece.map(|piece| piece.color()), false, &cell)
        });
        format!(
            "{} ({})\n\n{board}\nFen: {}\n{} {turn}\n\n",
            self.strong(&variant.info().title),
            variant.name(),
            position.fen(),
            position.side_to_move()
        )
    }
}
