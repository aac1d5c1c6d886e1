//! Positions as text: `<board>[<hands>] <side> <setup> <ep> <halfmoves> <fullmove>`. In games in which
//! pieces that have not moved may do something, their rights stand in place of the setups.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::fen_rights::{parse_checks, parse_rights, rights_text};
use crate::position::{Position, SetupPhase};
use crate::shown::shown;
use crate::types::{Color, File, Piece, PieceType, Rank, Square};
use crate::variant::{Letter, Variant};

/// A field of a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FenField {
    /// The pieces on the board.
    Board,
    /// The pieces in hand.
    Hands,
    /// Whose turn it is.
    Side,
    /// The setups pending.
    Setup,
    /// The square that can be captured on in passing.
    EnPassant,
    /// The checks that are still needed.
    Checks,
    /// Plies without progress.
    Halfmoves,
    /// The number of the move.
    Fullmove,
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
            FenField::Line => "line",
        })
    }
}

/// Why a FEN is refused: one line that names the field and the fault.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("FEN field '{field}': {fault}")]
pub struct FenError {
    /// The field at fault.
    pub field: FenField,
    /// What is wrong and what would be right.
    pub fault: String,
}

impl FenError {
    pub(super) fn new(field: FenField, fault: impl Into<String>) -> FenError {
        FenError { field, fault: fault.into() }
    }
}

type Result<T> = std::result::Result<T, FenError>;

/// A square that has been passed, and where the piece stands that passed it, if that is written.
pub(super) type PassedText = (Square, Option<Square>);

/// A position as written, which may break the rules of the game.
pub(super) struct Setup {
    pub pieces: Vec<(Square, Piece)>,
    pub hands: Vec<(Color, PieceType)>,
    pub side: Color,
    pub phase: SetupPhase,
    pub rights: u32,
    pub ep: Option<PassedText>,
    pub halfmoves: u16,
    pub fullmove: u32,
}

const MAX_HALFMOVES: u32 = u16::MAX as u32;
const MAX_FULLMOVE: u32 = 999_999;

impl Position {
    /// The start position of a game.
    ///
    /// # Panics
    /// Never for a built-in game: a test reads the start FEN of each.
    pub fn start(variant: &Arc<Variant>) -> Position {
        match Position::from_fen(variant, variant.start_fen()) {
            Ok(position) => position,
            Err(error) => panic!("start position of {}: {error}", variant.name()),
        }
    }

    /// Reads a FEN. The last two fields may be missing (`0 1`).
    ///
    /// # Errors
    /// What is wrong with the text, or what in the position breaks the rules of the game.
    pub fn from_fen(variant: &Arc<Variant>, fen: &str) -> Result<Position> {
        let setup = Setup::parse(variant, fen)?;
        setup.check(variant)?;
        Position::from_setup(variant, &setup).checked(&setup)
    }

    /// The position as a canonical FEN.
    pub fn fen(&self) -> String {
        let phase = match self.setup_phase() {
            SetupPhase::Both => "Ss".to_string(),
            SetupPhase::Second => "s".to_string(),
            SetupPhase::Done => rights_text(self.variant(), self.rights()),
        };
        format!(
            "{}{} {} {phase} {}{} {} {}",
            self.board_text(),
            self.hands_text(),
            self.side().letter(),
            self.passed_text(),
            self.checks_text(),
            self.halfmoves(),
            self.fullmove()
        )
    }

    /// The square passed, followed by that of the piece if several can have passed it.
    fn passed_text(&self) -> String {
        let name = |square| self.variant().geometry().name(square);
        let Some((square, piece)) = self.en_passant().zip(self.passed_piece()) else {
            return "-".to_string();
        };
        let is_clear = !self.can_have_passed(square).is_many();
        if is_clear { name(square) } else { name(square) + &name(piece) }
    }

    /// The first field of the FEN without the hands.
    fn board_text(&self) -> String {
        let ranks = (0..self.variant().geometry().ranks()).rev();
        ranks.map(|rank| self.rank_text(Rank(rank))).collect::<Vec<_>>().join("/")
    }

    /// One rank as in the first field of a FEN.
    fn rank_text(&self, rank: Rank) -> String {
        let geometry = self.variant().geometry();
        let squares = (0..geometry.files()).filter_map(|file| geometry.square(File(file), rank));
        row_text(self.variant(), squares.map(|square| (square, self.at(square))))
    }

    fn hands_text(&self) -> String {
        let variant = self.variant();
        if variant.hand_kinds().is_empty() {
            return String::new();
        }
        let mut text = String::from("[");
        for color in Color::ALL {
            text += &self.hand_text(color);
        }
        text + "]"
    }

    /// The pieces that a side has in hand, a letter each, as in a FEN.
    pub fn hand_text(&self, color: Color) -> String {
        let variant = self.variant();
        let pieces = variant.hand_kinds().iter().map(|&kind| {
            variant.piece(kind).letter.of_side(color).repeat(usize::from(self.in_hand(color, kind)))
        });
        pieces.collect()
    }
}

