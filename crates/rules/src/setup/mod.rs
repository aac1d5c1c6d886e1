//! A position put together piece by piece, legal or not, and what can be wrong with it.

mod castling;
mod check;
mod fault;

use std::sync::Arc;

pub use fault::{SetupError, SetupFault};

use crate::bitboard::Bitboard;
use crate::position::RunningCount;
use crate::types::{
    Color, Hand, MAX_PIECE_TYPES, MAX_SQUARES, PerColor, Piece, PieceType, SetupPhase, Square,
};
use crate::variant::{Rights, Variant};

/// A right of a piece that has not moved, as a FEN names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// To castle, by its letter.
    Castling(char),
    /// To make the first move of the piece on a square.
    FirstMove(Square),
    /// To let a piece come from hand when the piece on a square leaves it.
    Gate(Square),
}

/// The most pieces in both hands together: with at most 128 on the board, no count of a hand can
/// ever exceed its eight bits.
pub(crate) const MAX_IN_HANDS: u32 = 120;

/// Pieces of both colors, whether the game has them or not.
const PIECES: usize = 2 * MAX_PIECE_TYPES;

/// A position that may break the rules of its game, put together piece by piece.
///
/// [`Position::try_from`](crate::Position) checks it and returns all faults together.
///
/// ```
/// use garrison_rules::{Color, Letter, Piece, Position, Setup, find};
///
/// let chess = find("chess").expect("a game that ships with the crate");
/// let king = chess.kind_of(Letter { capital: 'K', promoted: false }).expect("chess has kings");
/// let square = |name| chess.geometry().parse_square(name).expect("a square").0;
///
/// let mut setup = Setup::empty(&chess);
/// setup.set_piece(square("e1"), Some(Piece::new(Color::White, king)));
/// let error = Position::try_from(setup.clone()).expect_err("a king is missing");
/// assert_eq!(error.to_string(), "no king 'k' of Black");
///
/// setup.set_piece(square("e8"), Some(Piece::new(Color::Black, king)));
/// let position = Position::try_from(setup).expect("two kings make a position");
/// assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
/// ```
#[derive(Debug, Clone)]
pub struct Setup {
    variant: Arc<Variant>,
    board: [Option<Piece>; MAX_SQUARES],
    /// Where pieces stand, and how many there are of each: counted as they are set, since the rules ask often.
    occupied: Bitboard,
    stones: Bitboard,
    counts: [u8; PIECES],
    hands: PerColor<Hand>,
    /// The side to move.
    pub side_to_move: Color,
    /// The setups that are still to be made before the first move.
    pub phase: SetupPhase,
    /// The square that a piece has just passed by a double step, if it may be captured there.
    pub en_passant: Option<EnPassant>,
    /// The rights of pieces that have not moved, a bit each.
    pub(crate) rights: u32,
    /// What these bits mean: as in the game, unless kings and rooks start elsewhere.
    pub(crate) all_rights: Arc<Rights>,
    /// The checks that each side has given, in games that count them.
    pub checks_given: PerColor<u8>,
    /// Plies since the last capture, drop, promotion or pawn move.
    pub halfmoves: u16,
    /// The count of a player who has little left, if one is running, in games that know such counts.
    pub count: Option<RunningCount>,
    /// The move number, from 1; it rises after Black's move.
    pub fullmove: u32,
}

/// A square that has just been passed by a double step.
///
/// ```
/// use garrison_rules::{Position, Setup, find};
///
/// let fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
/// let chess = find("chess")?;
/// let passed = Setup::from_fen(&chess, fen)?.en_passant.expect("an en passant square");
/// assert_eq!(chess.geometry().name(passed.passed), "e3");
/// assert!(Position::from_fen(&chess, fen)?.parse_san("dxe3").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnPassant {
    /// The square that was passed, where the piece can be captured.
    pub passed: Square,
    /// The square of that piece; `None` stands for the only piece that can have passed.
    pub piece: Option<Square>,
}

impl Setup {
    /// An empty board with White to move, nothing in hand and no rights.
    pub fn empty(variant: &Arc<Variant>) -> Setup {
        Setup {
            variant: Arc::clone(variant),
            board: [None; MAX_SQUARES],
            occupied: Bitboard::EMPTY,
            stones: Bitboard::EMPTY,
            counts: [0; PIECES],
            hands: PerColor::default(),
            side_to_move: Color::White,
            phase: SetupPhase::Done,
            en_passant: None,
            rights: 0,
            all_rights: Arc::clone(variant.rights()),
            checks_given: PerColor::default(),
            halfmoves: 0,
            count: None,
            fullmove: 1,
        }
    }

