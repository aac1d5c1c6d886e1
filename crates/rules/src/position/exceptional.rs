//! Pieces that the generator does not treat as others are: those that may go without capturing where they capture en
//! passant, those whose promotions depend on the position or are no moves, and royals that may not leave a check.

use super::Position;
use super::legality::Safety;
use super::movegen::Scope;
use super::sink::{Origin, Sink};
use crate::bitboard::Bitboard;
use crate::types::{Move, PieceType, PieceTypeSet, Square};
use crate::variant::Promotion;

impl Position {
    /// The moves of the pieces of such a type, except en passant.
    #[cold]
    pub(super) fn generate_exceptional<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let side = self.variant.side(self.side);
        let stays = side.staying_in_check.contains(kind);
        let allowed = if stays { self.targets_of_checked_royal() } else { Bitboard::ALL };
        let scope = &Scope { to: scope.to & allowed, ..*scope };
        let mut promotion = side.promotion(kind).copied();
        if let Some(rule) = promotion.as_mut().filter(|rule| rule.limited) {
            *rule = self.without_exhausted(rule);
        }
        if let Some(rule) = promotion.take_if(|rule| rule.in_place) {
            self.generate_in_place(kind, pieces, safety, &rule, scope, sink);
        }
        if let Some(rule) = &mut promotion
            && side.making_guarded_royals.contains(kind)
        {
            self.generate_royal_promotions(kind, pieces, safety, rule, scope, sink);
            rule.to = rule.to.filter(|&to| !self.variant.royals().contains(to)).collect();
        }
        let inside = promotion.filter(|rule| rule.once).map(|rule| pieces & rule.zone);
        if let (Some(rule), Some(inside)) = (promotion, inside.filter(|inside| !inside.is_empty()))
        {
            // From within the zone it promotes by captures and where it is not too late.
            let zone = self.board.side(!self.side) | rule.late;
            let rule = Promotion { zone, forced: rule.forced & zone, once: false, ..rule };
            self.generate_tradable(kind, inside, safety, Some(&rule), scope, sink);
            if sink.is_done() {
                return;
            }
        }
        let pieces = pieces & !inside.unwrap_or(Bitboard::EMPTY);
        let promotion = promotion.as_ref();
        // A move to the square passed by a step with which the piece captures does capture there.
        let passed = self.ep.filter(|_| side.ambiguous_captors.contains(kind));
        let captors = passed.map(|passed| self.captors_in_passing(self.side, kind, passed));
        let mut others = Except {
            captors: captors.unwrap_or(Bitboard::EMPTY),
            passed: passed.map_or(Square::new(0), |passed| passed.square()),
            sink,
        };
        let mut ordinary = pieces;
        if let Some(rule) = promotion.filter(|_| self.lifts_royalty(safety, kind)) {
            let promotes = |&from: &Square| {
                self.targets(self.side, kind, from).meets(rule.zones(Origin::Square(from)).0)
            };
            let promoting = pieces.filter(promotes).collect();
            self.generate_one_by_one(kind, promoting, safety, promotion, scope, &mut others);
            ordinary &= !promoting;
        }
        if !ordinary.is_empty() && !others.is_done() {
            self.generate_tradable(kind, ordinary, safety, promotion, scope, &mut others);
        }
        if !others.is_done() {
            self.generate_legs(kind, pieces, safety, scope, sink);
        }
    }

    /// The moves of all pieces of one type, without captures of pieces that are not exchanged.
    fn generate_tradable<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        promotion: Option<&Promotion>,
        scope: &Scope,
        sink: &mut S,
    ) {
        let trade = self.variant.trade();
        let mut rest = pieces;
        while let Some(from) = rest.into_iter().next() {
            // Where all pieces are exchanged, all of them move at once.
            let (now, to) = match trade {
                Some(trade) => (Bitboard::of(from), scope.to & !self.untradable(trade, kind, from)),
                None => (rest, scope.to),
            };
            rest &= !now;
            let scope = &Scope { to, ..*scope };
            if safety.one_by_one {
                self.generate_one_by_one(kind, now, safety, promotion, scope, sink);
            } else {
                self.generate_kind(kind, now, safety, promotion, scope, sink);
            }
            if sink.is_done() {
                return;
            }
        }
    }

    /// The targets of a royal that may not leave a check: the only piece that checks it, anything where none does.
    fn targets_of_checked_royal(&self) -> Bitboard {
        let checkers = self.checkers(self.side);
        if checkers.is_empty() {
            Bitboard::ALL
        } else if checkers.is_many() {
            Bitboard::EMPTY
        } else {
            checkers
        }
    }
}

/// Passes on the moves to another sink, except those of some pieces to one square.
struct Except<'a, S> {
    captors: Bitboard,
    passed: Square,
    sink: &'a mut S,
}

impl<S: Sink> Except<'_, S> {
    /// The targets left of a set of moves.
    fn left(&self, origin: Origin, targets: Bitboard) -> Bitboard {
        if self.captors.contains(origin.of(self.passed)) {
            return targets & !Bitboard::of(self.passed);
        }
        targets
    }
}

impl<S: Sink> Sink for Except<'_, S> {
    fn moves(&mut self, origin: Origin, targets: Bitboard) {
        self.sink.moves(origin, self.left(origin, targets));
    }

    fn promotions(&mut self, origin: Origin, targets: Bitboard, to: PieceTypeSet) {
        self.sink.promotions(origin, self.left(origin, targets), to);
    }

    fn drops(&mut self, kind: PieceType, becomes: PieceTypeSet, targets: Bitboard) {
        self.sink.drops(kind, becomes, targets);
    }

    fn one(&mut self, mv: Move) {
        self.sink.one(mv);
    }

    fn is_done(&self) -> bool {
        self.sink.is_done()
    }
}
