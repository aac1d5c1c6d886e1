//! The right to castle: by its letter, and by the file of the rook where kings and rooks may start on any square.

use std::sync::Arc;

use super::{Right, Setup};
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
            self.all_rights = Arc::new(self.all_rights.named(true));
        }
    }

    /// Whether a letter names a right to castle by the file of the rook, and nothing else.
    pub(crate) fn is_rook_file(&self, letter: char) -> bool {
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        let castles = self.all_rights.castles(color);
        if self.variant.gating().is_some() {
            return false;
        }
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

    /// Gives each right to castle that is held to the king and the outermost rook on its side.
    pub(crate) fn restart_castling(&mut self) {
        let all = Arc::clone(&self.all_rights);
        for color in Color::ALL {
            for castle in all.castles(color) {
                if self.rights & castle.right != 0 {
                    self.set_castling(castle.letter, true);
                }
            }
        }
    }

    /// The rights of pieces that have not moved: of each side those to castle and those to let pieces come from hand, then
    /// those of first moves.
    pub fn rights_held(&self) -> Vec<Right> {
        let mut held = Vec::new();
        for color in Color::ALL {
            let castles = self.all_rights.castles(color).iter();
            let castles = castles.filter(|castle| self.rights & castle.right != 0);
            held.extend(castles.map(|castle| Right::Castling(self.castling_letter(color, castle))));
            let gates = self.all_rights.gate_squares(color);
            let gates = gates.filter(|(_, right)| self.rights & right != 0);
            held.extend(gates.map(|(square, _)| Right::Gate(square)));
        }
        let firsts = self.all_rights.firsts().filter(|(_, bit)| self.rights & bit != 0);
        held.extend(firsts.map(|(square, _)| Right::FirstMove(square)));
        held
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

#[cfg(test)]
mod tests {
    use crate::{Position, Setup, Tag, find};

    fn position(fen: &str) -> Position {
        Position::from_fen(&find("chess").expect("a game"), fen).expect(fen)
    }

    /// The castling moves of a position as they are written, and the boards after them.
    fn castles(fen: &str) -> Vec<(String, String)> {
        let mut position = position(fen);
        let before = position.clone();
        let mut all = Vec::new();
        for mv in position.legal_moves().into_iter().filter(|mv| mv.tag() == Tag::Castle) {
            let text = position.move_text(mv);
            assert_eq!(position.parse_move(&text).ok(), Some(mv));
            assert_eq!(position.parse_san(&position.san(mv)).ok(), Some(mv));
            position.make(mv);
            let after = position.fen();
            assert_eq!(
                Position::from_fen(position.variant(), &after).expect(&after).key(),
                position.key()
            );
            all.push((text, after.split('/').next_back().expect("a rank").to_string()));
            position.unmake();
            assert_eq!((&position, position.key()), (&before, before.key()));
        }
        all.sort();
        all
    }

    #[test]
    fn king_and_rook_stay_cross_and_change_places() {
        let empty = "4k3/8/8/8/8/8/8/";
        for (rank, moves) in [
            // Both move, on a free rank.
            ("1R2K2R w HB - 0 1", vec![("e1b1", "2KR3R"), ("e1h1", "1R3RK1")]),
            // The king stays, and the rook goes past it.
            ("2R3KR w HC - 0 1", vec![("g1c1", "2KR3R"), ("g1h1", "2R2RK1")]),
            ("R1K5 w A - 0 1", vec![("c1a1", "2KR4")]),
            // They change places.
            ("5KR1 w G - 0 1", vec![("f1g1", "5RK1")]),
            ("2RK4 w C - 0 1", vec![("d1c1", "2KR4")]),
            // The rook stays, and the king goes past it.
            ("3RK3 w D - 0 1", vec![("e1d1", "2KR4")]),
            // Another piece stands where one of them must go.
            ("R2NK3 w A - 0 1", vec![]),
            ("R1N1K3 w A - 0 1", vec![]),
            ("RK3N1R w HA - 0 1", vec![("b1a1", "2KR1N1R")]),
        ] {
            let side = |all: Vec<(String, String)>| {
                all.into_iter()
                    .map(|(mv, rank)| (mv, rank.split(' ').next().expect("a rank").to_string()))
            };
            let found: Vec<_> = side(castles(&format!("{empty}{rank}"))).collect();
            let wanted: Vec<_> =
                moves.into_iter().map(|(mv, rank)| (mv.to_string(), rank.to_string())).collect();
            assert_eq!(found, wanted, "{rank}");
        }
    }

    /// The rook leaves the king to an attack along the rank, which it kept out.
    #[test]
    fn a_rook_that_shields_the_king_does_not_castle() {
        assert_eq!(castles("4k3/8/8/8/8/8/8/qRK5 w B - 0 1"), []);
        assert_eq!(castles("4k3/8/8/8/8/8/8/1RK5 w B - 0 1").len(), 1);
        // Nor does one that would keep a check out.
        assert_eq!(castles("4k3/8/8/8/8/8/8/4r1KR w H - 0 1"), []);
    }

    #[test]
    fn rights_are_lost_with_their_king_and_their_rook() {
        let mut game = position("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
        for (mv, rights) in [("b1b8", "Gg"), ("e8e7", "G"), ("g1h1", "-")] {
            game.play(mv).expect(mv);
            assert_eq!(game.fen().split(' ').nth(2), Some(rights), "{mv}");
        }
    }

    /// The letters of a FEN mean the outermost rooks only where kings and rooks may start anywhere.
    #[test]
    fn the_outermost_rook_is_meant_by_k_and_q() {
        let chess = find("chess").expect("a game");
        let read = |fen: &str| {
            let mut setup = Setup::empty(&chess);
            setup.name_castling_by_rook();
            setup.read_fen(fen).and_then(Setup::into_position).map(|position| position.fen())
        };
        let fen = "1r2k1rr/8/8/8/8/8/8/RR2K1R1 w KQkq - 0 1";
        assert_eq!(read(fen).as_deref(), Ok("1r2k1rr/8/8/8/8/8/8/RR2K1R1 w GAhb - 0 1"));
        assert!(Position::from_fen(&chess, fen).is_err());
        let missing = read("4k3/8/8/8/8/8/8/4K3 w K - 0 1").expect_err("no rook").to_string();
        assert_eq!(
            missing,
            "FEN field 'setup': 'K', but the pieces on e1 and h1 are not those that castle"
        );
        let wrong =
            Position::from_fen(&chess, "4k3/8/8/8/8/8/8/4K3 w C - 0 1").expect_err("no rook");
        assert!(wrong.to_string().contains("'C'"), "{wrong}");
    }

    /// What the files of rooks say can be taken back where kings and rooks start as in the game.
    #[test]
    fn the_same_rights_are_written_in_both_ways() {
        let mut game = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        game.set_castles_by_rook(true);
        assert_eq!(game.fen(), "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
        assert!(game.parse_move("e1h1").is_ok() && game.parse_move("e1g1").is_ok());
        game.set_castles_by_rook(false);
        assert_eq!(game.fen(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert!(game.parse_move("e1h1").is_err());
        let mut other = position("1r2k2r/8/8/8/8/8/8/R3K2R w HAhb - 0 1");
        other.set_castles_by_rook(false);
        assert!(other.castles_by_rook());
    }
}
