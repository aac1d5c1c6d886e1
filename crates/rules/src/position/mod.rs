//! Positions: pieces, hands, side to move, legal moves, attacks, and how the game stands.

mod attacks;
mod blasts;
mod board;
mod build;
mod castling;
mod chases;
mod checks;
mod counts;
mod draws;
mod drops;
mod ends;
mod exceptional;
mod falls;
mod gating;
mod irregular;
mod legality;
mod legs;
mod make;
mod movegen;
mod obligations;
mod passing;
mod points;
mod promotions;
mod refusal;
mod repetition;
mod setup;
mod sink;
mod status;
mod stones;
mod wins;

use std::num::NonZero;
use std::sync::Arc;

use blasts::BlownUp;
use board::Board;
use checks::ChecksGiven;
pub use counts::RunningCount;
pub use drops::RoyalView;
pub use falls::Fall;
pub use movegen::Scope;
pub(crate) use refusal::{DropObstacle, Exposure};
pub use setup::ExchangeError;
pub use status::{Outcome, Reason, Status};

use super::bitboard::Bitboard;
use super::types::{
    Color, Hand, Move, PerColor, Piece, PieceType, PieceTypeSet, SetupPhase, Square, Tag,
};
use super::variant::{Rights, Variant};
use super::zobrist::{self, Key};

/// A position: pieces, hands, side to move, rights and counters, and the moves made since it was set up.
///
/// ```
/// use garrison_rules::{Color, Position, find};
///
/// let shoranji = find("shoranji").expect("a built-in game");
/// let mut position = Position::start(&shoranji);
/// assert_eq!(position.legal_moves().len(), 90); // the arrangements of White's setup
/// let keep = position.parse_move("=TWF1T1FWT").expect("the array as it stands");
/// position.make(keep);
/// assert_eq!(position.side_to_move(), Color::Black);
/// position.unmake();
/// assert_eq!(position, Position::start(&shoranji));
/// ```
#[derive(Debug, Clone)]
pub struct Position {
    variant: Arc<Variant>,
    board: Board,
    side: Color,
    setup: SetupPhase,
    ep: Option<Passed>,
    /// The rights of pieces that have not moved, a bit each.
    rights: u32,
    /// What these bits mean: as in the game, unless kings and rooks started elsewhere.
    all_rights: Arc<Rights>,
    checks: ChecksGiven,
    halfmoves: u16,
    count: Option<RunningCount>,
    fullmove: u32,
    history: Vec<Undo>,
    /// What explosions removed, the latest last.
    blown_up: Vec<BlownUp>,
    /// The stones before each move that put one somewhere, the latest last.
    earlier_stones: Vec<Bitboard>,
    /// The counts before each move, in games in which players count.
    earlier_counts: Vec<Option<RunningCount>>,
}

/// A double step that may be answered by an en-passant capture: the square passed and the square of the piece,
/// packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passed(NonZero<PassedBits>);

#[cfg(not(feature = "wide"))]
type PassedBits = u16;
#[cfg(feature = "wide")]
type PassedBits = u32;

impl Passed {
    #[inline]
    pub fn new(square: Square, piece: Square) -> Passed {
        let (square, piece) = (square.index() as PassedBits, piece.index() as PassedBits);
        // The highest bit keeps the word from being zero.
        let mark = 1 << (PassedBits::BITS - 1);
        Passed(NonZero::new(mark | square << 8 | piece).unwrap_or(NonZero::<PassedBits>::MAX))
    }

    /// The square passed, the target of the capture.
    #[inline]
    pub fn square(self) -> Square {
        Square::new((self.0.get() >> 8) as u8)
    }

    /// The square of the piece that is captured.
    #[inline]
    pub fn piece(self) -> Square {
        Square::new(self.0.get() as u8)
    }
}

/// What a move changes and cannot be derived from it, and the key of the position before the move.
#[derive(Debug, Clone, Copy)]
struct Undo {
    mv: Move,
    key: Key,
    pieces_key: Key,
    hands: PerColor<Hand>,
    captured: Option<Piece>,
    /// The piece before the move, if the move changed its type.
    changed: Option<Piece>,
    ep: Option<Passed>,
    setup: SetupPhase,
    /// The rights; for a setup ply, which no game with rights has, the arrangement before it.
    state: u32,
    checks: ChecksGiven,
    halfmoves: u16,
}

/// A cache line: the history of a search is a stack of these.
#[cfg(not(feature = "wide"))]
const _: () = assert!(size_of::<Undo>() == 64);

impl Position {
    /// The game that is played.
    #[inline]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The setups that are still to be made before the first move.
    #[inline]
    pub fn setup_phase(&self) -> SetupPhase {
        self.setup
    }

