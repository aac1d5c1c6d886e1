//! The accumulator: the sums of the hidden layer before its activation, kept from one position to the
//! next (Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions", 2018).

use garrison_rules::{Bitboard, Color, Hand, Position};

use super::features::{FeatureSet, HAND_FEATURES};
use super::weights::{LANES, Weights};

/// Sums of neurons that are computed together.
pub(super) type Sums = [i16; LANES];

/// The sums of one position, as White and as Black sees it, and the pieces that they stand for.
#[derive(Debug, Clone)]
pub(super) struct Accumulator {
    pieces: [Vec<Bitboard>; 2],
    hands: [Hand; 2],
    views: [Vec<Sums>; 2],
}

impl Accumulator {
    /// That of an empty board.
    pub fn new(features: &FeatureSet, weights: &Weights) -> Accumulator {
        let pieces = || vec![Bitboard::EMPTY; features.kinds];
        Accumulator {
            pieces: [pieces(), pieces()],
            hands: [Hand::default(); 2],
            views: [weights.bias.clone(), weights.bias.clone()],
        }
    }

    /// The sums as a side sees the position.
    #[inline]
    pub fn view(&self, view: Color) -> &[Sums] {
        &self.views[view.index()]
    }

    /// Adds and subtracts the rows of the features by which the position differs from the last one.
    #[inline]
    pub fn update(&mut self, features: &FeatureSet, weights: &Weights, position: &Position) {
        let views = &mut self.views;
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let now = position.pieces(color, kind);
                let before = std::mem::replace(&mut self.pieces[color.index()][kind.index()], now);
                if now == before {
                    continue;
                }
                for square in before & !now {
                    change(views, weights, features.piece(color, kind, square), subtract);
                }
                for square in now & !before {
                    change(views, weights, features.piece(color, kind, square), add);
                }
            }
            let now = position.hand(color);
            let before = std::mem::replace(&mut self.hands[color.index()], now);
            if now == before {
                continue;
            }
            for slot in 0..features.slots {
                let [now, before] =
                    [now, before].map(|hand| usize::from(hand.count(slot)).min(HAND_FEATURES));
                for number in before..now {
                    change(views, weights, features.in_hand(color, slot, number), add);
                }
                for number in now..before {
                    change(views, weights, features.in_hand(color, slot, number), subtract);
                }
            }
        }
    }
}

/// Changes both views by the rows of a feature.
#[inline]
fn change(
    views: &mut [Vec<Sums>; 2],
    weights: &Weights,
    features: [usize; 2],
    by: impl Fn(&mut Sums, &[i8; LANES]),
) {
    for (sums, feature) in views.iter_mut().zip(features) {
        for (sums, row) in sums.iter_mut().zip(weights.row(feature)) {
            by(sums, row);
        }
    }
}

/// Sums of too many pieces wrap, as they would if they were computed anew: with the pieces subtracted again,
/// nothing is left of them.
#[inline]
fn add(sums: &mut Sums, row: &[i8; LANES]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i16::from(weight));
    }
}

#[inline]
fn subtract(sums: &mut Sums, row: &[i8; LANES]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(i16::from(weight));
    }
}
