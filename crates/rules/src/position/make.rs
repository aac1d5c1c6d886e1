//! Making and unmaking moves.

use super::{Passed, Position, Undo};
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, Piece, Square, Tag};
use crate::variant::OnCapture;
use crate::zobrist::{self, Key};

impl Position {
    /// Makes a legal move; [`Position::unmake`] takes it back. After an illegal move the position is meaningless.
    pub fn make(&mut self, mv: Move) {
        debug_assert!(!self.is_decided());
        self.make_undecided(mv);
    }

    /// [`Position::make`] where the end of the game on the board is just being looked for.
    #[inline]
    pub(super) fn make_undecided(&mut self, mv: Move) {
        let us = self.side;
        let mut undo = self.undo_of(mv);
        self.ep = None;
        if mv.tag() == Tag::Setup {
            undo.state = self.arrange(us, mv.setup_index()) as u32;
            self.setup = self.setup.next();
        } else {
            self.halfmoves = self.halfmoves.saturating_add(1);
            match mv.tag() {
                Tag::Drop => self.make_drop(mv),
                Tag::Castle | Tag::GateCastle => self.make_castle(mv),
                Tag::Pass => {}
                _ => (undo.captured, undo.changed) = self.make_board_move(mv, undo.ep),
            }
            if self.variant.moves_go_on() {
                self.go_on_after(mv, undo.captured);
            }
            if us == Color::Black {
                self.fullmove += 1;
            }
        }
        self.side = !us;
        if self.variant.end().checks.is_some() && self.is_check() {
            self.checks = self.checks.and_one_of(us);
        }
        self.history.push(undo);
        debug_assert_eq!(self.key(), self.fresh_key());
    }

    /// The key that the position most likely has after a legal move: a search prefetches its transposition table entry
    /// by it. It is wrong for moves with further effects, such as castling, en passant, setups and gains.
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> Key {
        let us = self.side;
        let in_hand = |color: Color, slot: usize, change: i8| {
            let count = self.board.hand(color).count(slot);
            let changed = count.wrapping_add_signed(change);
            zobrist::in_hand(color, slot, count) ^ zobrist::in_hand(color, slot, changed)
        };
        let passed = self.ep.map_or(0, |passed| zobrist::en_passant(passed.square()));
        let mut key = self.key() ^ passed ^ zobrist::BLACK_TO_MOVE;
        match mv.tag() {
            Tag::Setup | Tag::Pass | Tag::Castle | Tag::GateCastle => {}
            Tag::Drop => {
                let dropped = self.variant.piece(mv.dropped()).slot;
                key ^= dropped.map_or(0, |slot| in_hand(us, slot, -1));
                key ^= zobrist::piece(Piece::new(us, mv.becomes()), mv.to());
            }
            tag => {
                let (from, to) = (mv.from(), mv.to());
                let Some(mover) = self.at(from) else { return key };
                let promotes = tag == Tag::Promotion;
                let placed = if promotes { Piece::new(us, mv.becomes()) } else { mover };
                key ^= zobrist::piece(mover, from) ^ zobrist::piece(placed, to);
                // What promotes in place is no capture.
                if let Some(captured) = self.at(to).filter(|_| to != from) {
                    let piece = self.variant.piece(captured.kind());
                    let owner = if piece.returns { captured.color() } else { us };
                    key ^= zobrist::piece(captured, to);
                    key ^= piece.captured_slot.map_or(0, |slot| in_hand(owner, slot, 1));
                }
            }
        }
        key
    }

    /// Makes a null move, whether the game allows passes or not. [`Position::unmake`] takes it back.
    pub fn pass(&mut self) {
        let undo = self.undo_of(Move::pass());
        self.ep = None;
        self.halfmoves = self.halfmoves.saturating_add(1);
        if self.side == Color::Black {
            self.fullmove += 1;
        }
        self.side = !self.side;
        self.history.push(undo);
        if self.variant.has_counts() {
            self.earlier_counts.push(self.count);
        }
    }

    /// What [`Position::unmake`] needs to restore this position after `mv`.
    fn undo_of(&self, mv: Move) -> Undo {
        Undo {
            mv,
            key: self.key(),
            pieces_key: self.board.key(),
            hands: self.board.hands(),
            captured: None,
            changed: None,
            ep: self.ep,
            setup: self.setup,
            state: self.rights,
            checks: self.checks,
            halfmoves: self.halfmoves,
        }
    }

