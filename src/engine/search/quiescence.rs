//! Quiescence search: captures and promotions, and at its first ply drops that give check, until the static
//! evaluation can be trusted. In check, or where the side to move is forced in another way, all replies.

use super::node::{NodeType, NonPv, Pv};
use super::technique::Technique;
use super::worker::Worker;
use super::{MAX_PLY, Score, params};
use crate::engine::picker::{ScoredMoves, TACTICAL_ORDER, is_tactical, take_best};
use crate::engine::transposition::{Bound, Entry};
use garrison_rules::{Bitboard, Move, MoveList, PieceTypeSet, Position, Scope};

/// The place of the transposition table's move in the order: before every capture.
const TT_MOVE_ORDER: i32 = 1 << 28;

impl Worker<'_> {
    /// The score of the position once it is quiet, within a window (fail soft). `qs_ply` counts the plies of
    /// this search, from 0.
    pub fn quiesce<N: NodeType>(
        &mut self,
        ply: usize,
        qs_ply: i32,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        if self.enter::<N>(ply) {
            return Score::DRAW;
        }
        let tt_entry = self.shared.tt.probe(self.position.key(), ply);
        if let Some(score) = self.quiescence_score::<N>(ply) {
            return score;
        }
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }
        // What else than check forces the side to move is followed for a few plies only: captures that must be made would
        // make trees of their own.
        let forced = self.stack[ply].forced
            && (qs_ply < params::quiescence_forced_plies() || self.is_check());
        let mut best = -Score::INFINITE;
        if !forced {
            // Stand pat: the side to move need not capture.
            best = self.evaluate(ply);
            if let Some(entry) = tt_entry
                && entry.bound.corrects(entry.score, best)
                && !entry.score.is_mate()
                && self.uses(Technique::QuiescenceTable)
            {
                best = entry.score;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let (stand_pat, first_alpha) = (best, alpha);
        let [mut moves, spare] = std::mem::take(&mut self.stack[ply].picker_lists);
        moves.clear();
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        self.add_quiescence_moves(qs_ply, forced, tt_move, &mut moves);
        let mut best_move = None;
        let mut quiet_evasions = 0;
        let mut next = 0;
        while let Some((_, mv)) = take_best(&mut moves, next) {
            next += 1;
            self.prefetch(mv);
            let tactical = is_tactical(&self.position, mv);
            if !best.is_loss() && best > -Score::INFINITE {
                if forced && !tactical {
                    quiet_evasions += 1;
                    if quiet_evasions > params::quiescence_evasions() {
                        break;
                    }
                } else if !forced && self.is_futile(mv, tactical, stand_pat, alpha) {
                    continue;
                }
            }
            self.make(ply, mv);
            let score = -self.quiesce_child::<N>(ply + 1, qs_ply + 1, -beta, -alpha);
            self.position.unmake();
            if self.aborted {
                return Score::DRAW;
            }
            best = best.max(score);
            if score > alpha {
                best_move = Some(mv);
                if N::PV {
                    self.stack.update_pv(ply, mv);
                }
                if score >= beta {
                    break;
                }
                alpha = score;
            }
        }
        let is_mate = forced && moves.is_empty();
        self.stack[ply].picker_lists = [moves, spare];
        if is_mate {
            return self.no_moves_score(ply);
        }
        let bound = match best {
            score if score >= beta => Bound::Lower,
            score if N::PV && score > first_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let pv = tt_entry.is_some_and(|entry| entry.pv);
        let entry = Entry { mv: best_move, score: best, depth: 0, bound, pv };
        self.shared.tt.store(self.position.key(), ply, entry);
        best
    }

    /// The score of a node that needs no quiescence search: the game is over, the search too deep, or the
    /// setup not finished. Repetitions are possible in check only, as all other moves cannot be undone.
    fn quiescence_score<N: NodeType>(&mut self, ply: usize) -> Option<Score> {
        if let Some(outcome) = self.position.decided() {
            return Some(self.outcome_score(outcome, ply));
        }
        if let Some(score) = self.immediate_win::<N>(ply).or_else(|| self.table_score(ply)) {
            return Some(score);
        }
        if self.stack[ply].forced
            && let Some(outcome) = self.position.repetition_outcome(2)
        {
            return Some(self.outcome_score(outcome, ply));
        }
        (ply >= MAX_PLY || self.position.setup_phase().is_pending()).then(|| self.evaluate(ply))
    }

    fn quiesce_child<N: NodeType>(
        &mut self,
        ply: usize,
        qs_ply: i32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if N::PV {
            self.quiesce::<Pv>(ply, qs_ply, alpha, beta)
        } else {
            self.quiesce::<NonPv>(ply, qs_ply, alpha, beta)
        }
    }

    /// Whether a move loses material, or gains too little to reach alpha (delta pruning). A quiet move that
    /// gives check may do more than it gains.
    fn is_futile(&self, mv: Move, tactical: bool, stand_pat: Score, alpha: Score) -> bool {
        if !self.uses(Technique::QuietExchange) {
            return false;
        }
        let delta = params::quiescence_delta();
        let gain = self.shared.exchange_values.move_gain(&self.position, mv);
        let below_alpha = tactical && stand_pat + gain + delta <= alpha;
        below_alpha && !self.see_ge(mv, delta) || !self.see_ge(mv, 0)
    }

    /// Adds the moves that quiescence search tries, with their order.
    fn add_quiescence_moves(
        &mut self,
        qs_ply: i32,
        forced: bool,
        tt_move: Option<Move>,
        list: &mut ScoredMoves,
    ) {
        let drop_checks = !forced && qs_ply == 0 && self.uses(Technique::DropChecks);
        let (position, values) = (&self.position, self.shared.exchange_values);
        let data = &mut *self.data;
        let (history, generated) = (&data.history, &mut *data.generated);
        let side = position.side_to_move();
        let order = |mv: Move| {
            if Some(mv) == tt_move {
                TT_MOVE_ORDER
            } else if is_tactical(position, mv) {
                let attacker =
                    position.at(mv.from()).map_or(0, |piece| values.piece_value(piece.kind()));
                let gain = values.move_gain(position, mv);
                TACTICAL_ORDER + params::quiescence_gain_weight() * gain - attacker
            } else {
                history.quiet(side, mv)
            }
        };
        let scope = if forced { Scope::ALL } else { Scope::captures(position) };
        generated.clear();
        position.add_legal_moves(&scope, generated);
        if !forced && position.variant().moves_place_stones() {
            // One stone of each capture is enough to know what it wins.
            generated.sort_by_key(|&mv| std::cmp::Reverse(history.stone(side, mv)));
            generated.sort_by_key(|mv| mv.without_stone());
            generated.dedup_by_key(|mv| mv.without_stone());
        }
        list.extend(generated.iter().map(|&mv| (order(mv), mv)));
        if drop_checks {
            generate_drop_checks(position, generated);
            list.extend(generated.iter().map(|&mv| (order(mv), mv)));
        }
    }
}

/// Replaces the list by the drops that give check.
fn generate_drop_checks(position: &Position, drops: &mut MoveList) {
    drops.clear();
    let side = position.side_to_move();
    if position.hand(side).is_empty() {
        return;
    }
    let Some(view) = position.royal_view(!side) else { return };
    let variant = position.variant();
    let kinds = variant.hand_kinds();
    let dropped = position.hand(side).slots().flat_map(|slot| {
        let reserve = variant.piece(kinds[slot]).reserve;
        if reserve.is_empty() { PieceTypeSet::of(kinds[slot]) } else { reserve }
    });
    let to = dropped
        .fold(Bitboard::EMPTY, |to, kind| to | position.drop_check_squares(side, kind, &view));
    if to.is_empty() {
        return;
    }
    position.add_legal_moves(&Scope::drops_to(to), drops);
    drops.retain(|mv| position.drop_check_squares(side, mv.becomes(), &view).contains(mv.to()));
}
