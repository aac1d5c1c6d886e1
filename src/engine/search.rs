//! Iterative-deepening alpha-beta.

use std::time::Duration;

use super::limits::{Control, Limits};
use super::ordering::{History, Picker, is_tactical};
use super::table::{Bound, Entry, Table};
use super::{MAX_PLY, Score, evaluate};
use crate::rules::{Move, MoveList, Outcome, Position, Scope};

/// What a search knows after an iteration.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Plies searched.
    pub depth: u32,
    /// The place of this line among those reported together, from 1 for the best.
    pub multipv: usize,
    /// Plies of the longest line looked at.
    pub seldepth: usize,
    /// The score of the side to move.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// The best line.
    pub pv: Vec<Move>,
}

/// What a search ends with: nothing if the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The best move.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
}

/// A line that an iteration found.
#[derive(Debug, Clone)]
struct Line {
    depth: u32,
    seldepth: usize,
    score: Score,
    pv: Vec<Move>,
}

/// One search of one position.
pub struct Search<'a> {
    position: Position,
    limits: &'a Limits,
    control: &'a Control,
    table: &'a Table,
    history: History,
    /// The best lines from each ply on.
    lines: Vec<Vec<Move>>,
    nodes: u64,
    seldepth: usize,
    aborted: bool,
    /// No iteration begins after the first, none goes on after the second.
    time: Option<(Duration, Duration)>,
}

/// How often time and stop are looked at, in nodes.
const CHECK_EVERY: u64 = 256;

