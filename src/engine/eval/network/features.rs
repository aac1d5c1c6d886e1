//! The features of a network: pieces on squares and pieces in hand, as one side sees them.

use std::cmp::Ordering;

use super::pieces::AttackMaps;
use crate::engine::eval::LinearEval;
use garrison_rules::{Bitboard, Color, PieceType, Position, Square, Variant};

/// What a game's features are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FeatureForm {
    /// Whether a side whose royal stands on the right half sees the board with files exchanged.
    pub mirrored: bool,
    /// Features of each piece type in either hand: of the first one, the second, …
    pub in_hand: usize,
    /// Whether the last of these stands for every further piece; without, further ones have no feature.
    pub further: bool,
    /// Whether a piece on a square is another feature by whether it is attacked, and whether it is defended.
    pub attacks: bool,
}

impl FeatureForm {
    /// That of version 1 of the format.
    pub const OLD: FeatureForm =
        FeatureForm { mirrored: false, in_hand: 4, further: false, attacks: false };
    /// The most features of a piece type in a hand that are read.
    pub const MOST_IN_HAND: usize = 32;

    /// That of new networks for a game.
    pub fn of(variant: &Variant) -> FeatureForm {
        let mirrored = variant.royal().is_some();
        let form = FeatureForm { mirrored, in_hand: 4, further: true, attacks: true };
        // The number of a feature has 16 bits.
        let attacks = FeatureSet::new(variant, form).len() <= usize::from(u16::MAX);
        FeatureForm { attacks, ..form }
    }
}

/// The feature set of a game. A feature is a piece type of either side on a square, in each of the [`STATES`] if the form
/// says so, or the first, second, … of a piece type in either hand. Every position has its features twice: as White and as Black
/// sees them, each with the own pieces first and the own first rank below, and, if the form says so, with files
/// exchanged where the own royal stands on the right half.
///
/// Order: for each state, own pieces by type, each by square (rank by rank from the own first one, files from the first),
/// and the enemy's; the own hand by slot, each by count; the enemy's.
#[derive(Debug, Clone)]
pub(crate) struct FeatureSet {
    form: FeatureForm,
    pub(super) kinds: usize,
    pub(super) squares: usize,
    pub(super) slots: usize,
    /// The states that a piece on a square may be in: [`STATES`], or 1 if the form makes no difference.
    pub(super) states: usize,
    files: usize,
    /// The piece type by which views are mirrored.
    royal: Option<PieceType>,
    /// The squares left and right of the middle.
    halves: [Bitboard; 2],
    /// The number of a square among the features, as each side sees it, as it is and with files exchanged.
    numbers: [[Vec<u16>; 2]; 2],
    /// The number of the square in the same rank with files exchanged.
    mirrored: Vec<u16>,
}

/// The states of a piece: neither attacked nor defended, defended, attacked, both.
const STATES: usize = 4;

/// Room for the features of most positions.
const USUAL_PIECES: usize = 40;

/// Where a feature of a square or of a hand belongs to, for a trainer that has weights for groups of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FeaturePlace {
    /// Counts piece types of the viewing side and then of its enemy, then hand slots likewise.
    pub kind: usize,
    /// Rank and file as the viewing side sees them; none in hand.
    pub square: Option<[usize; 2]>,
    /// The state of a piece on its square, if features make a difference between states.
    pub state: Option<usize>,
}

/// The features of the pieces of one type, as one side sees them.
#[derive(Clone, Copy)]
pub(super) struct PieceFeatures<'a> {
    first: usize,
    of_state: usize,
    numbers: &'a [u16],
}

impl PieceFeatures<'_> {
    /// That of a piece on a square and in a state.
    #[inline(always)]
    pub fn on(self, square: Square, state: usize) -> usize {
        self.first + state * self.of_state + usize::from(self.numbers[square.index()])
    }
}

