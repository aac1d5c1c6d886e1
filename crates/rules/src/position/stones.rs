//! Moves that come with a stone, which the player puts on a vacant square.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::Sink;
use crate::bitboard::Bitboard;
use crate::types::{Move, MoveList, Tag};
use crate::variant::{EachMove, Obligation};

impl Position {
    /// The legal moves, each with every stone that may go with it.
    pub(super) fn generate_with_stones<S: Sink>(
        &self,
        others: &[Obligation],
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let mut moves = MoveList::new();
        if !self.generate_by(others, safety, scope, &mut moves) {
            self.generate_free(safety, scope, &mut moves);
        }
        for mv in moves {
            sink.with_stones(mv, self.stone_squares(mv));
            if sink.is_done() {
                return;
            }
        }
    }

    /// The squares on which the stone that goes with a move of the side to move may be put.
    pub(crate) fn stone_squares(&self, mv: Move) -> Bitboard {
        let Some(rule) = self.variant.stone_rule() else { return Bitboard::EMPTY };
        let to = Bitboard::of(mv.to());
        let (left, taken) = match mv.tag() {
            Tag::Setup | Tag::Pass => return Bitboard::EMPTY,
            Tag::Drop => (Bitboard::EMPTY, to),
            Tag::Castle => {
                let Some(castle) = self.castle_of(mv) else { return Bitboard::EMPTY };
                let (king, rook) = (castle.king, castle.rook);
                let both = |a, b| Bitboard::of(a) | Bitboard::of(b);
                (both(king.0, rook.0), both(king.1, rook.1))
            }
            Tag::EnPassant => {
                let passed = self.ep.map_or(to, |passed| Bitboard::of(passed.piece()));
                (Bitboard::of(mv.from()) | passed, to)
            }
            // There are no gates and no moves of two legs where there are stones.
            Tag::Normal
            | Tag::Promotion
            | Tag::DoubleStep
            | Tag::Gate
            | Tag::GateCastle
            | Tag::Legs => (Bitboard::of(mv.from()), to),
        };
        let occupied = self.occupied() & !left | taken;
        let mut squares = rule.squares & !occupied;
        if rule.each_move == EachMove::Shoots {
            let reach = self
                .kind_placed(mv)
                .map(|kind| self.variant.reach(self.side, kind, mv.to(), occupied).1);
            squares &= reach.unwrap_or(Bitboard::EMPTY);
        }
        squares
    }

    /// Puts the stone that goes with a move, which has just been made, on its square.
    pub(super) fn place_stone(&mut self, mv: Move) {
        if mv.tag() == Tag::Pass {
            return;
        }
        let earlier = self.board.stones();
        self.earlier_stones.push(earlier);
        let rule = self.variant.stone_rule();
        let moves = rule.is_some_and(|rule| rule.each_move == EachMove::Moves);
        let kept = if moves { Bitboard::EMPTY } else { earlier };
        self.board.set_stones(kept | Bitboard::of(mv.stone()));
        let them = !self.side;
        self.ep = self.ep.filter(|&passed| {
            passed.square() != mv.stone() && self.can_capture_passing(them, passed)
        });
    }

    /// Takes back what [`Position::place_stone`] did.
    pub(super) fn take_back_stone(&mut self, mv: Move) {
        if matches!(mv.tag(), Tag::Setup | Tag::Pass) {
            return;
        }
        if let Some(earlier) = self.earlier_stones.pop() {
            self.board.set_stones(earlier);
        }
    }
}
