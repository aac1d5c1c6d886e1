//! The features of a network: pieces on squares and pieces in hand, as one side sees them.

use garrison_rules::{Color, PieceType, Position, Square, Variant};

/// Pieces of one type in hand that have a feature each; further ones have none.
pub(super) const HAND_FEATURES: usize = 4;

/// The feature set of a game. A feature is a piece type of either side on a square, or the first,
/// second, … of a piece type in either hand. Every position has its features twice: as White and as Black
/// sees them, each with the own pieces first and the own first rank below.
///
/// Order: own pieces by type, each by square (rank by rank from the own first one, files from the first); the
/// enemy's; the own hand by slot, each by count; the enemy's.
#[derive(Debug, Clone)]
pub(crate) struct FeatureSet {
    pub(super) kinds: usize,
    pub(super) squares: usize,
    pub(super) slots: usize,
    /// The number of a square among the features, as each side sees it.
    numbers: [Vec<u16>; 2],
    /// The number of the square in the same rank with files exchanged.
    mirrored: Vec<u16>,
}

impl FeatureSet {
    pub fn new(variant: &Variant) -> FeatureSet {
        let geometry = variant.geometry();
        let size = geometry.squares().map(|square| square.index() + 1).max().unwrap_or(0);
        let files = usize::from(geometry.files());
        let squares = files * usize::from(geometry.ranks());
        let mut features = FeatureSet {
            kinds: variant.kinds().count(),
            squares,
            slots: variant.hand_kinds().len(),
            numbers: [vec![0; size], vec![0; size]],
            mirrored: (0..squares)
                .map(|at| (at - at % files + files - 1 - at % files) as u16)
                .collect(),
        };
        for square in geometry.squares() {
            for color in Color::ALL {
                let seen = if color == Color::White { square } else { geometry.mirrored(square) };
                let [file, rank] = [geometry.file(seen).0, geometry.rank(seen).0].map(usize::from);
                features.numbers[color.index()][square.index()] = (rank * files + file) as u16;
            }
        }
        features
    }

    /// How many features there are.
    pub fn len(&self) -> usize {
        2 * (self.kinds * self.squares + self.slots * HAND_FEATURES)
    }

    /// The first feature of a piece type on squares, of the viewing side or of its enemy.
    #[inline]
    pub(super) fn piece_start(&self, is_enemy: bool, kind: usize) -> usize {
        (usize::from(is_enemy) * self.kinds + kind) * self.squares
    }

    /// The first feature of a slot in the hand of the viewing side or of its enemy.
    #[inline]
    pub(super) fn hand_start(&self, is_enemy: bool, slot: usize) -> usize {
        let slots_before = usize::from(is_enemy) * self.slots + slot;
        2 * self.kinds * self.squares + slots_before * HAND_FEATURES
    }

    /// A piece on a square, as White and as Black sees it.
    #[inline]
    pub(super) fn piece(&self, color: Color, kind: PieceType, square: Square) -> [usize; 2] {
        Color::ALL.map(|view| {
            let number = usize::from(self.numbers[view.index()][square.index()]);
            self.piece_start(view != color, kind.index()) + number
        })
    }

    /// A piece in hand besides `before` others of its type, as White and as Black sees it.
    #[inline]
    pub(super) fn in_hand(&self, color: Color, slot: usize, before: usize) -> [usize; 2] {
        Color::ALL.map(|view| self.hand_start(view != color, slot) + before)
    }

    /// The feature with files exchanged.
    pub fn mirrored(&self, feature: usize) -> usize {
        if feature >= 2 * self.kinds * self.squares {
            return feature;
        }
        feature - feature % self.squares + usize::from(self.mirrored[feature % self.squares])
    }

    /// The features of a position, as White and as Black sees them.
    pub fn extract(&self, position: &Position) -> Vec<[u16; 2]> {
        let mut features = Vec::new();
        let mut add = |views: [usize; 2]| features.push(views.map(|feature| feature as u16));
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                for square in position.pieces(color, kind) {
                    add(self.piece(color, kind, square));
                }
            }
            let hand = position.hand(color);
            for slot in 0..self.slots {
                for before in 0..usize::from(hand.count(slot)).min(HAND_FEATURES) {
                    add(self.in_hand(color, slot, before));
                }
            }
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::catalogue::builtin_names;
    use garrison_rules::find;

    #[test]
    fn mirrored_twice_a_feature_is_itself() {
        for name in builtin_names() {
            let features = FeatureSet::new(&find(name).expect("a built-in game"));
            for feature in 0..features.len() {
                assert_eq!(features.mirrored(features.mirrored(feature)), feature, "{name}");
            }
        }
    }

    #[test]
    fn a_start_position_has_a_feature_for_each_piece() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let (features, position) = (FeatureSet::new(&variant), Position::start(&variant));
            let mut found = features.extract(&position);
            assert!(found.iter().flatten().all(|&feature| usize::from(feature) < features.len()));
            let hands = Color::ALL.map(|color| position.hand(color).total()).iter().sum::<u32>();
            assert_eq!(found.len() as u32, position.occupied().len() + hands, "{name}");
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len() as u32, position.occupied().len() + hands, "{name}");
        }
    }
}
