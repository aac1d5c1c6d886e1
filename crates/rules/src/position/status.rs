//! How a game stands: ongoing, won or drawn, and by which rule.

use std::cmp::Ordering;
use std::fmt;

use super::{Position, Undo};
use crate::bitboard::Bitboard;
use crate::position::movegen::Scope;
use crate::position::sink::Count;
use crate::types::{Color, Square, Tag};
use crate::variant::{
    Decides, DrawRule, EndResult, NoMoves, Repeated, RoyaltyKind, When, checks_of,
};

/// The rule that ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The royal is attacked and no move helps.
    Checkmate,
    /// No legal move and no check.
    Stalemate,
    /// The king is off the board.
    KingCaptured,
    /// A player has nothing but his king.
    BareKing,
    /// Both have nothing but their kings.
    BareKings,
    /// A player has too few of certain pieces left.
    PiecesLost,
    /// A piece has reached a goal.
    Goal,
    /// A player has given check often enough.
    Checks,
    /// Both passed, and the points were counted.
    Points,
    /// One side alone checked with every move between the occurrences of a position.
    PerpetualCheck,
    /// The count of pieces at a repeated position.
    Impasse,
    /// A position occurred too often.
    Repetition,
    /// Too many plies without progress.
    MoveCount,
    /// Too few pieces are left.
    InsufficientMaterial,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::KingCaptured => "king captured",
            Reason::BareKing => "bare king",
            Reason::BareKings => "bare kings",
            Reason::PiecesLost => "pieces lost",
            Reason::Goal => "goal reached",
            Reason::Checks => "checks",
            Reason::Points => "points",
            Reason::PerpetualCheck => "perpetual check",
            Reason::Impasse => "impasse",
            Reason::Repetition => "repetition",
            Reason::MoveCount => "move count",
            Reason::InsufficientMaterial => "insufficient material",
        })
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// Whether and how a game ended; written `ongoing`, `white wins (checkmate)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It goes on.
    Ongoing,
    /// It is over.
    Over(Outcome),
}

impl Status {
    /// The outcome, if the game is over.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Status::Ongoing => None,
            Status::Over(outcome) => Some(outcome),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Status::Over(outcome) = self else {
            return f.write_str("ongoing");
        };
        let result = match outcome.winner {
            Some(Color::White) => "white wins",
            Some(Color::Black) => "black wins",
            None => "draw",
        };
        write!(f, "{result} ({})", outcome.reason)
    }
}

impl Position {
    /// How the game stands, decided in this order: by the board, by the lack of moves, by
    /// repetition, by the move count. Occurrences are counted from the position that was set up.
    pub fn status(&self) -> Status {
        let outcome = self
            .decided()
            .or_else(|| self.without_moves())
            .or_else(|| self.repetition_outcome(self.variant.end().repetition))
            .or_else(|| self.move_count_outcome());
        outcome.map_or(Status::Ongoing, Status::Over)
    }

    /// Whether a rule that looks at the board only has ended the game. Cheaper than
    /// [`Position::decided`].
    #[inline]
    pub(super) fn is_decided(&self) -> bool {
        match self.variant.decides {
            Decides::Nothing => false,
            Decides::Captured => Color::ALL.iter().any(|&color| self.royals(color).is_empty()),
            Decides::Bare => {
                let bare = |color| !self.board.side(color).is_many();
                bare(!self.side) || bare(self.side) && !self.can_bare()
            }
            Decides::More => self.decided().is_some(),
        }
    }

    /// The end of the game by a rule that looks at the board, and at passes: king captured, pieces lost,
    /// goal reached, bare king, points.
    pub fn decided(&self) -> Option<Outcome> {
        match self.variant.decides {
            Decides::Nothing => None,
            Decides::Captured => self.king_captured(),
            Decides::Bare => self.bare_king(),
            Decides::More => self
                .king_captured()
                .or_else(|| self.checked_enough())
                .or_else(|| self.variant.whens.iter().find_map(|when| self.outcome_when(when)))
                .or_else(|| self.bare_king())
                .or_else(|| self.passed_out()),
        }
    }

    fn king_captured(&self) -> Option<Outcome> {
        if self.variant.royalty_kind() != Some(RoyaltyKind::Captured) {
            return None;
        }
        let lost = Color::ALL.into_iter().find(|&color| self.royals(color).is_empty())?;
        Some(Outcome::win(!lost, Reason::KingCaptured))
    }

