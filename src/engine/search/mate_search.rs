//! The search for the shortest mate, after each iteration of the main thread: all moves of both sides are tried,
//! one move deeper each time, with a share of the nodes. Iterations see most mates sooner, but their pruning
//! and reductions may hide the shortest. A mate here is any win, by whichever rule of the game.
//!
//! "Within n" counts moves of the side that mates.

use super::Score;
use super::node::NonPv;
use super::params;
use super::technique::Technique;
use super::worker::Worker;
use crate::engine::picker::{TACTICAL_ORDER, is_tactical};
use garrison_rules::{Key, Move, Scope};

/// The longest mate that is searched for, in moves.
const MAX_MOVES: usize = 12;

/// The number of entries, a power of two.
const ENTRIES: usize = 1 << 16;

/// What is proven of a position with the attacker to move.
#[derive(Debug, Clone, Copy)]
struct ProofEntry {
    key: Key,
    /// There is no mate within so many moves.
    no_mate_within: u8,
    /// There is a mate within so many moves.
    mate_within: u8,
}

impl ProofEntry {
    /// An entry that says nothing.
    fn unknown(key: Key) -> ProofEntry {
        ProofEntry { key, no_mate_within: 0, mate_within: u8::MAX }
    }
}

/// The state of the mate search between iterations.
#[derive(Debug, Default)]
pub(super) struct MateSearch {
    proofs: Vec<ProofEntry>,
    /// For each number of moves to go, the defense that last refuted a move.
    refutations: [Option<Move>; MAX_MOVES + 1],
    /// There is no mate within so many moves of the root.
    no_mate_within: usize,
    /// The shortest mate that was found outside of the iterations: its score and its line.
    found: Option<(Score, Vec<Move>)>,
    /// No mate is shorter.
    is_done: bool,
    /// The nodes spent so far.
    nodes: u64,
    /// The number of the thread's nodes at which it pauses.
    node_limit: u64,
}

impl MateSearch {
    /// Whether the shortest mate is proven.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    fn proof(&self, key: Key) -> ProofEntry {
        let proof = self.proofs[key as usize % ENTRIES];
        if proof.key == key { proof } else { ProofEntry::unknown(key) }
    }
}

