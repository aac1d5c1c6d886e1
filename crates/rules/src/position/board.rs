//! The pieces on the board and in hand, with their part of the position key. Only this module changes any of the
//! three, so they cannot drift apart.

use crate::bitboard::Bitboard;
use crate::types::{
    Color, Hand, MAX_PIECE_TYPES, MAX_SLOTS, MAX_SQUARES, PerColor, Piece, PieceType, Square,
};
use crate::zobrist::{self, Key};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board {
    by_side: PerColor<Bitboard>,
    stones: Bitboard,
    by_piece: [Bitboard; 2 * MAX_PIECE_TYPES],
    pieces: [Option<Piece>; MAX_SQUARES],
    hands: PerColor<Hand>,
    key: Key,
}

impl Board {
    pub fn empty() -> Board {
        Board {
            by_side: PerColor::default(),
            stones: Bitboard::EMPTY,
            by_piece: [Bitboard::EMPTY; 2 * MAX_PIECE_TYPES],
            pieces: [None; MAX_SQUARES],
            hands: PerColor::default(),
            key: 0,
        }
    }

    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.by_side[color]
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_side[Color::White] | self.by_side[Color::Black] | self.stones
    }

    #[inline]
    pub fn stones(&self) -> Bitboard {
        self.stones
    }

    /// Puts a stone on an empty square, or takes it away.
    pub fn toggle_stone(&mut self, square: Square) {
        debug_assert!(self.at(square).is_none());
        self.stones ^= Bitboard::of(square);
        self.key ^= zobrist::stone(square);
    }

    /// Puts stones on these squares, all of them without pieces, and takes the others away.
    pub fn set_stones(&mut self, stones: Bitboard) {
        let changed = self.stones & !stones | stones & !self.stones;
        changed.for_each(|square| self.toggle_stone(square));
    }

    /// Takes the stone off a square, if there is one.
    #[cold]
    pub fn remove_stone(&mut self, square: Square) {
        if self.stones.contains(square) {
            self.toggle_stone(square);
        }
    }

    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_piece[Piece::new(color, kind).index()]
    }

    #[inline]
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    #[inline]
    pub fn key(&self) -> Key {
        self.key
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.by_side[piece.color()] ^= bit;
        self.by_piece[piece.index()] ^= bit;
        self.key ^= zobrist::piece(piece, square);
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.at(square).is_none());
        self.pieces[square.index()] = Some(piece);
        self.toggle(piece, square);
    }

    /// Takes the piece off a square, if there is one.
    #[inline]
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.pieces[square.index()].take()?;
        self.toggle(piece, square);
        Some(piece)
    }

    /// Adds a piece to a hand.
    #[inline]
    pub fn add_to_hand(&mut self, color: Color, slot: usize) {
        self.change_hand(color, slot, Hand::add);
    }

    /// Takes a piece from a hand that holds it.
    #[inline]
    pub fn take_from_hand(&mut self, color: Color, slot: usize) {
        self.change_hand(color, slot, Hand::remove);
    }

    #[inline]
    fn change_hand(&mut self, color: Color, slot: usize, change: impl FnOnce(&mut Hand, usize)) {
        let before = self.hands[color].count(slot);
        change(&mut self.hands[color], slot);
        let after = self.hands[color].count(slot);
        self.key ^= zobrist::in_hand(color, slot, before) ^ zobrist::in_hand(color, slot, after);
    }

    /// Both hands, for [`Board::restore_hands`].
    #[inline]
    pub fn hands(&self) -> PerColor<Hand> {
        self.hands
    }

    /// Restores the hands and the key of an earlier position, after its pieces have been put back.
    #[inline]
    pub fn restore_hands(&mut self, hands: PerColor<Hand>, key: Key) {
        self.hands = hands;
        self.key = key;
        debug_assert_eq!(key, self.fresh_key());
    }

    /// The key, computed from scratch.
    pub fn fresh_key(&self) -> Key {
        let pieces = self.occupied().filter_map(|square| Some((self.at(square)?, square)));
        let stones = self.stones.fold(0, |key, square| key ^ zobrist::stone(square));
        let pieces =
            pieces.fold(stones, |key, (piece, square)| key ^ zobrist::piece(piece, square));
        let slots = Color::ALL.into_iter().flat_map(|c| (0..MAX_SLOTS).map(move |slot| (c, slot)));
        slots.fold(pieces, |key, (color, slot)| {
            key ^ zobrist::in_hand(color, slot, self.hands[color].count(slot))
        })
    }
}