    fn make_drop(&mut self, mv: Move) {
        if let Some(slot) = self.variant.piece(mv.dropped()).slot {
            self.board.take_from_hand(self.side, slot);
        }
        self.board.put(Piece::new(self.side, mv.becomes()), mv.to());
        if self.all_rights.come_by_drops() {
            self.gain_castling(mv.to());
        }
        self.halfmoves = 0;
    }

    /// Makes a move from square to square. Returns the captured piece, and the piece as it was before the move if the
    /// move changed its type.
    fn make_board_move(
        &mut self,
        mv: Move,
        passed: Option<Passed>,
    ) -> (Option<Piece>, Option<Piece>) {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let target = passed.map_or(to, |passed| self.capture_target(mv, passed));
        let has_effects = self.variant.moves_have_effects();
        let blown_up = if has_effects { self.blown_up_at(mv, target) } else { Bitboard::EMPTY };
        let Some(mover) = self.board.take(from) else { return (None, None) };
        let captured = self.board.take(target);
        if has_effects {
            self.leave_behind(mv, mover);
        }
        let promotes = mv.tag() == Tag::Promotion;
        let mut placed = Some(if promotes { Piece::new(us, mv.becomes()) } else { mover });
        if let Some(captured) = captured {
            self.gain(captured);
            if !promotes {
                placed = self.after_capture(mover, captured);
            }
        }
        match placed {
            Some(piece) => self.board.put(piece, to),
            None => self.board.toggle_stone(to),
        }
        if self.rights != 0 {
            self.rights = self.all_rights.after(self.rights, from);
            self.rights = self.all_rights.after(self.rights, to);
            let first_lost = self.variant.side(!us).first_lost;
            if let Some(placed) = placed.filter(|placed| first_lost.contains(placed.kind())) {
                self.take_first_moves(placed, to);
            }
        }
        let is_zeroing = || {
            self.variant.piece(mover.kind()).zeroing && !self.variant.leads_back(mover, from, to)
        };
        if captured.is_some() || promotes || is_zeroing() {
            self.halfmoves = 0;
        }
        if mv.tag() == Tag::DoubleStep {
            // The square passed is halfway, whatever the direction.
            let passed = Square::new(((from.index() + to.index()) / 2) as u8);
            let passed = Passed::new(passed, to);
            self.ep = Some(passed).filter(|&passed| self.can_capture_passing(!us, passed));
        }
        if !blown_up.is_empty() {
            self.blow_up(blown_up, to);
        }
        if let (Some(trade), Some(captured)) = (self.variant.trade().copied(), captured) {
            self.note_trade(&trade, mover, captured, to);
        }
        let has_changed = placed != Some(mover) || blown_up.contains(to);
        (captured, has_changed.then_some(mover))
    }

    /// What a piece leaves behind on its way: a stone, or the square where it has captured by the first of two legs.
    #[cold]
    fn leave_behind(&mut self, mv: Move, mover: Piece) {
        if self.variant.leaves_stones() {
            self.board.toggle_stone(mv.from());
        }
        if mv.has_legs() {
            self.capture_on_the_way(mv, mover);
        }
    }

    /// Takes the first moves of the enemies that lose them to this piece, which has just moved to `square`.
    #[cold]
    fn take_first_moves(&mut self, piece: Piece, square: Square) {
        let (us, variant) = (piece.color(), &self.variant);
        let aimed = variant.reach(us, piece.kind(), square, Bitboard::EMPTY).0;
        for enemy in aimed & self.board.side(!us) {
            let Some(kind) = self.at(enemy).map(Piece::kind) else { continue };
            let irregular = variant.side(!us).moves(kind).irregular.as_ref();
            if irregular.is_some_and(|irregular| irregular.first_lost.contains(piece.kind())) {
                self.rights &= !self.all_rights.first(enemy);
            }
        }
    }

    /// The piece that `mover` is after capturing `captured`; `None` if it is a stone.
    #[inline]
    fn after_capture(&self, mover: Piece, captured: Piece) -> Option<Piece> {
        let irregular = &self.variant.side(mover.color()).moves(mover.kind()).irregular;
        match irregular.as_ref().and_then(|irregular| irregular.on_capture) {
            None => Some(mover),
            Some(OnCapture::Becomes(kind)) => Some(Piece::new(mover.color(), kind)),
            Some(OnCapture::Takes) => Some(Piece::new(mover.color(), captured.kind())),
            Some(OnCapture::Stone) => None,
        }
    }

