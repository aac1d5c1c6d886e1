//! A word of 128 bits.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Bits(u128);

impl Bits {
    pub const ZERO: Bits = Bits(0);
    pub const ALL: Bits = Bits(!0);

    /// The word with this bit.
    #[inline(always)]
    pub const fn bit(index: usize) -> Bits {
        Bits(1 << index)
    }

    /// The word with these lowest bits.
    #[inline(always)]
    pub const fn low(bits: u32) -> Bits {
        Bits(bits as u128)
    }

    /// The lowest 32 bits.
    #[inline(always)]
    pub const fn to_low(self) -> u32 {
        self.0 as u32
    }

    /// All bits in 128.
    #[inline(always)]
    pub const fn folded(self) -> u128 {
        self.0
    }

    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn count_ones(self) -> u32 {
        self.0.count_ones()
    }

    /// The index of the lowest bit; the number of bits if there is none.
    #[inline(always)]
    pub const fn trailing_zeros(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// The word without its lowest bit.
    #[inline(always)]
    pub const fn without_lowest(self) -> Bits {
        Bits(self.0 & self.0.wrapping_sub(1))
    }

    #[inline(always)]
    pub const fn has(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }

    #[inline(always)]
    pub const fn and(self, other: Bits) -> Bits {
        Bits(self.0 & other.0)
    }

    #[inline(always)]
    pub const fn or(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }

    #[inline(always)]
    pub const fn xor(self, other: Bits) -> Bits {
        Bits(self.0 ^ other.0)
    }

    #[inline(always)]
    pub const fn not(self) -> Bits {
        Bits(!self.0)
    }

    /// Every bit moved up, by less than the number of bits.
    #[inline(always)]
    pub const fn up(self, by: u32) -> Bits {
        Bits(self.0 << by)
    }

    /// Every bit moved down, by less than the number of bits.
    #[inline(always)]
    pub const fn down(self, by: u32) -> Bits {
        Bits(self.0 >> by)
    }

    #[inline(always)]
    pub const fn wrapping_sub(self, other: Bits) -> Bits {
        Bits(self.0.wrapping_sub(other.0))
    }

    #[inline(always)]
    pub const fn swap_bytes(self) -> Bits {
        Bits(self.0.swap_bytes())
    }
}

impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
