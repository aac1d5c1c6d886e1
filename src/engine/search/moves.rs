//! The moves of a node: which are pruned, which are extended, how deep the others are searched.

use super::node::{NodeState, NodeType, NonPv, Pv};
use super::reductions::LateMove;
use super::technique::Technique;
use super::worker::Worker;
use super::{Score, params};
use crate::engine::history::PieceTo;
use crate::engine::picker::{MoveOrdering, Picker, is_tactical};
use crate::engine::transposition::Bound;
use garrison_rules::{Color, Move, Tag};

/// What is known of a move before it is made.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    /// Its number among the moves of the node, from 1.
    number: usize,
    /// It captures or promotes.
    tactical: bool,
    /// Its histories together, those of captures or of quiet moves.
    history: i32,
}

/// What the test for a singular extension decides.
enum Singular {
    /// Search the move by so many plies deeper, or less deep.
    Extend(i32),
    /// Multi-cut: the node fails high with this score.
    Cutoff(Score),
}

impl Worker<'_> {
    /// Searches the moves of a node.
    pub(super) fn search_moves<N: NodeType>(&mut self, node: &NodeState) -> Score {
        let &NodeState { ply, beta, .. } = node;
        let mut alpha = node.alpha;
        let excluded = self.stack[ply].excluded;
        let mut tried = std::mem::take(&mut self.stack[ply].tried);
        tried.clear();
        let mut picker = self.picker::<N>(node);
        let refutations = self.refutations(ply);
        let continuation = self.continuation_moves(ply);
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        let mut number = 0;
        while let Some(mv) = self.next_move(&mut picker, node.depth, refutations, continuation) {
            if Some(mv) == excluded || N::ROOT && !self.is_searched_root_move(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_current_move(mv, number);
            }
            self.prefetch(mv);
            let candidate = self.candidate(ply, mv, number);
            let may_prune = !N::ROOT && !best.is_loss() && best > -Score::INFINITE;
            if may_prune && self.is_pruned(node, candidate, &mut picker) {
                continue;
            }
            let mut extension = 0;
            if !N::ROOT && Some(mv) == node.tt_move {
                let singular = self.singular_extension::<N>(node, mv);
                if self.aborted {
                    return Score::DRAW;
                }
                match singular {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cutoff(score) => {
                        best = score;
                        break;
                    }
                }
            }
            let nodes_before = self.nodes;
            let score = self.search_move::<N>(node, candidate, extension, alpha);
            self.position.unmake();
            if self.aborted {
                return Score::DRAW;
            }
            if N::ROOT {
                self.update_root_move(candidate, score, alpha, self.nodes - nodes_before);
            }
            best = best.max(score);
            if score > alpha {
                best_move = Some(mv);
                if N::PV {
                    self.stack.update_pv(ply, mv);
                }
                if score >= beta {
                    self.update_histories(node, mv, candidate.tactical, &tried);
                    break;
                }
                alpha = score;
            }
            if Some(mv) != best_move {
                tried.add(mv, candidate.tactical);
            }
        }
        let frame = &mut self.stack[ply];
        (frame.picker_lists, frame.tried) = (picker.into_lists(), tried);
        if number == 0 {
            return if excluded.is_some() { alpha } else { self.no_moves_score(ply) };
        }
        if best <= node.alpha && excluded.is_none() {
            let near_pv = node.depth > 3 && self.stack.before(ply, 1).tt_pv;
            self.stack[ply].tt_pv |= near_pv && self.uses(Technique::PvMemory);
            self.reward_prior_move(node);
        }
        self.store_node(node, best, best_move);
        best
    }

    /// What is known of a move of the node at `ply` before it is made.
    fn candidate(&self, ply: usize, mv: Move, number: usize) -> Candidate {
        let tactical = is_tactical(&self.position, mv);
        let side = self.position.side_to_move();
        let history = if !tactical {
            self.quiet_history(ply, side, mv)
        } else if self.uses(Technique::CaptureHistory) {
            self.data.history.capture(&self.position, mv)
        } else {
            0
        };
        Candidate { mv, number, tactical, history }
    }

    /// A move picker for the node, with the buffers of its frame.
    fn picker<N: NodeType>(&mut self, node: &NodeState) -> Picker {
        let tt_move = if N::ROOT { Some(self.root_moves[self.pv_index].mv) } else { node.tt_move };
        // Setups are neither captures nor quiet moves: like replies to a check, all come in one stage.
        let single_stage = node.forced || self.position.setup_phase().is_pending();
        let lists = std::mem::take(&mut self.stack[node.ply].picker_lists);
        Picker::new(tt_move, single_stage, lists)
    }

    /// The next move of the picker.
    #[inline]
    fn next_move(
        &mut self,
        picker: &mut Picker,
        depth: i32,
        refutations: [Option<Move>; 3],
        continuation: [PieceTo; 3],
    ) -> Option<Move> {
        let data = &mut *self.data;
        let ordering = MoveOrdering {
            exchange_values: self.shared.exchange_values,
            history: &data.history,
            continuation,
            refutations,
            depth,
            techniques: self.shared.techniques,
        };
        picker.next(&self.position, &ordering, &mut data.generated)
    }

    /// The killer moves of a ply and the counter move.
    fn refutations(&self, ply: usize) -> [Option<Move>; 3] {
        let frame = &self.stack[ply];
        let [first, second] = if self.uses(Technique::Killers) { frame.killers } else { [None; 2] };
        let counter_move = self
            .uses(Technique::CounterMove)
            .then(|| self.data.history.counter_move(frame.piece_to))
            .flatten();
        [first, second, counter_move]
    }

    /// The moves one, two and four plies before the move of a node, which continuation history goes by.
    pub(super) fn continuation_moves(&self, ply: usize) -> [PieceTo; 3] {
        [0, 1, 3].map(|back| self.stack.before(ply, back).piece_to)
    }

    /// Whether a move is skipped without being made.
    #[inline]
    fn is_pruned(&self, node: &NodeState, candidate: Candidate, picker: &mut Picker) -> bool {
        if candidate.tactical {
            return self.is_pruned_by_capture_exchange(node, candidate);
        }
        if self.is_too_late(node, candidate.number) {
            picker.skip_quiets();
            return true;
        }
        // The depth that a reduction would leave, more for a move with a good history.
        let mut depth = node.depth - self.reductions.plies(node.depth, candidate.number);
        if self.uses(Technique::HistoryDepth) {
            depth += candidate.history / params::prune_history_divisor();
        }
        let depth = depth.max(0);
        let may_be_forcing = node.forced || picker.gives_check(&self.position, candidate.mv);
        !may_be_forcing && self.is_futile_quiet(node, depth)
            || self.is_pruned_by_quiet_exchange(candidate.mv, depth)
    }

    /// Futility pruning: at low depth, a quiet move is skipped where the evaluation is far below alpha.
    #[inline]
    fn is_futile_quiet(&self, node: &NodeState, depth: i32) -> bool {
        self.uses(Technique::Futility)
            && depth <= params::futility_max_depth()
            && node.eval + futility_margin(depth) <= node.alpha
    }

    /// Late move pruning: at low depth, only so many quiet moves are searched.
    #[inline]
    fn is_too_late(&self, node: &NodeState, number: usize) -> bool {
        self.uses(Technique::LateMoves)
            && node.depth <= params::late_move_pruning_max_depth()
            && number > late_move_limit(node.depth, node.improving)
    }

    /// Static exchange pruning of captures: at low depth, one that loses much is skipped.
    #[inline]
    fn is_pruned_by_capture_exchange(&self, node: &NodeState, candidate: Candidate) -> bool {
        let by_history = if self.uses(Technique::ExchangeHistory) {
            candidate.history / params::see_capture_history()
        } else {
            0
        };
        let margin = (params::see_capture_margin() * node.depth + by_history).max(0);
        self.uses(Technique::ExchangePruning)
            && node.depth <= params::see_pruning_max_depth()
            && !self.see_ge(candidate.mv, -margin)
    }

    /// Static exchange pruning of quiet moves, by the depth that a reduction would leave.
    #[inline]
    fn is_pruned_by_quiet_exchange(&self, mv: Move, depth: i32) -> bool {
        self.uses(Technique::ExchangePruning)
            && depth <= params::see_pruning_max_depth()
            && !self.see_ge(mv, -params::see_quiet_margin() * depth * depth)
    }

    /// Whether the exchange that a move begins gains at least so many centipawns.
    #[inline]
    pub(super) fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.shared.exchange_values.see_ge(&self.position, mv, threshold)
    }

    /// The quiet history and the continuation histories of a quiet move together.
    fn quiet_history(&self, ply: usize, side: Color, mv: Move) -> i32 {
        let history = &self.data.history;
        let piece_to = history.piece_to(&self.position, mv);
        let [one, two, _] = self.continuation_moves(ply);
        history.quiet(side, mv)
            + history.continuation(one, piece_to)
            + history.continuation(two, piece_to)
    }

    /// Singular extension: if all moves but that of the transposition table fail low, it is searched deeper.
    /// If another one would fail high too, the node is cut (multi-cut), or the move searched less deep. Means nothing if the
    /// search was aborted.
    fn singular_extension<N: NodeType>(&mut self, node: &NodeState, mv: Move) -> Singular {
        let &NodeState { depth, ply, beta, cut_node, .. } = node;
        let Some(entry) = node.tt_entry else { return Singular::Extend(0) };
        if !self.uses(Technique::Singular)
            || depth < params::singular_min_depth()
            || self.stack[ply].excluded.is_some()
            || entry.score.is_mate()
            || entry.bound == Bound::Upper
            || entry.depth < depth - params::singular_depth_margin()
            || ply as i32 >= params::singular_ply_factor() * self.depth
        {
            return Singular::Extend(0);
        }
        let singular_beta = entry.score - params::singular_margin() * depth;
        let score = self.search_without::<N>(node, mv, singular_beta);
        if score < singular_beta {
            let twice = !N::PV
                && score < singular_beta - params::double_extension_margin()
                && self.stack[ply].double_extensions < params::max_double_extensions();
            return Singular::Extend(if twice { 2 } else { 1 });
        }
        if !N::PV && singular_beta >= beta {
            return Singular::Cutoff(singular_beta);
        }
        Singular::Extend(if entry.score >= beta {
            -params::singular_beta_reduction()
        } else if cut_node {
            -params::singular_cut_node_reduction()
        } else {
            0
        })
    }

    /// The score of the node without its best move, at less depth and with a null window below `beta`.
    fn search_without<N: NodeType>(&mut self, node: &NodeState, mv: Move, beta: Score) -> Score {
        let &NodeState { depth, ply, cut_node, .. } = node;
        let frame = &mut self.stack[ply];
        let saved = (frame.forced, frame.piece_to);
        let pv = if N::PV { std::mem::take(&mut frame.pv) } else { Vec::new() };
        frame.excluded = Some(mv);
        let depth = (depth - 1) / params::singular_depth_divisor();
        let score = self.search::<NonPv>(depth, ply, beta - 1, beta, cut_node);
        let frame = &mut self.stack[ply];
        frame.excluded = None;
        if N::PV {
            frame.pv = pv;
        }
        (frame.forced, frame.piece_to) = saved;
        score
    }

    /// Makes a move and returns its score. A late move is searched at reduced depth first, and every move but the
    /// first with a null window first; it is searched again if that fails high. The caller unmakes the move.
    fn search_move<N: NodeType>(
        &mut self,
        node: &NodeState,
        candidate: Candidate,
        extension: i32,
        alpha: Score,
    ) -> Score {
        let &NodeState { ply, beta, cut_node, .. } = node;
        let Candidate { mv, number, tactical, .. } = candidate;
        if N::PV {
            // A null-window search leaves no line: that of an earlier move must not stay.
            self.stack[ply + 1].pv.clear();
        }
        self.make(ply, mv);
        let double_extensions = self.stack[ply].double_extensions + i32::from(extension >= 2);
        self.stack[ply + 1].double_extensions = double_extensions;
        self.stack[ply + 1].quiet_move = (!tactical && mv.tag() != Tag::Setup).then_some(mv);
        let depth = node.depth - 1 + extension;
        let mut score = alpha + 1;
        let mut full_depth = !N::PV || number > 1;
        if self.is_reduced::<N>(node, candidate) {
            let reduction = self.late_move::<N>(node, candidate).reduction();
            let reduced = (depth - reduction).clamp(1.min(depth), depth);
            self.stack[ply + 1].reduction = depth - reduced;
            score = -self.search::<NonPv>(reduced, ply + 1, -alpha - 1, -alpha, true);
            self.stack[ply + 1].reduction = 0;
            full_depth = score > alpha && reduced < depth;
            if self.aborted {
                return score;
            }
        }
        if full_depth {
            score = -self.search::<NonPv>(depth, ply + 1, -alpha - 1, -alpha, !cut_node);
        }
        if N::PV && !self.aborted && (number == 1 || score > alpha && (N::ROOT || score < beta)) {
            score = -self.search::<Pv>(depth, ply + 1, -beta, -alpha, false);
        }
        score
    }

    /// Whether late move reduction applies to a move.
    #[inline]
    fn is_reduced<N: NodeType>(&self, node: &NodeState, candidate: Candidate) -> bool {
        let Candidate { number, tactical, .. } = candidate;
        node.depth >= params::lmr_min_depth()
            && number > 1 + usize::from(N::ROOT)
            && self.uses(Technique::Reductions)
            && (!tactical || node.cut_node || number > params::lmr_tactical_move_count() as usize)
    }

    /// What the reduction of a late move, which has been made, depends on.
    #[inline]
    fn late_move<N: NodeType>(&self, node: &NodeState, candidate: Candidate) -> LateMove {
        let next = &self.stack[node.ply + 1];
        LateMove {
            base: self.reductions.base(node.depth, candidate.number),
            tactical: candidate.tactical,
            killer: self.stack[node.ply].killers.contains(&Some(candidate.mv)),
            gives_check: next.forced,
            history: candidate.history,
            pv_node: N::PV,
            tt_pv: self.stack[node.ply].tt_pv && !N::PV,
            cut_node: node.cut_node,
            forced: node.forced,
            improving: node.improving,
            tt_move_is_tactical: node.tt_move_is_tactical,
            child_cutoffs: next.cutoffs,
        }
    }

    /// Whether a move of the root belongs to the line being searched: better lines have taken the others.
    fn is_searched_root_move(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Keeps the result of a move of the root.
    fn update_root_move(&mut self, candidate: Candidate, score: Score, alpha: Score, nodes: u64) {
        let Candidate { mv, number, .. } = candidate;
        let (depth, seldepth) = (self.depth, self.seldepth);
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        root_move.nodes += nodes;
        if number == 1 || score > alpha {
            (root_move.score, root_move.depth, root_move.seldepth) = (score, depth, seldepth);
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend_from_slice(&self.stack[1].pv);
        } else {
            root_move.score = -Score::INFINITE;
        }
    }
}

/// How many moves of a node late move pruning leaves.
fn late_move_limit(depth: i32, improving: bool) -> usize {
    let limit =
        params::late_move_pruning_base() + params::late_move_pruning_factor() * depth * depth / 100;
    let percent = if improving { 100 } else { params::late_move_pruning_not_improving() };
    (limit * percent / 100) as usize
}

/// How far below alpha the evaluation must be for futility pruning, in centipawns.
fn futility_margin(depth: i32) -> i32 {
    params::futility_base() + params::futility_factor() * depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_late_moves_are_searched_at_depth_and_when_improving() {
        assert_eq!([1, 2, 3].map(|depth| late_move_limit(depth, true)), [7, 13, 23]);
        assert_eq!([1, 2, 3].map(|depth| late_move_limit(depth, false)), [3, 6, 11]);
    }
}
