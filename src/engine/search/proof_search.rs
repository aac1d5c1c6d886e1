//! Proof-number search for a win by a row of checks, where a mate is asked for, after each iteration of the main thread:
//! every move of the side to move at the root gives check or ends the game, and every defense is tried. Long rows of
//! checks, which drops make possible, are found far beyond the depth of the iterations. Where no royal can be in check,
//! all moves are tried.
//!
//! The numbers of a node say how much has to be done to prove the win, or that there is none. The search is depth-first
//! with limits (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002); of the numbers that are
//! added up there, the greatest counts with one for each other open move (weak proof numbers: Ueda, Hashimoto, Hashimoto
//! and Iida, 2008), as many lines lead to the same positions.

use super::node::NonPv;
use super::technique::Technique;
use super::worker::Worker;
use super::{MAX_PLY, Score, params};
use crate::engine::memory::is_left;
use garrison_rules::game::RoyaltyKind;
use garrison_rules::{Key, Move, Scope};

/// The fewest and the most entries, powers of two: 24 KiB and 24 MiB.
const ENTRIES: [usize; 2] = [1 << 10, 1 << 20];

/// The entries among which one is replaced.
const BUCKET: usize = 4;

/// The number of what cannot be done.
const NEVER: u32 = 1 << 28;

/// How much has to be done to prove that the attacker wins, or that the attacker does not win by checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const WON: Numbers = Numbers { proof: 0, disproof: NEVER };
    const NOT_WON: Numbers = Numbers { proof: NEVER, disproof: 0 };
    /// The limits of a search that ends with a decision only.
    const DECIDED: Numbers = Numbers { proof: NEVER, disproof: NEVER };

    /// Whether a limit is reached.
    fn reach(self, limit: Numbers) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }
}

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
struct Known {
    numbers: Numbers,
    /// Where the attacker wins: the plies to the end of the game at most.
    plies: u16,
}

impl Known {
    const NOT_WON: Known = Known { numbers: Numbers::NOT_WON, plies: 0 };

    fn won(plies: u16) -> Known {
        Known { numbers: Numbers::WON, plies }
    }

    fn is_won(self) -> bool {
        self.numbers == Numbers::WON
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: Key,
    known: Known,
    /// The nodes that were spent on it.
    effort: u32,
}

impl Entry {
    const EMPTY: Entry = {
        let numbers = Numbers { proof: 1, disproof: 1 };
        Entry { key: 0, known: Known { numbers, plies: 0 }, effort: 0 }
    };
}

/// A move and the position that it leads to.
#[derive(Debug, Clone, Copy)]
struct Child {
    mv: Move,
    known: Known,
    /// The game is over there.
    is_end: bool,
}

/// The state of the search between iterations.
#[derive(Debug, Default)]
pub(super) struct ProofSearch {
    entries: Vec<Entry>,
    /// Whether the root is decided.
    is_done: bool,
    /// The nodes spent so far.
    nodes: u64,
    /// The number of the thread's nodes at which it pauses.
    node_limit: u64,
}

impl ProofSearch {
    /// The nodes spent so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Makes room for what a search of so many nodes finds, as long as there is memory.
    fn make_room(&mut self, nodes: u64) {
        let [fewest, most] = ENTRIES;
        let wanted = (nodes as usize).next_power_of_two().clamp(fewest, most);
        if wanted <= self.entries.len() || !is_left(wanted * size_of::<Entry>()) {
            return;
        }
        let before = std::mem::replace(&mut self.entries, vec![Entry::EMPTY; wanted]);
        for Entry { key, known, effort } in before.into_iter().filter(|entry| entry.effort > 0) {
            self.keep(key, known, effort);
        }
    }

    fn bucket(&self, key: Key) -> std::ops::Range<usize> {
        let first = (key as usize).wrapping_mul(BUCKET) % self.entries.len();
        first..first + BUCKET
    }

    fn find(&self, key: Key) -> Option<Known> {
        let bucket = &self.entries[self.bucket(key)];
        bucket.iter().find(|entry| entry.key == key).map(|entry| entry.known)
    }

