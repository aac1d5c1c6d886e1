//! A word of 256 bits, as two halves.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Bits {
    low: u128,
    high: u128,
}

/// The bits of a half.
const HALF: u32 = u128::BITS;

impl Bits {
    pub const ZERO: Bits = Bits::of(0, 0);
    pub const ALL: Bits = Bits::of(!0, !0);

    const fn of(high: u128, low: u128) -> Bits {
        Bits { low, high }
    }

    /// The word with this bit.
    #[inline(always)]
    pub const fn bit(index: usize) -> Bits {
        let bit = 1 << (index % HALF as usize);
        if index < HALF as usize { Bits::of(0, bit) } else { Bits::of(bit, 0) }
    }

    /// The word with these lowest bits.
    #[inline(always)]
    pub const fn low(bits: u32) -> Bits {
        Bits::of(0, bits as u128)
    }

    /// The lowest 32 bits.
    #[inline(always)]
    pub const fn to_low(self) -> u32 {
        self.low as u32
    }

    /// All bits in 128; a square of the second half counts as one of the first.
    #[inline(always)]
    pub const fn folded(self) -> u128 {
        self.low ^ self.high.rotate_left(61)
    }

    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.low | self.high == 0
    }

    #[inline(always)]
    pub const fn count_ones(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    /// The index of the lowest bit; the number of bits if there is none.
    #[inline(always)]
    pub const fn trailing_zeros(self) -> u32 {
        if self.low == 0 { HALF + self.high.trailing_zeros() } else { self.low.trailing_zeros() }
    }

    /// The word without its lowest bit.
    #[inline(always)]
    pub const fn without_lowest(self) -> Bits {
        if self.low == 0 {
            Bits::of(self.high & self.high.wrapping_sub(1), 0)
        } else {
            Bits::of(self.high, self.low & (self.low - 1))
        }
    }

    #[inline(always)]
    pub const fn has(self, index: usize) -> bool {
        let half = if index < HALF as usize { self.low } else { self.high };
        half >> (index % HALF as usize) & 1 != 0
    }

    #[inline(always)]
    pub const fn and(self, other: Bits) -> Bits {
        Bits::of(self.high & other.high, self.low & other.low)
    }

    #[inline(always)]
    pub const fn or(self, other: Bits) -> Bits {
        Bits::of(self.high | other.high, self.low | other.low)
    }

    #[inline(always)]
    pub const fn xor(self, other: Bits) -> Bits {
        Bits::of(self.high ^ other.high, self.low ^ other.low)
    }

    #[inline(always)]
    pub const fn not(self) -> Bits {
        Bits::of(!self.high, !self.low)
    }

    /// Every bit moved up, by less than the number of bits.
    #[inline(always)]
    pub const fn up(self, by: u32) -> Bits {
        match by {
            0 => self,
            1..HALF => Bits::of(self.high << by | self.low >> (HALF - by), self.low << by),
            _ => Bits::of(self.low << (by - HALF), 0),
        }
    }

    /// Every bit moved down, by less than the number of bits.
    #[inline(always)]
    pub const fn down(self, by: u32) -> Bits {
        match by {
            0 => self,
            1..HALF => Bits::of(self.high >> by, self.low >> by | self.high << (HALF - by)),
            _ => Bits::of(0, self.high >> (by - HALF)),
        }
    }

    #[inline(always)]
    pub const fn wrapping_sub(self, other: Bits) -> Bits {
        let (low, borrows) = self.low.overflowing_sub(other.low);
        Bits::of(self.high.wrapping_sub(other.high).wrapping_sub(borrows as u128), low)
    }

    #[inline(always)]
    pub const fn swap_bytes(self) -> Bits {
        Bits::of(self.low.swap_bytes(), self.high.swap_bytes())
    }
}

impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}:{:032x}", self.high, self.low)
    }
}
