//! Generation of legal moves.

use super::Position;
use super::legality::Safety;
use super::sink::{Count, Find, Origin, Sink};
use crate::bitboard::Bitboard;
use crate::types::{Move, MoveList, PieceType, PieceTypeSet, Square, Tag};
use crate::variant::{PieceMoves, Promotion, RoyaltyKind};

/// Which of the legal moves are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    /// The pieces that move.
    pub from: Bitboard,
    /// Where they go. En-passant captures go to the square passed.
    pub to: Bitboard,
    /// Whether drops are wanted.
    pub drops: bool,
    /// Whether drops that may not give mate are tested for it. (Replies to such a drop are judged
    /// without this rule where the king is captured, not mated.)
    pub(super) judge_mates: bool,
}

impl Scope {
    /// All legal moves.
    pub const ALL: Scope =
        Scope { from: Bitboard::ALL, to: Bitboard::ALL, drops: true, judge_mates: true };

    /// Drops to these squares.
    pub fn drops_to(to: Bitboard) -> Scope {
        Scope { from: Bitboard::EMPTY, to, ..Scope::ALL }
    }

    /// The moves that capture nothing, en passant excepted.
    pub fn quiets(position: &Position) -> Scope {
        Scope { to: !position.pieces_of(!position.side()), ..Scope::ALL }
    }

    /// The captures in a position, en passant excepted.
    pub fn captures(position: &Position) -> Scope {
        Scope { to: position.pieces_of(!position.side()), drops: false, ..Scope::ALL }
    }
}

impl Position {
    /// The legal moves. A position that is decided on the board has none.
    pub fn legal_moves(&self) -> MoveList {
        self.legal_moves_in(&Scope::ALL)
    }

    /// The legal moves within a scope; setup plies come whatever the scope.
    pub fn legal_moves_in(&self, scope: &Scope) -> MoveList {
        let mut list = MoveList::new();
        self.add_legal_moves(scope, &mut list);
        list
    }

    /// Adds the legal moves within a scope to a list. To hand a list over by value copies all its
    /// capacity; where that counts, this does not.
    pub fn add_legal_moves(&self, scope: &Scope, list: &mut MoveList) {
        self.generate(scope, list);
    }

