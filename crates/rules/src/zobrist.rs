//! Random numbers for position keys (Zobrist hashing). A key is the exclusive or of one number for each piece on its
//! square, each count of pieces in hand, Black to move, the setups pending, the rights of pieces that have not
//! moved, the en-passant square, the checks given and the stones.

use super::random::mix;
use super::types::{Color, MAX_PIECE_TYPES, MAX_SLOTS, MAX_SQUARES, Piece, SetupPhase, Square};

/// A 64-bit position key, as [`Position::key`](crate::Position::key) returns it.
///
/// Equal positions have equal keys; different positions hardly ever do. Keys depend on the order of the piece types in
/// a definition.
///
/// ```
/// use garrison_rules::{Key, Position, find};
///
/// let chess = find("chess")?;
/// let key_after = |moves: [&str; 3]| -> Key {
///     let mut position = Position::start(&chess);
///     moves.iter().for_each(|text| assert_eq!(position.play(text), Ok(1)));
///     position.key()
/// };
/// assert_eq!(key_after(["g1f3", "g8f6", "b1c3"]), key_after(["b1c3", "g8f6", "g1f3"]));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
pub type Key = u64;

/// Number `index` of one of the independent streams of random numbers.
const fn number(stream: u64, index: usize) -> Key {
    mix(mix(stream ^ 0x6761_7272_6973_6f6e).wrapping_add(index as u64 * 0x9e37_79b9))
}

static PIECES: [[Key; MAX_SQUARES]; 2 * MAX_PIECE_TYPES] = {
    let mut table = [[0; MAX_SQUARES]; 2 * MAX_PIECE_TYPES];
    let mut piece = 0;
    while piece < 2 * MAX_PIECE_TYPES {
        let mut square = 0;
        while square < MAX_SQUARES {
            table[piece][square] = number(1, piece * MAX_SQUARES + square);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// The number of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> Key {
    PIECES[piece.index()][square.index()]
}

/// The number of `count` pieces of one slot in the hand of `color`; zero for none.
#[inline]
pub(crate) fn in_hand(color: Color, slot: usize, count: u8) -> Key {
    if count == 0 {
        return 0;
    }
    number(2, (color.index() * MAX_SLOTS + slot) * 256 + usize::from(count))
}

/// The number of Black to move.
pub(crate) const BLACK_TO_MOVE: Key = number(3, 0);

/// The number of the setups that are pending; zero for none.
#[inline]
pub(crate) fn setup_phase(phase: SetupPhase) -> Key {
    match phase {
        SetupPhase::Done => 0,
        SetupPhase::Second => number(4, Color::Black.index()),
        SetupPhase::Both => number(4, Color::White.index()),
    }
}

/// The number of the rights of pieces that have not moved; zero for none.
#[inline]
pub(crate) fn rights(rights: u32) -> Key {
    if rights == 0 { 0 } else { number(6, rights as usize) }
}

/// The number of the checks given, the counts of both sides in one byte.
pub(crate) fn checks(counts: u8) -> Key {
    number(7, usize::from(counts))
}

/// The number of a stone on a square.
pub(crate) fn stone(square: Square) -> Key {
    number(8, square.index())
}

/// The number of an en-passant square.
#[inline]
pub(crate) fn en_passant(square: Square) -> Key {
    number(5, square.index())
}
