//! Where the pieces of a position are and what they attack, as far as features depend on it.

use garrison_rules::{Bitboard, Color, Hand, Position, Square};

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
    fn changes(&self, other: &AttackMaps) -> Bitboard {
        (self.0[0] ^ other.0[0]) | (self.0[1] ^ other.0[1])
    }
}

/// What is attacked before and now.
#[derive(Default)]
pub(super) struct AttackChange {
    pub maps: [AttackMaps; 2],
    /// Where the state of a piece is another one.
    pub changed: Bitboard,
}

impl AttackChange {
    #[inline(always)]
    pub fn new(before: AttackMaps, now: AttackMaps) -> AttackChange {
        AttackChange { maps: [before, now], changed: before.changes(&now) }
    }
}

/// Where the pieces of a position are, and what they attack.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    pub board: [Vec<OfType>; 2],
    pub hands: [Hand; 2],
    occupied: Bitboard,
    pub attacks: AttackMaps,
}

/// The pieces of one type.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfType {
    pub squares: Bitboard,
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

    /// Brings what is attacked up to date with a position, type by type: most attack what they did.
    #[inline(always)]
    pub fn attack(&mut self, position: &Position) -> AttackChange {
        let changed = self.occupied ^ position.occupied();
        self.occupied = position.occupied();
        let mut now = AttackMaps::default();
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let known = &mut self.board[color.index()][kind.index()];
                let stays = known.squares == position.pieces(color, kind)
                    && position.variant().keeps_attacks(color, kind, known.attacks, changed);
                if !stays {
                    known.attacks = position.attacked_by_type(color, kind);
                }
                now.0[color.index()] |= known.attacks;
            }
        }
        AttackChange::new(std::mem::replace(&mut self.attacks, now), now)
    }
}
