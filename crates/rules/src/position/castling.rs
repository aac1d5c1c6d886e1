//! Castling. (First moves, the other right of pieces that have not moved, are irregular moves.)

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::Sink;
use crate::bitboard::Bitboard;
use crate::types::{Move, Square, Tag};
use crate::variant::Castle;

impl Position {
    /// The castling move of the side to move that `mv` stands for, if it is one.
    pub(crate) fn castle_of(&self, mv: Move) -> Option<Castle> {
        let castles = &self.variant.side(self.side).castles;
        castles.iter().find(|castle| castle.king == (mv.from(), mv.to())).copied()
    }

    /// The castling moves of the side to move.
    #[cold]
    pub(super) fn generate_castles<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        for castle in &self.variant.side(self.side).castles {
            let (from, to) = castle.king;
            let is_wanted = scope.from.contains(from) && scope.to.contains(to);
            if is_wanted
                && self.rights & castle.right != 0
                && !castle.empty.meets(self.occupied())
                && self.castles_safely(safety, castle)
            {
                sink.one(Move::tagged(from, to, Tag::Castle));
            }
        }
    }

    /// Whether no royal is attacked before or after castling, or passes an attacked square.
    fn castles_safely(&self, safety: &Safety, castle: &Castle) -> bool {
        let Some(royal) = safety.royal else { return true };
        let pieces = Bitboard::of(castle.king.0) | Bitboard::of(castle.rook.0);
        let after =
            self.occupied() & !pieces | Bitboard::of(castle.king.1) | Bitboard::of(castle.rook.1);
        let is_safe = |square: Square, occupied: Bitboard| {
            self.royal_attackers(square, !self.side, occupied, None, safety.facing).is_empty()
        };
        let mut royals = Bitboard::of(royal) | safety.others;
        if !royals.contains(castle.king.0) {
            return royals.all(|square| is_safe(square, after));
        }
        let without = self.occupied() & !Bitboard::of(castle.king.0);
        let mut passed = castle.safe & !Bitboard::of(castle.king.1);
        let mut others = royals & !Bitboard::of(castle.king.0);
        passed.all(|square| is_safe(square, without | Bitboard::of(square)))
            && is_safe(castle.king.1, after)
            && others.all(|square| is_safe(square, after))
    }
}
