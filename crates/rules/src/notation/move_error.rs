//! Why a text is not a legal move, as values that are printed through the notation of the protocol that asked.

use std::fmt;
use std::sync::Arc;

use crate::naming::{Describe, Notation};
use crate::placement::RowFault;
use crate::position::Reason;
use crate::types::{Color, Letter, PieceType, PieceTypeSet, Rank, Square};
use crate::variant::Variant;

/// What is wrong with the text of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveFault {
    /// The text is not written like a move of this game.
    Syntax {
        /// A legal move of the position in the same notation, or any move if there is none.
        example: String,
    },
    /// A pass in a game that has none.
    NullMove,
    /// A pass while in check or after the end of the game.
    NoPass,
    /// The game is over.
    GameOver(Reason),
    /// The setup of this side comes first; `keep` is the row that changes nothing.
    SetupPending {
        /// The side.
        color: Color,
        /// The setup ply, as it is written.
        keep: String,
    },
    /// A setup, but none is pending.
    NoSetupPending,
    /// A setup row with lower-case letters.
    SmallLetters,
    /// A setup row that cannot be read.
    SetupRow(Rank, RowFault),
    /// A setup that changes what cannot be rearranged.
    NotMovable(Square),
    /// A setup with other pieces than before; these may be rearranged.
    OtherPieces(PieceTypeSet),
    /// The royal in hand must be placed first.
    MustPlace(Color, PieceType),
    /// The side has no piece of this type in hand.
    NotInHand(Color, PieceType),
    /// A drop on an occupied square.
    Occupied(Square),
    /// A drop on a square on which the piece may never be dropped.
    DropForbidden(PieceType, Square),
    /// A drop beside an enemy piece that it may not be dropped beside.
    DropBeside {
        /// The piece to drop.
        kind: PieceType,
        /// The target of the drop.
        to: Square,
        /// The enemy piece.
        enemy: (PieceType, Square),
    },
    /// A drop on a file that holds as many pieces of its type as are allowed; one of them.
    DropOnFile(PieceType, Square),
    /// A drop on a square of a color on which an own piece of its type stands.
    DropOnColor(PieceType, Square),
    /// A drop on the last square of a color that another piece in hand needs.
    DropOnLast(PieceType, Square),
    /// A drop that may not give check, but would.
    DropChecks(PieceType, Square),
    /// A drop that may not mate, but would.
    DropMates(PieceType, Square),
    /// There is no piece on the origin.
    NoPiece(Square),
    /// The piece on the origin does not belong to the side to move.
    NotOwn(Color, Square),
    /// The piece moves there only in these ways, as they are written.
    OnlyAs(PieceType, Vec<String>),
    /// The side to move is in check from this piece, and the move does not end it.
    InCheck(Color, (PieceType, Square)),
    /// The piece on the origin is pinned.
    Pinned {
        /// Its piece type.
        kind: PieceType,
        /// Where it stands.
        from: Square,
        /// The piece that would give check.
        by: (PieceType, Square),
    },
    /// After the move this royal could be captured.
    Exposes {
        /// The royal.
        royal: PieceType,
        /// By this piece.
        by: (PieceType, Square),
    },
    /// The capture would remove the own royal with what stands around it.
    BlowsUpRoyal(PieceType),
    /// The royal cannot go to a square or be placed on it, because it is attacked there.
    Attacked {
        /// The royal.
        royal: PieceType,
        /// The target of the move.
        to: Square,
        /// The piece that attacks it.
        by: (PieceType, Square),
    },
    /// The stone that comes with the move cannot be put on this square.
    NoStone(Square),
    /// The side to move can capture, so it must.
    MustCapture(Color),
    /// The capture of a piece that is not exchanged, by one of the same sort from afar, where it could be recaptured.
    Protected {
        /// The piece that would be captured.
        kind: PieceType,
        /// Where it stands.
        on: Square,
    },
    /// The capture of a piece that is not exchanged, right after the other side has captured one elsewhere.
    TradedElsewhere {
        /// The piece that would be captured.
        kind: PieceType,
        /// Where it stands.
        on: Square,
    },
    /// A royal in check may only capture what checks it.
    MayNotFlee(PieceType),
    /// The move would give check, which no move of the game may.
    GivesCheck,
    /// Castling in a game that has none.
    NoCastling,
    /// The side to move cannot castle like that now.
    CannotCastle(Color),
    /// The piece cannot go there.
    CannotGo {
        /// Its piece type.
        kind: PieceType,
        /// Where it stands.
        from: Square,
        /// The target of the move.
        to: Square,
    },
    /// No piece of the game has this letter.
    NoSuchLetter(Letter),
    /// Only these moves are legal, as they are written.
    Only(Vec<String>),
    /// It could be any of these moves, as they are written.
    Ambiguous(Vec<String>),
    /// No piece of this type can go there.
    NobodyGoes {
        /// The side to move.
        color: Color,
        /// The piece type.
        kind: PieceType,
        /// The target of the move.
        to: Square,
        /// Whether the text gives the origin or a part of it.
        has_origin: bool,
    },
}

