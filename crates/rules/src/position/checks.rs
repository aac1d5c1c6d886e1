//! Counts of the checks given, in games that are won by a number of checks.

use super::Position;
use crate::types::{Color, PerColor};
use crate::variant::MAX_CHECKS;
use crate::zobrist::{self, Key};

/// How many checks each side has given: two counts of four bits, which stop at [`MAX_CHECKS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ChecksGiven(u8);

impl ChecksGiven {
    /// No checks.
    pub const NONE: ChecksGiven = ChecksGiven(0);

    /// These counts.
    pub fn new(counts: PerColor<u8>) -> ChecksGiven {
        let [white, black] = counts.0.map(|count| count.min(MAX_CHECKS));
        ChecksGiven(white | black << 4)
    }

    /// The counts.
    pub fn counts(self) -> PerColor<u8> {
        PerColor([self.0 & 15, self.0 >> 4])
    }

    /// The counts after one more check of `color`.
    #[must_use]
    pub fn and_one_of(self, color: Color) -> ChecksGiven {
        let mut counts = self.counts();
        counts[color] += 1;
        ChecksGiven::new(counts)
    }

    /// Its part of the position key.
    #[inline]
    pub fn key(self) -> Key {
        if self == ChecksGiven::NONE { 0 } else { zobrist::checks(self.0) }
    }
}

impl Position {
    /// The number of checks that `color` has given, `0..=15`; 0 in a game that does not count them.
    pub fn checks_given(&self, color: Color) -> u8 {
        self.checks.counts()[color]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_independent_and_stop_at_the_most() {
        let mut checks = ChecksGiven::NONE;
        for count in 1..=MAX_CHECKS + 2 {
            checks = checks.and_one_of(Color::Black);
            assert_eq!(checks.counts(), PerColor([0, count.min(MAX_CHECKS)]));
        }
        let both = checks.and_one_of(Color::White);
        assert_eq!(both.counts(), PerColor([1, MAX_CHECKS]));
        assert_eq!(ChecksGiven::new(both.counts()), both);
        assert_ne!(both.key(), checks.key());
        assert_eq!(ChecksGiven::NONE.key(), 0);
    }
}
