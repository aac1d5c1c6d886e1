//! Chases: moves that threaten an enemy piece anew. A side that makes no others can lose by repetition.
//!
//! The rule is that of the Asian Xiangqi Federation (2003), as far as a move and the two positions around it decide it.
//! Nothing is stored for it: the past is replayed when a position has occurred often enough.

use super::Position;
use super::irregular::Moved;
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, PerColor, Square, Tag};
use crate::variant::{ChaseRule, Royalty};

impl Position {
    /// Whether White, and whether Black, chased one and the same enemy piece with every move of the last `plies`.
    pub(super) fn chased_throughout(&self, rule: &ChaseRule, plies: usize) -> [bool; 2] {
        let mut past = self.clone();
        // Per chaser, the pieces that all its later moves chased, where they stood.
        let mut chased = PerColor([Bitboard::ALL; 2]);
        for _ in 0..plies {
            let Some(mv) = past.moves_made().next_back() else { break };
            let chaser = !past.side;
            chased[chaser] = past.take_back_chase(rule, mv, chased[chaser]);
            chased[!chaser] = taken_back(chased[!chaser], mv);
            if chased.0.iter().all(|pieces| pieces.is_empty()) {
                break;
            }
        }
        chased.0.map(|pieces| !pieces.is_empty())
    }

    /// Takes back the last move, `mv`; returns which of these enemy pieces it chased.
    fn take_back_chase(&mut self, rule: &ChaseRule, mv: Move, enemies: Bitboard) -> Bitboard {
        let chaser = !self.side;
        let pieces = enemies & self.chased_pieces(rule, !chaser);
        let threats = pieces.map(|piece| (piece, self.threatening(rule, piece, chaser)));
        let threats = threats.filter(|(_, by)| !by.is_empty()).map(|(piece, by)| {
            let free = by.filter(|&attacker| !self.is_pinned(attacker)).collect();
            (piece, taken_back(by, mv), taken_back(free, mv))
        });
        let threats: Vec<(Square, Bitboard, Bitboard)> = threats.collect();
        self.unmake();
        let is_new = |&(piece, by, free): &(Square, Bitboard, Bitboard)| {
            let old = self.attackers(piece, chaser, self.occupied());
            // An old attack threatens anew where the piece has lost its protection, unless the attacker is pinned.
            !(by & !old).is_empty() || !(free & !self.threatening(rule, piece, chaser)).is_empty()
        };
        threats.into_iter().filter(is_new).map(|(piece, ..)| piece).collect()
    }

    /// The pieces of `color` that can be chased where they stand.
    fn chased_pieces(&self, rule: &ChaseRule, color: Color) -> Bitboard {
        let kinds = self.variant.kinds_of(color);
        let pieces = kinds.map(|kind| self.board.pieces(color, kind) & !rule.spared(color, kind));
        pieces.fold(Bitboard::EMPTY, |all, pieces| all | pieces) & !self.royals(color)
    }

    /// The pieces of `by` that threaten the enemy piece on `target`.
    fn threatening(&self, rule: &ChaseRule, target: Square, by: Color) -> Bitboard {
        let attackers = self.attackers(target, by, self.occupied());
        attackers.filter(|&attacker| self.threatens(rule, attacker, target)).collect()
    }

    /// Whether a piece that attacks the enemy piece on `target` threatens it: it may capture it, and that is no mere
    /// exchange.
    fn threatens(&self, rule: &ChaseRule, attacker: Square, target: Square) -> bool {
        let (Some(piece), Some(enemy)) = (self.at(attacker), self.at(target)) else { return false };
        if !rule.chasers.contains(piece.kind())
            || !self.may_capture(attacker, target, self.occupied())
        {
            return false;
        }
        let is_alike = piece.kind() == enemy.kind();
        rule.even_protected(piece.kind()).contains(enemy.kind())
            || !(is_alike && self.attacks_back(target, attacker)
                || self.has_protector(target, attacker))
    }

    /// Whether the piece on `from` may capture the enemy piece on `to`, which attacks it.
    fn attacks_back(&self, from: Square, to: Square) -> bool {
        let attackers = self.attackers(to, self.owner(from), self.occupied());
        attackers.contains(from) && self.may_capture(from, to, self.occupied())
    }

    /// Whether the piece on `target` has a protector that may recapture there when `attacker` captures it.
    fn has_protector(&self, target: Square, attacker: Square) -> bool {
        let occupied = self.occupied() & !Bitboard::of(attacker);
        let captor = self.at(attacker).map(|piece| (piece.kind(), target));
        let owner = self.owner(target);
        let mut protectors = self.royal_attackers(target, owner, occupied, captor, false);
        protectors.any(|protector| self.may_capture(protector, target, occupied))
    }

