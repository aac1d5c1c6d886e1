//! What the search learned about moves, apart from positions: how often they were good, alone and
//! behind the moves before them, and by how much the evaluation erred.

use super::memory::prefer_large_pages;
use garrison_rules::{
    Color, MAX_PIECE_TYPES, MAX_SQUARES, Move, Piece, PieceType, Position, Tag, Variant,
};

/// The bound of every history.
pub(super) const HISTORY_MOST: i32 = 16_384;

/// Origins of a quiet move: squares, then kinds in hand.
const ORIGINS: usize = MAX_SQUARES + MAX_PIECE_TYPES;

/// The entries of a correction history; a power of two.
const CORRECTIONS: usize = 16_384;
/// The bound of a correction, in 1/[`CORRECTION_UNIT`] centipawns.
const CORRECTION_MOST: i32 = 32 * 256;
const CORRECTION_UNIT: i32 = 256;

/// A piece and the square it went to: the row, and the column, of the continuation history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrival(u32);

/// The histories of one thread.
#[derive(Debug)]
pub(super) struct History {
    kinds: usize,
    squares: usize,
    /// Pieces whose moves reset the move count.
    pawns: Vec<PieceType>,
    quiet: Vec<i16>,
    continuation: Vec<i16>,
    counter: Vec<Option<Move>>,
    pawn_correction: [Vec<i16>; 2],
    pieces_correction: [Vec<i16>; 2],
}

/// Moves a history toward `bonus`, the less the nearer it is to its bound.
#[inline]
fn nudge(entry: &mut i16, bonus: i32, most: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / most) as i16;
}

impl History {
    /// Nothing learned.
    pub fn new(variant: &Variant) -> History {
        let kinds = variant.kinds().count();
        let geometry = variant.geometry();
        let squares = usize::from(geometry.stride()) * usize::from(geometry.ranks());
        // One row more for what is no arrival: passes, setups, the ply before the root.
        let arrivals = 2 * kinds * squares;
        let mut continuation = vec![0; (arrivals + 1) * arrivals];
        prefer_large_pages(&mut continuation);
        History {
            kinds,
            squares,
            pawns: variant.kinds().filter(|&kind| variant.piece(kind).zeroing).collect(),
            quiet: vec![0; 2 * ORIGINS * MAX_SQUARES],
            continuation,
            counter: vec![None; arrivals + 1],
            pawn_correction: [vec![0; CORRECTIONS], vec![0; CORRECTIONS]],
            pieces_correction: [vec![0; CORRECTIONS], vec![0; CORRECTIONS]],
        }
    }

    /// What is no arrival.
    pub fn no_arrival(&self) -> Arrival {
        Arrival((2 * self.kinds * self.squares) as u32)
    }

    /// The arrival that a move of the side to move makes.
    #[inline]
    pub fn arrival(&self, position: &Position, mv: Move) -> Arrival {
        let piece = match mv.tag() {
            Tag::Setup | Tag::Pass => None,
            Tag::Drop => Some(Piece::new(position.side(), mv.becomes())),
            _ => position.at(mv.from()),
        };
        piece.map_or(self.no_arrival(), |piece| self.arrival_of(piece, mv))
    }

    #[inline]
    fn arrival_of(&self, piece: Piece, mv: Move) -> Arrival {
        let piece = piece.color().index() * self.kinds + piece.kind().index();
        Arrival((piece * self.squares + mv.to().index()) as u32)
    }

    #[inline]
    fn quiet_index(color: Color, mv: Move) -> usize {
        let origin =
            if mv.is_drop() { MAX_SQUARES + mv.dropped().index() } else { mv.from().index() };
        (color.index() * ORIGINS + origin) * MAX_SQUARES + mv.to().index()
    }

    #[inline]
    fn continuation_index(&self, before: Arrival, arrival: Arrival) -> usize {
        before.0 as usize * 2 * self.kinds * self.squares + arrival.0 as usize
    }

