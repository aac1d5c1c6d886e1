//! What can be wrong with a position that has been put together, as values.

use std::fmt;
use std::sync::Arc;

use super::MAX_IN_HANDS;
use crate::naming::{Algebraic, Describe, Notation};
use crate::types::{Color, File, Piece, PieceType, Square};
use crate::variant::Variant;

/// What is wrong with a [`Setup`](crate::Setup), as squares, colors, piece types and counts. It is printed through
/// [`Describe`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupFault {
    /// A piece stands on a hole or beyond the board.
    OffBoard(Square),
    /// A reserve, which exists in hand only, stands on the board.
    HandOnly(Square, Piece),
    /// A piece that the army of its side does not have.
    WrongArmy(Square, Piece),
    /// More pieces of a type than a side may have, on the board and in hand.
    TooMany {
        /// The side.
        color: Color,
        /// The piece type.
        kind: PieceType,
        /// How many it has.
        count: usize,
        /// How many it may have.
        limit: u8,
    },
    /// A side has no royal piece of this type.
    NoRoyal(Color, PieceType),
    /// Neither side has a royal, although the capture of one ends the game.
    NoRoyals,
    /// A side has neither a royal nor a guard: the royal appears when the last guard is captured.
    NoRoyalNorGuard {
        /// The side.
        color: Color,
        /// The royal.
        royal: PieceType,
        /// The piece type whose last piece must be captured before there is a royal.
        guard: PieceType,
    },
    /// A side has both a royal and a guard, although the royal appears only when the last guard is captured.
    RoyalBesideGuard {
        /// The side.
        color: Color,
        /// The royal.
        royal: PieceType,
        /// The piece type whose last piece must be captured before there is a royal.
        guard: PieceType,
    },
    /// A piece stands on a square on which none of its type can ever stand.
    NeverStands(Square, Piece),
    /// A piece stands outside the region that it may not leave.
    OutsideRegion(Square, Piece),
    /// More pieces on a file than may be dropped there, of a type that never leaves its file.
    CrowdedFile {
        /// The file.
        file: File,
        /// The piece.
        piece: Piece,
        /// How many may stand there.
        limit: u8,
    },
    /// More than 120 pieces in both hands together: how many.
    CrowdedHands(u32),
    /// The side that is not to move has a royal in hand, which must be placed at once.
    RoyalInHand(Color, PieceType),
    /// A royal of the side that is not to move is attacked, so that it could be captured.
    Attacked(Square, Piece),
    /// A royal of the side that chooses its array is attacked, which no array may leave.
    AttackedInSetup(Square, Piece),
    /// A right to castle, but king and rook do not stand where they stood at the start.
    Castling {
        /// The letter of the right in a FEN.
        letter: char,
        /// Where the king stood.
        king: Square,
        /// Where the rook stood.
        rook: Square,
    },
    /// A right to a first move, but no piece there has one.
    FirstMove(Square),
    /// A right to let a piece come from hand to a square, but no piece of that side stands there.
    Gate(Square, Color),
    /// More checks than end the game.
    Checks {
        /// The side that gave them.
        color: Color,
        /// How many.
        count: u8,
        /// How many end the game.
        limit: u8,
    },
    /// A setup is pending in a game that has none.
    NoSetupPhase,
    /// The setup of this side is pending, but the other side is to move.
    SetupOutOfTurn(Color),
    /// A setup is pending, but something has been captured.
    SetupAfterCapture,
    /// A setup is pending, but there is an en passant square.
    SetupAfterDoubleStep,
    /// A setup is pending, but the move count is not 0.
    SetupAfterPlies,
    /// A setup is pending, but the move number is not 1.
    SetupAfterMoves,
    /// More arrangements than the most from which a setup ply can choose, which is given.
    TooManyArrangements(usize),
    /// The move number is 0.
    MoveZero,
    /// No piece of the side that is not to move can just have passed this square.
    NotPassed(Color, Square),
    /// Several pieces can have passed this square.
    PassedByMany {
        /// The square.
        passed: Square,
        /// The squares of these pieces.
        pieces: Vec<Square>,
    },
}

