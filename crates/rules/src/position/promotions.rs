//! Promotions: where they are possible, what is left to promote to, promotions to royals and those in place.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::{Origin, Sink};
use crate::bitboard::Bitboard;
use crate::types::{Move, Piece, PieceType, PieceTypeSet, Square, Tag};
use crate::variant::Promotion;

impl Position {
    /// Whether promoting a piece of this type makes a second royal where only the last one of a side is royal: then none
    /// is, and the move need not end a check.
    #[inline]
    pub(super) fn lifts_royalty(&self, safety: &Safety, kind: PieceType) -> bool {
        safety.royal.is_some() && self.variant.side(self.side).lifting_royalty.contains(kind)
    }

    /// The promotions to royals that must be kept safe beside those that there are: where the new one is safe as well.
    #[cold]
    pub(super) fn generate_royal_promotions<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        rule: &Promotion,
        scope: &Scope,
        sink: &mut S,
    ) {
        let royals: PieceTypeSet =
            rule.to.filter(|&to| self.variant.royals().contains(to)).collect();
        for from in pieces {
            let (zone, _) = rule.zones(Origin::Square(from));
            let targets = self.targets(self.side, kind, from) & scope.to & zone;
            let is_safe = |&to: &Square| {
                let captured = Bitboard::of(to) & self.board.side(!self.side);
                self.is_safe_with_royal(safety, kind, (Bitboard::of(from), to), captured)
            };
            sink.promotions(Origin::Square(from), targets.filter(is_safe).collect(), royals);
        }
    }

    /// Whether a piece promotes as a turn of its own.
    pub(super) fn promotes_in_place(&self, piece: Piece) -> bool {
        let rule = self.variant.side(piece.color()).promotion(piece.kind());
        rule.is_some_and(|rule| rule.in_place)
    }

    /// The promotions of pieces that stay where they are for them, or make a step that is only made so.
    #[cold]
    pub(super) fn generate_in_place<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        rule: &Promotion,
        scope: &Scope,
        sink: &mut S,
    ) {
        let Some(how) = &self.variant.side(self.side).piece(kind).in_place else { return };
        let is_alone = how.alone && !self.board.pieces(self.side, kind).is_many();
        for from in if is_alone { pieces } else { pieces & rule.zone } {
            let steps = how
                .by
                .as_ref()
                .map_or(Bitboard::EMPTY, |by| self.reach_with_paths(by, from, Bitboard::ALL).1);
            let is_safe = |&to: &Square| {
                self.is_safe_after(safety, kind, (Bitboard::of(from), to), Bitboard::EMPTY)
            };
            let targets = (steps | Bitboard::of(from)) & scope.to;
            let safe: Bitboard = targets.filter(is_safe).collect();
            for becomes in rule.to {
                let is_allowed = |&to: &Square| {
                    !how.peaceful || self.is_peaceful(Move::promotion(from, to, becomes))
                };
                let allowed = safe.filter(is_allowed).collect();
                sink.promotions(Origin::Square(from), allowed, PieceTypeSet::of(becomes));
            }
            if sink.is_done() {
                return;
            }
        }
    }

    /// Whether after a promotion in place, or by a step to an empty square, the new piece attacks no enemy piece and no
    /// enemy royal is in check.
    fn is_peaceful(&self, mv: Move) -> bool {
        let occupied = self.occupied() & !Bitboard::of(mv.from()) | Bitboard::of(mv.to());
        let attacked = self.variant.reach(self.side, mv.becomes(), mv.to(), occupied).0;
        if attacked.meets(self.board.side(!self.side)) {
            return false;
        }
        let mut after = self.without_history();
        after.make_undecided(mv);
        !after.is_check()
    }

    /// Whether the player need not promote a piece in place and has no other move: then the game ends as without any.
    #[cold]
    pub(super) fn may_stay(&self, pieces: &[u8]) -> bool {
        let has_more =
            |kind: PieceType| self.count_pieces(self.side, kind) > u32::from(pieces[kind.index()]);
        if self.variant.kinds().any(has_more) || self.is_check() {
            return false;
        }
        let in_place = |mv: &Move| {
            mv.tag() == Tag::Promotion
                && self.at(mv.from()).is_some_and(|piece| self.promotes_in_place(piece))
        };
        let moves = self.legal_moves();
        !moves.is_empty() && moves.iter().all(in_place)
    }

    /// The rule without the piece types of which the side has as many as it may have.
    #[cold]
    pub(super) fn without_exhausted(&self, rule: &Promotion) -> Promotion {
        let side = self.variant.side(self.side);
        let is_left = |kind: &PieceType| {
            let kinds = if rule.together {
                self.variant.kinds_with_letter(*kind)
            } else {
                PieceTypeSet::of(*kind)
            };
            let count: u32 = kinds.map(|kind| self.board.pieces(self.side, kind).len()).sum();
            side.piece(*kind).limit.is_none_or(|limit| count < u32::from(limit))
        };
        Promotion { to: rule.to.filter(is_left).collect(), ..*rule }
    }
}

impl Promotion {
    /// The targets on which moves of this origin may promote, and those on which they must.
    #[inline]
    pub(super) fn zones(&self, origin: Origin) -> (Bitboard, Bitboard) {
        if !self.leaving {
            return (self.zone, self.forced);
        }
        let after_leaving = |part: Bitboard| match origin {
            Origin::Square(from) if part.contains(from) => Bitboard::ALL,
            Origin::Square(_) => part,
            Origin::Shift(delta) => part | part.shift(delta),
        };
        (after_leaving(self.zone), after_leaving(self.forced))
    }
}
