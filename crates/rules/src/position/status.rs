//! Whether a game is over, who has won, and by which rule.

use std::fmt;

use super::Position;
use crate::types::Color;

/// The rule that ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A royal is attacked and there is no legal move.
    Checkmate,
    /// There is no legal move, and no check.
    Stalemate,
    /// The last royal of a side has been captured.
    KingCaptured,
    /// A player has nothing but a king.
    BareKing,
    /// Both players have nothing but their kings.
    BareKings,
    /// A player has too few pieces of some types left.
    PiecesLost,
    /// A piece has reached a goal square.
    Goal,
    /// A player has given the number of checks that wins.
    Checks,
    /// The points were counted, after passes.
    Points,
    /// A position was repeated, and one side alone gave check with every move in between.
    PerpetualCheck,
    /// The points were counted, at a repeated position.
    Impasse,
    /// A position has occurred too often.
    Repetition,
    /// There were too many plies without progress.
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
    /// Who won; `None` in a draw.
    pub winner: Option<Color>,
    /// The rule that ended it.
    pub reason: Reason,
}

impl Outcome {
    pub(super) const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    pub(super) const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// Whether a game is over, and how it ended. Printed as `ongoing`, `white wins (checkmate)` or `draw (stalemate)`.
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
    /// Whether the game is over. The rules are tested in this order: the board, no legal move, repetition, move
    /// count and few pieces. Occurrences are counted from the position that was set up.
    pub fn status(&self) -> Status {
        let outcome = self
            .decided()
            .or_else(|| self.no_moves_outcome())
            .or_else(|| self.repetition_outcome(self.variant.end().repetition))
            .or_else(|| self.move_count_outcome());
        outcome.map_or(Status::Ongoing, Status::Over)
    }
}
