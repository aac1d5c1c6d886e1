//! The ends of a game that are found on the board: king captured, checks, special ends, bare king, no legal move.
//! (The end by points, after passes, stands in `points`.)

use std::cmp::Ordering;

use super::Position;
use super::movegen::Scope;
use super::sink::Any;
use super::status::{Outcome, Reason};
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, MoveList, PerColor, PieceTypeSet, Square};
use crate::variant::{BoardEnds, EndCondition, EndResult, GoalAnswer, NoMoves, SpecialEnd};

impl Position {
    /// The outcome for a side that has this result.
    fn result_of(&self, result: EndResult, color: Color, reason: Reason) -> Outcome {
        match result {
            EndResult::Win => Outcome::win(color, reason),
            EndResult::Loss => Outcome::win(!color, reason),
            EndResult::Draw => self.draw(reason),
        }
    }

    /// A draw, or what the game makes of it.
    pub(super) fn draw(&self, reason: Reason) -> Outcome {
        Outcome { winner: self.variant.end().drawn, reason }
    }

    /// Whether [`Position::decided`] has an outcome; cheaper where the outcome itself does not matter.
    #[inline]
    pub(super) fn is_decided(&self) -> bool {
        match self.variant.board_ends() {
            BoardEnds::None => false,
            BoardEnds::KingCapture => Color::ALL.iter().any(|&c| self.royals(c).is_empty()),
            BoardEnds::BareKing => self.is_decided_by_bare_king(),
            BoardEnds::Several => self.decided().is_some(),
        }
    }

    /// The outcome, if the game is decided on the board: king captured, checks, special ends, bare king, points after
    /// passes.
    pub fn decided(&self) -> Option<Outcome> {
        match self.variant.board_ends() {
            BoardEnds::None => None,
            BoardEnds::KingCapture => self.king_capture_outcome(),
            BoardEnds::BareKing => self.bare_king_outcome(),
            BoardEnds::Several => {
                let special_ends = || {
                    let mut ends = self.variant.special_ends().iter();
                    ends.find_map(|end| self.special_outcome(end))
                };
                self.king_capture_outcome()
                    .or_else(|| self.checks_outcome())
                    .or_else(special_ends)
                    .or_else(|| self.bare_king_outcome())
                    .or_else(|| self.passes_outcome())
            }
        }
    }

    fn king_capture_outcome(&self) -> Option<Outcome> {
        // Who has removed both by an explosion loses.
        let mut sides = [!self.side, self.side].into_iter();
        let lost = sides.find(|&color| self.has_lost_royal(color))?;
        Some(Outcome::win(!lost, Reason::KingCaptured))
    }

    /// Whether a side has lost its last royal on the board.
    pub(super) fn has_lost_royal(&self, color: Color) -> bool {
        self.variant.royalty().is_some_and(|royalty| royalty.can_fall)
            && self.royals(color).is_empty()
    }

    fn checks_outcome(&self) -> Option<Outcome> {
        let limit = self.variant.end().checks?;
        let winner = Color::ALL.into_iter().find(|&color| self.checks_given(color) >= limit)?;
        Some(Outcome::win(winner, Reason::Checks))
    }

    fn special_outcome(&self, end: &SpecialEnd) -> Option<Outcome> {
        match end.condition {
            EndCondition::Lacks { kinds, count, both, enemy } => {
                let left = |color| self.count_of_kinds(color, kinds);
                let lacks =
                    |&color: &Color| left(color) <= count && (enemy == 0 || left(!color) >= enemy);
                // The side to move first: the last capture was of its piece.
                let sides = [self.side, !self.side];
                let lacking = sides.into_iter().find(lacks)?;
                let holds = !both || sides.iter().all(lacks);
                holds.then(|| self.result_of(end.result, lacking, Reason::PiecesLost))
            }
            EndCondition::Reaches { squares, kinds, safe, answer } => {
                let color = match answer {
                    GoalAnswer::Nobody => !self.side,
                    GoalAnswer::Other => self.side,
                    GoalAnswer::Black if self.side == Color::White => {
                        return self.unanswered_goal(end);
                    }
                    GoalAnswer::Black => {
                        let holds = self.reaches(Color::White, squares, kinds, safe)
                            && !self.can_reach(squares[self.side], kinds);
                        return holds
                            .then(|| self.result_of(end.result, Color::White, Reason::Goal));
                    }
                };
                let reaches = self.reaches(color, squares, kinds, safe);
                reaches.then(|| self.result_of(end.result, color, Reason::Goal))
            }
        }
    }

    /// The outcome of a goal that may be answered, when nobody can answer any more.
    fn unanswered_goal(&self, end: &SpecialEnd) -> Option<Outcome> {
        let EndCondition::Reaches { squares, kinds, safe, answer } = end.condition else {
            return None;
        };
        let reaches = |color| self.reaches(color, squares, kinds, safe);
        let reached = match answer {
            GoalAnswer::Nobody => return None,
            GoalAnswer::Black => Color::ALL.map(reaches),
            GoalAnswer::Other => Color::ALL.map(|color| color != self.side && reaches(color)),
        };
        match reached {
            [true, true] => Some(self.draw(Reason::Goal)),
            [true, false] => Some(self.result_of(end.result, Color::White, Reason::Goal)),
            [false, true] => Some(self.result_of(end.result, Color::Black, Reason::Goal)),
            [false, false] => None,
        }
    }

