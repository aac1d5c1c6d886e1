//! Principal-variation search of one node.

use super::params::*;
use super::technique::Technique;
use super::worker::Worker;
use super::{MAX_PLY, Score};
use crate::engine::history::Arrival;
use crate::engine::picker::{Guide, Picker, is_tactical};
use crate::engine::table::{Bound, Entry};
use crate::rules::{Color, Move, Tag};

/// What sort of node is searched.
pub(super) trait Node {
    /// Its window is open: it may be on the best line.
    const PV: bool;
    /// It is the root.
    const ROOT: bool;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct Scout;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows before it tries its moves.
struct Facts {
    depth: i32,
    ply: usize,
    alpha: Score,
    beta: Score,
    /// A cut is expected.
    cut: bool,
    check: bool,
    eval: Score,
    improving: bool,
    entry: Option<Entry>,
    table_move: Option<Move>,
    table_captures: bool,
}

/// What a node does with a move.
enum Plan {
    Skip,
    /// Searches it, by so many plies deeper than a ply less.
    Search(i32),
    /// The node is decided.
    Return(Score),
}

impl Worker<'_> {
    /// Searches the root; the moves that raise alpha are noted in `roots`.
    pub fn search_root(&mut self, depth: i32, alpha: Score, beta: Score) -> Score {
        let check = self.is_check();
        self.frame(0).check = check;
        self.search::<Root>(depth, 0, alpha, beta, false)
    }

