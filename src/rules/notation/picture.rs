//! A position as a picture of plain text.

use std::fmt::Write;

use crate::rules::position::Position;
use crate::rules::types::{Color, File, Rank};

impl Position {
    /// The board as a picture, White at the bottom, with the hands beside it: several lines.
    pub fn picture(&self) -> String {
        let variant = self.variant();
        let geometry = variant.geometry();
        let mut text = String::new();
        let bar = format!("    +{}\n", "---+".repeat(usize::from(geometry.files())));
        for rank in (0..geometry.ranks()).map(Rank).rev() {
            text += &bar;
            let _ = write!(text, " {:>2} |", rank.to_string());
            for file in (0..geometry.files()).map(File) {
                let piece = geometry.square(file, rank).and_then(|square| self.at(square));
                let letter = piece
                    .map_or(String::new(), |p| variant.man(p.kind()).letter.of_side(p.color()));
                let _ = write!(text, "{letter:>2} |");
            }
            let at_edge = |edge: u8| rank == Rank(edge) && !variant.hand_kinds().is_empty();
            for (edge, color) in [(geometry.ranks() - 1, Color::Black), (0, Color::White)] {
                if at_edge(edge) {
                    let _ = write!(text, "  {color} holds [{}]", self.hand_text(color));
                }
            }
            text.push('\n');
        }
        text += &bar;
        text += "     ";
        for file in (0..geometry.files()).map(File) {
            let _ = write!(text, " {file}  ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}
