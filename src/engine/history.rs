//! The histories of a thread: how often moves failed high, alone and after the moves before them, and by how much
//! the static evaluation was wrong.

use super::memory::{prefer_large_pages, prefetch};
use super::search::params;
use garrison_rules::limits::{MAX_PIECE_TYPES, MAX_SQUARES};
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Move, Piece, PieceType, Position, Tag, Variant};

/// Origins of a quiet move: squares, then piece types in hand.
const ORIGINS: usize = MAX_SQUARES + MAX_PIECE_TYPES;

/// Entries of the histories of stones: by color a row for all targets, then one of each.
const STONES: usize = 2 * (1 + MAX_SQUARES) * MAX_SQUARES;

/// The correction histories, and how many of them are used without the technique of more.
const CORRECTION_TABLES: usize = 6;
const FEWER_CORRECTIONS: usize = 2;
/// The entries of a correction history for each side to move, a power of two.
const CORRECTIONS: usize = 16_384;
/// Corrections are kept in this part of a centipawn.
const CORRECTION_UNIT: i32 = 256;

/// A piece and the square it moved to: an index of the continuation history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceTo(u32);

/// Where a position stands in each correction history: by side to move and a hash of the pawns, of the material with
/// hands, of White's and of Black's officers, of royals and hands; and by the move that led to it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CorrectionSlots([u32; CORRECTION_TABLES]);

/// The histories of one thread.
#[derive(Debug)]
pub(super) struct History {
    kinds: usize,
    squares: usize,
    /// What the hashes of the correction histories are made of, by color.
    factors: [Vec<Factor>; 2],
    /// By color, origin and target.
    quiet: Vec<i16>,
    /// By color and the square of the stone that goes with a move, and by the target as well; empty where none goes.
    stones: Vec<i16>,
    /// By the piece and target of an earlier move and of this one.
    continuation: Vec<i16>,
    /// By the piece and target of a capture, and the type of the piece that is captured.
    captures: Vec<i16>,
    /// By the piece and target of the move before.
    counter_moves: Vec<Option<Move>>,
    /// The correction histories, in the order of [`CorrectionSlots`].
    corrections: [Vec<i16>; CORRECTION_TABLES],
}

/// Adds a bonus to a history with gravity: the nearer the entry is to its maximum, the less it grows.
#[inline]
fn add_with_gravity(entry: &mut i16, bonus: i32, max: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / max) as i16;
}

impl History {
    /// The bytes that those of a game take.
    pub fn bytes(variant: &Variant) -> usize {
        let geometry = variant.geometry();
        let squares = usize::from(geometry.stride()) * usize::from(geometry.ranks());
        let columns = 2 * variant.kinds().count() * squares;
        let captures = columns * variant.kinds().count();
        let corrections = (CORRECTION_TABLES - 1) * 2 * CORRECTIONS + columns + 1;
        let quiet = 2 * ORIGINS * MAX_SQUARES;
        let entries = (columns + 1) * columns + quiet + captures + corrections;
        entries * size_of::<i16>() + (columns + 1) * size_of::<Option<Move>>()
    }

    /// Empty histories for a game.
    pub fn new(variant: &Variant) -> History {
        let kinds = variant.kinds().count();
        let geometry = variant.geometry();
        let squares = usize::from(geometry.stride()) * usize::from(geometry.ranks());
        // One row more for no move: passes, setups, the ply before the root.
        let columns = 2 * kinds * squares;
        let mut continuation = vec![0; (columns + 1) * columns];
        prefer_large_pages(&mut continuation);
        let hashed = || vec![0; 2 * CORRECTIONS];
        History {
            kinds,
            squares,
            factors: factors(variant),
            quiet: vec![0; 2 * ORIGINS * MAX_SQUARES],
            stones: if variant.moves_place_stones() { vec![0; STONES] } else { Vec::new() },
            continuation,
            captures: vec![0; columns * kinds],
            counter_moves: vec![None; columns + 1],
            corrections: [hashed(), hashed(), hashed(), hashed(), hashed(), vec![0; columns + 1]],
        }
    }

    /// The index for no move: a pass, a setup, the ply before the root.
    pub fn no_piece_to(&self) -> PieceTo {
        PieceTo((2 * self.kinds * self.squares) as u32)
    }

    /// The piece and target of a move of the side to move.
    #[inline]
    pub fn piece_to(&self, position: &Position, mv: Move) -> PieceTo {
        let piece = match mv.tag() {
            Tag::Setup | Tag::Pass => None,
            Tag::Drop => Some(Piece::new(position.side_to_move(), mv.becomes())),
            _ => position.at(mv.from()),
        };
        piece.map_or(self.no_piece_to(), |piece| {
            let row = piece.color().index() * self.kinds + piece.kind().index();
            PieceTo((row * self.squares + mv.to().index()) as u32)
        })
    }

