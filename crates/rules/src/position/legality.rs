//! Legality: the restrictions that the safety of a royal puts on the moves of its side. They are computed once per
//! position, so that hardly any move is tested one by one.

use super::Position;
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType, Square};
use crate::variant::Royalty;

/// The restrictions that the royal of the side to move puts on the moves of its pieces.
#[derive(Debug)]
pub(super) struct Safety {
    /// The royal that must be kept safe, if there is one.
    pub royal: Option<Square>,
    /// The targets allowed to other pieces: all squares, or those that end the check.
    pub mask: Bitboard,
    /// The pinned pieces: each stands alone between the royal and an enemy slider.
    pub pinned: Bitboard,
    /// The sliders that pin them.
    pinners: Bitboard,
    /// Whether moves must be tested one by one, because a move *to* a line of attack can open it, as with hoppers,
    /// or because there are several royals.
    pub one_by_one: bool,
    /// Only moves from or to these squares need the test then.
    pub critical: Bitboard,
    /// Further royals that must be kept safe.
    pub others: Bitboard,
    /// Whether one safe royal of all of these is enough.
    pub one_is_enough: bool,
    /// Whether a royal that faces the enemy royal is attacked.
    pub facing: bool,
}

impl Safety {
    /// No restrictions.
    pub const FREE: Safety = Safety {
        royal: None,
        mask: Bitboard::ALL,
        pinned: Bitboard::EMPTY,
        pinners: Bitboard::EMPTY,
        one_by_one: false,
        critical: Bitboard::EMPTY,
        others: Bitboard::EMPTY,
        one_is_enough: false,
        facing: false,
    };
}

impl Position {
    /// The restrictions on the moves of the side to move.
    pub(super) fn safety(&self) -> Safety {
        let Some(royal) = self.guarded_royal(self.side) else {
            return Safety::FREE;
        };
        let them = !self.side;
        let occupied = self.occupied();
        let mut safety = Safety { royal: Some(royal), ..Safety::FREE };
        if self.variant.royalty().is_some_and(|royalty| royalty.irregular_attacks)
            || !self.aimed_hoppers(royal, them).is_empty()
        {
            self.find_moves_to_test(royal, &mut safety);
            return safety;
        }
        let checkers = self.attackers(royal, them, occupied);
        if let Some(checker) = checkers.first() {
            safety.mask = if checkers.is_many() {
                Bitboard::EMPTY
            } else if self.leaps_at(checker, royal) {
                checkers
            } else {
                checkers | self.variant.geometry().between(royal, checker)
            };
        }
        self.find_pins(royal, &mut safety);
        safety
    }

    /// Finds which moves must be tested one by one.
    #[cold]
    fn find_moves_to_test(&self, royal: Square, safety: &mut Safety) {
        let them = !self.side;
        let occupied = self.occupied();
        let royalty = self.variant.royalty();
        safety.facing = royalty.is_some_and(Royalty::faces_as_check)
            || self.variant.end().facing && self.royals_face();
        if self.variant.has_several_royals() {
            safety.others = self.royals(self.side) & !Bitboard::of(royal);
            safety.one_is_enough = royalty.is_some_and(Royalty::one_is_enough);
        }
        let is_checked = || {
            let checkers = self.royal_attackers(royal, them, occupied, None, safety.facing);
            !checkers.is_empty()
        };
        safety.critical = if self.variant.has_blasts() || !safety.others.is_empty() || is_checked()
        {
            Bitboard::ALL
        } else {
            let geometry = self.variant.geometry();
            let mut aimed = self.aimed_sliders(royal, them) | self.aimed_hoppers(royal, them);
            if safety.facing {
                aimed |= self.faced_from(royal, them, Bitboard::EMPTY);
            }
            let lines = aimed.map(|piece| geometry.between(royal, piece));
            lines.fold(self.irregular_paths(royal, them), |all, line| all | line)
        };
        safety.one_by_one = !safety.critical.is_empty();
    }

    /// The squares to which a pinned piece may move: the line of its pin up to the pinning slider.
    pub(super) fn pin_of(&self, safety: &Safety, pinned: Square) -> Bitboard {
        let Some(royal) = safety.royal else {
            return Bitboard::ALL;
        };
        let ray = |pinner| self.variant.geometry().between(royal, pinner) | Bitboard::of(pinner);
        let mut rays = safety.pinners.map(ray);
        rays.find(|ray| ray.contains(pinned)).unwrap_or(Bitboard::ALL)
    }

