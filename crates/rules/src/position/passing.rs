//! En passant: who may capture a piece on the square that it passed by a double step, and these captures.

use super::legality::Safety;
use super::movegen::Scope;
use super::sink::{Origin, Sink};
use super::{Passed, Position};
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, Piece, PieceType, Square, Tag};

impl Position {
    /// Whether `color` has a piece that attacks the square passed by a double step, as en passant needs it; pins play
    /// no part.
    pub(super) fn can_capture_passing(&self, color: Color, passed: Passed) -> bool {
        let mut kinds = self.variant.side(color).captors_in_passing;
        kinds.any(|kind| !self.captors_in_passing(color, kind, passed).is_empty())
    }

    /// The pieces of this type of `color` that can capture en passant, if pins play no part.
    #[inline]
    pub(super) fn captors_in_passing(
        &self,
        color: Color,
        kind: PieceType,
        passed: Passed,
    ) -> Bitboard {
        if !self.captures_in_passing(color, kind, passed.piece()) {
            return Bitboard::EMPTY;
        }
        let (pieces, to) = (self.board.pieces(color, kind), passed.square());
        let moves = self.variant.side(color).moves(kind);
        if moves.only_leaps() {
            return moves.captured_from[to.index()] & pieces;
        }
        pieces.filter(|&from| self.can_capture_from(color, kind, from, to)).collect()
    }

    /// Whether a piece type of `color` may capture the piece on a square en passant.
    #[inline]
    pub(super) fn captures_in_passing(
        &self,
        color: Color,
        kind: PieceType,
        passed: Square,
    ) -> bool {
        self.at(passed).is_some_and(|piece| {
            self.variant.side(piece.color()).piece(piece.kind()).passed_by.contains(kind)
                && self.variant.side(color).captors_in_passing.contains(kind)
        })
    }

    /// Whether a piece of this type attacks a square from another.
    #[inline]
    pub(super) fn can_capture_from(
        &self,
        color: Color,
        kind: PieceType,
        from: Square,
        to: Square,
    ) -> bool {
        let moves = self.variant.side(color).moves(kind);
        moves.captured_from[to.index()].contains(from)
            || !moves.only_leaps() && self.reach(color, kind, from).0.contains(to)
    }

    /// Whether a move of this piece captures en passant: one with that tag, or a promotion to the square passed by a step
    /// with which it captures.
    #[inline]
    pub(super) fn takes_passed(&self, mover: Piece, mv: Move, passed: Passed) -> bool {
        match mv.tag() {
            Tag::EnPassant => true,
            Tag::Promotion if mv.to() == passed.square() && !self.promotes_in_place(mover) => {
                self.captures_in_passing(mover.color(), mover.kind(), passed.piece())
                    && self.can_capture_from(mover.color(), mover.kind(), mv.from(), mv.to())
            }
            _ => false,
        }
    }

    /// The square of what a move of a piece on the board captures, if anything, where this double step may be answered.
    #[inline]
    pub(super) fn capture_target(&self, mv: Move, passed: Passed) -> Square {
        match self.at(mv.from()) {
            Some(mover) if self.takes_passed(mover, mv, passed) => passed.piece(),
            _ => mv.to(),
        }
    }

    /// The square of the piece that a move captures en passant, if it does.
    pub fn en_passant_by(&self, mv: Move) -> Option<Square> {
        if !matches!(mv.tag(), Tag::EnPassant | Tag::Promotion) {
            return None;
        }
        let (passed, mover) = (self.ep?, self.at(mv.from())?);
        self.takes_passed(mover, mv, passed).then(|| passed.piece())
    }

    /// The en-passant captures of pieces of a type, if it may capture so.
    pub(super) fn generate_en_passant<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let Some(passed) = self.ep.filter(|passed| scope.to.contains(passed.square())) else {
            return;
        };
        let side = self.variant.side(self.side);
        let (to, captured) = (passed.square(), Bitboard::of(passed.piece()));
        for from in self.captors_in_passing(self.side, kind, passed) & pieces {
            if !self.is_safe_after(safety, kind, (Bitboard::of(from), to), captured) {
                continue;
            }
            let rule = side.promotion(kind).filter(|rule| !rule.in_place);
            let (zone, forced) =
                rule.map_or_else(Default::default, |rule| rule.zones(Origin::Square(from)));
            if !forced.contains(to) {
                sink.one(Move::tagged(from, to, Tag::EnPassant));
            }
            if let Some(rule) = rule.filter(|_| zone.contains(to)) {
                let left = if rule.limited { self.without_exhausted(rule) } else { *rule };
                let step = (Bitboard::of(from), to);
                let all = !side.making_guarded_royals.contains(kind)
                    || self.is_safe_with_royal(safety, kind, step, captured);
                let royals = self.variant.royals();
                let choices = left.to.filter(|&to| all || !royals.contains(to)).collect();
                sink.promotions(Origin::Square(from), Bitboard::of(to), choices);
            }
        }
    }
}
