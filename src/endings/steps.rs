//! The moves by which a piece goes to an empty square and nothing else changes, and the same moves backwards.
//!
//! They follow from [`Variant::reach`], with the squares that block each of them. That need not be all that the rules
//! say: expansion compares them with the legal moves of every position and notes where they differ.

use garrison_rules::{Bitboard, Square, Variant};

use super::layout::Layout;

/// A step to a square, or from one, that none of the squares `block` may be occupied for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub square: Square,
    pub block: Bitboard,
}

/// The steps of each piece of an ending.
#[derive(Debug)]
pub(super) struct Steps {
    /// By piece and origin.
    forth: Vec<Vec<Vec<Step>>>,
    /// By piece and target.
    back: Vec<Vec<Vec<Step>>>,
}

impl Steps {
    /// The steps of all pieces but those that are left out.
    pub fn new(variant: &Variant, layout: &Layout, is_left_out: impl Fn(usize) -> bool) -> Steps {
        let lists = vec![vec![Vec::new(); garrison_rules::limits::MAX_SQUARES]; layout.count()];
        let mut steps = Steps { forth: lists.clone(), back: lists };
        for at in (0..layout.count()).filter(|&at| !is_left_out(at)) {
            steps.add(variant, layout, at);
        }
        steps
    }

    fn add(&mut self, variant: &Variant, layout: &Layout, at: usize) {
        let piece = layout.material.pieces()[at];
        let (color, kind) = (piece.color(), piece.kind());
        let stands = layout.stands(at);
        let goals = stands & !variant.forced_promotion(color, kind);
        for from in stands {
            let origin = Bitboard::of(from);
            let reach = |occupied| variant.reach(color, kind, from, occupied).1;
            let targets = reach(origin) & goals;
            let others = variant.geometry().squares() & !origin;
            let blocked: Vec<(Square, Bitboard)> = others
                .map(|other| (other, targets & !reach(origin | Bitboard::of(other))))
                .collect();
            for to in targets {
                let blocks = blocked.iter().filter(|(_, targets)| targets.contains(to));
                let block = blocks.map(|&(other, _)| other).filter(|&other| other != to).collect();
                self.forth[at][from.index()].push(Step { square: to, block });
                self.back[at][to.index()].push(Step { square: from, block });
            }
        }
    }

    /// The squares to which a piece steps from a square, with these squares occupied.
    #[inline]
    pub fn targets(&self, at: usize, from: Square, occupied: Bitboard) -> Bitboard {
        let steps = self.forth[at][from.index()].iter();
        let mut targets = Bitboard::EMPTY;
        for step in steps {
            if !step.block.meets(occupied) {
                targets.insert(step.square);
            }
        }
        targets & !occupied
    }

    /// The squares from which a piece may have stepped to a square, with these squares occupied.
    #[inline]
    pub fn origins(
        &self,
        at: usize,
        to: Square,
        occupied: Bitboard,
    ) -> impl Iterator<Item = Square> + '_ {
        let steps = self.back[at][to.index()].iter();
        steps
            .filter(move |step| !step.block.meets(occupied) && !occupied.contains(step.square))
            .map(|step| step.square)
    }
}
