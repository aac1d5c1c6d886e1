//! Principal variation search of one node: what is known before its moves, and whether that decides it.

use super::technique::Technique;
use super::worker::Worker;
use super::{MAX_PLY, Score, params};
use crate::engine::picker::is_tactical;
use crate::engine::transposition::Entry;
use garrison_rules::game::RoyaltyKind;
use garrison_rules::{Move, Scope};

/// The type of a node, known when the search is compiled.
pub(super) trait NodeType {
    /// Its window is open: it may be on the principal variation.
    const PV: bool;
    /// It is the root.
    const ROOT: bool;
}

pub(super) struct Root;
pub(super) struct Pv;
/// A node with a null window, which decides only whether its score is above alpha.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What is known of a node before it searches its moves.
pub(super) struct NodeState {
    /// The plies left to be searched.
    pub depth: i32,
    pub ply: usize,
    pub alpha: Score,
    pub beta: Score,
    /// A fail high is expected.
    pub cut_node: bool,
    /// The side to move is in check, must capture, or would lose the game by a pass: its evaluation says little.
    pub forced: bool,
    /// The static evaluation, or the transposition table's score where that is more accurate; minus infinity
    /// where the side to move is forced.
    pub eval: Score,
    /// The static evaluation is better than before the last two (or four) plies.
    pub improving: bool,
    pub tt_entry: Option<Entry>,
    /// The transposition table's move, if it is legal here.
    pub tt_move: Option<Move>,
    pub tt_move_is_tactical: bool,
}

