//! Counts of moves by a player who has little left, as in makruk.

use super::Position;
use crate::types::{Color, Move, Piece, Tag};
use crate::variant::CountRule;

/// A count that is running.
///
/// ```
/// use garrison_rules::{Position, RunningCount, find};
///
/// // The king captures the last pawn and counts at once, from the pieces on the board.
/// let fen = "8/8/4k3/4P3/8/8/R7/4K3 b - - 0 60";
/// let mut position = Position::from_fen(&find("makruk")?, fen)?;
/// position.play("e6e5")?;
/// assert_eq!(position.running_count(), Some(RunningCount { plies: 5, limit: 32 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunningCount {
    /// The plies counted.
    pub plies: u16,
    /// How far the count may go: the game is drawn when it exceeds this.
    pub limit: u16,
}

impl Position {
    /// The count of a player who has little left, if one is running; see [`CountRule`].
    pub fn running_count(&self) -> Option<RunningCount> {
        self.count
    }

    /// Carries on, begins or renews a count after a move that has just been made, while the side that made it is still the
    /// side to move.
    pub(super) fn count_on(&mut self, mv: Move, captured: Option<Piece>) {
        self.earlier_counts.push(self.count);
        if let Some(count) = &mut self.count {
            count.plies = count.plies.saturating_add(1);
        }
        let (mover, next) = (self.side, !self.side);
        // Who captures the last pawn may count with that very move, where the pieces have been counted before.
        if let (Some(captured), Some(rule)) = (captured, self.count_rule(mover))
            && rule.per_piece > 0
            && rule.material.none.contains(captured.kind())
        {
            self.count = Some(self.begun(rule, 1));
        }
        let is_new = captured.is_some() || mv.tag() == Tag::Promotion;
        if let Some(rule) = self.count_rule(next)
            && (self.count.is_none() || rule.anew && is_new)
        {
            self.count = Some(self.begun(rule, 0));
        }
    }

    /// Takes back what [`Position::count_on`] did.
    pub(super) fn take_back_count(&mut self) {
        if let Some(earlier) = self.earlier_counts.pop() {
            self.count = earlier;
        }
    }

    /// A count that begins so many plies before the turn of the player who counts.
    fn begun(&self, rule: &CountRule, before: u16) -> RunningCount {
        let pieces = u16::from(rule.per_piece) * self.count_all() as u16;
        RunningCount { plies: pieces.saturating_sub(before), limit: rule.limit }
    }

    /// The rule by which a side counts with the pieces that are left; none if it does not.
    fn count_rule(&self, color: Color) -> Option<&CountRule> {
        if self.number_of_pieces(!color) <= 1 {
            return None;
        }
        let fits = |rule: &&CountRule| {
            rule.pieces.is_none_or(|most| self.number_of_pieces(color) <= most)
                && self.has_material(&rule.material, color)
        };
        self.variant.count_rules().iter().find(fits).filter(|rule| rule.limit > 0)
    }

    /// The number of pieces that a side has, on the board and in hand.
    fn number_of_pieces(&self, color: Color) -> u32 {
        let hand = self.board.hand(color);
        let in_hand: u32 = hand.slots().map(|slot| u32::from(hand.count(slot))).sum();
        self.board.side(color).len() + in_hand
    }
}
