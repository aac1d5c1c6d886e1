//! Moves that let a piece come from hand to the square that is left for the first time.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::Sink;
use crate::bitboard::Bitboard;
use crate::types::{Move, MoveList, Piece, PieceTypeSet, Tag};
use crate::variant::Gating;

impl Position {
    /// The moves that bring a piece from hand. They are legal where they are without it: that a piece could come to a
    /// line of attack on the own royal plays no part.
    #[cold]
    pub(super) fn generate_gates<S: Sink>(
        &self,
        gating: &Gating,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let hand = self.board.hand(self.side);
        let in_hand = hand.slots().map(|slot| self.variant.hand_kinds()[slot]);
        let kinds: PieceTypeSet = in_hand.filter(|&kind| gating.kinds.contains(kind)).collect();
        let from = self.gates();
        if kinds.is_empty() || from.is_empty() {
            return;
        }
        let mut moves = MoveList::new();
        self.generate_pieces(safety, &Scope { from: scope.from & from, ..*scope }, &mut moves);
        moves.retain(|mv| mv.tag() == Tag::Normal);
        self.generate_castles(safety, scope, &mut moves);
        for mv in moves {
            let Some(castle) = self.castle_of(mv).filter(|_| mv.is_castling()) else {
                kinds.for_each(|kind| sink.one(Move::gate(mv.from(), mv.to(), kind)));
                continue;
            };
            let taken = [castle.king.1, castle.rook.1];
            for gate in [castle.king.0, castle.rook.0] {
                if from.contains(gate) && !taken.contains(&gate) {
                    let with = |kind| Move::gate_castle(mv.from(), mv.to(), kind, gate);
                    kinds.for_each(|kind| sink.one(with(kind)));
                }
            }
        }
    }

    /// The squares to which the side to move may let a piece come from hand.
    fn gates(&self) -> Bitboard {
        let gates = self.all_rights.gate_squares(self.side);
        gates.filter(|(_, right)| self.rights & right != 0).map(|(square, _)| square).collect()
    }

    /// Puts the piece that comes with a move, which has just been made, on its square.
    pub(super) fn place_gated(&mut self, mv: Move) {
        if let Some(slot) = self.variant.piece(mv.becomes()).slot {
            self.board.take_from_hand(self.side, slot);
        }
        self.board.put(Piece::new(self.side, mv.becomes()), mv.gate_square());
        let can_come = self.variant.gating().is_some_and(|gating| gating.hands_refill)
            || !self.board.hand(self.side).is_empty();
        if !can_come {
            self.rights &= !self.all_rights.gates(self.side);
        }
    }
}