impl SetupFault {
    /// The squares at which it can be shown; none for what is wrong elsewhere.
    pub fn squares(&self) -> Vec<Square> {
        match *self {
            SetupFault::OffBoard(square)
            | SetupFault::HandOnly(square, _)
            | SetupFault::WrongArmy(square, _)
            | SetupFault::NeverStands(square, _)
            | SetupFault::OutsideRegion(square, _)
            | SetupFault::Attacked(square, _)
            | SetupFault::AttackedInSetup(square, _)
            | SetupFault::FirstMove(square)
            | SetupFault::Gate(square, _)
            | SetupFault::NotPassed(_, square) => vec![square],
            SetupFault::Castling { king, rook, .. } => vec![king, rook],
            SetupFault::PassedByMany { ref pieces, .. } => pieces.clone(),
            _ => Vec::new(),
        }
    }
}

impl Describe for SetupFault {
    type Context = Variant;

    fn describe(
        &self,
        variant: &Variant,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let at = |square: Square| notation.square(variant.geometry(), square);
        let side = |color: Color| notation.color(color);
        let letter = |color: Color, kind: PieceType| variant.piece(kind).letter.of_side(color);
        let written = |piece: Piece| letter(piece.color(), piece.kind());
        // Of several names for a piece type, the first; a royal without a name is a king.
        let name = |kind: PieceType| {
            let piece = variant.piece(kind);
            let name = piece.name.split(',').next().unwrap_or_default();
            let is_nameless = name == piece.letter.to_string() && variant.royals().contains(kind);
            if is_nameless { "king" } else { name }
        };
        match *self {
            SetupFault::OffBoard(square) => {
                write!(f, "a piece on {}, which is no square", at(square))
            }
            SetupFault::HandOnly(square, piece) => {
                let (name, square) = (name(piece.kind()), at(square));
                write!(f, "'{}' on {square}: the {name} exists in hand only", written(piece))
            }
            SetupFault::WrongArmy(square, piece) => {
                let (color, square) = (side(piece.color()), at(square));
                write!(f, "'{}' is no piece of {color}'s army, on {square}", written(piece))
            }
            SetupFault::TooMany { color, kind, count, limit } => {
                let (letter, color) = (letter(color, kind), side(color));
                write!(f, "too many '{letter}': {count}, {color} may have {limit}")
            }
            SetupFault::NoRoyal(color, kind) => {
                write!(f, "no {} '{}' of {}", name(kind), letter(color, kind), side(color))
            }
            SetupFault::NoRoyals => write!(f, "no king at all; only one can be captured"),
            SetupFault::NoRoyalNorGuard { color, royal, guard } => {
                let (letter, color) = (letter(color, royal), side(color));
                write!(f, "no {} and no {} '{letter}' of {color}", name(guard), name(royal))
            }
            SetupFault::RoyalBesideGuard { color, royal, guard } => {
                let (letter, color) = (letter(color, royal), side(color));
                let (royal, guard) = (name(royal), name(guard));
                write!(f, "{royal} '{letter}' beside a {guard} of {color}: it comes after the last")
            }
            SetupFault::NeverStands(square, piece) => {
                write!(f, "'{}' on {}, where none can stand", written(piece), at(square))
            }
            SetupFault::OutsideRegion(square, piece) => {
                write!(f, "'{}' on {}, outside its region", written(piece), at(square))
            }
            SetupFault::CrowdedFile { file, piece, limit } => {
                let count = if limit == 1 { "two".to_string() } else { format!("over {limit}") };
                let file = notation.file(variant.geometry(), file);
                write!(f, "{count} '{}' on file {file}", written(piece))
            }
            SetupFault::CrowdedHands(count) => {
                write!(f, "{count} pieces; at most {MAX_IN_HANDS} are allowed")
            }
            SetupFault::RoyalInHand(color, kind) => {
                let (letter, color) = (letter(color, kind), side(color));
                write!(f, "'{letter}' of {color}, who is not to move: it is placed at once")
            }
            SetupFault::Attacked(_, royal) => {
                let (name, color) = (name(royal.kind()), side(royal.color()));
                write!(f, "the {name} of {color}, who is not to move, is attacked")
            }
            SetupFault::AttackedInSetup(_, royal) => {
                let (name, color) = (name(royal.kind()), side(royal.color()));
                write!(f, "the {name} of {color} is attacked before the arrays are chosen")
            }
            SetupFault::Castling { letter, king, rook } => {
                let (king, rook) = (at(king), at(rook));
                write!(
                    f,
                    "'{letter}', but the pieces on {king} and {rook} are not those that castle"
                )
            }
            SetupFault::FirstMove(square) => {
                write!(f, "'{}', but no piece there has a first move", at(square))
            }
            SetupFault::Gate(square, color) => {
                write!(f, "a gate on {}, but no piece of {} stands there", at(square), side(color))
            }
            SetupFault::Checks { color, count, limit } => {
                let color = side(color);
                write!(f, "{count} checks by {color}; {limit} end the game")
            }
            SetupFault::NoSetupPhase => {
                write!(f, "a setup is pending, but {} has no setup phase", variant.name())
            }
            SetupFault::SetupOutOfTurn(color) => {
                write!(f, "{}'s setup is pending, but the other side is to move", side(color))
            }
            SetupFault::SetupAfterCapture => {
                write!(
                    f,
                    "a setup is pending, but pieces in hand or a king show that a fortress has fallen"
                )
            }
            SetupFault::SetupAfterDoubleStep => write!(f, "must be - while a setup is pending"),
            SetupFault::SetupAfterPlies => write!(f, "must be 0 while a setup is pending"),
            SetupFault::SetupAfterMoves => write!(f, "must be 1 while a setup is pending"),
            SetupFault::TooManyArrangements(limit) => {
                write!(f, "more than {limit} arrangements to choose from")
            }
            SetupFault::MoveZero => write!(f, "moves are counted from 1"),
            SetupFault::NotPassed(color, square) => {
                write!(f, "no piece of {} can just have passed {}", side(color), at(square))
            }
            SetupFault::PassedByMany { passed, ref pieces } => {
                let passed = at(passed);
                let all: Vec<String> =
                    pieces.iter().map(|&square| format!("{passed}{}", at(square))).collect();
                write!(f, "several pieces can have passed {passed}: write {}", all.join(" or "))
            }
        }
    }
}

