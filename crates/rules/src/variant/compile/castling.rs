//! Castling, and the rights of the pieces that have not moved.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::types::{Color, Letter, PerColor, Piece, PieceType, Square};
use crate::variant::castling::{Castle, Rights};
use crate::variant::definition::Castling;
use crate::variant::{Gating, OneSide, SideRules};

/// The most rights that a game may have: the bits of a word.
const MAX_RIGHTS: u32 = u32::BITS;

impl Compiler<'_> {
    /// The castling moves and their rights.
    pub(super) fn castling_rights(&self) -> Rights {
        let is_shuffled = self.definition.shuffle.as_ref().is_some_and(|steps| !steps.is_empty());
        let mut rights = Rights::none().named(is_shuffled);
        for color in Color::ALL {
            let castlings = self.definition.castling.iter().flatten().enumerate();
            castlings
                .filter_map(|(index, table)| self.castle(color, index, table))
                .for_each(|castle| rights.add_castle(color, castle));
        }
        rights
    }

    /// Adds the rights of the pieces that stand at the start to those of castling.
    pub(super) fn all_rights(
        &self,
        castling: &Rights,
        sides: &PerColor<SideRules>,
        gating: Option<&Gating>,
    ) -> Rights {
        let mut rights = castling.clone();
        let Some(start) = &self.start else { return rights };
        let mut castles = Color::ALL
            .into_iter()
            .flat_map(|color| castling.castles(color).iter().map(move |castle| (color, castle)));
        if !castles.all(|(color, castle)| self.has_castling_pieces(color, castle, start)) {
            return rights;
        }
        let has_first = |piece: Piece| sides[piece.color()].moves(piece.kind()).has_first();
        let mut firsts = start.iter().filter(|(_, piece)| has_first(*piece));
        let gates = |&&(square, piece): &&(Square, Piece)| {
            gating.is_some_and(|gating| gating.squares[piece.color()].contains(square))
        };
        let mut gates = start.iter().filter(gates);
        let fit = firsts.all(|&(square, _)| rights.add_first(square))
            && gates.all(|&(square, piece)| rights.add_gate(piece.color(), square));
        if !fit {
            let fault =
                format!("castles, pieces with first moves and gates are more than {MAX_RIGHTS}");
            let key = if gating.is_some() { "gating.squares" } else { "castling" };
            self.faults.note(key, fault);
        }
        rights
    }

    /// Whether king and rook start where they castle from. Where both sides castle, the piece types are those of
    /// White.
    fn has_castling_pieces(
        &self,
        color: Color,
        castle: &Castle,
        start: &[(Square, Piece)],
    ) -> bool {
        if castle.dropped {
            return true;
        }
        let pieces = [(castle.king.0, castle.pieces.0), (castle.rook.0, castle.pieces.1)];
        let is_missing =
            |&&(square, kind): &&_| !start.contains(&(square, Piece::new(color, kind)));
        let Some(&(square, kind)) = pieces.iter().find(is_missing) else { return true };
        let name = self.geometry.name(square);
        let letter = self.letters[kind.index()].of_side(color);
        let fault = format!(
            "there is no '{letter}' on {name} at the start; if {color} does not castle so, say who does with \
             'only'"
        );
        self.faults.note("castling", fault);
        false
    }

    /// A castling move of `color`, if `color` has it.
    fn castle(&self, color: Color, index: usize, castling: &Castling) -> Option<Castle> {
        let key = format!("castling[{index}]");
        let path = |name: &str, text: &Option<String>| {
            let key = format!("{key}.{name}");
            let squares = self.geometry.parse_two_squares(text.as_deref().unwrap_or(""));
            let same_rank =
                squares.filter(|&(a, b)| self.geometry.rank(a) == self.geometry.rank(b) && a != b);
            if same_rank.is_none() {
                let fault = "expected are two squares of one rank, such as e1g1";
                self.faults.note(key, fault);
            }
            same_rank
        };
        let (king, rook) = (path("king", &castling.king), path("rook", &castling.rook));
        let (white_king, white_rook) = (king?, rook?);
        let only = castling.only.map(OneSide::color);
        if only.is_some_and(|only| only != color) {
            return None;
        }
        let own = |(a, b)| (self.own_square(color, a), self.own_square(color, b));
        let (king, rook) = (own(white_king), own(white_rook));
        let squares = if only == Some(Color::Black) {
            (king.0, rook.0)
        } else {
            (white_king.0, white_rook.0)
        };
        let dropped = castling.dropped.as_ref().filter(|text| !text.is_empty());
        let pieces = match dropped {
            Some(letters) => self.dropped_castling_pieces(&format!("{key}.dropped"), letters),
            None => self.castling_pieces(&key, only.unwrap_or(Color::White), squares),
        }?;
        let to_the_right = white_king.1 > white_king.0;
        let letter = if to_the_right { 'K' } else { 'Q' };
        let castle = Castle {
            letter: if color == Color::White { letter } else { letter.to_ascii_lowercase() },
            right: 0,
            king,
            rook,
            pieces,
            dropped: dropped.is_some(),
            empty: Bitboard::EMPTY,
            safe: Bitboard::EMPTY,
        };
        Some(castle.from(&self.geometry, king.0, rook.0))
    }

    /// The types of the pieces that castle once they have been dropped.
    fn dropped_castling_pieces(&self, key: &str, letters: &str) -> Option<(PieceType, PieceType)> {
        let kinds = self.kinds(key, letters);
        if let Some(&kind) = kinds.iter().find(|&&kind| self.slot(kind).is_none()) {
            let letter = self.letters[kind.index()];
            self.faults.note(key, format!("{letter} cannot be in hand; add it to 'hand'"));
        }
        if Letter::split(letters).is_some_and(|letters| letters.len() != 2) {
            self.faults.note(key, "expected are two letters, those of king and rook");
        }
        let [king, rook] = kinds[..] else { return None };
        Some((king, rook))
    }

    /// The types of the pieces that castle: those of `color` that stand on these squares at the start.
    fn castling_pieces(
        &self,
        key: &str,
        color: Color,
        (king, rook): (Square, Square),
    ) -> Option<(PieceType, PieceType)> {
        let start = self.start.as_ref()?;
        let piece = |name: &str, square: Square| {
            let own = start.iter().find(|(at, piece)| *at == square && piece.color() == color);
            if own.is_none() {
                let square = self.geometry.name(square);
                let fault = format!("{color} has no piece on {square} at the start");
                self.faults.note(format!("{key}.{name}"), fault);
            }
            own.map(|(_, piece)| piece.kind())
        };
        piece("king", king).zip(piece("rook", rook))
    }
}
