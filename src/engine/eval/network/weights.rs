//! The quantized weights of a network.

use crate::engine::line_aligned::LineAligned;

/// The size of a hidden layer is a multiple of this.
pub(crate) const LANES: usize = 16;
/// The sizes of the hidden layer that are read.
pub(crate) const HIDDEN_SIZES: std::ops::RangeInclusive<usize> = LANES..=512;
/// The size that is trained if no other is asked for.
pub(crate) const DEFAULT_HIDDEN: usize = 128;
/// The most outputs that are read.
pub(crate) const MAX_OUTPUTS: usize = 64;

/// Quantization of the first layer: what a weight of 1, and the largest activation of a neuron, is as a whole
/// number.
pub(crate) const QA: i32 = 255;
/// Quantization of the skip weights: what a weight of 1 is as a whole number.
pub(crate) const SKIP_UNIT: i32 = 4096;
/// An output of 1 in centipawns.
pub(crate) const SCALE: i32 = 400;

/// The weights of the features, in as few bytes as hold them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FeatureWeights {
    /// In 1/[`QA`], from -128 to 127.
    Bytes(LineAligned<i8>),
    /// Up to four times as large.
    Coarse(LineAligned<Coarse>),
    /// In 1/[`QA`], any others: of files that were written before there were coarse ones.
    Words(LineAligned<i16>),
}

/// A weight in [`Coarse::STEP`]/[`QA`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coarse(pub i8);

impl Coarse {
    /// Its unit in units of the others.
    pub const STEP: i16 = 4;
}

impl From<Coarse> for i16 {
    #[inline(always)]
    fn from(weight: Coarse) -> i16 {
        Coarse::STEP * i16::from(weight.0)
    }
}

impl FeatureWeights {
    pub fn len(&self) -> usize {
        match self {
            FeatureWeights::Bytes(weights) => weights.len(),
            FeatureWeights::Coarse(weights) => weights.len(),
            FeatureWeights::Words(weights) => weights.len(),
        }
    }

    /// One of them.
    pub fn get(&self, index: usize) -> i16 {
        match self {
            FeatureWeights::Bytes(weights) => weights[index].into(),
            FeatureWeights::Coarse(weights) => weights[index].into(),
            FeatureWeights::Words(weights) => weights[index],
        }
    }
}

/// The weights of a network: one hidden layer, the same for both sides' views, and several outputs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Neurons of the hidden layer, for each view.
    pub hidden: usize,
    /// A row of `hidden` weights for each feature.
    pub features: FeatureWeights,
    /// What each feature adds to every output past the hidden layer, in 1/[`SKIP_UNIT`]: half of it with the view of
    /// the side to move, and against it with the other's. Empty if the network has none.
    pub skip: Vec<i16>,
    /// Of the hidden layer, in 1/[`QA`].
    pub bias: Vec<i16>,
    /// Two rows for each output: for the view of the side to move and for the other's; in 1/`output_unit`.
    pub outputs: Vec<i8>,
    /// Quantization of the output layer: what a weight of 1 is as a whole number.
    pub output_unit: i32,
    /// By output, in 1/([`QA`] · `output_unit`).
    pub output_bias: Vec<i32>,
    /// The first output judges positions with up to so many pieces on the board as the first bound says, and so on;
    /// the last output, which has no bound, all that have more. In rising order.
    pub bounds: Vec<u16>,
}

impl Weights {
    /// The weights of an output for the view of the side to move, or for the other's.
    #[inline]
    pub fn output_row(&self, output: usize, is_enemy: bool) -> &[i8] {
        &self.outputs[(2 * output + usize::from(is_enemy)) * self.hidden..][..self.hidden]
    }

    /// Which output judges a position with so many pieces on the board.
    #[inline]
    pub fn output_for(&self, pieces: usize) -> usize {
        output_for(pieces, &self.bounds)
    }
}

/// Which of some outputs judges a position with so many pieces on the board; see [`Weights::bounds`].
#[inline]
pub(crate) fn output_for(pieces: usize, bounds: &[u16]) -> usize {
    bounds.iter().map(|&bound| usize::from(pieces > usize::from(bound))).sum()
}
