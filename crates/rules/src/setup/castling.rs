//! The right to castle: by its letter, and by the file of the rook where kings and rooks may start on any square.

use std::sync::Arc;

use super::Setup;
use crate::types::{Color, File, Piece, PieceType, Square};
use crate::variant::{Castle, file_letter};

impl Setup {
    /// Lets kings and rooks start on any square of their rank, as in Chess960: the rights are those of the king and the
    /// rooks that stand on the board when they are [set](Setup::set_castling). A FEN names them by the files of the
    /// rooks (Shredder-FEN), and castling is written as the king that takes the rook.
    ///
    /// ```
    /// use garrison_rules::{Position, Setup, find};
    ///
    /// let chess = find("chess")?;
    /// let mut setup = Setup::empty(&chess);
    /// setup.name_castling_by_rook();
    /// let fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1";
    /// let position = setup.read_fen(fen)?.into_position()?;
    /// assert_eq!(position.fen(), "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1");
    /// // The letters of files say it without that.
    /// assert_eq!(Position::from_fen(&chess, &position.fen())?, position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name_castling_by_rook(&mut self) {
        if !self.all_rights.are_by_rook() {
            self.all_rights = Arc::new(self.all_rights.named_by_rook());
        }
    }

    /// Whether a letter names a right to castle by the file of the rook, and nothing else.
    pub(crate) fn is_rook_file(&self, letter: char) -> bool {
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        let castles = self.all_rights.castles(color);
        let mut files = (0..self.variant.geometry().files()).map(File);
        !castles.is_empty()
            && castles.iter().all(|castle| castle.letter != letter)
            && files.any(|file| file_letter(color, file) == letter)
    }

    /// Grants or takes away the right to castle that has this letter in a FEN (`K`, `Q`, `k`, `q`); returns
    /// `false`, and changes nothing, if the game has no such right.
    ///
    /// Where [kings and rooks may start anywhere](Setup::name_castling_by_rook), they are those that stand on the board
    /// now: `K` and `Q` mean the outermost rook on that side of the king (X-FEN), the letter of a file
    /// the rook there (Shredder-FEN).
    pub fn set_castling(&mut self, letter: char, has_right: bool) -> bool {
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        let capital = letter.to_ascii_uppercase();
        let all = Arc::clone(&self.all_rights);
        let castles = all.castles(color);
        let named = castles.iter().find(|castle| castle.letter.to_ascii_uppercase() == capital);
        let found = match named.filter(|_| all.are_by_rook()) {
            Some(castle) => self.outermost(color, castle).map(|squares| (castle, squares)),
            None if all.are_by_rook() => self.by_file(color, castles, capital),
            None => None,
        };
        if let Some((castle, (king, rook))) = found {
            let rights = Arc::make_mut(&mut self.all_rights);
            rights.move_castle(self.variant.geometry(), castle.right, king, rook);
        }
        let castle = found.map(|(castle, _)| castle).or(named);
        self.set_right(castle.map_or(0, |castle| castle.right), has_right)
    }

    /// The letters of the rights to castle that are held.
    pub(crate) fn castling_text(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            let castles = self.all_rights.castles(color).iter();
            let held = castles.filter(|castle| self.rights & castle.right != 0);
            text.extend(held.map(|castle| self.castling_letter(color, castle)));
        }
        text
    }

    /// How a FEN writes the right to a castling move.
    fn castling_letter(&self, color: Color, castle: &Castle) -> char {
        if !self.all_rights.are_by_rook() {
            return castle.letter;
        }
        file_letter(color, self.variant.geometry().file(castle.rook.0))
    }

    /// King and the outermost rook on the side of this castling move, if they stand on the king's rank.
    fn outermost(&self, color: Color, castle: &Castle) -> Option<(Square, Square)> {
        let king = self.on_rank_of(castle, color, castle.pieces.0).next()?;
        let mut rooks = self.on_rank_of(castle, color, castle.pieces.1);
        let rook = match castle.rook.0 > castle.king.0 {
            true => rooks.filter(|&rook| rook > king).last(),
            false => rooks.find(|&rook| rook < king),
        };
        Some((king, rook?))
    }

    /// The castling move with the rook on this file, and the squares of king and rook.
    fn by_file<'c>(
        &self,
        color: Color,
        castles: &'c [Castle],
        capital: char,
    ) -> Option<(&'c Castle, (Square, Square))> {
        castles.iter().find_map(|castle| {
            let king = self.on_rank_of(castle, color, castle.pieces.0).next()?;
            let mut rooks = self.on_rank_of(castle, color, castle.pieces.1);
            let is_on_file = |square: &Square| {
                file_letter(Color::White, self.variant.geometry().file(*square)) == capital
            };
            let rook = rooks.find(is_on_file)?;
            let is_its_side = (rook > king) == (castle.rook.0 > castle.king.0);
            is_its_side.then_some((castle, (king, rook)))
        })
    }

    /// Where pieces of this type stand on the rank of a castling move, from file a.
    fn on_rank_of(
        &self,
        castle: &Castle,
        color: Color,
        kind: PieceType,
    ) -> impl Iterator<Item = Square> + '_ {
        let geometry = self.variant.geometry();
        let rank = geometry.rank(castle.king.0);
        let is_such = move |&(square, piece): &(Square, Piece)| {
            piece == Piece::new(color, kind) && geometry.rank(square) == rank
        };
        self.pieces().filter(is_such).map(|(square, _)| square)
    }
}