/// A row of squares as in a FEN: letters, numbers for runs of empty squares, `*` for holes.
pub(super) fn row_text(
    variant: &Variant,
    row: impl Iterator<Item = (Square, Option<Piece>)>,
) -> String {
    let mut text = String::new();
    let mut empty = 0;
    let flush = |text: &mut String, empty: &mut u32| {
        if *empty > 0 {
            *text += &empty.to_string();
        }
        *empty = 0;
    };
    for (square, piece) in row {
        match piece {
            None if !variant.geometry().squares().contains(square) => {
                flush(&mut text, &mut empty);
                text.push('*');
            }
            None => empty += 1,
            Some(piece) => {
                flush(&mut text, &mut empty);
                text += &variant.piece(piece.kind()).letter.of_side(piece.color());
            }
        }
    }
    flush(&mut text, &mut empty);
    text
}

impl Setup {
    fn parse(variant: &Variant, fen: &str) -> Result<Setup> {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        let checks = parse_checks(variant, &mut fields)?;
        if !matches!(fields.len(), 4 | 6) {
            let fault = format!(
                "{} fields; needed are board, side, setup, ep and perhaps both halfmoves and fullmove",
                fields.len()
            );
            return Err(FenError::new(FenField::Line, fault));
        }
        let (board, hands) = split_hands(variant, fields[0])?;
        let side = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => {
                return Err(FenError::new(
                    FenField::Side,
                    format!("'{}' is neither w nor b", shown(other)),
                ));
            }
        };
        let halfmoves = fields.get(4).copied().unwrap_or("0");
        let fullmove = fields.get(5).copied().unwrap_or("1");
        Ok(Setup {
            pieces: parse_board(variant, board)?,
            hands: parse_hands(variant, hands)?,
            side,
            phase: if variant.has_rights() {
                SetupPhase::Done
            } else {
                parse_phase(variant, fields[2], side)?
            },
            rights: checks
                | if variant.has_rights() { parse_rights(variant, fields[2])? } else { 0 },
            ep: parse_passed(variant, fields[3])?,
            halfmoves: parse_number(FenField::Halfmoves, halfmoves, 0, MAX_HALFMOVES)? as u16,
            fullmove: parse_number(FenField::Fullmove, fullmove, 1, MAX_FULLMOVE)?,
        })
    }
}

fn split_hands<'f>(variant: &Variant, field: &'f str) -> Result<(&'f str, &'f str)> {
    let Some((board, rest)) = field.split_once('[') else {
        return Ok((field, ""));
    };
    if variant.hand_kinds().is_empty() {
        let fault = format!("'[{}', but {} has no hands", shown(rest), variant.name());
        return Err(FenError::new(FenField::Hands, fault));
    }
    let hands = rest.strip_suffix(']').ok_or_else(|| {
        FenError::new(FenField::Hands, format!("'[{}' has no ']' at its end", shown(rest)))
    })?;
    Ok((board, if hands == "-" { "" } else { hands }))
}

fn parse_board(variant: &Variant, text: &str) -> Result<Vec<(Square, Piece)>> {
    let geometry = variant.geometry();
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(geometry.ranks()) {
        let fault = format!("{} ranks, {} has {}", rows.len(), variant.name(), geometry.ranks());
        return Err(FenError::new(FenField::Board, fault));
    }
    let mut pieces = Vec::new();
    for (row, rank) in rows.iter().zip((0..geometry.ranks()).rev()) {
        for (file, piece) in parse_row(variant, row, Rank(rank))?.into_iter().enumerate() {
            let square = geometry.square(File(file as u8), Rank(rank));
            pieces.extend(square.zip(piece));
        }
    }
    Ok(pieces)
}

/// Reads one row of a board; it must have all files.
pub(super) fn parse_row(variant: &Variant, row: &str, rank: Rank) -> Result<Vec<Option<Piece>>> {
    let files = usize::from(variant.geometry().files());
    let fault = |text: String| Err(FenError::new(FenField::Board, format!("rank {rank}: {text}")));
    let mut squares: Vec<Option<Piece>> = Vec::with_capacity(files);
    let geometry = variant.geometry();
    let is_hole = |file: usize| {
        let square = geometry.square(File(file.min(255) as u8), rank);
        square.is_some_and(|square| !geometry.squares().contains(square))
    };
    let mut rest = row;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let mut run = 1;
        if digits > 0 {
            run = rest[..digits].parse().unwrap_or(usize::MAX);
            if run == 0 || c == '0' {
                return fault(format!(
                    "'{}' is no number of empty squares",
                    shown(&rest[..digits])
                ));
            }
            for _ in 0..run.min(files) {
                if is_hole(squares.len()) {
                    return fault(format!(
                        "file {} is a hole, written *",
                        File(squares.len() as u8)
                    ));
                }
                squares.push(None);
            }
            rest = &rest[digits..];
        } else if c == '*' {
            if !is_hole(squares.len()) {
                let file = File(squares.len().min(files) as u8);
                return fault(format!("'*' on file {file}, which is no hole"));
            }
            squares.push(None);
            rest = &rest[1..];
        } else {
            let (piece, length) = match parse_piece(variant, rest) {
                Ok(found) => found,
                Err(text) => return fault(text),
            };
            if is_hole(squares.len()) {
                let file = File(squares.len() as u8);
                return fault(format!("a piece on file {file}, which is a hole, written *"));
            }
            squares.push(Some(piece));
            rest = &rest[length..];
        }
        if run > files || squares.len() > files {
            return fault(format!("more than {files} files in '{}'", shown(row)));
        }
    }
    if squares.len() < files {
        return fault(format!("{} files, {files} are needed, in '{}'", squares.len(), shown(row)));
    }
    Ok(squares)
}