    /// The score of the position for the side to move, `depth` plies deep, within a window.
    ///
    /// `frame(ply).check` and `.arrival` have been set by whoever made the move.
    pub fn search<N: Node>(
        &mut self,
        depth: i32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<N>(ply, 0, alpha, beta);
        }
        if N::PV {
            self.frame(ply).line.clear();
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.must_abort() {
            return Score::DRAW;
        }
        let key = self.position.key();
        let excluded = self.frame(ply).excluded;
        // Read early: it takes a while to come.
        let entry = if excluded.is_none() { self.shared.table.probe(key, ply) } else { None };
        if !N::ROOT {
            if let Some(score) = self.known_score(ply) {
                return score;
            }
            if self.uses(Technique::MateDistance) {
                alpha = alpha.max(Score::mated_in(ply));
                beta = beta.min(Score::mate_in(ply + 1));
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        if !N::PV
            && let Some(score) = self.table_score(entry, depth, alpha, beta)
        {
            return score;
        }
        let mut facts = self.facts(depth, ply, alpha, beta, cut, entry);
        if !N::PV
            && excluded.is_none()
            && !facts.check
            && let Some(score) = self.prune_node(&mut facts)
        {
            return score;
        }
        if self.aborted {
            return Score::DRAW;
        }
        if excluded.is_none()
            && self.uses(Technique::Iir)
            && facts.depth >= IIR_DEPTH
            && facts.table_move.is_none()
            && (N::PV || cut)
            && !N::ROOT
        {
            facts.depth -= 1;
        }
        self.search_moves::<N>(&facts)
    }

    /// The score of a node that needs no search: decided by a rule, or too deep.
    fn known_score(&mut self, ply: usize) -> Option<Score> {
        let known = self.position.decided().or_else(|| self.position.repetition_outcome(2));
        if let Some(outcome) = known {
            return Some(self.outcome_score(outcome, ply));
        }
        if self.position.move_count_outcome().is_some() {
            // Mate comes before the count.
            return Some(self.no_moves_score(ply));
        }
        if self.can_capture_royal() {
            return Some(Score::mate_in(ply + 1));
        }
        (ply >= MAX_PLY).then(|| self.evaluate())
    }

    /// Whether the game is won by capturing the royal at once.
    pub fn can_capture_royal(&self) -> bool {
        self.position.variant().royalty_kind() == Some(crate::rules::RoyaltyKind::Captured)
            && self.position.is_attacked(!self.position.side())
    }

    /// The score in the table, if it answers the question of a closed window.
    fn table_score(
        &self,
        entry: Option<Entry>,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let entry = entry.filter(|entry| i32::from(entry.depth) >= depth)?;
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= beta,
            Bound::Upper => entry.score <= alpha,
        };
        // Close to the move count the same position is not worth the same any more.
        let limit = self.position.variant().end().moves;
        let close = limit.is_some_and(|limit| self.position.halfmoves() + 20 >= limit);
        (enough && !close && self.uses(Technique::TableCutoff)).then_some(entry.score)
    }

    /// What is known before any move is tried: the static evaluation, corrected by the table and by
    /// what was learned about such positions.
    fn facts(
        &mut self,
        depth: i32,
        ply: usize,
        alpha: Score,
        beta: Score,
        cut: bool,
        entry: Option<Entry>,
    ) -> Facts {
        let check = self.frame(ply).check;
        self.frame(ply + 1).cutoffs = 0;
        self.frame(ply + 2).killers = [None; 2];
        let mut eval = -Score::INFINITE;
        if check {
            self.frame(ply).eval = None;
        } else if self.frame(ply).excluded.is_some() {
            eval = self.frame(ply).eval.unwrap_or(Score::DRAW);
        } else {
            eval = self.evaluate();
            self.frame(ply).eval = Some(eval);
            if let Some(entry) = entry
                && match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => entry.score > eval,
                    Bound::Upper => entry.score < eval,
                }
            {
                eval = entry.score;
            }
        }
        let this = self.frame(ply).eval;
        let before = self.earlier(ply, 2).eval.or(self.earlier(ply, 4).eval);
        let improving = matches!((this, before), (Some(now), Some(then)) if now > then);
        let table_move = entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv));
        Facts {
            depth,
            ply,
            alpha,
            beta,
            cut,
            check,
            eval,
            improving,
            entry,
            table_move,
            table_captures: table_move.is_some_and(|mv| is_tactical(&self.position, mv)),
        }
    }

    /// The static evaluation, corrected by what searches of such positions found.
    pub fn evaluate(&mut self) -> Score {
        let value = self.memory.evaluate(&self.position);
        let correction = if self.uses(Technique::Correction) {
            self.memory.history.correction(&self.position)
        } else {
            0
        };
        Score::centipawns(value + correction)
    }

    /// Tries to decide a closed node, not in check, without its moves.
    fn prune_node(&mut self, facts: &mut Facts) -> Option<Score> {
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
        let mut moves = crate::rules::MoveList::new();
        self.position.add_legal_moves(&crate::rules::Scope::captures(&self.position), &mut moves);
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

    fn store(&self, ply: usize, mv: Option<Move>, score: Score, depth: i32, bound: Bound) {
        let entry = Entry { mv, score, depth: depth.clamp(0, 127) as u8, bound };
        self.shared.table.store(self.position.key(), ply, entry);
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
    fn arrivals(&self, ply: usize) -> [Arrival; 3] {
        [0, 1, 3].map(|back| self.earlier(ply, back).arrival)
    }

    /// Tries the moves of a node.
    fn search_moves<N: Node>(&mut self, facts: &Facts) -> Score {
        let &Facts { ply, beta, check, .. } = facts;
        let mut alpha = facts.alpha;
        let excluded = self.frame(ply).excluded;
        let lists = std::mem::take(&mut self.frame(ply).lists);
        let mut quiets = std::mem::take(&mut self.frame(ply).quiets);
        let mut captures = std::mem::take(&mut self.frame(ply).captures);
        quiets.clear();
        captures.clear();
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
                uses_capture: self.uses(Technique::CaptureHistory),
            };
            let Some(mv) = picker.next(&self.position, at_once, &guide) else { break };
            if Some(mv) == excluded || N::ROOT && !self.is_wanted_root(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_move(mv, number);
            }
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
                    self.learn(facts, mv, tactical, &quiets, &captures);
                    break;
                }
                alpha = score;
            }
            if Some(mv) != best_move {
                let tried = if tactical { &mut captures } else { &mut quiets };
                if tried.len() < 64 {
                    tried.push(mv);
                }
            }
        }
        let frame = self.frame(ply);
        (frame.lists, frame.quiets, frame.captures) = (picker.into_lists(), quiets, captures);
        if number == 0 {
            return if excluded.is_some() { alpha } else { self.no_moves_score(ply) };
        }
        self.conclude(facts, best, best_move);
        best
    }

    /// Stores what a node came to, and learns by how much its evaluation erred.
    fn conclude(&mut self, facts: &Facts, best: Score, best_move: Option<Move>) {
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
        let telling = match bound {
            Bound::Exact => true,
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
        };
        if quiet && telling {
            let error = best.value() - eval.value();
            self.memory.history.correct(&self.position, error, depth);
        }
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
        let &Facts { depth, alpha, check, eval, improving, .. } = facts;
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
        if self.uses(Technique::Futility)
            && !check
            && reduced <= FUTILITY_DEPTH
            && !alpha.is_win()
            && eval + futility_margin(reduced) <= alpha
        {
            picker.skip_quiets();
            return true;
        }
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
        mut extension: i32,
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
        if gives_check
            && extension == 0
            && self.uses(Technique::CheckExtension)
            && self.position.must_place_royal(self.position.side()).is_none()
            && (ply as i32) < 2 * self.depth
            && depth <= 8
        {
            extension = 1;
        }
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

    /// What a beta cutoff teaches: the move was good, those tried before it were not.
    fn learn(
        &mut self,
        facts: &Facts,
        mv: Move,
        tactical: bool,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let &Facts { depth, ply, .. } = facts;
        let bonus = bonus(depth);
        self.frame(ply).cutoffs += 1;
        if tactical {
            self.learn_capture(mv, bonus);
        } else {
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
        for &other in captures {
            self.learn_capture(other, -bonus);
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

    fn learn_capture(&mut self, mv: Move, bonus: i32) {
        if let Some(captured) = self.position.at(mv.to()) {
            let arrival = self.memory.history.arrival(&self.position, mv);
            self.memory.history.update_capture(arrival, captured.kind(), bonus);
        }
    }
}
