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
        self.regular_attackers(square, by, occupied)
            | self.irregular_attackers(square, by, occupied, None)
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
        let mut attackers = self.regular_attackers(square, by, occupied)
            | self.irregular_attackers(square, by, occupied, moved);
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
        let movers = self.variant.side(by).movers;
        movers.fold(Bitboard::EMPTY, |all, kind| all | self.attacked_by_type(by, kind))
    }

    /// The squares, occupied or not, that the pieces of `by` of one type attack.
    pub fn attacked_by_type(&self, by: Color, kind: PieceType) -> Bitboard {
        let (pieces, moves) = (self.board.pieces(by, kind), self.variant.side(by).moves(kind));
        let mut attacked = Bitboard::EMPTY;
        if !moves.shifts.is_empty() {
            for shift in moves.shifts.iter().filter(|shift| shift.capture) {
                attacked |= (pieces & shift.from).shift(shift.delta);
            }
        } else {
            self.reach_of_type(by, kind, |_, attacks, _| attacked |= attacks);
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

    /// The square and the [reach](Position::reach) of each piece of `color` of one type.
    #[inline(always)]
    pub fn reach_of_type(
        &self,
        color: Color,
        kind: PieceType,
        mut visit: impl FnMut(Square, Bitboard, Bitboard),
    ) {
        let (pieces, moves) =
            (self.board.pieces(color, kind), self.variant.side(color).moves(kind));
        for from in pieces {
            // One call of `visit` alone, so that the compiler puts its code into the loop.
            let (attacks, quiet) = match &moves.irregular {
                None => self.regular_reach(moves, from, Bitboard::ALL),
                Some(irregular) => self.irregular_reach(color, moves, irregular, from),
            };
            visit(from, attacks, quiet);
        }
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

    /// The enemy royal that the royal of `color` may capture along an open line, in games that allow it.
    #[inline]
    pub(super) fn facing_royal(&self, color: Color) -> Option<Square> {
        if !self.variant.royalty().is_some_and(Royalty::shoots) {
            return None;
        }
        let (own, other) = (self.royal_square(color)?, self.royal_square(!color)?);
        self.faced_from(own, !color, self.occupied()).contains(other).then_some(other)
    }

    /// The enemy pieces that give check to `color`: they attack its only royal, or one of several that must all be
    /// kept safe. In games of king capture, those that threaten to capture the royal.
    pub fn checkers(&self, color: Color) -> Bitboard {
        let royals = self.royals_open_to_check(color);
        royals.fold(Bitboard::EMPTY, |all, royal| all | self.checkers_of(royal, color))
    }

    /// The royals of `color` that stand in check: none exactly if there are no [`checkers`](Position::checkers). Of
    /// several that must all be kept safe, those that are attacked; none where a side is safe as long as it has two.
    /// Royals that face each other are both in check where they attack each other, whoever is to move.
    ///
    /// ```
    /// use garrison_rules::{Color, Position, find};
    ///
    /// let chess = find("chess")?;
    /// let position = Position::from_fen(&chess, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")?;
    /// let attacked = position.attacked_royals(Color::White);
    /// assert_eq!(attacked.single(), position.royal_square(Color::White));
    /// assert!(position.attacked_royals(Color::Black).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attacked_royals(&self, color: Color) -> Bitboard {
        let royals = self.royals_open_to_check(color);
        royals.filter(|&royal| !self.checkers_of(royal, color).is_empty()).collect()
    }

    /// The royals of `color` that an attack puts in check: all that must be kept safe, else the only one. None where one
    /// safe royal is enough and there is one.
    #[inline]
    fn royals_open_to_check(&self, color: Color) -> Bitboard {
        let royals = self.royals(color);
        if !royals.is_many() {
            return royals;
        }
        let Some(royalty) = self.variant.royalty().filter(|royalty| royalty.several) else {
            return Bitboard::EMPTY;
        };
        if royalty.one_is_enough() && self.has_safe_royal(royals, color) {
            return Bitboard::EMPTY;
        }
        royals
    }

    /// Whether one of these royals of `color` is not attacked.
    #[cold]
    fn has_safe_royal(&self, mut royals: Bitboard, color: Color) -> bool {
        royals.any(|royal| self.checkers_of(royal, color).is_empty())
    }

    /// The enemy pieces that give check to this royal of `color`.
    #[inline]
    pub(super) fn checkers_of(&self, royal: Square, color: Color) -> Bitboard {
        if self.is_sheltered(royal, color) {
            return Bitboard::EMPTY;
        }
        let facing = self.variant.royalty().is_some_and(Royalty::faces_as_check);
        let attackers = self.royal_attackers(royal, !color, self.occupied(), None, facing);
        attackers | self.facing_royal(color).map_or(Bitboard::EMPTY, Bitboard::of)
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
            _ if royalty.several => self.royals(color).first(),
            // Where only the last one is royal, none of two or more is.
            _ => self.royals(color).single(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::catalogue::{Catalogue, DefinitionFile, all_names};
    use crate::random::SplitMix;
    use crate::variant::Variant;

    /// A game like chess with these rules.
    fn chess_with(rules: &str) -> Arc<Variant> {
        let text = format!(
            "name = 'own'\nbase = 'chess'\npieces.K.limit = 2\npieces.P.promotion.to = 'RBN'\n{rules}\n"
        );
        let mut games = Catalogue::new();
        games.add(vec![DefinitionFile { name: "own.toml".to_string(), text }]).expect("a game");
        games.find("own").expect("just added")
    }

    fn position(variant: &Arc<Variant>, fen: &str) -> Position {
        Position::from_fen(variant, fen).expect("a legal position")
    }

    /// The squares of White's and of Black's royals in check.
    fn attacked(position: &Position) -> [String; 2] {
        let geometry = position.variant().geometry();
        Color::ALL.map(|color| {
            let royals = position.attacked_royals(color);
            assert_eq!(royals.is_empty(), !position.is_attacked(color));
            royals.map(|square| geometry.name(square)).collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn of_several_royals_the_attacked_ones_stand_in_check() {
        let couple = chess_with("royalty.piece = 'KQ'");
        let one = position(&couple, "3rk3/8/8/8/8/8/8/3QK3 w - - 0 1");
        assert_eq!(attacked(&one), ["d1", ""]);
        let both = position(&couple, "4k3/8/8/8/8/2n5/8/3QK2r w - - 0 1");
        assert_eq!(attacked(&both), ["d1 e1", ""]);
        let none = position(&couple, "4k3/8/8/8/8/8/3N4/3QK3 w - - 0 1");
        assert_eq!(attacked(&none), ["", ""]);
    }

    #[test]
    fn where_only_the_last_is_royal_none_of_two_stands_in_check() {
        for kind in ["last", "captured"] {
            let kings = chess_with(&format!("royalty.kind = '{kind}'"));
            let two = position(&kings, "r3k3/8/8/8/8/8/8/K3K3 w - - 0 1");
            assert_eq!(attacked(&two), ["", ""], "{kind}");
            let one = position(&kings, "r3k3/8/8/8/8/8/8/K7 w - - 0 1");
            assert_eq!(attacked(&one), ["a1", ""], "{kind}");
        }
        let free = chess_with("royalty.piece = ''\nend.when = [{ lacks = 'K', result = 'loss' }]");
        let any = position(&free, "r3k3/8/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(attacked(&any), ["", ""]);
    }

    #[test]
    fn attacks_that_are_said_to_be_kept_are_the_same_after_a_move() {
        let mut random = SplitMix::new(5);
        let (mut kept, mut slid) = (0, 0);
        for name in all_names() {
            let variant = crate::find(&name).expect("a game of the list");
            let mut position = Position::start(&variant);
            for _ in 0..60 {
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(random.below(moves.len())) else { break };
                let before = position.clone();
                position.make(mv);
                let changed = before.occupied() ^ position.occupied();
                for color in Color::ALL {
                    let stand = |&kind: &PieceType| {
                        before.pieces(color, kind) == position.pieces(color, kind)
                    };
                    for kind in variant.kinds_of(color).filter(stand) {
                        let attacks = before.attacked_by_type(color, kind);
                        if variant.keeps_attacks(color, kind, attacks, changed) {
                            let now = position.attacked_by_type(color, kind);
                            assert_eq!(now, attacks, "{name} {}", position.fen());
                            kept += u32::from(!attacks.is_empty());
                        }
                        slid += u32::from(position.attacked_by_type(color, kind) != attacks);
                    }
                }
            }
        }
        assert!(kept > 2 * slid && slid > 500, "{kept} were kept, {slid} changed");
    }

    #[test]
    fn royals_that_attack_each_other_along_a_file_are_both_in_check() {
        let find = |name| crate::find(name).expect("a built-in game");
        // No legal move opens the file.
        let mut xiangqi = position(&find("xiangqi"), "4k4/9/9/4P4/9/9/9/9/9/4K4 w - - 0 1");
        assert_eq!(attacked(&xiangqi), ["", ""]);
        let square = |name| xiangqi.variant().geometry().parse_square(name).expect("a square").0;
        let aside = xiangqi.unguarded_moves(square("e7"), square("d7"))[0];
        xiangqi.make(aside);
        assert_eq!(attacked(&xiangqi), ["e1", "e10"]);
        let shoogantshii = position(&find("shoogantshii"), "4k4/9/9/9/9/9/9/9/4K4[] b - - 0 1");
        assert_eq!(attacked(&shoogantshii), ["e1", "e9"]);
        // In janggi they offer a draw.
        let janggi = position(&find("janggi"), "9/4k4/9/9/9/9/9/9/4K4/9 w - - 0 1");
        assert_eq!(attacked(&janggi), ["", ""]);
    }
}
