//! The linear evaluation: weights times counts, in one pass over the men.

use super::Evaluator;
use super::layout::{ATTACKERS, BOXED, FLIGHTS, FORTRESSES, IN_HAND, Layout};
use crate::rules::{Bitboard, Color, KindSet, PieceKind, Position, Variant};
use std::sync::Arc;

/// What counts are handed to: a sum of weights, or a record of the counts for the tuner.
pub(crate) trait Ledger {
    /// A term counts `count` times for White; negative for Black.
    fn add(&mut self, term: usize, count: i32);
}

/// One unit of a weight is so small a part of a centipawn.
pub(crate) const UNIT: i32 = 16;
/// The phase of a position with all the men of the start; without officers it is 0.
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

/// Sets of squares that the structure of pawns is read from.
#[derive(Debug)]
struct Masks {
    /// The own and the adjacent files, ahead of a square.
    span: [Vec<Bitboard>; 2],
    /// The own file, ahead of a square.
    ahead: [Vec<Bitboard>; 2],
    /// The adjacent files.
    adjacent: Vec<Bitboard>,
    /// The squares to the left and right.
    beside: Vec<Bitboard>,
    /// A square's place among those of its kind's table, by side.
    folded: [Vec<u16>; 2],
    /// The rank as its side counts it.
    rank: [Vec<u8>; 2],
}

/// The evaluation of one game, linear in its weights.
#[derive(Debug, Clone)]
pub struct Linear {
    layout: Arc<Layout>,
    masks: Arc<Masks>,
    weights: Arc<Vec<Weight>>,
    /// Pawns, royals and fortresses.
    apart: KindSet,
    /// Officers of the start array: all others.
    officers: i32,
    draws: f64,
    values: Arc<Vec<[i32; 2]>>,
}

/// Sums weights.
struct Sum<'a> {
    weights: &'a [Weight],
    total: Weight,
}

impl Ledger for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights[term] * i64::from(count);
    }
}

impl Evaluator for Linear {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let mut sum = Sum { weights: &self.weights, total: 0 };
        self.record(position, &mut sum);
        let phase = self.phase(position);
        let [middle, end] = unpack(sum.total);
        let white = (middle * phase + end * (OPENING - phase)) / (OPENING * UNIT);
        if position.side() == Color::White { white } else { -white }
    }
}

