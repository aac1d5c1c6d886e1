//! The terms of pawns: their structure, and those that no enemy pawn can stop.

use super::{Extractor, Side, TermSink, add_set, sign};
use crate::engine::eval::layout::PieceTerms;
use garrison_rules::{Bitboard, Color, Position, Square};

/// The greatest distance of a royal from a pawn's way that counts, in steps of a king.
const FAR: u8 = 5;

impl Extractor {
    /// The squares to the left and right of a set.
    #[inline]
    fn beside(&self, set: Bitboard) -> Bitboard {
        (set & self.not_first).shift(-1) | (set & self.not_last).shift(1)
    }

    /// From a square to that ahead of it, as `color` sees the board.
    #[inline]
    fn stride(position: &Position, color: Color) -> i8 {
        position.variant().geometry().stride() as i8 * sign(color) as i8
    }

    /// The squares ahead of those of a set on their files, as `color` sees the board.
    #[inline]
    pub(super) fn ahead_of(position: &Position, color: Color, set: Bitboard) -> Bitboard {
        let geometry = position.variant().geometry();
        let stride = Extractor::stride(position, color);
        let mut ahead = set.shift(stride);
        for times in [1, 2, 4] {
            ahead |= ahead.shift(stride * times);
        }
        // Boards have up to 15 ranks. Shifting by 8 at once would overflow the `i8`.
        let rest = ahead.shift(stride * 4).shift(stride * 4);
        (ahead | rest) & geometry.squares()
    }

    /// Pawn structure.
    pub(super) fn pawns<S: TermSink>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        sink: &mut S,
    ) {
        let (us, them) = (&sides[color.index()], &sides[(!color).index()]);
        if us.pawns.is_empty() {
            return;
        }
        let behind = Extractor::ahead_of(position, !color, us.pawns);
        let guarded = them.ahead_of_pawns;
        let phalanx = self.beside(us.pawns);
        let stride = Extractor::stride(position, color);
        let joined = self.beside(us.pawns | us.ahead_of_pawns | behind);
        let stopped = guarded | self.beside(guarded);
        for kind in self.layout.pawns {
            let pieces = position.pieces(color, kind);
            if pieces.is_empty() {
                continue;
            }
            let terms = self.terms(kind);
            add_set(sink, terms.protected, pieces & us.pawn_attacks, sign(color));
            add_set(sink, terms.phalanx, pieces & phalanx, sign(color));
            add_set(sink, terms.doubled, pieces & behind, sign(color));
            add_set(sink, terms.isolated, pieces & !joined, sign(color));
            let passed = pieces & !stopped;
            add_set(sink, terms.blocked, passed.shift(stride) & position.occupied(), sign(color));
            for square in passed {
                self.passed(position, (color, square), terms, them, sink);
            }
        }
    }

    /// A pawn that no enemy pawn can stop: how far it is, whether its way is free, and whose royal is nearer to it.
    fn passed<S: TermSink>(
        &self,
        position: &Position,
        (color, square): (Color, Square),
        terms: &PieceTerms,
        them: &Side,
        sink: &mut S,
    ) {
        let rank = usize::from(self.rank[color.index()][square.index()]);
        sink.add(terms.passed + rank, sign(color));
        let way = Extractor::ahead_of(position, color, Bitboard::of(square));
        let next = way & Bitboard::of(square).shift(Extractor::stride(position, color));
        let Some(next) = next.first() else { return };
        if !way.meets(position.occupied() | them.attacked) {
            sink.add(terms.passed_free + rank, sign(color));
        }
        let royals = [color, !color].map(|color| position.royal_square(color));
        if let [Some(own), Some(enemy)] = royals {
            let geometry = position.variant().geometry();
            let [own, enemy] =
                [own, enemy].map(|royal| i32::from(geometry.distance(royal, next).min(FAR)));
            sink.add(terms.escort + rank, sign(color) * (enemy - own));
        }
    }
}
