//! Legal moves where an [`Obligation`] limits the choice; and passes.

use super::Position;
use super::legality::Safety;
use super::movegen::{LegScope, Scope};
use super::sink::{Any, Sink};
use crate::types::{MoveList, PieceTypeSet};
use crate::variant::Obligation;

impl Position {
    /// The legal moves by the first obligation that applies. Returns whether one does.
    #[cold]
    pub(super) fn generate_obliged<S: Sink>(
        &self,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) -> bool {
        self.generate_by(self.variant.obligations(), safety, scope, sink)
    }

    /// The legal moves by the first of these obligations that applies. Returns whether one does.
    pub(super) fn generate_by<S: Sink>(
        &self,
        obligations: &[Obligation],
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) -> bool {
        for (index, obligation) in obligations.iter().enumerate() {
            match *obligation {
                Obligation::Stone => {
                    self.generate_with_stones(&obligations[index + 1..], safety, scope, sink);
                    return true;
                }
                Obligation::DropFirst(kinds) if self.has_any_in_hand(kinds) => {
                    if scope.drops {
                        self.generate_first_drops(kinds, safety, scope, sink);
                    }
                    return true;
                }
                Obligation::NoChecks => {
                    self.generate_without_checks(safety, scope, sink);
                    return true;
                }
                Obligation::Capture if self.can_capture(safety) => {
                    self.generate_captures(safety, scope, sink);
                    return true;
                }
                Obligation::DropFirst(_) | Obligation::Capture => {}
            }
        }
        false
    }

    /// Whether the side to move has a piece of these types in hand.
    fn has_any_in_hand(&self, kinds: PieceTypeSet) -> bool {
        let mut slots = self.board.hand(self.side).slots();
        slots.any(|slot| kinds.contains(self.variant.hand_kinds()[slot]))
    }

    /// The drops of pieces that must be dropped first. A royal is not dropped where it is attacked, unless it may be
    /// captured.
    fn generate_first_drops<S: Sink>(
        &self,
        kinds: PieceTypeSet,
        safety: &Safety,
        scope: &Scope,
        sink: &mut S,
    ) {
        let guarded = if self.variant.captures_royals() {
            PieceTypeSet::EMPTY
        } else {
            self.variant.royals()
        };
        for kind in kinds {
            let mut to = scope.to;
            if guarded.contains(kind) {
                to &= !self.attacked_by(!self.side);
            }
            self.generate_drops(safety, PieceTypeSet::of(kind), &Scope { to, ..*scope }, sink);
            if sink.is_done() {
                return;
            }
        }
    }

    /// The moves that give no check.
    fn generate_without_checks<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        let mut moves = MoveList::new();
        self.generate_free(safety, scope, &mut moves);
        let mut after = self.without_history();
        for &mv in &moves {
            after.make_undecided(mv);
            if !after.is_check() {
                sink.one(mv);
            }
            after.unmake();
            if sink.is_done() {
                return;
            }
        }
    }

    /// Whether the side to move has to capture: where captures are compulsory, and it can.
    #[inline]
    pub fn must_capture(&self) -> bool {
        self.variant.must_capture() && self.is_bound_to_capture()
    }

    #[cold]
    fn is_bound_to_capture(&self) -> bool {
        // What must be dropped first, or at once, goes before.
        let drops_first = |obligation: &Obligation| matches!(*obligation, Obligation::DropFirst(kinds) if self.has_any_in_hand(kinds));
        !self.setup.is_pending()
            && !self.is_decided()
            && self.must_place_royal(self.side).is_none()
            && !self.variant.obligations().iter().any(drops_first)
            && self.can_capture(&self.safety())
    }

    /// Whether the side to move has a legal capture.
    fn can_capture(&self, safety: &Safety) -> bool {
        let mut any = Any::default();
        self.generate_captures(safety, &Scope::ALL, &mut any);
        any.found
    }

    /// The captures, those en passant included.
    fn generate_captures<S: Sink>(&self, safety: &Safety, scope: &Scope, sink: &mut S) {
        let enemies = self.board.side(!self.side);
        let legs = match scope.legs {
            LegScope::Quiets => LegScope::Quiets,
            LegScope::Captures | LegScope::Targets => LegScope::Captures,
        };
        self.generate_pieces(safety, &Scope { to: scope.to & enemies, legs, ..*scope }, sink);
        if let Some(royal) = self.facing_royal(self.side) {
            self.generate_shot(royal, scope, sink);
        }
        if self.ep.is_some() {
            for kind in self.variant.side(self.side).captors_in_passing {
                let pieces = self.board.pieces(self.side, kind) & scope.from;
                self.generate_en_passant(kind, pieces, safety, scope, sink);
            }
        }
    }

    /// Whether the side to move may pass: not while in check, but always while royals face each other in a game that
    /// ends by such a pass.
    pub(super) fn may_pass(&self) -> bool {
        self.variant.allows_pass()
            && !self.setup.is_pending()
            && !self.is_decided()
            && (!self.is_check() || self.variant.end().facing && self.royals_face())
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::{Catalogue, DefinitionFile};
    use crate::position::Position;

    #[test]
    fn what_must_be_dropped_first_goes_before_captures_that_must_be_made() {
        let text = "name = 'own'\nbase = 'chess'\nhand = 'N'\nmust_drop = 'N'\nmust_capture = true";
        let mut games = Catalogue::new();
        let file = DefinitionFile { name: "own.toml".to_string(), text: text.to_string() };
        games.add(vec![file]).expect("a game");
        let variant = games.find("own").expect("just added");
        for (hand, bound) in [("", true), ("N", false)] {
            let fen = format!("4k3/8/8/3p4/8/8/8/3RK3[{hand}] w - - 0 1");
            let position = Position::from_fen(&variant, &fen).expect("a position");
            let captures =
                position.legal_moves().iter().all(|&mv| !position.captured_on(mv).is_empty());
            assert_eq!((position.must_capture(), captures), (bound, bound), "{fen}");
        }
    }
}