impl Worker<'_> {
    /// Continues the search for a win by checks, if a mate is asked for, and that for the shortest mate. What they find
    /// becomes the best line of the root, unless the iterations have found a better one.
    pub(super) fn search_mate(&mut self) {
        if !self.aborted {
            let found = self.search_proof(self.iteration_nodes());
            self.mate_search.found = found.or(self.mate_search.found.take());
        }
        if self.uses(Technique::ShortestWin) && !self.mate_search.is_done() && !self.aborted {
            self.continue_mate_search();
        }
        let Some((score, pv)) = &self.mate_search.found else { return };
        let best = &self.root_moves[0];
        if (best.score, best.pv.len()) >= (*score, pv.len()) {
            return;
        }
        let is_first = |mv| Some(mv) == pv.first().copied();
        let at = self.root_moves.iter().position(|root| is_first(root.mv)).unwrap_or(0);
        let root_move = &mut self.root_moves[at];
        (root_move.score, root_move.pv, root_move.depth) = (*score, pv.clone(), self.depth);
        self.root_moves.promote(at, 0);
    }

    /// The nodes of the iterations alone.
    fn iteration_nodes(&self) -> u64 {
        self.nodes - self.mate_search.nodes - self.proof_search.nodes()
    }

    /// The best score of the root and its line, whichever search found them.
    fn best_known(&self) -> (Score, &[Move]) {
        let best = &self.root_moves[0];
        let known = (best.last_score(), &best.pv[..]);
        let found = self.mate_search.found.as_ref().map(|(score, line)| (*score, &line[..]));
        found.filter(|found| found.0 > known.0).unwrap_or(known)
    }

    /// Searches longer and longer mates with the nodes that it may spend now.
    fn continue_mate_search(&mut self) {
        let (score, line) = self.best_known();
        let asked = self.shared.limits.mate.map_or(MAX_MOVES, |moves| moves as usize);
        let known = score.mate_moves().filter(|_| score.is_win());
        let longest = known.map_or(asked, |moves| moves as usize - 1).min(MAX_MOVES);
        if self.mate_search.no_mate_within >= longest {
            if known.is_some() {
                self.mate_search.found = Some((score, line.to_vec()));
                self.mate_search.is_done = true;
            }
            return;
        }
        let budget = node_budget(score, self.iteration_nodes(), self.shared.limits.mate.is_some());
        let left = budget.saturating_sub(self.mate_search.nodes);
        if left < params::mate_search_min_nodes() as u64 {
            return;
        }
        if self.mate_search.proofs.is_empty() {
            self.mate_search.proofs = vec![ProofEntry::unknown(0); ENTRIES];
        }
        let nodes_before = self.nodes;
        self.mate_search.node_limit = self.nodes + left;
        for moves in self.mate_search.no_mate_within + 1..=longest {
            let first = self.mating_move(0, moves);
            if self.mate_search_pauses() {
                break;
            }
            if let Some(mv) = first {
                let line = self.mating_line(mv, moves);
                self.mate_search.found = Some((Score::mate_in(2 * moves - 1), line));
                self.mate_search.is_done = true;
                break;
            }
            self.mate_search.no_mate_within = moves;
        }
        self.mate_search.nodes += self.nodes - nodes_before;
    }

    /// Whether the nodes are spent for now. Results after that mean nothing.
    fn mate_search_pauses(&self) -> bool {
        self.aborted || self.nodes >= self.mate_search.node_limit
    }

    /// The legal moves, for loops that generate others meanwhile.
    fn legal_moves(&mut self) -> Vec<Move> {
        self.data.legal_moves(&self.position, &Scope::ALL).to_vec()
    }

    /// A move by which the side to move mates within so many moves, whatever the defense.
    fn mating_move(&mut self, ply: usize, within: usize) -> Option<Move> {
        let moves = if ply == 0 {
            self.root_moves.iter().map(|root_move| root_move.mv).collect()
        } else {
            self.legal_moves()
        };
        let side = self.position.side_to_move();
        let mut others = Vec::new();
        for mv in moves {
            let order = self.data.history.quiet(side, mv)
                + i32::from(is_tactical(&self.position, mv)) * params::mate_search_order_tactical();
            self.make_counted(ply, mv);
            let end = self.end_score();
            // Checks with the fewest replies first: they force most.
            let forcing = within > 1 && end.is_none() && self.is_check();
            let replies = if forcing { self.position.count_legal_moves() } else { u64::MAX };
            self.position.unmake();
            if self.mate_search_pauses() {
                return None;
            }
            match end {
                Some(score) if score.is_loss() => return Some(mv),
                None if within > 1 => others.push((replies, -order, mv)),
                _ => {}
            }
        }
        others.sort_unstable();
        others.into_iter().map(|(_, _, mv)| mv).find(|&mv| {
            self.make_counted(ply, mv);
            let mates = self.all_defenses_fail(ply + 1, within - 1);
            self.position.unmake();
            mates && !self.mate_search_pauses()
        })
    }

    /// Whether after every move of the side to move, the defender, the other side mates within so many moves.
    fn all_defenses_fail(&mut self, ply: usize, within: usize) -> bool {
        for mv in self.ordered_defenses(ply, within) {
            self.make_counted(ply, mv);
            let fails = match self.end_score() {
                Some(score) => score.is_win(),
                None => self.is_mate_within(ply + 1, within),
            };
            self.position.unmake();
            if self.mate_search_pauses() {
                return false;
            }
            if !fails {
                self.mate_search.refutations[within] = Some(mv);
                return false;
            }
        }
        true
    }

    /// The defender's moves. With more than one move to go, those that leave the attacker the fewest moves
    /// come first, as checks do; among equals, the one that helped before, then captures. None if the nodes are
    /// spent.
    fn ordered_defenses(&mut self, ply: usize, within: usize) -> Vec<Move> {
        let refutation = self.mate_search.refutations[within];
        let side = self.position.side_to_move();
        let mut defenses: Vec<((u64, i32), Move)> = Vec::new();
        for mv in self.legal_moves() {
            let mut order = self.data.history.quiet(side, mv);
            if Some(mv) == refutation {
                order = i32::MAX;
            } else if is_tactical(&self.position, mv) {
                order += TACTICAL_ORDER;
            }
            let mut replies = 0;
            if within > 1 {
                self.make_counted(ply, mv);
                replies = self.position.count_legal_moves();
                self.position.unmake();
                if self.mate_search_pauses() {
                    return Vec::new();
                }
            }
            defenses.push(((replies, order.saturating_neg()), mv));
        }
        defenses.sort_unstable();
        defenses.into_iter().map(|(_, mv)| mv).collect()
    }

    /// Whether the side to move mates within so many moves, whatever the defense.
    fn is_mate_within(&mut self, ply: usize, within: usize) -> bool {
        let key = self.position.key();
        let proof = self.mate_search.proof(key);
        if within <= proof.no_mate_within.into() || within >= proof.mate_within.into() {
            return within >= proof.mate_within.into();
        }
        // Shorter mates are found sooner.
        let is_mate = within > 2 && self.is_mate_within(ply, within - 1)
            || !self.mate_search_pauses() && self.mating_move(ply, within).is_some();
        if self.mate_search_pauses() {
            return false;
        }
        let mut proof = self.mate_search.proof(key);
        if is_mate {
            proof.mate_within = proof.mate_within.min(within as u8);
        } else {
            proof.no_mate_within = proof.no_mate_within.max(within as u8);
        }
        self.mate_search.proofs[key as usize % ENTRIES] = proof;
        is_mate
    }

    /// The line of a mate within so many moves that begins with `mv`, against the longest defense.
    fn mating_line(&mut self, mv: Move, within: usize) -> Vec<Move> {
        let mut line = vec![mv];
        self.position.make(mv);
        if let Some((moves, reply)) = self.longest_defense(within) {
            line.push(reply);
            self.position.make(reply);
            if (1..within).contains(&moves)
                && let Some(next) = self.mating_move(1, moves)
            {
                line.extend(self.mating_line(next, moves));
            }
            self.position.unmake();
        }
        self.position.unmake();
        line
    }

    /// The defense after which the attacker, who mates within fewer than `within` moves, needs the most of them,
    /// and how many: 0 if the game is over then, `within` if the nodes were spent. None if the game is over
    /// before, or the search was stopped.
    fn longest_defense(&mut self, within: usize) -> Option<(usize, Move)> {
        if self.end_score().is_some() {
            return None;
        }
        let mut longest = None;
        for reply in self.legal_moves() {
            self.position.make(reply);
            let moves = match self.end_score() {
                Some(_) => 0,
                None => (1..within).find(|&moves| self.is_mate_within(1, moves)).unwrap_or(within),
            };
            self.position.unmake();
            longest = longest.max(Some((moves, reply)));
        }
        longest.filter(|_| !self.aborted)
    }

    /// Makes a move, which counts as a node.
    fn make_counted(&mut self, ply: usize, mv: Move) {
        self.enter::<NonPv>(ply + 1);
        self.position.make(mv);
    }

    /// The score for the side to move if the game is over. Only its sign means anything.
    fn end_score(&self) -> Option<Score> {
        self.game_end_score(0)
            .or_else(|| (!self.position.has_legal_move()).then(|| self.no_moves_score(0)))
    }
}

