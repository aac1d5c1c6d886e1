//! Attacks: which pieces attack a square, and which squares a piece attacks.

use super::Position;
use super::irregular::Moved;
use crate::bitboard::Bitboard;
use crate::geometry::Lines;
use crate::types::{Color, PieceType, PieceTypeSet, Square};
use crate::variant::{PieceMoves, Royalty, RoyaltyKind};

impl Position {
    /// The pieces of `by` that attack `square` on a board with these squares `occupied`, without royals that face
    /// each other.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let attackers = self.regular_attackers(square, by, occupied);
        if self.variant.side(by).irregular_attackers.is_empty() {
            return attackers;
        }
        attackers | self.irregular_attackers(square, by, occupied, None)
    }

    /// The pieces of `by` that attack a royal on `square` on a board with these squares `occupied` after `moved`,
    /// with royals that face it if `facing`.
    #[inline]
    pub(super) fn royal_attackers(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
        moved: Moved,
        facing: bool,
    ) -> Bitboard {
        let mut attackers = self.regular_attackers(square, by, occupied);
        if !self.variant.side(by).irregular_attackers.is_empty() {
            attackers |= self.irregular_attackers(square, by, occupied, moved);
        }
        if facing {
            attackers |= self.faced_from(square, by, occupied);
        }
        attackers
    }

    /// The attackers that are regular pieces.
    #[inline]
    fn regular_attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let side = self.variant.side(by);
        let pieces = self.board.side(by) & occupied;
        let mut attackers = Bitboard::EMPTY;
        if side.leap_zone[square.index()].meets(pieces) {
            for kind in side.leapers {
                attackers |=
                    side.moves(kind).captured_from[square.index()] & self.board.pieces(by, kind);
            }
        }
        let geometry = self.variant.geometry();
        let aimed_sliders = self.aimed_sliders(square, by);
        if !aimed_sliders.is_empty() {
            attackers |= aimed_sliders & geometry.slide(square, occupied, Lines::ALL);
        }
        let hoppers = self.aimed_hoppers(square, by);
        if !hoppers.is_empty() {
            attackers |= hoppers & geometry.hop(square, occupied, Lines::ALL);
        }
        attackers & occupied
    }

    /// The regular sliders of `by` that attack `square` on an empty board.
    #[inline]
    pub(super) fn aimed_sliders(&self, square: Square, by: Color) -> Bitboard {
        let side = self.variant.side(by);
        side.sliders.fold(Bitboard::EMPTY, |aimed_sliders, kind| match &side.moves(kind).slides {
            Some(slides) => {
                aimed_sliders | slides.captured_from[square.index()] & self.board.pieces(by, kind)
            }
            None => aimed_sliders,
        })
    }

    /// The regular hoppers of `by` that attack `square` if exactly one piece stands between.
    #[inline]
    pub(super) fn aimed_hoppers(&self, square: Square, by: Color) -> Bitboard {
        let side = self.variant.side(by);
        side.hoppers.fold(Bitboard::EMPTY, |aimed, kind| match &side.moves(kind).hops {
            Some(hops) => aimed | hops.captured_from[square.index()] & self.board.pieces(by, kind),
            None => aimed,
        })
    }

    /// The squares, occupied or not, that the pieces of `by` attack.
    pub fn attacked_by(&self, by: Color) -> Bitboard {
        let side = self.variant.side(by);
        let mut attacked = Bitboard::EMPTY;
        for kind in side.movers {
            let pieces = self.board.pieces(by, kind);
            let shifts = &side.moves(kind).shifts;
            if shifts.is_empty() {
                for from in pieces {
                    attacked |= self.reach(by, kind, from).0;
                }
            }
            for shift in shifts.iter().filter(|shift| shift.capture) {
                attacked |= (pieces & shift.from).shift(shift.delta);
            }
        }
        attacked
    }

    /// The targets of the pseudo-legal moves of a piece of `color`, without castling, double steps and en passant.
    pub(super) fn targets(&self, color: Color, kind: PieceType, from: Square) -> Bitboard {
        let moves = self.variant.side(color).moves(kind);
        if let Some(irregular) = &moves.irregular {
            let (attacks, quiet) = self.irregular_reach(color, moves, irregular, from);
            return attacks & self.board.side(!color) | quiet;
        }
        self.regular_targets(color, moves, from)
    }

    /// [`Position::targets`] of a regular piece: the innermost loop of move generation.
    #[inline(always)]
    pub(super) fn regular_targets(
        &self,
        color: Color,
        moves: &PieceMoves,
        from: Square,
    ) -> Bitboard {
        let geometry = self.variant.geometry();
        let (empty, enemy) = (!self.occupied(), self.board.side(!color));
        let mut targets =
            (moves.leaps_quiet[from.index()] & empty) | (moves.leaps_capture[from.index()] & enemy);
        if let Some(slides) = &moves.slides {
            let reach = geometry.slide(from, self.occupied(), slides.lines);
            targets |= reach
                & ((slides.quiet[from.index()] & empty) | (slides.capture[from.index()] & enemy));
        }
        if let Some(hops) = &moves.hops {
            let reach = geometry.hop(from, self.occupied(), hops.lines);
            targets |=
                reach & ((hops.quiet[from.index()] & empty) | (hops.capture[from.index()] & enemy));
        }
        targets
    }

    /// The squares, occupied or not, that a piece of `color` attacks from a square, and the empty squares to which it
    /// moves without capturing. Whether its royal is safe afterwards plays no part.
    #[inline]
    pub fn reach(&self, color: Color, kind: PieceType, from: Square) -> (Bitboard, Bitboard) {
        let moves = self.variant.side(color).moves(kind);
        if let Some(irregular) = &moves.irregular {
            return self.irregular_reach(color, moves, irregular, from);
        }
        self.regular_reach(moves, from, Bitboard::ALL)
    }

    /// [`Position::reach`] of a regular piece that hops only over pieces on `hurdles`.
    #[inline(always)]
    pub(super) fn regular_reach(
        &self,
        moves: &PieceMoves,
        from: Square,
        hurdles: Bitboard,
    ) -> (Bitboard, Bitboard) {
        let geometry = self.variant.geometry();
        let occupied = self.occupied();
        let mut attacks = moves.leaps_capture[from.index()];
        let mut quiet = moves.leaps_quiet[from.index()];
        if let Some(slides) = &moves.slides {
            let reach = geometry.slide(from, occupied, slides.lines);
            attacks |= reach & slides.capture[from.index()];
            quiet |= reach & slides.quiet[from.index()];
        }
        if let Some(hops) = &moves.hops {
            let reach = geometry.hop_over(from, occupied, hurdles, hops.lines);
            attacks |= reach & hops.capture[from.index()];
            quiet |= reach & hops.quiet[from.index()];
        }
        (attacks, quiet & !occupied)
    }

    /// The royals of `color` on the board.
    #[inline]
    pub(super) fn royals(&self, color: Color) -> Bitboard {
        let Some(royalty) = self.variant.royalty() else {
            return Bitboard::EMPTY;
        };
        let first = self.board.pieces(color, royalty.piece);
        if royalty.pieces == PieceTypeSet::of(royalty.piece) {
            return first;
        }
        royalty.pieces.fold(first, |pieces, kind| pieces | self.board.pieces(color, kind))
    }

    /// The square of the royal of `color`, if it has exactly one on the board.
    #[inline]
    pub fn royal_square(&self, color: Color) -> Option<Square> {
        self.royals(color).single()
    }

    /// The enemy royal that the royal of `color` may capture along an open file, in games that allow it.
    #[inline]
    pub(super) fn facing_royal(&self, color: Color) -> Option<Square> {
        if !self.variant.royalty().is_some_and(Royalty::shoots) {
            return None;
        }
        let (own, other) = (self.royal_square(color)?, self.royal_square(!color)?);
        let geometry = self.variant.geometry();
        let same_file = geometry.file_squares(own).contains(other);
        (same_file && !geometry.between(own, other).meets(self.occupied())).then_some(other)
    }

    /// The enemy pieces that give check to `color`: they attack its only royal, or one of several that must all be
    /// kept safe. In games of king capture, those that threaten to capture the royal.
    pub fn checkers(&self, color: Color) -> Bitboard {
        let facing = self.variant.royalty().is_some_and(Royalty::faces_as_check);
        let attackers =
            |square| self.royal_attackers(square, !color, self.occupied(), None, facing);
        if self.variant.has_several_royals() {
            return self.royals(color).fold(Bitboard::EMPTY, |all, square| all | attackers(square));
        }
        let Some(square) = self.royal_square(color) else {
            return Bitboard::EMPTY;
        };
        let shooter = self.facing_royal(color).map_or(Bitboard::EMPTY, Bitboard::of);
        attackers(square) | shooter
    }

    /// Whether the royal of `color` is attacked.
    pub fn is_attacked(&self, color: Color) -> bool {
        !self.checkers(color).is_empty()
    }

    /// Whether the side to move is in check. In a game of king capture this forbids nothing.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.side)
    }

    /// The square of the royal that `color` must keep safe, the first one of several; `None` if it may leave all royals
    /// attacked, or has none.
    #[inline]
    pub fn guarded_royal(&self, color: Color) -> Option<Square> {
        let royalty = self.variant.royalty()?;
        match royalty.kind {
            RoyaltyKind::Captured => None,
            RoyaltyKind::Absolute if royalty.several => self.royals(color).first(),
            // Where only the last one is royal, none of two or more is.
            RoyaltyKind::Absolute | RoyaltyKind::Last => self.royals(color).single(),
        }
    }
}
