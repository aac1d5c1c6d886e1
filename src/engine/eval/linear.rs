//! The linear evaluation: the sum of the terms of a position, each times its weight.

use super::Evaluator;
use super::extraction::{Extractor, TermSink};
use super::layout::{BOXED, IN_HAND, Layout, PieceTerms};
use garrison_rules::limits::MAX_SQUARES;
use garrison_rules::{Bitboard, Color, PieceType, PieceTypeSet, Position, Square, Variant};
use std::sync::Arc;

/// Weights are whole numbers of 1/16 centipawn.
pub(crate) const UNIT: i32 = 16;
/// The phase of a position with all officers of the start array; without officers it is 0.
pub(crate) const OPENING: i32 = 256;

/// The weights of a term for middle game and end game, in 1/[`UNIT`] centipawns, packed into one word: the
/// end game's times 2^32 plus the middle game's. Packed words can be added, and multiplied by a count, as
/// long as neither half overflows its 32 bits.
type Weight = i64;

fn pack([middle, end]: [i32; 2]) -> Weight {
    (i64::from(end) << 32) + i64::from(middle)
}

#[inline]
fn unpack(weight: Weight) -> [i32; 2] {
    let middle = weight as i32;
    [middle, ((weight - i64::from(middle)) >> 32) as i32]
}

/// The linear evaluation of one game.
#[derive(Debug, Clone)]
pub struct LinearEval {
    extractor: Arc<Extractor>,
    weights: Arc<Vec<Weight>>,
    partial: Arc<PartialSums>,
    /// Pawns, royals and fortresses. All other piece types are officers, by which the phase is counted.
    not_officers: PieceTypeSet,
    /// Officers of the start array.
    officers: i32,
    /// By piece type, on the board and in hand, in centipawns.
    values: Arc<Vec<[i32; 2]>>,
}

/// PartialSums the weights of terms.
struct Sum<'a> {
    weights: &'a [Weight],
    partial: &'a PartialSums,
    total: Weight,
}

impl TermSink for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights[term] * i64::from(count);
    }

    #[inline]
    fn piece_on(&mut self, _: &Extractor, color: Color, kind: PieceType, square: Square) {
        self.total += self.partial.piece_on[color.index()][kind.index()][square.index()];
    }

    #[inline]
    fn mobility(&mut self, _: &Extractor, color: Color, kind: PieceType, squares: u32) {
        let row = &self.partial.mobility[color.index()][kind.index()];
        self.total += row[squares as usize % SQUARES];
    }
}

/// The most squares of a board; no piece can move to so many.
const SQUARES: usize = MAX_SQUARES;

/// Weights that always occur together, summed in advance, with the sign of their side.
#[derive(Debug, Default)]
struct PartialSums {
    /// Of a piece on a square, by color, piece type and square.
    piece_on: [Vec<[Weight; SQUARES]>; 2],
    /// Of a piece that can move to so many squares, by color, piece type and number.
    mobility: [Vec<[Weight; SQUARES]>; 2],
}

impl PartialSums {
    fn new(variant: &Variant, extractor: &Extractor, weights: &[Weight]) -> PartialSums {
        let mut sums = PartialSums::default();
        for color in Color::ALL {
            for kind in variant.kinds() {
                let has = |term: usize| term < weights.len();
                let terms = &extractor.layout.kinds[kind.index()];
                let mut piece_on = [0; SQUARES];
                for square in variant.geometry().squares().filter(|_| has(terms.value)) {
                    let mut sum = TermSum { weights, total: 0 };
                    sum.piece_on(extractor, color, kind, square);
                    piece_on[square.index()] = sum.total;
                }
                let number = |squares: usize| {
                    let mut sum = TermSum { weights, total: 0 };
                    sum.mobility(extractor, color, kind, squares as u32);
                    sum.total
                };
                let moves = has(terms.mobility);
                let mobility =
                    std::array::from_fn(|squares| if moves { number(squares) } else { 0 });
                sums.piece_on[color.index()].push(piece_on);
                sums.mobility[color.index()].push(mobility);
            }
        }
        sums
    }
}

/// Sums the weights of terms one by one, without partial sums.
struct TermSum<'a> {
    weights: &'a [Weight],
    total: Weight,
}

impl TermSink for TermSum<'_> {
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights[term] * i64::from(count);
    }
}

impl Evaluator for LinearEval {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let mut sum = Sum { weights: &self.weights, partial: &self.partial, total: 0 };
        self.extractor.extract(position, &mut sum);
        let phase = self.phase(position);
        let [middle, end] = unpack(sum.total);
        let white = (middle * phase + end * (OPENING - phase)) / (OPENING * UNIT);
        if position.side_to_move() == Color::White { white } else { -white }
    }
}

