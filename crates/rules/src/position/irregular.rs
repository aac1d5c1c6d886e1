//! Irregular pieces: moves with conditions on the squares passed, first moves, piece types that cannot be captured or
//! hopped over; and royals that face each other. Slower than the rest, and no regular piece pays for it.

use super::Position;
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType, PieceTypeSet, Square};
use crate::variant::{FacingAlong, Irregular, PieceMoves};

/// The move after which a board is looked at: the type of the piece that moves, and its target.
pub(super) type Moved = Option<(PieceType, Square)>;

impl Position {
    /// [`Position::reach`] of an irregular piece, first moves included.
    #[inline(never)]
    pub(super) fn irregular_reach(
        &self,
        color: Color,
        moves: &PieceMoves,
        irregular: &Irregular,
        from: Square,
    ) -> (Bitboard, Bitboard) {
        let hurdles = self.hurdles(irregular.not_over, None);
        let (mut attacks, mut quiet) = self.reach_with_paths(moves, from, hurdles);
        if let Some(first) = &irregular.first
            && self.rights & self.all_rights.first(from) != 0
            && !self.is_checked_royal(color, from)
        {
            quiet |= self.reach_with_paths(first, from, hurdles).1;
        }
        for kind in irregular.spares {
            attacks &= !self.board.pieces(!color, kind);
        }
        (attacks, quiet)
    }

    /// [`Position::regular_reach`], and the moves with conditions on the squares passed.
    #[inline(always)]
    pub(super) fn reach_with_paths(
        &self,
        moves: &PieceMoves,
        from: Square,
        hurdles: Bitboard,
    ) -> (Bitboard, Bitboard) {
        let (attacks, quiet) = self.regular_reach(moves, from, hurdles);
        let Some(paths) = moves.paths() else {
            return (attacks, quiet);
        };
        let (capture, move_only) = paths.reach(from, self.occupied());
        (attacks | capture, quiet | move_only & !self.occupied())
    }

    /// Whether a royal in check stands there: it has no first move.
    fn is_checked_royal(&self, color: Color, square: Square) -> bool {
        !self.variant.captures_royals()
            && self.royals(color).contains(square)
            && self.is_attacked(color)
    }

    /// The squares whose pieces can be hopped over by a piece that does not hop over these types.
    fn hurdles(&self, not_over: PieceTypeSet, moved: Moved) -> Bitboard {
        let mut hurdles = Bitboard::ALL;
        for kind in not_over {
            let pieces = |color| self.board.pieces(color, kind);
            hurdles &= !(pieces(Color::White) | pieces(Color::Black));
        }
        if let Some((kind, to)) = moved {
            hurdles.insert(to);
            if not_over.contains(kind) {
                hurdles &= !Bitboard::of(to);
            }
        }
        hurdles
    }

    /// The irregular pieces of `by` that attack `square` on a board with these squares `occupied` after `moved`.
    #[inline]
    pub(super) fn irregular_attackers(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
        moved: Moved,
    ) -> Bitboard {
        let side = self.variant.side(by);
        if side.irregular_attackers.is_empty()
            || !side.irregular_zone[square.index()].meets(self.board.side(by) & occupied)
        {
            return Bitboard::EMPTY;
        }
        self.irregular_attackers_in_zone(square, by, occupied, moved)
    }

    #[inline(never)]
    fn irregular_attackers_in_zone(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
        moved: Moved,
    ) -> Bitboard {
        let side = self.variant.side(by);
        let geometry = self.variant.geometry();
        let mut attackers = Bitboard::EMPTY;
        let target = match moved {
            Some((kind, to)) if to == square => Some(kind),
            _ => self.at(square).filter(|piece| piece.color() != by).map(|piece| piece.kind()),
        };
        for kind in side.irregular_attackers {
            let pieces = self.board.pieces(by, kind) & occupied;
            let moves = side.moves(kind);
            let Some(irregular) = moves.irregular.as_ref().filter(|_| !pieces.is_empty()) else {
                continue;
            };
            if target.is_some_and(|target| irregular.spares.contains(target)) {
                continue;
            }
            attackers |= moves.captured_from[square.index()] & pieces;
            if let Some(slides) = &moves.slides {
                let aimed = slides.captured_from[square.index()] & pieces;
                if !aimed.is_empty() {
                    attackers |= aimed & geometry.slide(square, occupied, slides.lines);
                }
            }
            if let Some(hops) = &moves.hops {
                let aimed = hops.captured_from[square.index()] & pieces;
                if !aimed.is_empty() {
                    let hurdles = self.hurdles(irregular.not_over, moved);
                    attackers |= aimed & geometry.hop_over(square, occupied, hurdles, hops.lines);
                }
            }
            if let Some(paths) = &irregular.paths {
                attackers |= paths.attackers(square, pieces, occupied);
            }
        }
        attackers
    }

    /// The squares whose occupation decides whether irregular pieces of `by` attack `square`.
    #[cold]
    pub(super) fn irregular_paths(&self, square: Square, by: Color) -> Bitboard {
        let side = self.variant.side(by);
        let geometry = self.variant.geometry();
        let mut ways = Bitboard::EMPTY;
        for kind in side.irregular_attackers {
            let (pieces, moves) = (self.board.pieces(by, kind), side.moves(kind));
            if pieces.is_empty() {
                continue;
            }
            for lines in [&moves.slides, &moves.hops].into_iter().flatten() {
                for piece in lines.captured_from[square.index()] & pieces {
                    ways |= geometry.between(square, piece);
                }
            }
            if let Some(paths) = moves.paths() {
                ways |= paths.ways(square, pieces);
            }
        }
        ways
    }

    /// The royals of `by` that face `square`: on the same line of those that count, with nothing between.
    #[inline]
    pub(super) fn faced_from(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let geometry = self.variant.geometry();
        let along =
            self.variant.royalty().map_or(FacingAlong::File, |royalty| royalty.facing_along);
        let royals = self.royals(by);
        // Most often none is on the file.
        if along == FacingAlong::File && !royals.meets(geometry.file_squares(square)) {
            return Bitboard::EMPTY;
        }
        royals & geometry.slide(square, occupied, along.lines())
    }

    /// Whether two royals face each other on an open line.
    pub(super) fn royals_face(&self) -> bool {
        let (us, them) = (self.side, !self.side);
        let mut own = self.royals(us);
        own.any(|royal| !self.faced_from(royal, them, self.occupied()).is_empty())
    }
}
