//! Putting a position together, for readers of text. They check what they build.

use std::sync::Arc;

use super::{Position, SetupPhase};
use crate::rules::position::board::Board;
use crate::rules::types::{Color, Piece, PieceKind, Square};
use crate::rules::variant::Variant;

impl Position {
    /// An empty board.
    pub(in crate::rules) fn empty(variant: &Arc<Variant>) -> Position {
        Position {
            variant: Arc::clone(variant),
            board: Board::empty(),
            side: Color::White,
            setup: SetupPhase::Done,
            ep: None,
            halfmoves: 0,
            fullmove: 1,
            history: Vec::new(),
        }
    }

    /// Puts a man on an empty square.
    pub(in crate::rules) fn put(&mut self, piece: Piece, square: Square) {
        self.board.put(piece, square);
    }

    /// Adds a man to a hand; one that cannot be in hand is left out.
    pub(in crate::rules) fn put_in_hand(&mut self, color: Color, kind: PieceKind) {
        if let Some(slot) = self.variant.man(kind).slot {
            self.board.add_to_hand(color, slot);
        }
    }

    /// Sets whose turn it is, and the counts.
    pub(in crate::rules) fn set_turn(
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

    /// Whether a man of the side that is not to move can just have made a double step over `passed`.
    pub(in crate::rules) fn can_have_been_passed(&self, passed: Square) -> bool {
        let them = !self.side;
        let side = self.variant.side(them);
        let vacant = |square: Square| self.at(square).is_none();
        side.men.filter(|&kind| self.variant.man(kind).double_step == Some(true)).any(|kind| {
            let moves = side.moves(kind);
            let (from, to) = (passed.offset(-moves.forward), passed.offset(moves.forward));
            moves.double_from.contains(from)
                && vacant(from)
                && vacant(passed)
                && self.at(to) == Some(Piece::new(them, kind))
        })
    }

    /// Sets the square that has just been passed, if a man stands so that it can capture there.
    pub(in crate::rules) fn set_en_passant(&mut self, passed: Square) {
        let forward = self.variant.geometry().stride() as i8;
        let to = passed.offset(if self.side == Color::White { -forward } else { forward });
        let passing = self.at(to);
        self.ep = passing
            .filter(|&passing| self.can_capture_passing(self.side, passing, passed))
            .map(|_| passed);
    }
}
