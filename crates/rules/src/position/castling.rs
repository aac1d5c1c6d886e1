//! Castling. (First moves, the other right of pieces that have not moved, are irregular moves.)

use std::sync::Arc;

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::Sink;
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, Piece, Square, Tag};
use crate::variant::Castle;

impl Position {
    /// Gives the side to move the right of each castling move whose king or rook it has just dropped on `square`, if the
    /// other one stands where it castles from.
    #[cold]
    pub(super) fn gain_castling(&mut self, square: Square) {
        let us = self.side;
        for castle in self.all_rights.castles(us).iter().filter(|castle| castle.dropped) {
            let (king, rook) = (castle.king.0, castle.rook.0);
            let stand = [king, rook].map(|square| self.at(square));
            let wanted = [castle.pieces.0, castle.pieces.1].map(|kind| Some(Piece::new(us, kind)));
            if [king, rook].contains(&square) && stand == wanted {
                self.rights |= castle.right;
            }
        }
    }

    /// Whether castling is written as the king that takes the rook, and rights are named by the files of rooks, as in
    /// Chess960.
    pub fn castles_by_rook(&self) -> bool {
        self.all_rights.are_by_rook()
    }

    /// Changes how castling and its rights are [written](Position::castles_by_rook). A position whose kings and rooks
    /// do not start where they do in the game can only name them by rooks.
    pub fn set_castles_by_rook(&mut self, by_rook: bool) {
        let starts_alike = self.all_rights.start_alike(self.variant.rights(), self.rights);
        if self.castles_by_rook() != by_rook && (by_rook || starts_alike) {
            self.all_rights = Arc::new(self.all_rights.named(by_rook));
        }
    }

    /// The castling moves of a side, whether it still has the right to them or not.
    pub(crate) fn castles(&self, color: Color) -> impl Iterator<Item = &Castle> {
        self.all_rights.castles(color).iter()
    }

    /// The castling move of the side to move that `mv` stands for, if it is one.
    pub(crate) fn castle_of(&self, mv: Move) -> Option<Castle> {
        let castles = self.all_rights.castles(self.side);
        castles.iter().find(|castle| castle.king == (mv.from(), mv.to())).copied()
    }

    /// The second square of a castling move as it is written: the target of the king, or the rook where kings and
    /// rooks may start on any square.
    pub(crate) fn castling_target(&self, mv: Move) -> Square {
        let castle = self.castle_of(mv).filter(|_| self.all_rights.are_by_rook());
        castle.map_or(mv.to(), |castle| castle.rook.0)
    }

    /// The castling move of the side to move that is written as the king that takes its own rook, legal or not.
    pub(crate) fn castle_taking(&self, king: Square, rook: Square) -> Option<Move> {
        let castles = self.all_rights.castles(self.side).iter();
        let mut castles = castles.filter(|castle| self.rights & castle.right != 0);
        let castle = castles.find(|castle| (castle.king.0, castle.rook.0) == (king, rook));
        castle
            .filter(|_| self.all_rights.are_by_rook())
            .map(|castle| Move::tagged(king, castle.king.1, Tag::Castle))
    }

    /// The moves of pieces that have not moved and make more than an ordinary move: castling, and what brings pieces from
    /// hand.
    #[cold]
    pub(super) fn generate_by_rights<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        self.generate_castles(safety, scope, sink);
        if let Some(gating) = self.variant.gating() {
            self.generate_gates(gating, safety, scope, sink);
        }
    }

    /// The castling moves of the side to move.
    pub(super) fn generate_castles<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        for castle in self.all_rights.castles(self.side) {
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
            let them = !self.side;
            self.is_sheltered(square, self.side)
                || self.royal_attackers(square, them, occupied, None, safety.facing).is_empty()
        };
        let mut royals = Bitboard::of(royal) | safety.others;
        if !royals.contains(castle.king.0) {
            return royals.all(|square| is_safe(square, after));
        }
        let without = self.occupied() & !Bitboard::of(castle.king.0);
        // A king that stays must not be attacked before either, as by a piece that the rook will keep out.
        let mut passed = castle.safe & !Bitboard::of(castle.king.1) | Bitboard::of(castle.king.0);
        let mut others = royals & !Bitboard::of(castle.king.0);
        passed.all(|square| is_safe(square, without | Bitboard::of(square)))
            && is_safe(castle.king.1, after)
            && others.all(|square| is_safe(square, after))
    }
}
