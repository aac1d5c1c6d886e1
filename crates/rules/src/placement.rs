//! Rows of a board as text: letters, numbers for runs of empty squares, `*` for holes. This is the first
//! field of a FEN, of a SFEN and of the board text of other programs. It needs the size of the board and
//! the letters of the pieces, nothing else of a game.

use crate::geometry::Geometry;
use crate::naming::{Describe, Notation};
use crate::shown::shown;
use crate::types::{Color, File, Letter, Piece, PieceType, Rank, Square};
use std::fmt;

/// The letters of the pieces of a game.
pub(crate) trait PieceLetters {
    /// The piece type that is written with this letter.
    fn piece_type(&self, letter: Letter) -> Option<PieceType>;

    /// Whether `*` on a square of the board is a stone.
    fn has_stones(&self) -> bool {
        false
    }

    /// Whether `X~` stands for `+X`, as other programs write promoted pieces that move like the unpromoted
    /// ones.
    fn reads_tilde(&self, _capital: char) -> bool {
        false
    }
}

impl PieceLetters for [Letter] {
    fn piece_type(&self, letter: Letter) -> Option<PieceType> {
        let index = self.iter().position(|&other| other == letter)?;
        Some(PieceType::new(index as u8))
    }
}

/// What a text says of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnSquare {
    Nothing,
    Piece(Piece),
    Stone,
}

/// What stands on the squares of a board.
#[derive(Debug, Default)]
pub(crate) struct Placement {
    pub pieces: Vec<(Square, Piece)>,
    pub stones: Vec<Square>,
}

/// Why a text is not a placement of pieces on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlacementError {
    /// The text has not as many ranks as the board.
    Ranks {
        /// The ranks of the text.
        found: usize,
        /// The ranks of the board.
        needed: u8,
    },
    /// One of the ranks cannot be read.
    Row {
        /// The rank.
        rank: Rank,
        /// What is wrong with it.
        fault: RowFault,
    },
}

/// What is wrong with one rank of a placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowFault {
    /// A run of empty squares whose number is 0 or begins with 0.
    Run(String),
    /// A run of empty squares that covers a hole.
    Hole(File),
    /// A piece on a hole.
    PieceInHole(File),
    /// A `*` on a square that is not a hole.
    NoHole(File),
    /// A letter that no piece of the game has.
    Letter(String),
    /// More squares than the board has files.
    TooLong {
        /// The files of the board.
        files: usize,
        /// The rank as written.
        row: String,
    },
    /// Fewer squares than the board has files.
    TooShort {
        /// The squares of the text.
        found: usize,
        /// The files of the board.
        files: usize,
        /// The rank as written.
        row: String,
    },
}

impl Describe for RowFault {
    type Context = Geometry;

    fn describe(
        &self,
        geometry: &Geometry,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let name = |file: File| notation.file(geometry, file);
        match self {
            RowFault::Run(run) => write!(f, "'{run}' is no number of empty squares"),
            RowFault::Hole(file) => write!(f, "file {} is a hole, written *", name(*file)),
            RowFault::PieceInHole(file) => {
                write!(f, "a piece on file {}, which is a hole, written *", name(*file))
            }
            RowFault::NoHole(file) => write!(f, "'*' on file {}, which is no hole", name(*file)),
            RowFault::Letter(letter) => write!(f, "unknown letter '{letter}'"),
            RowFault::TooLong { files, row } => write!(f, "more than {files} files in '{row}'"),
            RowFault::TooShort { found, files, row } => {
                write!(f, "{found} files, {files} are needed, in '{row}'")
            }
        }
    }
}

/// Reads the rows of a board, the last rank first, separated by `/`.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn read_board(
    geometry: &Geometry,
    letters: &(impl PieceLetters + ?Sized),
    text: &str,
) -> Result<Placement, PlacementError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(geometry.ranks()) {
        return Err(PlacementError::Ranks { found: rows.len(), needed: geometry.ranks() });
    }
    let mut placement = Placement::default();
    for (row, rank) in rows.iter().zip((0..geometry.ranks()).rev()) {
        let rank = Rank(rank);
        let row = read_row(geometry, letters, row, rank)
            .map_err(|fault| PlacementError::Row { rank, fault })?;
        for (file, on) in (0..).zip(row) {
            let Some(square) = geometry.square(File(file), rank) else { continue };
            match on {
                OnSquare::Nothing => {}
                OnSquare::Piece(piece) => placement.pieces.push((square, piece)),
                OnSquare::Stone => placement.stones.push(square),
            }
        }
    }
    Ok(placement)
}

/// Reads one row of a board, file a first; it must have all files.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn read_row(
    geometry: &Geometry,
    letters: &(impl PieceLetters + ?Sized),
    row: &str,
    rank: Rank,
) -> Result<Vec<OnSquare>, RowFault> {
    let files = usize::from(geometry.files());
    let is_hole = |file: usize| {
        let square = geometry.square(File(file.min(255) as u8), rank);
        square.is_some_and(|square| !geometry.squares().contains(square))
    };
    let too_long = || RowFault::TooLong { files, row: shown(row) };
    let mut squares: Vec<OnSquare> = Vec::with_capacity(files);
    let mut rest = row;
    while let Some(c) = rest.chars().next() {
        let file = File(squares.len().min(files) as u8);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 {
            let run = rest[..digits].parse().unwrap_or(usize::MAX);
            if run == 0 || c == '0' {
                return Err(RowFault::Run(shown(&rest[..digits])));
            }
            for _ in 0..run.min(files) {
                if is_hole(squares.len()) {
                    return Err(RowFault::Hole(File(squares.len() as u8)));
                }
                squares.push(OnSquare::Nothing);
            }
            if run > files {
                return Err(too_long());
            }
            digits
        } else if c == '*' {
            squares.push(match (is_hole(squares.len()), letters.has_stones()) {
                (true, _) => OnSquare::Nothing,
                (false, true) => OnSquare::Stone,
                (false, false) => return Err(RowFault::NoHole(file)),
            });
            1
        } else {
            let (piece, length) = read_piece(letters, rest)?;
            if is_hole(squares.len()) {
                return Err(RowFault::PieceInHole(file));
            }
            squares.push(OnSquare::Piece(piece));
            length
        };
        rest = &rest[length..];
        if squares.len() > files {
            return Err(too_long());
        }
    }
    if squares.len() < files {
        return Err(RowFault::TooShort { found: squares.len(), files, row: shown(row) });
    }
    Ok(squares)
}

/// Reads a piece at the start of a text; returns it with the length of what was read.
fn read_piece(
    letters: &(impl PieceLetters + ?Sized),
    text: &str,
) -> Result<(Piece, usize), RowFault> {
    let plain = !text.starts_with('+');
    let c = text[usize::from(!plain)..].chars().next().unwrap_or(' ');
    let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
    let capital = c.to_ascii_uppercase();
    let tilde = plain && text.chars().nth(1) == Some('~') && letters.reads_tilde(capital);
    let promoted = !plain || tilde;
    let unknown = || {
        let plus = if promoted { "+" } else { "" };
        RowFault::Letter(format!("{plus}{}", shown(&c.to_string())))
    };
    let kind = letters.piece_type(Letter { capital, promoted }).ok_or_else(unknown)?;
    let marks = usize::from(!plain) + usize::from(tilde);
    Ok((Piece::new(color, kind), marks + c.len_utf8()))
}
