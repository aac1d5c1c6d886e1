//! The arithmetic of whole rows of neurons: for the usual sizes of a hidden layer with a length that is known at
//! compile time, so that the loops are unrolled into vector instructions, and for any other size.

use super::weights::{LANES, QA};

/// Sums of neurons that are computed together. They lie on borders of 32 bytes: tuned for x86-64-v2, the compiler
/// splits wide accesses to others, which costs 3 % of the nodes/s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Lanes([i16; LANES]);

impl Lanes {
    /// A row of sums; its length is a multiple of [`LANES`].
    pub fn row(sums: &[i16]) -> Vec<Lanes> {
        sums.as_chunks().0.iter().map(|&lanes| Lanes(lanes)).collect()
    }
}

/// How rows of one size are computed. Rows have as many elements as the size says.
pub(super) trait Rows {
    /// Changes every sum by the weight of its neuron in the row of a feature.
    fn change(
        sums: &mut [Lanes],
        features: &[i8],
        feature: usize,
        by: impl Fn(i16, i16) -> i16 + Copy,
    );

    /// The activations of the neurons, squares of their sums clipped to 0 to [`QA`], times weights, summed up.
    fn weighted(sums: &[Lanes], weights: &[i8]) -> i64;
}

/// Rows of `N` times [`LANES`] neurons.
pub(super) struct Fixed<const N: usize>;

impl<const N: usize> Rows for Fixed<N> {
    #[inline(always)]
    fn change(
        sums: &mut [Lanes],
        features: &[i8],
        feature: usize,
        by: impl Fn(i16, i16) -> i16 + Copy,
    ) {
        let row = &features.as_chunks::<LANES>().0.as_chunks::<N>().0[feature];
        for sums in sums.as_chunks_mut::<N>().0 {
            change(sums, row, by);
        }
    }

    #[inline(always)]
    fn weighted(sums: &[Lanes], weights: &[i8]) -> i64 {
        let weights = weights.as_chunks::<LANES>().0.as_chunks::<N>().0;
        let rows = sums.as_chunks::<N>().0.iter().zip(weights);
        rows.map(|(sums, weights)| weighted(sums, weights)).sum()
    }
}

/// Rows of any multiple of [`LANES`] neurons.
pub(super) struct AnySize;

impl Rows for AnySize {
    #[inline(always)]
    fn change(
        sums: &mut [Lanes],
        features: &[i8],
        feature: usize,
        by: impl Fn(i16, i16) -> i16 + Copy,
    ) {
        let row = &features.as_chunks::<LANES>().0[feature * sums.len()..][..sums.len()];
        change(sums, row, by);
    }

    #[inline(always)]
    fn weighted(sums: &[Lanes], weights: &[i8]) -> i64 {
        weighted(sums, weights.as_chunks::<LANES>().0)
    }
}

#[inline(always)]
fn change(sums: &mut [Lanes], row: &[[i8; LANES]], by: impl Fn(i16, i16) -> i16) {
    for (Lanes(sums), weights) in sums.iter_mut().zip(row) {
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum = by(*sum, i16::from(weight));
        }
    }
}

/// Lanes whose sum stays within 32 bits: 256 neurons of at most 255 · 255 · 128.
const LANES_PER_SUM: usize = 256 / LANES;

#[inline(always)]
fn weighted(sums: &[Lanes], weights: &[[i8; LANES]]) -> i64 {
    let parts = sums.chunks(LANES_PER_SUM).zip(weights.chunks(LANES_PER_SUM));
    parts.map(|(sums, weights)| i64::from(weighted_part(sums, weights))).sum()
}

#[inline(always)]
fn weighted_part(sums: &[Lanes], weights: &[[i8; LANES]]) -> i32 {
    // By lane, so that the loop over lanes adds vectors.
    let mut totals = [0; LANES];
    for (Lanes(sums), weights) in sums.iter().zip(weights) {
        for ((total, &sum), &weight) in totals.iter_mut().zip(sums).zip(weights) {
            let clipped = sum.clamp(0, QA as i16);
            *total += i32::from(clipped * i16::from(weight)) * i32::from(clipped);
        }
    }
    totals.iter().sum()
}