/// Why a [`Setup`](crate::Setup) is not a legal position of its game: all faults together.
///
/// ```
/// use garrison_rules::{Position, Setup, find};
///
/// let empty = Setup::empty(&find("chess")?);
/// let error = Position::try_from(empty).expect_err("chess needs kings");
/// assert_eq!(error.faults().len(), 2);
/// assert_eq!(error.to_string(), "no king 'K' of White; no king 'k' of Black");
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct SetupError {
    variant: Arc<Variant>,
    faults: Vec<SetupFault>,
}

impl SetupError {
    pub(crate) fn new(variant: &Arc<Variant>, faults: Vec<SetupFault>) -> SetupError {
        SetupError { variant: Arc::clone(variant), faults }
    }

    /// All faults, at least one; those of the board come first.
    pub fn faults(&self) -> &[SetupFault] {
        &self.faults
    }

    /// The faults.
    pub(crate) fn into_faults(self) -> Vec<SetupFault> {
        self.faults
    }
}

/// Prints the faults in the notation of this crate, separated by semicolons.
impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(f, "{separator}{}", fault.through(&self.variant, &Algebraic))?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::DefinitionFile;
    use crate::{Catalogue, Position, Setup};

    #[test]
    fn the_royal_that_is_attacked_is_named_and_shown() {
        let text = include_str!("../../../../examples/games/knightmate.toml").to_string();
        let mut games = Catalogue::new();
        games
            .add(vec![DefinitionFile { name: "knightmate.toml".to_string(), text }])
            .expect("a game");
        let variant = games.find("knightmate").expect("the game");
        let setup = Setup::from_fen(&variant, "4r2n/8/8/8/8/8/8/4N3 b - - 0 1").expect("a FEN");
        let royal = setup.pieces().find(|(_, piece)| piece.color() == Color::White);
        let error = Position::try_from(setup).expect_err("White can lose the royal");
        assert_eq!(error.to_string(), "the knight of White, who is not to move, is attacked");
        assert_eq!(error.faults()[0].squares(), [royal.expect("a royal").0]);
    }
}
