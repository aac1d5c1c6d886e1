//! Putting a position together, for readers of text. They check what they build.

use std::sync::Arc;

use super::{Passed, Position, SetupPhase};
use crate::bitboard::Bitboard;
use crate::position::board::Board;
use crate::types::{Color, Piece, PieceType, Square};
use crate::variant::Variant;

impl Position {
    /// An empty board.
    pub(crate) fn empty(variant: &Arc<Variant>) -> Position {
        Position {
            variant: Arc::clone(variant),
            board: Board::empty(),
            side: Color::White,
            setup: SetupPhase::Done,
            ep: None,
            rights: 0,
            halfmoves: 0,
            fullmove: 1,
            history: Vec::new(),
        }
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        self.board.put(piece, square);
    }

    /// Adds a piece to a hand; one that cannot be in hand is left out.
    pub(crate) fn put_in_hand(&mut self, color: Color, kind: PieceType) {
        if let Some(slot) = self.variant.piece(kind).slot {
            self.board.add_to_hand(color, slot);
        }
    }

    /// Sets whose turn it is, and the counts.
    pub(crate) fn set_turn(
        &mut self,
        side: Color,
        setup: SetupPhase,
        halfmoves: u16,
        fullmove: u32,
    ) {
        self.side = side;
        self.setup = setup;
        self.halfmoves = halfmoves;
        self.fullmove = fullmove;
    }

    /// Where the pieces stand that can just have made a double step over `passed`.
    pub(crate) fn can_have_passed(&self, passed: Square) -> Bitboard {
        let them = !self.side;
        let side = self.variant.side(them);
        let vacant = |square: Square| self.at(square).is_none();
        let mut pieces = Bitboard::EMPTY;
        for kind in side.passers {
            for double in &side.moves(kind).doubles {
                let (from, to) = (passed.offset(-double.delta), passed.offset(double.delta));
                let stands = self.at(to) == Some(Piece::new(them, kind));
                if stands && double.from.contains(from) && vacant(from) && vacant(passed) {
                    pieces.insert(to);
                }
            }
        }
        pieces
    }

    /// Sets the square that a piece has just passed, if an enemy stands so that it can capture there.
    pub(crate) fn set_en_passant(&mut self, passed: Square, piece: Square) {
        self.ep = self.can_capture_passing(self.side, passed).then(|| Passed::new(passed, piece));
    }

    /// What pieces that have not moved may do.
    pub(crate) fn rights(&self) -> u32 {
        self.rights
    }

    /// Sets what pieces that have not moved may do.
    pub(crate) fn set_rights(&mut self, rights: u32) {
        self.rights = rights;
    }
}
