//! What there is to know of an ending: how many positions are won, and the longest wins.

use garrison_rules::{Color, PerColor, Position};

use super::table::{Table, Value};

/// How the positions with one side to move end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// The legal positions.
    pub positions: u64,
    /// Those that each side wins.
    pub wins: PerColor<u64>,
    /// Those that are drawn, by the count of moves or without it.
    pub drawn: u64,
    /// Those of them that are drawn by the count of moves alone.
    pub drawn_by_count: u64,
}

/// A longest win.
#[derive(Debug, Clone)]
pub struct Longest {
    /// The plies to the end of the game.
    pub plies: u16,
    /// The first position with that many.
    pub position: Position,
    /// Whether the winner is to move in it.
    pub is_winner_to_move: bool,
}

impl Table {
    /// How the positions with `side` to move end.
    pub fn summary(&self, side: Color) -> Summary {
        let mut summary = Summary::default();
        for index in 0..self.nodes[side].len() as u32 {
            let Some(value) = self.value_at(side, index) else { continue };
            summary.positions += 1;
            match value.winner(side) {
                Some(winner) => summary.wins[winner] += 1,
                None => summary.drawn += 1,
            }
            summary.drawn_by_count += u64::from(value == Value::DrawnByCount);
        }
        summary
    }

    /// The longest win of `winner` with `side` to move, if there is any.
    pub fn longest(&self, winner: Color, side: Color) -> Option<Longest> {
        let mut longest = None;
        for index in 0..self.nodes[side].len() as u32 {
            let Some(value) = self.value_at(side, index) else { continue };
            let Some(plies) = value.plies().filter(|_| value.winner(side) == Some(winner)) else {
                continue;
            };
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, index));
            }
        }
        let (plies, index) = longest?;
        let position = self.position(side, index);
        Some(Longest { plies, position, is_winner_to_move: winner == side })
    }
}

impl Longest {
    /// The moves that the winner makes in these plies.
    pub fn moves(&self) -> u16 {
        if self.is_winner_to_move { self.plies.div_ceil(2) } else { self.plies / 2 }
    }
}
