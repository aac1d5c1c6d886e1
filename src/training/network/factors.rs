//! Factorization: in training, features of the same piece type share weights for any square, for each rank and for each
//! file, which are added to the weights of each square, and are part of these in the end. So a piece is known on a square
//! where it was seldom seen (the virtual features of the trainer of Stockfish's networks).

use crate::engine::eval::network::FeatureSet;

/// No group.
const NONE: u32 = u32::MAX;

/// The groups that the features of a game belong to.
#[derive(Debug)]
pub(super) struct Factors {
    /// Up to three groups of each feature.
    of: Vec<[u32; 3]>,
    groups: usize,
}

impl Factors {
    /// No groups at all, for so many features.
    pub fn none(features: usize) -> Factors {
        Factors { of: vec![[NONE; 3]; features], groups: 0 }
    }

    /// For each piece type on the board, one group of all squares, one of each rank and one of each file; in hand, one of
    /// all counts.
    pub fn new(features: &FeatureSet) -> Factors {
        let mut numbers = std::collections::BTreeMap::new();
        let mut number = |key: (usize, usize, usize)| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        let of = (0..features.len()).map(|feature| {
            let place = features.place(feature);
            let all = number((place.kind, 0, 0));
            let [rank, file] = place.square.map_or([NONE; 2], |[rank, file]| {
                [number((place.kind, 1, rank)), number((place.kind, 2, file))]
            });
            [all, rank, file]
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
