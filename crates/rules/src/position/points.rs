//! Points: what the pieces on the board count for, and the outcomes that compare them.

use std::cmp::Ordering;

use super::status::{Outcome, Reason};
use super::{Position, Undo};
use crate::types::{Color, Tag};

impl Position {
    /// The points of the pieces that a side has on the board. Pieces in hand do not count.
    pub fn points(&self, color: Color) -> u32 {
        let points = |kind| self.pieces(color, kind).len() * self.variant.piece(kind).points;
        self.variant.kinds().map(points).sum()
    }

    /// The outcome by points after enough passes in a row, or after a pass while royals face each other.
    pub(super) fn passes_outcome(&self) -> Option<Outcome> {
        let end = self.variant.end();
        let is_pass = |undo: &&Undo| undo.mv.tag() == Tag::Pass;
        let in_a_row = self.history.iter().rev().take_while(is_pass).count();
        let is_over = end.passes.is_some_and(|limit| in_a_row >= usize::from(limit))
            || end.facing && in_a_row > 0 && self.royals_face();
        if !is_over {
            return None;
        }
        let tenths = |color| 10 * self.points(color);
        let (white, black) = (tenths(Color::White), tenths(Color::Black) + end.bonus);
        Some(match white.cmp(&black) {
            Ordering::Greater => Outcome::win(Color::White, Reason::Points),
            Ordering::Less => Outcome::win(Color::Black, Reason::Points),
            Ordering::Equal => Outcome::draw(Reason::Points),
        })
    }

    /// The outcome of an impasse: the only side with more than `limit` points wins.
    pub(super) fn impasse_outcome(&self, limit: u32) -> Outcome {
        match Color::ALL.map(|color| self.points(color) > limit) {
            [true, false] => Outcome::win(Color::White, Reason::Impasse),
            [false, true] => Outcome::win(Color::Black, Reason::Impasse),
            _ => Outcome::draw(Reason::Impasse),
        }
    }
}
