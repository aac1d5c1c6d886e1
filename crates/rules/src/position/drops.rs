//! Drops of pieces from hand, and the tests of drops that may not mate.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::Sink;
use crate::bitboard::Bitboard;
use crate::geometry::Lines;
use crate::types::{Color, Move, MoveList, PieceType, PieceTypeSet, Square};
use crate::variant::RoyaltyKind;

/// The squares from which sliders and hoppers attack a royal.
///
/// [`Position::royal_view`] computes them once for several calls of [`Position::drop_check_squares`].
#[derive(Debug, Clone, Copy)]
pub struct RoyalView {
    royal: Square,
    open: Bitboard,
    hopped: Bitboard,
}

impl Position {
    /// The drops of pieces of these types.
    pub(super) fn generate_drops<S: Sink>(
        &self,
        safety: &Safety,
        kinds: PieceTypeSet,
        scope: &Scope,
        sink: &mut S,
    ) {
        let vacant = !self.occupied() & self.variant.geometry().squares() & safety.mask & scope.to;
        if vacant.is_empty() {
            return;
        }
        for slot in self.board.hand(self.side).slots() {
            let kind = self.variant.hand_kinds()[slot];
            if !kinds.contains(kind) {
                continue;
            }
            let mut targets = vacant & self.drop_squares(kind);
            if safety.one_by_one {
                let is_safe = |&to: &Square| {
                    self.is_safe_after(safety, kind, (Bitboard::EMPTY, to), Bitboard::EMPTY)
                };
                let tested: Bitboard = (targets & safety.critical).filter(is_safe).collect();
                targets = targets & !safety.critical | tested;
            }
            if self.variant.side(self.side).piece(kind).drop.no_check {
                targets &= !self.drops_with_check(kind, targets);
            }
            if scope.judge_mates && self.variant.side(self.side).piece(kind).drop.no_mate {
                targets &= !self.mating_drops(kind, targets);
            }
            let reserve = self.variant.piece(kind).reserve;
            let becomes = if reserve.is_empty() { PieceTypeSet::of(kind) } else { reserve };
            sink.drops(kind, becomes, targets);
            if sink.is_done() {
                return;
            }
        }
    }

    /// The squares on which the side to move may drop a piece of this type if they are vacant.
    fn drop_squares(&self, kind: PieceType) -> Bitboard {
        let rule = &self.variant.side(self.side).piece(kind).drop;
        let geometry = self.variant.geometry();
        let mut squares = rule.zone;
        if let Some(most) = rule.per_file {
            let pieces = self.board.pieces(self.side, kind);
            for own in pieces {
                let file = geometry.file_squares(own);
                if most <= 1 || (pieces & file).len() >= u32::from(most) {
                    squares &= !file;
                }
            }
        }
        if self.variant.side(self.side).bound_to_other_colors {
            squares &= !self.last_squares_of_others(kind);
            if rule.other_color {
                squares &= !self.colors_of(self.board.pieces(self.side, kind));
            }
        }
        if let Some(shunned) = rule.not_beside {
            for enemy in self.board.pieces(!self.side, shunned) {
                squares &= !geometry.neighbors(enemy);
            }
        }
        squares
    }

    /// The squares that other pieces in hand need, which must stand on squares of different colors: the last vacant one of
    /// a color that each of them needs.
    #[cold]
    pub(super) fn last_squares_of_others(&self, kind: PieceType) -> Bitboard {
        let (us, geometry) = (self.side, self.variant.geometry());
        let dark = geometry.dark_squares();
        let mut needed = Bitboard::EMPTY;
        for slot in self.board.hand(us).slots() {
            let other = self.variant.hand_kinds()[slot];
            let rule = &self.variant.side(us).piece(other).drop;
            if other == kind || !rule.other_color {
                continue;
            }
            let pieces = self.board.pieces(us, other);
            let left = [dark, !dark].into_iter().filter(|color| !pieces.meets(*color));
            let vacant = rule.zone & !self.occupied() & geometry.squares();
            if usize::from(self.board.hand(us).count(slot)) >= left.clone().count() {
                let single = left.filter_map(|color| (vacant & color).single());
                single.for_each(|square| needed.insert(square));
            }
        }
        needed
    }

