//! Moves and lists of them.

use std::num::NonZeroU32;

use super::{PieceType, Square};

/// The most arrangements from which a setup ply may choose.
pub const MAX_SETUPS: usize = 4096;

/// A list of moves, such as the legal moves of a position.
///
/// ```
/// use garrison_rules::{MoveList, Position, Scope, find};
///
/// let position = Position::start(&find("shogi")?);
/// let mut moves = MoveList::new();
/// position.add_legal_moves(&Scope::ALL, &mut moves);
/// assert_eq!(moves.len(), 30);
/// assert_eq!(moves, position.legal_moves());
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
pub type MoveList = Vec<Move>;

/// The kind of a [`Move`].
///
/// ```
/// use garrison_rules::{Position, Tag, find};
///
/// let position = Position::from_fen(&find("chess")?, "4k3/P7/8/8/8/8/8/4K2R w K - 0 1")?;
/// let count = |tag| position.legal_moves().iter().filter(|mv| mv.tag() == tag).count();
/// assert_eq!(count(Tag::Promotion), 4);
/// assert_eq!(count(Tag::Castle), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tag {
    /// From square to square, capturing or not.
    Normal = 0,
    /// From square to square, with a promotion.
    Promotion = 1,
    /// A piece from hand to a vacant square. A reserve becomes one of its piece types.
    Drop = 2,
    /// The capture of a piece that has just passed the target by a double step.
    EnPassant = 3,
    /// A double step that may be answered by an en-passant capture.
    DoubleStep = 4,
    /// A setup ply: the choice of an arrangement by its number.
    Setup = 5,
    /// A pass, which few games allow; also the null move of a search.
    Pass = 6,
    /// Castling; the squares are those of the king.
    Castle = 7,
    /// From square to square, and a piece from hand comes to the square that is left.
    Gate = 8,
    /// Castling, and a piece from hand comes to the square that the king or the rook leaves.
    GateCastle = 9,
}

/// A move, packed into 30 bits.
///
/// The bits are the target (7), the origin or the dropped piece type (7), the piece type that it becomes (5), the
/// [`Tag`] (4) and the further square that some games need (7); a setup ply keeps its number in the first two square
/// fields. So `Option<Move>` takes four bytes, and an entry of a transposition table can hold a move beside score, depth
/// and bound.
///
/// A move is meaningful only in the position for which it was generated. It need not be legal.
///
/// ```
/// use garrison_rules::{Move, Position, Tag, find};
///
/// let position = Position::start(&find("chess")?);
/// let mv = position.parse_move("e2e4")?;
/// assert_eq!(mv.tag(), Tag::DoubleStep);
/// assert_eq!(position.at(mv.to()), None);
/// assert_eq!(position.move_text(mv), "e2e4");
/// assert_eq!(Move::from_bits(mv.bits()), mv);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU32);

