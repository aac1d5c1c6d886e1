//! The word behind a set of squares: 128 bits, or 256 with the feature `wide`. Both words have the same functions, so
//! nothing else knows which one it is.

#[cfg(not(feature = "wide"))]
mod narrow;
#[cfg(feature = "wide")]
mod wide;

#[cfg(not(feature = "wide"))]
pub(crate) use narrow::Bits;
#[cfg(feature = "wide")]
pub(crate) use wide::Bits;