    /// Whether a side has a piece of these types on one of its goal squares, if it must be `safe` one that the other side
    /// cannot capture.
    fn reaches(
        &self,
        color: Color,
        goals: PerColor<Bitboard>,
        mut kinds: PieceTypeSet,
        safe: bool,
    ) -> bool {
        kinds.any(|kind| {
            let mut there = self.board.pieces(color, kind) & goals[color];
            there.any(|square| !safe || !self.can_be_captured(color, square))
        })
    }

    /// Whether the side to move has a legal move of a piece of these types to one of these squares.
    fn can_reach(&self, squares: Bitboard, kinds: PieceTypeSet) -> bool {
        let scope = Scope { to: squares, drops: false, ..Scope::ALL };
        let mut moves = MoveList::new();
        self.generate_undecided(&scope, &mut moves);
        let is_one =
            |mv: &Move| self.at(mv.from()).is_some_and(|piece| kinds.contains(piece.kind()));
        moves.iter().any(is_one)
    }

    /// Whether a piece of `color` can be captured on a square: by a legal move of the side to move, or, if it is `color`
    /// itself that is to move, by any piece that attacks it.
    fn can_be_captured(&self, color: Color, square: Square) -> bool {
        if color == self.side {
            return !self.attackers(square, !color, self.occupied()).is_empty();
        }
        let scope = Scope { to: Bitboard::of(square), drops: false, ..Scope::ALL };
        self.has_undecided_move(&scope)
    }

    fn bare_king_outcome(&self) -> Option<Outcome> {
        if !self.variant.end().bare_king || !self.is_decided_by_bare_king() {
            return None;
        }
        Some(match (self.is_bare(self.side), self.is_bare(!self.side)) {
            (true, true) => self.draw(Reason::BareKings),
            (false, _) => Outcome::win(self.side, Reason::BareKing),
            (true, false) => Outcome::win(!self.side, Reason::BareKing),
        })
    }

    /// Whether a king is bare and, if it is that of the side to move, cannot bare the other at once.
    fn is_decided_by_bare_king(&self) -> bool {
        self.is_bare(!self.side) || self.is_bare(self.side) && !self.can_bare()
    }

    /// Whether a side has a single piece on the board.
    fn is_bare(&self, color: Color) -> bool {
        !self.board.side(color).is_many()
    }

    /// Whether the side to move has a legal capture of the only piece beside the other king.
    fn can_bare(&self) -> bool {
        self.board.side(!self.side).len() == 2 && self.has_undecided_move(&Scope::captures(self))
    }

    /// Whether there is a legal move in a scope, in a position whose end on the board is just being looked for.
    fn has_undecided_move(&self, scope: &Scope) -> bool {
        let mut any = Any::default();
        self.generate_undecided(scope, &mut any);
        any.found
    }

    /// The outcome by the lack of legal moves.
    pub(super) fn no_moves_outcome(&self) -> Option<Outcome> {
        if self.has_legal_move() {
            return None;
        }
        // A goal to which no move can answer any more.
        if let Some(outcome) =
            self.variant.special_ends().iter().find_map(|end| self.unanswered_goal(end))
        {
            return Some(outcome);
        }
        // A royal in hand that cannot be placed counts as mated.
        let is_mate = self.is_check() || self.must_place_royal(self.side).is_some();
        let end = self.variant.end();
        if is_mate && let Some(outcome) = self.uncommon_mate() {
            return Some(outcome);
        }
        Some(if is_mate {
            self.outcome_without_moves(end.checkmate, Reason::Checkmate)
        } else {
            self.outcome_without_moves(end.no_moves, Reason::Stalemate)
        })
    }

    /// The outcome of a checkmate that does not count as others.
    fn uncommon_mate(&self) -> Option<Outcome> {
        let rule = self.variant.mate_rule()?;
        let mated = self.side;
        let kinds = |position: &Position| -> PieceTypeSet {
            let checkers = position.checkers(mated);
            checkers.filter_map(|square| position.at(square)).map(|piece| piece.kind()).collect()
        };
        let mut mating = kinds(self);
        if mating.is_empty() {
            return None;
        }
        if mating.all(|kind| rule.never_by.contains(kind)) {
            return Some(Outcome::win(mated, Reason::Checkmate));
        }
        // Back through the checks before it.
        let mut past = self.clone();
        loop {
            let checking = kinds(&past);
            if rule.needs.is_empty() || checking.meets(rule.needs) {
                return None;
            }
            if checking.is_empty() || past.history.len() < 2 {
                return Some(self.draw(Reason::Checkmate));
            }
            past.unmake();
            past.unmake();
        }
    }

    /// The outcome where the side to move has no legal move and this result.
    pub(super) fn outcome_without_moves(&self, result: NoMoves, reason: Reason) -> Outcome {
        let pieces = |color| self.board.side(color).len();
        match result {
            NoMoves::Loss => Outcome::win(!self.side, reason),
            NoMoves::Win => Outcome::win(self.side, reason),
            NoMoves::White => Outcome::win(Color::White, reason),
            NoMoves::Black => Outcome::win(Color::Black, reason),
            NoMoves::Draw => self.draw(reason),
            NoMoves::Fewer => match pieces(Color::White).cmp(&pieces(Color::Black)) {
                Ordering::Less => Outcome::win(Color::White, reason),
                Ordering::Greater => Outcome::win(Color::Black, reason),
                Ordering::Equal => self.draw(reason),
            },
        }
    }
}
