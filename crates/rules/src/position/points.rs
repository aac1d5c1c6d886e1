//! Points: what the pieces on the board count for, and the outcomes that compare them.

use std::cmp::Ordering;

use super::status::{Outcome, Reason};
use super::{Position, Undo};
use crate::types::{Color, PieceType, Tag};

impl Position {
    /// The points of the pieces that a side has on the board. Pieces in hand do not count.
    pub fn points(&self, color: Color) -> u32 {
        let points = |kind| self.pieces(color, kind).len() * self.variant.piece(kind).points;
        self.variant.kinds().map(points).sum()
    }

    /// Whether the side to move may declare the game won: its royal has entered the enemy's camp with enough pieces and
    /// points, and is not in check. The game goes on unless it does.
    ///
    /// ```
    /// use garrison_rules::{Position, find};
    ///
    /// let shogi = find("shogi")?;
    /// let camp = |hand| format!("K+P+P+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/k8[{hand}] w - - 0 1");
    /// // The king and ten pieces in the last three ranks, and 28 points with those in hand.
    /// assert!(Position::from_fen(&shogi, &camp("RRBGGG"))?.may_declare());
    /// assert!(!Position::from_fen(&shogi, &camp("RRBGG"))?.may_declare());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn may_declare(&self) -> bool {
        let Some(rule) = self.variant.declaration() else { return false };
        let (side, zone) = (self.side, rule.zone[self.side]);
        let royals = self.royals(side);
        let others = (self.board.side(side) & zone) & !royals;
        if royals.is_empty() || !(royals & !zone).is_empty() || others.len() < rule.pieces {
            return false;
        }
        let points = |kind: PieceType| {
            let there = (self.board.pieces(side, kind) & others).len();
            (there + u32::from(self.in_hand(side, kind))) * self.variant.piece(kind).points
        };
        self.variant.kinds().map(points).sum::<u32>() >= rule.points[side] && !self.is_check()
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
            Ordering::Equal => self.draw(Reason::Points),
        })
    }

    /// The outcome of an impasse: the only side with more than `limit` points wins.
    pub(super) fn impasse_outcome(&self, limit: u32) -> Outcome {
        match Color::ALL.map(|color| self.points(color) > limit) {
            [true, false] => Outcome::win(Color::White, Reason::Impasse),
            [false, true] => Outcome::win(Color::Black, Reason::Impasse),
            _ => self.draw(Reason::Impasse),
        }
    }
}
