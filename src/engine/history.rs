//! The histories of a thread: how often moves failed high, alone and after the moves before them, and by how much
//! the static evaluation was wrong.

use super::memory::prefer_large_pages;
use super::search::params;
use garrison_rules::limits::{MAX_PIECE_TYPES, MAX_SQUARES};
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

/// The histories of one thread.
#[derive(Debug)]
pub(super) struct History {
    kinds: usize,
    squares: usize,
    /// The piece types whose moves reset the move count, as pawns' do.
    pawns: Vec<PieceType>,
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
    /// The correction histories, in the order of [`History::correction_indices`].
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
            pawns: variant.kinds().filter(|&kind| variant.piece(kind).zeroing).collect(),
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

    /// Where a position stands in each correction history: by side to move and a hash of the pawns, of the material with
    /// hands, of White's and of Black's officers, of royals and hands; and by the move that led to it.
    fn correction_indices(
        &self,
        position: &Position,
        before: PieceTo,
    ) -> [usize; CORRECTION_TABLES] {
        let first = position.side_to_move().index() * CORRECTIONS;
        [
            first + pawn_index(position, &self.pawns),
            first + material_index(position),
            first + officer_index(position, Color::White),
            first + officer_index(position, Color::Black),
            first + royal_index(position),
            before.0 as usize,
        ]
    }

    /// By how many centipawns searches found the static evaluation of similar positions too low. `before` is the move
    /// that led to the position; `more` is whether all correction histories count, or those of pawns and material.
    pub fn correction(&self, position: &Position, before: PieceTo, more: bool) -> i32 {
        let indices = self.correction_indices(position, before);
        let used = if more { CORRECTION_TABLES } else { FEWER_CORRECTIONS };
        let entries = self.corrections.iter().zip(indices).take(used);
        entries.map(|(table, index)| i32::from(table[index])).sum::<i32>() / (2 * CORRECTION_UNIT)
    }

    /// Takes in that a search to this depth found the static evaluation `error` centipawns too low.
    pub fn update_correction(
        &mut self,
        position: &Position,
        before: PieceTo,
        error: i32,
        depth: i32,
        more: bool,
    ) {
        let max = params::correction_max();
        let step = max / params::correction_max_step_divisor();
        let bonus = error * depth * CORRECTION_UNIT / params::correction_divisor();
        let bonus = bonus.clamp(-step, step);
        let indices = self.correction_indices(position, before);
        let used = if more { CORRECTION_TABLES } else { FEWER_CORRECTIONS };
        for (table, index) in self.corrections.iter_mut().zip(indices).take(used) {
            add_with_gravity(&mut table[index], bonus, max);
        }
    }
}

/// A hash of a word.
#[inline]
fn hash(key: u128) -> u64 {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(23);
    folded.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The index of a position's pawns in the correction history.
fn pawn_index(position: &Position, pawns: &[PieceType]) -> usize {
    let key = pawns.iter().fold(0u64, |key, &kind| {
        let white = hash(position.pieces(Color::White, kind).folded());
        let black = hash(position.pieces(Color::Black, kind).folded());
        (key ^ white).rotate_left(17).wrapping_add(black.rotate_left(31))
    });
    (key >> 40) as usize % CORRECTIONS
}

/// The index of a side's officers, all pieces but pawns, in the correction history.
fn officer_index(position: &Position, color: Color) -> usize {
    let variant = position.variant();
    let officers = variant.kinds_of(color).filter(|&kind| !variant.piece(kind).zeroing);
    let key = officers.fold(0u64, |key, kind| {
        (key ^ hash(position.pieces(color, kind).folded())).rotate_left(17)
    });
    (hash(u128::from(key)) >> 40) as usize % CORRECTIONS
}

/// The index of the royals and the hands in the correction history.
fn royal_index(position: &Position) -> usize {
    let key = Color::ALL.into_iter().fold(0u64, |key, color| {
        let royal = position.royal_square(color).map_or(0, |square| 1 + square.index() as u128);
        (key ^ hash(royal)).rotate_left(17).wrapping_add(hash(position.hand(color).bits()))
    });
    (hash(u128::from(key)) >> 40) as usize % CORRECTIONS
}

/// The index of a position's material in the correction history: the numbers of pieces, and the hands.
fn material_index(position: &Position) -> usize {
    let variant = position.variant();
    let mut key = 0u64;
    for color in Color::ALL {
        for kind in variant.kinds_of(color) {
            key = key.wrapping_mul(31).wrapping_add(u64::from(position.pieces(color, kind).len()));
        }
        key = key.wrapping_mul(31).wrapping_add(hash(position.hand(color).bits()));
    }
    (hash(u128::from(key)) >> 40) as usize % CORRECTIONS
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
        for _ in 0..50 {
            history.update_correction(&position, before, 40, 8, true);
        }
        assert!((10..=224).contains(&history.correction(&position, before, true)));
    }
}
