//! Principal-variation search of one node: what is known of it, and whether that is enough.

use super::technique::Technique;
use super::worker::Worker;
use super::{MAX_PLY, Score};
use crate::engine::picker::is_tactical;
use crate::engine::table::Entry;
use garrison_rules::{Move, RoyaltyKind, Scope};

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
pub(super) struct Facts {
    pub depth: i32,
    pub ply: usize,
    pub alpha: Score,
    pub beta: Score,
    /// A cut is expected.
    pub cut: bool,
    pub check: bool,
    pub eval: Score,
    pub improving: bool,
    pub entry: Option<Entry>,
    pub table_move: Option<Move>,
    pub table_captures: bool,
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
        if self.enter::<N>(ply) {
            return Score::DRAW;
        }
        let key = self.position.key();
        let excluded = self.frame(ply).excluded;
        // Read early: it takes a while to come.
        let entry = if excluded.is_none() { self.shared.table.probe(key, ply) } else { None };
        if !N::ROOT {
            if let Some(score) = self.known_score::<N>(ply) {
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
        let facts = self.facts(depth, ply, alpha, beta, cut, entry);
        if !N::PV
            && excluded.is_none()
            && !facts.check
            && let Some(score) = self.prune_node(&facts)
        {
            return score;
        }
        if self.aborted {
            return Score::DRAW;
        }
        self.search_moves::<N>(&facts)
    }

    /// Counts a node that is entered; whether the search must be broken off there.
    #[inline]
    pub(super) fn enter<N: Node>(&mut self, ply: usize) -> bool {
        if N::PV {
            self.frame(ply).line.clear();
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.must_abort()
    }

    /// The score of a node that needs no search: decided by a rule, or too deep.
    fn known_score<N: Node>(&mut self, ply: usize) -> Option<Score> {
        if let Some(score) = self.known_end(ply) {
            return Some(score);
        }
        if let Some(score) = self.royal_capture::<N>(ply) {
            return Some(score);
        }
        (ply >= MAX_PLY).then(|| self.evaluate())
    }

    /// The score of a game that a rule has decided, not by want of moves.
    pub(super) fn known_end(&self, ply: usize) -> Option<Score> {
        let known = self.position.decided().or_else(|| self.position.repetition_outcome(2));
        if let Some(outcome) = known {
            return Some(self.outcome_score(outcome, ply));
        }
        // Mate comes before the count.
        self.position.move_count_outcome().map(|_| self.no_moves_score(ply))
    }

    /// The score of a position that capturing the royal wins at once; an open line ends with that.
    pub(super) fn royal_capture<N: Node>(&mut self, ply: usize) -> Option<Score> {
        let other = !self.position.side();
        if self.position.variant().royalty_kind() != Some(RoyaltyKind::Captured)
            || !self.position.is_attacked(other)
        {
            return None;
        }
        if N::PV {
            let royal = self.position.royal_square(other);
            let captures = self.position.legal_moves_in(&Scope::captures(&self.position));
            self.frame(ply).line.extend(captures.into_iter().find(|mv| Some(mv.to()) == royal));
        }
        Some(Score::mate_in(ply + 1))
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
        // Close to the move count the same position is not worth the same any more.
        let limit = self.position.variant().end().moves;
        let close = limit.is_some_and(|limit| self.position.halfmoves() + 20 >= limit);
        (entry.decides(alpha, beta) && !close && self.uses(Technique::TableCutoff))
            .then_some(entry.score)
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
                && entry.bound.corrects(entry.score, eval)
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
}
