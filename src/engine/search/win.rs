//! The search for the shortest forced win, beside the iterations: all moves of both sides are tried,
//! one move deeper each time, with a share of the nodes. Iterations see most wins sooner, but what they
//! prune or reduce may hide the shortest.

use super::Score;
use super::node::Scout;
use super::params::{WIN_MOST, win_nodes};
use super::technique::Technique;
use super::worker::Worker;
use crate::engine::picker::is_tactical;
use garrison_rules::{Key, Move};

/// Positions that are remembered; a power of two.
const KNOWN: usize = 1 << 16;

/// With fewer nodes it does not begin.
const LEAST: u64 = 1000;

/// What was found of a position with the attacker to move.
#[derive(Debug, Clone, Copy)]
struct Known {
    key: Key,
    /// There is no win in so many moves.
    none_within: u8,
    /// There is one in so many.
    within: u8,
}

/// Where the search for the shortest win stands.
#[derive(Debug, Default)]
pub(super) struct Seeker {
    known: Vec<Known>,
    /// For each number of moves to go, the reply that last refuted a move.
    refutations: [Option<Move>; WIN_MOST + 1],
    /// No win is in so many moves of the root.
    none_within: usize,
    /// The shortest win, once it is known: its score and its line.
    proven: Option<(Score, Vec<Move>)>,
    /// The nodes it took so far.
    spent: u64,
    /// The nodes of the thread at which it gives up for now.
    until: u64,
}

impl Known {
    fn nothing(key: Key) -> Known {
        Known { key, none_within: 0, within: u8::MAX }
    }
}

impl Seeker {
    /// Whether the shortest win is known.
    pub fn is_done(&self) -> bool {
        self.proven.is_some()
    }

    fn known(&self, key: Key) -> Known {
        let known = self.known[key as usize % KNOWN];
        if known.key == key { known } else { Known::nothing(key) }
    }
}

