//! The terms of games that end otherwise than by mate: how near a side is to winning by checks, by reaching squares, and to
//! losing by the loss of some pieces.

use super::{Extractor, Side, TermSink, sign};
use crate::engine::eval::layout::{CHECKS, RACE, SPARE};
use garrison_rules::{Bitboard, Color, PieceType, Position};

/// The vacant squares on which one of these pieces of `color` would give check.
fn check_squares(
    position: &Position,
    color: Color,
    kinds: impl Iterator<Item = PieceType>,
    enemy: &Side,
) -> Bitboard {
    let Some(view) = &enemy.view else { return Bitboard::EMPTY };
    kinds.fold(Bitboard::EMPTY, |all, kind| all | position.drop_check_squares(color, kind, view))
}

impl Extractor {
    pub(super) fn ends<S: TermSink>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        sink: &mut S,
    ) {
        let them = &sides[(!color).index()];
        if let Some(limit) = position.variant().end().checks {
            let left = limit.saturating_sub(position.checks_given(color));
            self.checks(position, color, usize::from(left), sides, sink);
        }
        if !self.layout.goals.is_empty() {
            let moves = self.moves_to_goal(position, color, them.attacked);
            sink.add(self.layout.race + moves, sign(color));
        }
        self.spare(position, color, sink);
    }

    /// How many checks win, and where they can be given.
    fn checks<S: TermSink>(
        &self,
        position: &Position,
        color: Color,
        left: usize,
        sides: &[Side; 2],
        sink: &mut S,
    ) {
        let Some(term) = left.min(CHECKS).checked_sub(1) else { return };
        let (us, them) = (&sides[color.index()], &sides[(!color).index()]);
        let layout = &self.layout;
        let hand = position.hand(color);
        let in_hand = hand.slots().map(|slot| position.variant().hand_kinds()[slot]);
        let dropped = check_squares(position, color, in_hand, them);
        let stands = |kind: &PieceType| !position.pieces(color, *kind).is_empty();
        let of_officers = check_squares(position, color, layout.non_pawns.filter(stands), them);
        let mut add = |group: usize, squares: Bitboard| {
            sink.add(group + term, sign(color) * squares.len() as i32);
        };
        let (checks, guarded) = (us.checks | dropped, them.attacked);
        add(layout.safe_checks, checks & !guarded);
        add(layout.unsafe_checks, checks & guarded);
        add(layout.check_squares, (of_officers | dropped) & !guarded);
        sink.add(layout.checks + term, sign(color));
    }

    /// In how many moves of one piece, over squares that are not `guarded`, a side reaches a goal; the last number is for all
    /// that are more.
    fn moves_to_goal(&self, position: &Position, color: Color, guarded: Bitboard) -> usize {
        let fastest = self.layout.goals.iter().map(|(kind, goals)| {
            self.moves_to(position, (color, *kind), goals[color.index()], guarded)
        });
        fastest.min().unwrap_or(RACE - 1)
    }

    fn moves_to(
        &self,
        position: &Position,
        (color, kind): (Color, PieceType),
        goals: Bitboard,
        guarded: Bitboard,
    ) -> usize {
        let (occupied, enemies) = (position.occupied(), position.pieces_of(!color));
        let mut reached = position.pieces(color, kind);
        let mut last = reached;
        for moves in 0..RACE - 1 {
            if last.meets(goals) {
                return moves;
            }
            let mut next = Bitboard::EMPTY;
            for from in last {
                let (attacks, quiet) = position.variant().reach(color, kind, from, occupied);
                next |= attacks & enemies | quiet;
            }
            last = next & !guarded & !reached;
            reached |= last;
        }
        RACE - 1
    }

    /// How many pieces a side has beyond those without which it loses.
    fn spare<S: TermSink>(&self, position: &Position, color: Color, sink: &mut S) {
        for &(kinds, count) in &self.layout.needed {
            let has = position.count_of_kinds(color, kinds);
            if has > count {
                let more = (has - count) as usize - 1;
                sink.add(self.layout.spare + more.min(SPARE - 1), sign(color));
            }
        }
    }
}
