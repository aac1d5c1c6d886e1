//! Pruning of whole nodes: non-PV nodes that are decided without searching their moves.

use super::node::{NodeState, NonPv};
use super::technique::Technique;
use super::worker::Worker;
use super::{Score, params};
use crate::engine::transposition::{Bound, Entry};
use garrison_rules::{Move, Scope};

impl Worker<'_> {
    /// Tries to decide a non-PV node, not forced, without its moves.
    pub(super) fn prune_node(&mut self, node: &NodeState) -> Option<Score> {
        self.razor(node)
            .or_else(|| self.reverse_futility(node))
            .or_else(|| self.null_move(node))
            .or_else(|| self.prob_cut(node))
    }

    /// Razoring: far below alpha at low depth only captures can help, so quiescence search decides.
    fn razor(&mut self, node: &NodeState) -> Option<Score> {
        let &NodeState { depth, ply, alpha, eval, .. } = node;
        if !self.uses(Technique::Razoring)
            || depth > params::razor_max_depth()
            || alpha.is_win()
            || eval + razor_margin(depth) >= alpha
        {
            return None;
        }
        let score = self.quiesce::<NonPv>(ply, 0, alpha, alpha + 1);
        (score <= alpha).then_some(score)
    }

    /// Reverse futility pruning: far above beta at low depth no reply is likely to bring the score back.
    fn reverse_futility(&self, node: &NodeState) -> Option<Score> {
        let &NodeState { depth, beta, eval, improving, .. } = node;
        if !self.uses(Technique::ReverseFutility)
            || depth > params::reverse_futility_max_depth()
            || self.stack[node.ply].tt_pv
            || eval - reverse_futility_margin(depth, improving) < beta
            || beta.is_loss()
            || eval.is_win()
            || node.tt_move.is_some() && !node.tt_move_is_tactical
        {
            return None;
        }
        let weight = params::reverse_futility_beta_weight();
        Some(Score::centipawns((weight * beta.value() + eval.value()) / (weight + 1)))
    }

    /// Null move pruning: if the side to move could even pass and still be above beta, some move will be too.
    fn null_move(&mut self, node: &NodeState) -> Option<Score> {
        let &NodeState { depth, ply, beta, eval, .. } = node;
        let static_eval = self.stack[ply].static_eval.unwrap_or(eval);
        if !self.uses(Technique::NullMove)
            || depth < params::null_move_min_depth()
            || eval < beta
            || static_eval + params::null_move_static_factor() * depth
                < beta + params::null_move_static_margin()
            || beta.is_loss()
            || self.stack[ply].after_null_move
            || ply < self.null_move_min_ply
            || self.is_zugzwang_likely()
        {
            return None;
        }
        let depth_left = depth - null_move_reduction(depth, eval.value() - beta.value());
        let score = self.search_null_move(depth_left, node);
        if self.aborted || score < beta {
            return None;
        }
        let score = if score.is_win() { beta } else { score };
        if self.null_move_min_ply > 0 || depth < params::null_move_verification_depth() {
            return Some(score);
        }
        self.verify_null_move(depth_left, ply, beta).then_some(score)
    }

    /// The score of passing, with a null window at beta.
    fn search_null_move(&mut self, depth: i32, node: &NodeState) -> Score {
        let &NodeState { ply, beta, cut_node, .. } = node;
        self.position.pass();
        let piece_to = self.data.history.no_piece_to();
        let forced = self.is_forced();
        self.stack[ply + 1].enter(piece_to, forced, true);
        let score = -self.search::<NonPv>(depth, ply + 1, -beta, -beta + 1, !cut_node);
        self.position.unmake();
        self.stack[ply + 1].after_null_move = false;
        score
    }

    /// Null move verification at high depth: searches the node again without null moves for most of its depth,
    /// so that zugzwang is not overlooked.
    fn verify_null_move(&mut self, depth: i32, ply: usize, beta: Score) -> bool {
        let plies = depth.max(params::null_move_verification_min())
            * params::null_move_verification_plies()
            / 100;
        self.null_move_min_ply = ply + plies as usize;
        let score = self.search::<NonPv>(depth, ply, beta - 1, beta, false);
        self.null_move_min_ply = 0;
        !self.aborted && score >= beta
    }

    /// ProbCut: if a capture is far above beta at less depth, it will be above beta at full depth too.
    fn prob_cut(&mut self, node: &NodeState) -> Option<Score> {
        let &NodeState { depth, ply, beta, .. } = node;
        let (margin, less) = (params::prob_cut_margin(), params::prob_cut_reduction());
        let high = beta + margin;
        let known_below =
            node.tt_entry.is_some_and(|entry| entry.depth >= depth - less && entry.score < high);
        if !self.uses(Technique::ProbCut)
            || self.aborted
            || depth < params::prob_cut_min_depth()
            || beta.is_mate()
            || known_below
            || self.position.setup_phase().is_pending()
            || self.position.variant().moves_place_stones()
        {
            return None;
        }
        let gain = high.value() - node.eval.value();
        for mv in self.captures_that_gain(gain) {
            self.make(ply, mv);
            let mut score = -self.quiesce::<NonPv>(ply + 1, 0, -high, -high + 1);
            if score >= high && !self.aborted {
                let depth = depth - less;
                score = -self.search::<NonPv>(depth, ply + 1, -high, -high + 1, !node.cut_node);
            }
            self.position.unmake();
            if self.aborted {
                return None;
            }
            if score >= high {
                let depth = depth - less + 1;
                let pv = self.stack[ply].tt_pv;
                let entry = Entry { mv: Some(mv), score, depth, bound: Bound::Lower, pv };
                self.shared.tt.store(self.position.key(), ply, entry);
                return Some(if score.is_mate() { score } else { score - margin });
            }
        }
        None
    }

    /// The captures of the node that gain at least so many centipawns, the best first.
    fn captures_that_gain(&mut self, gain: i32) -> Vec<Move> {
        let captures = Scope::captures(&self.position);
        let values = self.shared.exchange_values;
        let legal = self.data.legal_moves(&self.position, &captures).iter().copied();
        let wins = legal.filter(|&mv| values.see_ge(&self.position, mv, gain));
        let mut moves: Vec<(i32, Move)> =
            wins.map(|mv| (-values.move_gain(&self.position, mv), mv)).collect();
        moves.sort_by_key(|&(order, _)| order);
        moves.into_iter().map(|(_, mv)| mv).collect()
    }

    /// Whether having to move may be a disadvantage: with few pieces and none in hand. A setup cannot be
    /// passed either.
    fn is_zugzwang_likely(&self) -> bool {
        let position = &self.position;
        if position.setup_phase().is_pending() {
            return true;
        }
        let side = position.side_to_move();
        let variant = position.variant();
        let pieces: u32 = variant
            .kinds_of(side)
            .filter(|&kind| !variant.piece(kind).zeroing && !variant.royals().contains(kind))
            .map(|kind| position.pieces(side, kind).len())
            .sum();
        pieces < params::null_move_min_pieces() as u32 && position.hand(side).is_empty()
    }
}