    /// Keeps what is known of a position, in place of what is known of the one that took the fewest nodes.
    fn keep(&mut self, key: Key, known: Known, effort: u32) {
        let bucket = self.bucket(key);
        let bucket = &mut self.entries[bucket];
        let of_key = bucket.iter().position(|entry| entry.key == key);
        let least = || (0..BUCKET).min_by_key(|&at| bucket[at].effort);
        let Some(at) = of_key.or_else(least) else { return };
        let before = of_key.map_or(0, |at| bucket[at].effort);
        bucket[at] = Entry { key, known, effort: before.saturating_add(effort) };
    }
}

impl Worker<'_> {
    /// Continues the search, up to a share of the nodes of the iterations, which is large at first; returns the score and the line of a win that
    /// it has found.
    pub(super) fn search_proof(&mut self, iterations: u64) -> Option<(Score, Vec<Move>)> {
        let first = (4 * iterations).min(params::proof_search_first_nodes() as u64);
        let budget = first + iterations * params::proof_search_share() as u64 / 16;
        let left = budget.saturating_sub(self.proof_search.nodes);
        if !self.uses(Technique::CheckWins)
            || self.shared.limits.mate.is_none()
            || self.proof_search.is_done
            || self.position.setup_phase().is_pending()
            || left < params::proof_search_min_nodes() as u64
        {
            return None;
        }
        self.proof_search.make_room(budget);
        if self.proof_search.entries.is_empty() {
            return None;
        }
        let nodes_before = self.nodes;
        self.proof_search.node_limit = self.nodes + left;
        let known = self.prove(0, Numbers::DECIDED);
        let is_decided = known.numbers.proof == 0 || known.numbers.disproof == 0;
        self.proof_search.is_done = is_decided && !self.aborted;
        let found = known.is_won().then(|| {
            // The line asks for what the table may have lost.
            self.proof_search.node_limit = self.nodes + left;
            (Score::mate_in(known.plies.into()), self.proven_line())
        });
        self.proof_search.nodes += self.nodes - nodes_before;
        found.filter(|(_, line)| !line.is_empty())
    }

    /// Whether the nodes are spent for now.
    fn proof_search_pauses(&self) -> bool {
        self.aborted || self.nodes >= self.proof_search.node_limit
    }

    /// The key of the position; near the end by a count of plies also the counts, which decide then.
    fn proof_key(&self) -> Key {
        let position = &self.position;
        let count = position.running_count().map_or(0, |count| 1 + u64::from(count.plies));
        let limit = position.variant().end().moves.map_or(u64::MAX, u64::from);
        let halfmoves = u64::from(position.halfmoves());
        let plies = if halfmoves + MAX_PLY as u64 >= limit { 1 + halfmoves } else { 0 };
        let counts = (plies << 16 | count).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        position.key() ^ counts as Key
    }

    /// Whether the attacker is to move.
    fn is_attacker_to_move(&self) -> bool {
        self.position.side_to_move() == self.shared.side
    }

    /// Searches the node until its numbers reach a limit, or the nodes are spent.
    fn prove(&mut self, ply: usize, limit: Numbers) -> Known {
        // A line of this length is given up.
        if ply >= MAX_PLY {
            return Known::NOT_WON;
        }
        let (key, nodes_before) = (self.proof_key(), self.nodes);
        let attacks = self.is_attacker_to_move();
        let mut children = self.proof_children(ply);
        loop {
            let known = if attacks { attacker(&children) } else { defender(&children) };
            let pauses = self.proof_search_pauses();
            if known.numbers.reach(limit) || known.numbers.proof == 0 || pauses {
                let effort = (self.nodes - nodes_before) as u32;
                self.proof_search.keep(key, known, effort);
                return known;
            }
            let Some((at, limit)) = most_promising(&children, attacks, limit) else { return known };
            self.position.make(children[at].mv);
            children[at].known = self.prove(ply + 1, limit);
            self.position.unmake();
        }
    }

    /// The moves of the node that are to be tried, with what is known of the positions that they lead to.
    fn proof_children(&mut self, ply: usize) -> Vec<Child> {
        let attacks = self.is_attacker_to_move();
        let all = ply == 0 && self.shared.limits.search_moves.is_empty();
        let moves = if ply > 0 || all {
            self.data.legal_moves(&self.position, &Scope::ALL).to_vec()
        } else {
            self.root_moves.iter().map(|root_move| root_move.mv).collect()
        };
        let has_royal = self.position.variant().royalty_kind().is_some();
        let mut children = Vec::new();
        for mv in moves {
            self.enter::<NonPv>(ply + 1);
            self.position.make(mv);
            let is_tried = !attacks || !has_royal || self.is_check();
            let end = self.proof_end(is_tried);
            if is_tried || end.is_some_and(Known::is_won) {
                let known = end.unwrap_or_else(|| self.first_numbers());
                children.push(Child { mv, known, is_end: end.is_some() });
            }
            self.position.unmake();
        }
        children
    }

    /// What the end of the game means, if it is over. Whether it is by want of moves is asked only where it matters.
    fn proof_end(&self, looks_for_moves: bool) -> Option<Known> {
        let attacker = self.shared.side;
        let position = &self.position;
        let won = |is_won: bool| if is_won { Known::won(0) } else { Known::NOT_WON };
        if let Some(outcome) = position.decided() {
            return Some(won(outcome.winner == Some(attacker)));
        }
        if position.side_to_move() == attacker
            && position.variant().royalty_kind() == Some(RoyaltyKind::Captured)
            && position.is_attacked(!attacker)
        {
            return Some(Known::won(1));
        }
        if looks_for_moves && !position.has_legal_move() {
            let outcome = position.status().outcome();
            return Some(won(outcome.is_some_and(|outcome| outcome.winner == Some(attacker))));
        }
        let goes_on =
            position.repetition_outcome(2).is_none() && position.move_count_outcome().is_none();
        (!goes_on).then_some(Known::NOT_WON)
    }

