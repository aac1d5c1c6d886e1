//! Closed nodes that are decided without their moves.

use super::Score;
use super::node::{Facts, Scout};
use super::params::*;
use super::technique::Technique;
use super::worker::Worker;

impl Worker<'_> {
    /// Tries to decide a closed node, not in check, without its moves.
    pub(super) fn prune_node(&mut self, facts: &Facts) -> Option<Score> {
        self.razor(facts).or_else(|| self.reverse_futility(facts)).or_else(|| self.null_move(facts))
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

    /// With a few pieces only, having to move is often a burden.
    fn can_afford_to_pass(&self) -> bool {
        let position = &self.position;
        if position.setup_phase().is_pending() {
            return false;
        }
        let side = position.side();
        let variant = position.variant();
        let officers: u32 = variant
            .kinds_of(side)
            .filter(|&kind| !variant.piece(kind).zeroing && variant.royal() != Some(kind))
            .map(|kind| position.pieces(side, kind).len())
            .sum();
        officers >= 2 || !position.hand(side).is_empty()
    }
}