/// Reads a piece at the start of a text; returns it with the length of what was read.
fn parse_piece(variant: &Variant, text: &str) -> std::result::Result<(Piece, usize), String> {
    let plain = !text.starts_with('+');
    let c = text[usize::from(!plain)..].chars().next().unwrap_or(' ');
    let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
    // Other programs write `Q~` where this one writes `+Q`, a promoted piece that moves like a queen.
    let tilde =
        plain && text.chars().nth(1) == Some('~') && variant.has_double(c.to_ascii_uppercase());
    let promoted = !plain || tilde;
    let letter = Letter { capital: c.to_ascii_uppercase(), promoted };
    let plus = if promoted { "+" } else { "" };
    let kind = variant
        .kind_of(letter)
        .ok_or_else(|| format!("unknown letter '{plus}{}'", shown(&c.to_string())))?;
    if !variant.piece(kind).reserve.is_empty() {
        return Err(format!("'{plus}{c}' ({}) exists in hand only", variant.piece(kind).name));
    }
    if !variant.kinds_of(color).contains(kind) {
        return Err(format!("'{plus}{c}' is no piece of {color}'s army"));
    }
    let marks = usize::from(!plain) + usize::from(tilde);
    Ok((Piece::new(color, kind), marks + c.len_utf8()))
}

fn parse_hands(variant: &Variant, text: &str) -> Result<Vec<(Color, PieceType)>> {
    text.chars()
        .map(|c| {
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            let letter = Letter { capital: c.to_ascii_uppercase(), promoted: false };
            let kind = variant.kind_of(letter).filter(|&kind| variant.piece(kind).slot.is_some());
            kind.map(|kind| (color, kind)).ok_or_else(|| {
                let fault =
                    format!("{} holds no '{}' in hand", variant.name(), shown(&c.to_string()));
                FenError::new(FenField::Hands, fault)
            })
        })
        .collect()
}

fn parse_phase(variant: &Variant, text: &str, side: Color) -> Result<SetupPhase> {
    let fault = |fault: String| Err(FenError::new(FenField::Setup, fault));
    let (phase, mover) = match text {
        "-" => return Ok(SetupPhase::Done),
        "Ss" => (SetupPhase::Both, Color::White),
        "s" => (SetupPhase::Second, Color::Black),
        other if variant.has_setup() => {
            return fault(format!("'{}' is none of Ss, s and -", shown(other)));
        }
        other => {
            let (text, name) = (shown(other), variant.name());
            return fault(format!(
                "'{text}', but {name} has no castling and no setup: it must be -"
            ));
        }
    };
    if !variant.has_setup() {
        return fault(format!("'{text}', but {} has no setup phase", variant.name()));
    }
    if side != mover {
        return fault(format!("'{text}' needs {mover} to move"));
    }
    Ok(phase)
}

fn parse_passed(variant: &Variant, text: &str) -> Result<Option<PassedText>> {
    if text == "-" {
        return Ok(None);
    }
    let geometry = variant.geometry();
    let both = geometry.parse_two_squares(text).map(|(square, piece)| (square, Some(piece)));
    match both
        .or(geometry.parse_square(text).filter(|(_, rest)| rest.is_empty()).map(|(s, _)| (s, None)))
    {
        Some(passed) => Ok(Some(passed)),
        _ => Err(FenError::new(
            FenField::EnPassant,
            format!("'{}' is no square and not -", shown(text)),
        )),
    }
}

fn parse_number(field: FenField, text: &str, least: u32, most: u32) -> Result<u32> {
    let number = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u32>().ok());
    number.flatten().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        FenError::new(field, format!("'{}' is no number from {least} to {most}", shown(text)))
    })
}

impl Variant {
    /// The pieces of the start position.
    ///
    /// # Errors
    /// What is wrong with its first field.
    pub(crate) fn start_pieces(&self) -> Result<Vec<(Square, Piece)>> {
        let board = self.start_fen().split_whitespace().next().unwrap_or("");
        parse_board(self, split_hands(self, board)?.0)
    }
}