impl LinearEval {
    /// From weights in centipawns, pairs of middle game and end game.
    pub(crate) fn from_weights(variant: &Arc<Variant>, weights: &[[f64; 2]]) -> LinearEval {
        let extractor = Extractor::new(variant);
        let unit = |weight: f64| (weight * f64::from(UNIT)).round() as i32;
        let weights: Vec<Weight> = weights.iter().map(|pair| pack(pair.map(unit))).collect();
        let is_no_officer = |kind: &PieceType| {
            extractor.layout.pawns.contains(*kind)
                || extractor.layout.fortress_kinds.contains(*kind)
                || variant.royal() == Some(*kind)
        };
        let mut linear = LinearEval {
            not_officers: variant.kinds().filter(is_no_officer).collect(),
            partial: Arc::new(PartialSums::new(variant, &extractor, &weights)),
            extractor: Arc::new(extractor),
            weights: Arc::new(weights),
            officers: 1,
            values: Arc::default(),
        };
        let start = Position::start(variant);
        linear.officers = linear.count_officers(&start).max(1);
        let values =
            |kind| [linear.mean_board_value(variant, kind), linear.first_hand_value(variant, kind)];
        linear.values = Arc::new(variant.kinds().map(values).collect());
        linear
    }

    /// Passes all terms of a position to `sink`.
    pub(crate) fn extract<S: TermSink>(&self, position: &Position, sink: &mut S) {
        self.extractor.extract(position, sink);
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.extractor.layout
    }

    /// The weight of a term in centipawns, middle game and end game.
    pub(crate) fn weight(&self, term: usize) -> [f64; 2] {
        unpack(self.weights[term]).map(|weight| f64::from(weight) / f64::from(UNIT))
    }

    /// The value of a piece on the board, averaged over its squares, in centipawns.
    pub fn piece_value(&self, kind: PieceType) -> i32 {
        self.values[kind.index()][0]
    }

    /// The value of the first piece of a type in hand, in centipawns.
    pub fn hand_value(&self, kind: PieceType) -> i32 {
        self.values[kind.index()][1]
    }

    /// Value, mean square and a typical mobility together.
    fn mean_board_value(&self, variant: &Variant, kind: PieceType) -> i32 {
        let mobility = self.usual_mobility(&self.extractor.layout.kinds[kind.index()]);
        (self.value_at_rest(variant, kind) + mobility).round() as i32
    }

    /// The value of a piece on the board without its mobility, averaged over its squares, in centipawns. What is typical
    /// mobility of most pieces is not that of a rare one, so pieces are ranked by this.
    pub(crate) fn value_at_rest(&self, variant: &Variant, kind: PieceType) -> f64 {
        let terms = &self.extractor.layout.kinds[kind.index()];
        let geometry = variant.geometry();
        let may_stand = |square| {
            Color::ALL.iter().any(|&color| {
                variant.kinds_of(color).contains(kind)
                    && variant.standing_squares(color, kind).contains(square)
            })
        };
        let squares: Vec<f64> = geometry
            .squares()
            .filter(|&square| may_stand(square))
            .map(|square| {
                let at = self.extractor.square_term(Color::White, square);
                self.mean_weight(terms.squares.saturating_add(at))
            })
            .collect();
        let place = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        self.mean_weight(terms.value) + place
    }

    /// A weight in centipawns, middle game and end game as likely; 0 for a term that there is not.
    fn mean_weight(&self, term: usize) -> f64 {
        self.weights.get(term).map_or(0.0, |&weight| {
            let [middle, end] = unpack(weight);
            f64::from(middle + end) / f64::from(2 * UNIT)
        })
    }

    /// What a typical mobility of a piece type is worth, in centipawns.
    fn usual_mobility(&self, terms: &PieceTerms) -> f64 {
        5.0 * self.mean_weight(terms.mobility) + f64::from(BOXED) * self.mean_weight(terms.boxed)
    }

    /// The value of a piece on a square, as White has it there, with a typical mobility; in centipawns, of middle game and
    /// end game as likely.
    pub(crate) fn value_on(&self, kind: PieceType, square: Square) -> f64 {
        let terms = &self.extractor.layout.kinds[kind.index()];
        let at = self.extractor.square_term(Color::White, square);
        let place = self.mean_weight(terms.squares.saturating_add(at));
        self.mean_weight(terms.value) + place + self.usual_mobility(terms)
    }

    /// The value of a piece in hand besides `before` others of its type, in centipawns.
    pub(crate) fn value_in_hand(&self, kind: PieceType, before: usize) -> f64 {
        let term = self.extractor.layout.kinds[kind.index()].hand;
        self.mean_weight(term.saturating_add(before.min(IN_HAND - 1)))
    }

    /// Without a weight of its own, a piece in hand has its value on the board.
    fn first_hand_value(&self, variant: &Variant, kind: PieceType) -> i32 {
        let term = self.extractor.layout.kinds[kind.index()].hand;
        let own = self.weights.get(term).map_or(0, |&weight| {
            let [middle, end] = unpack(weight);
            (middle + end) / (2 * UNIT)
        });
        if own != 0 || variant.piece(kind).slot.is_none() {
            own
        } else {
            self.mean_board_value(variant, kind)
        }
    }

    /// How many officers are on the board.
    fn count_officers(&self, position: &Position) -> i32 {
        let others = self.not_officers.fold(Bitboard::EMPTY, |others, kind| {
            others | position.pieces(Color::White, kind) | position.pieces(Color::Black, kind)
        });
        (position.occupied() & !others).len() as i32
    }

    /// From [`OPENING`] with all officers of the start array down to 0 without any.
    pub(crate) fn phase(&self, position: &Position) -> i32 {
        (self.count_officers(position) * OPENING / self.officers).clamp(0, OPENING)
    }
}