    /// The square that an enemy piece has just passed by a double step, if it can be captured there en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.ep.map(Passed::square)
    }

    /// The square of the piece that can be captured en passant.
    #[inline]
    pub fn passed_piece(&self) -> Option<Square> {
        self.ep.map(Passed::piece)
    }

    /// Whether a piece still has a right that it had at the start: to castle, to make a first move, or to let another come
    /// from hand.
    #[inline]
    pub fn has_rights(&self) -> bool {
        self.rights != 0
    }

    /// The move count: plies since the last progress. Captures, drops, promotions and moves of
    /// [zeroing](crate::PieceInfo::zeroing) pieces are progress.
    #[inline]
    pub fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The move number, from 1; it rises after Black's move.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// The piece on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.board.at(square)
    }

    /// All occupied squares, those with stones among them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The squares with stones, which are blocked for the rest of the game.
    #[inline]
    pub fn stones(&self) -> Bitboard {
        self.board.stones()
    }

    /// The squares of all pieces of `color`.
    #[inline]
    pub fn pieces_of(&self, color: Color) -> Bitboard {
        self.board.side(color)
    }

    /// The squares of the pieces of `color` of one type.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.board.pieces(color, kind)
    }

    /// The squares of the pieces of `color` of any of these types.
    #[inline]
    pub fn pieces_of_kinds(&self, color: Color, kinds: PieceTypeSet) -> Bitboard {
        kinds.fold(Bitboard::EMPTY, |all, kind| all | self.board.pieces(color, kind))
    }

    /// The squares of the pieces of both sides of any of these types.
    pub(super) fn all_of_kinds(&self, kinds: PieceTypeSet) -> Bitboard {
        let [white, black] = Color::ALL.map(|color| self.pieces_of_kinds(color, kinds));
        white | black
    }

    /// The type of the piece that a legal move of a piece, or a drop, puts on its target.
    #[inline]
    pub(super) fn kind_placed(&self, mv: Move) -> Option<PieceType> {
        match mv.tag() {
            Tag::Drop | Tag::Promotion => Some(mv.becomes()),
            _ => self.at(mv.from()).map(Piece::kind),
        }
    }

    /// The pieces that `color` has in hand.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.board.hand(color)
    }

    /// The number of pieces of a type that `color` has in hand; 0 for a type that cannot be in hand.
    pub fn in_hand(&self, color: Color, kind: PieceType) -> u8 {
        self.variant.piece(kind).slot.map_or(0, |slot| self.board.hand(color).count(slot))
    }

    /// The key of the position: equal for equal pieces, hands, side to move, pending setups, rights of pieces that
    /// have not moved, en-passant square, checks given and stones.
    #[inline]
    pub fn key(&self) -> Key {
        let mut key = self.board.key();
        if self.side == Color::Black {
            key ^= zobrist::BLACK_TO_MOVE;
        }
        if let Some(passed) = self.ep {
            key ^= zobrist::en_passant(passed.square());
        }
        if self.rights != 0 {
            key ^= zobrist::rights(self.rights);
        }
        key ^ self.checks.key() ^ zobrist::setup_phase(self.setup)
    }

    /// The key with the part of pieces and hands computed from scratch; always equal to [`Position::key`].
    pub fn fresh_key(&self) -> Key {
        self.key() ^ self.board.key() ^ self.board.fresh_key()
    }

    /// The moves made since the position was set up, oldest first; those taken back are not among them.
    pub fn moves_made(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator + '_ {
        self.history.iter().map(|undo| undo.mv)
    }

    /// The keys of the earlier positions since the position was set up, the latest first.
    pub fn past_keys(&self) -> impl Iterator<Item = Key> + '_ {
        self.history.iter().rev().map(|undo| undo.key)
    }

    /// The same position without its history: occurrences are counted from here, and no move can be unmade.
    pub fn without_history(&self) -> Position {
        let variant = Arc::clone(&self.variant);
        let all_rights = Arc::clone(&self.all_rights);
        Position {
            variant,
            all_rights,
            board: self.board.clone(),
            history: Vec::new(),
            blown_up: Vec::new(),
            earlier_stones: Vec::new(),
            earlier_counts: Vec::new(),
            ..*self
        }
    }
}

/// Positions are equal if they are of the same game and have equal pieces, hands, side to move, rights and counters.
/// Their history plays no part.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        Arc::ptr_eq(&self.variant, &other.variant)
            && self.board == other.board
            && self.side == other.side
            && self.setup == other.setup
            && self.ep == other.ep
            && self.rights == other.rights
            && self.all_rights.start_alike(&other.all_rights, self.rights)
            && self.checks == other.checks
            && self.halfmoves == other.halfmoves
            && self.count == other.count
            && self.fullmove == other.fullmove
    }
}

impl Eq for Position {}
