//! The start position. It is read here for the pieces on the board, on which castling and first moves depend;
//! whether it is legal is checked when the game is complete.

use super::Compiler;
use crate::naming::{Algebraic, Describe};
use crate::placement::{PieceLetters, PlacementError, read_board};
use crate::types::{Color, Letter, Piece, PieceType, Square};
use crate::variant::definition::ArmyTable;

impl Compiler<'_> {
    /// The start position as a FEN, with the arrays of the armies in it.
    pub(super) fn start_fen(&self) -> String {
        let text = self.required(&self.definition.start, "start");
        let Some(armies) = &self.armies else {
            return text.clone();
        };
        for (key, army) in armies.0 {
            self.required(&army.array, &format!("armies.{key}.array"));
        }
        let array = |army: &ArmyTable| army.array.clone().unwrap_or_default();
        let (white, black) = (array(armies[Color::White].1), array(armies[Color::Black].1));
        text.replace("{white}", &white).replace("{black}", &black.to_lowercase())
    }

    /// The pieces on the board at the start.
    pub(super) fn start_pieces(&self) -> Option<Vec<(Square, Piece)>> {
        if !self.has_whole_start() {
            return None;
        }
        let board = self.start_fen.split([' ', '[']).next().unwrap_or("");
        let placement = read_board(&self.geometry, self, board);
        let placement =
            placement.map_err(|error| self.faults.note("start", self.placement_fault(&error)));
        let pieces = placement.map(|placement| placement.pieces);
        pieces.inspect(|pieces| self.check_hand_only(pieces)).ok()
    }

    /// Reports a reserve on the board. The complete game would report it too, but only without other faults.
    fn check_hand_only(&self, pieces: &[(Square, Piece)]) {
        let is_reserve = |piece: &Piece| self.tables[piece.kind().index()].reserve.is_some();
        let Some((square, piece)) = pieces.iter().find(|(_, piece)| is_reserve(piece)) else {
            return;
        };
        let letter = self.letters[piece.kind().index()];
        let (written, square) = (letter.of_side(piece.color()), self.geometry.name(*square));
        let name = self.tables[piece.kind().index()].name.clone();
        let name = name.unwrap_or_else(|| letter.to_string());
        let fault =
            format!("FEN field 'board': '{written}' on {square}: the {name} exists in hand only");
        self.faults.note("start", fault);
    }

    /// Whether the start position is written, with the pieces of the armies that stand in it.
    fn has_whole_start(&self) -> bool {
        let armies = self.armies.iter().flat_map(|armies| armies.0);
        let mut whole = armies.map(|(_, army)| army.pieces.is_some() && army.array.is_some());
        self.definition.start.is_some() && whole.all(|whole| whole)
    }

    fn placement_fault(&self, error: &PlacementError) -> String {
        let fault = match error {
            PlacementError::Ranks { found, needed } => {
                let name = self.definition.name.as_deref().unwrap_or("the board");
                format!("{found} ranks, {name} has {needed}")
            }
            PlacementError::Row { rank, fault } => {
                format!("rank {rank}: {}", fault.through(&self.geometry, &Algebraic))
            }
        };
        format!("FEN field 'board': {fault}")
    }
}

impl PieceLetters for Compiler<'_> {
    fn piece_type(&self, letter: Letter) -> Option<PieceType> {
        self.letters[..].piece_type(letter)
    }

    fn has_stones(&self) -> bool {
        self.definition.stones.is_some() || self.petrifies()
    }

    fn reads_tilde(&self, capital: char) -> bool {
        let betza = |promoted| {
            let kind = self.piece_type(Letter { capital, promoted })?;
            Some(self.tables[kind.index()].betza.as_deref().unwrap_or_default())
        };
        betza(false).is_some_and(|own| betza(true) == Some(own))
    }
}