    /// All squares of the colors of these squares.
    pub(super) fn colors_of(&self, squares: Bitboard) -> Bitboard {
        let dark = self.variant.geometry().dark_squares();
        let colors = [dark, !dark].into_iter().filter(|color| squares.meets(*color));
        colors.fold(Bitboard::EMPTY, |all, color| all | color)
    }

    /// The squares of `targets` on which a drop of this type gives check.
    fn drops_with_check(&self, kind: PieceType, targets: Bitboard) -> Bitboard {
        let mut after = self.without_history();
        let gives_check = |&to: &Square| {
            after.make_undecided(Move::drop(kind, kind, to));
            let gives_check = after.is_check();
            after.unmake();
            gives_check
        };
        (targets & self.checking_drops(kind)).filter(gives_check).collect()
    }

    /// The squares of `targets` on which a drop of this type mates.
    fn mating_drops(&self, kind: PieceType, targets: Bitboard) -> Bitboard {
        let candidates = targets & self.checking_drops(kind);
        if candidates.is_empty() {
            return Bitboard::EMPTY;
        }
        let mut after = self.without_history();
        // The escape from one drop is mostly an escape from the others.
        let mut escape = None;
        let candidates = candidates & !self.harmless_drops(kind, &mut escape);
        let ends_the_game = |&to: &Square| {
            after.make_undecided(Move::drop(kind, kind, to));
            // A position that is decided otherwise, as by the last check, has no moves either.
            let ends = after.is_check() && !after.is_decided() && !after.has_escape(&mut escape);
            after.unmake();
            ends
        };
        candidates.filter(ends_the_game).collect()
    }

    /// Squares on which a drop of this type surely does not mate: the enemy has an escape before the drop, and the
    /// drop does not interfere with it. Looked for only where the enemy royal is attacked already, since then every
    /// drop gives check.
    fn harmless_drops(&self, kind: PieceType, escape: &mut Option<Move>) -> Bitboard {
        let (us, them) = (self.side, !self.side);
        let has_irregular = !self.variant.side(us).irregular_attackers.is_empty();
        if has_irregular || self.variant.has_several_royals() || !self.is_attacked(them) {
            return Bitboard::EMPTY;
        }
        let mut passed = self.without_history();
        (passed.side, passed.ep) = (them, None);
        if !passed.has_escape(escape) {
            return Bitboard::EMPTY;
        }
        let Some(reply) = *escape else {
            return Bitboard::EMPTY;
        };
        // A dropped piece interferes as a blocker of the reply, as an attacker, or as the screen of a hopper.
        let geometry = self.variant.geometry();
        let mut harmful = Bitboard::of(reply.to());
        if !reply.is_drop() {
            harmful |= geometry.between(reply.from(), reply.to());
        }
        passed.make(reply);
        if let Some(royal) = passed.royal_square(them) {
            harmful |= self.variant.side(us).moves(kind).attacking_squares(royal);
            let line = |hopper| geometry.between(royal, hopper);
            harmful |=
                passed.aimed_hoppers(royal, us).map(line).fold(Bitboard::EMPTY, |a, b| a | b);
        }
        !harmful
    }

