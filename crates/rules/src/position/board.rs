//! The men on the board and in hand, with the part of the key that they make. Nothing else may
//! change any of the three, so they cannot drift apart.

use crate::bitboard::Bitboard;
use crate::types::{
    Color, Hand, MAX_KINDS, MAX_SLOTS, MAX_SQUARES, PerColor, Piece, PieceKind, Square,
};
use crate::zobrist::{self, Key};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board {
    by_side: PerColor<Bitboard>,
    by_man: [Bitboard; 2 * MAX_KINDS],
    men: [Option<Piece>; MAX_SQUARES],
    hands: PerColor<Hand>,
    key: Key,
}

impl Board {
    pub fn empty() -> Board {
        Board {
            by_side: PerColor::default(),
            by_man: [Bitboard::EMPTY; 2 * MAX_KINDS],
            men: [None; MAX_SQUARES],
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
        self.by_side[Color::White] | self.by_side[Color::Black]
    }

    #[inline]
    pub fn men(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_man[Piece::new(color, kind).index()]
    }

    #[inline]
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
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
        self.by_man[piece.index()] ^= bit;
        self.key ^= zobrist::man(piece, square);
    }

    /// Puts a man on an empty square.
    #[inline]
    pub fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.at(square).is_none());
        self.men[square.index()] = Some(piece);
        self.toggle(piece, square);
    }

    /// Takes the man off a square, if there is one.
    #[inline]
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.men[square.index()].take()?;
        self.toggle(piece, square);
        Some(piece)
    }

    /// Adds a man to a hand.
    #[inline]
    pub fn add_to_hand(&mut self, color: Color, slot: usize) {
        self.change_hand(color, slot, Hand::add);
    }

    /// Takes a man from a hand that holds it.
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

    /// Both hands, to be given back to [`Board::restore_hands`].
    #[inline]
    pub fn hands(&self) -> PerColor<Hand> {
        self.hands
    }

    /// Puts back the hands and the key that stood together once the men stand as they did then.
    #[inline]
    pub fn restore_hands(&mut self, hands: PerColor<Hand>, key: Key) {
        self.hands = hands;
        self.key = key;
        debug_assert_eq!(key, self.fresh_key());
    }

    /// The key computed anew.
    pub fn fresh_key(&self) -> Key {
        let men = self.occupied().filter_map(|square| Some((self.at(square)?, square)));
        let men = men.fold(0, |key, (piece, square)| key ^ zobrist::man(piece, square));
        let slots = Color::ALL.into_iter().flat_map(|c| (0..MAX_SLOTS).map(move |slot| (c, slot)));
        slots.fold(men, |key, (color, slot)| {
            key ^ zobrist::in_hand(color, slot, self.hands[color].count(slot))
        })
    }
}
