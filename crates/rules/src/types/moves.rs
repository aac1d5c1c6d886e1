//! Moves and lists of them.

use std::num::NonZero;

use super::piece::PIECE_TYPE_BITS;
use super::square::SQUARE_BITS;
use super::{PieceType, Square};

/// A word that holds a move: of 30 bits, or of 34 with the feature `wide`.
#[cfg(not(feature = "wide"))]
pub type MoveBits = u32;
/// A word that holds a move: of 30 bits, or of 34 with the feature `wide`.
#[cfg(feature = "wide")]
pub type MoveBits = u64;

// Where the fields of a move begin; the target begins at bit 0.
const FROM: u32 = SQUARE_BITS;
const BECOMES: u32 = FROM + SQUARE_BITS;
const TAG: u32 = BECOMES + PIECE_TYPE_BITS;
const FURTHER: u32 = TAG + 4;

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
    /// From square to square in two legs, capturing where the first ends; or a piece that stays where it is, as its turn.
    Legs = 10,
}

/// A move, packed into [`Move::BITS`] bits.
///
/// The bits are the target (7), the origin or the dropped piece type (7), the piece type that it becomes (5), the
/// [`Tag`] (4) and the further square that some games need (7); a setup ply keeps its number in the first two square
/// fields. So `Option<Move>` takes four bytes, and an entry of a transposition table can hold a move beside score, depth
/// and bound. With the feature `wide`, squares take 8 bits, piece types 6, and an `Option<Move>` eight bytes.
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
pub struct Move(NonZero<MoveBits>);

impl Move {
    #[inline]
    const fn pack(to: usize, from: usize, becomes: usize, tag: Tag) -> Move {
        let (to, from, becomes) = (to as MoveBits, from as MoveBits, becomes as MoveBits);
        Move::from_bits(to | from << FROM | becomes << BECOMES | (tag as MoveBits) << TAG)
    }

    #[inline]
    const fn square_at(self, bit: u32) -> Square {
        Square::new((self.0.get() >> bit) as u8)
    }