    /// The game.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The piece on a square, on the board or not.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Puts a piece on a square, or takes it off; returns what stood there.
    pub fn set_piece(&mut self, square: Square, piece: Option<Piece>) -> Option<Piece> {
        if piece.is_some() {
            self.stones &= !Bitboard::of(square);
        }
        let before = std::mem::replace(&mut self.board[square.index()], piece);
        if let Some(before) = before {
            self.counts[before.index()] -= 1;
            self.occupied &= !Bitboard::of(square);
        }
        if let Some(piece) = piece {
            self.counts[piece.index()] += 1;
            self.occupied.insert(square);
        }
        before
    }

    /// The squares with stones.
    pub fn stones(&self) -> Bitboard {
        self.stones
    }

    /// Puts a stone in place of what stands on a square, or takes it away; returns `false`, and changes nothing, if the
    /// game has no stones or not this square.
    pub fn set_stone(&mut self, square: Square, is_there: bool) -> bool {
        let is_possible =
            self.variant.has_stones() && self.variant.geometry().squares().contains(square);
        if is_possible && is_there {
            self.set_piece(square, None);
            self.stones.insert(square);
        } else if is_possible {
            self.stones &= !Bitboard::of(square);
        }
        is_possible
    }

    /// The pieces that have been set, lowest square first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied.filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// How many pieces of a type a side has in hand, `0..=255`.
    pub fn in_hand(&self, color: Color, kind: PieceType) -> u8 {
        self.variant.piece(kind).slot.map_or(0, |slot| self.hands[color].count(slot))
    }

    /// Sets how many pieces of a type a side has in hand; returns `false`, and changes nothing, if such a
    /// piece cannot be in hand.
    pub fn set_in_hand(&mut self, color: Color, kind: PieceType, count: u8) -> bool {
        let slot = self.variant.piece(kind).slot;
        if let Some(slot) = slot {
            self.hands[color].set(slot, count);
        }
        slot.is_some()
    }

    /// What a side has in hand.
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// Grants or takes away the right of the piece on a square to make its first move; returns `false`, and
    /// changes nothing, if the game has no such right.
    pub fn set_first_move(&mut self, square: Square, has_right: bool) -> bool {
        self.set_right(self.all_rights.first(square), has_right)
    }

    /// Grants or takes away the right to let a piece come from hand when the piece on a square leaves it; returns `false`,
    /// and changes nothing, if the game has no such right.
    pub fn set_gate(&mut self, square: Square, has_right: bool) -> bool {
        self.set_right(self.all_rights.gate(square), has_right)
    }

    fn set_right(&mut self, bit: u32, has_right: bool) -> bool {
        if has_right {
            self.rights |= bit;
        } else {
            self.rights &= !bit;
        }
        bit != 0
    }

    /// How many pieces of this type a side has on the board.
    pub(crate) fn on_board(&self, color: Color, kind: PieceType) -> usize {
        usize::from(self.counts[Piece::new(color, kind).index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Letter, find};

    #[test]
    fn pieces_are_counted_as_they_come_and_go() {
        let chess = find("chess").expect("a built-in game");
        let kind = |capital| chess.kind_of(Letter { capital, promoted: false }).expect("a piece");
        let [rook, queen] = ['R', 'Q'].map(|capital| Piece::new(Color::Black, kind(capital)));
        let mut setup = Setup::empty(&chess);
        let count = |setup: &Setup| {
            let on_board = |piece: Piece| setup.on_board(piece.color(), piece.kind());
            (on_board(rook), on_board(queen), setup.pieces().collect::<Vec<_>>())
        };
        let [first, last] = [0, (MAX_SQUARES - 1) as u8].map(Square::new);
        assert_eq!(setup.set_piece(last, Some(rook)), None);
        assert_eq!(setup.set_piece(first, Some(rook)), None);
        assert_eq!(count(&setup), (2, 0, vec![(first, rook), (last, rook)]));
        assert_eq!(setup.set_piece(last, Some(queen)), Some(rook));
        assert_eq!(setup.set_piece(last, Some(queen)), Some(queen));
        assert_eq!(count(&setup), (1, 1, vec![(first, rook), (last, queen)]));
        assert_eq!(setup.set_piece(first, None), Some(rook));
        assert_eq!(setup.set_piece(first, None), None);
        assert_eq!(count(&setup), (0, 1, vec![(last, queen)]));
    }
}
