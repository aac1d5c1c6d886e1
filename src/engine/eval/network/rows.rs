//! The arithmetic of whole rows of neurons: for the usual sizes of a hidden layer with a length that is known at
//! compile time, so that the loops are unrolled into vector instructions, and for any other size.

use super::weights::{Coarse, HIDDEN_SIZES, LANES, QA};

/// A weight of a feature, as it is in memory.
pub(super) trait RowWeight: Copy + Into<i16> + 'static {
    /// The row of no feature.
    const NONE: &'static [Self; *HIDDEN_SIZES.end()];
}

impl RowWeight for i8 {
    const NONE: &'static [i8; *HIDDEN_SIZES.end()] = &[0; *HIDDEN_SIZES.end()];
}

impl RowWeight for Coarse {
    const NONE: &'static [Coarse; *HIDDEN_SIZES.end()] = &[Coarse(0); *HIDDEN_SIZES.end()];
}

impl RowWeight for i16 {
    const NONE: &'static [i16; *HIDDEN_SIZES.end()] = &[0; *HIDDEN_SIZES.end()];
}

/// How rows of one size are computed. Rows have as many elements as the size says.
pub(super) trait Rows {
    /// Makes the sums those of another row.
    fn copy(sums: &mut [i16], other: &[i16]);

    /// Takes the row of a feature that is gone from the sums and adds that of one that has come, in one pass. Sums of too
    /// many pieces wrap, as they would if they were computed anew: with the pieces gone again, nothing is left of them.
    fn exchange<W: RowWeight>(sums: &mut [i16], rows: &[W], change: Exchange);

    /// The activations of the neurons, squares of their sums clipped to 0 to [`QA`], times weights, summed up.
    fn weighted(sums: &[i16], weights: &[i8]) -> i64;
}

/// A feature that is gone, and one that has come.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    pub gone: Option<usize>,
    pub come: Option<usize>,
}

/// Rows of `N` neurons.
pub(super) struct Fixed<const N: usize>;

impl<const N: usize> Rows for Fixed<N> {
    #[inline(always)]
    fn copy(sums: &mut [i16], other: &[i16]) {
        sums.as_chunks_mut::<N>().0.copy_from_slice(other.as_chunks::<N>().0);
    }

    #[inline(always)]
    fn exchange<W: RowWeight>(sums: &mut [i16], rows: &[W], change: Exchange) {
        let (rows, none) = (rows.as_chunks::<N>().0, W::NONE.as_chunks::<N>().0);
        let [gone, come] = [change.gone, change.come]
            .map(|feature| feature.map_or_else(|| &none[0], |feature| &rows[feature]));
        for sums in sums.as_chunks_mut::<N>().0 {
            exchange_lanes(sums, gone, come);
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
    fn exchange<W: RowWeight>(sums: &mut [i16], rows: &[W], change: Exchange) {
        let size = sums.len();
        let [gone, come] = [change.gone, change.come].map(|feature| {
            let row = feature.map_or(&W::NONE[..size], |feature| &rows[feature * size..][..size]);
            row.as_chunks::<LANES>().0
        });
        let sums = sums.as_chunks_mut::<LANES>().0;
        for (sums, (gone, come)) in sums.iter_mut().zip(gone.iter().zip(come)) {
            exchange_lanes(sums, gone, come);
        }
    }

    #[inline(always)]
    fn weighted(sums: &[i16], weights: &[i8]) -> i64 {
        weighted_rows(sums.as_chunks::<LANES>().0, weights.as_chunks::<LANES>().0)
    }
}

#[inline(always)]
fn exchange_lanes<const N: usize, W: RowWeight>(sums: &mut [i16; N], gone: &[W; N], come: &[W; N]) {
    // Of copies the compiler knows that they do not overlap.
    let (old, gone, come) = (*sums, *gone, *come);
    *sums = std::array::from_fn(|lane| {
        old[lane].wrapping_sub(gone[lane].into()).wrapping_add(come[lane].into())
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