impl FeatureSet {
    pub fn new(variant: &Variant, form: FeatureForm) -> FeatureSet {
        let geometry = variant.geometry();
        let size = geometry.squares().map(|square| square.index() + 1).max().unwrap_or(0);
        let files = usize::from(geometry.files());
        let squares = files * usize::from(geometry.ranks());
        let mut features = FeatureSet {
            form,
            kinds: variant.kinds().count(),
            squares,
            slots: variant.hand_kinds().len(),
            states: if form.attacks { STATES } else { 1 },
            files,
            royal: variant.royal().filter(|_| form.mirrored),
            halves: [Bitboard::EMPTY; 2],
            numbers: std::array::from_fn(|_| std::array::from_fn(|_| vec![0; size])),
            mirrored: (0..squares)
                .map(|at| (at - at % files + files - 1 - at % files) as u16)
                .collect(),
        };
        for square in geometry.squares() {
            for color in Color::ALL {
                let seen = if color == Color::White { square } else { geometry.mirrored(square) };
                let [file, rank] = [geometry.file(seen).0, geometry.rank(seen).0].map(usize::from);
                let numbers = &mut features.numbers[color.index()];
                numbers[0][square.index()] = (rank * files + file) as u16;
                numbers[1][square.index()] = (rank * files + files - 1 - file) as u16;
            }
            let file = usize::from(geometry.file(square).0);
            match (2 * file + 1).cmp(&files) {
                Ordering::Less => features.halves[0].insert(square),
                Ordering::Equal => {}
                Ordering::Greater => features.halves[1].insert(square),
            }
        }
        features
    }

    /// What the features are.
    pub fn form(&self) -> FeatureForm {
        self.form
    }

    /// How many features there are.
    pub fn len(&self) -> usize {
        self.states * self.of_state() + 2 * self.slots * self.form.in_hand
    }

    /// How many features there are, those of a piece in several states counted once: these share most of their weights.
    pub fn len_of_one_state(&self) -> usize {
        self.len() - (self.states - 1) * self.of_state()
    }

    /// The features of pieces in one state.
    #[inline]
    fn of_state(&self) -> usize {
        2 * self.kinds * self.squares
    }

    /// The first feature of a piece type on squares in a state, of the viewing side or of its enemy.
    #[inline]
    pub(super) fn piece_start(&self, is_enemy: bool, kind: usize, state: usize) -> usize {
        state * self.of_state() + (usize::from(is_enemy) * self.kinds + kind) * self.squares
    }

    /// The squares that either side attacks, if features depend on them.
    #[inline]
    fn attack_maps(&self, position: &Position) -> AttackMaps {
        if self.form.attacks { AttackMaps::of(position) } else { AttackMaps::default() }
    }

    /// The first feature of a slot in the hand of the viewing side or of its enemy.
    #[inline]
    pub(super) fn hand_start(&self, is_enemy: bool, slot: usize) -> usize {
        let slots_before = usize::from(is_enemy) * self.slots + slot;
        self.states * self.of_state() + slots_before * self.form.in_hand
    }

    /// On which half more royals of a side are: greater if on the right one. Equal if the features are never mirrored.
    #[inline]
    pub fn tilt(&self, position: &Position, color: Color) -> Ordering {
        let Some(royal) = self.royal else { return Ordering::Equal };
        let royals = position.pieces(color, royal);
        let [left, right] = self.halves.map(|half| (royals & half).len());
        right.cmp(&left)
    }

    /// Whether White and Black see the board with files exchanged.
    #[inline]
    pub(super) fn turns(&self, position: &Position) -> [bool; 2] {
        if self.royal.is_none() {
            return [false; 2];
        }
        Color::ALL.map(|color| self.tilt(position, color).is_gt())
    }

