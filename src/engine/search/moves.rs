//! The moves of a node: which are skipped, how deep the others are searched, and what they come to.

use super::Score;
use super::node::{Facts, Node, Pv, Scout};
use super::params::*;
use super::technique::Technique;
use super::worker::Worker;
use crate::engine::history::Arrival;
use crate::engine::picker::{Guide, Picker, is_tactical};
use crate::engine::table::Bound;
use garrison_rules::{Color, Move};

/// What a node does with a move.
enum Plan {
    Skip,
    /// Searches it, by so many plies deeper than a ply less.
    Search(i32),
    /// The node is decided.
    Return(Score),
}

impl Worker<'_> {
    /// Tries the moves of a node.
    pub(super) fn search_moves<N: Node>(&mut self, facts: &Facts) -> Score {
        let &Facts { ply, beta, check, .. } = facts;
        let mut alpha = facts.alpha;
        let excluded = self.frame(ply).excluded;
        let lists = std::mem::take(&mut self.frame(ply).lists);
        let mut quiets = std::mem::take(&mut self.frame(ply).quiets);
        quiets.clear();
        let table_move = if N::ROOT { Some(self.roots[self.rank].mv) } else { facts.table_move };
        // Setups are neither captures nor quiet moves: they come all at once too.
        let at_once = check || self.position.setup_phase().is_pending();
        let mut picker = Picker::new(table_move, at_once, lists);
        let refutations = self.refutations(ply, self.earlier(ply, 0).killers);
        let before = self.arrivals(ply);
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        let mut number = 0;
        loop {
            let guide = Guide {
                worth: self.shared.worth,
                history: &self.memory.history,
                before,
                refutations,
                depth: facts.depth,
                uses_quiet: self.uses(Technique::History),
                uses_continuation: self.uses(Technique::Continuation),
                uses_checks: self.uses(Technique::CheckOrder),
            };
            let Some(mv) = picker.next(&self.position, at_once, &guide) else { break };
            if Some(mv) == excluded || N::ROOT && !self.is_wanted_root(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_move(mv, number);
            }
            self.prefetch(mv);
            let tactical = is_tactical(&self.position, mv);
            let extension = match self.plan::<N>(facts, mv, number, tactical, best, &mut picker) {
                Plan::Skip => continue,
                Plan::Search(extension) => extension,
                Plan::Return(score) => {
                    best = score;
                    break;
                }
            };
            let nodes = self.nodes;
            let score = self.search_move::<N>(facts, mv, number, tactical, extension, alpha);
            self.position.unmake();
            if self.aborted {
                return Score::DRAW;
            }
            if N::ROOT {
                self.note_root(mv, score, alpha, number, self.nodes - nodes);
            }
            best = best.max(score);
            if score > alpha {
                best_move = Some(mv);
                if N::PV {
                    self.take_line(ply, mv);
                }
                if score >= beta {
                    self.learn(facts, mv, tactical, &quiets);
                    break;
                }
                alpha = score;
            }
            if Some(mv) != best_move && !tactical && quiets.len() < 64 {
                quiets.push(mv);
            }
        }
        let frame = self.frame(ply);
        (frame.lists, frame.quiets) = (picker.into_lists(), quiets);
        if number == 0 {
            return if excluded.is_some() { alpha } else { self.no_moves_score(ply) };
        }
        self.conclude(facts, best, best_move);
        best
    }

    /// What the order of the moves goes by.
    fn refutations(&self, ply: usize, killers: [Option<Move>; 2]) -> [Option<Move>; 3] {
        let [first, second] = if self.uses(Technique::Killers) { killers } else { [None; 2] };
        let counter = self
            .uses(Technique::CounterMove)
            .then(|| self.memory.history.counter(self.earlier(ply, 0).arrival))
            .flatten();
        [first, second, counter]
    }

    /// The arrivals one, two and four plies before the move of a node.
    pub(super) fn arrivals(&self, ply: usize) -> [Arrival; 3] {
        [0, 1, 3].map(|back| self.earlier(ply, back).arrival)
    }

    /// Decides what is done with a move before it is made.
    fn plan<N: Node>(
        &mut self,
        facts: &Facts,
        mv: Move,
        number: usize,
        tactical: bool,
        best: Score,
        picker: &mut Picker,
    ) -> Plan {
        if !N::ROOT
            && !best.is_loss()
            && best > -Score::INFINITE
            && self.is_hopeless(facts, mv, number, tactical, picker)
        {
            return Plan::Skip;
        }
        if N::ROOT || Some(mv) != facts.table_move {
            return Plan::Search(0);
        }
        self.singular::<N>(facts, mv)
    }

    /// Whether a move is skipped without being made.
    fn is_hopeless(
        &self,
        facts: &Facts,
        mv: Move,
        number: usize,
        tactical: bool,
        picker: &mut Picker,
    ) -> bool {
        let &Facts { depth, improving, .. } = facts;
        let worth = self.shared.worth;
        if tactical {
            return self.uses(Technique::ExchangePruning)
                && depth <= EXCHANGE_DEPTH
                && !worth.wins(&self.position, mv, capture_loss(depth));
        }
        if self.uses(Technique::LateMoves)
            && depth <= LATE_MOVE_DEPTH
            && number > late_moves(depth, improving)
        {
            picker.skip_quiets();
            return true;
        }
        let reduced = (depth - self.reduction(depth, number) / 1024).max(0);
        self.uses(Technique::ExchangePruning)
            && reduced <= EXCHANGE_DEPTH
            && !worth.wins(&self.position, mv, quiet_loss(reduced))
    }

    /// How good a quiet move was so far.
    fn quiet_history(&self, ply: usize, side: Color, mv: Move) -> i32 {
        let history = &self.memory.history;
        let arrival = history.arrival(&self.position, mv);
        let [one, two, _] = self.arrivals(ply);
        history.quiet(side, mv)
            + history.continuation(one, arrival)
            + history.continuation(two, arrival)
    }

    /// If all moves but the table's fail low, that one is searched deeper; if they do not, and the
    /// node is likely to be cut by several, it is cut now.
    fn singular<N: Node>(&mut self, facts: &Facts, mv: Move) -> Plan {
        let &Facts { depth, ply, beta, cut, .. } = facts;
        let Some(entry) = facts.entry else { return Plan::Search(0) };
        if !self.uses(Technique::Singular)
            || depth < SINGULAR_DEPTH
            || self.frame(ply).excluded.is_some()
            || entry.score.is_mate()
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) < depth - 3
            || ply as i32 >= 2 * self.depth
        {
            return Plan::Search(0);
        }
        let limit = singular_beta(entry.score, depth);
        let saved = (self.frame(ply).check, self.frame(ply).arrival);
        self.frame(ply).excluded = Some(mv);
        let line = if N::PV { std::mem::take(&mut self.frame(ply).line) } else { Vec::new() };
        let score = self.search::<Scout>((depth - 1) / 2, ply, limit - 1, limit, cut);
        self.frame(ply).excluded = None;
        if N::PV {
            self.frame(ply).line = line;
        }
        (self.frame(ply).check, self.frame(ply).arrival) = saved;
        if self.aborted {
            return Plan::Search(0);
        }
        if score < limit {
            let doubled = self.frame(ply).double_extensions;
            let twice =
                !N::PV && score < limit - DOUBLE_EXTENSION_MARGIN && doubled < DOUBLE_EXTENSIONS;
            return Plan::Search(if twice { 2 } else { 1 });
        }
        if !N::PV && limit >= beta {
            return Plan::Return(limit);
        }
        Plan::Search(if entry.score >= beta {
            -2
        } else if cut {
            -1
        } else {
            0
        })
    }

    /// Makes a move and searches what comes of it: late moves shallower first, all but the first
    /// with a closed window first. The caller takes the move back.
    fn search_move<N: Node>(
        &mut self,
        facts: &Facts,
        mv: Move,
        number: usize,
        tactical: bool,
        extension: i32,
        alpha: Score,
    ) -> Score {
        let &Facts { depth, ply, beta, check, cut, .. } = facts;
        let side = self.position.side();
        let history = if tactical { 0 } else { self.quiet_history(ply, side, mv) };
        if N::PV {
            // A move that fails high with a closed window has no line behind it.
            self.frame(ply + 1).line.clear();
        }
        self.make(ply, mv);
        let gives_check = self.frame(ply + 1).check;
        let doubled = self.frame(ply).double_extensions + u8::from(extension >= 2);
        self.frame(ply + 1).double_extensions = doubled;
        let depth = depth - 1 + extension;
        let mut score = alpha + 1;
        let mut full = !N::PV || number > 1;
        if facts.depth >= REDUCTION_DEPTH
            && number > 1 + usize::from(N::ROOT)
            && self.uses(Technique::Reductions)
            && (!tactical || cut || number > 3)
        {
            let mut reduction = self.reduction(facts.depth, number);
            if tactical {
                reduction /= 2;
            }
            reduction -= 1024 * i32::from(N::PV);
            reduction += 1024 * i32::from(cut);
            reduction -= 700 * i32::from(gives_check);
            reduction -= 700 * i32::from(check);
            reduction += 700 * i32::from(!facts.improving && !check);
            reduction += 700 * i32::from(facts.table_captures && !tactical);
            reduction += 512 * i32::from(self.frame(ply + 1).cutoffs > 3);
            reduction -= history * 1024 / HISTORY_PER_PLY;
            if self.earlier(ply, 0).killers.contains(&Some(mv)) {
                reduction -= 1024;
            }
            let reduced = (depth - reduction / 1024).clamp(1.min(depth), depth);
            score = -self.search::<Scout>(reduced, ply + 1, -alpha - 1, -alpha, true);
            full = score > alpha && reduced < depth;
            if self.aborted {
                return score;
            }
        }
        if full {
            score = -self.search::<Scout>(depth, ply + 1, -alpha - 1, -alpha, !cut);
        }
        if N::PV && !self.aborted && (number == 1 || score > alpha && (N::ROOT || score < beta)) {
            score = -self.search::<Pv>(depth, ply + 1, -beta, -alpha, false);
        }
        score
    }

    /// Whether a move of the root is to be searched for the line that is wanted.
    fn is_wanted_root(&self, mv: Move) -> bool {
        self.roots[self.rank..].iter().any(|root| root.mv == mv)
    }

    /// Notes what the search of a root move came to.
    fn note_root(&mut self, mv: Move, score: Score, alpha: Score, number: usize, nodes: u64) {
        let (depth, seldepth) = (self.depth, self.seldepth);
        let below = self.earlier(1, 0).line.clone();
        let Some(root) = self.roots.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number == 1 || score > alpha {
            (root.score, root.depth, root.seldepth) = (score, depth, seldepth);
            root.line.clear();
            root.line.push(mv);
            root.line.extend(below);
        } else {
            root.score = -Score::INFINITE;
        }
    }
}
