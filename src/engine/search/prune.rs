//! Closed nodes that are decided without their moves, or by a few of them.

use super::Score;
use super::node::{Facts, Scout};
use super::params::*;
use super::technique::Technique;
use super::worker::Worker;
use crate::engine::table::Bound;
use crate::rules::{Move, MoveList, Scope};

impl Worker<'_> {
    /// Tries to decide a closed node, not in check, without its moves.
    pub(super) fn prune_node(&mut self, facts: &mut Facts) -> Option<Score> {
        self.razor(facts)
            .or_else(|| self.reverse_futility(facts))
            .or_else(|| self.null_move(facts))
            .or_else(|| self.probcut(facts))
    }

    /// Far below alpha only captures can help.
    fn razor(&mut self, facts: &Facts) -> Option<Score> {
        let &Facts { depth, ply, alpha, eval, .. } = facts;
        if !self.uses(Technique::Razoring)
            || depth > RAZOR_DEPTH
            || alpha.is_win()
            || eval + razor_margin(depth) >= alpha
        {
            return None;
        }
        let score = self.quiesce::<Scout>(ply, 0, alpha, alpha + 1);
        (score <= alpha).then_some(score)
    }

    /// Far above beta, nothing is likely to bring the score back.
    fn reverse_futility(&self, facts: &Facts) -> Option<Score> {
        let &Facts { depth, beta, eval, improving, .. } = facts;
        let believed = self.uses(Technique::ReverseFutility)
            && depth <= REVERSE_FUTILITY_DEPTH
            && eval - reverse_futility_margin(depth, improving) >= beta
            && !beta.is_loss()
            && !eval.is_win()
            && (facts.table_move.is_none() || facts.table_captures);
        believed.then(|| Score::centipawns((2 * beta.value() + eval.value()) / 3))
    }

    /// If even passing is good enough, a move is so all the more, unless all moves are bad.
    fn null_move(&mut self, facts: &Facts) -> Option<Score> {
        let &Facts { depth, ply, beta, eval, .. } = facts;
        let frame_eval = self.frame(ply).eval.unwrap_or(eval);
        if !self.uses(Technique::NullMove)
            || depth < NULL_DEPTH
            || eval < beta
            || frame_eval + 20 * depth < beta + 60
            || beta.is_loss()
            || self.frame(ply).passed
            || ply < self.no_pass_before
            || !self.can_afford_to_pass()
        {
            return None;
        }
        let reduced = depth - null_reduction(depth, eval.value() - beta.value());
        self.position.pass();
        let nothing = self.memory.history.no_arrival();
        let check = self.is_check();
        let next = self.frame(ply + 1);
        (next.arrival, next.check, next.passed) = (nothing, check, true);
        let score = -self.search::<Scout>(reduced, ply + 1, -beta, -beta + 1, !facts.cut);
        self.position.unmake();
        self.frame(ply + 1).passed = false;
        if self.aborted || score < beta {
            return None;
        }
        let score = if score.is_win() { beta } else { score };
        if self.no_pass_before > 0 || depth < NULL_VERIFY_DEPTH {
            return Some(score);
        }
        // Deep down, where an error is dear: is it so without passing for the next plies?
        self.no_pass_before = ply + (3 * reduced.max(4) / 4) as usize;
        let verified = self.search::<Scout>(reduced, ply, beta - 1, beta, false);
        self.no_pass_before = 0;
        (!self.aborted && verified >= beta).then_some(score)
    }

    /// With a few men only, having to move is often a burden.
    fn can_afford_to_pass(&self) -> bool {
        let position = &self.position;
        if position.setup_phase().is_pending() {
            return false;
        }
        let side = position.side();
        let variant = position.variant();
        let officers: u32 = variant
            .kinds_of(side)
            .filter(|&kind| !variant.man(kind).zeroing && variant.royal() != Some(kind))
            .map(|kind| position.men(side, kind).len())
            .sum();
        officers >= 2 || !position.hand(side).is_empty()
    }

    /// A capture that a shallower search finds far above beta.
    fn probcut(&mut self, facts: &Facts) -> Option<Score> {
        let &Facts { depth, ply, beta, entry, .. } = facts;
        let wanted = beta + PROBCUT_MARGIN;
        let hopeless =
            entry.is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && entry.score < wanted);
        if !self.uses(Technique::ProbCut) || depth < PROBCUT_DEPTH || beta.is_mate() || hopeless {
            return None;
        }
        let least = wanted.value() - self.frame(ply).eval.map_or(0, Score::value);
        let mut moves = MoveList::new();
        self.position.add_legal_moves(&Scope::captures(&self.position), &mut moves);
        let worth = self.shared.worth;
        let mut good: Vec<(i32, Move)> = moves
            .iter()
            .filter(|&&mv| worth.wins(&self.position, mv, least))
            .map(|&mv| (worth.of_move(&self.position, mv), mv))
            .collect();
        good.sort_by_key(|entry| -entry.0);
        for (_, mv) in good {
            self.make(ply, mv);
            let mut score = -self.quiesce::<Scout>(ply + 1, 0, -wanted, -wanted + 1);
            if score >= wanted && depth > 4 {
                let reduced = depth - 4;
                score = -self.search::<Scout>(reduced, ply + 1, -wanted, -wanted + 1, !facts.cut);
            }
            self.position.unmake();
            if self.aborted {
                return None;
            }
            if score >= wanted {
                self.store(ply, Some(mv), score, depth - 3, Bound::Lower);
                return Some(score);
            }
        }
        None
    }
}
