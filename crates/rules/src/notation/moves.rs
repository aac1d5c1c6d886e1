//! Moves as text: `e3e4`, `e8e9q`, `c6c7+`, `N@e5`, `G@e5w`, `=TWF1T1FWT`.

use thiserror::Error;

use super::fen::{parse_row, row_text};
use super::fen_check::setup_rank;
use crate::position::Position;
use crate::shown::shown;
use crate::types::{Color, File, Move, Piece, PieceType, Square, Tag};
use crate::variant::Letter;

/// Why a text is no legal move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It is not written like a move of this game.
    #[error("'{text}' is no move text of {variant} (such as {example})")]
    Syntax {
        /// The text.
        text: String,
        /// The game.
        variant: String,
        /// A legal move of the position, or of the notation in general.
        example: String,
    },
    /// It is written like a move, but the rules do not allow it here.
    #[error("illegal move '{text}': {why}")]
    Illegal {
        /// The text.
        text: String,
        /// Why.
        why: String,
    },
}

impl Position {
    /// Reads a legal move of this position.
    ///
    /// # Errors
    /// Whether it is not written like a move or not legal, and why.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let illegal = |why: String| MoveError::Illegal { text: shown(text), why };
        if let Some(row) = text.strip_prefix('=') {
            return self.parse_setup(row).map_err(illegal);
        }
        if text == "0000" && self.variant().pass {
            let why = || illegal("a pass does not end the check, or the game is over".to_string());
            return Some(Move::pass()).filter(|&mv| self.is_legal(mv)).ok_or_else(why);
        }
        if text == "0000" {
            return Err(illegal("a null move is no move of this game".to_string()));
        }
        let mv = self.parse_coordinates(text).ok_or_else(|| self.syntax_error(text))?;
        if self.is_legal(mv) { Ok(mv) } else { Err(illegal(self.why_illegal(mv))) }
    }

    /// Reads a move and makes it. Given while setups are pending, a move that is no setup means
    /// that those who have not set up keep their array. Returns the number of plies made.
    ///
    /// # Errors
    /// As [`Position::parse_move`]; nothing is changed then.
    pub fn play(&mut self, text: &str) -> Result<usize, MoveError> {
        let kept = if text.starts_with('=') { 0 } else { self.keep_arrays() };
        match self.parse_move(text) {
            Ok(mv) => {
                self.make(mv);
                Ok(kept + 1)
            }
            Err(error) => {
                (0..kept).for_each(|_| self.unmake());
                Err(error)
            }
        }
    }

    /// A legal move as text.
    pub fn move_text(&self, mv: Move) -> String {
        let variant = self.variant();
        let name = |square| variant.geometry().name(square);
        match mv.tag() {
            Tag::Pass => "0000".to_string(),
            Tag::Setup => format!("={}", self.setup_text(mv)),
            Tag::Drop => {
                let dropped = variant.piece(mv.dropped());
                let choice = if dropped.reserve.is_empty() {
                    String::new()
                } else {
                    variant.suffix(mv.dropped(), mv.becomes())
                };
                format!("{}@{}{choice}", dropped.letter, name(mv.to()))
            }
            Tag::Promotion => {
                let suffix =
                    self.at(mv.from()).map(|piece| variant.suffix(piece.kind(), mv.becomes()));
                format!("{}{}{}", name(mv.from()), name(mv.to()), suffix.unwrap_or_default())
            }
            Tag::Normal | Tag::EnPassant | Tag::DoubleStep | Tag::Castle => {
                format!("{}{}", name(mv.from()), name(mv.to()))
            }
        }
    }

    /// A line of play as text, as far as its moves are legal one after the other.
    pub fn line_text(&self, line: &[Move]) -> Vec<String> {
        self.line_with(line, Position::move_text)
    }

    /// A line of play as texts that `text` makes of each move, as far as its moves are legal.
    pub fn line_with(
        &self,
        line: &[Move],
        text: impl Fn(&Position, Move) -> String,
    ) -> Vec<String> {
        let mut position = self.without_history();
        let mut texts = Vec::with_capacity(line.len());
        for &mv in line {
            if !position.is_legal(mv) {
                break;
            }
            texts.push(text(&position, mv));
            position.make(mv);
        }
        texts
    }

    fn setup_text(&self, mv: Move) -> String {
        let row = self.setup_rank().map(|square| (square, self.after_setup(mv, square)));
        // The row is written in capitals, whoever sets up.
        let white = |piece: Piece| Piece::new(Color::White, piece.kind());
        row_text(self.variant(), row.map(|(square, piece)| (square, piece.map(white))))
    }

    fn parse_setup(&self, row: &str) -> Result<Move, String> {
        if !self.setup_phase().is_pending() {
            return Err("no setup is pending".to_string());
        }
        let variant = self.variant();
        let rank = setup_rank(self).ok_or("no setup is pending")?;
        if row.contains(|c: char| c.is_lowercase()) {
            return Err("a setup row is written in capitals".to_string());
        }
        let pieces = parse_row(variant, row, rank).map_err(|error| error.fault)?;
        let piece_on = |square: Square| {
            pieces[usize::from(variant.geometry().file(square).0)].map(Piece::kind)
        };
        let same = |square: Square| self.at(square).map(Piece::kind) == piece_on(square);
        let movable = |square: Square| {
            let is_movable = |kind| variant.setup_kinds().contains(kind);
            self.at(square).is_none_or(|piece| is_movable(piece.kind()))
        };
        if let Some(square) = self.setup_rank().find(|&square| !movable(square) && !same(square)) {
            return Err(format!(
                "what stands on {} cannot be rearranged",
                variant.geometry().name(square)
            ));
        }
        let wrong = || {
            let pieces: String =
                variant.setup_kinds().map(|kind| variant.piece(kind).letter.capital).collect();
            format!("the row must hold the same {pieces} as before")
        };
        self.setup_to(piece_on).ok_or_else(wrong)
    }

    /// Reads what is written like a drop or a move from square to square, legal or not.
    pub(super) fn parse_coordinates(&self, text: &str) -> Option<Move> {
        if text.contains('@') { self.parse_drop(text) } else { self.parse_board_move(text) }
    }

    fn parse_drop(&self, text: &str) -> Option<Move> {
        let (letter, rest) = text.split_once('@')?;
        let variant = self.variant();
        let &[letter] = Letter::split(letter)?.as_slice() else { return None };
        let kind = variant.kind_of(letter).filter(|&kind| variant.piece(kind).slot.is_some())?;
        let (to, choice) = variant.geometry().parse_square(rest)?;
        let reserve = variant.piece(kind).reserve;
        let becomes = if reserve.is_empty() {
            choice.is_empty().then_some(kind)?
        } else {
            reserve.into_iter().find(|&becomes| variant.suffix(kind, becomes) == choice)?
        };
        Some(Move::drop(kind, becomes, to))
    }

    fn parse_board_move(&self, text: &str) -> Option<Move> {
        let geometry = self.variant().geometry();
        let (from, rest) = geometry.parse_square(text)?;
        let (to, choice) = geometry.parse_square(rest)?;
        if choice.is_empty() {
            let tags = [Tag::Normal, Tag::DoubleStep, Tag::EnPassant, Tag::Castle];
            let moves = tags.map(|tag| Move::tagged(from, to, tag));
            return moves.into_iter().find(|&mv| self.is_legal(mv)).or(Some(moves[0]));
        }
        let variant = self.variant();
        let Some(piece) = self.at(from) else {
            let known = |kind| variant.suffix(kind, kind) == choice;
            return variant
                .kinds()
                .find(|&kind| known(kind))
                .map(|kind| Move::promotion(from, to, kind));
        };
        let suffix = |kind: &PieceType| variant.suffix(piece.kind(), *kind) == choice;
        let chosen = variant.promotes_to(piece.color(), piece.kind()).find(&suffix);
        let any = || variant.kinds().find(&suffix);
        chosen.or_else(any).map(|kind| Move::promotion(from, to, kind))
    }

    fn syntax_error(&self, text: &str) -> MoveError {
        let geometry = self.variant().geometry();
        let legal = self.legal_moves();
        let some = |mv: &Move| self.move_text(*mv);
        let corner = |file, rank| geometry.square(File(file), crate::types::Rank(rank));
        let example = legal.first().map(some).unwrap_or_else(|| {
            let squares = corner(0, 0).into_iter().chain(corner(0, 1));
            squares.map(|square| geometry.name(square)).collect()
        });
        MoveError::Syntax { text: shown(text), variant: self.variant().name().to_string(), example }
    }

    /// The first thing that forbids a move that is not legal.
    pub(super) fn why_illegal(&self, mv: Move) -> String {
        let variant = self.variant();
        let name = |square| variant.geometry().name(square);
        let side = self.side();
        let dropped = mv.is_drop().then(|| variant.piece(mv.dropped()).letter);
        if let Some(why) = self.why_nothing_but(dropped) {
            return why;
        }
        if mv.is_drop() {
            let piece = variant.piece(mv.dropped());
            if self.in_hand(side, mv.dropped()) == 0 {
                return format!("{side} has no {} in hand", piece.name);
            }
            if self.at(mv.to()).is_some() {
                return format!("{} is occupied", name(mv.to()));
            }
            return format!("a {} may not be dropped on {} now", piece.name, name(mv.to()));
        }
        match self.at(mv.from()) {
            None => format!("there is no piece on {}", name(mv.from())),
            Some(piece) if piece.color() != side => {
                format!("the piece on {} is not {side}'s", name(mv.from()))
            }
            Some(piece) => self.why_piece_cannot(piece, mv),
        }
    }

    /// Why nothing is legal here, or nothing but the drop of another piece than the `dropped` one.
    pub(super) fn why_nothing_but(&self, dropped: Option<Letter>) -> Option<String> {
        let variant = self.variant();
        let side = self.side();
        if let Some(outcome) = self.decided() {
            return Some(format!("the game is over ({})", outcome.reason));
        }
        if self.setup_phase().is_pending() {
            let row = self.setup_text(self.setup_as_is());
            return Some(format!("{side}'s setup is pending; write it as ={row}"));
        }
        let royal = variant.royal().filter(|&royal| self.in_hand(side, royal) > 0)?;
        let royal = variant.piece(royal);
        (dropped != Some(royal.letter))
            .then(|| format!("{side} must place the {} first", royal.name))
    }

    fn why_piece_cannot(&self, piece: Piece, mv: Move) -> String {
        let variant = self.variant();
        let piece = &variant.piece(piece.kind()).name;
        let legal = self.legal_moves();
        let same = legal
            .iter()
            .filter(|other| !other.is_drop() && (other.from(), other.to()) == (mv.from(), mv.to()));
        let choices: Vec<String> = same.map(|&other| self.move_text(other)).collect();
        if !choices.is_empty() {
            return format!("the {piece} moves there only as {}", choices.join(", "));
        }
        if self.is_check() && self.royal_square(self.side()).is_some() {
            return format!(
                "{} is in check and this {piece} move does not end it, or is none",
                self.side()
            );
        }
        let geometry = variant.geometry();
        format!(
            "the {piece} on {} cannot go to {}",
            geometry.name(mv.from()),
            geometry.name(mv.to())
        )
    }
}