impl Linear {
    /// From weights in centipawns.
    pub(crate) fn from_weights(variant: &Arc<Variant>, weights: &[[f64; 2]], draws: f64) -> Linear {
        let layout = Layout::new(variant);
        let unit = |weight: f64| (weight * f64::from(UNIT)).round() as i32;
        let weights: Vec<Weight> = weights.iter().map(|pair| pack(pair.map(unit))).collect();
        let is_apart = |kind: &PieceKind| {
            layout.pawns.contains(*kind)
                || layout.fortress_kinds.contains(*kind)
                || variant.royal() == Some(*kind)
        };
        let mut linear = Linear {
            apart: variant.kinds().filter(is_apart).collect(),
            masks: Arc::new(Masks::new(variant, layout.half_files)),
            layout: Arc::new(layout),
            weights: Arc::new(weights),
            officers: 1,
            draws,
            values: Arc::default(),
        };
        let start = Position::start(variant);
        linear.officers = linear.count_officers(&start).max(1);
        let worth = |kind| [linear.board_worth(variant, kind), linear.hand_worth(variant, kind)];
        linear.values = Arc::new(variant.kinds().map(worth).collect());
        linear
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The weight of a term in centipawns, middle game and end game.
    pub(crate) fn weight(&self, term: usize) -> [f64; 2] {
        unpack(self.weights[term]).map(|weight| f64::from(weight) / f64::from(UNIT))
    }

    /// The share of draws between equals, by which scores are told as win, draw and loss.
    pub fn draws(&self) -> f64 {
        self.draws
    }

    /// What a man on the board is worth on average, in centipawns.
    pub fn man_value(&self, kind: PieceKind) -> i32 {
        self.values[kind.index()][0]
    }

    /// What the first man of a kind in hand is worth, in centipawns.
    pub fn hand_value(&self, kind: PieceKind) -> i32 {
        self.values[kind.index()][1]
    }

    /// Value, an average square and an average mobility.
    fn board_worth(&self, variant: &Variant, kind: PieceKind) -> i32 {
        let terms = &self.layout.kinds[kind.index()];
        let geometry = variant.geometry();
        let mean = |term: usize| {
            self.weights.get(term).map_or(0.0, |&weight| {
                let [middle, end] = unpack(weight);
                f64::from(middle + end) / 2.0
            })
        };
        let stays = |square| {
            Color::ALL.iter().any(|&color| {
                let side = variant.side(color);
                side.men.contains(kind)
                    && side.region[kind.index()].contains(square)
                    && !side.never[kind.index()].contains(square)
            })
        };
        let squares: Vec<f64> = geometry
            .squares()
            .filter(|&square| stays(square))
            .map(|square| {
                let at = usize::from(self.masks.folded[0][square.index()]);
                mean(terms.squares.saturating_add(at))
            })
            .collect();
        let place = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        let mobility = 5.0 * mean(terms.mobility) + f64::from(BOXED) * mean(terms.boxed);
        ((mean(terms.value) + place + mobility) / f64::from(UNIT)).round() as i32
    }

    /// A reserve is worth as much as the best man it can become, if it has no weight of its own.
    fn hand_worth(&self, variant: &Variant, kind: PieceKind) -> i32 {
        let term = self.layout.kinds[kind.index()].hand;
        let own = self.weights.get(term).map_or(0, |&weight| {
            let [middle, end] = unpack(weight);
            (middle + end) / (2 * UNIT)
        });
        if own != 0 || variant.man(kind).slot.is_none() {
            own
        } else {
            self.board_worth(variant, kind)
        }
    }

    /// How many officers stand on the board: neither pawns, royals nor fortresses.
    fn count_officers(&self, position: &Position) -> i32 {
        let apart = self.apart.fold(Bitboard::EMPTY, |apart, kind| {
            apart | position.men(Color::White, kind) | position.men(Color::Black, kind)
        });
        (position.occupied() & !apart).len() as i32
    }

    /// From [`OPENING`] with all officers of the start down to 0 without any.
    pub(crate) fn phase(&self, position: &Position) -> i32 {
        (self.count_officers(position) * OPENING / self.officers).clamp(0, OPENING)
    }

    /// Tells all counts of a position.
    pub(crate) fn record<L: Ledger>(&self, position: &Position, ledger: &mut L) {
        let mut men = Default::default();
        let view = View::new(self, position, &mut men);
        for color in Color::ALL {
            let sign = if color == Color::White { 1 } else { -1 };
            view.men(color, sign, ledger);
            view.hand(color, sign, ledger);
            view.royal(color, sign, ledger);
            view.fortresses(color, sign, ledger);
        }
        let sign = if position.side() == Color::White { 1 } else { -1 };
        ledger.add(self.layout.tempo, sign);
    }
}

/// The attacks of one man.
#[derive(Clone, Copy)]
struct Attack {
    kind: PieceKind,
    attacks: Bitboard,
    mobility: u32,
}

/// The attacks of a side's men.
type Attacks = arrayvec::ArrayVec<Attack, 128>;

/// A position with what several terms ask for.
struct View<'a> {
    linear: &'a Linear,
    layout: &'a Layout,
    position: &'a Position,
    variant: &'a Variant,
    /// The attacks of each side's men.
    men: &'a [Attacks; 2],
    attacked: [Bitboard; 2],
    pawns: [Bitboard; 2],
    pawn_attacks: [Bitboard; 2],
    zone: [Bitboard; 2],
}

