//! Pieces whose moves depend on more than leaps and lines: conditions on the way, first moves, pieces that
//! they spare or do not hop over. What is here is slower than the rest, and no other piece pays for it.

use super::Position;
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType, PieceTypeSet, Square};
use crate::variant::{Irregular, PieceMoves};

/// A piece that is thought to have moved: what it is, and where it stands then.
pub(super) type Moved = Option<(PieceType, Square)>;

impl Position {
    /// As [`Position::reach`], for a piece with quirks; first moves are among the quiet ones.
    #[cold]
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
            && self.rights & self.variant.rights().first(from) != 0
            && !self.is_checked_royal(color, from)
        {
            quiet |= self.reach_with_paths(first, from, hurdles).1;
        }
        for kind in irregular.spares {
            attacks &= !self.board.pieces(!color, kind);
        }
        (attacks, quiet)
    }

    /// As [`Position::plain_reach`], with the moves that depend on what stands in the way.
    #[inline(always)]
    fn reach_with_paths(
        &self,
        moves: &PieceMoves,
        from: Square,
        hurdles: Bitboard,
    ) -> (Bitboard, Bitboard) {
        let (attacks, quiet) = self.plain_reach(moves, from, hurdles);
        let Some(paths) = moves.irregular.as_ref().and_then(|irregular| irregular.paths.as_ref())
        else {
            return (attacks, quiet);
        };
        let (capture, move_only) = paths.reach(from, self.occupied());
        (attacks | capture, quiet | move_only & !self.occupied())
    }

    /// Whether a royal stands there that must be kept safe and is not: it has no first move then.
    fn is_checked_royal(&self, color: Color, square: Square) -> bool {
        !self.variant.captures_royals()
            && self.royals(color).contains(square)
            && self.is_attacked(color)
    }

    /// The squares whose pieces can be hopped over by one that does not hop over these kinds.
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

    /// The pieces with quirks of `by` that could capture an enemy on `square`, were the board occupied
    /// like this because a piece has moved.
    #[cold]
    pub(super) fn irregular_attackers(
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

    /// The squares on which it depends whether a piece with quirks of `by` attacks `square`.
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
            if let Some(paths) =
                moves.irregular.as_ref().and_then(|irregular| irregular.paths.as_ref())
            {
                ways |= paths.ways(square, pieces);
            }
        }
        ways
    }

    /// The royal of `by`, if nothing stands between it and `square` on the same file.
    #[cold]
    pub(super) fn faced_from(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let geometry = self.variant.geometry();
        let file = self.royals(by) & geometry.file_squares(square);
        file.filter(|&royal| !geometry.between(square, royal).meets(occupied)).collect()
    }

    /// Whether two royals face each other on an open file.
    pub(super) fn royals_face(&self) -> bool {
        let (us, them) = (self.side, !self.side);
        let mut own = self.royals(us);
        own.any(|royal| !self.faced_from(royal, them, self.occupied()).is_empty())
    }
}
