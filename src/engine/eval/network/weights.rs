//! The quantized weights of a network.

/// The size of a hidden layer is a multiple of this.
pub(crate) const LANES: usize = 16;
/// The sizes of the hidden layer that are read.
pub(crate) const HIDDEN_SIZES: std::ops::RangeInclusive<usize> = LANES..=512;
/// The size that is trained if no other is asked for.
pub(crate) const DEFAULT_HIDDEN: usize = 128;
/// The most outputs that are read.
pub(crate) const MAX_OUTPUTS: usize = 64;
/// The outputs that are trained.
pub(crate) const DEFAULT_OUTPUTS: usize = 8;

/// Quantization of the first layer: what a weight of 1, and the largest activation of a neuron, is as a whole
/// number.
pub(crate) const QA: i32 = 255;
/// Quantization of the output layer: what a weight of 1 is as a whole number.
pub(crate) const QB: i32 = 256;
/// No trained weight is beyond this, so that each fits in 8 bits with either quantization.
pub(crate) const MAX_WEIGHT: f32 = 0.496;
/// An output of 1 in centipawns.
pub(crate) const SCALE: i32 = 400;

/// The weights of a network: one hidden layer, the same for both sides' views, and several outputs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Neurons of the hidden layer, for each view.
    pub hidden: usize,
    /// A row of `hidden` weights for each feature, in 1/[`QA`].
    pub features: Vec<i8>,
    /// Of the hidden layer, in 1/[`QA`].
    pub bias: Vec<i16>,
    /// Two rows for each output: for the view of the side to move and for the other's; in 1/[`QB`].
    pub outputs: Vec<i8>,
    /// By output, in 1/([`QA`] · [`QB`]).
    pub output_bias: Vec<i32>,
    /// The first output judges positions with up to so many pieces on the board, the second up to twice as
    /// many, the last all that have more.
    pub pieces_per_output: usize,
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
        output_for(pieces, self.pieces_per_output, self.output_bias.len())
    }
}

/// Which of some outputs judges a position with so many pieces on the board.
#[inline]
pub(crate) fn output_for(pieces: usize, pieces_per_output: usize, outputs: usize) -> usize {
    (pieces.saturating_sub(1) / pieces_per_output).min(outputs - 1)
}

/// How outputs are shared out between an empty board and one with so many pieces.
pub(crate) fn pieces_per_output(pieces: usize, outputs: usize) -> usize {
    pieces.div_ceil(outputs).max(1)
}