    /// Whether the piece on `from` attacks `to` by a leap, which cannot be blocked.
    fn leaps_at(&self, from: Square, to: Square) -> bool {
        self.at(from).is_some_and(|piece| {
            let moves = self.variant.side(piece.color()).moves(piece.kind());
            moves.leaps_capture[from.index()].contains(to)
        })
    }

    fn find_pins(&self, royal: Square, safety: &mut Safety) {
        for slider in self.aimed_sliders(royal, !self.side) {
            let pieces = self.variant.geometry().between(royal, slider) & self.occupied();
            if !pieces.is_many() && pieces.meets(self.board.side(self.side)) {
                safety.pinned |= pieces;
                safety.pinners.insert(slider);
            }
        }
    }

    /// Whether the royals are safe after a move: a piece of this type stands on `to`, `from` is empty, and the pieces on
    /// `captured` are gone.
    pub(super) fn is_safe_after(
        &self,
        safety: &Safety,
        kind: PieceType,
        (from, to): (Bitboard, Square),
        captured: Bitboard,
    ) -> bool {
        let Some(royal) = safety.royal else { return true };
        if let Some(blast) = self.variant.blast() {
            let step = (from, to);
            return self.is_safe_amid_blasts(blast, (safety, royal), kind, step, captured);
        }
        let occupied = self.occupied() & !from & !captured | Bitboard::of(to);
        let is_safe = |royal: Square| {
            let royal = if from.contains(royal) { to } else { royal };
            let moved = Some((kind, to));
            let attackers = self.royal_attackers(royal, !self.side, occupied, moved, safety.facing);
            (attackers & !captured).is_empty()
        };
        let mut others = safety.others;
        if safety.one_is_enough {
            return is_safe(royal) || others.any(is_safe);
        }
        is_safe(royal) && others.all(is_safe)
    }

    /// Whether the royals are safe after a move that makes a further one on its target: it and the others, or one of them
    /// where that is enough.
    pub(super) fn is_safe_with_royal(
        &self,
        safety: &Safety,
        kind: PieceType,
        (from, to): (Bitboard, Square),
        captured: Bitboard,
    ) -> bool {
        let occupied = self.occupied() & !from & !captured | Bitboard::of(to);
        let facing = self.variant.royalty().is_some_and(Royalty::faces_as_check);
        let moved = Some((kind, to));
        let attackers = self.royal_attackers(to, !self.side, occupied, moved, facing);
        let is_safe = (attackers & !captured).is_empty();
        if self.variant.royalty().is_some_and(Royalty::one_is_enough) {
            return is_safe || self.is_safe_after(safety, kind, (from, to), captured);
        }
        is_safe && self.is_safe_after(safety, kind, (from, to), captured)
    }

    /// The squares of `targets` on which the only royal, on `from` now, is not attacked.
    pub(super) fn safe_targets(
        &self,
        safety: &Safety,
        (kind, from): (PieceType, Square),
        targets: Bitboard,
    ) -> Bitboard {
        let without = self.occupied() & !Bitboard::of(from);
        let is_safe = |&to: &Square| {
            let occupied = without | Bitboard::of(to);
            let moved = Some((kind, to));
            let attackers = self.royal_attackers(to, !self.side, occupied, moved, safety.facing);
            (attackers & !Bitboard::of(to)).is_empty()
        };
        targets.filter(is_safe).collect()
    }

    /// Whether pieces of this type are royals that must be kept safe.
    pub(super) fn is_guarded(&self, safety: &Safety, kind: PieceType) -> bool {
        safety.royal.is_some() && self.variant.royals().contains(kind)
    }

    /// The royal that `color` has in hand and must drop at once, if there is one.
    #[inline]
    pub fn must_place_royal(&self, color: Color) -> Option<PieceType> {
        let royal = self.variant.royal_placed_at_once()?;
        let slot = self.variant.piece(royal).slot?;
        (self.board.hand(color).count(slot) > 0).then_some(royal)
    }
}
