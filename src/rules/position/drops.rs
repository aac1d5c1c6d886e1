//! Drops: men from hand, where the rules of each man let them.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::Sink;
use crate::rules::bitboard::Bitboard;
use crate::rules::types::{Color, KindSet, Move, PieceKind, Square};
use crate::rules::variant::RoyaltyKind;

impl Position {
    pub(super) fn generate_drops<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        let vacant = !self.occupied() & self.variant.geometry().squares() & safety.mask & scope.to;
        if vacant.is_empty() {
            return;
        }
        for slot in self.board.hand(self.side).slots() {
            let kind = self.variant.hand_kinds()[slot];
            let mut targets = vacant & self.drop_squares(kind);
            if let Some(royal) = safety.royal.filter(|_| safety.by_hand) {
                let is_safe =
                    |&to: &Square| self.is_safe_after(royal, Bitboard::EMPTY, to, Bitboard::EMPTY);
                targets = targets.filter(is_safe).collect();
            }
            if scope.judge_mates && self.variant.man(kind).drop.no_mate {
                targets &= !self.mating_drops(kind, targets);
            }
            let reserve = self.variant.man(kind).reserve;
            let becomes = if reserve.is_empty() { KindSet::of(kind) } else { reserve };
            sink.drops(kind, becomes, targets);
        }
    }

    /// Where the side to move may drop a man of this kind, were it all vacant.
    fn drop_squares(&self, kind: PieceKind) -> Bitboard {
        let rule = &self.variant.man(kind).drop;
        let geometry = self.variant.geometry();
        let mut squares = self.variant.side(self.side).drop_zone[kind.index()];
        if rule.one_per_file {
            for own in self.board.men(self.side, kind) {
                squares &= !geometry.file_squares(own);
            }
        }
        if let Some(shunned) = rule.not_beside {
            for enemy in self.board.men(!self.side, shunned) {
                squares &= !geometry.neighbors(enemy);
            }
        }
        squares
    }

    /// Those of the drops of this kind to `targets` that end the game: the enemy royal is attacked
    /// after them and no reply helps.
    fn mating_drops(&self, kind: PieceKind, targets: Bitboard) -> Bitboard {
        let candidates = targets & self.checking_drops(kind);
        candidates.filter(|&to| self.is_mating_drop(Move::drop(kind, kind, to))).collect()
    }

    /// A set that holds all squares where a man of this kind can be dropped so that the enemy royal
    /// is attacked afterwards.
    fn checking_drops(&self, kind: PieceKind) -> Bitboard {
        let Some(royal) = self.royal_square(!self.side) else {
            return Bitboard::EMPTY;
        };
        let own = self.variant.side(self.side);
        let moves = own.moves(kind);
        let lines = [&moves.slides, &moves.hops];
        if own.hop_zone[royal.index()].meets(self.board.side(self.side))
            || self.is_attacked(!self.side)
        {
            // As the screen of a hopper, or any square if the royal is attacked already.
            return Bitboard::ALL;
        }
        lines.into_iter().flatten().fold(moves.captured_from[royal.index()], |set, line| {
            set | line.captured_from[royal.index()]
        })
    }

    fn is_mating_drop(&self, drop: Move) -> bool {
        let mut after = self.without_history();
        after.make(drop);
        let (them, us) = (after.side, self.side);
        if !after.is_attacked(them) {
            return false;
        }
        let captured = self.variant.royalty.is_some_and(|r| r.kind == RoyaltyKind::Captured);
        if !captured {
            return !after.has_legal_move();
        }
        let replies = after.legal_moves_in(&Scope { judge_mates: false, ..Scope::ALL });
        !replies.iter().any(|&reply| after.escapes(reply, them, us))
    }

    /// Whether after this reply the royal of `them` cannot be captured, or that of `us` has been.
    fn escapes(&mut self, reply: Move, them: Color, us: Color) -> bool {
        self.make(reply);
        let escaped = self.royal_square(us).is_none() || !self.is_attacked(them);
        self.unmake();
        escaped
    }
}