    #[inline]
    fn quiet_index(color: Color, mv: Move) -> usize {
        let origin =
            if mv.is_drop() { MAX_SQUARES + mv.dropped().index() } else { mv.from().index() };
        (color.index() * ORIGINS + origin) * MAX_SQUARES + mv.to().index()
    }

    #[inline]
    fn continuation_index(&self, before: PieceTo, piece_to: PieceTo) -> usize {
        before.0 as usize * 2 * self.kinds * self.squares + piece_to.0 as usize
    }

    /// The history of a quiet move, that of the stone which goes with it included.
    #[inline]
    pub fn quiet(&self, color: Color, mv: Move) -> i32 {
        let quiet = i32::from(self.quiet[History::quiet_index(color, mv)]);
        if self.stones.is_empty() { quiet } else { quiet + self.stone(color, mv) }
    }

    /// The history of the stone that goes with a move.
    pub fn stone(&self, color: Color, mv: Move) -> i32 {
        let entries = History::stone_indices(color, mv).map(|index| self.stones.get(index));
        entries.into_iter().flatten().map(|&entry| i32::from(entry)).sum()
    }

    fn stone_indices(color: Color, mv: Move) -> [usize; 2] {
        let (to, stone) = (mv.to().index(), mv.stone().index());
        let row = color.index() * (1 + MAX_SQUARES);
        [row, row + 1 + to].map(|row| row * MAX_SQUARES + stone)
    }

    /// The history of a move after an earlier one, 0 for no move.
    #[inline]
    pub fn continuation(&self, before: PieceTo, piece_to: PieceTo) -> i32 {
        // There is a row for no move before, but no column.
        if piece_to == self.no_piece_to() {
            return 0;
        }
        i32::from(self.continuation[self.continuation_index(before, piece_to)])
    }

    /// The history of a capture; that of a quiet promotion is that of the piece which it becomes.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.capture_index(position, mv).map_or(0, |index| i32::from(self.captures[index]))
    }

    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some(index) = self.capture_index(position, mv) {
            add_with_gravity(&mut self.captures[index], bonus, params::history_max());
        }
    }

    #[inline]
    fn capture_index(&self, position: &Position, mv: Move) -> Option<usize> {
        let piece_to = self.piece_to(position, mv);
        let captured = position.captured_on(mv).filter_map(|square| position.at(square)).last();
        let promoted = (mv.tag() == Tag::Promotion).then(|| mv.becomes());
        let kind = captured.map(|piece| piece.kind()).or(promoted)?;
        (piece_to != self.no_piece_to()).then(|| piece_to.0 as usize * self.kinds + kind.index())
    }

    /// The quiet move that last refuted this one.
    #[inline]
    pub fn counter_move(&self, before: PieceTo) -> Option<Move> {
        self.counter_moves[before.0 as usize]
    }

    pub fn set_counter_move(&mut self, before: PieceTo, mv: Move) {
        self.counter_moves[before.0 as usize] = Some(mv);
    }

    pub fn update_quiet(&mut self, color: Color, mv: Move, bonus: i32) {
        let entry = &mut self.quiet[History::quiet_index(color, mv)];
        add_with_gravity(entry, bonus, params::history_max());
    }

    /// Updates the history of the stone that goes with a move, if one does.
    pub fn update_stone(&mut self, color: Color, mv: Move, bonus: i32) {
        for index in History::stone_indices(color, mv) {
            if let Some(entry) = self.stones.get_mut(index) {
                add_with_gravity(entry, bonus, params::history_max());
            }
        }
    }

    pub fn update_continuation(&mut self, before: PieceTo, piece_to: PieceTo, bonus: i32) {
        if before != self.no_piece_to() && piece_to != self.no_piece_to() {
            let index = self.continuation_index(before, piece_to);
            add_with_gravity(&mut self.continuation[index], bonus, params::history_max());
        }
    }

    /// Where a position stands in the correction histories; `before` is the move that led to it.
    pub fn correction_slots(&self, position: &Position, before: PieceTo) -> CorrectionSlots {
        let Hashes { pawns, material, officers: [white, black], royals } =
            Hashes::new(position, &self.factors);
        let first = position.side_to_move().index() * CORRECTIONS;
        let slot = |hash: u64| (first + (hash >> 40) as usize % CORRECTIONS) as u32;
        let [pawns, material, white, black, royals] =
            [pawns, material, white, black, royals].map(slot);
        CorrectionSlots([pawns, material, white, black, royals, before.0])
    }

    /// By how many centipawns searches found the static evaluation of similar positions too low. `more` is whether
    /// all correction histories count, or those of pawns and material.
    #[inline]
    pub fn correction(&self, slots: CorrectionSlots, more: bool) -> i32 {
        let used = if more { CORRECTION_TABLES } else { FEWER_CORRECTIONS };
        let mut sum = 0;
        for (table, slot) in self.corrections.iter().zip(slots.0).take(used) {
            sum += i32::from(table[slot as usize]);
        }
        sum / (2 * CORRECTION_UNIT)
    }

    /// Prefetches the corrections of a position.
    #[inline]
    pub fn prefetch_corrections(&self, slots: CorrectionSlots) {
        for (table, slot) in self.corrections.iter().zip(slots.0) {
            prefetch(&table[slot as usize]);
        }
    }

    /// Takes in that a search to this depth found the static evaluation `error` centipawns too low.
    pub fn update_correction(
        &mut self,
        slots: CorrectionSlots,
        error: i32,
        depth: i32,
        more: bool,
    ) {
        let max = params::correction_max();
        let step = max / params::correction_max_step_divisor();
        let bonus = error * depth * CORRECTION_UNIT / params::correction_divisor();
        let bonus = bonus.clamp(-step, step);
        let used = if more { CORRECTION_TABLES } else { FEWER_CORRECTIONS };
        for (table, slot) in self.corrections.iter_mut().zip(slots.0).take(used) {
            add_with_gravity(&mut table[slot as usize], bonus, max);
        }
    }
}

