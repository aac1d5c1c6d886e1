//! Why a text is not a position, as values that are printed through the notation of the protocol that asked.

use std::fmt;
use std::sync::Arc;

use crate::counted;
use crate::describe::list;
use crate::naming::{Algebraic, Describe, Notation};
use crate::placement::PlacementError;
use crate::setup::SetupFault;
use crate::types::{Color, SetupPhase, Square};
use crate::variant::Variant;

/// A field of a position that is written as text: of a FEN, or of a text like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FenField {
    /// The pieces on the board.
    Board,
    /// The pieces in hand.
    Hands,
    /// The side to move.
    Side,
    /// The pending setups, or the rights of pieces that have not moved.
    Setup,
    /// The en passant square.
    EnPassant,
    /// The checks that each side still needs to win.
    Checks,
    /// The count of a player who has little left.
    Count,
    /// Plies without progress.
    Halfmoves,
    /// The move number.
    Fullmove,
    /// The ply number, in notations that count plies.
    Ply,
    /// The line as a whole.
    Line,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board",
            FenField::Hands => "hands",
            FenField::Side => "side",
            FenField::Setup => "setup",
            FenField::EnPassant => "ep",
            FenField::Checks => "checks",
            FenField::Count => "count",
            FenField::Halfmoves => "halfmoves",
            FenField::Fullmove => "fullmove",
            FenField::Ply => "ply",
            FenField::Line => "line",
        })
    }
}

/// What is wrong with a position that is written as text.
///
/// Parts of the text are quoted as [`shown`](crate::shown()) returns them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FenFault {
    /// The line has the wrong number of fields.
    Fields {
        /// The number of fields.
        found: usize,
        /// The fields that are needed, in words.
        needed: &'static str,
    },
    /// The rows of the board cannot be read.
    Placement(PlacementError),
    /// Hands in a game that has none.
    NoHands(String),
    /// Hands within the board, in a notation that has a field for them.
    HandsInBoard,
    /// Hands without a `]` at their end.
    OpenHands(String),
    /// A letter of which no piece can be in hand.
    HandLetter(String),
    /// A number of pieces in hand that is out of range.
    HandCount(String),
    /// The side to move is neither of the two letters.
    Side {
        /// What is written.
        text: String,
        /// The letters of White and Black.
        letters: [char; 2],
    },
    /// A setup field that is none of `-`, `Ss` and `s`.
    Phase(String),
    /// A pending setup in a game without a setup phase.
    NoPhase(String),
    /// A setup is pending and the other side is to move.
    PhaseOutOfTurn(String, Color),
    /// A right that the game does not have.
    Right {
        /// What is written.
        text: String,
        /// All rights of the game, as they are written.
        all: String,
    },
    /// Not two numbers of checks within the limit.
    Checks {
        /// What is written.
        text: String,
        /// The most checks that a side can still need.
        limit: u8,
    },
    /// Not a count that the game knows.
    Count {
        /// What is written.
        text: String,
        /// The limits of the counts of the game, the lowest first.
        limits: Vec<u16>,
    },
    /// Not a square of the board.
    EnPassant(String),
    /// Not a number within the range of the field.
    Number {
        /// The field.
        field: FenField,
        /// What is written.
        text: String,
        /// The lowest number allowed.
        least: u32,
        /// The highest.
        most: u32,
    },
    /// The text can be read, but the position breaks a rule of the game.
    Illegal(SetupFault),
}

impl FenFault {
    /// The squares at which it can be shown, as [`SetupFault::squares`]; none for text that cannot be read.
    pub fn squares(&self) -> Vec<Square> {
        match self {
            FenFault::Illegal(fault) => fault.squares(),
            _ => Vec::new(),
        }
    }

    /// The field at fault.
    pub fn field(&self) -> FenField {
        match self {
            FenFault::Fields { .. } => FenField::Line,
            FenFault::Placement(_) | FenFault::HandsInBoard => FenField::Board,
            FenFault::NoHands(_)
            | FenFault::OpenHands(_)
            | FenFault::HandLetter(_)
            | FenFault::HandCount(_) => FenField::Hands,
            FenFault::Side { .. } => FenField::Side,
            FenFault::Phase(_)
            | FenFault::NoPhase(_)
            | FenFault::PhaseOutOfTurn(..)
            | FenFault::Right { .. } => FenField::Setup,
            FenFault::Checks { .. } => FenField::Checks,
            FenFault::Count { .. } => FenField::Count,
            FenFault::EnPassant(_) => FenField::EnPassant,
            FenFault::Number { field, .. } => *field,
            FenFault::Illegal(fault) => FenField::of(fault),
        }
    }
}

impl FenField {
    /// The field that shows a fault of a setup.
    fn of(fault: &SetupFault) -> FenField {
        match fault {
            SetupFault::OffBoard(_)
            | SetupFault::HandOnly(..)
            | SetupFault::WrongArmy(..)
            | SetupFault::TooMany { .. }
            | SetupFault::NoRoyal(..)
            | SetupFault::NoRoyals
            | SetupFault::NoRoyalNorGuard { .. }
            | SetupFault::RoyalBesideGuard { .. }
            | SetupFault::NeverStands(..)
            | SetupFault::OutsideRegion(..)
            | SetupFault::CrowdedFile { .. }
            | SetupFault::Attacked(..)
            | SetupFault::AttackedInSetup(..) => FenField::Board,
            SetupFault::CrowdedHands(_) | SetupFault::RoyalInHand(..) => FenField::Hands,
            SetupFault::Castling { .. }
            | SetupFault::FirstMove(_)
            | SetupFault::Gate(..)
            | SetupFault::NoSetupPhase
            | SetupFault::SetupOutOfTurn(_)
            | SetupFault::SetupAfterCapture
            | SetupFault::TooManyArrangements(_) => FenField::Setup,
            SetupFault::SetupAfterDoubleStep
            | SetupFault::NotPassed(..)
            | SetupFault::PassedByMany { .. } => FenField::EnPassant,
            SetupFault::Checks { .. } => FenField::Checks,
            SetupFault::SetupAfterPlies => FenField::Halfmoves,
            SetupFault::SetupAfterMoves | SetupFault::MoveZero => FenField::Fullmove,
        }
    }
}

