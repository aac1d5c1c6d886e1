//! Generation of legal moves: all of them, those within a [`Scope`], or only whether there is one.

use super::Position;
use super::legality::Safety;
use super::sink::{Any, Count, Find, Origin, Sink};
use crate::bitboard::Bitboard;
use crate::types::{Move, MoveList, PieceType, PieceTypeSet, Square, Tag};
use crate::variant::{PieceMoves, Promotion};

/// The legal moves to generate, by origin, target and kind.
///
/// ```
/// use garrison_rules::{Bitboard, Position, Scope, find};
///
/// let fen = "4k3/8/8/3p4/4P3/8/8/4K3[N] w - - 0 1";
/// let position = Position::from_fen(&find("crazyhouse")?, fen)?;
/// let captures = position.legal_moves_in(&Scope::captures(&position));
/// assert!(captures.iter().map(|&mv| position.san(mv)).eq(["exd5"]));
/// let drops = position.legal_moves_in(&Scope::drops_to(Bitboard::ALL));
/// assert_eq!(drops.len(), 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    /// The origins wanted; drops have none.
    pub from: Bitboard,
    /// The targets wanted. The target of an en-passant capture is the square passed.
    pub to: Bitboard,
    /// Whether drops are wanted.
    pub drops: bool,
    /// Whether drops that may not mate are tested for it. (In games of king capture the replies to such a drop
    /// are themselves not tested.)
    pub(super) judge_mates: bool,
    /// Which moves of two legs are wanted.
    pub(super) legs: LegScope,
}

/// Moves of two legs, whose last square does not say whether they capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LegScope {
    /// Those whose targets are wanted.
    Targets,
    /// Those that capture, whatever their target.
    Captures,
    /// Those that capture nothing.
    Quiets,
}

impl Scope {
    /// All legal moves.
    pub const ALL: Scope = Scope {
        from: Bitboard::ALL,
        to: Bitboard::ALL,
        drops: true,
        judge_mates: true,
        legs: LegScope::Targets,
    };

    /// Only the drops to these squares.
    pub fn drops_to(to: Bitboard) -> Scope {
        Scope { from: Bitboard::EMPTY, to, ..Scope::ALL }
    }

    /// The moves that capture nothing, en passant excepted.
    pub fn quiets(position: &Position) -> Scope {
        let to = !position.pieces_of(!position.side_to_move());
        Scope { to, legs: LegScope::Quiets, ..Scope::ALL }
    }

    /// The captures in a position, en passant excepted.
    pub fn captures(position: &Position) -> Scope {
        let to = position.pieces_of(!position.side_to_move());
        Scope { to, drops: false, legs: LegScope::Captures, ..Scope::ALL }
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

    /// Adds the legal moves within a scope to a list, which may be used again and again.
    pub fn add_legal_moves(&self, scope: &Scope, list: &mut MoveList) {
        self.generate(scope, list);
    }

    /// The number of legal moves, without making a list.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Count::default();
        self.generate(&Scope::ALL, &mut count);
        count.0
    }

