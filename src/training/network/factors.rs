//! Factorization: in training, features of the same piece type share weights for any square, for each rank and for each
//! file, which are added to the weights of each square, and are part of these in the end. So a piece is known on a square
//! where it was seldom seen (the virtual features of the trainer of Stockfish's networks).

use crate::engine::eval::network::FeatureSet;

/// No group.
const NONE: u32 = u32::MAX;

/// The groups that the features of a game belong to.
#[derive(Debug)]
pub(super) struct Factors {
    /// Up to five groups of each feature.
    of: Vec<[u32; 5]>,
    groups: usize,
}

impl Factors {
    /// No groups at all, for so many features.
    pub fn none(features: usize) -> Factors {
        Factors { of: vec![[NONE; 5]; features], groups: 0 }
    }

    /// For each piece type on the board, one group of all squares, one of each rank and one of each file, and where features
    /// depend on states one of each square and one of each state; in hand, one of all counts.
    pub fn new(features: &FeatureSet) -> Factors {
        let mut numbers = std::collections::BTreeMap::new();
        let mut number = |key: (usize, usize, [usize; 2])| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        let of = (0..features.len()).map(|feature| {
            let place = features.place(feature);
            let mut of = |sort, of| number((place.kind, sort, of));
            let all = of(0, [0, 0]);
            let Some([rank, file]) = place.square else { return [all, NONE, NONE, NONE, NONE] };
            let [rank_of, file_of] = [of(1, [rank, 0]), of(2, [file, 0])];
            let [square_of, state_of] =
                place.state.map_or([NONE; 2], |state| [of(3, [rank, file]), of(4, [state, 0])]);
            [all, rank_of, file_of, square_of, state_of]
        });
        let of = of.collect();
        Factors { of, groups: numbers.len() }
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The groups of a feature.
    #[inline]
    pub fn of(&self, feature: usize) -> impl Iterator<Item = usize> + '_ {
        self.of[feature].iter().filter(|&&group| group != NONE).map(|&group| group as usize)
    }
}
