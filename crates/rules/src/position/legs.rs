//! Moves of two legs in one turn, the first of which captures; and pieces that are not exchanged.

use super::legality::Safety;
use super::movegen::{LegScope, Scope};
use super::sink::Sink;
use super::{Passed, Position};
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, Piece, PieceType, Square, Tag};
use crate::variant::Trade;

impl Position {
    /// The moves of two legs of pieces of this type, and those of pieces that stay where they are.
    #[cold]
    pub(super) fn generate_legs<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let Some(tables) = self.variant.side(self.side).moves(kind).legs() else { return };
        let enemies = self.board.side(!self.side);
        let wanted = match scope.legs {
            LegScope::Targets => scope.to,
            LegScope::Captures => Bitboard::ALL,
            LegScope::Quiets => Bitboard::EMPTY,
        };
        for from in pieces {
            // Where it starts is empty once it has left.
            let empty = !self.occupied() | Bitboard::of(from);
            let legs = if wanted.is_empty() { [].iter() } else { tables.legs[from.index()].iter() };
            for leg in legs.filter(|leg| enemies.contains(leg.via)) {
                let targets = (leg.quiet & empty | leg.capture & enemies) & wanted;
                let allowed = targets & !self.untradable_by_legs(kind, from, leg.via);
                for to in allowed {
                    let captured = Bitboard::of(leg.via) | Bitboard::of(to) & enemies;
                    if self.is_safe_after(safety, kind, (Bitboard::of(from), to), captured) {
                        sink.one(Move::legs(from, leg.via, to));
                    }
                }
            }
            let may_stay = tables.stays[from.index()].meets(!self.occupied());
            let step = (Bitboard::of(from), from);
            if may_stay
                && scope.to.contains(from)
                && self.is_safe_after(safety, kind, step, Bitboard::EMPTY)
            {
                sink.one(Move::stay(from));
            }
            if sink.is_done() {
                return;
            }
        }
    }

    /// The squares of the pieces that a move of the side to move captures: none, one, or two by a move of two legs.
    /// What an explosion removes is not among them.
    pub fn captured_on(&self, mv: Move) -> Bitboard {
        let squares = match mv.tag() {
            Tag::Drop | Tag::Setup | Tag::Pass | Tag::Castle | Tag::GateCastle => {
                return Bitboard::EMPTY;
            }
            Tag::Legs => Bitboard::of(mv.via()) | Bitboard::of(mv.to()),
            _ => Bitboard::of(self.en_passant_by(mv).unwrap_or(mv.to())),
        };
        squares & self.board.side(!self.side)
    }

    /// The squares on which a piece may not capture because the pieces there are not exchanged.
    pub(super) fn untradable(&self, trade: &Trade, kind: PieceType, from: Square) -> Bitboard {
        let strong = self.strong_enemies(trade);
        if !trade.kinds.contains(kind) {
            return self
                .ep
                .map_or(Bitboard::EMPTY, |passed| strong & !Bitboard::of(passed.square()));
        }
        let far = strong & !self.variant.geometry().neighbors(from);
        far.filter(|&square| self.is_protected(square, from, from)).collect()
    }

    /// The same of the captures of a move whose first leg captures on `via`: all squares if that is forbidden.
    fn untradable_by_legs(&self, kind: PieceType, from: Square, via: Square) -> Bitboard {
        let Some(trade) = self.variant.trade() else { return Bitboard::EMPTY };
        let strong = self.strong_enemies(trade);
        if !trade.kinds.contains(kind) {
            let forbidden = self.untradable(trade, kind, from);
            return if forbidden.contains(via) { Bitboard::ALL } else { forbidden };
        }
        if self.at(via).is_some_and(|captured| !trade.cheap.contains(captured.kind())) {
            return Bitboard::EMPTY;
        }
        let far = strong & !self.variant.geometry().neighbors(from);
        far.filter(|&square| self.is_protected(square, from, via)).collect()
    }

    /// The piece that a move may not capture because it is not exchanged, and whether that is because it is protected.
    pub(crate) fn forbidden_trade(&self, kind: PieceType, mv: Move) -> Option<(Square, bool)> {
        let trade = self.variant.trade()?;
        let forbidden = if mv.has_legs() {
            self.untradable_by_legs(kind, mv.from(), mv.via())
        } else {
            self.untradable(trade, kind, mv.from())
        };
        let targets = [mv.to(), mv.via()];
        let number = if mv.has_legs() { 2 } else { 1 };
        let strong = self.strong_enemies(trade);
        let mut targets = targets.into_iter().take(number);
        let square = targets.find(|&square| (forbidden & strong).contains(square))?;
        Some((square, trade.kinds.contains(kind)))
    }

    fn strong_enemies(&self, trade: &Trade) -> Bitboard {
        self.strong_pieces(trade, !self.side)
    }

    fn strong_pieces(&self, trade: &Trade, color: Color) -> Bitboard {
        self.pieces_of_kinds(color, trade.kinds)
    }

    /// Whether an enemy of the side to move attacks `square` after its piece has left `from` by way of `via`. A piece
    /// that it captures there counts as a protector, by the ruling of the Japanese Chu Shogi Association.
    fn is_protected(&self, square: Square, from: Square, via: Square) -> bool {
        let occupied = self.occupied() & !Bitboard::of(from);
        let open = occupied & !Bitboard::of(via);
        let them = !self.side;
        !self.attackers(square, them, occupied).is_empty()
            || via != from && !self.attackers(square, them, open).is_empty()
    }

    /// Notes that a piece has captured one that is not exchanged: on this square alone may the other side capture one
    /// next. Nothing is noted where it could not capture one elsewhere.
    pub(super) fn note_trade(&mut self, trade: &Trade, mover: Piece, captured: Piece, on: Square) {
        if trade.kinds.contains(captured.kind()) && !trade.kinds.contains(mover.kind()) {
            self.ep = self.trade_at(mover.color(), on);
        }
    }

    /// What is noted after such a capture by `color`.
    pub(super) fn trade_at(&self, color: Color, on: Square) -> Option<Passed> {
        let trade = self.variant.trade()?;
        let elsewhere = self.strong_pieces(trade, color) & !Bitboard::of(on);
        (!elsewhere.is_empty()).then(|| Passed::new(on, on))
    }

    /// Captures what stands where the first of two legs ends.
    pub(super) fn capture_on_the_way(&mut self, mv: Move, mover: Piece) {
        if mv.via() == mv.from() {
            return;
        }
        let captured = self.at(mv.via());
        self.blow_up(Bitboard::of(mv.via()), mv.to());
        self.halfmoves = 0;
        if let (Some(trade), Some(captured)) = (self.variant.trade().copied(), captured) {
            self.note_trade(&trade, mover, captured, mv.via());
        }
    }
}
