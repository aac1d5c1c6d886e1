//! Drops: pieces from hand, where the rules of each piece let them.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::Sink;
use crate::bitboard::Bitboard;
use crate::geometry::Lines;
use crate::types::{Color, Move, MoveList, PieceType, PieceTypeSet, Square};
use crate::variant::RoyaltyKind;

/// What can be seen from a royal: the squares from which sliders and hoppers of all lines attack it.
#[derive(Debug, Clone, Copy)]
pub struct RoyalView {
    royal: Square,
    open: Bitboard,
    hopped: Bitboard,
}

impl Position {
    /// The drops of pieces of these kinds.
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
            if safety.by_hand {
                let is_safe = |&to: &Square| {
                    self.is_safe_after(safety, kind, (Bitboard::EMPTY, to), Bitboard::EMPTY)
                };
                let tested: Bitboard = (targets & safety.critical).filter(is_safe).collect();
                targets = targets & !safety.critical | tested;
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

    /// Where the side to move may drop a piece of this kind, were it all vacant.
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
        if let Some(shunned) = rule.not_beside {
            for enemy in self.board.pieces(!self.side, shunned) {
                squares &= !geometry.neighbors(enemy);
            }
        }
        squares
    }

    /// Those of the drops of this kind to `targets` that end the game: the enemy royal is attacked
    /// after them and no reply helps.
    fn mating_drops(&self, kind: PieceType, targets: Bitboard) -> Bitboard {
        let candidates = targets & self.checking_drops(kind);
        if candidates.is_empty() {
            return Bitboard::EMPTY;
        }
        let mut after = self.without_history();
        // The reply that helped against one drop mostly helps against the others.
        let mut helped = None;
        let candidates = candidates & !self.harmless_drops(kind, &mut helped);
        let ends_the_game = |&to: &Square| {
            after.make(Move::drop(kind, kind, to));
            let ends = after.is_check() && !after.has_escape(&mut helped);
            after.unmake();
            ends
        };
        candidates.filter(ends_the_game).collect()
    }

    /// Squares where the drop of a piece of this kind changes nothing about the reply that would help
    /// the other side, were it to move at once. Looked for only where its royal can be captured
    /// already, since then every drop is a candidate.
    fn harmless_drops(&self, kind: PieceType, helped: &mut Option<Move>) -> Bitboard {
        let (us, them) = (self.side, !self.side);
        let has_irregular = !self.variant.side(us).irregular_attackers.is_empty();
        if has_irregular || self.variant.has_several_royals() || !self.is_attacked(them) {
            return Bitboard::EMPTY;
        }
        let mut passed = self.without_history();
        (passed.side, passed.ep) = (them, None);
        if !passed.has_escape(helped) {
            return Bitboard::EMPTY;
        }
        let Some(reply) = *helped else {
            return Bitboard::EMPTY;
        };
        // Harm can be done in the way of the reply, by the dropped piece's own attack, as a screen.
        let geometry = self.variant.geometry();
        let mut harmful = Bitboard::of(reply.to());
        if !reply.is_drop() {
            harmful |= geometry.between(reply.from(), reply.to());
        }
        passed.make(reply);
        if let Some(royal) = passed.royal_square(them) {
            harmful |= self.attacking_squares(kind, royal);
            let line = |hopper| geometry.between(royal, hopper);
            harmful |=
                passed.aimed_hoppers(royal, us).map(line).fold(Bitboard::EMPTY, |a, b| a | b);
        }
        !harmful
    }

    /// The squares from which a piece of this kind of the side to move could attack `square`.
    fn attacking_squares(&self, kind: PieceType, square: Square) -> Bitboard {
        let moves = self.variant.side(self.side).moves(kind);
        let lines = [&moves.slides, &moves.hops];
        lines.into_iter().flatten().fold(moves.captured_from[square.index()], |set, line| {
            set | line.captured_from[square.index()]
        })
    }

    /// A set that holds all squares where a piece of this kind can be dropped so that the enemy royal
    /// is attacked afterwards.
    fn checking_drops(&self, kind: PieceType) -> Bitboard {
        let has_irregular = !self.variant.side(self.side).irregular_attackers.is_empty();
        if has_irregular || self.variant.has_several_royals() || self.is_attacked(!self.side) {
            return Bitboard::ALL;
        }
        let Some(royal) = self.royal_square(!self.side) else {
            return Bitboard::EMPTY;
        };
        let attacking = self.attacking_squares(kind, royal);
        // As the screen of a hopper that has none.
        let line = |hopper| self.variant.geometry().between(royal, hopper);
        let open = self.aimed_hoppers(royal, self.side).map(line);
        open.filter(|line| !line.meets(self.occupied())).fold(attacking, |set, line| set | line)
    }

    /// What can be seen from the only royal of `color`, if there is one.
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

    /// The vacant squares from which a piece of this kind of `color` would attack the enemy royal by
    /// itself.
    pub fn drop_check_squares(&self, color: Color, kind: PieceType, view: &RoyalView) -> Bitboard {
        let moves = self.variant.side(color).moves(kind);
        let royal = view.royal.index();
        let mut squares = moves.captured_from[royal];
        if let Some(slides) = &moves.slides {
            squares |= view.open & slides.captured_from[royal];
        }
        if let Some(hops) = &moves.hops {
            squares |= view.hopped & hops.captured_from[royal];
        }
        squares & !self.occupied()
    }

    /// Whether the side to move, whose royal is attacked, has a reply that helps. `helped` is tried
    /// first and set to what is found.
    fn has_escape(&mut self, helped: &mut Option<Move>) -> bool {
        if self.variant.royalty_kind() != Some(RoyaltyKind::Captured) {
            return self.has_legal_move();
        }
        // Replies are judged without the rule that this one serves.
        let unjudged = Scope { judge_mates: false, ..Scope::ALL };
        if helped.is_some_and(|reply| self.is_legal_in(reply, &unjudged) && self.escapes(reply)) {
            return true;
        }
        // What helps is a move of the royal or of a piece on the line of an attack, or goes to such a
        // line, to an attacker or to the other royal.
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
        *helped = scopes.iter().find_map(|scope| {
            replies.clear();
            self.add_legal_moves(scope, &mut replies);
            replies.iter().copied().find(|&reply| self.escapes(reply))
        });
        helped.is_some()
    }

    /// Whether after this reply the royal cannot be captured, or that of the other side has been.
    fn escapes(&mut self, reply: Move) -> bool {
        let them = self.side;
        self.make(reply);
        let escaped = self.royal_square(!them).is_none() || !self.is_attacked(them);
        self.unmake();
        escaped
    }
}
