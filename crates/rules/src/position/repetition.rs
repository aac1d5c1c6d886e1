//! Repetition of positions.

use super::Position;
use super::status::{Outcome, Reason};
use crate::types::Color;
use crate::variant::Repeated;

impl Position {
    /// The number of occurrences of this position since the position that was set up, this one included.
    pub fn occurrences(&self) -> u32 {
        1 + self.past_occurrences().count() as u32
    }

    /// The numbers of plies since the earlier occurrences of this position, the latest first.
    fn past_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        // What resets the move count cannot be undone by moves. But drops bring back what captures take, so with
        // pieces in hand the whole past counts.
        let reach = if self.variant.hand_kinds().is_empty() {
            usize::from(self.halfmoves)
        } else {
            usize::MAX
        };
        let key = self.key();
        // Only every second position has the same side to move.
        let past = (1..=reach).zip(self.past_keys()).skip(1).step_by(2);
        past.filter(move |&(_, past)| past == key).map(|(plies, _)| plies)
    }

    /// The outcome by repetition, if the position occurs for at least the `occurrence`-th time. `occurrence` is at
    /// least 2.
    pub fn repetition_outcome(&self, occurrence: u32) -> Option<Outcome> {
        let end = self.variant.end();
        let mut past = self.past_occurrences();
        // Most positions have never occurred before: nothing is counted for them.
        let mut first = past.next()?;
        let mut occurrences = 2;
        for plies in past {
            first = plies;
            occurrences += 1;
        }
        if occurrences < occurrence {
            return None;
        }
        if let Some(outcome) = self.perpetual_outcome(first) {
            return Some(outcome);
        }
        if let Some(limit) = end.impasse {
            return Some(self.impasse_outcome(limit));
        }
        Some(self.outcome_by(end.repeated, Reason::Repetition))
    }

    /// The outcome if one side alone gave check with every move of the last `plies`, or, where no side did so, if one
    /// alone chased the same piece with every move.
    fn perpetual_outcome(&self, plies: usize) -> Option<Outcome> {
        let alone = |[white, black]: [bool; 2], reason| match (white, black) {
            (true, false) => Some(Outcome::win(Color::Black, reason)),
            (false, true) => Some(Outcome::win(Color::White, reason)),
            _ => None,
        };
        if self.variant.end().perpetual_check {
            let checked = self.checked_throughout(plies);
            if checked != [false; 2] {
                return alone(checked, Reason::PerpetualCheck);
            }
        }
        let chased = self.chased_throughout(self.variant.chase()?, plies);
        alone(chased, Reason::PerpetualChase)
    }

    /// The outcome where this side wins.
    pub(super) fn outcome_by(&self, winner: Repeated, reason: Reason) -> Outcome {
        let winner = match winner {
            Repeated::Draw => return self.draw(reason),
            Repeated::White => Color::White,
            Repeated::Black => Color::Black,
            Repeated::Mover => self.side,
            Repeated::Repeater => !self.side,
        };
        Outcome::win(winner, reason)
    }

    /// Whether every move of White, and every move of Black, in the last `plies` attacked the enemy royal.
    fn checked_throughout(&self, plies: usize) -> [bool; 2] {
        let mut past = self.clone();
        let mut throughout = [true; 2];
        for _ in 0..plies {
            throughout[(!past.side).index()] &= past.is_check();
            past.unmake();
        }
        throughout
    }
}
