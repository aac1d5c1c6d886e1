//! The linear evaluation: weights times counts.

use super::counts::{Counts, Ledger};
use super::layout::{BOXED, Layout};
use super::{Course, Evaluator};
use garrison_rules::{Bitboard, Color, PieceType, PieceTypeSet, Position, Square, Variant};
use std::sync::Arc;

/// One unit of a weight is so small a part of a centipawn.
pub(crate) const UNIT: i32 = 16;
/// The phase of a position with all the pieces of the start; without officers it is 0.
pub(crate) const OPENING: i32 = 256;

/// The weights of a term for middle game and end game, in 1/[`UNIT`] centipawns, as one word: the
/// end game's times 2^32 plus the middle game's. Sums and products of such words are those of both
/// halves, as long as neither leaves its 32 bits.
type Weight = i64;

fn pack([middle, end]: [i32; 2]) -> Weight {
    (i64::from(end) << 32) + i64::from(middle)
}

#[inline]
fn unpack(weight: Weight) -> [i32; 2] {
    let middle = weight as i32;
    [middle, ((weight - i64::from(middle)) >> 32) as i32]
}

/// The evaluation of one game, linear in its weights.
#[derive(Debug, Clone)]
pub struct Linear {
    counts: Arc<Counts>,
    weights: Arc<Vec<Weight>>,
    sums: Arc<Sums>,
    /// Pawns, royals and fortresses.
    apart: PieceTypeSet,
    /// Officers of the start array: all others.
    officers: i32,
    course: Course,
    values: Arc<Vec<[i32; 2]>>,
}

/// Sums weights.
struct Sum<'a> {
    weights: &'a [Weight],
    sums: &'a Sums,
    total: Weight,
}

impl Ledger for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights[term] * i64::from(count);
    }

    #[inline]
    fn stands(&mut self, _: &Counts, color: Color, kind: PieceType, square: Square) {
        self.total += self.sums.stands[color.index()][kind.index()][square.index()];
    }

    #[inline]
    fn reaches(&mut self, _: &Counts, color: Color, kind: PieceType, squares: u32) {
        let row = &self.sums.reaches[color.index()][kind.index()];
        self.total += row[squares as usize % SQUARES];
    }
}

/// The most squares of a board; no piece reaches so many.
const SQUARES: usize = 128;

/// Weights that are always asked for together, summed beforehand, with the sign of their side.
#[derive(Debug, Default)]
struct Sums {
    /// Of a piece on a square, by color, kind and square.
    stands: [Vec<[Weight; SQUARES]>; 2],
    /// Of a piece that can go to so many squares, by color, kind and number.
    reaches: [Vec<[Weight; SQUARES]>; 2],
}

impl Sums {
    fn new(variant: &Variant, counts: &Counts, weights: &[Weight]) -> Sums {
        let mut sums = Sums::default();
        for color in Color::ALL {
            for kind in variant.kinds() {
                let has = |term: usize| term < weights.len();
                let terms = &counts.layout.kinds[kind.index()];
                let mut stands = [0; SQUARES];
                for square in variant.geometry().squares().filter(|_| has(terms.value)) {
                    let mut sum = Listed::default();
                    sum.stands(counts, color, kind, square);
                    stands[square.index()] = sum.total(weights);
                }
                let number = |squares: usize| {
                    let mut sum = Listed::default();
                    sum.reaches(counts, color, kind, squares as u32);
                    sum.total(weights)
                };
                let moves = has(terms.mobility);
                let reaches =
                    std::array::from_fn(|squares| if moves { number(squares) } else { 0 });
                sums.stands[color.index()].push(stands);
                sums.reaches[color.index()].push(reaches);
            }
        }
        sums
    }
}

/// The terms of a sum, one by one.
#[derive(Default)]
struct Listed(Vec<(usize, i32)>);

impl Ledger for Listed {
    fn add(&mut self, term: usize, count: i32) {
        self.0.push((term, count));
    }
}

impl Listed {
    fn total(&self, weights: &[Weight]) -> Weight {
        self.0.iter().map(|&(term, count)| weights[term] * i64::from(count)).sum()
    }
}

impl Evaluator for Linear {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let mut sum = Sum { weights: &self.weights, sums: &self.sums, total: 0 };
        self.counts.tell(position, &mut sum);
        let phase = self.phase(position);
        let [middle, end] = unpack(sum.total);
        let white = (middle * phase + end * (OPENING - phase)) / (OPENING * UNIT);
        if position.side() == Color::White { white } else { -white }
    }
}