    /// A superset of the squares on which a drop of this type gives check.
    fn checking_drops(&self, kind: PieceType) -> Bitboard {
        let has_irregular = !self.variant.side(self.side).irregular_attackers.is_empty();
        if has_irregular || self.variant.has_several_royals() || self.is_attacked(!self.side) {
            return Bitboard::ALL;
        }
        let Some(royal) = self.royal_square(!self.side) else {
            return Bitboard::EMPTY;
        };
        let attacking = self.variant.side(self.side).moves(kind).attacking_squares(royal);
        // The dropped piece may be the screen that a hopper lacks.
        let line = |hopper| self.variant.geometry().between(royal, hopper);
        let open = self.aimed_hoppers(royal, self.side).map(line);
        open.filter(|line| !line.meets(self.occupied())).fold(attacking, |set, line| set | line)
    }

    /// The lines of attack on the royal of `color`, if it has exactly one.
    pub fn royal_view(&self, color: Color) -> Option<RoyalView> {
        let royal = self.royal_square(color)?;
        let occupied = self.occupied();
        let geometry = self.variant.geometry();
        let hops = !self.variant.side(!color).hoppers.is_empty();
        Some(RoyalView {
            royal,
            open: geometry.slide(royal, occupied, Lines::ALL),
            hopped: if hops { geometry.hop(royal, occupied, Lines::ALL) } else { Bitboard::EMPTY },
        })
    }

    /// The vacant squares on which a drop of this type by `color` gives direct check, by the `view` of the enemy royal.
    #[inline]
    pub fn drop_check_squares(&self, color: Color, kind: PieceType, view: &RoyalView) -> Bitboard {
        self.check_squares(color, kind, view) & !self.occupied()
    }

    /// The squares on which a piece of this type of `color` attacks the enemy royal, by the `view` of it.
    #[inline]
    pub fn check_squares(&self, color: Color, kind: PieceType, view: &RoyalView) -> Bitboard {
        let moves = self.variant.side(color).moves(kind);
        let royal = view.royal.index();
        let mut squares = moves.captured_from[royal];
        if let Some(slides) = &moves.slides {
            squares |= view.open & slides.captured_from[royal];
        }
        if let Some(hops) = &moves.hops {
            squares |= view.hopped & hops.captured_from[royal];
        }
        squares
    }

    /// Whether the side to move, which is in check, has a reply after which its royal is not captured. `escape` is
    /// tried first and set to the reply found.
    fn has_escape(&mut self, escape: &mut Option<Move>) -> bool {
        if self.variant.royalty_kind() != Some(RoyaltyKind::Captured) {
            return self.has_legal_move();
        }
        // Replies are not tested for mating drops themselves.
        let unjudged = Scope { judge_mates: false, ..Scope::ALL };
        if escape.is_some_and(|reply| self.is_legal_in(reply, &unjudged) && self.escapes(reply)) {
            return true;
        }
        // An escape moves the royal or a piece on the line of an attack, or goes to such a line, to an attacker
        // or to the other royal.
        let attackers = self.checkers(self.side);
        let royals = [self.royal_square(self.side), self.royal_square(!self.side)];
        let [own, other] = royals.map(|royal| royal.map_or(Bitboard::EMPTY, Bitboard::of));
        let line = |(royal, attacker)| self.variant.geometry().between(royal, attacker);
        let pairs = attackers.flat_map(|attacker| royals[0].map(|royal| (royal, attacker)));
        let lines = pairs.map(line).fold(Bitboard::EMPTY, |all, line| all | line);
        let scopes = [
            Scope { from: own | lines, drops: false, ..unjudged },
            Scope { to: attackers | lines | other, ..unjudged },
        ];
        let mut replies = MoveList::new();
        *escape = scopes.iter().find_map(|scope| {
            replies.clear();
            self.add_legal_moves(scope, &mut replies);
            replies.iter().copied().find(|&reply| self.escapes(reply))
        });
        escape.is_some()
    }

    /// Whether after this reply the royal of the side to move cannot be captured, or the enemy royal has been.
    fn escapes(&mut self, reply: Move) -> bool {
        let them = self.side;
        self.make(reply);
        let escaped = self.royals(!them).is_empty() || !self.is_attacked(them);
        self.unmake();
        escaped
    }
}