/// The nodes that the mate search may spend in all, by the nodes of the iterations so far and their score. While
/// no mate is likely or asked for, most nodes are better spent on iterations.
fn node_budget(score: Score, iterations: u64, mate_asked: bool) -> u64 {
    let late = iterations.saturating_sub(params::mate_search_free_nodes() as u64);
    let good = Score::centipawns(params::mate_search_good_score());
    let (nodes, sixteenths) = match score {
        score if score.is_win() => (iterations, params::mate_search_win_share()),
        score if score.is_loss() => (iterations, 0),
        _ if mate_asked => (iterations, params::mate_search_asked_share()),
        score if score >= good => (late, params::mate_search_good_share()),
        _ => (late, params::mate_search_share()),
    };
    nodes * sixteenths as u64 / 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_the_score_the_more_nodes_look_for_mate() {
        let budget = |score| node_budget(score, 1_000_000, false);
        assert_eq!(budget(Score::mate_in(7)), 4_000_000);
        assert_eq!(budget(Score::mated_in(7)), 0);
        assert_eq!(budget(Score::centipawns(300)), 1_700_000);
        assert_eq!(budget(Score::centipawns(299)), 53_125);
        assert_eq!(budget(Score::DRAW), 53_125);
        assert_eq!(node_budget(Score::DRAW, 1_000_000, true), 3_000_000);
        assert_eq!(node_budget(Score::DRAW, 100_000, false), 0);
    }
}
