//! A position as a picture of plain text.

use std::fmt::Write;

use crate::position::Position;
use crate::types::{Color, File, Piece, Rank, Square};

impl Position {
    /// The board as a picture, White at the bottom, with the hands beside it: several lines.
    pub fn picture(&self) -> String {
        self.picture_with(Color::White, |_, _, cell| cell)
    }

    /// The picture with this side at the bottom. `paint` is called with each square, the piece on it and its cell,
    /// three characters wide; it returns the cell, perhaps with terminal colors around it.
    pub fn picture_with(
        &self,
        bottom: Color,
        paint: impl Fn(Square, Option<Piece>, String) -> String,
    ) -> String {
        let variant = self.variant();
        let geometry = variant.geometry();
        let mut files: Vec<File> = (0..geometry.files()).map(File).collect();
        let mut ranks: Vec<Rank> = (0..geometry.ranks()).map(Rank).rev().collect();
        if bottom == Color::Black {
            files.reverse();
            ranks.reverse();
        }
        let mut text = String::new();
        let bar = format!("    +{}\n", "---+".repeat(files.len()));
        for rank in ranks {
            text += &bar;
            let _ = write!(text, " {:>2} |", rank.to_string());
            for square in files.iter().filter_map(|&file| geometry.square(file, rank)) {
                let piece = self.at(square);
                let letter = piece
                    .map_or(String::new(), |p| variant.piece(p.kind()).letter.of_side(p.color()));
                text += &paint(square, piece, format!("{letter:>2} "));
                text.push('|');
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
        for file in files {
            let _ = write!(text, " {file}  ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}