impl Worker<'_> {
    /// Searches the root with a window. The results of its moves are kept in `root_moves`.
    pub fn search_root(&mut self, depth: i32, alpha: Score, beta: Score) -> Score {
        self.stack[0].forced = self.is_forced();
        self.search::<Root>(depth, 0, alpha, beta, false)
    }

    /// The score of the position for the side to move, `depth` plies deep, within a window (fail soft).
    ///
    /// `forced` and `piece_to` of the stack's frame have been set by whoever made the move.
    pub fn search<N: NodeType>(
        &mut self,
        depth: i32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<N>(ply, 0, alpha, beta);
        }
        if self.enter::<N>(ply) {
            return Score::DRAW;
        }
        let key = self.position.key();
        let excluded = self.stack[ply].excluded;
        // Probed early, since the memory takes a while to arrive.
        let tt_entry = if excluded.is_none() { self.shared.tt.probe(key, ply) } else { None };
        if !N::ROOT {
            if let Some(score) = self.score_without_search::<N>(ply) {
                return score;
            }
            // Mate distance pruning: no line from here is better than a mate found nearer to the root.
            if self.uses(Technique::MateDistance) {
                alpha = alpha.max(Score::mated_in(ply));
                beta = beta.min(Score::mate_in(ply + 1));
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        if !N::PV
            && let Some(score) = self.tt_cutoff(tt_entry, depth, alpha, beta)
        {
            if score >= beta {
                self.reward_table_move(ply, depth, tt_entry.and_then(|entry| entry.mv));
            }
            return score;
        }
        let reduction = std::mem::take(&mut self.stack[ply].reduction);
        if excluded.is_none() {
            self.stack[ply].tt_pv =
                N::PV || tt_entry.is_some_and(|entry| entry.pv) && self.uses(Technique::PvMemory);
        }
        let mut node = self.node_state(depth, ply, (alpha, beta), cut_node, tt_entry);
        if !N::PV
            && excluded.is_none()
            && !node.forced
            && let Some(score) = self.prune_node(&node)
        {
            return score;
        }
        if self.aborted {
            return Score::DRAW;
        }
        if excluded.is_none() && !N::ROOT {
            node.depth += self.hindsight(&node, reduction);
        }
        // Internal iterative reduction: a node that no search has found a move for is not worth its depth.
        if depth >= params::internal_reduction_min_depth()
            && (N::PV || cut_node)
            && node.tt_move.is_none()
            && excluded.is_none()
            && self.uses(Technique::InternalReduction)
        {
            node.depth -= 1;
        }
        self.search_moves::<N>(&node)
    }

    /// Hindsight: by how many plies a node that was reduced is searched deeper, or less deep, by what the static
    /// evaluation says of the move before it.
    fn hindsight(&self, node: &NodeState, reduction: i32) -> i32 {
        let &NodeState { depth, ply, .. } = node;
        let (before, now) = (self.stack.before(ply, 1).static_eval, self.stack[ply].static_eval);
        let (Some(before), Some(now), true) = (before, now, self.uses(Technique::Hindsight)) else {
            return 0;
        };
        // Each is for the side to move: their sum is what the move before lost.
        let lost = before.value() + now.value();
        if reduction >= params::hindsight_deeper_reduction() && lost <= 0 {
            1
        } else if reduction >= 2 && depth >= 2 && lost > params::hindsight_less_margin() {
            -1
        } else {
            0
        }
    }

    /// Counts a node; returns whether the search must end.
    #[inline]
    pub(super) fn enter<N: NodeType>(&mut self, ply: usize) -> bool {
        if N::PV {
            self.stack[ply].pv.clear();
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.must_abort()
    }

    /// The score of a node that needs no search: the game is over, or the search is too deep.
    fn score_without_search<N: NodeType>(&mut self, ply: usize) -> Option<Score> {
        if let Some(score) = self.game_end_score(ply) {
            return Some(score);
        }
        if let Some(score) = self.immediate_win::<N>(ply).or_else(|| self.table_score(ply)) {
            return Some(score);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(ply))
    }

    /// The score of a game that has ended by any rule but want of moves. A position that occurs a second time
    /// counts as repeated: what was repeated once can be repeated again.
    pub(super) fn game_end_score(&self, ply: usize) -> Option<Score> {
        let ended = self.position.decided().or_else(|| self.position.repetition_outcome(2));
        if let Some(outcome) = ended {
            return Some(self.outcome_score(outcome, ply));
        }
        // Checkmate with the last move counted is a win.
        self.position.move_count_outcome().map(|_| self.no_moves_score(ply))
    }

    /// The score of a position in which a move wins at once, other than by mate.
    #[inline]
    pub(super) fn immediate_win<N: NodeType>(&mut self, ply: usize) -> Option<Score> {
        if let Some(score) = self.royal_capture::<N>(ply) {
            return Some(score);
        }
        let mv = self.position.winning_move(&mut self.data.generated)?;
        if N::PV {
            self.stack[ply].pv.push(mv);
        }
        Some(Score::mate_in(ply + 1))
    }

    /// The score of a position in which the enemy royal can be captured, which ends the game.
    fn royal_capture<N: NodeType>(&mut self, ply: usize) -> Option<Score> {
        let enemy = !self.position.side_to_move();
        if self.position.variant().royalty_kind() != Some(RoyaltyKind::Captured)
            || !self.position.is_attacked(enemy)
        {
            return None;
        }
        if N::PV {
            let royal = self.position.royal_square(enemy);
            let captures = Scope::captures(&self.position);
            let captures = self.data.legal_moves(&self.position, &captures);
            let capture = captures.iter().copied().find(|mv| Some(mv.to()) == royal);
            self.stack[ply].pv.extend(capture);
        }
        Some(Score::mate_in(ply + 1))
    }

    /// The score in the transposition table, if it is deep enough and decides a null window.
    fn tt_cutoff(
        &self,
        tt_entry: Option<Entry>,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let entry = tt_entry.filter(|entry| entry.depth >= depth)?;
        // Near the end by move count a stored score may be wrong: the key does not include the count.
        let margin = params::tt_move_count_margin() as u16;
        let is_near = |plies: u16, limit: u16| plies.saturating_add(margin) >= limit;
        let limit = self.position.variant().end().moves;
        let near_limit = limit.is_some_and(|limit| is_near(self.position.halfmoves(), limit))
            || self.position.running_count().is_some_and(|count| is_near(count.plies, count.limit));
        (entry.decides(alpha, beta) && !near_limit && self.uses(Technique::TableCutoff))
            .then_some(entry.score)
    }

    /// Collects what is known before any move is searched, and resets what the children will count.
    fn node_state(
        &mut self,
        depth: i32,
        ply: usize,
        (alpha, beta): (Score, Score),
        cut_node: bool,
        tt_entry: Option<Entry>,
    ) -> NodeState {
        self.stack[ply + 1].cutoffs = 0;
        self.stack[ply + 2].killers = [None; 2];
        let forced = self.stack[ply].forced;
        let mut eval = -Score::INFINITE;
        if forced {
            self.stack[ply].static_eval = None;
        } else if self.stack[ply].excluded.is_some() {
            eval = self.stack[ply].static_eval.unwrap_or(Score::DRAW);
        } else {
            eval = self.evaluate(ply);
            self.stack[ply].static_eval = Some(eval);
            if let Some(entry) = tt_entry
                && entry.bound.corrects(entry.score, eval)
            {
                eval = entry.score;
            }
        }
        let now = self.stack[ply].static_eval;
        let before = |back| self.stack.before(ply, back).static_eval;
        let improving = now.zip(before(2).or(before(4))).is_some_and(|(now, before)| now > before);
        let tt_move = tt_entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv));
        NodeState {
            depth,
            ply,
            alpha,
            beta,
            cut_node,
            forced,
            eval,
            improving,
            tt_entry,
            tt_move,
            tt_move_is_tactical: tt_move.is_some_and(|mv| is_tactical(&self.position, mv)),
        }
    }
}
