//! Iterative deepening: iterations with aspiration windows, what is reported of them, and when to stop.

use std::sync::atomic::Ordering;

use super::params;
use super::root_moves::RootMove;
use super::technique::Technique;
use super::worker::Worker;
use super::{MAX_PLY, Score, SearchEvent, SearchInfo, SearchResult};
use crate::endings::line;
use crate::engine::ending_tables::Lookup;
use crate::engine::time::IterationStats;
use garrison_rules::Move;

/// How stable the best move and its score have been over the iterations.
struct Stability {
    best: Move,
    /// For how many iterations it has been the best.
    stable_for: u32,
    /// The scores so far as an exponential moving average, in centipawns.
    average_score: Option<i32>,
}

impl Stability {
    fn new(best: Move) -> Stability {
        Stability { best, stable_for: 0, average_score: None }
    }

    /// Adds the best line of an iteration; returns by how many centipawns its score is below the average.
    fn update(&mut self, line: &RootMove) -> i32 {
        self.stable_for = if line.mv == self.best { self.stable_for + 1 } else { 0 };
        self.best = line.mv;
        let value = line.score.value();
        let score_drop = self.average_score.map_or(0, |average| average - value);
        let weight = params::time_score_average_weight();
        let average = |average: i32| (weight * average + value) / (weight + 1);
        self.average_score = Some(self.average_score.map_or(value, average));
        score_drop
    }
}

