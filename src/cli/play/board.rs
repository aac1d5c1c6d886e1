//! The board as a player sees it: origin and target of the last move marked, hands and captured pieces beside it, in
//! a form that fits the terminal.

use clap::ValueEnum;

use super::text::wrapped;
use crate::cli::look::Look;
use garrison_rules::{Color, File, Move, Position, Rank, Square, Tag};

/// How large the board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A line a rank
    Compact,
    /// Squares with lines around them
    Full,
}

/// The lines that a turn needs below a full board: an empty line, two or three sentences, whose turn it is, the prompt.
const LINES_BELOW: u16 = 6;
/// The least width of a text beside the board.
const LEAST_BESIDE: usize = 16;
/// The columns between the board and the text beside it.
const GAP: usize = 2;

impl Form {
    /// The larger form that fits a terminal with so many columns and lines; the full one if there is no terminal.
    pub fn that_fits(position: &Position, size: Option<(u16, u16)>) -> Form {
        let geometry = position.variant().geometry();
        let (files, ranks) = (u16::from(geometry.files()), u16::from(geometry.ranks()));
        let fits =
            |(columns, lines)| 4 * files + 5 <= columns && 2 * ranks + 2 + LINES_BELOW <= lines;
        if size.is_none_or(fits) { Form::Full } else { Form::Compact }
    }

    /// The columns of the board in this form.
    fn width(self, files: usize) -> usize {
        match self {
            Form::Compact => 3 + 3 * files,
            Form::Full => 5 + 4 * files,
        }
    }
}

/// What is drawn.
pub(super) struct View<'a> {
    pub position: &'a Position,
    /// The side at the bottom.
    pub bottom: Color,
    pub last: Option<Move>,
    /// The pieces that each side has captured and that went to no hand, as text.
    pub taken: &'a dyn Fn(Color) -> String,
    pub look: Look,
    pub form: Form,
    pub columns: usize,
}

impl View<'_> {
    /// The board and what stands beside it: lines, each with its end.
    pub fn draw(&self) -> String {
        let board = self.board();
        let width = self.form.width(usize::from(self.position.variant().geometry().files()));
        let room = self.columns.saturating_sub(width + GAP);
        let [top, bottom] = [!self.bottom, self.bottom].map(|color| self.beside(color));
        if room < LEAST_BESIDE {
            let (top, bottom) = (top.join("; "), bottom.join("; "));
            let below = [top, bottom].into_iter().filter(|text| !text.is_empty());
            let below = below.map(|text| wrapped(&text, self.columns) + "\n").collect::<String>();
            let lines = board.iter().map(|line| line.trim_end_matches(' ').to_string() + "\n");
            return lines.collect::<String>() + &below;
        }
        let lines = |texts: Vec<String>| -> Vec<String> {
            texts.iter().flat_map(|text| split(text, room)).collect()
        };
        let (top, bottom) = (lines(top), lines(bottom));
        let (first, last) = self.rank_lines(board.len());
        let from = last + 1 - bottom.len().min(last + 1 - first);
        let mut text = String::new();
        for (index, line) in board.iter().enumerate() {
            text += line;
            let beside = match index {
                _ if index >= from => bottom.get(index - from),
                _ => index.checked_sub(first).and_then(|at| top.get(at)),
            };
            // All these lines are as wide as the board.
            if let Some(beside) = beside {
                text += &" ".repeat(GAP);
                text += beside;
            }
            text.truncate(text.trim_end_matches(' ').len());
            text += "\n";
        }
        text
    }

    /// The first and the last line of a board of so many lines beside which text may stand.
    fn rank_lines(&self, lines: usize) -> (usize, usize) {
        match self.form {
            Form::Compact => (0, lines.saturating_sub(2)),
            Form::Full => (1, lines.saturating_sub(3)),
        }
    }

    /// What stands beside the board for a side.
    fn beside(&self, color: Color) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.position.variant().hand_kinds().is_empty() {
            lines.push(format!("{color} holds [{}]", self.position.hand_text(color)));
        }
        let taken = (self.taken)(color);
        if !taken.is_empty() {
            lines.push(format!("{color} took {taken}"));
        }
        lines
    }

    fn board(&self) -> Vec<String> {
        let geometry = self.position.variant().geometry();
        let mut files: Vec<File> = (0..geometry.files()).map(File).collect();
        let mut ranks: Vec<Rank> = (0..geometry.ranks()).map(Rank).rev().collect();
        if self.bottom == Color::Black {
            files.reverse();
            ranks.reverse();
        }
        let bar = format!("    +{}", "---+".repeat(files.len()));
        let mut lines = Vec::new();
        for rank in ranks {
            let row = files.iter().filter_map(|&file| geometry.square(file, rank));
            let cells: Vec<String> = row.map(|square| self.cell(square)).collect();
            match self.form {
                Form::Compact => lines.push(format!("{:>2} {}", rank.to_string(), cells.concat())),
                Form::Full => {
                    lines.push(bar.clone());
                    lines.push(format!(" {:>2} |{}|", rank.to_string(), cells.join("|")));
                }
            }
        }
        let names = |gap: &str| files.iter().map(File::to_string).collect::<Vec<_>>().join(gap);
        match self.form {
            Form::Compact => lines.push(format!("    {}", names("  "))),
            Form::Full => lines.extend([bar, format!("      {}", names("   "))]),
        }
        lines
    }

    /// A square, three characters wide; in brackets, or painted, if the last move came from or went to it.
    fn cell(&self, square: Square) -> String {
        let piece = self.position.at(square);
        let letter = |piece: garrison_rules::Piece| {
            self.position.variant().piece(piece.kind()).letter.of_side(piece.color())
        };
        let empty = if self.form == Form::Compact { "." } else { "" };
        let is_stone = self.position.stones().contains(square);
        let empty = if is_stone { "*" } else { empty };
        let text = piece.map_or(empty.to_string(), letter);
        let is_marked = self.is_marked(square);
        let cell = match is_marked && !self.look.has_color() {
            false => format!("{text:>2} "),
            true if text.len() > 1 => format!("{text}]"),
            true => format!("[{text:>1}]"),
        };
        self.look.square(piece.map(|piece| piece.color()), is_marked, &cell)
    }

    fn is_marked(&self, square: Square) -> bool {
        self.last.is_some_and(|mv| match mv.tag() {
            Tag::Setup | Tag::Pass => false,
            Tag::Drop => mv.to() == square,
            _ => mv.to() == square || mv.from() == square,
        })
    }
}

