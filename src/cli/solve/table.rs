//! Endings as a table that a person reads.

use std::fmt::Write as _;
use std::sync::Arc;

use super::position::line_text;
use crate::endings::{Endings, Longest, Summary, Table, line};
use garrison_rules::game::Repeated;
use garrison_rules::{Color, Variant, counted};

/// The columns: what stands above them, and whether they are aligned to the right.
const HEAD: [&str; 9] =
    ["ending", "to move", "positions", "White wins", "", "drawn", "", "Black wins", ""];

/// What tables leave out where a player with little left counts.
pub(super) const WITHOUT_COUNTS: &str = "Players with little left count moves in this game. Wins are those without that \
                                         count, which may draw long ones.";

/// The rows of the endings, and what is to be said below them.
pub(super) struct Report {
    variant: Arc<Variant>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

impl Report {
    pub fn new(variant: &Arc<Variant>) -> Report {
        let mut head: Vec<String> = HEAD.map(str::to_string).to_vec();
        head.push("longest win: moves (plies)".to_string());
        Report { variant: Arc::clone(variant), rows: vec![head], notes: Vec::new() }
    }

    pub fn add(&mut self, table: &Table) {
        let name = table.name();
        for side in Color::ALL {
            let summary = table.summary(side);
            let ending = if side == Color::White { name.clone() } else { String::new() };
            let longest = Color::ALL.map(|winner| {
                let longest = table.longest(winner, side)?;
                Some(format!("{winner} {}", length(&longest)))
            });
            let longest: Vec<String> = longest.into_iter().flatten().collect();
            let mut row = vec![ending, side.to_string(), summary.positions.to_string()];
            let Summary { positions, wins, drawn, drawn_by_count } = summary;
            for count in [wins[Color::White], drawn, wins[Color::Black]] {
                row.extend([count.to_string(), percent(count, positions)]);
            }
            let none = || "–".to_string();
            row.push(if longest.is_empty() { none() } else { longest.join(", ") });
            self.rows.push(row);
            if let Some(limit) = table.limit().filter(|_| drawn_by_count > 0) {
                self.notes.push(format!(
                    "{name}, {side} to move: {} of the draws would be won without the draw after {} \
                     without progress.",
                    drawn_by_count,
                    counted(u64::from(limit), "ply").replace("plys", "plies"),
                ));
            }
        }
    }

    pub fn into_text(self) -> String {
        let width = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width).collect();
        let mut text = format!("{} ({})\n\n", self.variant.info().title, self.variant.name());
        for row in &self.rows {
            let cell = |(column, cell): (usize, &String)| {
                let width = widths[column];
                match column {
                    0 | 1 => format!("{cell:<width$}  "),
                    // A percentage stands close to its number.
                    3 | 5 | 7 => format!("  {cell:>width$} "),
                    9 => format!("   {cell}"),
                    _ => format!("{cell:>width$}"),
                }
            };
            let line: String = row.iter().enumerate().map(cell).collect();
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if self.variant.end().repeated != Repeated::Draw
            || self.variant.end().perpetual_check
            || self.variant.chase().is_some()
        {
            text += "\nA repetition may be a win in this game. Where neither side can force another end, the table says \
                     drawn.\n";
        }
        if self.variant.has_counts() {
            let _ = writeln!(text, "\n{WITHOUT_COUNTS}");
        }
        if !self.notes.is_empty() {
            let _ = writeln!(text, "\n{}", self.notes.join("\n"));
        }
        text
    }
}

/// `16 (31)`
fn length(longest: &Longest) -> String {
    match longest.plies {
        0 => "at once".to_string(),
        plies => format!("{} ({plies})", longest.moves()),
    }
}

fn percent(count: u64, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of.max(1) as f64)
}

/// The longest win of each side, with its line.
pub(super) fn longest_lines(endings: &Endings, table: &Table) -> String {
    let mut text = String::new();
    for winner in Color::ALL {
        let of_side = Color::ALL.iter().filter_map(|&side| table.longest(winner, side));
        let Some(longest) = of_side.max_by_key(|longest| longest.plies) else { continue };
        if longest.plies == 0 {
            continue;
        }
        let position = &longest.position;
        let moves = counted(u64::from(longest.moves()), "move");
        let plies = if longest.plies == 1 { "ply" } else { "plies" };
        let _ = writeln!(text, "\n{winner}'s longest win: {moves} ({} {plies})", longest.plies);
        let _ = writeln!(text, "{}", position.fen());
        for words in line_text(position, &line(endings, position)) {
            let _ = writeln!(text, "  {words}");
        }
    }
    text
}