impl Worker<'_> {
    /// Iterates until a limit or a stop, and reports each iteration: the work of the main thread.
    pub fn deepen(&mut self) -> SearchResult {
        let mut stability = Stability::new(self.root_moves[0].mv);
        while self.depth < self.max_depth() {
            self.next_iteration();
            self.search_mate();
            self.extend_lines();
            self.publish_nodes();
            self.report_iteration();
            if self.aborted {
                break;
            }
            let score_drop = stability.update(&self.root_moves[0]);
            let stats = IterationStats {
                depth: self.depth,
                stable_for: stability.stable_for,
                score_drop,
                effort: self.effort,
                root_moves: self.root_moves.len(),
            };
            if self.should_stop(&stats) {
                break;
            }
        }
        if self.root_moves[0].depth == 0 {
            self.report_static_evaluation();
        }
        let pv = &self.root_moves[0].pv;
        SearchResult { best: pv.first().copied(), ponder: pv.get(1).copied() }
    }

    /// Iterates without reports until the main thread has finished: the work of the other threads.
    pub fn help(&mut self) {
        while self.depth < self.max_depth() && !self.aborted {
            self.next_iteration();
        }
        self.publish_nodes();
    }

    /// One more iteration, at the depth that is next for this thread.
    fn next_iteration(&mut self) {
        self.tables = self.shared.tables.as_ref().map(Lookup::snapshot);
        let depth = self.shared.scheduler.next_depth(self.id).min(self.max_depth());
        self.iterate(depth, self.line_count());
    }

    /// The depth of the last iteration, in plies.
    fn max_depth(&self) -> i32 {
        let deepest = MAX_PLY as u32 - 1;
        self.shared.limits.depth.unwrap_or(deepest).clamp(1, deepest) as i32
    }

    /// The number of best lines that are searched and reported.
    fn line_count(&self) -> usize {
        self.shared.limits.multi_pv.clamp(1, self.root_moves.len().max(1))
    }

    /// One iteration: searches the best lines one after the other, each beginning with another move.
    /// They come first in `root_moves` afterwards.
    pub fn iterate(&mut self, depth: i32, lines: usize) {
        (self.depth, self.iterating) = (depth, true);
        self.root_moves.forget_scores();
        for pv_index in 0..lines {
            self.pv_index = pv_index;
            self.seldepth = 0;
            self.search_with_aspiration(depth);
            self.root_moves.sort_from(pv_index);
            if self.aborted {
                break;
            }
        }
        self.root_moves.sort_lines(lines);
        self.iterating = false;
        if !self.aborted {
            self.effort = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
            self.shared.scheduler.publish(depth, &self.root_moves[..lines], self.effort);
        } else if self.overtaken {
            (self.aborted, self.overtaken) = (false, false);
            self.adopt_published();
        } else if self.root_moves[0].score == -Score::INFINITE
            && self.shared.scheduler.finished_depth() > self.root_moves[0].depth
        {
            self.adopt_published();
        }
    }

    /// Goes on from the deepest finished iteration, whichever thread finished it.
    fn adopt_published(&mut self) {
        let (depth, finished) = self.shared.scheduler.deepest_finished();
        (self.depth, self.effort) = (depth, finished.effort);
        self.root_moves.adopt(finished.lines);
    }

    /// Aspiration windows: searches the root with a narrow window around the score of the last iteration,
    /// and widens it until the score is inside.
    fn search_with_aspiration(&mut self, depth: i32) {
        let expected = self.root_moves[self.pv_index].previous_score;
        let narrow = depth >= params::aspiration_min_depth()
            && self.uses(Technique::Aspiration)
            && !expected.is_mate()
            && expected > -Score::INFINITE;
        let mut delta = params::aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if narrow {
            (alpha, beta) = (expected - delta, expected + delta);
        }
        // A fail high finds the best move; its score is then searched at less depth.
        let mut reduction = 0;
        loop {
            let score = self.search_root((depth - reduction).max(1), alpha, beta);
            if self.aborted {
                return;
            }
            self.root_moves.sort_from(self.pv_index);
            let is_wide = delta > params::aspiration_max_window();
            if score <= alpha && alpha > -Score::INFINITE {
                beta = Score::centipawns((alpha.value() + beta.value()) / 2);
                alpha = if is_wide { -Score::INFINITE } else { score - delta };
                reduction = 0;
            } else if score >= beta && beta < Score::INFINITE {
                beta = if is_wide { Score::INFINITE } else { score + delta };
                reduction = (reduction + 1).min(params::aspiration_max_reduction());
            } else {
                return;
            }
            delta += delta * params::aspiration_growth() / 100 + params::aspiration_growth_base();
        }
    }

    /// Goes on with the lines of wins and losses that end in a table, to the end of the game.
    fn extend_lines(&mut self) {
        let Some(tables) = &self.tables else { return };
        for at in 0..self.line_count() {
            let RootMove { pv, .. } = &self.root_moves[at];
            let score = self.root_moves[at].last_score();
            let Some(plies) = score.mate_distance() else { continue };
            if pv.len() >= plies.unsigned_abs() as usize {
                continue;
            }
            let mut end = self.position.without_history();
            pv.iter().for_each(|&mv| end.make(mv));
            if tables.score(&end, 0).is_some_and(Score::is_mate) {
                self.root_moves[at].pv.extend(line(tables.endings(), &end));
            }
        }
    }

    /// Whether to stop after an iteration: the limits' mate is found, the shortest mate is proven, or no time is
    /// left for another iteration.
    fn should_stop(&self, stats: &IterationStats) -> bool {
        let shared = self.shared;
        if shared.limits.mate.is_some_and(|moves| self.root_moves[0].is_mate_within(moves)) {
            return true;
        }
        let proven = self.mate_search.is_done() && shared.limits.clock.is_some();
        !shared.control.is_pondering()
            && (proven || shared.time().should_stop(shared.control.elapsed(), stats))
    }

    /// Reports the lines of an iteration. If it was aborted, the lines that it has finished come first, then those
    /// of the iteration before.
    fn report_iteration(&mut self) {
        let found = self.root_moves.iter().filter(|line| line.depth > 0).take(self.line_count());
        let infos = (1..).zip(found).map(|(multipv, line)| self.info(multipv, line)).collect();
        self.report(self.depth, infos);
    }

    /// Reports the lines that another thread has found, while this one is at a deeper iteration.
    pub fn report_published(&mut self) {
        let (depth, finished) = self.shared.scheduler.deepest_finished();
        let infos = (1..).zip(&finished.lines).map(|(multipv, line)| self.info(multipv, line));
        let infos = infos.collect();
        self.report(depth, infos);
    }

    /// Reports the first move, at depth 0, of a search that was stopped before any line was finished: a move never
    /// comes without a score.
    fn report_static_evaluation(&mut self) {
        self.root_moves[0].previous_score = self.evaluate(0);
        let info = self.info(1, &self.root_moves[0]);
        self.report(0, vec![info]);
    }

    fn report(&mut self, depth: i32, infos: Vec<SearchEvent>) {
        self.reported_depth = depth;
        if let Some(on_event) = &mut self.on_event {
            infos.iter().for_each(on_event);
        }
    }

    /// Reports which move of the root is being searched.
    pub fn report_current_move(&mut self, mv: Move, move_count: usize) {
        let (depth, time) = (self.depth as u32, self.shared.control.age());
        let number = self.pv_index + move_count;
        if let Some(on_event) = &mut self.on_event {
            on_event(&SearchEvent::CurrentMove { depth, mv, number, time });
        }
    }

    fn info(&self, multipv: usize, line: &RootMove) -> SearchEvent {
        SearchEvent::Info(SearchInfo {
            depth: line.depth as u32,
            multipv,
            seldepth: line.seldepth,
            score: line.last_score(),
            nodes: self.shared.nodes.load(Ordering::Relaxed),
            time: self.shared.control.age(),
            hashfull: self.shared.tt.permille(),
            pv: line.pv.clone(),
        })
    }
}
