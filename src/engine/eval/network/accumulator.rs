//! The accumulator: the sums of the hidden layer before its activation, kept from one position to the
//! next (Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions", 2018).

use garrison_rules::{Bitboard, Color, Hand, Position};

use super::features::{FeatureSet, HAND_FEATURES};
use super::rows::Rows;
use super::weights::Weights;

/// The sums of one position, as White and as Black sees it, and the pieces that they stand for.
#[derive(Debug, Clone)]
pub(super) struct Accumulator {
    pieces: [Vec<Bitboard>; 2],
    hands: [Hand; 2],
    views: [Vec<i16>; 2],
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
    #[inline(always)]
    pub fn view(&self, view: Color) -> &[i16] {
        &self.views[view.index()]
    }

    /// Adds and subtracts the rows of the features by which the position differs from the last one.
    #[inline(always)]
    pub fn update<R: Rows>(
        &mut self,
        features: &FeatureSet,
        weights: &Weights,
        position: &Position,
    ) {
        let views = &mut self.views;
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let now = position.pieces(color, kind);
                let before = std::mem::replace(&mut self.pieces[color.index()][kind.index()], now);
                if now == before {
                    continue;
                }
                for square in before & !now {
                    change::<R>(
                        views,
                        weights,
                        features.piece(color, kind, square),
                        i16::wrapping_sub,
                    );
                }
                for square in now & !before {
                    change::<R>(
                        views,
                        weights,
                        features.piece(color, kind, square),
                        i16::wrapping_add,
                    );
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
                    change::<R>(
                        views,
                        weights,
                        features.in_hand(color, slot, number),
                        i16::wrapping_add,
                    );
                }
                for number in now..before {
                    change::<R>(
                        views,
                        weights,
                        features.in_hand(color, slot, number),
                        i16::wrapping_sub,
                    );
                }
            }
        }
    }
}

/// Changes both views by the rows of a feature. Sums of too many pieces wrap, as they would if they were
/// computed anew: with the pieces subtracted again, nothing is left of them.
#[inline(always)]
fn change<R: Rows>(
    views: &mut [Vec<i16>; 2],
    weights: &Weights,
    features: [usize; 2],
    by: impl Fn(i16, i16) -> i16 + Copy,
) {
    for (sums, feature) in views.iter_mut().zip(features) {
        R::change(sums, &weights.features, feature, by);
    }
}