impl Describe for MoveFault {
    type Context = Variant;

    fn describe(
        &self,
        variant: &Variant,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let at = |square: Square| notation.square(variant.geometry(), square);
        let side = |color: Color| notation.color(color);
        let name = |kind: PieceType| variant.piece(kind).name.as_str();
        match self {
            MoveFault::Syntax { example } => {
                write!(f, "no move text of {} (such as {example})", variant.name())
            }
            MoveFault::NullMove => write!(f, "a null move is no move of this game"),
            MoveFault::NoPass => write!(f, "a pass does not end the check, or the game is over"),
            MoveFault::GameOver(reason) => write!(f, "the game is over ({reason})"),
            MoveFault::NotInHand(color, kind) => {
                write!(f, "{} has no {} in hand", side(*color), name(*kind))
            }
            MoveFault::Occupied(square) => write!(f, "{} is occupied", at(*square)),
            MoveFault::NoPiece(square) => write!(f, "there is no piece on {}", at(*square)),
            MoveFault::NotOwn(color, square) => {
                write!(f, "the piece on {} is not {}'s", at(*square), side(*color))
            }
            MoveFault::OnlyAs(kind, moves) => {
                write!(f, "the {} moves there only as {}", name(*kind), moves.join(", "))
            }
            MoveFault::CannotGo { kind, from, to } => {
                write!(f, "the {} on {} cannot go to {}", name(*kind), at(*from), at(*to))
            }
            MoveFault::NoSuchLetter(letter) => {
                write!(f, "no piece of {} is written {letter}", variant.name())
            }
            MoveFault::Only(moves) => write!(f, "legal is only {}", moves.join(", ")),
            MoveFault::Ambiguous(moves) => write!(f, "it could be {}", moves.join(", ")),
            MoveFault::NobodyGoes { color, kind, to, has_origin } => {
                let such = if *has_origin { "such " } else { "" };
                let (color, kind) = (side(*color), name(*kind));
                write!(f, "no {such}{kind} of {color} can go to {}", at(*to))
            }
            MoveFault::NoCastling => write!(f, "{} has no castling", variant.name()),
            MoveFault::CannotCastle(color) => {
                write!(f, "{} cannot castle like that now", side(*color))
            }
            _ if self.is_of_setup() => self.describe_setup(variant, notation, f),
            _ => self.describe_rule(variant, notation, f),
        }
    }
}

impl MoveFault {
    fn is_of_setup(&self) -> bool {
        matches!(
            self,
            MoveFault::SetupPending { .. }
                | MoveFault::NoSetupPending
                | MoveFault::SmallLetters
                | MoveFault::SetupRow(..)
                | MoveFault::NotMovable(_)
                | MoveFault::OtherPieces(_)
        )
    }

    /// Faults of a setup ply.
    fn describe_setup(
        &self,
        variant: &Variant,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        match self {
            MoveFault::SetupPending { color, keep } => {
                write!(f, "{}'s setup is pending; write it as {keep}", notation.color(*color))
            }
            MoveFault::SmallLetters => write!(f, "a setup row is written in capitals"),
            MoveFault::SetupRow(rank, fault) => {
                write!(f, "rank {}: ", notation.rank(variant.geometry(), *rank))?;
                fault.describe(variant.geometry(), notation, f)
            }
            MoveFault::NotMovable(square) => {
                let square = notation.square(variant.geometry(), *square);
                write!(f, "what stands on {square} cannot be rearranged")
            }
            MoveFault::OtherPieces(kinds) => {
                let letters: String =
                    kinds.map(|kind| variant.piece(kind).letter.capital).collect();
                write!(f, "the row must hold the same {letters} as before")
            }
            _ => write!(f, "no setup is pending"),
        }
    }

