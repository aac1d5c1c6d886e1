//! Positions as text: `<board>[<hands>] <side> <setup> <ep> <halfmoves> <fullmove>`. In games in which
//! pieces that have not moved may do something, their rights stand in place of the setups; in games in which a player who
//! has little left counts, a running count stands at the end.
//!
//! The text is read into a [`Setup`] field by field and then checked; texts of other notations are read with
//! the same fields.

use std::sync::Arc;

use super::fen_error::{FenError, FenFault, FenField, phase_text};
use super::fen_fields::{Fields, Hands};
use crate::bitboard::Bitboard;
use crate::naming::{Algebraic, Notation};
use crate::placement::{self, PieceLetters};
use crate::position::{Position, RunningCount};
use crate::setup::{EnPassant, Setup, SetupFault};
use crate::shown::shown;
use crate::types::{Color, File, Letter, Piece, PieceType, Rank, SetupPhase, Square};
use crate::variant::Variant;

const MAX_HALFMOVES: u32 = u16::MAX as u32;
const MAX_FULLMOVE: u32 = 999_999;

impl Position {
    /// The start position of a game.
    ///
    /// # Panics
    /// Never: a definition is compiled to a [`Variant`] only if its start position can be read.
    pub fn start(variant: &Arc<Variant>) -> Position {
        match Position::from_fen(variant, variant.start_fen()) {
            Ok(position) => position,
            Err(error) => panic!("start position of {}: {error}", variant.name()),
        }
    }

    /// Reads a FEN: `<board>[<hands>] <side> <setup or rights> <ep> <halfmoves> <fullmove>`. The last two fields may
    /// be left out; they are `0 1` then. The forms of other programs are read as well: hands as a row more, `w 0 1`
    /// and `[-] w - 1` of shogi programs, the board alone.
    ///
    /// # Errors
    /// All fields that cannot be read; if there are none, everything in the position that breaks the rules of the
    /// game.
    pub fn from_fen(variant: &Arc<Variant>, fen: &str) -> Result<Position, FenError> {
        Setup::from_fen(variant, fen)?.into_position()
    }

    /// The position as a canonical FEN.
    pub fn fen(&self) -> String {
        Setup::from(self).fen()
    }

    /// The pieces that a side has in hand, a letter each, as in a FEN.
    pub fn hand_text(&self, color: Color) -> String {
        hand_letters(self.variant(), color, |kind| self.in_hand(color, kind))
    }
}

impl Setup {
    /// Reads a FEN, whose position may break the rules of the game.
    ///
    /// # Errors
    /// All fields that cannot be read.
    pub fn from_fen(variant: &Arc<Variant>, fen: &str) -> Result<Setup, FenError> {
        Setup::empty(variant).read_fen(fen)
    }

    /// Reads a FEN into an [empty](Setup::empty) setup, which may [name castling by rooks](Setup::name_castling_by_rook).
    ///
    /// # Errors
    /// All fields that cannot be read.
    pub fn read_fen(self, fen: &str) -> Result<Setup, FenError> {
        let mut setup = self;
        let variant = &Arc::clone(setup.variant());
        let one = |fault| FenError::new(variant, vec![fault]);
        let fields = Fields::split(variant, fen).map_err(one)?;
        let mut faults = Vec::new();
        let mut note = |read: Result<(), FenFault>| faults.extend(read.err());
        if let Some(checks) = fields.checks {
            note(setup.read_checks(checks));
        }
        note(setup.read_board(fields.board));
        match fields.hands {
            Some(Hands::Bracket(hands)) => note(setup.read_hands(hands)),
            Some(Hands::Row(hands)) => note(setup.read_hand_letters(hands)),
            None => {}
        }
        note(setup.read_side(fields.side, ['w', 'b']));
        note(setup.read_state(fields.state));
        // Fairy-Stockfish has the limit of a count in the field of the passed square, and its plies in the next.
        if variant.has_counts() && fields.passed.bytes().all(|b| b.is_ascii_digit()) {
            note(setup.read_count(&format!("{}/{}", fields.halfmoves, fields.passed)));
        } else {
            note(setup.read_passed(fields.passed, &Algebraic));
            note(setup.read_halfmoves(fields.halfmoves));
        }
        note(setup.read_fullmove(fields.fullmove));
        if let Some(count) = fields.count {
            note(setup.read_count(count));
        }
        if faults.is_empty() { Ok(setup) } else { Err(FenError::new(variant, faults)) }
    }

    /// The setup as a FEN.
    pub fn fen(&self) -> String {
        format!(
            "{}{} {} {} {}{} {} {}{}",
            self.board_text(),
            self.hands_text(),
            self.side_to_move.letter(),
            self.state_text(),
            self.passed_text(&Algebraic),
            self.checks_text(),
            self.halfmoves,
            self.fullmove,
            self.count_text().map_or(String::new(), |count| format!(" {count}"))
        )
    }

