//! Moves that win at once without mate: found without a search, as it may try no quiet move where it stops.

use super::Position;
use super::movegen::Scope;
use crate::types::{Color, Move, MoveList};
use crate::variant::{EndCondition, EndResult, GoalAnswer, SpecialEnd};

impl Position {
    /// A move that ends the game in favor of the side to move by one of its special ends, by baring the other king, or by
    /// the last check, if the piece that moves gives it. Mates, captures of royals and discovered checks are not looked
    /// for. `moves` is a buffer.
    ///
    /// ```
    /// use garrison_rules::{MoveList, Position, find};
    ///
    /// let shatranj = find("shatranj").expect("a built-in game");
    /// // The rook bares the king; that the king takes it then does not matter.
    /// let fen = "4k3/3p4/8/8/8/8/7P/K2R4 w - - 0 1";
    /// let mut position = Position::from_fen(&shatranj, fen).expect("a position");
    /// let mv = position.winning_move(&mut MoveList::new()).expect("a win");
    /// assert_eq!(position.move_text(mv), "d1d7");
    /// ```
    #[inline]
    pub fn winning_move(&mut self, moves: &mut MoveList) -> Option<Move> {
        if self.may_win_without_mate(self.side) { self.find_winning_move(moves) } else { None }
    }

    /// Whether the other side has such a [winning move](Position::winning_move) unless the side to move, which is not in
    /// check, does something against it. `moves` is a buffer.
    #[inline]
    pub fn is_win_threatened(&mut self, moves: &mut MoveList) -> bool {
        self.may_win_without_mate(!self.side) && self.finds_threat(moves)
    }

    /// Whether such moves of a side are worth looking for.
    #[inline]
    fn may_win_without_mate(&self, color: Color) -> bool {
        self.variant.has_wins_without_mate() || self.can_bare_by_one_capture(color)
    }

    /// Whether the other king stands beside a single piece, and is lost without it.
    #[inline]
    fn can_bare_by_one_capture(&self, color: Color) -> bool {
        self.variant.end().bare_king && self.board.side(!color).len() == 2
    }

    #[cold]
    fn finds_threat(&mut self, moves: &mut MoveList) -> bool {
        if self.setup.is_pending() || self.is_decided() {
            return false;
        }
        self.pass();
        let winning = self.find_winning_move(moves);
        self.unmake();
        winning.is_some()
    }

    #[cold]
    fn find_winning_move(&mut self, moves: &mut MoveList) -> Option<Move> {
        moves.clear();
        self.add_last_checks(moves);
        for end in self.variant.special_ends() {
            if let Some(scope) = self.winning_scope(end) {
                self.add_legal_moves(&scope, moves);
            }
        }
        if self.can_bare_by_one_capture(self.side) {
            self.add_legal_moves(&Scope::captures(self), moves);
        }
        moves.iter().copied().find(|&mv| self.wins_by(mv))
    }

    /// Where the moves are that may meet the condition of a special end, so that the side to move wins.
    fn winning_scope(&self, end: &SpecialEnd) -> Option<Scope> {
        match (end.condition, end.result) {
            (EndCondition::Lacks { kinds, count, both: false, .. }, EndResult::Loss) => {
                if self.variant.has_blasts() {
                    return Some(Scope::captures(self));
                }
                let left = self.count_of_kinds(!self.side, kinds);
                let to = self.pieces_of_kinds(!self.side, kinds);
                (left == count + 1).then_some(Scope { to, drops: false, ..Scope::ALL })
            }
            (EndCondition::Reaches { squares, kinds, answer, .. }, EndResult::Win)
                if answer != GoalAnswer::Other =>
            {
                let from = self.pieces_of_kinds(self.side, kinds);
                Some(Scope { from, to: squares[self.side], ..Scope::ALL })
            }
            _ => None,
        }
    }

    /// Adds to an empty list the moves by which a piece gives the last check that is needed.
    fn add_last_checks(&self, moves: &mut MoveList) {
        let us = self.side;
        let wanted = |limit: u8| self.checks_given(us) + 1 >= limit;
        if !self.variant.end().checks.is_some_and(wanted) {
            return;
        }
        let Some(view) = self.royal_view(!us) else { return };
        let gives_check = |&mv: &Move| {
            let squares = |kind| self.check_squares(us, kind, &view);
            self.kind_placed(mv).is_some_and(|kind| squares(kind).contains(mv.to()))
        };
        self.add_legal_moves(&Scope::ALL, moves);
        moves.retain(gives_check);
    }

    /// Whether a legal move ends the game on the board in favor of the side that makes it.
    fn wins_by(&mut self, mv: Move) -> bool {
        let us = self.side;
        self.make(mv);
        let outcome = self.decided();
        self.unmake();
        outcome.is_some_and(|outcome| outcome.winner == Some(us))
    }
}
