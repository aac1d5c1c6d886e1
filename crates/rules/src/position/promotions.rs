//! Promotions: where they are possible, what is left to promote to, and promotions to royals.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::{Origin, Sink};
use crate::bitboard::Bitboard;
use crate::types::{PieceType, PieceTypeSet, Square};
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