impl Linear {
    /// From weights in centipawns.
    pub(crate) fn from_weights(
        variant: &Arc<Variant>,
        weights: &[[f64; 2]],
        course: Course,
    ) -> Linear {
        let counts = Counts::new(variant);
        let unit = |weight: f64| (weight * f64::from(UNIT)).round() as i32;
        let weights: Vec<Weight> = weights.iter().map(|pair| pack(pair.map(unit))).collect();
        let is_apart = |kind: &PieceType| {
            counts.layout.pawns.contains(*kind)
                || counts.layout.fortress_kinds.contains(*kind)
                || variant.royal() == Some(*kind)
        };
        let mut linear = Linear {
            apart: variant.kinds().filter(is_apart).collect(),
            sums: Arc::new(Sums::new(variant, &counts, &weights)),
            counts: Arc::new(counts),
            weights: Arc::new(weights),
            officers: 1,
            course,
            values: Arc::default(),
        };
        let start = Position::start(variant);
        linear.officers = linear.count_officers(&start).max(1);
        let worth = |kind| [linear.board_worth(variant, kind), linear.hand_worth(variant, kind)];
        linear.values = Arc::new(variant.kinds().map(worth).collect());
        linear
    }

    /// Tells all counts of a position.
    pub(crate) fn record<L: Ledger>(&self, position: &Position, ledger: &mut L) {
        self.counts.tell(position, ledger);
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.counts.layout
    }

    /// The weight of a term in centipawns, middle game and end game.
    pub(crate) fn weight(&self, term: usize) -> [f64; 2] {
        unpack(self.weights[term]).map(|weight| f64::from(weight) / f64::from(UNIT))
    }

    /// How games go.
    pub fn course(&self) -> Course {
        self.course
    }

    /// What a piece on the board is worth on average, in centipawns.
    pub fn piece_value(&self, kind: PieceType) -> i32 {
        self.values[kind.index()][0]
    }

    /// What the first piece of a kind in hand is worth, in centipawns.
    pub fn hand_value(&self, kind: PieceType) -> i32 {
        self.values[kind.index()][1]
    }

    /// Value, an average square and an average mobility.
    fn board_worth(&self, variant: &Variant, kind: PieceType) -> i32 {
        let terms = &self.counts.layout.kinds[kind.index()];
        let geometry = variant.geometry();
        let mean = |term: usize| {
            self.weights.get(term).map_or(0.0, |&weight| {
                let [middle, end] = unpack(weight);
                f64::from(middle + end) / 2.0
            })
        };
        let stays = |square| {
            Color::ALL.iter().any(|&color| {
                variant.kinds_of(color).contains(kind)
                    && variant.standing_squares(color, kind).contains(square)
            })
        };
        let squares: Vec<f64> = geometry
            .squares()
            .filter(|&square| stays(square))
            .map(|square| {
                let at = self.counts.place(Color::White, square);
                mean(terms.squares.saturating_add(at))
            })
            .collect();
        let place = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        let mobility = 5.0 * mean(terms.mobility) + f64::from(BOXED) * mean(terms.boxed);
        ((mean(terms.value) + place + mobility) / f64::from(UNIT)).round() as i32
    }

    /// A reserve is worth as much as the best piece it can become, if it has no weight of its own.
    fn hand_worth(&self, variant: &Variant, kind: PieceType) -> i32 {
        let term = self.counts.layout.kinds[kind.index()].hand;
        let own = self.weights.get(term).map_or(0, |&weight| {
            let [middle, end] = unpack(weight);
            (middle + end) / (2 * UNIT)
        });
        if own != 0 || variant.piece(kind).slot.is_none() {
            own
        } else {
            self.board_worth(variant, kind)
        }
    }

    /// How many officers stand on the board: neither pawns, royals nor fortresses.
    fn count_officers(&self, position: &Position) -> i32 {
        let apart = self.apart.fold(Bitboard::EMPTY, |apart, kind| {
            apart | position.pieces(Color::White, kind) | position.pieces(Color::Black, kind)
        });
        (position.occupied() & !apart).len() as i32
    }

    /// From [`OPENING`] with all officers of the start down to 0 without any.
    pub(crate) fn phase(&self, position: &Position) -> i32 {
        (self.count_officers(position) * OPENING / self.officers).clamp(0, OPENING)
    }
}