/// A text in lines of at most so many columns.
fn split(text: &str, columns: usize) -> Vec<String> {
    wrapped(text, columns).lines().map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    fn drawn(fen: &str, text: &str, form: Form, columns: usize, color: bool) -> String {
        let variant = find("shoogantshii").expect("a game");
        let mut position = Position::from_fen(&variant, fen).expect("a position");
        position.play(text).expect("a legal move");
        let last = position.moves_made().last();
        let taken = |color| if color == Color::White { "p 2n".to_string() } else { String::new() };
        let look = Look::new(color);
        let view = View {
            position: &position,
            bottom: Color::White,
            last,
            taken: &taken,
            look,
            form,
            columns,
        };
        view.draw()
    }

    const FEN: &str = "4k4/9/4+R4/9/4P4/9/9/9/4K4[] w - - 0 1";

    #[test]
    fn the_compact_board_has_a_line_for_each_rank() {
        let board = drawn(FEN, "e5e6", Form::Compact, 60, false);
        let expected = " 9  .  .  .  .  k  .  .  .  .   Black holds []
 8  .  .  .  .  .  .  .  .  .
 7  .  .  .  . +R  .  .  .  .
 6  .  .  .  . [P] .  .  .  .
 5  .  .  .  . [.] .  .  .  .
 4  .  .  .  .  .  .  .  .  .
 3  .  .  .  .  .  .  .  .  .
 2  .  .  .  .  .  .  .  .  .   White holds []
 1  .  .  .  .  K  .  .  .  .   White took p 2n
    a  b  c  d  e  f  g  h  i
";
        assert_eq!(board, expected);
    }

    #[test]
    fn the_full_board_has_lines_around_its_squares() {
        let board = drawn(FEN, "e7e8", Form::Full, 80, false);
        assert!(board.contains("  8 |   |   |   |   |+R]|   |   |   |   |\n"), "{board}");
        assert!(board.contains("  7 |   |   |   |   |[ ]|   |   |   |   |\n"), "{board}");
        assert!(
            board.contains(" 9 |   |   |   |   | k |   |   |   |   |  Black holds []\n"),
            "{board}"
        );
        assert!(board.contains("|  White took p 2n\n    +---"), "{board}");
        assert!(board.ends_with("\n      a   b   c   d   e   f   g   h   i\n"), "{board}");
        // Too narrow for a text beside it.
        let board = drawn(FEN, "e7e8", Form::Full, 50, false);
        assert!(
            board.ends_with("  i\nBlack holds []\nWhite holds []; White took p 2n\n"),
            "{board}"
        );
    }

    #[test]
    fn colors_change_nothing_but_the_colors() {
        let colored = drawn(FEN, "e5e6", Form::Compact, 60, true);
        let mut stripped = String::new();
        for (index, part) in colored.split('\u{1b}').enumerate() {
            stripped += if index == 0 { part } else { part.split_once('m').expect("a color").1 };
        }
        let plain = drawn(FEN, "e5e6", Form::Compact, 60, false);
        assert_eq!(stripped, plain.replace(['[', ']'], " ").replace("holds   ", "holds []"));
    }

    #[test]
    fn the_form_fits_the_terminal() {
        for (game, size, form) in [
            ("swda", (80, 24), Form::Full),
            ("shoranji", (80, 24), Form::Compact),
            ("shoranji", (80, 50), Form::Full),
            ("shoranji-maximus", (80, 24), Form::Compact),
            ("swda", (30, 60), Form::Compact),
        ] {
            let position = Position::start(&find(game).expect("a game"));
            assert_eq!(Form::that_fits(&position, Some(size)), form, "{game} {size:?}");
        }
    }
}
