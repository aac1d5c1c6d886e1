//! Draws by move count and by few pieces.

use super::Position;
use super::status::{Outcome, Reason};
use crate::types::{Color, PieceType, PieceTypeSet};
use crate::variant::{DrawRule, Material};

impl Position {
    /// The draw by the move count, by the count of a player with little left or by few pieces, or the end where nothing but a
    /// promotion in place is left. As a mate on the last ply of a count wins, the caller tests for mate first.
    pub fn move_count_outcome(&self) -> Option<Outcome> {
        let end = self.variant.end();
        if self.variant.may_stay().is_some_and(|pieces| self.may_stay(pieces)) {
            return Some(self.outcome_without_moves(end.no_moves, Reason::Stalemate));
        }
        if end.moves.is_some_and(|limit| self.halfmoves >= limit) {
            return Some(self.outcome_by(end.counted, Reason::MoveCount));
        }
        if self.count.is_some_and(|count| count.plies > count.limit) {
            return Some(self.draw(Reason::MoveCount));
        }
        if self.count_all() > self.variant.draws_up_to() {
            return None;
        }
        self.few_pieces_outcome()
    }

    /// The draw by few pieces that decides with the pieces left, at once or after some plies; none if there are more.
    ///
    /// ```
    /// use garrison_rules::{Position, find};
    ///
    /// let chess = find("chess")?;
    /// let rule = |fen| {
    ///     let position = Position::from_fen(&chess, fen).expect("a position");
    ///     position.few_pieces_rule().map(|rule| rule.moves)
    /// };
    /// assert_eq!(rule("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"), Some(0)); // a draw at once
    /// assert_eq!(rule("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"), None);
    /// # Ok::<(), garrison_rules::UnknownGame>(())
    /// ```
    pub fn few_pieces_rule(&self) -> Option<&DrawRule> {
        let fits = |rule: &&DrawRule| Color::ALL.into_iter().any(|c| self.fits_draw_rule(rule, c));
        self.variant.draw_rules().iter().find(fits)
    }

    #[cold]
    fn few_pieces_outcome(&self) -> Option<Outcome> {
        let rule = self.few_pieces_rule()?;
        let plies = u32::from(rule.per_piece) * self.count_all() + u32::from(self.halfmoves);
        let reason = if rule.moves == 0 { Reason::InsufficientMaterial } else { Reason::MoveCount };
        (plies >= u32::from(rule.moves)).then(|| self.draw(reason))
    }

    /// Whether a rule fits the pieces left, with `color` as the side that it names first.
    fn fits_draw_rule(&self, rule: &DrawRule, color: Color) -> bool {
        self.has_material(&rule.material, color)
            && (rule.one_color.is_empty() || self.stand_on_one_color(rule.one_color))
    }

    /// Whether the pieces left are within limits, with `color` as the side that they name first.
    pub(super) fn has_material(&self, material: &Material, color: Color) -> bool {
        self.variant.kinds().all(|kind| {
            let limit = |counts: &[u8]| u32::from(counts[kind.index()]);
            let own = self.count_pieces(color, kind);
            let enemy = self.count_pieces(!color, kind);
            material.side.as_ref().is_none_or(|counts| own <= limit(counts))
                && material.other.as_ref().is_none_or(|counts| enemy <= limit(counts))
                && enemy >= limit(&material.has)
                && !(material.none.contains(kind) && own + enemy > 0)
        })
    }

    /// Whether all pieces of these types, of both sides, stand on squares of one color. Those in hand do not.
    fn stand_on_one_color(&self, kinds: PieceTypeSet) -> bool {
        if Color::ALL
            .iter()
            .any(|&color| kinds.into_iter().any(|kind| self.in_hand(color, kind) > 0))
        {
            return false;
        }
        let all = self.all_of_kinds(kinds);
        let dark = self.variant.geometry().dark_squares();
        (all & dark).is_empty() || (all & !dark).is_empty()
    }

    /// The number of pieces on the board.
    pub(super) fn count_all(&self) -> u32 {
        (self.occupied() & !self.stones()).len()
    }

    /// The number of pieces of a type that a side has, on the board and in hand.
    pub(super) fn count_pieces(&self, color: Color, kind: PieceType) -> u32 {
        self.board.pieces(color, kind).len() + u32::from(self.in_hand(color, kind))
    }

    /// The number of pieces of any of these types that a side has, on the board and in hand.
    pub fn count_of_kinds(&self, color: Color, kinds: PieceTypeSet) -> u32 {
        kinds.map(|kind| self.count_pieces(color, kind)).sum()
    }
}