impl Worker<'_> {
    /// Goes on looking for the shortest win, and makes it the best line of the root.
    pub(super) fn seek_win(&mut self) {
        if self.uses(Technique::ShortestWin) && self.seeker.proven.is_none() && !self.aborted {
            self.seek_on();
        }
        let Some((score, line)) = &self.seeker.proven else { return };
        let best = &self.roots[0];
        if best.score == *score && best.line.len() >= line.len() {
            return;
        }
        let at = self.roots.iter().position(|root| Some(&root.mv) == line.first()).unwrap_or(0);
        let root = &mut self.roots[at];
        (root.score, root.line, root.depth) = (*score, line.clone(), self.depth);
        self.roots[..=at].rotate_right(1);
    }

    /// Looks for it with the nodes that it may take now.
    fn seek_on(&mut self) {
        let score = self.roots[0].previous_if_unjudged();
        let asked = self.shared.limits.mate.map_or(WIN_MOST, |moves| moves as usize);
        let seen = score.mate_moves().filter(|_| score.is_win());
        let most = seen.map_or(asked, |moves| moves as usize - 1).min(WIN_MOST);
        if self.seeker.none_within >= most {
            if seen.is_some() {
                self.seeker.proven = Some((score, self.roots[0].line.clone()));
            }
            return;
        }
        let iterations = self.nodes - self.seeker.spent;
        let allowed = win_nodes(score, iterations, self.shared.limits.mate.is_some());
        let left = allowed.saturating_sub(self.seeker.spent);
        if left < LEAST {
            return;
        }
        if self.seeker.known.is_empty() {
            self.seeker.known = vec![Known::nothing(0); KNOWN];
        }
        let before = self.nodes;
        self.seeker.until = self.nodes + left;
        for within in self.seeker.none_within + 1..=most {
            let first = self.first_win(0, within);
            if self.gives_up() {
                break;
            }
            if let Some(mv) = first {
                let line = self.winning_line(mv, within);
                self.seeker.proven = Some((Score::mate_in(2 * within - 1), line));
                break;
            }
            self.seeker.none_within = within;
        }
        self.seeker.spent += self.nodes - before;
    }

    fn gives_up(&self) -> bool {
        self.aborted || self.nodes >= self.seeker.until
    }

    /// A move by which the side to move wins within so many of its own, whatever the other does.
    /// What it says when it gives up means nothing.
    fn first_win(&mut self, ply: usize, within: usize) -> Option<Move> {
        let moves = if ply == 0 {
            self.roots.iter().map(|root| root.mv).collect()
        } else {
            self.position.legal_moves().to_vec()
        };
        let side = self.position.side();
        let mut others = Vec::new();
        for mv in moves {
            let order = self.memory.history.quiet(side, mv)
                + i32::from(is_tactical(&self.position, mv)) * 4000;
            self.advance(ply, mv);
            let end = self.end();
            // Few replies first, behind a check or a king to place: such moves force most.
            let forcing = within > 1 && end.is_none() && self.is_check();
            let replies = if forcing { self.position.count_legal_moves() } else { u64::MAX };
            self.position.unmake();
            if self.gives_up() {
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
            self.advance(ply, mv);
            let wins = self.all_replies_lose(ply + 1, within - 1);
            self.position.unmake();
            wins && !self.gives_up()
        })
    }

    /// Whether the other side wins within so many of its moves after every reply.
    fn all_replies_lose(&mut self, ply: usize, within: usize) -> bool {
        let refutation = self.seeker.refutations[within];
        let side = self.position.side();
        let mut replies: Vec<((u64, i32), Move)> = Vec::new();
        for mv in self.position.legal_moves() {
            // What helped before, then captures; with more moves to go those that leave the other
            // side the fewest moves, as checks do.
            let mut order = self.memory.history.quiet(side, mv);
            if Some(mv) == refutation {
                order = i32::MAX;
            } else if is_tactical(&self.position, mv) {
                order += 1 << 20;
            }
            let mut moves = 0;
            if within > 1 {
                self.advance(ply, mv);
                moves = self.position.count_legal_moves();
                self.position.unmake();
                if self.gives_up() {
                    return false;
                }
            }
            replies.push(((moves, order.saturating_neg()), mv));
        }
        replies.sort_unstable();
        for (_, mv) in replies {
            self.advance(ply, mv);
            let lost = match self.end() {
                Some(score) => score.is_win(),
                None => self.wins_within(ply + 1, within),
            };
            self.position.unmake();
            if self.gives_up() {
                return false;
            }
            if !lost {
                self.seeker.refutations[within] = Some(mv);
                return false;
            }
        }
        true
    }

    /// Whether the side to move wins within so many of its own moves, whatever the other does.
    fn wins_within(&mut self, ply: usize, within: usize) -> bool {
        let key = self.position.key();
        let known = self.seeker.known(key);
        if within <= known.none_within.into() || within >= known.within.into() {
            return within >= known.within.into();
        }
        // A shorter win is found sooner.
        let wins = within > 2 && self.wins_within(ply, within - 1)
            || !self.gives_up() && self.first_win(ply, within).is_some();
        if self.gives_up() {
            return false;
        }
        let mut known = self.seeker.known(key);
        if wins {
            known.within = known.within.min(within as u8);
        } else {
            known.none_within = known.none_within.max(within as u8);
        }
        self.seeker.known[key as usize % KNOWN] = known;
        wins
    }

    /// The line that a win begins with, against the replies that hold out longest.
    fn winning_line(&mut self, mv: Move, within: usize) -> Vec<Move> {
        let mut line = vec![mv];
        self.position.make(mv);
        if let Some((moves, reply)) = self.longest_defense(within) {
            line.push(reply);
            self.position.make(reply);
            if (1..within).contains(&moves)
                && let Some(next) = self.first_win(1, moves)
            {
                line.extend(self.winning_line(next, moves));
            }
            self.position.unmake();
        }
        self.position.unmake();
        line
    }

    /// The reply that leaves the other side, which wins within fewer than `within` moves, the most of
    /// them to make, and how many: 0 if the game is over then, `within` if it gave up. None if the game
    /// is over before, or it was stopped.
    fn longest_defense(&mut self, within: usize) -> Option<(usize, Move)> {
        if self.end().is_some() {
            return None;
        }
        let mut longest = None;
        for reply in self.position.legal_moves() {
            self.position.make(reply);
            let moves = match self.end() {
                Some(_) => 0,
                None => (1..within).find(|&moves| self.wins_within(1, moves)).unwrap_or(within),
            };
            self.position.unmake();
            longest = longest.max(Some((moves, reply)));
        }
        longest.filter(|_| !self.aborted)
    }

    /// Makes a move, which counts as a node.
    fn advance(&mut self, ply: usize, mv: Move) {
        self.enter::<Scout>(ply + 1);
        self.position.make(mv);
    }

    /// The score of the side to move if the game is over: only who wins is asked.
    fn end(&self) -> Option<Score> {
        self.known_end(0)
            .or_else(|| (!self.position.has_legal_move()).then(|| self.no_moves_score(0)))
    }
}
