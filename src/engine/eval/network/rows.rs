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
    /// Makes the sums those of another row.
    fn copy(sums: &mut [i16], other: &[i16]);

    /// Changes every sum by the weight of its neuron in the row of a feature.
    fn change<W: RowWeight>(
        sums: &mut [i16],
        features: &[W],
        feature: usize,
        by: impl Fn(i16, i16) -> i16 + Copy,
    );

    /// Takes the row of one feature from the sums and adds that of another, in one pass.
    fn exchange<W: RowWeight>(sums: &mut [i16], features: &[W], gone: usize, new: usize);

    /// The activations of the neurons, squares of their sums clipped to 0 to [`QA`], times weights, summed up.
    fn weighted(sums: &[i16], weights: &[i8]) -> i64;
}

/// Rows of `N` neurons.
pub(super) struct Fixed<const N: usize>;

impl<const N: usize> Rows for Fixed<N> {
    #[inline(always)]
    fn copy(sums: &mut [i16], other: &[i16]) {
        sums.as_chunks_mut::<N>().0.copy_from_slice(other.as_chunks::<N>().0);
    }

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
    fn exchange<W: RowWeight>(sums: &mut [i16], features: &[W], gone: usize, new: usize) {
        let rows = features.as_chunks::<N>().0;
        for sums in sums.as_chunks_mut::<N>().0 {
            exchange_lanes(sums, &rows[gone], &rows[new]);
        }
    }

    #[inline(always)]
    fn weighted(sums: &[i16], weights: &[i8]) -> i64 {
        weighted_rows(sums.as_chunks::<N>().0, weights.as_chunks::<N>().0)
    }
}

/// Rows of any multiple of [`LANES`] neurons.
pub(super) struct AnySize;

impl Rows for AnySize {
    #[inline(always)]
    fn copy(sums: &mut [i16], other: &[i16]) {
        sums.copy_from_slice(other);
    }

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
    fn exchange<W: RowWeight>(sums: &mut [i16], features: &[W], gone: usize, new: usize) {
        let [gone, new] =
            [gone, new].map(|feature| &features[feature * sums.len()..][..sums.len()]);
        let (gone, new) = (gone.as_chunks::<LANES>().0, new.as_chunks::<LANES>().0);
        for (sums, (gone, new)) in
            sums.as_chunks_mut::<LANES>().0.iter_mut().zip(gone.iter().zip(new))
        {
            exchange_lanes(sums, gone, new);
        }
    }

    #[inline(always)]
    fn weighted(sums: &[i16], weights: &[i8]) -> i64 {
        weighted_rows(sums.as_chunks::<LANES>().0, weights.as_chunks::<LANES>().0)
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

#[inline(always)]
fn exchange_lanes<const N: usize, W: RowWeight>(sums: &mut [i16; N], gone: &[W; N], new: &[W; N]) {
    let (old, gone, new) = (*sums, *gone, *new);
    *sums = std::array::from_fn(|lane| {
        old[lane].wrapping_sub(gone[lane].into()).wrapping_add(new[lane].into())
    });
}

/// Neurons whose sum stays within 32 bits: at most 256 · 255 · 255 · 128.
const NEURONS_PER_SUM: usize = 256;

// Loops, as the `sum` of an iterator does not get the instructions that the function around it is compiled for.
#[inline(always)]
fn weighted_rows<const N: usize>(sums: &[[i16; N]], weights: &[[i8; N]]) -> i64 {
    let mut total = 0;
    for (sums, weights) in sums.iter().zip(weights) {
        total += weighted_lanes(sums, weights);
    }
    total
}

#[inline(always)]
fn weighted_lanes<const N: usize>(sums: &[i16; N], weights: &[i8; N]) -> i64 {
    let mut total = 0;
    for start in (0..N).step_by(NEURONS_PER_SUM) {
        let mut part = 0;
        for lane in start..N.min(start + NEURONS_PER_SUM) {
            let clipped = sums[lane].clamp(0, QA as i16);
            part += i32::from(clipped * i16::from(weights[lane])) * i32::from(clipped);
        }
        total += i64::from(part);
    }
    total
}