    /// The number of legal moves, without making a list.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Count::default();
        self.generate(&Scope::ALL, &mut count);
        count.0
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether a move, whatever its bits, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_in(mv, &Scope::ALL)
    }

    /// Whether a move is among those of a scope: only the moves of its piece are generated.
    pub(super) fn is_legal_in(&self, mv: Move, scope: &Scope) -> bool {
        let to = scope.to & Bitboard::of(mv.to());
        let scope = match mv.tag() {
            Tag::Pass => return mv == Move::pass() && !scope.from.is_empty() && self.may_pass(),
            Tag::Drop => Scope { from: Bitboard::EMPTY, to, ..*scope },
            Tag::Setup => *scope,
            _ => Scope { from: scope.from & Bitboard::of(mv.from()), to, drops: false, ..*scope },
        };
        let mut find = Find { wanted: mv, found: false };
        self.generate(&scope, &mut find);
        find.found
    }

    pub(super) fn generate<S: Sink>(&self, scope: &Scope, sink: &mut S) {
        if self.is_decided() {
            return;
        }
        if self.setup.is_pending() {
            return self.generate_setups(sink);
        }
        self.generate_undecided(scope, sink);
    }

    /// The moves of a position that is known not to be decided on the board.
    pub(super) fn generate_undecided<S: Sink>(&self, scope: &Scope, sink: &mut S) {
        if let Some(royal) = self.must_place_royal(self.side) {
            if scope.drops {
                let safe = !self.occupied() & !self.attacked_by(!self.side);
                let zone = self.variant.side(self.side).drop_zone[royal.index()];
                sink.drops(royal, PieceTypeSet::of(royal), safe & zone & scope.to);
            }
            return;
        }
        let safety = self.safety();
        if self.variant.compels && self.generate_compelled(&safety, scope, sink) {
            return;
        }
        self.generate_free(&safety, scope, sink);
    }

    /// The moves where nothing compels.
    #[inline(always)]
    fn generate_free<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        self.generate_pieces(safety, scope, sink);
        if let Some(royal) = self.facing_royal(self.side) {
            self.generate_shot(royal, scope, sink);
        }
        if self.rights != 0 {
            self.generate_castles(safety, scope, sink);
        }
        if scope.drops && !self.board.hand(self.side).is_empty() {
            self.generate_drops(safety, PieceTypeSet::ALL, scope, sink);
        }
        if self.variant.pass && scope.drops && !scope.from.is_empty() && self.may_pass() {
            sink.one(Move::pass());
        }
    }

    /// The moves of the pieces on the board.
    #[inline]
    fn generate_pieces<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        for kind in self.variant.side(self.side).movers {
            let pieces = self.board.pieces(self.side, kind) & scope.from;
            if !pieces.is_empty() {
                self.generate_piece(kind, pieces, safety, scope, sink);
            }
        }
    }

    /// The moves if there is no free choice: while certain pieces are in hand, or while there are
    /// captures. Tells whether that is so.
    #[cold]
    fn generate_compelled<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) -> bool {
        let hand = self.board.hand(self.side).slots();
        let mut held = hand.map(|slot| self.variant.hand_kinds()[slot]);
        if held.any(|kind| self.variant.must_drop.contains(kind)) {
            if scope.drops {
                self.generate_placements(safety, scope, sink);
            }
            return true;
        }
        if self.variant.checkless {
            self.generate_without_check(safety, scope, sink);
            return true;
        }
        let mut captures = Count::default();
        self.generate_captures(safety, &Scope::ALL, &mut captures);
        if !self.variant.must_capture || captures.0 == 0 {
            return false;
        }
        self.generate_captures(safety, scope, sink);
        true
    }

    /// The drops of pieces that must be dropped; a royal is not put where it could be captured.
    fn generate_placements<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        let royals = if self.variant.captures_royals() {
            PieceTypeSet::EMPTY
        } else {
            self.variant.royals()
        };
        for kind in self.variant.must_drop {
            let mut to = scope.to;
            if royals.contains(kind) {
                to &= !self.attacked_by(!self.side);
            }
            self.generate_drops(safety, PieceTypeSet::of(kind), &Scope { to, ..*scope }, sink);
        }
    }

    /// Those moves that give no check.
    fn generate_without_check<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        let mut moves = MoveList::new();
        self.generate_free(safety, scope, &mut moves);
        let mut after = self.without_history();
        for &mv in &moves {
            after.make(mv);
            if !after.is_check() {
                sink.one(mv);
            }
            after.unmake();
        }
    }

    /// All captures, those in passing included.
    fn generate_captures<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        let enemies = self.board.side(!self.side);
        self.generate_pieces(safety, &Scope { to: scope.to & enemies, ..*scope }, sink);
        if let Some(royal) = self.facing_royal(self.side) {
            self.generate_shot(royal, scope, sink);
        }
        if self.ep.is_some() {
            for kind in self.variant.side(self.side).passers {
                let pieces = self.board.pieces(self.side, kind) & scope.from;
                self.generate_en_passant(kind, pieces, safety, scope, sink);
            }
        }
    }

    /// Whether the side to move may pass: not while in check, but always while royals face each other
    /// in a game that ends so.
    fn may_pass(&self) -> bool {
        self.variant.pass
            && !self.setup.is_pending()
            && !self.is_decided()
            && (!self.is_check() || self.variant.end().facing && self.royals_face())
    }

    /// The capture of the enemy royal along an open file.
    fn generate_shot<S: Sink>(&self, royal: Square, scope: &Scope, sink: &mut S) {
        let Some(from) = self.royal_square(self.side).filter(|&from| scope.from.contains(from))
        else {
            return;
        };
        let Some(piece) = self.at(from) else { return };
        // Side by side it is an ordinary capture as well, and already told.
        let told = self.targets(self.side, piece.kind(), from);
        sink.moves(Origin::Square(from), Bitboard::of(royal) & scope.to & !told);
    }

    /// The moves of all pieces of one kind.
    #[inline]
    fn generate_piece<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let moves = self.variant.side(self.side).moves(kind);
        let mut promotion = self.variant.side(self.side).promotion(kind);
        let limited;
        if let Some(rule) = promotion.filter(|rule| rule.limited) {
            limited = self.without_exhausted(rule);
            promotion = Some(&limited);
        }
        if safety.by_hand || promotion.is_some_and(|rule| self.lifts_royalty(safety, rule)) {
            return self.generate_by_hand(kind, pieces, safety, promotion, scope, sink);
        }
        if self.is_guarded(safety, kind) {
            for from in pieces {
                let targets = self.targets(self.side, kind, from) & scope.to;
                let safe = self.safe_targets(safety, (kind, from), targets);
                emit(promotion, Origin::Square(from), safe, sink);
            }
            return;
        }
        let mask = safety.mask & scope.to;
        let mut single = pieces;
        if !moves.shifts.is_empty() {
            single = pieces & safety.pinned;
            self.generate_shifts(moves, promotion, pieces & !safety.pinned, mask, sink);
        }
        for from in single {
            let mut targets = mask;
            targets &= if moves.extras.is_none() {
                self.plain_targets(self.side, moves, from)
            } else {
                self.targets(self.side, kind, from)
            };
            if safety.pinned.contains(from) {
                targets &= self.pin_of(safety, from);
            }
            emit(promotion, Origin::Square(from), targets, sink);
        }
        if !moves.doubles.is_empty() {
            self.generate_double_steps(kind, pieces, safety, mask, sink);
        }
        if self.ep.is_some() {
            self.generate_en_passant(kind, pieces, safety, scope, sink);
        }
    }

    /// The rule without the pieces of which the side has as many as it may have.
    #[cold]
    fn without_exhausted(&self, rule: &Promotion) -> Promotion {
        let side = self.variant.side(self.side);
        let is_left = |kind: &PieceType| {
            let count = self.board.pieces(self.side, *kind).len();
            side.limit[kind.index()].is_none_or(|limit| count < u32::from(limit))
        };
        Promotion { to: rule.to.filter(is_left).collect(), ..*rule }
    }

    /// The moves of pieces that are moved all at once.
    #[inline]
    fn generate_shifts<S: Sink>(
        &self,
        moves: &PieceMoves,
        promotion: Option<&Promotion>,
        pieces: Bitboard,
        mask: Bitboard,
        sink: &mut S,
    ) {
        let (empty, enemy) = (!self.occupied(), self.board.side(!self.side));
        for shift in &moves.shifts {
            let mut allowed = Bitboard::EMPTY;
            if shift.quiet {
                allowed |= empty;
            }
            if shift.capture {
                allowed |= enemy;
            }
            let targets = (pieces & shift.from).shift(shift.delta) & allowed & mask;
            emit(promotion, Origin::Shift(shift.delta), targets, sink);
        }
    }

    /// Two steps at once, over an empty square to an empty square.
    #[inline]
    fn generate_double_steps<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        mask: Bitboard,
        sink: &mut S,
    ) {
        let moves = self.variant.side(self.side).moves(kind);
        let empty = !self.occupied() & self.variant.geometry().squares();
        let marked = self.variant.piece(kind).double_step == Some(true);
        for double in &moves.doubles {
            let once = (pieces & double.from).shift(double.delta) & empty;
            let targets = once.shift(double.delta) & empty & mask;
            let delta = 2 * double.delta;
            if !marked && !targets.shift(-delta).meets(safety.pinned) {
                sink.moves(Origin::Shift(delta), targets);
                continue;
            }
            for to in targets {
                let from = to.offset(-delta);
                if !safety.pinned.contains(from) || self.pin_of(safety, from).contains(to) {
                    let tag = if marked { Tag::DoubleStep } else { Tag::Normal };
                    sink.one(Move::tagged(from, to, tag));
                }
            }
        }
    }

    /// The capture of a piece that has just passed, by one that can make a double step itself.
    fn generate_en_passant<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let Some(passed) = self.ep.filter(|passed| scope.to.contains(passed.square())) else {
            return;
        };
        if self.variant.piece(kind).double_step != Some(true) {
            return;
        }
        let moves = self.variant.side(self.side).moves(kind);
        let (to, captured) = (passed.square(), Bitboard::of(passed.piece()));
        for from in moves.captured_from[to.index()] & pieces {
            if self.is_safe_after(safety, kind, (Bitboard::of(from), to), captured) {
                sink.one(Move::tagged(from, to, Tag::EnPassant));
            }
        }
    }

    /// Whether promoting makes a second royal of the last-of-kind sort, so that none is royal.
    #[inline]
    fn lifts_royalty(&self, safety: &Safety, promotion: &Promotion) -> bool {
        safety.royal.is_some()
            && self.variant.royalty.is_some_and(|royalty| {
                royalty.kind == RoyaltyKind::Last && promotion.to.meets(royalty.pieces)
            })
    }

    /// The moves of pieces that need a test each.
    fn generate_by_hand<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        promotion: Option<&Promotion>,
        scope: &Scope,
        sink: &mut S,
    ) {
        let moves = self.variant.side(self.side).moves(kind);
        // Where royalty is lifted, and in check, every move is tested.
        let critical = if safety.by_hand { safety.critical } else { Bitboard::ALL };
        let is_royal = self.is_guarded(safety, kind);
        for from in pieces {
            let raw = self.targets(self.side, kind, from) & scope.to;
            let is_safe = |&to: &Square| {
                let captured = Bitboard::of(to) & self.board.side(!self.side);
                self.is_safe_after(safety, kind, (Bitboard::of(from), to), captured)
            };
            let mut tested = raw;
            if !is_royal && !critical.contains(from) {
                tested &= critical;
            }
            let safe = raw & !tested | tested.filter(is_safe).collect::<Bitboard>();
            emit(promotion, Origin::Square(from), safe, sink);
            // What becomes a second royal may leave the first attacked.
            if let Some(rule) = promotion.filter(|rule| self.lifts_royalty(safety, rule)) {
                let royals = rule.to.filter(|&to| self.variant.royals().contains(to)).collect();
                sink.promotions(Origin::Square(from), raw & !safe & rule.zone, royals);
            }
        }
        if !moves.doubles.is_empty() {
            let doubles = &mut MoveList::new();
            self.generate_double_steps(kind, pieces, &Safety::FREE, scope.to, doubles);
            doubles.retain(|mv| {
                let step = (Bitboard::of(mv.from()), mv.to());
                self.is_safe_after(safety, kind, step, Bitboard::EMPTY)
            });
            doubles.iter().for_each(|&mv| sink.one(mv));
        }
        if self.ep.is_some() {
            self.generate_en_passant(kind, pieces, safety, scope, sink);
        }
    }
}

/// Hands targets on, split by whether the piece promotes there.
#[inline]
fn emit<S: Sink>(promotion: Option<&Promotion>, origin: Origin, targets: Bitboard, sink: &mut S) {
    let Some(promotion) = promotion else {
        return sink.moves(origin, targets);
    };
    let (mut zone, mut forced) = (promotion.zone, promotion.forced);
    if promotion.leaving {
        let after_leaving = |part: Bitboard| match origin {
            Origin::Square(from) if part.contains(from) => Bitboard::ALL,
            Origin::Square(_) => part,
            Origin::Shift(delta) => part | part.shift(delta),
        };
        (zone, forced) = (after_leaving(zone), after_leaving(forced));
    }
    sink.moves(origin, targets & !forced);
    let promoting = targets & zone;
    if !promoting.is_empty() {
        sink.promotions(origin, promoting, promotion.to);
    }
}