    fn bare_king(&self) -> Option<Outcome> {
        let bare = |color| !self.board.side(color).is_many();
        let is_over = self.variant.end().bare_king
            && (bare(!self.side) || bare(self.side) && !self.can_bare());
        is_over.then(|| match (bare(self.side), bare(!self.side)) {
            (true, true) => Outcome::draw(Reason::BareKings),
            (false, _) => Outcome::win(self.side, Reason::BareKing),
            (true, false) => Outcome::win(!self.side, Reason::BareKing),
        })
    }

    /// The win by the last of so many checks.
    fn checked_enough(&self) -> Option<Outcome> {
        let limit = self.variant.end().checks?;
        let winner = Color::ALL.into_iter().find(|&color| self.checks_given(color) >= limit)?;
        Some(Outcome::win(winner, Reason::Checks))
    }

    /// How often a side has given check, in a game that counts it.
    pub fn checks_given(&self, color: Color) -> u8 {
        checks_of(self.rights, color)
    }

    /// The end by one of the rules that a definition may add.
    fn outcome_when(&self, when: &When) -> Option<Outcome> {
        let result = |color: Color, reason| match when.result {
            EndResult::Win => Outcome::win(color, reason),
            EndResult::Loss => Outcome::win(!color, reason),
            EndResult::Draw => Outcome::draw(reason),
        };
        let Some(kinds) = when.lacks else {
            let mover = !self.side;
            if !when.answer {
                return self.reaches(when, mover).then(|| result(mover, Reason::Goal));
            }
            if mover == Color::White {
                return None;
            }
            return match Color::ALL.map(|color| self.reaches(when, color)) {
                [true, true] => Some(Outcome::draw(Reason::Goal)),
                [white, black] => {
                    let side = if white { Color::White } else { Color::Black };
                    (white || black).then(|| result(side, Reason::Goal))
                }
            };
        };
        let lacks = |color| {
            let pieces =
                |kind| self.board.pieces(color, kind).len() + u32::from(self.in_hand(color, kind));
            kinds.map(pieces).sum::<u32>() <= when.count
        };
        // The side to move has just been captured from.
        let sides = [self.side, !self.side];
        let lacking = sides.into_iter().find(|&color| lacks(color))?;
        let holds = !when.both || sides.into_iter().all(lacks);
        holds.then(|| result(lacking, Reason::PiecesLost))
    }

    /// The end by points after enough passes, or after a pass while royals face each other.
    fn passed_out(&self) -> Option<Outcome> {
        let end = self.variant.end();
        let passes = |undo: &&Undo| undo.mv.tag() == Tag::Pass;
        let in_a_row = self.history.iter().rev().take_while(passes).count();
        let is_over = end.passes.is_some_and(|most| in_a_row >= usize::from(most))
            || end.facing && in_a_row > 0 && self.royals_face();
        if !is_over {
            return None;
        }
        let tenths = |color| 10 * self.points(color);
        let (white, black) = (tenths(Color::White), tenths(Color::Black) + end.bonus);
        Some(match white.cmp(&black) {
            Ordering::Greater => Outcome::win(Color::White, Reason::Points),
            Ordering::Less => Outcome::win(Color::Black, Reason::Points),
            Ordering::Equal => Outcome::draw(Reason::Points),
        })
    }

    /// Whether the side to move, which is bare, has a legal move that bares the other.
    fn can_bare(&self) -> bool {
        let enemy = self.board.side(!self.side);
        if enemy.len() != 2 {
            return false;
        }
        let mut captures = Count::default();
        self.generate_undecided(&Scope::captures(self), &mut captures);
        captures.0 > 0
    }

    fn without_moves(&self) -> Option<Outcome> {
        if self.has_legal_move() {
            return None;
        }
        // A royal that cannot be placed is as good as mated.
        let lost = self.is_check() || self.must_place_royal(self.side).is_some();
        Some(match (lost, self.variant.end().no_moves) {
            (true, _) => Outcome::win(!self.side, Reason::Checkmate),
            (false, NoMoves::Loss) => Outcome::win(!self.side, Reason::Stalemate),
            (false, NoMoves::Win) => Outcome::win(self.side, Reason::Stalemate),
            (false, NoMoves::Draw) => Outcome::draw(Reason::Stalemate),
        })
    }

    /// Whether a side has a piece on one of the squares that a rule names.
    fn reaches(&self, when: &When, color: Color) -> bool {
        let mut pieces = when.pieces;
        pieces.any(|kind| {
            let mut there = self.board.pieces(color, kind) & when.reaches[color];
            there.any(|square| !when.safe || !self.can_be_captured(square))
        })
    }

    /// Whether the side to move could capture on a square.
    fn can_be_captured(&self, square: Square) -> bool {
        let mut captures = Count::default();
        let scope = Scope { to: Bitboard::of(square), ..Scope::captures(self) };
        self.generate_undecided(&scope, &mut captures);
        captures.0 > 0
    }

