//! The transposition table: what earlier searches of a position found.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Score;
use super::memory::{prefer_large_pages, prefetch};
use super::search::params;
use garrison_rules::{Key, Move, MoveBits};

/// How a stored score bounds the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score is at most this.
    Upper = 3,
}

impl Bound {
    /// Whether a score with this bound is nearer to the true one than `value`, by all that is known.
    #[inline]
    pub fn corrects(self, score: Score, value: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > value,
            Bound::Upper => score < value,
        }
    }
}

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The best move, if there was one.
    pub mv: Option<Move>,
    pub score: Score,
    /// The depth of the search, in plies; stored as 0 to 127.
    pub depth: i32,
    pub bound: Bound,
    /// The position is, or once was, on a principal variation.
    pub pv: bool,
}

impl Entry {
    /// Whether its score decides a search with this window.
    #[inline]
    pub fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

/// The bits of the move in a word of data.
const MOVE: u64 = (1 << BOUND) - 1;
/// Set in a word of data that has a move.
const HAS_MOVE: u64 = 1 << 63;

// Where the fields of the data begin.
const BOUND: u32 = Move::BITS;
const SCORE: u32 = BOUND + 2;
const PV: u32 = SCORE + 16;
const GENERATION: u32 = PV + 1;
const DEPTH: u32 = 56;

/// The highest generation; older ones count as new after it.
const GENERATIONS: u64 = (1 << (DEPTH - GENERATION)) - 1;

/// The greatest depth that an entry has room for.
const DEEPEST: i32 = 0x7f;

/// One entry as two words: the data (move 30 bits, bound 2, score 16, PV 1, generation 7, depth 7, has-move 1; with wider
/// moves, the generation has fewer) and the key XORed with the data, so that a torn write is never taken for an entry (the
/// lockless hashing of Hyatt and Mann, 2002).
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The slots that a position may be stored in: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// A transposition table, shared by all threads of a search.
#[derive(Debug, Default)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: AtomicU64,
}

impl TranspositionTable {
    /// The sizes that can be chosen, in MiB.
    pub const SIZES: std::ops::RangeInclusive<usize> = 1..=65_536;
    /// The default size, in MiB.
    pub const DEFAULT_SIZE: usize = 16;

    /// An empty table of this many MiB; `None` if there is no memory for it.
    pub fn new(mebibytes: usize) -> Option<TranspositionTable> {
        let count = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        prefer_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Some(TranspositionTable { buckets, generation: AtomicU64::new(0) })
    }

    /// Removes all entries.
    pub fn clear(&self) {
        // An unused table is empty; its memory is not touched, so that the system need not provide it yet.
        if self.generation.load(Ordering::Relaxed) == 0 {
            return;
        }
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Begins a new search: entries stored before it are older by one generation.
    pub(super) fn next_generation(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed) & GENERATIONS
    }

    fn bucket(&self, key: Key) -> &[Slot] {
        // The high bits of the product spread keys evenly over any number of buckets. A default table has none.
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        self.buckets.get(index).map_or(&[], |bucket| &bucket.0)
    }

    /// Prefetches the bucket of a position that is about to be probed.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        if let Some(slot) = self.bucket(key).first() {
            prefetch(slot);
        }
    }

    /// What is stored of a position `ply` plies from the root.
    pub(super) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        let found = self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key).then_some(data)
        });
        let data = found?;
        let bound = match data >> BOUND & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Entry {
            mv: (data & HAS_MOVE != 0).then(|| Move::from_bits(data as MoveBits)),
            score: Score::from_tt((data >> SCORE) as i16, ply),
            depth: depth_of(data),
            bound,
            pv: data >> PV & 1 != 0,
        })
    }

    /// Stores what a search of a position, `ply` plies from the root, has found. It replaces the entry of the same
    /// position, else the one of least depth and greatest age.
    pub(super) fn store(&self, key: Key, ply: usize, entry: Entry) {
        let generation = self.generation();
        let mut chosen = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                chosen = Some((slot, data, true));
                break;
            }
            let age = (generation.wrapping_sub(data >> GENERATION) & GENERATIONS) as i32;
            let quality = depth_of(data) - params::tt_age_weight() * age;
            let quality = if data >> BOUND & 3 == 0 { i32::MIN } else { quality };
            if quality < least {
                (chosen, least) = (Some((slot, data, false)), quality);
            }
        }
        let Some((slot, old, same)) = chosen else { return };
        let current = old >> GENERATION & GENERATIONS == generation;
        let depth = entry.depth.clamp(0, DEEPEST);
        let deeper = depth_of(old) > depth + params::tt_depth_margin();
        if same && current && deeper && entry.bound != Bound::Exact {
            return;
        }
        // The move of an earlier search is kept if this one found none.
        let kept = if same && old & HAS_MOVE != 0 { old & (HAS_MOVE | MOVE) } else { 0 };
        let mv = entry.mv.map_or(kept, |mv| u64::from(mv.bits()) | HAS_MOVE);
        let data = mv
            | (entry.bound as u64) << BOUND
            | u64::from(entry.score.to_tt(ply) as u16) << SCORE
            | u64::from(entry.pv) << PV
            | generation << GENERATION
            | (depth as u64) << DEPTH;
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// The share of slots used by the current search, in thousandths, estimated from the first 1000.
    pub fn permille(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data >> BOUND & 3 != 0 && data >> GENERATION & GENERATIONS == self.generation()
        });
        (used.count() * 1000 / (4 * sample.len()).max(1)) as u32
    }
}

/// The depth in a word of data, in plies.
fn depth_of(data: u64) -> i32 {
    (data >> DEPTH) as i32 & DEEPEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::Square;

    #[test]
    fn a_stored_entry_is_found() {
        let tt = TranspositionTable::new(1).expect("a megabyte");
        tt.next_generation();
        let mv = Move::normal(Square::new(3), Square::new(99)).with_stone(Square::new(127));
        let entry = Entry {
            mv: Some(mv),
            score: Score::mate_in(5),
            depth: 9,
            bound: Bound::Lower,
            pv: true,
        };
        let key = 0x1234_5678_9abc_def0;
        tt.store(key, 2, entry);
        let found = tt.probe(key, 4).expect("the entry");
        assert_eq!(found.mv, Some(mv));
        assert_eq!((found.depth, found.bound, found.pv), (9, Bound::Lower, true));
        assert_eq!(found.score, Score::mate_in(7));
        assert!(tt.probe(key ^ 1, 4).is_none());
        for (depth, stored) in [(200, 127), (-3, 0)] {
            let key = depth as u64;
            tt.store(key, 2, Entry { depth, ..entry });
            assert_eq!(tt.probe(key, 2).map(|entry| entry.depth), Some(stored));
        }
        tt.store(key, 2, Entry { mv: None, ..entry });
        assert_eq!(tt.probe(key, 2).and_then(|entry| entry.mv), Some(mv));
        tt.clear();
        assert!(tt.probe(key, 2).is_none());
    }
}
