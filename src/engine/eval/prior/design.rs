//! The bases of every term of a game: what its pieces can do, how they stand to others, what its rules are.

use std::sync::Arc;

use super::bases::{Coefficients, offset};
use super::traits::{Traced, Traits};
use crate::engine::eval::layout::{
    ATTACKERS, CHECKS, FLIGHTS, FORTRESSES, IN_HAND, Layout, RACE, SPARE,
};
use garrison_rules::{PieceType, Position, Variant};

/// The bases of every term of a game.
#[derive(Debug)]
pub(crate) struct Design {
    /// By term: the bases that it has and how large they are.
    rows: Vec<Vec<(u16, f32)>>,
    /// Whether captured pieces go to hands.
    pub(super) drops: bool,
    /// Whether games are won by losing pieces.
    pub(super) giveaway: bool,
    /// The royal that is never exchanged.
    pub(super) single_royal: Option<PieceType>,
}

impl Design {
    /// Of a game; `hints`: whether the values that its definition writes count.
    pub fn new(variant: &Arc<Variant>, hints: bool) -> Design {
        let layout = Layout::new(variant);
        let start = Position::start(variant);
        let traced = Traced::new(variant, &start, hints);
        let mut builder = Builder {
            variant,
            layout: &layout,
            traced: &traced,
            rows: vec![Vec::new(); layout.terms],
        };
        for kind in variant.kinds() {
            builder.piece(kind);
            builder.relations(kind);
            builder.squares(kind);
        }
        builder.game();
        let rows = builder.rows;
        let Traced { drops, giveaway, single_royal, .. } = traced;
        Design { rows, drops, giveaway, single_royal }
    }

    /// The columns of the coefficients that count, for a phase (0 middle game, 1 end game).
    fn columns(&self, phase: usize) -> &'static [usize] {
        match (self.giveaway, self.drops, phase) {
            (true, _, 0) => &[4],
            (true, _, _) => &[5],
            (false, true, 0) => &[0, 2],
            (false, true, _) => &[1, 3],
            (false, false, 0) => &[0],
            (false, false, _) => &[1],
        }
    }

    /// The weights by coefficients, in centipawns.
    pub fn weights(&self, coefficients: &Coefficients) -> Vec<[f64; 2]> {
        let weight = |row: &[(u16, f32)], phase: usize| -> f64 {
            let columns = self.columns(phase);
            row.iter()
                .map(|&(basis, size)| {
                    let coefficient = &coefficients[usize::from(basis)];
                    f64::from(size) * columns.iter().map(|&at| coefficient[at]).sum::<f64>()
                })
                .sum()
        };
        self.rows.iter().map(|row| [weight(row, 0), weight(row, 1)]).collect()
    }

    /// Adds to the gradient by coefficients what follows from one by weights, times `factor`.
    pub fn add_gradient(&self, weights: &[[f64; 2]], factor: f64, gradient: &mut Coefficients) {
        self.add(weights, gradient, |size| factor * size);
    }

    /// Adds, by coefficient, how much of the curvature of the loss by each weight it has, as if terms were independent.
    pub fn add_curvature(&self, weights: &[[f64; 2]], factor: f64, curvature: &mut Coefficients) {
        self.add(weights, curvature, |size| factor * size.powi(2));
    }

    /// Adds what each weight has to its coefficients, times what the size of the basis makes of it.
    fn add(&self, weights: &[[f64; 2]], sums: &mut Coefficients, share: impl Fn(f64) -> f64) {
        for (row, pair) in self.rows.iter().zip(weights) {
            for &(basis, size) in row {
                for (phase, of_weight) in pair.iter().enumerate() {
                    for &column in self.columns(phase) {
                        sums[usize::from(basis)][column] += share(f64::from(size)) * of_weight;
                    }
                }
            }
        }
    }
}

/// Finds the bases of the terms of a game.
pub(super) struct Builder<'a> {
    pub(super) variant: &'a Variant,
    pub(super) layout: &'a Layout,
    pub(super) traced: &'a Traced,
    rows: Vec<Vec<(u16, f32)>>,
}

/// 1 if it is so.
pub(super) fn flag(is_so: bool) -> f64 {
    if is_so { 1.0 } else { 0.0 }
}

/// Slow pieces are those that attack no more squares on an empty board than on a full one: 1; a rook is 0.
pub(super) fn slow(traits: &Traits) -> f64 {
    1.0 - traits.slides
}