    /// The draw by too many plies without progress, or because of what pieces are left. A position
    /// without legal moves is decided by that before.
    pub fn move_count_outcome(&self) -> Option<Outcome> {
        let end = self.variant.end();
        if end.moves.is_some_and(|limit| self.halfmoves >= limit) {
            return Some(Outcome::draw(Reason::MoveCount));
        }
        if self.variant.draws.is_empty() || self.occupied().len() > self.variant.few_pieces {
            return None;
        }
        self.few_pieces_outcome()
    }

    /// The draw by the first rule that speaks of the pieces that are left.
    #[cold]
    fn few_pieces_outcome(&self) -> Option<Outcome> {
        let rule = self.variant.draws.iter().find(|rule| {
            Color::ALL.into_iter().any(|color| self.has_pieces_of(rule, color, !color))
        })?;
        let plies = u32::from(rule.per_piece) * self.occupied().len() + u32::from(self.halfmoves);
        let reason = if rule.moves == 0 { Reason::InsufficientMaterial } else { Reason::MoveCount };
        (plies >= u32::from(rule.moves)).then(|| Outcome::draw(reason))
    }

    /// Whether a rule speaks of the pieces of `one` and of the other side.
    fn has_pieces_of(&self, rule: &DrawRule, one: Color, other: Color) -> bool {
        let count = |color, kind| {
            self.board.pieces(color, kind).len() + u32::from(self.in_hand(color, kind))
        };
        self.variant.kinds().all(|kind| {
            let most = |pieces: &[u8]| u32::from(pieces[kind.index()]);
            let (own, enemy) = (count(one, kind), count(other, kind));
            own <= most(&rule.side)
                && rule.other.as_ref().is_none_or(|pieces| enemy <= most(pieces))
                && enemy >= most(&rule.has)
                && !(rule.none.contains(kind) && own + enemy > 0)
        })
    }

    /// How often this position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        1 + self.past_occurrences().count() as u32
    }

    /// The numbers of plies since the earlier occurrences of this position, the latest first.
    fn past_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        // Nothing that resets the count can be undone by moves, except that drops bring back what
        // captures take: where pieces change hands the whole past is looked at.
        let reach = if self.variant.hand_kinds().is_empty() {
            usize::from(self.halfmoves)
        } else {
            usize::MAX
        };
        let key = self.key();
        // Only every second position has the same side to move.
        let past = (1..=reach).zip(self.past_keys()).skip(1).step_by(2);
        past.filter(move |&(_, past)| past == key).map(|(plies, _)| plies)
    }

    /// The end of the game by repetition, if this is at least the `occurrence`-th of this position.
    pub fn repetition_outcome(&self, occurrence: u32) -> Option<Outcome> {
        let end = self.variant.end();
        let mut past = self.past_occurrences();
        // Most positions never occurred before: nothing is counted for them.
        let mut first = past.next()?;
        let mut occurrences = 2;
        for plies in past {
            first = plies;
            occurrences += 1;
        }
        if occurrences < occurrence {
            return None;
        }
        if end.perpetual_check {
            match self.checked_throughout(first) {
                [true, false] => return Some(Outcome::win(Color::Black, Reason::PerpetualCheck)),
                [false, true] => return Some(Outcome::win(Color::White, Reason::PerpetualCheck)),
                _ => {}
            }
        }
        let Some(limit) = end.impasse else {
            let winner = match end.repeated {
                Repeated::Draw => None,
                Repeated::White => Some(Color::White),
                Repeated::Black => Some(Color::Black),
                Repeated::Mover => Some(self.side),
            };
            return Some(Outcome { winner, reason: Reason::Repetition });
        };
        let above = Color::ALL.map(|color| self.points(color) > limit);
        Some(match above {
            [true, false] => Outcome::win(Color::White, Reason::Impasse),
            [false, true] => Outcome::win(Color::Black, Reason::Impasse),
            _ => Outcome::draw(Reason::Impasse),
        })
    }

    /// Whether every move of White, and of Black, in the last `plies` attacked the enemy royal.
    fn checked_throughout(&self, plies: usize) -> [bool; 2] {
        let mut past = self.clone();
        let mut throughout = [true; 2];
        for _ in 0..plies {
            throughout[(!past.side).index()] &= past.is_check();
            past.unmake();
        }
        throughout
    }

    /// What the pieces of a side on the board count at an impasse.
    pub fn points(&self, color: Color) -> u32 {
        let pieces = |kind| self.pieces(color, kind).len() * self.variant.piece(kind).points;
        self.variant.kinds().map(pieces).sum()
    }
}