    /// How often a quiet move was good.
    #[inline]
    pub fn quiet(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.quiet[History::quiet_index(color, mv)])
    }

    /// How often an arrival was good behind another. What is no arrival has no history.
    #[inline]
    pub fn continuation(&self, before: Arrival, arrival: Arrival) -> i32 {
        // The last row is as long as the others, but there is no last column.
        if arrival == self.no_arrival() {
            return 0;
        }
        i32::from(self.continuation[self.continuation_index(before, arrival)])
    }

    /// The quiet move that refuted an arrival.
    #[inline]
    pub fn counter(&self, before: Arrival) -> Option<Move> {
        self.counter[before.0 as usize]
    }

    pub fn set_counter(&mut self, before: Arrival, mv: Move) {
        self.counter[before.0 as usize] = Some(mv);
    }

    pub fn update_quiet(&mut self, color: Color, mv: Move, bonus: i32) {
        nudge(&mut self.quiet[History::quiet_index(color, mv)], bonus, HISTORY_MOST);
    }

    pub fn update_continuation(&mut self, before: Arrival, arrival: Arrival, bonus: i32) {
        if before != self.no_arrival() && arrival != self.no_arrival() {
            let index = self.continuation_index(before, arrival);
            nudge(&mut self.continuation[index], bonus, HISTORY_MOST);
        }
    }

    /// By how many centipawns the static evaluation of such positions fell short of the search.
    pub fn correction(&self, position: &Position) -> i32 {
        let side = position.side().index();
        let pawns = self.pawn_correction[side][pawn_entry(position, &self.pawns)];
        let pieces = self.pieces_correction[side][material_entry(position)];
        (i32::from(pawns) + i32::from(pieces)) / (2 * CORRECTION_UNIT)
    }

    /// Learns from a search that found `error` centipawns more than the evaluation.
    pub fn correct(&mut self, position: &Position, error: i32, depth: i32) {
        let side = position.side().index();
        let bonus =
            (error * depth * CORRECTION_UNIT / 8).clamp(-CORRECTION_MOST / 4, CORRECTION_MOST / 4);
        let pawns = &mut self.pawn_correction[side][pawn_entry(position, &self.pawns)];
        nudge(pawns, bonus, CORRECTION_MOST);
        let pieces = &mut self.pieces_correction[side][material_entry(position)];
        nudge(pieces, bonus, CORRECTION_MOST);
    }
}

/// Spreads the bits of a word.
#[inline]
fn mixed(key: u128) -> u64 {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(23);
    folded.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The place of a position's pawns.
fn pawn_entry(position: &Position, pawns: &[PieceType]) -> usize {
    let key = pawns.iter().fold(0u64, |key, &kind| {
        let white = mixed(position.pieces(Color::White, kind).0);
        let black = mixed(position.pieces(Color::Black, kind).0);
        (key ^ white).rotate_left(17).wrapping_add(black.rotate_left(31))
    });
    (key >> 40) as usize % CORRECTIONS
}

/// The place of a position's pieces by number, hands included.
fn material_entry(position: &Position) -> usize {
    let variant = position.variant();
    let mut key = 0u64;
    for color in Color::ALL {
        for kind in variant.kinds_of(color) {
            key = key.wrapping_mul(31).wrapping_add(u64::from(position.pieces(color, kind).len()));
        }
        key = key.wrapping_mul(31).wrapping_add(mixed(position.hand(color).bits()));
    }
    (mixed(u128::from(key)) >> 40) as usize % CORRECTIONS
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::{Square, find};

    #[test]
    fn histories_stay_within_their_bounds() {
        let variant = find("shoogantshii").expect("a game");
        let mut history = History::new(&variant);
        let mv = Move::normal(Square::new(20), Square::new(30));
        for _ in 0..1000 {
            history.update_quiet(Color::White, mv, 1700);
        }
        let value = history.quiet(Color::White, mv);
        assert!(value > HISTORY_MOST * 9 / 10 && value <= HISTORY_MOST, "{value}");
        assert_eq!(history.quiet(Color::Black, mv), 0);
        history.update_quiet(Color::White, mv, -1700);
        assert!(history.quiet(Color::White, mv) < value);
    }

    #[test]
    fn corrections_go_the_way_of_the_error() {
        let variant = find("swda-oo").expect("a game");
        let mut history = History::new(&variant);
        let position = Position::start(&variant);
        for _ in 0..50 {
            history.correct(&position, 40, 8);
        }
        assert!((10..=64).contains(&history.correction(&position)));
    }
}
