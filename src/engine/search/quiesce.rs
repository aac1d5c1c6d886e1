//! The quiescence search: captures and, at its first ply, checks by drops, until the
//! position can be judged as it stands; every reply where the royal is attacked.

use super::node::{Node, Scout};
use super::params::{DELTA_MARGIN, EVASIONS};
use super::technique::Technique;
use super::worker::Worker;
use super::{MAX_PLY, Score};
use crate::engine::picker::is_tactical;
use crate::engine::table::{Bound, Entry};
use garrison_rules::{Bitboard, Move, MoveList, Scope};

/// Above the order of every capture.
const FIRST: i32 = 1 << 28;

impl Worker<'_> {
    /// The score of the position once it is quiet. `deep` counts the plies of this search.
    pub fn quiesce<N: Node>(
        &mut self,
        ply: usize,
        deep: i32,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        if self.enter::<N>(ply) {
            return Score::DRAW;
        }
        let entry = self.shared.table.probe(self.position.key(), ply);
        if let Some(outcome) = self.position.decided() {
            return self.outcome_score(outcome, ply);
        }
        if let Some(score) = self.royal_capture::<N>(ply) {
            return score;
        }
        let check = self.frame(ply).check;
        if check && let Some(outcome) = self.position.repetition_outcome(2) {
            return self.outcome_score(outcome, ply);
        }
        if ply >= MAX_PLY || self.position.setup_phase().is_pending() {
            return self.evaluate();
        }
        if !N::PV
            && let Some(entry) = entry
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }
        let mut best = -Score::INFINITE;
        if !check {
            best = self.evaluate();
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand_pat = best;
        let before = alpha;
        let [mut moves, spare] = std::mem::take(&mut self.frame(ply).lists);
        moves.clear();
        self.add_quiescence_moves(deep, check, entry.and_then(|entry| entry.mv), &mut moves);
        let mut best_move = None;
        let mut quiets = 0;
        let mut any = false;
        for next in 0..moves.len() {
            let mv = pick(&mut moves, next);
            any = true;
            self.prefetch(mv);
            let tactical = is_tactical(&self.position, mv);
            if !best.is_loss() && best > -Score::INFINITE {
                if check && !tactical {
                    quiets += 1;
                    if quiets > EVASIONS {
                        break;
                    }
                } else if !check && self.is_vain(mv, tactical, stand_pat, alpha) {
                    continue;
                }
            }
            self.make(ply, mv);
            let score = -self.quiesce_child::<N>(ply + 1, deep + 1, -beta, -alpha);
            self.position.unmake();
            if self.aborted {
                return Score::DRAW;
            }
            best = best.max(score);
            if score > alpha {
                best_move = Some(mv);
                if N::PV {
                    self.take_line(ply, mv);
                }
                if score >= beta {
                    break;
                }
                alpha = score;
            }
        }
        self.frame(ply).lists = [moves, spare];
        if check && !any {
            return self.no_moves_score(ply);
        }
        let bound = match best {
            score if score >= beta => Bound::Lower,
            score if N::PV && score > before => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry { mv: best_move, score: best, depth: 0, bound };
        self.shared.table.store(self.position.key(), ply, entry);
        best
    }

    fn quiesce_child<N: Node>(
        &mut self,
        ply: usize,
        deep: i32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if N::PV {
            self.quiesce::<super::node::Pv>(ply, deep, alpha, beta)
        } else {
            self.quiesce::<Scout>(ply, deep, alpha, beta)
        }
    }

    /// Whether a move, judged without making it, loses material or cannot reach alpha.
    fn is_vain(&self, mv: Move, tactical: bool, stand_pat: Score, alpha: Score) -> bool {
        if !self.uses(Technique::QuietExchange) {
            return false;
        }
        let worth = self.shared.worth;
        let reach = stand_pat + worth.of_move(&self.position, mv) + DELTA_MARGIN;
        // A check may do more than it wins.
        let short = tactical && reach <= alpha;
        short && !worth.wins(&self.position, mv, DELTA_MARGIN) || !worth.wins(&self.position, mv, 0)
    }

    /// The moves that are tried, with their places in the order.
    fn add_quiescence_moves(
        &self,
        deep: i32,
        check: bool,
        table: Option<Move>,
        list: &mut Vec<(i32, Move)>,
    ) {
        let position = &self.position;
        let mut moves = MoveList::new();
        if check {
            position.add_legal_moves(&Scope::ALL, &mut moves);
        } else {
            position.add_legal_moves(&Scope::captures(position), &mut moves);
            if deep == 0 && self.uses(Technique::DropChecks) {
                self.add_drop_checks(&mut moves);
            }
        }
        let side = position.side();
        let order = |mv: Move| {
            if Some(mv) == table {
                FIRST
            } else if is_tactical(position, mv) {
                let mover =
                    position.at(mv.from()).map_or(0, |piece| self.shared.worth.board(piece.kind()));
                (1 << 20) + 16 * self.shared.worth.of_move(position, mv) - mover
            } else {
                self.memory.history.quiet(side, mv)
            }
        };
        list.extend(moves.iter().map(|&mv| (order(mv), mv)));
    }

    /// Drops that give check.
    fn add_drop_checks(&self, moves: &mut MoveList) {
        let position = &self.position;
        let side = position.side();
        if position.hand(side).is_empty() {
            return;
        }
        let Some(view) = position.royal_view(!side) else { return };
        let variant = position.variant();
        let kinds = variant.hand_kinds();
        let checks = position.hand(side).slots().flat_map(|slot| {
            let reserve = variant.piece(kinds[slot]).reserve;
            let one = garrison_rules::PieceTypeSet::of(kinds[slot]);
            if reserve.is_empty() { one } else { reserve }
        });
        let to = checks
            .fold(Bitboard::EMPTY, |to, kind| to | position.drop_check_squares(side, kind, &view));
        if to.is_empty() {
            return;
        }
        let mut drops = MoveList::new();
        position.add_legal_moves(&Scope::drops_to(to), &mut drops);
        let checks =
            |mv: &Move| position.drop_check_squares(side, mv.becomes(), &view).contains(mv.to());
        moves.extend(drops.iter().copied().filter(checks));
    }
}

/// Brings the best of the moves from `next` on to that place.
fn pick(moves: &mut [(i32, Move)], next: usize) -> Move {
    let mut best = next;
    for at in next + 1..moves.len() {
        if moves[at].0 > moves[best].0 {
            best = at;
        }
    }
    moves.swap(next, best);
    moves[next].1
}