    /// The position of this setup. Unlike `Position::try_from`, it assigns faults to the fields of a FEN.
    ///
    /// # Errors
    /// Everything that breaks the rules of the game.
    pub fn into_position(self) -> Result<Position, FenError> {
        let variant = Arc::clone(self.variant());
        // What the text says of the turn while a setup is pending is reported as it is written.
        let phase = self.phase;
        let as_written = move |fault| match fault {
            SetupFault::SetupOutOfTurn(color) => {
                FenFault::PhaseOutOfTurn(phase_text(phase).to_string(), color)
            }
            SetupFault::NoSetupPhase => FenFault::NoPhase(phase_text(phase).to_string()),
            fault => FenFault::Illegal(fault),
        };
        Position::try_from(self).map_err(|error| {
            FenError::new(&variant, error.into_faults().into_iter().map(as_written).collect())
        })
    }

    /// Reads the rows of the board, the last rank first.
    ///
    /// # Errors
    /// The first fault of the rows; the board is unchanged then.
    pub fn read_board(&mut self, text: &str) -> Result<(), FenFault> {
        let variant = Arc::clone(self.variant());
        let placement = placement::read_board(variant.geometry(), &*variant, text);
        let placement = placement.map_err(FenFault::Placement)?;
        for square in variant.geometry().squares() {
            self.set_piece(square, None);
            self.set_stone(square, false);
        }
        for (square, piece) in placement.pieces {
            self.set_piece(square, Some(piece));
        }
        for square in placement.stones {
            self.set_stone(square, true);
        }
        Ok(())
    }

    /// The rows of the board, the last rank first.
    pub fn board_text(&self) -> String {
        let geometry = self.variant().geometry();
        let row = |rank: u8| {
            let squares =
                (0..geometry.files()).filter_map(|file| geometry.square(File(file), Rank(rank)));
            let squares = squares.map(|square| (square, self.piece_at(square)));
            row_text(self.variant(), self.stones(), squares)
        };
        (0..geometry.ranks()).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// Reads the hands of a FEN without the opening `[`: a letter for each piece in hand, or `-`, then `]`. The pieces
    /// are added to the hands.
    ///
    /// # Errors
    /// The first fault of the text.
    pub fn read_hands(&mut self, text: &str) -> Result<(), FenFault> {
        if self.variant().hand_kinds().is_empty() {
            return Err(FenFault::NoHands(shown(text)));
        }
        let hands = text.strip_suffix(']').ok_or_else(|| FenFault::OpenHands(shown(text)))?;
        self.read_hand_letters(hands)
    }

    /// Adds a piece to the hands for each letter; `-` stands for none.
    fn read_hand_letters(&mut self, text: &str) -> Result<(), FenFault> {
        let letters = if text == "-" { "" } else { text };
        letters.chars().try_for_each(|letter| self.read_in_hand(letter, 1))
    }

    /// Adds pieces with this letter, a capital for White, to a hand.
    ///
    /// # Errors
    /// No such piece can be in hand.
    pub fn read_in_hand(&mut self, letter: char, count: u8) -> Result<(), FenFault> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let kind = self
            .variant()
            .kind_of(Letter { capital: letter.to_ascii_uppercase(), promoted: false })
            .ok_or_else(|| FenFault::HandLetter(shown(&letter.to_string())))?;
        let count = self.in_hand(color, kind).saturating_add(count);
        if self.set_in_hand(color, kind, count) {
            Ok(())
        } else {
            Err(FenFault::HandLetter(shown(&letter.to_string())))
        }
    }

    /// The hands with their brackets; nothing in a game without hands.
    fn hands_text(&self) -> String {
        if self.variant().hand_kinds().is_empty() {
            return String::new();
        }
        let of_side = |color| hand_letters(self.variant(), color, |kind| self.in_hand(color, kind));
        format!("[{}{}]", of_side(Color::White), of_side(Color::Black))
    }

    /// Reads the side to move; `letters` are those of White and Black.
    ///
    /// # Errors
    /// The text is neither of the two letters.
    pub fn read_side(&mut self, text: &str, letters: [char; 2]) -> Result<(), FenFault> {
        let is = |letter: char| text.chars().eq([letter]);
        self.side_to_move = match letters {
            [white, _] if is(white) => Color::White,
            [_, black] if is(black) => Color::Black,
            _ => return Err(FenFault::Side { text: shown(text), letters }),
        };
        Ok(())
    }

    /// Reads the pending setups (`Ss`, `s`), the rights of pieces that have not moved (such as `KQkq`), or `-`.
    ///
    /// # Errors
    /// The text is none of these, or the game has no such setup or right.
    pub fn read_state(&mut self, text: &str) -> Result<(), FenFault> {
        if self.variant().has_rights() {
            return self.read_rights(text);
        }
        self.phase = match text {
            "-" => SetupPhase::Done,
            "Ss" => SetupPhase::Both,
            "s" => SetupPhase::Second,
            other if self.variant().has_setup() => return Err(FenFault::Phase(shown(other))),
            other => return Err(FenFault::NoPhase(shown(other))),
        };
        Ok(())
    }