impl<'a> View<'a> {
    /// `men` is filled with the attacks of each side's men.
    fn new(linear: &'a Linear, position: &'a Position, men: &'a mut [Attacks; 2]) -> View<'a> {
        let variant = position.variant();
        let layout = &*linear.layout;
        let geometry = variant.geometry();
        let zone = Color::ALL.map(|color| match position.royal_square(color) {
            Some(royal) => geometry.neighbors(royal) | Bitboard::of(royal),
            None => Bitboard::EMPTY,
        });
        let pawns = Color::ALL.map(|color| {
            let men = |kind| position.men(color, kind);
            layout.pawns.map(men).fold(Bitboard::EMPTY, |all, men| all | men)
        });
        let pawn_attacks = Color::ALL.map(|color| {
            let mut attacks = Bitboard::EMPTY;
            for kind in layout.pawns {
                let men = position.men(color, kind);
                for shift in &variant.side(color).moves(kind).shifts {
                    if shift.capture {
                        attacks |= (men & shift.from).shift(shift.delta);
                    }
                }
            }
            attacks
        });
        let attacked = Color::ALL.map(|color| {
            let own = position.men_of(color);
            let open = !own & !pawn_attacks[(!color).index()];
            let mut attacked = Bitboard::EMPTY;
            for kind in variant.side(color).movers {
                for from in position.men(color, kind) {
                    let (attacks, quiet) = position.reach(color, kind, from);
                    attacked |= attacks;
                    let mobility = ((attacks & position.men_of(!color) | quiet) & open).len();
                    men[color.index()].push(Attack { kind, attacks, mobility });
                }
            }
            attacked
        });
        View { linear, layout, position, variant, men, attacked, pawns, pawn_attacks, zone }
    }

    fn men<L: Ledger>(&self, color: Color, sign: i32, ledger: &mut L) {
        let (us, them) = (color.index(), (!color).index());
        let masks = &self.linear.masks;
        let royal = self.variant.royal();
        let hanging = self.attacked[them] & !self.attacked[us];
        for kind in self.variant.kinds_of(color) {
            let men = self.position.men(color, kind);
            if men.is_empty() {
                continue;
            }
            let terms = &self.layout.kinds[kind.index()];
            ledger.add(terms.value, sign * men.len() as i32);
            for square in men {
                let place = masks.folded[us][square.index()];
                ledger.add(terms.squares + usize::from(place), sign);
            }
            if royal != Some(kind) {
                count(ledger, terms.hanging, men & hanging, sign);
                count(ledger, terms.shelter, men & self.zone[us], sign);
                if !self.layout.pawns.contains(kind) {
                    count(ledger, terms.pawn_threat, men & self.pawn_attacks[them], sign);
                }
            }
            if self.layout.pawns.contains(kind) {
                self.pawns(color, kind, men, sign, ledger);
            }
        }
        for man in &self.men[us] {
            let terms = &self.layout.kinds[man.kind.index()];
            ledger.add(terms.mobility, sign * man.mobility as i32);
            ledger.add(terms.boxed, sign * man.mobility.min(BOXED) as i32);
        }
    }

    /// The structure of pawns.
    fn pawns<L: Ledger>(
        &self,
        color: Color,
        kind: PieceKind,
        men: Bitboard,
        sign: i32,
        ledger: &mut L,
    ) {
        let us = color.index();
        let (own, other) = (self.pawns[us], self.pawns[(!color).index()]);
        let masks = &self.linear.masks;
        let terms = &self.layout.kinds[kind.index()];
        count(ledger, terms.protected, men & self.pawn_attacks[us], sign);
        for square in men {
            let at = square.index();
            if masks.beside[at].meets(own) {
                ledger.add(terms.phalanx, sign);
            }
            if masks.ahead[us][at].meets(own) {
                ledger.add(terms.doubled, sign);
            }
            if !masks.adjacent[at].meets(own) {
                ledger.add(terms.isolated, sign);
            }
            if !masks.span[us][at].meets(other) {
                ledger.add(terms.passed + usize::from(masks.rank[us][at]), sign);
            }
        }
    }

    fn hand<L: Ledger>(&self, color: Color, sign: i32, ledger: &mut L) {
        let hand = self.position.hand(color);
        for slot in hand.slots() {
            let terms = &self.layout.kinds[self.variant.hand_kinds()[slot].index()];
            let men = usize::from(hand.count(slot));
            for number in 0..men.min(IN_HAND) {
                ledger.add(terms.hand + number, sign);
            }
            if men > IN_HAND {
                ledger.add(terms.hand + IN_HAND - 1, sign * (men - IN_HAND) as i32);
            }
        }
    }

    /// The safety of a side's royal, if it has one on the board.
    fn royal<L: Ledger>(&self, color: Color, sign: i32, ledger: &mut L) {
        let zone = self.zone[color.index()];
        if zone.is_empty() {
            return;
        }
        let (us, them) = (color.index(), (!color).index());
        let mut attackers = 0;
        for man in &self.men[them] {
            let attacks = man.attacks & zone;
            if !attacks.is_empty() {
                attackers += 1;
                let terms = &self.layout.kinds[man.kind.index()];
                ledger.add(terms.royal_attack, -sign * attacks.len() as i32);
            }
        }
        let hand = self.position.hand(!color);
        if let Some(view) = self.position.royal_view(color).filter(|_| !hand.is_empty()) {
            let mut men = 0;
            for slot in hand.slots() {
                let kind = self.variant.hand_kinds()[slot];
                men += i32::from(hand.count(slot));
                let checks = self.position.drop_check_squares(!color, kind, &view);
                if checks.meets(!self.attacked[us]) {
                    attackers += 1;
                    ledger.add(self.layout.kinds[kind.index()].drop_check, -sign);
                }
            }
            ledger.add(self.layout.attackers_hand, -sign * attackers as i32 * men.min(8));
        }
        ledger.add(self.layout.attackers + attackers.min(ATTACKERS - 1), -sign);
        let flights = zone & !self.position.men_of(color) & !self.attacked[them];
        let flights = (flights & self.variant.geometry().squares()).len() as usize;
        ledger.add(self.layout.flights + flights.min(FLIGHTS - 1), sign);
    }

    /// The men whose fall gives something: how many are left, and what aims at them.
    fn fortresses<L: Ledger>(&self, color: Color, sign: i32, ledger: &mut L) {
        if self.layout.fortress_kinds.is_empty() {
            return;
        }
        let men = |kind| self.position.men(color, kind);
        let all = self.layout.fortress_kinds.map(men).fold(Bitboard::EMPTY, |all, men| all | men);
        ledger.add(self.layout.fortresses + (all.len() as usize).min(FORTRESSES - 1), sign);
        if !self.attacked[(!color).index()].meets(all) {
            return;
        }
        for man in &self.men[(!color).index()] {
            let terms = &self.layout.kinds[man.kind.index()];
            count(ledger, terms.fortress_attack, man.attacks & all, -sign);
        }
        let occupied = self.position.occupied();
        for square in all & self.attacked[(!color).index()] {
            let attackers = self.position.attackers(square, !color, occupied).len();
            let defenders = self.position.attackers(square, color, occupied).len();
            let exposed = (attackers.saturating_sub(defenders) as usize).min(FORTRESSES - 1);
            ledger.add(self.layout.fortress_exposed + exposed, -sign);
        }
    }
}

/// Counts the men of a set.
#[inline]
fn count<L: Ledger>(ledger: &mut L, term: usize, men: Bitboard, sign: i32) {
    if !men.is_empty() {
        ledger.add(term, sign * men.len() as i32);
    }
}

impl Masks {
    fn new(variant: &Variant, half_files: usize) -> Masks {
        let geometry = variant.geometry();
        let size = geometry.squares().map(|square| square.index() + 1).max().unwrap_or(0);
        let none = || vec![Bitboard::EMPTY; size];
        let mut masks = Masks {
            span: [none(), none()],
            ahead: [none(), none()],
            adjacent: none(),
            beside: none(),
            folded: [vec![0; size], vec![0; size]],
            rank: [vec![0; size], vec![0; size]],
        };
        let files = usize::from(geometry.files());
        for square in geometry.squares() {
            let at = square.index();
            let file = usize::from(geometry.file(square).0);
            let sides = [-1, 1].into_iter().filter_map(|dx| geometry.step(square, dx, 0));
            masks.beside[at] = sides.clone().collect();
            let adjacent = |set, side| set | geometry.file_squares(side);
            masks.adjacent[at] = sides.fold(Bitboard::EMPTY, adjacent);
            let own = geometry.file_squares(square);
            for color in Color::ALL {
                let rank = |square| geometry.rank(geometry.relative(color, square)).0;
                let further: Bitboard =
                    geometry.squares().filter(|&other| rank(other) > rank(square)).collect();
                let us = color.index();
                masks.ahead[us][at] = own & further;
                masks.span[us][at] = (own | masks.adjacent[at]) & further;
                masks.rank[us][at] = rank(square);
                let place = usize::from(rank(square)) * half_files + file.min(files - 1 - file);
                masks.folded[us][at] = place as u16;
            }
        }
        masks
    }
}