    /// Whether the piece on `from` may capture on `to`, which it attacks on a board with these squares `occupied`: its
    /// royal must be safe after that. A check that its side is in already does not count.
    fn may_capture(&self, from: Square, to: Square, occupied: Bitboard) -> bool {
        let us = self.owner(from);
        let after = occupied & !Bitboard::of(from) | Bitboard::of(to);
        let captor = self.at(from).map(|piece| (piece.kind(), to));
        let known = || self.checkers(us);
        self.guarded_royals(us).all(|royal| {
            if royal == from {
                return self.aims_at_royal(to, us, after, captor).is_empty();
            }
            let aims = self.aims_at_royal(royal, us, after, captor) & !Bitboard::of(to);
            aims.is_empty() || (aims & !known()).is_empty()
        })
    }

    /// Whether a royal would be in check if this piece were not there.
    fn is_pinned(&self, square: Square) -> bool {
        let us = self.owner(square);
        let without = self.occupied() & !Bitboard::of(square);
        let mut royals = self.guarded_royals(us) & !Bitboard::of(square);
        royals.any(|royal| !self.aims_at_royal(royal, us, without, None).is_empty())
    }

    /// The royals of `color` that no move may leave attacked. Of several of which one is enough, none.
    fn guarded_royals(&self, color: Color) -> Bitboard {
        let royals = self.royals(color);
        let one_is_enough = self.variant.royalty().is_some_and(Royalty::one_is_enough);
        if self.guarded_royal(color).is_none() || one_is_enough && royals.is_many() {
            return Bitboard::EMPTY;
        }
        royals
    }

    /// The enemy pieces that attack a royal of `color` on `square` of a board with these squares `occupied`.
    fn aims_at_royal(
        &self,
        square: Square,
        color: Color,
        occupied: Bitboard,
        moved: Moved,
    ) -> Bitboard {
        let facing = self.variant.royalty().is_some_and(Royalty::faces_as_check);
        self.royal_attackers(square, !color, occupied, moved, facing)
    }

    /// Whose piece stands on a square.
    fn owner(&self, square: Square) -> Color {
        if self.board.side(Color::White).contains(square) { Color::White } else { Color::Black }
    }
}

/// Where pieces stood before a move of their side. A piece that it dropped was not there.
fn taken_back(mut pieces: Bitboard, mv: Move) -> Bitboard {
    let moves = !matches!(mv.tag(), Tag::Setup | Tag::Pass);
    if moves && pieces.contains(mv.to()) {
        pieces &= !Bitboard::of(mv.to());
        if mv.tag() != Tag::Drop {
            pieces.insert(mv.from());
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// [`Position::threatens`] by the legal moves alone, where nobody is in check.
    fn threatens_slowly(rule: &ChaseRule, position: &Position, from: Square, to: Square) -> bool {
        let capture = |position: &Position, from: Option<Square>, to: Square| {
            position
                .legal_moves()
                .iter()
                .copied()
                .find(|mv| mv.to() == to && from.is_none_or(|from| mv.from() == from))
        };
        let kinds = [from, to].map(|square| position.at(square).expect("a piece").kind());
        let (true, Some(mv)) = (rule.chasers.contains(kinds[0]), capture(position, Some(from), to))
        else {
            return false;
        };
        if rule.even_protected(kinds[0]).contains(kinds[1]) {
            return true;
        }
        let mut reply = position.clone();
        reply.pass();
        let answers = kinds[0] == kinds[1] && capture(&reply, Some(to), from).is_some();
        let mut taken = position.clone();
        taken.make(mv);
        !answers && capture(&taken, None, to).is_none()
    }

    #[test]
    fn a_threat_is_a_legal_capture_without_a_legal_recapture() {
        let xiangqi = crate::find("xiangqi").expect("a built-in game");
        let rule = xiangqi.chase().expect("it has chases");
        let mut random = SplitMix::new(7);
        let mut seen = [0; 2];
        for _ in 0..60 {
            let mut position = Position::start(&xiangqi);
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[random.below(moves.len())]);
                let us = position.side;
                if position.is_attacked(us) {
                    continue;
                }
                for target in position.chased_pieces(rule, !us) {
                    for attacker in position.attackers(target, us, position.occupied()) {
                        let threat = position.threatens(rule, attacker, target);
                        let slow = threatens_slowly(rule, &position, attacker, target);
                        assert_eq!(threat, slow, "{} {attacker:?} {target:?}", position.fen());
                        seen[usize::from(threat)] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 1000), "{seen:?}");
    }
}
