//! The arithmetic of whole rows of neurons: for the usual sizes of a hidden layer with a length that is known at
//! compile time, so that the loops are unrolled into vector instructions, and for any other size.

use super::weights::{Coarse, LANES, QA};

/// A weight of a feature, as it is in memory.
pub(super) trait RowWeight: Copy + Into<i16> {}

impl RowWeight for i8 {}
impl RowWeight for Coarse {}
impl RowWeight for i16 {}

/// How rows of one size are computed. Rows have as many elements as the size says.
pub(super) trait Rows {
    /// Changes every sum by the weight of its neuron in the row of a feature.
    fn change<W: RowWeight>(
        sums: &mut [i16],
        features: &[W],
        feature: usize,
        by: impl Fn(i16, i16) -> i16 + Copy,
    );

    /// The activations of the neurons, squares of their sums clipped to 0 to [`QA`], times weights, summed up.
    fn weighted(sums: &[i16], weights: &[i8]) -> i64;
}

/// Rows of `N` neurons.
pub(super) struct Fixed<const N: usize>;

impl<const N: usize> Rows for Fixed<N> {
    #[inline(always)]
    fn change<W: RowWeight>(
        sums: &mut [i16],
        features: &[W],
        feature: usize,
        by: impl Fn(i16, i16) -> i16 + Copy,
    ) {
        let row = &features.as_chunks::<N>().0[feature];
        for sums in sums.as_chunks_mut::<N>().0 {
            change_lanes(sums, row, by);
        }
    }

    #[inline(always)]
    fn weighted(sums: &[i16], weights: &[i8]) -> i64 {
        let rows = sums.as_chunks::<N>().0.iter().zip(weights.as_chunks::<N>().0);
        rows.map(|(sums, weights)| weighted_lanes(sums, weights)).sum()
    }
}

/// Rows of any multiple of [`LANES`] neurons.
pub(super) struct AnySize;

impl Rows for AnySize {
    #[inline(always)]
    fn change<W: RowWeight>(
        sums: &mut [i16],
        features: &[W],
        feature: usize,
        by: impl Fn(i16, i16) -> i16 + Copy,
    ) {
        let row = &features[feature * sums.len()..][..sums.len()];
        let (sums, row) = (sums.as_chunks_mut::<LANES>().0, row.as_chunks::<LANES>().0);
        for (sums, row) in sums.iter_mut().zip(row) {
            change_lanes(sums, row, by);
        }
    }

    #[inline(always)]
    fn weighted(sums: &[i16], weights: &[i8]) -> i64 {
        let (sums, weights) = (sums.as_chunks::<LANES>().0, weights.as_chunks::<LANES>().0);
        let lanes = sums.iter().zip(weights);
        lanes.map(|(sums, weights)| weighted_lanes(sums, weights)).sum()
    }
}

#[inline(always)]
fn change_lanes<const N: usize, W: RowWeight>(
    sums: &mut [i16; N],
    row: &[W; N],
    by: impl Fn(i16, i16) -> i16,
) {
    // Of copies the compiler knows that they do not overlap.
    let (old, row) = (*sums, *row);
    *sums = std::array::from_fn(|lane| by(old[lane], row[lane].into()));
}

/// Neurons whose sum stays within 32 bits: at most 256 · 255 · 255 · 128.
const NEURONS_PER_SUM: usize = 256;

#[inline(always)]
fn weighted_lanes<const N: usize>(sums: &[i16; N], weights: &[i8; N]) -> i64 {
    let product = |(&sum, &weight): (&i16, &i8)| {
        let clipped = sum.clamp(0, QA as i16);
        i32::from(clipped * i16::from(weight)) * i32::from(clipped)
    };
    if N <= NEURONS_PER_SUM {
        return i64::from(sums.iter().zip(weights).map(product).sum::<i32>());
    }
    let parts = sums.chunks(NEURONS_PER_SUM).zip(weights.chunks(NEURONS_PER_SUM));
    parts.map(|(sums, weights)| i64::from(sums.iter().zip(weights).map(product).sum::<i32>())).sum()
}