    fn make_castle(&mut self, mv: Move) {
        let Some(castle) = self.castle_of(mv) else { return };
        for (from, to) in [castle.king, castle.rook] {
            self.rights = self.all_rights.after(self.rights, from);
            self.rights = self.all_rights.after(self.rights, to);
        }
        self.exchange(castle.king.0, castle.rook.0, castle.king.1, castle.rook.1);
    }

    /// Puts the pieces of two squares on two others.
    fn exchange(&mut self, a: Square, b: Square, new_a: Square, new_b: Square) {
        let pieces = [(self.board.take(a), new_a), (self.board.take(b), new_b)];
        for (piece, square) in pieces {
            if let Some(piece) = piece {
                self.board.put(piece, square);
            }
        }
    }

    /// Adds to the hands what the capture of a piece gives.
    pub(super) fn gain(&mut self, captured: Piece) {
        let (us, them) = (!captured.color(), captured.color());
        let piece = self.variant.piece(captured.kind());
        if let Some(slot) = piece.captured_slot {
            self.board.add_to_hand(if piece.returns { them } else { us }, slot);
        }
        if piece.gains.is_empty() {
            return;
        }
        // The captured one is off the board already: those missing beside it fell before.
        let standing = self.board.pieces(them, captured.kind()).len() as usize;
        let fallen = piece.gains.len().saturating_sub(1 + standing);
        if let Some(gains) = piece.gains.get(fallen) {
            gains.capturer.iter().for_each(|&slot| self.board.add_to_hand(us, slot));
            gains.owner.iter().for_each(|&slot| self.board.add_to_hand(them, slot));
        }
    }

    /// Does what follows a move that has just been made: puts a stone or a piece from hand on the board, and counts.
    #[cold]
    fn go_on_after(&mut self, mv: Move, captured: Option<Piece>) {
        if self.variant.moves_place_stones() {
            self.place_stone(mv);
        } else if mv.is_gate() {
            self.place_gated(mv);
        }
        if self.variant.has_counts() {
            self.count_on(mv, captured);
        }
    }

    /// Takes back what followed a move, which is then taken back itself.
    #[cold]
    fn take_back_after(&mut self, mv: Move) {
        if self.variant.moves_place_stones() {
            self.take_back_stone(mv);
        } else if mv.is_gate() {
            self.board.take(mv.gate_square());
        }
        if self.variant.has_counts() && mv.tag() != Tag::Setup {
            self.take_back_count();
        }
    }

    /// Takes back the last move; does nothing if none was made since the position was set up.
    pub fn unmake(&mut self) {
        let Some(undo) = self.history.pop() else {
            return;
        };
        self.side = !self.side;
        let us = self.side;
        let mv = undo.mv;
        if self.variant.moves_go_on() {
            self.take_back_after(mv);
        }
        match mv.tag() {
            Tag::Setup => {
                self.arrange(us, undo.state as usize);
            }
            Tag::Drop => {
                self.board.take(mv.to());
            }
            Tag::Pass => {}
            Tag::Castle | Tag::GateCastle => {
                if let Some(castle) = self.castle_of(mv) {
                    self.exchange(castle.king.1, castle.rook.1, castle.king.0, castle.rook.0);
                }
            }
            _ => {
                let placed = self.board.take(mv.to());
                if placed.is_none() {
                    self.board.remove_stone(mv.to());
                }
                if self.variant.moves_have_effects() {
                    self.take_back_effects(mv);
                }
                if let Some(piece) = undo.changed.or(placed) {
                    self.board.put(piece, mv.from());
                }
                if let Some(captured) = undo.captured {
                    // The square passed was empty: what was captured by a move to it, was captured en passant.
                    let passed = undo.ep.filter(|passed| passed.square() == mv.to());
                    let square = passed.map_or(mv.to(), Passed::piece);
                    self.board.put(captured, square);
                }
            }
        }
        self.rights = if mv.tag() == Tag::Setup { 0 } else { undo.state };
        if mv.tag() != Tag::Setup && us == Color::Black {
            self.fullmove -= 1;
        }
        self.checks = undo.checks;
        self.ep = undo.ep;
        self.setup = undo.setup;
        self.halfmoves = undo.halfmoves;
        self.board.restore_hands(undo.hands, undo.pieces_key);
        debug_assert_eq!(self.key(), undo.key);
    }
}
