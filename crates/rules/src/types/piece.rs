//! Piece types and pieces on the board.

use std::num::NonZeroU8;

use super::Color;

/// The most piece types a game may have, promoted forms and reserves included: 32, or 64 with the feature `wide`.
pub const MAX_PIECE_TYPES: usize = if cfg!(feature = "wide") { 64 } else { 32 };

/// The bits of a piece type's index.
pub(super) const PIECE_TYPE_BITS: u32 = MAX_PIECE_TYPES.trailing_zeros();

/// A bit for each piece type.
#[cfg(not(feature = "wide"))]
type KindBits = u32;
#[cfg(feature = "wide")]
type KindBits = u64;

/// A piece type: an index into the piece types of a game, in the order of its definition.
///
/// It is meaningful only together with its game: [`Variant::piece`](crate::Variant::piece) says what it stands for.
///
/// ```
/// use garrison_rules::{Letter, find};
///
/// let chess = find("chess")?;
/// let knight = chess.kind_of(Letter { capital: 'N', promoted: false }).expect("chess has knights");
/// assert_eq!(chess.piece(knight).name, "knight");
/// assert_eq!(chess.kinds().position(|kind| kind == knight), Some(knight.index()));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceType(u8);

impl PieceType {
    /// The piece type with this index, taken modulo [`MAX_PIECE_TYPES`].
    #[inline]
    pub const fn new(index: u8) -> PieceType {
        PieceType(index & (MAX_PIECE_TYPES as u8 - 1))
    }

    /// The index, `0..MAX_PIECE_TYPES`.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & (MAX_PIECE_TYPES as u8 - 1)) as usize
    }
}

/// A piece: a piece type and a color.
///
/// ```
/// use garrison_rules::{Color, Piece, Position, find};
///
/// let chess = find("chess")?;
/// let (e8, _) = chess.geometry().parse_square("e8").expect("a square of the board");
/// let king = Position::start(&chess).at(e8).expect("a piece on e8");
/// assert_eq!(king.color(), Color::Black);
/// assert_eq!(chess.piece(king.kind()).name, "king");
/// assert_eq!(Piece::new(Color::Black, king.kind()), king);
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The piece of this color and type.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        let code = 1 + ((color as u8) << PIECE_TYPE_BITS | kind.index() as u8);
        match NonZeroU8::new(code) {
            Some(code) => Piece(code),
            None => Piece(NonZeroU8::MIN),
        }
    }

    /// The index in a table over colors and piece types, `0..2 * MAX_PIECE_TYPES`; White's come first.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0.get() - 1) as usize & (2 * MAX_PIECE_TYPES - 1)
    }

    /// Its color.
    #[inline]
    pub const fn color(self) -> Color {
        if self.index() < MAX_PIECE_TYPES { Color::White } else { Color::Black }
    }

    /// Its piece type.
    #[inline]
    pub const fn kind(self) -> PieceType {
        PieceType::new(self.index() as u8)
    }
}

/// A set of piece types.
///
/// It is its own iterator: it yields its piece types, lowest index first, and is empty afterwards.
///
/// ```
/// use garrison_rules::{Color, Letter, PieceTypeSet, find};
///
/// let chess = find("chess")?;
/// let pawn = chess.kind_of(Letter { capital: 'P', promoted: false }).expect("chess has pawns");
/// let choices = chess.promotes_to(Color::White, pawn);
/// assert_eq!(choices.len(), 4);
/// assert!(!choices.meets(PieceTypeSet::of(pawn)));
/// assert!(choices.map(|kind| chess.piece(kind).letter.capital).eq("NBRQ".chars()));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PieceTypeSet(KindBits);

impl PieceTypeSet {
    /// No piece type.
    pub const EMPTY: PieceTypeSet = PieceTypeSet(0);

    /// All piece types that a game can have.
    pub const ALL: PieceTypeSet = PieceTypeSet(!0);

    /// Adds a piece type.
    pub const fn insert(&mut self, kind: PieceType) {
        self.0 |= 1 << kind.index();
    }

    /// The set of one piece type.
    #[inline]
    pub const fn of(kind: PieceType) -> PieceTypeSet {
        PieceTypeSet(1 << kind.index())
    }

    /// Whether the piece type is in the set.
    #[inline]
    pub const fn contains(self, kind: PieceType) -> bool {
        self.0 >> kind.index() & 1 != 0
    }

    /// Whether a piece type is in both sets.
    #[inline]
    pub const fn meets(self, other: PieceTypeSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of piece types in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

impl FromIterator<PieceType> for PieceTypeSet {
    fn from_iter<I: IntoIterator<Item = PieceType>>(kinds: I) -> Self {
        let mut set = PieceTypeSet::EMPTY;
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

impl Iterator for PieceTypeSet {
    type Item = PieceType;

    #[inline]
    fn next(&mut self) -> Option<PieceType> {
        if self.0 == 0 {
            return None;
        }
        let kind = PieceType::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(kind)
    }
}
