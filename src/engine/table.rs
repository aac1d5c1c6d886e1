//! The transposition table: what earlier visits to a position found out.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Score;
use crate::rules::{Key, Move};

/// What a stored score says of the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score is at most this.
    Upper = 3,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub mv: Option<Move>,
    pub score: Score,
    pub depth: u8,
    pub bound: Bound,
}

/// One entry as two words: the key mixed with the data, so that a torn write is never taken for an
/// entry (the lock-free scheme of Hyatt and Mann), and the data: move 22 bits, has-move 1, depth 7,
/// bound 2, score 16, generation 8.
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// A table shared by everything that searches.
#[derive(Debug)]
pub struct Table {
    slots: Vec<Slot>,
    generation: AtomicU64,
}

impl Table {
    /// The smallest and the largest size that may be asked for, in MiB.
    pub const SIZES: std::ops::RangeInclusive<usize> = 1..=65_536;
    /// The size of a table that nobody asked for, in MiB.
    pub const DEFAULT_SIZE: usize = 16;

    /// An empty table of this many MiB; `None` if there is no memory for it.
    pub fn new(mebibytes: usize) -> Option<Table> {
        let count = (mebibytes.max(1) << 20) / size_of::<Slot>();
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize_with(count, Slot::default);
        Some(Table { slots, generation: AtomicU64::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        // The pages of a table that nothing was stored in are not touched.
        if self.generation.load(Ordering::Relaxed) == 0 {
            return;
        }
        for slot in &self.slots {
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

    fn slot(&self, key: Key) -> &Slot {
        // The high bits of the product spread keys evenly over any number of slots.
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }

    pub(super) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        let slot = self.slot(key);
        let data = slot.data.load(Ordering::Relaxed);
        if slot.check.load(Ordering::Relaxed) ^ data != key {
            return None;
        }
        let bound = match data >> 30 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Entry {
            mv: (data >> 22 & 1 != 0).then(|| Move::from_bits(data as u32)),
            score: Score::from_table((data >> 32) as i16, ply),
            depth: (data >> 23 & 0x7f) as u8,
            bound,
        })
    }

    pub(super) fn store(&self, key: Key, ply: usize, entry: Entry) {
        let slot = self.slot(key);
        let old = slot.data.load(Ordering::Relaxed);
        let same = slot.check.load(Ordering::Relaxed) ^ old == key;
        let old_is_current = old >> 48 & 0xff == self.generation();
        let old_depth = (old >> 23 & 0x7f) as u8;
        if !same && old_is_current && old_depth > entry.depth + 2 && entry.bound != Bound::Exact {
            return;
        }
        // A move once found is kept when the position is stored again without one.
        let kept = same.then_some(old & 0x7f_ffff).filter(|bits| bits >> 22 & 1 != 0).unwrap_or(0);
        let mv = entry.mv.map_or(kept, |mv| u64::from(mv.bits()) | 1 << 22);
        let data = mv
            | u64::from(entry.depth.min(0x7f)) << 23
            | (entry.bound as u64) << 30
            | u64::from(entry.score.to_table(ply) as u16) << 32
            | self.generation() << 48;
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// How full it is with what the current search stored, in thousandths.
    pub fn permille(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data >> 30 & 3 != 0 && data >> 48 & 0xff == self.generation()
        });
        (used.count() * 1000 / sample.len().max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Square;

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