impl Builder<'_> {
    /// The bases of a term, in the order of its group.
    pub(super) fn set(&mut self, term: usize, group: &str, bases: &[f64]) {
        let first = offset(group);
        let Some(row) = self.rows.get_mut(term) else { return };
        for (index, &size) in bases.iter().enumerate() {
            if size != 0.0 && size.is_finite() {
                row.push(((first + index) as u16, size as f32));
            }
        }
    }

    /// One basis of a term.
    fn set_one(&mut self, term: usize, group: &str, index: usize) {
        let Some(row) = self.rows.get_mut(term) else { return };
        row.push(((offset(group) + index) as u16, 1.0));
    }

    /// What a piece type is worth on the board and in hand, and what its moves are.
    fn piece(&mut self, kind: PieceType) {
        let traits = &self.traced.kinds[kind.index()];
        let terms = self.layout.kinds[kind.index()];
        let pawn = flag(self.layout.pawns.contains(kind));
        let royal = flag(self.variant.royals().contains(kind));
        let value = traits.value;
        if self.traced.single_royal != Some(kind) {
            let gives = flag(self.layout.fortress_kinds.contains(kind));
            let bases = [
                1.0,
                value,
                traits.attack[0] / 4.0,
                traits.attack[1] / 4.0,
                traits.attack[2] / 4.0,
                traits.quiet[1] / 4.0,
                traits.quiet[2] / 4.0,
                traits.forward / 4.0,
                traits.backward / 4.0,
                traits.near / 4.0,
                traits.reach,
                traits.twice,
                traits.hops,
                traits.gain / 4.0,
                traits.gain * traits.nearness / 2.0,
                pawn,
                royal,
                gives,
            ];
            self.set(terms.value, "value", &bases);
        }
        let hand = [1.0, value, traits.attack[1] / 4.0, traits.near / 4.0, traits.gain / 4.0, pawn];
        for (number, group) in ["hand_1", "hand_2", "hand_3"].into_iter().enumerate() {
            if terms.hand != usize::MAX && number < IN_HAND {
                self.set(terms.hand + number, group, &hand);
            }
        }
        let moves = (traits.attack[1] + traits.quiet[1]) / 2.0;
        let scarce = (4.0 / moves.max(1.0)).min(3.0);
        let mobility =
            [1.0, traits.slides, traits.hops, value / 4.0, scarce, slow(traits), pawn, royal];
        self.set(terms.mobility, "mobility", &mobility);
        self.set(terms.boxed, "boxed", &mobility);
        let attack = [1.0, traits.slides, traits.hops, value / 4.0, traits.near / 4.0, pawn, royal];
        self.set(terms.royal_attack, "royal_attack", &attack);
    }

    /// What pieces have to do with others.
    fn relations(&mut self, kind: PieceType) {
        let traits = &self.traced.kinds[kind.index()];
        let terms = self.layout.kinds[kind.index()];
        let pawn = flag(self.layout.pawns.contains(kind));
        let bases = [1.0, traits.value / 4.0, traits.slides, slow(traits), pawn];
        for (term, group) in [
            (terms.drop_check, "drop_check"),
            (terms.shelter, "shelter"),
            (terms.fortress_attack, "fortress_attack"),
            (terms.pawn_threat, "pawn_threat"),
            (terms.lesser_threat, "lesser_threat"),
            (terms.safe_check, "safe_check"),
            (terms.pair, "pair"),
            (terms.hanging, "hanging"),
            (terms.en_prise, "en_prise"),
        ] {
            self.set(term, group, &bases);
        }
        for (term, group) in [
            (terms.protected, "protected"),
            (terms.phalanx, "phalanx"),
            (terms.doubled, "doubled"),
            (terms.isolated, "isolated"),
            (terms.blocked, "blocked"),
        ] {
            self.set(term, group, &[1.0]);
        }
        if terms.passed == usize::MAX {
            return;
        }
        let gain = traits.gain / 4.0;
        for rank in 0..self.variant.geometry().ranks() {
            let [one, three] = self.steps(kind, rank);
            let goal = self.goal_rank(kind, rank);
            let bases = [1.0, one, three, one * gain, three * gain, goal[0], goal[1]];
            for (first, group) in [
                (terms.passed, "passed"),
                (terms.passed_free, "passed_free"),
                (terms.escort, "escort"),
            ] {
                self.set(first.saturating_add(usize::from(rank)), group, &bases);
            }
        }
    }

    /// The terms of no piece type.
    fn game(&mut self) {
        let layout = self.layout;
        self.set(layout.tempo, "tempo", &[1.0]);
        self.set(layout.attackers_hand, "attackers_hand", &[1.0]);
        let mut each = |first: usize, length: usize, group: &str| {
            for number in (0..length).filter(|_| first != usize::MAX) {
                self.set_one(first + number, group, number);
            }
        };
        each(layout.attackers, ATTACKERS, "attackers");
        each(layout.flights, FLIGHTS, "flights");
        each(layout.fortresses, FORTRESSES, "fortresses");
        each(layout.fortress_exposed, FORTRESSES, "fortress_exposed");
        each(layout.checks, CHECKS, "checks");
        each(layout.safe_checks, CHECKS, "safe_checks");
        each(layout.unsafe_checks, CHECKS, "unsafe_checks");
        each(layout.check_squares, CHECKS, "check_squares");
        each(layout.spare, SPARE, "spare");
        each(layout.race, RACE, "race");
    }
}
