//! Why a move that a piece could make, or a drop on a vacant square, is not legal. Nothing here is fast: it is asked
//! once, when a player has typed such a move.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, MoveList, PieceType, Square};

/// A royal that a move leaves open to capture, and a piece that could capture it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exposure {
    pub royal: (PieceType, Square),
    pub attacker: (PieceType, Square),
}

/// What forbids a drop on a vacant square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DropObstacle {
    /// The piece may never be dropped there.
    Zone,
    /// An enemy piece stands beside it.
    Beside(PieceType, Square),
    /// As many pieces of its type as are allowed stand on the file; the first of them.
    File(Square),
    /// An own piece of its type stands on a square of the same color.
    Color(Square),
    /// It is the last square for another piece in hand, which must stand on a square of that color.
    Last,
    /// It would give check, which it may not.
    Check,
    /// It would mate.
    Mate,
}

impl Position {
    /// The moves of a piece to a square, whether or not its royal is safe afterwards.
    pub(crate) fn unguarded_moves(&self, from: Square, to: Square) -> MoveList {
        let scope =
            Scope { from: Bitboard::of(from), to: Bitboard::of(to), drops: false, ..Scope::ALL };
        let mut list = MoveList::new();
        self.generate_free(&Safety::FREE, &scope, &mut list);
        list
    }

    /// The moves of all pieces of a type to a square, whether or not the royal is safe afterwards.
    pub(crate) fn unguarded_moves_of(&self, kind: PieceType, to: Square) -> MoveList {
        let mut list = MoveList::new();
        for from in self.pieces(self.side, kind) {
            list.extend(self.unguarded_moves(from, to));
        }
        list
    }

    /// The royal that this move of the side to move, possible otherwise, would leave open to capture.
    pub(crate) fn exposure(&self, mv: Move) -> Option<Exposure> {
        if self.variant.captures_royals() {
            return None;
        }
        let mut after = self.without_history();
        after.make(mv);
        after.exposed_royal(self.side)
    }

    /// The royal of `color` that is attacked, and one of its attackers.
    pub(crate) fn exposed_royal(&self, color: Color) -> Option<Exposure> {
        let royal = self.attacked_royals(color).first()?;
        let attacker = self.checkers_of(royal, color).first()?;
        let piece = |square: Square| Some((self.at(square)?.kind(), square));
        Some(Exposure { royal: piece(royal)?, attacker: piece(attacker)? })
    }

    /// Whether a piece on `square` stands on the line between the two.
    pub(crate) fn is_shield(&self, square: Square, exposure: &Exposure) -> bool {
        let (royal, attacker) = (exposure.royal.1, exposure.attacker.1);
        self.variant.geometry().between(royal, attacker).contains(square)
    }

    /// What forbids the side to move to drop a piece of this type on this vacant square, the safety of its royal aside.
    pub(crate) fn drop_obstacle(&self, kind: PieceType, to: Square) -> Option<DropObstacle> {
        let rule = &self.variant.side(self.side).piece(kind).drop;
        let geometry = self.variant.geometry();
        if !rule.zone.contains(to) {
            return Some(DropObstacle::Zone);
        }
        if let Some(shunned) = rule.not_beside {
            let mut beside = self.pieces(!self.side, shunned) & geometry.neighbors(to);
            if let Some(square) = beside.next() {
                return Some(DropObstacle::Beside(shunned, square));
            }
        }
        let on_file = self.pieces(self.side, kind) & geometry.file_squares(to);
        if rule.per_file.is_some_and(|most| on_file.len() >= u32::from(most)) {
            return on_file.first().map(DropObstacle::File);
        }
        let alike = self.pieces(self.side, kind) & self.colors_of(Bitboard::of(to));
        if let Some(own) = alike.first().filter(|_| rule.other_color) {
            return Some(DropObstacle::Color(own));
        }
        if self.last_squares_of_others(kind).contains(to) {
            return Some(DropObstacle::Last);
        }
        if rule.no_check {
            return Some(DropObstacle::Check);
        }
        rule.no_mate.then_some(DropObstacle::Mate)
    }
}