    /// The pieces of one type, as one side sees them, as they are or with files exchanged.
    #[inline(always)]
    pub(super) fn pieces(
        &self,
        (view, turned): (usize, bool),
        (color, kind): (Color, PieceType),
    ) -> PieceFeatures<'_> {
        PieceFeatures {
            first: self.piece_start(view != color.index(), kind.index(), 0),
            of_state: self.of_state(),
            numbers: &self.numbers[view][usize::from(turned)],
        }
    }

    /// The feature of a piece in hand besides `before` others of its type, as one side sees it; none if it has none.
    #[inline]
    pub(super) fn in_hand(
        &self,
        view: usize,
        color: Color,
        slot: usize,
        before: usize,
    ) -> Option<usize> {
        let last = self.form.in_hand - 1;
        let start = self.hand_start(view != color.index(), slot);
        (before <= last || self.form.further).then(|| start + before.min(last))
    }

    /// The feature with files exchanged.
    pub fn mirrored(&self, feature: usize) -> usize {
        if feature >= self.states * self.of_state() {
            return feature;
        }
        feature - feature % self.squares + usize::from(self.mirrored[feature % self.squares])
    }

    /// Where a feature belongs to.
    pub fn place(&self, feature: usize) -> FeaturePlace {
        match feature.checked_sub(self.states * self.of_state()) {
            Some(in_hand) => FeaturePlace {
                kind: 2 * self.kinds + in_hand / self.form.in_hand,
                square: None,
                state: None,
            },
            None => {
                let square = feature % self.squares;
                FeaturePlace {
                    kind: feature % self.of_state() / self.squares,
                    square: Some([square / self.files, square % self.files]),
                    state: self.form.attacks.then(|| feature / self.of_state()),
                }
            }
        }
    }

    /// What each feature is worth to the viewing side by a linear evaluation, in centipawns.
    pub fn values(&self, variant: &Variant, linear: &LinearEval) -> Vec<f64> {
        let mut values = vec![0.0; self.len()];
        for (is_enemy, sign) in [(false, 1.0), (true, -1.0)] {
            let color = if is_enemy { Color::Black } else { Color::White };
            for kind in variant.kinds() {
                for square in variant.geometry().squares() {
                    // The enemy's pieces stand as White's do on the other side of the board.
                    let own = if is_enemy { variant.geometry().mirrored(square) } else { square };
                    for state in 0..self.states {
                        let feature = self.pieces((0, false), (color, kind)).on(square, state);
                        values[feature] = sign * linear.value_on(kind, own);
                    }
                }
            }
            for (slot, &kind) in variant.hand_kinds().iter().enumerate() {
                for before in 0..self.form.in_hand {
                    let feature = self.hand_start(is_enemy, slot) + before;
                    values[feature] = sign * linear.value_in_hand(kind, before);
                }
            }
        }
        values
    }

    /// The features of a position, as White and as Black sees them.
    pub fn extract(&self, position: &Position) -> Vec<[u16; 2]> {
        let mut features = Vec::with_capacity(USUAL_PIECES);
        let mut add = |views: [usize; 2]| features.push(views.map(|feature| feature as u16));
        let (turns, maps) = (self.turns(position), self.attack_maps(position));
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                for square in position.pieces(color, kind) {
                    let state = maps.state(color, square);
                    let seen_by =
                        |view| self.pieces((view, turns[view]), (color, kind)).on(square, state);
                    add([0, 1].map(seen_by));
                }
            }
            for slot in 0..self.slots {
                for before in 0..usize::from(position.hand(color).count(slot)) {
                    let views = [0, 1].map(|view| self.in_hand(view, color, slot, before));
                    if let [Some(white), Some(black)] = views {
                        add([white, black]);
                    }
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
            let variant = find(name).expect("a built-in game");
            let features = FeatureSet::new(&variant, FeatureForm::of(&variant));
            for feature in 0..features.len() {
                assert_eq!(features.mirrored(features.mirrored(feature)), feature, "{name}");
            }
        }
    }

    #[test]
    fn a_start_position_has_a_feature_for_each_piece() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let features = FeatureSet::new(&variant, FeatureForm::of(&variant));
            let position = Position::start(&variant);
            let mut found = features.extract(&position);
            assert!(found.iter().flatten().all(|&feature| usize::from(feature) < features.len()));
            let hands = Color::ALL.map(|color| position.hand(color).total()).iter().sum::<u32>();
            assert_eq!(found.len() as u32, position.occupied().len() + hands, "{name}");
            found.sort_unstable();
            found.dedup();
            let once: u32 = Color::ALL
                .iter()
                .flat_map(|&color| {
                    let hand = position.hand(color);
                    (0..features.slots).map(move |slot| u32::from(hand.count(slot)).min(4))
                })
                .sum();
            assert_eq!(found.len() as u32, position.occupied().len() + once, "{name}");
        }
    }

    #[test]
    fn a_position_and_its_mirror_image_have_the_same_features() {
        let chess = find("chess").expect("a reference game");
        let features = FeatureSet::new(&chess, FeatureForm::of(&chess));
        let sorted = |fen: &str| {
            let position = Position::from_fen(&chess, fen).expect("a position");
            let mut found = features.extract(&position);
            found.sort_unstable();
            found
        };
        let left = sorted("2k5/p7/8/8/8/5N2/6PP/1K1R4 w - - 0 1");
        assert_eq!(left, sorted("5k2/7p/8/8/8/2N5/PP6/4R1K1 w - - 0 1"));
        // The kings on different halves: each side sees its own to the left.
        let across = sorted("5k2/p7/8/8/8/5N2/6PP/1K1R4 w - - 0 1");
        assert_ne!(left, across);
        assert_eq!(across, sorted("2k5/7p/8/8/8/2N5/PP6/4R1K1 w - - 0 1"));
    }
}
