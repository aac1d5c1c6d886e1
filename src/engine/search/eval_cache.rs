//! A cache of static evaluations: transpositions and re-searches meet the same positions again and again.

use crate::engine::memory::prefetch;
use garrison_rules::Key;

/// The number of entries, a power of two.
const ENTRIES: usize = 1 << 15;

/// The last static evaluation for each index, in centipawns; a new position replaces the old one.
#[derive(Debug)]
pub(super) struct EvalCache {
    entries: Vec<(Key, i32)>,
}

impl EvalCache {
    /// The bytes that it takes.
    pub const BYTES: usize = ENTRIES * size_of::<(Key, i32)>();

    pub fn new() -> EvalCache {
        EvalCache { entries: vec![(0, 0); ENTRIES] }
    }

    /// Prefetches the entry of a position that is about to be looked up.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(&self.entries[key as usize % ENTRIES]);
    }

    /// The evaluation of the position with this key, computed if it is not there.
    #[inline]
    pub fn get_or_insert_with(&mut self, key: Key, evaluate: impl FnOnce() -> i32) -> i32 {
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.0 != key {
            *entry = (key, evaluate());
        }
        entry.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_position_is_not_evaluated_again() {
        let mut cache = EvalCache::new();
        let (key, same_index) = (77, 77 + ENTRIES as Key);
        assert_eq!(cache.get_or_insert_with(key, || 31), 31);
        assert_eq!(cache.get_or_insert_with(key, || unreachable!("it is in the cache")), 31);
        assert_eq!(cache.get_or_insert_with(same_index, || -4), -4);
        assert_eq!(cache.get_or_insert_with(key, || 32), 32);
    }
}
