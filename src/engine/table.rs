//! The transposition table: what earlier visits to a position found out.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Score;
use super::memory::{prefer_large_pages, prefetch};
use garrison_rules::{Key, Move};

/// What a stored score says of the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score is at most this.
    Upper = 3,
}

impl Bound {
    /// Whether a score with this bound is nearer to the true one than `value`.
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
    pub mv: Option<Move>,
    pub score: Score,
    pub depth: u8,
    pub bound: Bound,
}

impl Entry {
    /// Whether its score answers the question of a window.
    #[inline]
    pub fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

/// One entry as two words: the data (move 22 bits, has-move 1, depth 7, bound 2, score 16, generation
/// 8) and the key mixed with the data, so that a torn write is never taken for an entry (the
/// lock-free scheme of Hyatt and Mann).
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The slots that a position may be stored in: one line of a cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// A table shared by everything that searches.
#[derive(Debug, Default)]
pub struct Table {
    buckets: Vec<Bucket>,
    generation: AtomicU64,
}

/// How many plies a generation of age counts when it is decided what is overwritten.
const PLIES_PER_GENERATION: i32 = 4;

impl Table {
    /// The smallest and the largest size that may be asked for, in MiB.
    pub const SIZES: std::ops::RangeInclusive<usize> = 1..=65_536;
    /// The size of a table that nobody asked for, in MiB.
    pub const DEFAULT_SIZE: usize = 16;

    /// An empty table of this many MiB; `None` if there is no memory for it.
    pub fn new(mebibytes: usize) -> Option<Table> {
        let count = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        prefer_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Some(Table { buckets, generation: AtomicU64::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        // The pages of a table that nothing was stored in are not touched.
        if self.generation.load(Ordering::Relaxed) == 0 {
            return;
        }
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Makes what is stored older than what is going to be.
    pub(super) fn next_generation(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed) & 0xff
    }

    fn bucket(&self, key: Key) -> &[Slot] {
        // The high bits of the product spread keys evenly over any number of buckets. A table has
        // none only between being taken and being replaced.
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        self.buckets.get(index).map_or(&[], |bucket| &bucket.0)
    }

    /// Asks for the memory of a position that is going to be looked up.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        if let Some(slot) = self.bucket(key).first() {
            prefetch(slot);
        }
    }

    pub(super) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        let found = self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key).then_some(data)
        });
        let data = found?;
        let bound = match data >> 30 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Entry {
            mv: (data >> 22 & 1 != 0).then(|| Move::from_bits(data as u32)),
            score: Score::from_table((data >> 32) as i16, ply),
            depth: depth_of(data) as u8,
            bound,
        })
    }

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
            let age = (generation.wrapping_sub(data >> 48) & 0xff) as i32;
            let worth = depth_of(data) - PLIES_PER_GENERATION * age;
            let worth = if data >> 30 & 3 == 0 { i32::MIN } else { worth };
            if worth < least {
                (chosen, least) = (Some((slot, data, false)), worth);
            }
        }
        let Some((slot, old, same)) = chosen else { return };
        let current = old >> 48 & 0xff == generation;
        let deeper = depth_of(old) > i32::from(entry.depth) + 3;
        if same && current && deeper && entry.bound != Bound::Exact {
            return;
        }
        // A move once found is kept when the position is stored again without one.
        let kept = Some(old & 0x7f_ffff).filter(|bits| same && bits >> 22 & 1 != 0).unwrap_or(0);
        let mv = entry.mv.map_or(kept, |mv| u64::from(mv.bits()) | 1 << 22);
        let data = mv
            | u64::from(entry.depth.min(0x7f)) << 23
            | (entry.bound as u64) << 30
            | u64::from(entry.score.to_table(ply) as u16) << 32
            | generation << 48;
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// How full it is with what the current search stored, in thousandths.
    pub fn permille(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data >> 30 & 3 != 0 && data >> 48 & 0xff == self.generation()
        });
        (used.count() * 1000 / (4 * sample.len()).max(1)) as u32
    }
}

/// The depth in a word of data, in plies.
fn depth_of(data: u64) -> i32 {
    (data >> 23 & 0x7f) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::Square;

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).expect("a megabyte");
        table.next_generation();
        let mv = Move::normal(Square::new(3), Square::new(99));
        let entry = Entry { mv: Some(mv), score: Score::mate_in(5), depth: 9, bound: Bound::Lower };
        let key = 0x1234_5678_9abc_def0;
        table.store(key, 2, entry);
        let found = table.probe(key, 4).expect("the entry");
        assert_eq!(found.mv, Some(mv));
        assert_eq!((found.depth, found.bound), (9, Bound::Lower));
        assert_eq!(found.score, Score::mate_in(7));
        assert!(table.probe(key ^ 1, 4).is_none());
        table.store(key, 2, Entry { mv: None, ..entry });
        assert_eq!(table.probe(key, 2).and_then(|entry| entry.mv), Some(mv));
        table.clear();
        assert!(table.probe(key, 2).is_none());
    }
}
