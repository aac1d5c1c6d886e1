//! Why a text is no position, as values; they are printed through the notation of whoever asked.

use std::fmt;
use std::sync::Arc;

use crate::naming::{Algebraic, Describe, Notation};
use crate::placement::PlacementError;
use crate::setup::SetupFault;
use crate::types::{Color, SetupPhase};
use crate::variant::Variant;

/// A field of a position that is written as text: of a FEN, or of a text like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FenField {
    /// The pieces on the board.
    Board,
    /// The pieces in hand.
    Hands,
    /// Whose turn it is.
    Side,
    /// The setups pending, or the rights of pieces that have not moved.
    Setup,
    /// The square that can be captured on in passing.
    EnPassant,
    /// The checks that are still needed.
    Checks,
    /// Plies without progress.
    Halfmoves,
    /// The number of the move.
    Fullmove,
    /// The number of the ply, in notations that count plies.
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
            FenField::Halfmoves => "halfmoves",
            FenField::Fullmove => "fullmove",
            FenField::Ply => "ply",
            FenField::Line => "line",
        })
    }
}

/// What is wrong with a position that is written as text. Texts are quoted as [`shown`](crate::shown()).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FenFault {
    /// The line has another number of fields than it must have.
    Fields {
        /// How many it has.
        found: usize,
        /// What it must have.
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
    /// A letter of no piece that can be in hand.
    HandLetter(String),
    /// A number of pieces in hand that is out of range.
    HandCount(String),
    /// Neither of the letters of the two sides.
    Side {
        /// What is written.
        text: String,
        /// The letters of White and Black.
        letters: [char; 2],
    },
    /// No state of the setups.
    Phase(String),
    /// A setup in a game that has none.
    NoPhase(String),
    /// A setup is pending and the other side is to move.
    PhaseOutOfTurn(String, Color),
    /// No right of the game.
    Right {
        /// What is written.
        text: String,
        /// All rights of the game, as they are written.
        all: String,
    },
    /// No two numbers of checks.
    Checks {
        /// What is written.
        text: String,
        /// The most that are needed.
        limit: u8,
    },
    /// No square.
    EnPassant(String),
    /// No number within a range.
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
            | SetupFault::Attacked(_) => FenField::Board,
            SetupFault::CrowdedHands(_) | SetupFault::RoyalInHand(..) => FenField::Hands,
            SetupFault::Castling { .. }
            | SetupFault::FirstMove(_)
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
                write!(f, "{found} ranks, {game} has {needed}")
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
            FenFault::EnPassant(text) => write!(f, "'{text}' is no square and not -"),
            FenFault::Number { text, least, most, .. } => {
                write!(f, "'{text}' is no number from {least} to {most}")
            }
            FenFault::Illegal(fault) => fault.describe(variant, notation, f),
        }
    }
}

/// Why a text is refused as a position: everything that is wrong with it, in one line.
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

    /// The error as the user of a notation reads it: `FEN field 'board': …; field 'ep': …`. Of many faults
    /// of a field four are printed.
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

/// The error as [`FenError::through`] prints it in the notation of this program.
impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.through(&Algebraic))
    }
}

impl std::error::Error for FenError {}

/// Two errors are equal if the same is wrong.
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
