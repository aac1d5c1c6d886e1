//! Where the pieces of a position are and what they attack, as far as features depend on it.

use garrison_rules::{Bitboard, Color, Hand, PieceType, Position, Square};

/// The squares that White and Black attack; none for features that do not depend on them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AttackMaps([Bitboard; 2]);

impl AttackMaps {
    /// Those of a position.
    pub fn of(position: &Position) -> AttackMaps {
        AttackMaps(Color::ALL.map(|color| position.attacked_by(color)))
    }

    /// The state of a piece of this color on a square.
    #[inline(always)]
    pub fn state(&self, color: Color, square: Square) -> usize {
        let [defended, attacked] =
            [color, !color].map(|by| usize::from(self.0[by.index()].contains(square)));
        2 * attacked + defended
    }

    /// The squares on which the state of a piece is another one.
    #[inline(always)]
    pub fn changes(&self, other: &AttackMaps) -> Bitboard {
        (self.0[0] ^ other.0[0]) | (self.0[1] ^ other.0[1])
    }
}

/// Where the pieces of a position are, and what they attack.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    board: [Vec<OfType>; 2],
    pub hands: [Hand; 2],
    occupied: Bitboard,
    pub attacks: AttackMaps,
}

/// The pieces of one type.
#[derive(Debug, Clone, Copy)]
struct OfType {
    squares: Bitboard,
    /// What they attack, if features depend on it.
    attacks: Bitboard,
}

impl Pieces {
    /// None, of so many types.
    pub fn none(kinds: usize) -> Pieces {
        let none = OfType { squares: Bitboard::EMPTY, attacks: Bitboard::EMPTY };
        Pieces {
            board: [vec![none; kinds], vec![none; kinds]],
            hands: [Hand::default(); 2],
            occupied: Bitboard::EMPTY,
            attacks: AttackMaps::default(),
        }
    }

    #[inline(always)]
    pub fn copy(&mut self, other: &Pieces) {
        for (board, other) in self.board.iter_mut().zip(&other.board) {
            board.copy_from_slice(other);
        }
        let Pieces { hands, occupied, attacks, .. } = *other;
        (self.hands, self.occupied, self.attacks) = (hands, occupied, attacks);
    }

    /// The squares of the pieces of one type and color.
    #[inline(always)]
    pub fn on_board(&self, (color, kind): (Color, PieceType)) -> Bitboard {
        self.board[color.index()][kind.index()].squares
    }

    /// Makes them those of a position, given those of one near it. What is attacked is looked at type by type: most attack
    /// what they did.
    #[inline(always)]
    pub fn follow(&mut self, before: &Pieces, position: &Position, with_attacks: bool) {
        let variant = position.variant();
        self.occupied = position.occupied();
        self.hands = Color::ALL.map(|color| position.hand(color));
        self.attacks = AttackMaps::default();
        let changed = self.occupied ^ before.occupied;
        for color in Color::ALL {
            for kind in variant.kinds_of(color) {
                let known = before.board[color.index()][kind.index()];
                let squares = position.pieces(color, kind);
                let is_kept = !with_attacks
                    || known.squares == squares
                        && variant.keeps_attacks(color, kind, known.attacks, changed);
                let attacks =
                    if is_kept { known.attacks } else { position.attacked_by_type(color, kind) };
                self.board[color.index()][kind.index()] = OfType { squares, attacks };
                self.attacks.0[color.index()] |= attacks;
            }
        }
    }
}
