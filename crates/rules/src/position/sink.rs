//! What move generation writes to: a list, a count, or the answer to a question. The generator passes whole sets of
//! targets, so that counting moves is counting bits.

use crate::bitboard::Bitboard;
use crate::types::{Move, MoveList, PieceType, PieceTypeSet, Square};

/// The origins of moves to a set of targets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// All come from this square.
    Square(Square),
    /// Each comes from the square this many indices before its target.
    Shift(i8),
}

impl Origin {
    #[inline]
    pub fn of(self, to: Square) -> Square {
        match self {
            Origin::Square(from) => from,
            Origin::Shift(delta) => to.offset(-delta),
        }
    }
}

/// A consumer of legal moves.
pub(crate) trait Sink {
    /// Moves without promotion.
    fn moves(&mut self, origin: Origin, targets: Bitboard);
    /// Promotions to each of these piece types.
    fn promotions(&mut self, origin: Origin, targets: Bitboard, to: PieceTypeSet);
    /// Drops of a piece in hand that becomes each of these piece types on the board.
    fn drops(&mut self, kind: PieceType, becomes: PieceTypeSet, targets: Bitboard);
    /// A single move of any sort.
    fn one(&mut self, mv: Move);

    /// A move with a stone on each of these squares.
    #[inline]
    fn with_stones(&mut self, mv: Move, stones: Bitboard) {
        stones.for_each(|stone| self.one(mv.with_stone(stone)));
    }

    /// Whether no further move can change the result, so that generation may stop.
    #[inline]
    fn is_done(&self) -> bool {
        false
    }
}

impl Sink for MoveList {
    #[inline]
    fn moves(&mut self, origin: Origin, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(origin.of(to), to));
        }
    }

    #[inline]
    fn promotions(&mut self, origin: Origin, targets: Bitboard, kinds: PieceTypeSet) {
        for to in targets {
            for kind in kinds {
                self.push(Move::promotion(origin.of(to), to, kind));
            }
        }
    }

    #[inline]
    fn drops(&mut self, kind: PieceType, becomes: PieceTypeSet, targets: Bitboard) {
        for to in targets {
            for becomes in becomes {
                self.push(Move::drop(kind, becomes, to));
            }
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves.
#[derive(Debug, Default)]
pub(crate) struct Count(pub u64);

impl Sink for Count {
    #[inline]
    fn moves(&mut self, _: Origin, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn promotions(&mut self, _: Origin, targets: Bitboard, to: PieceTypeSet) {
        self.0 += u64::from(targets.len() * to.len());
    }

    #[inline]
    fn drops(&mut self, _: PieceType, becomes: PieceTypeSet, targets: Bitboard) {
        self.0 += u64::from(targets.len() * becomes.len());
    }

    #[inline]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }

    fn with_stones(&mut self, _: Move, stones: Bitboard) {
        self.0 += u64::from(stones.len());
    }
}

/// Finds out whether there is any move.
#[derive(Debug, Default)]
pub(crate) struct Any {
    pub found: bool,
}

impl Sink for Any {
    #[inline]
    fn moves(&mut self, _: Origin, targets: Bitboard) {
        self.found |= !targets.is_empty();
    }

    #[inline]
    fn promotions(&mut self, _: Origin, targets: Bitboard, to: PieceTypeSet) {
        self.found |= !targets.is_empty() && !to.is_empty();
    }

    #[inline]
    fn drops(&mut self, _: PieceType, becomes: PieceTypeSet, targets: Bitboard) {
        self.found |= !targets.is_empty() && !becomes.is_empty();
    }

    #[inline]
    fn one(&mut self, _: Move) {
        self.found = true;
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.found
    }
}

/// Looks for one move.
#[derive(Debug)]
pub(crate) struct Find {
    pub wanted: Move,
    pub found: bool,
}

impl Sink for Find {
    fn moves(&mut self, origin: Origin, targets: Bitboard) {
        let to = self.wanted.to();
        self.found |= targets.contains(to) && self.wanted == Move::normal(origin.of(to), to);
    }

    fn promotions(&mut self, origin: Origin, targets: Bitboard, kinds: PieceTypeSet) {
        let (to, becomes) = (self.wanted.to(), self.wanted.becomes());
        self.found |= targets.contains(to)
            && kinds.contains(becomes)
            && self.wanted == Move::promotion(origin.of(to), to, becomes);
    }

    fn drops(&mut self, kind: PieceType, becomes: PieceTypeSet, targets: Bitboard) {
        let (to, kind_then) = (self.wanted.to(), self.wanted.becomes());
        self.found |= targets.contains(to)
            && becomes.contains(kind_then)
            && self.wanted == Move::drop(kind, kind_then, to);
    }

    fn one(&mut self, mv: Move) {
        self.found |= mv == self.wanted;
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::all_names;
    use crate::find;
    use crate::position::{Position, Scope};
    use crate::random::SplitMix;

    /// Is content with the first move, and counts the sets of moves passed to it after that.
    #[derive(Default)]
    struct First {
        any: Any,
        calls_after: u32,
    }

    impl First {
        fn pass(&mut self, to_any: impl FnOnce(&mut Any)) {
            self.calls_after += u32::from(self.any.found);
            to_any(&mut self.any);
        }
    }

    impl Sink for First {
        fn moves(&mut self, origin: Origin, targets: Bitboard) {
            self.pass(|any| any.moves(origin, targets));
        }

        fn promotions(&mut self, origin: Origin, targets: Bitboard, to: PieceTypeSet) {
            self.pass(|any| any.promotions(origin, targets, to));
        }

        fn drops(&mut self, kind: PieceType, becomes: PieceTypeSet, targets: Bitboard) {
            self.pass(|any| any.drops(kind, becomes, targets));
        }

        fn one(&mut self, mv: Move) {
            self.pass(|any| any.one(mv));
        }

        fn is_done(&self) -> bool {
            self.any.is_done()
        }
    }

    /// What may follow the first set of moves: the moves and promotions by the other shifts of the same pieces.
    const MAX_CALLS_AFTER: u32 = 5;

    #[test]
    fn one_legal_move_is_found_where_there_are_any_and_generation_stops_there() {
        let mut random = SplitMix::new(3);
        for name in all_names() {
            let variant = find(&name).expect("a game of the list");
            let mut position = Position::start(&variant);
            for ply in 0..120 {
                let moves = position.legal_moves();
                assert_eq!(position.has_legal_move(), !moves.is_empty(), "{}", position.fen());
                assert_eq!(position.count_legal_moves(), moves.len() as u64);
                let mut first = First::default();
                position.generate(&Scope::ALL, &mut first);
                assert!(first.calls_after <= MAX_CALLS_AFTER, "{}", position.fen());
                let Some(&mv) = moves.get(random.below(moves.len())) else { break };
                assert!(position.is_legal(mv), "ply {ply} of {name}");
                position.make(mv);
            }
        }
    }
}
