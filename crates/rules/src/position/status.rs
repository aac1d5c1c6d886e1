//! Whether a game is over, who has won, and by which rule.

use std::fmt;

use super::Position;
use crate::types::Color;

/// Declares the reasons with their texts, so that no list of them can lack one.
macro_rules! reasons {
    ($(#[$doc:meta])* { $($(#[$reason_doc:meta])* $reason:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[$reason_doc])* $reason,)*
        }

        impl Reason {
            /// All reasons.
            pub const ALL: &[Reason] = &[$(Reason::$reason),*];
        }

        impl fmt::Display for Reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Reason::$reason => $text,)*
                })
            }
        }
    };
}

reasons! {
    /// The rule that ended a game.
    ///
    /// ```
    /// use garrison_rules::{Position, Reason, find};
    ///
    /// let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    /// let outcome = Position::from_fen(&find("chess")?, fen)?.status().outcome();
    /// assert_eq!(outcome.map(|outcome| outcome.reason), Some(Reason::Stalemate));
    /// assert_eq!(Reason::Stalemate.to_string(), "stalemate");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    {
        /// The side to move is in check and has no legal move.
        Checkmate = "checkmate",
        /// The side to move is not in check and has no legal move.
        Stalemate = "stalemate",
        /// The last royal of a side has been captured.
        KingCaptured = "king captured",
        /// A player has nothing but a king.
        BareKing = "bare king",
        /// Both players have nothing but their kings.
        BareKings = "bare kings",
        /// A player has too few pieces of some types left.
        PiecesLost = "pieces lost",
        /// A piece has reached a goal square.
        Goal = "goal reached",
        /// A player has given the number of checks that wins.
        Checks = "checks",
        /// Points decided after passes.
        Points = "points",
        /// A position was repeated, and one side alone gave check with every move in between.
        PerpetualCheck = "perpetual check",
        /// A position was repeated, and one side alone chased the same piece with every move in between.
        PerpetualChase = "perpetual chase",
        /// Points decided at a repeated position.
        Impasse = "impasse",
        /// A position has occurred too often.
        Repetition = "repetition",
        /// The move count has reached its limit: too many plies without progress.
        MoveCount = "move count",
        /// Too few pieces are left.
        InsufficientMaterial = "insufficient material",
    }
}

/// How a game ended.
///
/// ```
/// use garrison_rules::{Color, Outcome, Position, Reason, find};
///
/// let position = Position::from_fen(&find("chess")?, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")?;
/// let mate = Outcome { winner: Some(Color::White), reason: Reason::Checkmate };
/// assert_eq!(position.status().outcome(), Some(mate));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
}

/// Whether a game is over, and how it ended.
///
/// It is printed as `ongoing`, `white wins (checkmate)` or `draw (stalemate)`.
///
/// ```
/// use garrison_rules::{Position, Status, find};
///
/// let mut position = Position::start(&find("chess")?);
/// for text in ["f2f3", "e7e5", "g2g4"] {
///     position.play(text)?;
///     assert_eq!(position.status(), Status::Ongoing);
/// }
/// position.play("d8h4")?;
/// assert_eq!(position.status().to_string(), "black wins (checkmate)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Whether the game is over. The rules are tested in this order: those that look at the board, no legal move,
    /// repetition, move count and few pieces. Occurrences are counted from the position that was set up. Draws
    /// that a player would have to claim count as well.
    pub fn status(&self) -> Status {
        let outcome = self
            .decided()
            .or_else(|| self.no_moves_outcome())
            .or_else(|| self.repetition_outcome(self.variant.end().repetition))
            .or_else(|| self.move_count_outcome());
        outcome.map_or(Status::Ongoing, Status::Over)
    }
}