impl Move {
    #[inline]
    const fn pack(to: u32, from: u32, becomes: u32, tag: Tag) -> Move {
        // The highest bit keeps the word from being zero.
        let bits = to | from << 7 | becomes << 14 | (tag as u32) << 19 | 1 << 31;
        match NonZeroU32::new(bits) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU32::MIN),
        }
    }

    /// A move from square to square.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(to.index() as u32, from.index() as u32, 0, Tag::Normal)
    }

    /// A move from square to square with another tag that needs no piece type.
    #[inline]
    pub const fn tagged(from: Square, to: Square, tag: Tag) -> Move {
        Move::pack(to.index() as u32, from.index() as u32, 0, tag)
    }

    /// A promotion to `becomes`.
    #[inline]
    pub const fn promotion(from: Square, to: Square, becomes: PieceType) -> Move {
        Move::pack(to.index() as u32, from.index() as u32, becomes.index() as u32, Tag::Promotion)
    }

    /// The drop of a piece of type `kind`, on the board of type `becomes` (the same, except for reserves).
    #[inline]
    pub const fn drop(kind: PieceType, becomes: PieceType, to: Square) -> Move {
        Move::pack(to.index() as u32, kind.index() as u32, becomes.index() as u32, Tag::Drop)
    }

    /// The setup ply that chooses this arrangement, `0..`[`MAX_SETUPS`].
    #[inline]
    pub const fn setup(index: usize) -> Move {
        Move::pack(index as u32 & 127, index as u32 >> 7 & 127, 0, Tag::Setup)
    }

    /// A move from square to square that lets a piece of type `kind` from hand onto the square left.
    #[inline]
    pub const fn gate(from: Square, to: Square, kind: PieceType) -> Move {
        Move::pack(to.index() as u32, from.index() as u32, kind.index() as u32, Tag::Gate)
    }

    /// Castling by the king from square to square that lets a piece of type `kind` from hand onto `gate`, which the king
    /// or the rook leaves.
    #[inline]
    pub const fn gate_castle(from: Square, to: Square, kind: PieceType, gate: Square) -> Move {
        let (to, from, kind) = (to.index() as u32, from.index() as u32, kind.index() as u32);
        Move::pack(to, from, kind, Tag::GateCastle).with_stone(gate)
    }

    /// A pass, or null move.
    #[inline]
    pub const fn pass() -> Move {
        Move::pack(0, 0, 0, Tag::Pass)
    }

    /// The target. Meaningless for setups and passes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new(self.0.get() as u8)
    }

    /// The origin. Meaningless for drops, setups and passes.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0.get() >> 7) as u8)
    }

    /// The piece type that leaves the hand. Meaningless for all but drops.
    #[inline]
    pub const fn dropped(self) -> PieceType {
        PieceType::new((self.0.get() >> 7) as u8)
    }

    /// The piece type on the target afterwards, or on the gate. Meaningless for all but promotions, drops and gates.
    #[inline]
    pub const fn becomes(self) -> PieceType {
        PieceType::new((self.0.get() >> 14) as u8)
    }

    /// The number of the arrangement. Meaningless for all but setups.
    #[inline]
    pub const fn setup_index(self) -> usize {
        (self.0.get() & 0x3fff) as usize
    }

    /// The kind of the move.
    #[inline]
    pub const fn tag(self) -> Tag {
        match self.0.get() >> 19 & 15 {
            1 => Tag::Promotion,
            2 => Tag::Drop,
            3 => Tag::EnPassant,
            4 => Tag::DoubleStep,
            5 => Tag::Setup,
            6 => Tag::Pass,
            7 => Tag::Castle,
            8 => Tag::Gate,
            9 => Tag::GateCastle,
            _ => Tag::Normal,
        }
    }

    /// The same move with a further square: of the stone that goes with it.
    #[inline]
    pub const fn with_stone(self, stone: Square) -> Move {
        let bits = self.bits() & Move::WITHOUT_STONE | (stone.index() as u32) << 23;
        Move::from_bits(bits)
    }

    /// The square on which the move puts a stone, in a [game](crate::Variant::moves_place_stones) in which all moves
    /// but passes and setups do. Meaningless in others.
    #[inline]
    pub const fn stone(self) -> Square {
        Square::new((self.0.get() >> 23) as u8)
    }

    /// The square to which a piece comes from hand. Meaningless for all but gates.
    #[inline]
    pub const fn gate_square(self) -> Square {
        if matches!(self.tag(), Tag::GateCastle) { self.stone() } else { self.from() }
    }

    /// The move of the piece alone, without the stone that goes with it.
    #[inline]
    pub const fn without_stone(self) -> Move {
        Move::from_bits(self.bits() & Move::WITHOUT_STONE)
    }

    /// Whether it is castling, with a piece from hand or not.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.tag(), Tag::Castle | Tag::GateCastle)
    }

    /// Whether it moves a piece and brings another from hand to the square left.
    #[inline]
    pub const fn is_gate(self) -> bool {
        matches!(self.tag(), Tag::Gate | Tag::GateCastle)
    }

    /// Whether it drops a piece from hand.
    #[inline]
    pub const fn is_drop(self) -> bool {
        matches!(self.tag(), Tag::Drop)
    }

    /// The bits of a move that has no stone.
    const WITHOUT_STONE: u32 = 0x7f_ffff;

    /// The 30 bits of the move. [`Move::from_bits`] is the inverse.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0.get() & 0x3fff_ffff
    }

    /// The move of these 30 bits. Any bits are some move, which may be illegal.
    #[inline]
    pub const fn from_bits(bits: u32) -> Move {
        match NonZeroU32::new(bits & 0x3fff_ffff | 1 << 31) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU32::MIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_gives_back_what_was_packed() {
        let (a, b, kind) = (Square::new(5), Square::new(127), PieceType::new(31));
        assert_eq!((Move::normal(a, b).from(), Move::normal(a, b).to()), (a, b));
        let promotion = Move::promotion(b, a, kind);
        assert_eq!(
            (promotion.from(), promotion.to(), promotion.becomes(), promotion.tag()),
            (b, a, kind, Tag::Promotion)
        );
        let drop = Move::drop(PieceType::new(3), kind, b);
        assert_eq!((drop.dropped(), drop.becomes(), drop.to()), (PieceType::new(3), kind, b));
        for index in [0, 1, 89, 127, 128, MAX_SETUPS - 1] {
            assert_eq!(Move::setup(index).setup_index(), index);
        }
        assert_eq!(Move::from_bits(promotion.bits()), promotion);
        let gate = Move::gate_castle(a, b, kind, Square::new(1));
        assert_eq!((gate.from(), gate.to(), gate.becomes()), (a, b, kind));
        assert_eq!((gate.gate_square(), gate.tag()), (Square::new(1), Tag::GateCastle));
        assert_eq!(Move::gate(a, b, kind).gate_square(), a);
        let shot = promotion.with_stone(Square::new(1)).with_stone(b);
        assert_eq!((shot.stone(), shot.without_stone()), (b, promotion));
        assert_eq!((shot.to(), shot.becomes(), shot.tag()), (a, kind, Tag::Promotion));
        assert_eq!(std::mem::size_of::<Option<Move>>(), 4);
    }
}
