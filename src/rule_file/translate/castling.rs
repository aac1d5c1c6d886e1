//! Castling: the squares of king and rook, found in the start position.

use garrison_rules::Color;
use garrison_rules::definition::tables::{Castling, OneSide};

use super::Draft;
use super::forms::by_side;
use super::start::{cells, fields};
use crate::rule_file::squares::{At, name};

/// One way to castle.
pub(super) struct Castle {
    /// The letter of its right in a FEN.
    pub letter: char,
    color: Color,
    /// From where to where, in White's view of the board.
    king: (At, At),
    rook: (At, At),
}

impl Draft<'_> {
    /// The castling moves for which the start position gives the right.
    pub(super) fn castles(&self) -> Vec<Castle> {
        let text = self.rules.text("startFen");
        let rights = fields(&text).rights;
        if !self.rules.flag("castling") {
            return Vec::new();
        }
        let sides =
            [('K', Color::White), ('Q', Color::White), ('k', Color::Black), ('q', Color::Black)];
        let wanted = sides.into_iter().filter(|(letter, _)| rights.contains(*letter));
        wanted.filter_map(|(letter, color)| self.castle(letter, color)).collect()
    }

    fn castle(&self, letter: char, color: Color) -> Option<Castle> {
        let pieces = self.start_pieces();
        let castling_rank = u8::try_from(self.rules.number("castlingRank")).ok()?.checked_sub(1)?;
        let rank = match color {
            Color::White => castling_rank,
            Color::Black => self.board.ranks.checked_sub(1 + castling_rank)?,
        };
        let files_of = |keys| {
            let kinds = self.rules.present(by_side(color, keys));
            let is_one = move |&&(at, piece, side): &&(At, char, Color)| {
                at.0 == rank
                    && side == color
                    && self.rules.kind_of(piece).is_ok_and(|kind| kinds.contains(&kind))
            };
            pieces.iter().filter(is_one).map(|((_, file), ..)| *file).collect::<Vec<u8>>()
        };
        let kings = files_of(["castlingKingPieceWhite", "castlingKingPieceBlack"]);
        let rooks = files_of(["castlingRookPiecesWhite", "castlingRookPiecesBlack"]);
        let own = u8::try_from(self.rules.number("castlingKingFile")).ok()?.checked_sub(1)?;
        let king =
            if kings.len() == 1 { kings[0] } else { *kings.iter().find(|file| **file == own)? };
        let is_right = letter.eq_ignore_ascii_case(&'k');
        let (key, rook) = if is_right {
            ("castlingKingsideFile", rooks.iter().copied().filter(|file| *file > king).max()?)
        } else {
            ("castlingQueensideFile", rooks.iter().copied().filter(|file| *file < king).min()?)
        };
        let to = u8::try_from(self.rules.number(key)).ok()?.checked_sub(1)?;
        let beside = if is_right { to.checked_sub(1)? } else { to + 1 };
        // A step that is a move of the king as well would be written as that.
        if to.abs_diff(king) <= 1 {
            return None;
        }
        let on = |file| self.board.seen(color, (rank, file));
        Some(Castle { letter, color, king: (on(king), on(to)), rook: (on(rook), on(beside)) })
    }

    /// The pieces at the start, with their sides.
    fn start_pieces(&self) -> Vec<(At, char, Color)> {
        let text = self.rules.text("startFen");
        let cells = cells(fields(&text).board, self.board.ranks);
        let pieces = cells.into_iter().filter(|(_, c)| c.is_ascii_alphabetic());
        let color = |c: char| if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        pieces.map(|(at, c)| (at, c, color(c))).collect()
    }

    pub(super) fn castling(&mut self) {
        let castles = self.castles();
        if self.rules.flag("castling") {
            let text = self.rules.text("startFen");
            let rights = fields(&text).rights.chars().filter(|c| "KQkq".contains(*c));
            for letter in rights.filter(|c| !castles.iter().any(|castle| castle.letter == *c)) {
                self.unsaid.push(format!("castling with the right {letter} of startFen"));
            }
        }
        let written = |(from, to): (At, At)| format!("{}{}", name(from), name(to));
        let mut found: Vec<Castling> = Vec::new();
        for castle in &castles {
            let twin = castles.iter().find(|other| {
                other.color != castle.color
                    && (other.king, other.rook) == (castle.king, castle.rook)
            });
            let is_shared = twin.is_some() && self.castles_alike(castle);
            if is_shared && castle.color == Color::Black {
                continue;
            }
            let only = match castle.color {
                _ if is_shared => None,
                Color::White => Some(OneSide::White),
                Color::Black => Some(OneSide::Black),
            };
            found.push(Castling {
                king: Some(written(castle.king)),
                rook: Some(written(castle.rook)),
                only,
                dropped: None,
            });
        }
        if !found.is_empty() {
            self.definition.castling = Some(found);
        }
    }

    /// Whether both sides castle with pieces of the same letters, which one line for both needs.
    fn castles_alike(&self, castle: &Castle) -> bool {
        let pieces = self.start_pieces();
        let at = |color: Color, seen: At| {
            let is_there = |(square, _, side): &&(At, char, Color)| {
                *side == color && self.board.seen(color, *square) == seen
            };
            pieces.iter().find(is_there).map(|(_, letter, _)| letter.to_ascii_uppercase())
        };
        [castle.king.0, castle.rook.0]
            .iter()
            .all(|&seen| at(Color::White, seen) == at(Color::Black, seen))
    }
}
