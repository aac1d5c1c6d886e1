//! What the search of a node leaves behind: an entry of the transposition table, killer and counter moves,
//! histories and corrections.

use super::Score;
use super::node::NodeState;
use super::params;
use super::stack::Tried;
use super::technique::Technique;
use super::worker::Worker;
use crate::engine::history::PieceTo;
use crate::engine::picker::is_tactical;
use crate::engine::transposition::{Bound, Entry};
use garrison_rules::{Move, Tag};

impl Worker<'_> {
    /// Stores the result of a node in the transposition table and the error of its static evaluation in the
    /// correction history. A singular search, which leaves a move out, says nothing of the position.
    pub(super) fn store_node(&mut self, node: &NodeState, best: Score, best_move: Option<Move>) {
        let &NodeState { depth, ply, alpha, beta, .. } = node;
        if self.stack[ply].excluded.is_some() || self.aborted {
            return;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let pv = self.stack[ply].tt_pv;
        let entry = Entry { mv: best_move, score: best, depth, bound, pv };
        self.shared.tt.store(self.position.key(), ply, entry);
        let Some(eval) = self.stack[ply].static_eval.filter(|_| !best.is_mate()) else { return };
        let quiet = best_move.is_none_or(|mv| !is_tactical(&self.position, mv));
        if quiet && bound.corrects(best, eval) {
            let error = best.value() - eval.value();
            let (slots, more) =
                (self.stack[ply].corrections, self.uses(Technique::MoreCorrections));
            self.data.history.update_correction(slots, error, depth, more);
        }
    }

    /// After a fail high: a bonus for the move that caused it, a malus for the captures and, if it is quiet, the quiet
    /// moves before it.
    pub(super) fn update_histories(
        &mut self,
        node: &NodeState,
        mv: Move,
        tactical: bool,
        tried: &Tried,
    ) {
        let bonus = history_bonus(node.depth);
        let malus = bonus * params::history_malus() / 100;
        if self.uses(Technique::CaptureHistory) {
            let history = &mut self.data.history;
            for &other in &tried.captures {
                history.update_capture(&self.position, other, -malus);
            }
            if tactical {
                history.update_capture(&self.position, mv, bonus);
            }
        }
        let frame = &mut self.stack[node.ply];
        frame.cutoffs += 1;
        if tactical {
            return;
        }
        if frame.killers[0] != Some(mv) {
            frame.killers = [Some(mv), frame.killers[0]];
        }
        self.data.history.set_counter_move(frame.piece_to, mv);
        let side = self.position.side_to_move();
        self.update_quiet_histories(node.ply, mv, bonus);
        self.data.history.update_stone(side, mv, bonus);
        if !self.position.variant().moves_place_stones() {
            for &other in &tried.quiets {
                self.update_quiet_histories(node.ply, other, -malus);
            }
            return;
        }
        // Moves that differ only in where their stone goes mostly follow each other, and count once.
        let mut last = mv.without_stone();
        for &other in &tried.quiets {
            self.data.history.update_stone(side, other, -bonus);
            let piece_move = other.without_stone();
            if piece_move != last && piece_move != mv.without_stone() {
                self.update_quiet_histories(node.ply, other, -malus);
            }
            last = piece_move;
        }
    }

    /// After a fail low: a bonus for the quiet move that led to the node, which nothing refuted.
    pub(super) fn reward_prior_move(&mut self, node: &NodeState) {
        let Some(mv) = self.stack[node.ply].quiet_move.filter(|_| self.uses(Technique::PriorMove))
        else {
            return;
        };
        let bonus = history_bonus(node.depth) * params::prior_move_bonus() / 100;
        self.data.history.update_quiet(!self.position.side_to_move(), mv, bonus);
        self.update_continuations(node.ply - 1, self.stack[node.ply].piece_to, bonus);
    }

    /// After a cutoff by the transposition table: a bonus for its move, if that is a quiet one.
    pub(super) fn reward_table_move(&mut self, ply: usize, depth: i32, mv: Option<Move>) {
        let Some(mv) = mv.filter(|_| self.uses(Technique::TableHistory)) else { return };
        if self.position.is_legal(mv) && !is_tactical(&self.position, mv) {
            self.update_quiet_histories(ply, mv, history_bonus(depth));
        }
    }

    fn update_quiet_histories(&mut self, ply: usize, mv: Move, bonus: i32) {
        if mv.tag() == Tag::Setup {
            return;
        }
        let side = self.position.side_to_move();
        let history = &mut self.data.history;
        let piece_to = history.piece_to(&self.position, mv);
        history.update_quiet(side, mv, bonus);
        self.update_continuations(ply, piece_to, bonus);
    }

    /// Updates the continuation histories of a move of the node at `ply`.
    fn update_continuations(&mut self, ply: usize, piece_to: PieceTo, bonus: i32) {
        let far = bonus * params::continuation_four_plies() / 100;
        for (back, bonus) in [(0, bonus), (1, bonus), (3, far)] {
            let before = self.stack.before(ply, back).piece_to;
            self.data.history.update_continuation(before, piece_to, bonus);
        }
    }
}

/// The bonus of a good quiet move in the histories.
fn history_bonus(depth: i32) -> i32 {
    let (linear, quadratic) = (params::history_bonus_linear(), params::history_bonus_quadratic());
    (quadratic * depth * depth + linear * depth).min(params::history_bonus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bonus_grows_with_depth_up_to_its_maximum() {
        assert_eq!([1, 2, 5].map(history_bonus), [156, 344, 1100]);
        assert_eq!(history_bonus(60), params::history_bonus_max());
    }
}