    /// Moves that the pieces could make, and drops that a rule forbids.
    fn describe_rule(
        &self,
        variant: &Variant,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let at = |square: Square| notation.square(variant.geometry(), square);
        let name = |kind: PieceType| variant.piece(kind).name.as_str();
        let on = |(kind, square): (PieceType, Square)| format!("{} on {}", name(kind), at(square));
        match *self {
            MoveFault::MustPlace(color, kind) => {
                write!(f, "{} must place the {} first", notation.color(color), name(kind))
            }
            MoveFault::DropForbidden(kind, to) => {
                write!(f, "no {} may ever be dropped on {}", name(kind), at(to))
            }
            MoveFault::DropBeside { kind, to, enemy } => {
                let (kind, to) = (name(kind), at(to));
                write!(f, "no {kind} may be dropped on {to}, beside the {}", on(enemy))
            }
            MoveFault::DropOnFile(kind, own) => {
                write!(f, "no {} may be dropped on the file of the {}", name(kind), on((kind, own)))
            }
            MoveFault::DropOnColor(kind, own) => {
                write!(
                    f,
                    "no {} may be dropped on a square of the color of the {}",
                    name(kind),
                    on((kind, own))
                )
            }
            MoveFault::DropOnLast(kind, to) => {
                write!(
                    f,
                    "no {} may be dropped on {}, the last square for a piece in hand that needs this color",
                    name(kind),
                    at(to)
                )
            }
            MoveFault::DropChecks(kind, to) => {
                write!(f, "the {} dropped on {} would give check, and may not", name(kind), at(to))
            }
            MoveFault::Protected { kind, on } => write!(
                f,
                "the {} on {} is protected; from afar it may not be captured by its like",
                name(kind),
                at(on)
            ),
            MoveFault::TradedElsewhere { kind, on } => write!(
                f,
                "the {} on {} may not be captured right after such a piece was captured elsewhere",
                name(kind),
                at(on)
            ),
            MoveFault::MayNotFlee(kind) => {
                write!(f, "a {} in check may only capture what checks it", name(kind))
            }
            MoveFault::DropMates(kind, to) => {
                write!(f, "the {} dropped on {} would mate, and may not", name(kind), at(to))
            }
            MoveFault::InCheck(color, by) => {
                let color = notation.color(color);
                write!(f, "{color} is in check from the {} and stays so", on(by))
            }
            MoveFault::Pinned { kind, from, by } => {
                write!(f, "the {} is pinned by the {}", on((kind, from)), on(by))
            }
            MoveFault::Exposes { royal, by } => {
                write!(f, "the {} would attack the {}", on(by), name(royal))
            }
            MoveFault::BlowsUpRoyal(royal) => {
                write!(f, "the explosion would remove the {}", name(royal))
            }
            MoveFault::Attacked { royal, to, by } => {
                write!(f, "the {} would be attacked on {} by the {}", name(royal), at(to), on(by))
            }
            MoveFault::NoStone(square) => {
                write!(f, "no stone can be put on {} after it", at(square))
            }
            MoveFault::MustCapture(color) => {
                write!(f, "{} can capture, and so must", notation.color(color))
            }
            _ => write!(f, "it gives check, and no move may"),
        }
    }
}

/// Why a text is not a legal move of a position.
///
/// It is printed in one line, in the notation in which the move was read.
///
/// ```
/// use garrison_rules::fault::MoveFault;
/// use garrison_rules::{Position, find};
///
/// let position = Position::start(&find("chess")?);
/// let error = position.parse_move("e2e5").unwrap_err();
/// assert!(matches!(error.fault(), MoveFault::CannotGo { .. }));
/// assert_eq!(error.to_string(), "illegal move 'e2e5': the pawn on e2 cannot go to e5");
/// assert!(position.parse_move("castle").unwrap_err().is_syntax());
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct MoveError(Box<Details>);

/// Boxed, so that results with such an error stay small.
#[derive(Debug, Clone)]
struct Details {
    variant: Arc<Variant>,
    notation: &'static dyn Notation,
    text: String,
    fault: MoveFault,
}

impl MoveError {
    /// The error of a text, which is kept as [`shown`](crate::shown()), in a notation.
    pub(super) fn new(
        variant: &Arc<Variant>,
        notation: &'static dyn Notation,
        text: &str,
        fault: MoveFault,
    ) -> MoveError {
        let (variant, text) = (Arc::clone(variant), crate::shown::shown(text));
        MoveError(Box::new(Details { variant, notation, text, fault }))
    }

    /// What is wrong with it.
    pub fn fault(&self) -> &MoveFault {
        &self.0.fault
    }

    /// Whether the text is not written like a move at all.
    pub fn is_syntax(&self) -> bool {
        matches!(self.0.fault, MoveFault::Syntax { .. })
    }

    /// What is wrong, without the text of the move.
    pub fn reason(&self) -> String {
        self.0.fault.through(&self.0.variant, self.0.notation).to_string()
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_syntax() {
            write!(f, "'{}' is {}", self.0.text, self.reason())
        } else {
            write!(f, "illegal move '{}': {}", self.0.text, self.reason())
        }
    }
}

impl std::error::Error for MoveError {}

/// Two errors are equal if text and fault are.
impl PartialEq for MoveError {
    fn eq(&self, other: &MoveError) -> bool {
        self.0.text == other.0.text && self.0.fault == other.0.fault
    }
}

impl Eq for MoveError {}
