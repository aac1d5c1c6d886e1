//! Making moves and taking them back.

use super::{Position, Undo};
use crate::rules::types::{Color, Move, Piece, Square, Tag};

impl Position {
    /// Makes a legal move.
    pub fn make(&mut self, mv: Move) {
        debug_assert!(!self.is_decided());
        let us = self.side;
        let mut undo = self.undo_of(mv);
        self.ep = None;
        if mv.tag() == Tag::Setup {
            undo.arrangement = self.arrange(us, mv.setup_index()) as u16;
            self.setup = self.setup.next();
        } else {
            self.halfmoves = self.halfmoves.saturating_add(1);
            if mv.is_drop() {
                self.make_drop(mv);
            } else {
                if mv.tag() == Tag::Promotion {
                    undo.promoted = self.at(mv.from());
                }
                undo.captured = self.make_board_move(mv);
            }
            if us == Color::Black {
                self.fullmove += 1;
            }
        }
        self.side = !us;
        self.history.push(undo);
        debug_assert_eq!(self.key(), self.fresh_key());
    }

    /// Passes. No game allows it: this is for a search that asks what the other side threatens. It is
    /// taken back as a move is.
    pub fn pass(&mut self) {
        let undo = self.undo_of(Move::pass());
        self.ep = None;
        self.halfmoves = self.halfmoves.saturating_add(1);
        if self.side == Color::Black {
            self.fullmove += 1;
        }
        self.side = !self.side;
        self.history.push(undo);
    }

    /// What is needed to come back to this position after `mv`.
    fn undo_of(&self, mv: Move) -> Undo {
        Undo {
            mv,
            key: self.key(),
            men_key: self.board.key(),
            hands: self.board.hands(),
            captured: None,
            promoted: None,
            ep: self.ep,
            setup: self.setup,
            arrangement: 0,
            halfmoves: self.halfmoves,
        }
    }

    fn make_drop(&mut self, mv: Move) {
        if let Some(slot) = self.variant.man(mv.dropped()).slot {
            self.board.take_from_hand(self.side, slot);
        }
        self.board.put(Piece::new(self.side, mv.becomes()), mv.to());
        self.halfmoves = 0;
    }

    fn make_board_move(&mut self, mv: Move) -> Option<Piece> {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let mover = self.board.take(from)?;
        let captured = match mv.tag() {
            Tag::EnPassant => self.board.take(self.passed_from(to)),
            _ => self.board.take(to),
        };
        let promotes = mv.tag() == Tag::Promotion;
        let placed = if promotes { Piece::new(us, mv.becomes()) } else { mover };
        self.board.put(placed, to);
        if let Some(captured) = captured {
            self.gain(captured);
        }
        if captured.is_some() || promotes || self.variant.man(mover.kind()).zeroing {
            self.halfmoves = 0;
        }
        if mv.tag() == Tag::DoubleStep {
            let passed = from.offset(self.variant.side(us).moves(mover.kind()).forward);
            self.ep = Some(passed).filter(|&square| self.can_capture_passing(!us, mover, square));
        }
        captured
    }

    /// Where the man stands that an en-passant capture on `square` by the side to move removes.
    fn passed_from(&self, square: Square) -> Square {
        // Every man's forward is one rank, whatever the man.
        let stride = self.variant.geometry().stride() as i8;
        square.offset(if self.side == Color::White { -stride } else { stride })
    }

    /// Whether `color` has a man that could capture a man of this kind on a square it has passed.
    pub(in crate::rules) fn can_capture_passing(
        &self,
        color: Color,
        passing: Piece,
        square: Square,
    ) -> bool {
        let moves = self.variant.side(color).moves(passing.kind());
        moves.captured_from[square.index()].meets(self.board.men(color, passing.kind()))
    }

    /// Puts into the hands what the capture of a man gives.
    fn gain(&mut self, captured: Piece) {
        let (us, them) = (self.side, captured.color());
        let man = self.variant.man(captured.kind());
        if let Some(slot) = man.captured_slot {
            self.board.add_to_hand(us, slot);
        }
        if man.gains.is_empty() {
            return;
        }
        // Which one fell is their full number minus those still standing.
        let standing = self.board.men(them, captured.kind()).len() as usize;
        let fallen = man.gains.len().saturating_sub(1 + standing);
        if let Some(gains) = man.gains.get(fallen) {
            gains.capturer.iter().for_each(|&slot| self.board.add_to_hand(us, slot));
            gains.owner.iter().for_each(|&slot| self.board.add_to_hand(them, slot));
        }
    }

    /// Takes back the last move, if one was made since the position was set up.
    pub fn unmake(&mut self) {
        let Some(undo) = self.history.pop() else {
            return;
        };
        self.side = !self.side;
        let us = self.side;
        let mv = undo.mv;
        match mv.tag() {
            Tag::Setup => {
                self.arrange(us, usize::from(undo.arrangement));
            }
            Tag::Drop => {
                self.board.take(mv.to());
            }
            Tag::Pass => {}
            tag => {
                if let Some(placed) = self.board.take(mv.to()) {
                    let mover = if tag == Tag::Promotion {
                        undo.promoted.unwrap_or(placed)
                    } else {
                        placed
                    };
                    self.board.put(mover, mv.from());
                }
                if let Some(captured) = undo.captured {
                    let square =
                        if tag == Tag::EnPassant { self.passed_from(mv.to()) } else { mv.to() };
                    self.board.put(captured, square);
                }
            }
        }
        if mv.tag() != Tag::Setup && us == Color::Black {
            self.fullmove -= 1;
        }
        self.ep = undo.ep;
        self.setup = undo.setup;
        self.halfmoves = undo.halfmoves;
        self.board.restore_hands(undo.hands, undo.men_key);
        debug_assert_eq!(self.key(), undo.key);
    }
}