    /// A move from square to square.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(to.index(), from.index(), 0, Tag::Normal)
    }

    /// A move from square to square with another tag that needs no piece type.
    #[inline]
    pub const fn tagged(from: Square, to: Square, tag: Tag) -> Move {
        Move::pack(to.index(), from.index(), 0, tag)
    }

    /// A promotion to `becomes`.
    #[inline]
    pub const fn promotion(from: Square, to: Square, becomes: PieceType) -> Move {
        Move::pack(to.index(), from.index(), becomes.index(), Tag::Promotion)
    }

    /// The drop of a piece of type `kind`, on the board of type `becomes` (the same, except for reserves).
    #[inline]
    pub const fn drop(kind: PieceType, becomes: PieceType, to: Square) -> Move {
        Move::pack(to.index(), kind.index(), becomes.index(), Tag::Drop)
    }

    /// The setup ply that chooses this arrangement, `0..`[`MAX_SETUPS`].
    #[inline]
    pub const fn setup(index: usize) -> Move {
        let mask = (1 << SQUARE_BITS) - 1;
        Move::pack(index & mask, index >> SQUARE_BITS & mask, 0, Tag::Setup)
    }

    /// A move from square to square that lets a piece of type `kind` from hand onto the square left.
    #[inline]
    pub const fn gate(from: Square, to: Square, kind: PieceType) -> Move {
        Move::pack(to.index(), from.index(), kind.index(), Tag::Gate)
    }

    /// Castling by the king from square to square that lets a piece of type `kind` from hand onto `gate`, which the king
    /// or the rook leaves.
    #[inline]
    pub const fn gate_castle(from: Square, to: Square, kind: PieceType, gate: Square) -> Move {
        let (to, from, kind) = (to.index(), from.index(), kind.index());
        Move::pack(to, from, kind, Tag::GateCastle).with_stone(gate)
    }

    /// A move in two legs, the first of which captures on `via`. The second may lead back.
    #[inline]
    pub const fn legs(from: Square, via: Square, to: Square) -> Move {
        Move::pack(to.index(), from.index(), 0, Tag::Legs).with_stone(via)
    }

    /// The move of a piece that stays where it is: two legs that capture nothing.
    #[inline]
    pub const fn stay(square: Square) -> Move {
        Move::legs(square, square, square)
    }

    /// The square on which the first of two legs captures; where the piece stands if it stays. Meaningless for all but
    /// [`Tag::Legs`].
    #[inline]
    pub const fn via(self) -> Square {
        self.stone()
    }

    /// A pass, or null move.
    #[inline]
    pub const fn pass() -> Move {
        Move::pack(0, 0, 0, Tag::Pass)
    }

    /// The target. Meaningless for setups and passes.
    #[inline]
    pub const fn to(self) -> Square {
        self.square_at(0)
    }

    /// The origin. Meaningless for drops, setups and passes.
    #[inline]
    pub const fn from(self) -> Square {
        self.square_at(FROM)
    }

    /// The piece type that leaves the hand. Meaningless for all but drops.
    #[inline]
    pub const fn dropped(self) -> PieceType {
        PieceType::new((self.0.get() >> FROM) as u8)
    }

    /// The piece type on the target afterwards, or on the gate. Meaningless for all but promotions, drops and gates.
    #[inline]
    pub const fn becomes(self) -> PieceType {
        PieceType::new((self.0.get() >> BECOMES) as u8)
    }

    /// The number of the arrangement. Meaningless for all but setups.
    #[inline]
    pub const fn setup_index(self) -> usize {
        self.0.get() as usize & ((1 << (2 * SQUARE_BITS)) - 1)
    }

    /// The kind of the move.
    #[inline]
    pub const fn tag(self) -> Tag {
        match self.0.get() >> TAG & 15 {
            1 => Tag::Promotion,
            2 => Tag::Drop,
            3 => Tag::EnPassant,
            4 => Tag::DoubleStep,
            5 => Tag::Setup,
            6 => Tag::Pass,
            7 => Tag::Castle,
            8 => Tag::Gate,
            9 => Tag::GateCastle,
            10 => Tag::Legs,
            _ => Tag::Normal,
        }
    }

    /// Whether it is of two legs, or a piece stays where it is.
    #[inline]
    pub const fn has_legs(self) -> bool {
        matches!(self.tag(), Tag::Legs)
    }

    /// The same move with a further square: of the stone that goes with it.
    #[inline]
    pub const fn with_stone(self, stone: Square) -> Move {
        let bits = self.bits() & Move::WITHOUT_STONE | (stone.index() as MoveBits) << FURTHER;
        Move::from_bits(bits)
    }

    /// The square on which the move puts a stone, in a [game](crate::Variant::moves_place_stones) in which all moves
    /// but passes and setups do. Meaningless in others.
    #[inline]
    pub const fn stone(self) -> Square {
        self.square_at(FURTHER)
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
    const WITHOUT_STONE: MoveBits = (1 << FURTHER) - 1;

    /// The number of bits of a move.
    pub const BITS: u32 = FURTHER + SQUARE_BITS;

    const ALL: MoveBits = (1 << Move::BITS) - 1;

    /// The highest bit of the word, which keeps it from being zero.
    const MARK: MoveBits = 1 << (MoveBits::BITS - 1);

    /// The lowest [`Move::BITS`] bits are the move. [`Move::from_bits`] is the inverse.
    #[inline]
    pub const fn bits(self) -> MoveBits {
        self.0.get() & Move::ALL
    }

    /// The move of these bits. Any bits are some move, which may be illegal.
    #[inline]
    pub const fn from_bits(bits: MoveBits) -> Move {
        match NonZero::new(bits & Move::ALL | Move::MARK) {
            Some(bits) => Move(bits),
            None => Move(NonZero::<MoveBits>::MIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MAX_SQUARES;

    #[test]
    fn a_move_gives_back_what_was_packed() {
        let last = (MAX_SQUARES - 1) as u8;
        let (a, b, kind) = (Square::new(5), Square::new(last), PieceType::new(31));
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
        let legs = Move::legs(a, Square::new(1), b);
        assert_eq!((legs.from(), legs.via(), legs.to()), (a, Square::new(1), b));
        assert!(legs.has_legs() && Move::stay(a).has_legs());
        let shot = promotion.with_stone(Square::new(1)).with_stone(b);
        assert_eq!((shot.stone(), shot.without_stone()), (b, promotion));
        assert_eq!((shot.to(), shot.becomes(), shot.tag()), (a, kind, Tag::Promotion));
        assert_eq!(size_of::<Option<Move>>(), size_of::<MoveBits>());
    }
}