    /// Whether there is a legal move. Stops at the first one.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any::default();
        self.generate(&Scope::ALL, &mut any);
        any.found
    }

    /// Whether a move is legal here. It may be any [`Move`], such as one of another position.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_in(mv, &Scope::ALL)
    }

    /// Whether a move is legal and within a scope. Only the moves of its piece to its target are generated.
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

    /// Generates the legal moves within a scope.
    pub(super) fn generate<S: Sink>(&self, scope: &Scope, sink: &mut S) {
        if self.is_decided() {
            return;
        }
        if self.setup.is_pending() {
            return self.generate_setups(sink);
        }
        self.generate_undecided(scope, sink);
    }

    /// The legal moves of a position that is not decided on the board.
    pub(super) fn generate_undecided<S: Sink>(&self, scope: &Scope, sink: &mut S) {
        if let Some(royal) = self.must_place_royal(self.side) {
            if scope.drops {
                let safe = !self.occupied() & !self.attacked_by(!self.side);
                let zone = self.variant.side(self.side).piece(royal).drop.zone;
                sink.drops(royal, PieceTypeSet::of(royal), safe & zone & scope.to);
            }
            return;
        }
        let safety = self.safety();
        if !self.variant.obligations().is_empty() && self.generate_obliged(&safety, scope, sink) {
            return;
        }
        self.generate_free(&safety, scope, sink);
    }

    /// The legal moves where no obligation applies.
    #[inline(always)]
    pub(super) fn generate_free<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        self.generate_pieces(safety, scope, sink);
        if sink.is_done() {
            return;
        }
        if let Some(royal) = self.facing_royal(self.side) {
            self.generate_shot(royal, scope, sink);
        }
        if self.rights != 0 {
            self.generate_by_rights(safety, scope, sink);
        }
        if scope.drops && !self.board.hand(self.side).is_empty() {
            self.generate_drops(safety, PieceTypeSet::ALL, scope, sink);
        }
        if self.variant.allows_pass() && scope.drops && !scope.from.is_empty() && self.may_pass() {
            sink.one(Move::pass());
        }
    }

    /// The moves of the pieces on the board.
    #[inline]
    pub(super) fn generate_pieces<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        if safety.one_by_one {
            return self.generate_pieces_one_by_one(safety, scope, sink);
        }
        self.generate_each_kind(safety, scope, sink, |kind, pieces, promotion, sink| {
            self.generate_kind(kind, pieces, safety, promotion, scope, sink);
        });
    }

    /// The same where the safety of every move is tested.
    #[inline(never)]
    fn generate_pieces_one_by_one<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        self.generate_each_kind(safety, scope, sink, |kind, pieces, promotion, sink| {
            self.generate_one_by_one(kind, pieces, safety, promotion, scope, sink);
        });
    }

    /// The moves of the side's pieces, type by type; `ordinary` generates those of types that are not exceptional.
    #[inline(always)]
    fn generate_each_kind<S: Sink>(
        &self,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
        ordinary: impl Fn(PieceType, Bitboard, Option<&Promotion>, &mut S),
    ) {
        let side = self.variant.side(self.side);
        for kind in side.movers {
            let pieces = self.board.pieces(self.side, kind) & scope.from;
            if pieces.is_empty() {
                continue;
            }
            if side.exceptional.contains(kind) {
                self.generate_exceptional(kind, pieces, safety, scope, sink);
            } else {
                ordinary(kind, pieces, side.promotion(kind), sink);
            }
            if self.ep.is_some() && !sink.is_done() {
                self.generate_en_passant(kind, pieces, safety, scope, sink);
            }
            if sink.is_done() {
                return;
            }
        }
    }

    /// The capture of the enemy royal along an open file.
    pub(super) fn generate_shot<S: Sink>(&self, royal: Square, scope: &Scope, sink: &mut S) {
        let Some(from) = self.royal_square(self.side).filter(|&from| scope.from.contains(from))
        else {
            return;
        };
        let Some(piece) = self.at(from) else { return };
        // On adjacent squares it is an ordinary capture, which is generated with the moves of the piece.
        let ordinary = self.targets(self.side, piece.kind(), from);
        sink.moves(Origin::Square(from), Bitboard::of(royal) & scope.to & !ordinary);
    }

    /// The moves of all pieces of one type, except en passant, where not every move is tested by itself.
    #[inline(always)]
    pub(super) fn generate_kind<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        promotion: Option<&Promotion>,
        scope: &Scope,
        sink: &mut S,
    ) {
        let moves = self.variant.side(self.side).moves(kind);
        if self.is_guarded(safety, kind) {
            for from in pieces {
                let targets = self.targets(self.side, kind, from) & scope.to;
                let safe = self.safe_targets(safety, (kind, from), targets);
                emit(promotion, Origin::Square(from), safe, sink);
                if sink.is_done() {
                    return;
                }
            }
            if !moves.doubles.is_empty() {
                self.generate_tested_doubles((kind, pieces), safety, scope, sink);
            }
            return;
        }
        let mask = safety.mask & scope.to;
        let mut single = pieces;
        if !moves.shifts.is_empty() {
            single = pieces & safety.pinned;
            self.generate_shifts(moves, promotion, pieces & !safety.pinned, mask, sink);
            if sink.is_done() {
                return;
            }
        }
        for from in single {
            let mut targets = mask;
            targets &= if moves.irregular.is_none() {
                self.regular_targets(self.side, moves, from)
            } else {
                self.targets(self.side, kind, from)
            };
            if safety.pinned.contains(from) {
                targets &= self.pin_of(safety, from);
            }
            emit(promotion, Origin::Square(from), targets, sink);
            if sink.is_done() {
                return;
            }
        }
        if !moves.doubles.is_empty() {
            self.generate_double_steps(kind, pieces, safety, mask, sink);
        }
    }

    /// The moves of pieces that are moved all at once, by shifts of their bitboard.
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

    /// Double steps, over an empty square to an empty square.
    #[inline(always)]
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

    /// The moves of pieces whose safety is tested move by move.
    #[inline(always)]
    pub(super) fn generate_one_by_one<S: Sink>(
        &self,
        kind: PieceType,
        pieces: Bitboard,
        safety: &Safety,
        promotion: Option<&Promotion>,
        scope: &Scope,
        sink: &mut S,
    ) {
        let moves = self.variant.side(self.side).moves(kind);
        // Where a promotion lifts royalty, every move is tested, in check or not.
        let critical = if safety.one_by_one { safety.critical } else { Bitboard::ALL };
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
            if sink.is_done() {
                return;
            }
            // With a second royal neither is royal: the first may be left attacked.
            if let Some(rule) = promotion.filter(|_| self.lifts_royalty(safety, kind)) {
                let royals = rule.to.filter(|&to| self.variant.royals().contains(to)).collect();
                let (zone, _) = rule.zones(Origin::Square(from));
                sink.promotions(Origin::Square(from), raw & !safe & zone, royals);
            }
        }
        if !moves.doubles.is_empty() {
            self.generate_tested_doubles((kind, pieces), safety, scope, sink);
        }
    }

    /// Double steps, each tested by itself.
    fn generate_tested_doubles<S: Sink>(
        &self,
        (kind, pieces): (PieceType, Bitboard),
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let doubles = &mut MoveList::new();
        self.generate_double_steps(kind, pieces, &Safety::FREE, scope.to, doubles);
        doubles.retain(|mv| {
            let step = (Bitboard::of(mv.from()), mv.to());
            self.is_safe_after(safety, kind, step, Bitboard::EMPTY)
        });
        doubles.iter().for_each(|&mv| sink.one(mv));
    }
}

/// Passes targets to the sink: as plain moves and as promotions, by the zone they are in.
#[inline]
fn emit<S: Sink>(promotion: Option<&Promotion>, origin: Origin, targets: Bitboard, sink: &mut S) {
    let Some(promotion) = promotion else {
        return sink.moves(origin, targets);
    };
    let (zone, forced) = promotion.zones(origin);
    sink.moves(origin, targets & !forced);
    let promoting = targets & zone;
    if !promoting.is_empty() {
        sink.promotions(origin, promoting, promotion.to);
    }
}