impl Describe for FenFault {
    type Context = Variant;

    fn describe(
        &self,
        variant: &Variant,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let game = variant.name();
        match self {
            FenFault::Fields { found, needed } => write!(f, "{found} fields; needed are {needed}"),
            FenFault::Placement(PlacementError::Ranks { found, needed }) => {
                write!(f, "{}, {game} has {needed}", counted(*found as u64, "rank"))
            }
            FenFault::Placement(PlacementError::Row { rank, fault }) => {
                write!(f, "rank {}: ", notation.rank(variant.geometry(), *rank))?;
                fault.describe(variant.geometry(), notation, f)
            }
            FenFault::NoHands(text) => write!(f, "'[{text}', but {game} has no hands"),
            FenFault::HandsInBoard => write!(f, "hands are a field of their own"),
            FenFault::OpenHands(text) => write!(f, "'[{text}' has no ']' at its end"),
            FenFault::HandLetter(text) => write!(f, "{game} holds no '{text}' in hand"),
            FenFault::HandCount(text) => {
                write!(f, "'{text}' has a number that is not from 1 to 120 before a letter")
            }
            FenFault::Side { text, letters: [white, black] } => {
                write!(f, "'{text}' is neither {white} nor {black}")
            }
            FenFault::Phase(text) => write!(f, "'{text}' is none of Ss, s and -"),
            FenFault::NoPhase(text) => {
                write!(f, "'{text}', but {game} has no castling and no setup phase: it must be -")
            }
            FenFault::PhaseOutOfTurn(text, color) => {
                write!(f, "'{text}' needs {} to move", notation.color(*color))
            }
            FenFault::Right { text, all } => {
                write!(f, "'{text}' is no right of {game}; all are {all}")
            }
            FenFault::Checks { text, limit } => {
                write!(f, "'{text}' is not two numbers from 0 to {limit} such as 1+1")
            }
            FenFault::Count { text, limits } if limits.is_empty() => {
                write!(f, "'{text}', but in {game} nobody counts")
            }
            FenFault::Count { text, limits } => {
                let limits: Vec<String> = limits.iter().map(u16::to_string).collect();
                let (lowest, all) = (&limits[0], list(&limits, "or"));
                write!(f, "'{text}' is no count such as 5/{lowest}: plies, and a limit of {all}")
            }
            FenFault::EnPassant(text) => write!(f, "'{text}' is no square and not -"),
            FenFault::Number { text, least, most, .. } => {
                write!(f, "'{text}' is no number from {least} to {most}")
            }
            FenFault::Illegal(fault) => fault.describe(variant, notation, f),
        }
    }
}

/// Why a text is not a position: the faults of all its fields.
///
/// It is printed in one line.
///
/// ```
/// use garrison_rules::fault::FenField;
/// use garrison_rules::{Position, find};
///
/// let error = Position::from_fen(&find("chess")?, "4k3/8/8/8/8/8/8/4K3 x - e5 0 1").unwrap_err();
/// assert_eq!(error.field(), FenField::Side);
/// assert_eq!(error.to_string(), "FEN field 'side': 'x' is neither w nor b");
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct FenError {
    variant: Arc<Variant>,
    faults: Vec<FenFault>,
}

impl FenError {
    /// An error of these faults, of which there is at least one.
    pub fn new(variant: &Arc<Variant>, faults: Vec<FenFault>) -> FenError {
        FenError { variant: Arc::clone(variant), faults }
    }

    /// All faults, in the order of the fields.
    pub fn faults(&self) -> &[FenFault] {
        &self.faults
    }

    /// The field of the first fault.
    pub fn field(&self) -> FenField {
        self.faults.first().map_or(FenField::Line, FenFault::field)
    }

    /// The error as text in a notation: `FEN field 'board': …; field 'ep': …`. At most four faults of a field
    /// are printed, and the number of the others.
    pub fn through(&self, notation: &dyn Notation) -> String {
        const MOST: usize = 4;
        let mut fields: Vec<(FenField, Vec<String>)> = Vec::new();
        for fault in &self.faults {
            let text = fault.through(&self.variant, notation).to_string();
            match fields.iter_mut().find(|(field, _)| *field == fault.field()) {
                Some((_, texts)) => texts.push(text),
                None => fields.push((fault.field(), vec![text])),
            }
        }
        let of_field = |(field, texts): &(FenField, Vec<String>)| {
            let more = texts.len().saturating_sub(MOST);
            let texts = texts[..texts.len().min(MOST)].join("; ");
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            format!("field '{field}': {texts}{more}")
        };
        let fields: Vec<String> = fields.iter().map(of_field).collect();
        format!("{} {}", notation.position(), fields.join("; "))
    }
}

/// Prints the error as [`FenError::through`] returns it in the notation of this crate.
impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.through(&Algebraic))
    }
}

impl std::error::Error for FenError {}

/// Two errors are equal if their faults are.
impl PartialEq for FenError {
    fn eq(&self, other: &FenError) -> bool {
        self.faults == other.faults
    }
}

impl Eq for FenError {}

/// The text of a pending setup.
pub(super) fn phase_text(phase: SetupPhase) -> &'static str {
    match phase {
        SetupPhase::Both => "Ss",
        SetupPhase::Second => "s",
        SetupPhase::Done => "-",
    }
}