    /// What is known of a position in which the game goes on: at first, that all defenses are open.
    fn first_numbers(&mut self) -> Known {
        self.proof_search.find(self.proof_key()).unwrap_or_else(|| {
            let attacks = self.is_attacker_to_move();
            let proof = if attacks { 1 } else { self.position.count_legal_moves() as u32 };
            Known { numbers: Numbers { proof, disproof: 1 }, plies: 0 }
        })
    }

    /// The line of a win that is proven: the attacker's fastest known moves against the longest defense.
    fn proven_line(&mut self) -> Vec<Move> {
        let mut line = Vec::new();
        loop {
            let ply = line.len();
            let attacks = self.is_attacker_to_move();
            let mut children = self.proof_children(ply);
            if !attacks || !children.iter().any(|child| child.known.is_won()) {
                // The table may have lost some of them.
                for child in children.iter_mut().filter(|child| !child.known.is_won()) {
                    self.position.make(child.mv);
                    child.known = self.prove(ply + 1, Numbers::DECIDED);
                    self.position.unmake();
                }
            }
            let won = children.iter().filter(|child| child.known.is_won());
            let next = if attacks {
                won.min_by_key(|child| child.known.plies)
            } else {
                won.max_by_key(|child| child.known.plies)
            };
            let Some(&Child { mv, is_end, .. }) = next.filter(|_| ply < MAX_PLY) else { break };
            line.push(mv);
            self.position.make(mv);
            if is_end {
                break;
            }
        }
        line.iter().for_each(|_| self.position.unmake());
        line
    }
}

/// A node in which the attacker is to move: one move has to win.
fn attacker(children: &[Child]) -> Known {
    if let Some(plies) = children.iter().filter(|c| c.known.is_won()).map(|c| c.known.plies).min() {
        return Known::won(plies + 1);
    }
    let open = children.iter().map(|child| child.known.numbers).filter(|n| n.disproof > 0);
    let (count, most) =
        open.clone().fold((0, 0), |(n, most), child| (n + 1, child.disproof.max(most)));
    let Some(proof) = open.map(|child| child.proof).min() else { return Known::NOT_WON };
    let disproof = (most + count - 1).min(NEVER - 1);
    Known { numbers: Numbers { proof: proof.min(NEVER - 1), disproof }, plies: 0 }
}

/// A node in which the defender is to move: every move has to lose.
fn defender(children: &[Child]) -> Known {
    if children.iter().any(|child| child.known.numbers.disproof == 0) {
        return Known::NOT_WON;
    }
    let open = children.iter().map(|child| child.known.numbers).filter(|n| n.proof > 0);
    let (count, most) =
        open.clone().fold((0, 0), |(n, most), child| (n + 1, child.proof.max(most)));
    let Some(disproof) = open.map(|child| child.disproof).min() else {
        let plies = children.iter().map(|child| child.known.plies).max();
        return Known::won(plies.map_or(0, |plies| plies + 1));
    };
    let proof = (most + count - 1).min(NEVER - 1);
    Known { numbers: Numbers { proof, disproof: disproof.min(NEVER - 1) }, plies: 0 }
}

/// The open move that decides the node soonest, with the limits of its search: until another one is more promising, or
/// the node reaches its limits.
fn most_promising(children: &[Child], attacks: bool, limit: Numbers) -> Option<(usize, Numbers)> {
    let is_open = |numbers: &Numbers| numbers.proof > 0 && numbers.disproof > 0;
    let mut open: Vec<(u32, usize)> = Vec::new();
    for (at, child) in children.iter().enumerate().filter(|(_, c)| is_open(&c.known.numbers)) {
        let Numbers { proof, disproof } = child.known.numbers;
        open.push((if attacks { proof } else { disproof }, at));
    }
    let &(least, at) = open.iter().min()?;
    let second = open.iter().filter(|&&(_, other)| other != at).map(|&(number, _)| number).min();
    // Some more than the second needs, so that the search does not jump to and fro.
    let until = second.map_or(NEVER, |second| second.max(least) + 1 + second / 4);
    let others = open.len() as u32 - 1;
    Some(if attacks {
        let proof = until.min(limit.proof);
        (at, Numbers { proof, disproof: limit.disproof.saturating_sub(others).max(1) })
    } else {
        let disproof = until.min(limit.disproof);
        (at, Numbers { proof: limit.proof.saturating_sub(others).max(1), disproof })
    })
}
