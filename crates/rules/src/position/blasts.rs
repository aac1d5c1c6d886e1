//! Explosions: a capture that removes the pieces around it. What is removed counts as captured by the other side.

use super::Position;
use super::legality::Safety;
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, Piece, PieceType, Square, Tag};
use crate::variant::Blast;

/// A piece that an explosion removed, for [`Position::unmake`].
#[derive(Debug, Clone, Copy)]
pub(super) struct BlownUp {
    /// The number of moves made before the capture.
    ply: u32,
    square: Square,
    piece: Piece,
}

impl Position {
    /// The squares that a legal move empties by an explosion: that of the captured piece, those of other pieces, and
    /// the target if the piece that captures goes as well. None if nothing explodes.
    pub fn blown_up_by(&self, mv: Move) -> Bitboard {
        if matches!(mv.tag(), Tag::Drop | Tag::Setup | Tag::Pass | Tag::Castle | Tag::GateCastle) {
            return Bitboard::EMPTY;
        }
        self.blown_up_at(mv, self.en_passant_by(mv).unwrap_or(mv.to()))
    }

    /// [`Position::blown_up_by`] of a move of a piece on the board that captures what stands on `target`, if anything.
    #[inline]
    pub(super) fn blown_up_at(&self, mv: Move, target: Square) -> Bitboard {
        match (self.variant.blast(), self.at(target), self.at(mv.from())) {
            (Some(blast), Some(_), Some(piece)) if target != mv.from() => {
                let step = (Bitboard::of(mv.from()), mv.to());
                self.blown_up(blast, piece.kind(), step, Bitboard::of(target))
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// The squares that are empty after a piece of this type has gone `from` one square `to` another and captured.
    pub(super) fn blown_up(
        &self,
        blast: &Blast,
        kind: PieceType,
        (from, to): (Bitboard, Square),
        captured: Bitboard,
    ) -> Bitboard {
        let spared = self.all_of_kinds(blast.spares) | self.all_of_kinds(blast.immune);
        let left = spared | self.stones();
        let around = blast.reach(to) & self.occupied() & !from & !left;
        let own = if blast.immune.contains(kind) { Bitboard::EMPTY } else { Bitboard::of(to) };
        around & !Bitboard::of(to) | captured & !Bitboard::of(to) | own
    }

    /// Removes the pieces on these squares after a capture on `to`.
    #[cold]
    pub(super) fn blow_up(&mut self, squares: Bitboard, to: Square) {
        let ply = self.history.len() as u32;
        for square in squares {
            let Some(piece) = self.board.take(square) else { continue };
            self.gain(piece);
            self.rights = self.all_rights.after(self.rights, square);
            // The move itself says what stood on its target.
            if square != to {
                self.blown_up.push(BlownUp { ply, square, piece });
            }
        }
    }

    /// Puts back what the move removed that is being unmade, and takes away the stone that it left.
    #[cold]
    pub(super) fn take_back_effects(&mut self, mv: Move) {
        if self.variant.leaves_stones() {
            self.board.toggle_stone(mv.from());
        }
        let ply = self.history.len() as u32;
        while let Some(last) = self.blown_up.pop_if(|last| last.ply == ply) {
            self.board.put(last.piece, last.square);
        }
    }

    /// [`Position::is_safe_after`] in a game with explosions: the own royal survives, and the enemy royal does not or the
    /// own is not attacked.
    #[cold]
    pub(super) fn is_safe_amid_blasts(
        &self,
        blast: &Blast,
        (safety, royal): (&Safety, Square),
        kind: PieceType,
        (from, to): (Bitboard, Square),
        captured: Bitboard,
    ) -> bool {
        let royal = if from.contains(royal) { to } else { royal };
        let gone = if captured.is_empty() {
            Bitboard::EMPTY
        } else {
            self.blown_up(blast, kind, (from, to), captured)
        };
        if gone.contains(royal) {
            return false;
        }
        if (gone | captured).meets(self.royals(!self.side)) || self.is_sheltered(royal, self.side) {
            return true;
        }
        let occupied = (self.occupied() & !from | Bitboard::of(to)) & !gone;
        let moved = Some((kind, to));
        let attackers = self.royal_attackers(royal, !self.side, occupied, moved, safety.facing);
        (attackers & !captured).is_empty()
    }

    /// Whether a royal of `color` on this square cannot be captured because the explosion would remove the enemy royal.
    #[inline]
    pub(super) fn is_sheltered(&self, royal: Square, color: Color) -> bool {
        self.variant.blast().is_some_and(|blast| {
            let enemies = self.royals(!color);
            let left = self.all_of_kinds(blast.spares) | self.all_of_kinds(blast.immune);
            blast.reach(royal).meets(enemies & !left)
        })
    }
}