impl<'a> Search<'a> {
    /// A search of this position; its past counts for repetition.
    pub fn new(
        position: &Position,
        limits: &'a Limits,
        control: &'a Control,
        table: &'a Table,
    ) -> Search<'a> {
        table.next_generation();
        Search {
            time: limits.time_for(position.side()),
            position: position.clone(),
            limits,
            control,
            table,
            history: History::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            seldepth: 0,
            aborted: false,
        }
    }

    /// The positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches until a limit or a stop, telling every finished iteration: its lines, best first.
    pub fn run(&mut self, mut report: impl FnMut(&Progress)) -> Found {
        let nothing = Found { best: None, ponder: None };
        if self.position.status().outcome().is_some() {
            return nothing;
        }
        let mut moves = self.position.legal_moves();
        if !self.limits.search_moves.is_empty() {
            moves.retain(|mv| self.limits.search_moves.contains(mv));
        }
        let Some(&first) = moves.first() else {
            return nothing;
        };
        let mut found = Found { best: Some(first), ponder: None };
        let deepest = self.limits.depth.unwrap_or(MAX_PLY as u32 - 1).clamp(1, MAX_PLY as u32 - 1);
        let mut lines: Vec<Line> = Vec::new();
        for depth in 1..=deepest {
            let fresh = self.iterate(&mut moves, depth);
            if let Some(best) = fresh.first() {
                let [best, ponder] = [best.pv.first().copied(), best.pv.get(1).copied()];
                found = Found { best, ponder };
                lines = self.completed(fresh, lines, moves.len());
                for (index, line) in lines.iter().enumerate() {
                    report(&self.progress(index + 1, line));
                }
            }
            let score = lines.first().map_or(-Score::INFINITE, |line| line.score);
            if self.aborted || self.is_enough(score, moves.len()) {
                break;
            }
        }
        found
    }

    /// How many lines are wanted of this many moves.
    fn wanted(&self, moves: usize) -> usize {
        self.limits.multi_pv.clamp(1, moves.max(1))
    }

    /// One iteration: the best lines, best first, each beginning with another move. Their moves come
    /// first in `moves` afterwards. There may be fewer if it is broken off.
    fn iterate(&mut self, moves: &mut [Move], depth: u32) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for rank in 0..self.wanted(moves.len()) {
            self.seldepth = 0;
            let score = self.search_root(&mut moves[rank..], depth);
            if !self.lines[0].is_empty() {
                lines.push(Line {
                    depth,
                    seldepth: self.seldepth,
                    score,
                    pv: self.lines[0].clone(),
                });
            }
            if self.aborted {
                break;
            }
        }
        // What the table learned on the way can make a later line the better one.
        lines.sort_by_key(|line| -line.score);
        for (rank, line) in lines.iter().enumerate() {
            if let Some(at) = moves.iter().position(|mv| line.pv.first() == Some(mv))
                && at > rank
            {
                moves[rank..=at].rotate_right(1);
            }
        }
        lines
    }

    /// The lines of an iteration; behind those of one that was broken off come the best of the one
    /// before it, with their depth, as far as they begin with other moves.
    fn completed(&self, fresh: Vec<Line>, before: Vec<Line>, moves: usize) -> Vec<Line> {
        let mut lines = fresh;
        for line in before {
            if lines.len() >= self.wanted(moves) {
                break;
            }
            if lines.iter().all(|other| other.pv.first() != line.pv.first()) {
                lines.push(line);
            }
        }
        lines
    }

    fn progress(&self, multipv: usize, line: &Line) -> Progress {
        Progress {
            depth: line.depth,
            multipv,
            seldepth: line.seldepth,
            score: line.score,
            nodes: self.nodes,
            time: self.control.age(),
            hashfull: self.table.permille(),
            pv: line.pv.clone(),
        }
    }

    /// Whether no further iteration is worth its time.
    fn is_enough(&self, score: Score, moves: usize) -> bool {
        let mate = score.mate_distance().filter(|&plies| plies > 0);
        if let (Some(wanted), Some(plies)) = (self.limits.mate, mate)
            && (plies as u32).div_ceil(2) <= wanted
        {
            return true;
        }
        if self.control.is_pondering() {
            return false;
        }
        let only_move = moves == 1 && self.limits.clock.is_some();
        only_move || self.time.is_some_and(|(soft, _)| self.control.elapsed() >= soft)
    }

    fn must_abort(&mut self) -> bool {
        if self.nodes.is_multiple_of(CHECK_EVERY)
            || self.limits.nodes.is_some_and(|most| self.nodes >= most)
        {
            let over_time = || self.time.is_some_and(|(_, hard)| self.control.elapsed() >= hard);
            let over_nodes = || self.limits.nodes.is_some_and(|most| self.nodes >= most);
            let limited = !self.control.is_pondering() && (over_nodes() || over_time());
            self.aborted |= limited || self.control.is_stopped();
        }
        self.aborted
    }

    /// One iteration. The best move comes first in `moves` afterwards; an iteration that is broken
    /// off still counts for the moves it finished.
    fn search_root(&mut self, moves: &mut [Move], depth: u32) -> Score {
        self.lines[0].clear();
        let mut alpha = -Score::INFINITE;
        for index in 0..moves.len() {
            let mv = moves[index];
            self.position.make(mv);
            let score = self.search_child(depth - 1, 1, alpha, Score::INFINITE, index > 0);
            self.position.unmake();
            if self.aborted {
                break;
            }
            if score > alpha {
                alpha = score;
                self.take_line(0, mv);
                moves[..=index].rotate_right(1);
            }
        }
        alpha
    }

    /// A child of a node: with a null window first, if it is not the first.
    fn search_child(
        &mut self,
        depth: u32,
        ply: usize,
        alpha: Score,
        beta: Score,
        scout: bool,
    ) -> Score {
        if scout {
            let score = -self.search(depth, ply, -alpha - 1, -alpha);
            if score <= alpha || score >= beta || self.aborted {
                return score;
            }
        }
        -self.search(depth, ply, -beta, -alpha)
    }

    /// Makes `mv` followed by the best line of the next ply the best line of this one.
    fn take_line(&mut self, ply: usize, mv: Move) {
        let (this, next) = self.lines.split_at_mut(ply + 1);
        this[ply].clear();
        this[ply].push(mv);
        this[ply].extend_from_slice(&next[0]);
    }

    /// The score of a game that is over.
    fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == self.position.side() => Score::mate_in(ply),
            Some(_) => Score::mated_in(ply),
        }
    }

    fn search(&mut self, depth: u32, ply: usize, mut alpha: Score, beta: Score) -> Score {
        self.lines[ply].clear();
        // A check is answered before the position is judged.
        let depth = if self.position.is_check() && ply < MAX_PLY / 2 { depth + 1 } else { depth };
        if depth == 0 || ply >= MAX_PLY {
            return self.quiesce(ply, alpha, beta);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.must_abort() {
            return Score::DRAW;
        }
        let known = self.position.decided().or_else(|| self.position.repetition_outcome(2));
        if let Some(outcome) = known {
            return self.outcome_score(outcome, ply);
        }
        let key = self.position.key();
        let entry = self.table.probe(key, ply);
        if let Some(entry) = entry.filter(|entry| u32::from(entry.depth) >= depth) {
            let enough = match entry.bound {
                Bound::Exact => beta == alpha + 1,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if enough {
                return entry.score;
            }
        }
        let mut moves = MoveList::new();
        self.position.add_legal_moves(&Scope::ALL, &mut moves);
        if moves.is_empty() || self.position.move_count_outcome().is_some() {
            let outcome = self.position.status().outcome();
            return outcome.map_or(Score::DRAW, |outcome| self.outcome_score(outcome, ply));
        }
        let before = alpha;
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        let picker =
            Picker::new(&self.position, &moves, entry.and_then(|entry| entry.mv), &self.history);
        for (index, mv) in picker.enumerate() {
            self.position.make(mv);
            let score = self.search_child(depth - 1, ply + 1, alpha, beta, index > 0);
            self.position.unmake();
            if self.aborted {
                return Score::DRAW;
            }
            if score > best {
                best = score;
            }
            if score > alpha {
                (alpha, best_move) = (score, Some(mv));
                self.take_line(ply, mv);
            }
            if score >= beta {
                if !is_tactical(&self.position, mv) {
                    self.history.reward(&self.position, mv, depth);
                }
                break;
            }
        }
        let bound = match best {
            score if score >= beta => Bound::Lower,
            score if score > before => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry { mv: best_move, score: best, depth: depth.min(127) as u8, bound };
        self.table.store(key, ply, entry);
        best
    }

    /// Captures only, until the position is quiet.
    fn quiesce(&mut self, ply: usize, mut alpha: Score, beta: Score) -> Score {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.lines[ply.min(MAX_PLY)].clear();
        if self.must_abort() {
            return Score::DRAW;
        }
        if let Some(outcome) = self.position.decided() {
            return self.outcome_score(outcome, ply);
        }
        let mut best = evaluate(&self.position);
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        alpha = alpha.max(best);
        let mut captures = MoveList::new();
        self.position.add_legal_moves(&Scope::captures(&self.position), &mut captures);
        let picker = Picker::new(&self.position, &captures, None, &self.history);
        for mv in picker {
            self.position.make(mv);
            let score = -self.quiesce(ply + 1, -beta, -alpha);
            self.position.unmake();
            if self.aborted {
                return Score::DRAW;
            }
            best = best.max(score);
            if score >= beta {
                break;
            }
            if score > alpha {
                alpha = score;
                self.take_line(ply, mv);
            }
        }
        best
    }
}