/// The hashes of a position that the correction histories go by.
struct Hashes {
    pawns: u64,
    /// Of the numbers of pieces, and the hands.
    material: u64,
    /// Of each side's pieces but pawns.
    officers: [u64; 2],
    /// Of the places of the royals, and the hands.
    royals: u64,
}

impl Hashes {
    /// Sums over the piece types, each with a factor of its own: none waits for another.
    fn new(position: &Position, factors: &[Vec<Factor>; 2]) -> Hashes {
        let mut hashes = Hashes { pawns: 0, material: 0, officers: [0; 2], royals: 0 };
        for color in Color::ALL {
            for factor in &factors[color.index()] {
                let pieces = position.pieces(color, factor.kind);
                let hash = fold_multiply(pieces.folded(), factor.places);
                let sum = if factor.is_pawn {
                    &mut hashes.pawns
                } else {
                    &mut hashes.officers[color.index()]
                };
                *sum = sum.wrapping_add(hash);
                let count = u64::from(pieces.len()).wrapping_mul(factor.number);
                hashes.material = hashes.material.wrapping_add(count);
            }
            let [first, second] = COLORS[color.index()];
            let hand = fold_multiply(position.hand(color).bits(), first);
            let royal = position.royal_square(color).map_or(0, |square| 1 + square.index() as u64);
            hashes.material = hashes.material.wrapping_add(hand);
            hashes.royals = hashes.royals.wrapping_add(hand ^ royal.wrapping_mul(second));
        }
        hashes
    }
}

/// What multiplies the places and the number of a color's pieces of one type.
#[derive(Debug)]
struct Factor {
    kind: PieceType,
    is_pawn: bool,
    places: u64,
    number: u64,
}

/// The factors of each color's piece types.
fn factors(variant: &Variant) -> [Vec<Factor>; 2] {
    let mut random = SplitMix::new(0);
    let mut odd = || random.number() | 1;
    let mut factors = [Vec::new(), Vec::new()];
    for kind in variant.kinds() {
        let is_pawn = variant.piece(kind).zeroing;
        for color in Color::ALL {
            let (places, number) = (odd(), odd());
            if variant.kinds_of(color).contains(kind) {
                factors[color.index()].push(Factor { kind, is_pawn, places, number });
            }
        }
    }
    factors
}

/// The factors of hands and royals, by color.
const COLORS: [[u64; 2]; 2] = [
    [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9],
    [0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93],
];

/// Both halves of the product of a word with a factor, folded: every bit of the word counts in all of the result.
#[inline]
fn fold_multiply(word: u128, factor: u64) -> u64 {
    let folded = word as u64 ^ ((word >> 64) as u64).rotate_left(23);
    let product = u128::from(folded) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::{Square, find};

    #[test]
    fn histories_stay_within_their_maximum() {
        let variant = find("shoogantshii").expect("a game");
        let mut history = History::new(&variant);
        let mv = Move::normal(Square::new(20), Square::new(30));
        for _ in 0..1000 {
            history.update_quiet(Color::White, mv, 1700);
        }
        let (value, max) = (history.quiet(Color::White, mv), params::history_max());
        assert!(value > max * 9 / 10 && value <= max, "{value}");
        assert_eq!(history.quiet(Color::Black, mv), 0);
        history.update_quiet(Color::White, mv, -1700);
        assert!(history.quiet(Color::White, mv) < value);
    }

    #[test]
    fn corrections_have_the_sign_of_the_error() {
        let variant = find("swda-oo").expect("a game");
        let mut history = History::new(&variant);
        let position = Position::start(&variant);
        let before = history.no_piece_to();
        let slots = history.correction_slots(&position, before);
        for _ in 0..50 {
            history.update_correction(slots, 40, 8, true);
        }
        assert!((10..=224).contains(&history.correction(slots, true)));
    }
}