    /// The pending setups, or the rights of pieces that have not moved; `-` for none.
    pub fn state_text(&self) -> String {
        if self.phase == SetupPhase::Done {
            self.rights_text()
        } else {
            phase_text(self.phase).to_string()
        }
    }

    /// Reads the en passant square, which the square of the piece that passed it may follow, or `-`.
    ///
    /// # Errors
    /// The text is neither.
    pub fn read_passed(&mut self, text: &str, notation: &dyn Notation) -> Result<(), FenFault> {
        let geometry = Arc::clone(self.variant());
        let geometry = geometry.geometry();
        let read = || {
            let (passed, rest) = notation.parse_square(geometry, text)?;
            if rest.is_empty() {
                return Some(EnPassant { passed, piece: None });
            }
            let (piece, rest) = notation.parse_square(geometry, rest)?;
            rest.is_empty().then_some(EnPassant { passed, piece: Some(piece) })
        };
        self.en_passant = match text {
            "-" => None,
            _ => Some(read().ok_or_else(|| FenFault::EnPassant(shown(text)))?),
        };
        Ok(())
    }

    /// The en passant square, followed by the square of the piece if several can have passed it, or `-`.
    pub fn passed_text(&self, notation: &dyn Notation) -> String {
        let name = |square| notation.square(self.variant().geometry(), square);
        match self.en_passant {
            None => "-".to_string(),
            Some(EnPassant { passed, piece }) => name(passed) + &piece.map_or(String::new(), name),
        }
    }

    /// Reads the move count: plies since the last capture, drop, promotion or pawn move.
    ///
    /// # Errors
    /// The text is not a number from 0 to 65535.
    pub fn read_halfmoves(&mut self, text: &str) -> Result<(), FenFault> {
        self.halfmoves = read_number(FenField::Halfmoves, text, 0, MAX_HALFMOVES)? as u16;
        Ok(())
    }

    /// Reads a count of a player who has little left: its plies and its limit, such as `5/128`.
    ///
    /// # Errors
    /// The text is no such count, or the game has none with this limit.
    pub fn read_count(&mut self, text: &str) -> Result<(), FenFault> {
        let mut limits: Vec<u16> =
            self.variant().count_rules().iter().map(|rule| rule.limit).collect();
        let number = |text: &str| text.parse::<u16>().ok();
        let read = text.split_once('/').and_then(|(plies, limit)| {
            Some(RunningCount { plies: number(plies)?, limit: number(limit)? })
        });
        let is_possible = |count: &RunningCount| count.limit > 0 && limits.contains(&count.limit);
        self.count = read.filter(is_possible);
        if self.count.is_some() {
            return Ok(());
        }
        limits.sort_unstable();
        limits.dedup();
        limits.retain(|&limit| limit > 0);
        Err(FenFault::Count { text: shown(text), limits })
    }

    /// The count of a player who has little left, if one is running.
    pub fn count_text(&self) -> Option<String> {
        self.count.map(|count| format!("{}/{}", count.plies, count.limit))
    }

    /// Reads the move number; 0, from which some programs count, is read as 1.
    ///
    /// # Errors
    /// The text is not a number from 0 to 999999.
    pub fn read_fullmove(&mut self, text: &str) -> Result<(), FenFault> {
        self.fullmove = read_number(FenField::Fullmove, text, 0, MAX_FULLMOVE)?.max(1);
        Ok(())
    }

    /// Reads the ply number, from 1, and sets the move number from it; 0, from which some programs count, is read
    /// as 1.
    ///
    /// # Errors
    /// The text is not a number from 0 to 1999998.
    pub fn read_ply(&mut self, text: &str) -> Result<(), FenFault> {
        let ply = read_number(FenField::Ply, text, 0, 2 * MAX_FULLMOVE)?.max(1);
        self.fullmove = (ply - 1) / 2 + 1;
        Ok(())
    }
}

fn read_number(field: FenField, text: &str, least: u32, most: u32) -> Result<u32, FenFault> {
    let number = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u32>().ok());
    let number = number.flatten().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| FenFault::Number { field, text: shown(text), least, most })
}

/// The pieces in the hand of a side, a letter each, of which it has so many.
fn hand_letters(variant: &Variant, color: Color, count: impl Fn(PieceType) -> u8) -> String {
    let letters = variant
        .hand_kinds()
        .iter()
        .map(|&kind| variant.piece(kind).letter.of_side(color).repeat(usize::from(count(kind))));
    letters.collect()
}

/// A row of squares as in a FEN: letters, numbers for runs of empty squares, `*` for holes and stones.
pub(super) fn row_text(
    variant: &Variant,
    stones: Bitboard,
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
            None if !variant.geometry().squares().contains(square) || stones.contains(square) => {
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

impl PieceLetters for Variant {
    fn piece_type(&self, letter: Letter) -> Option<PieceType> {
        self.kind_of(letter)
    }

    fn has_stones(&self) -> bool {
        self.has_stones()
    }

    fn reads_tilde(&self, capital: char) -> bool {
        self.has_double(capital)
    }
}
