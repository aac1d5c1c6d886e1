//! What the search of a node is remembered by: the table, the histories, the corrections.

use super::Score;
use super::node::Facts;
use super::params::bonus;
use super::worker::Worker;
use crate::engine::picker::is_tactical;
use crate::engine::table::{Bound, Entry};
use garrison_rules::{Move, Tag};

impl Worker<'_> {
    /// Keeps what a search of the position came to.
    pub(super) fn store(
        &self,
        ply: usize,
        mv: Option<Move>,
        score: Score,
        depth: i32,
        bound: Bound,
    ) {
        let entry = Entry { mv, score, depth: depth.clamp(0, 127) as u8, bound };
        self.shared.table.store(self.position.key(), ply, entry);
    }

    /// Stores what a node came to, and learns by how much its evaluation erred.
    pub(super) fn conclude(&mut self, facts: &Facts, best: Score, best_move: Option<Move>) {
        let &Facts { depth, ply, .. } = facts;
        if self.frame(ply).excluded.is_some() || self.aborted {
            return;
        }
        let bound = if best >= facts.beta {
            Bound::Lower
        } else if best > facts.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(ply, best_move, best, depth, bound);
        let Some(eval) = self.frame(ply).eval.filter(|_| !best.is_mate()) else { return };
        let quiet = best_move.is_none_or(|mv| !is_tactical(&self.position, mv));
        if quiet && bound.corrects(best, eval) {
            let error = best.value() - eval.value();
            self.memory.history.correct(&self.position, error, depth);
        }
    }

    /// What a beta cutoff teaches: the move was good, those tried before it were not.
    pub(super) fn learn(&mut self, facts: &Facts, mv: Move, tactical: bool, quiets: &[Move]) {
        let &Facts { depth, ply, .. } = facts;
        let bonus = bonus(depth);
        self.frame(ply).cutoffs += 1;
        if tactical {
            return;
        }
        let before = self.earlier(ply, 0).arrival;
        self.memory.history.set_counter(before, mv);
        let killers = &mut self.frame(ply).killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.learn_quiet(ply, mv, bonus);
        for &other in quiets {
            self.learn_quiet(ply, other, -bonus);
        }
    }

    fn learn_quiet(&mut self, ply: usize, mv: Move, bonus: i32) {
        if mv.tag() == Tag::Setup {
            return;
        }
        let side = self.position.side();
        let arrival = self.memory.history.arrival(&self.position, mv);
        self.memory.history.update_quiet(side, mv, bonus);
        for (before, part) in self.arrivals(ply).into_iter().zip([1, 1, 2]) {
            self.memory.history.update_continuation(before, arrival, bonus / part);
        }
    }
}