/// How far below alpha the evaluation must be for razoring, in centipawns.
fn razor_margin(depth: i32) -> i32 {
    params::razor_base() + params::razor_factor() * depth * depth
}

/// How far above beta the evaluation must be for reverse futility pruning, in centipawns.
fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    let margin = params::reverse_futility_factor() * (depth - i32::from(improving));
    margin.max(params::reverse_futility_min_margin())
}

/// The depth reduction of the search after a null move, in plies; `above_beta` in centipawns.
fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    let by_eval = above_beta / params::null_move_eval_divisor();
    params::null_move_reduction()
        + depth / params::null_move_depth_divisor()
        + by_eval.clamp(0, params::null_move_max_eval_reduction())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_grow_with_depth() {
        assert_eq!([1, 2, 3].map(razor_margin), [200, 470, 920]);
        assert_eq!([1, 2, 8].map(|depth| reverse_futility_margin(depth, false)), [28, 56, 224]);
        assert_eq!([1, 2, 8].map(|depth| reverse_futility_margin(depth, true)), [10, 28, 196]);
    }

    #[test]
    fn null_moves_are_reduced_by_depth_and_evaluation() {
        assert_eq!(null_move_reduction(3, 0), 4);
        assert_eq!(null_move_reduction(12, 100), 8);
        assert_eq!(null_move_reduction(12, 5000), 10);
    }
}
