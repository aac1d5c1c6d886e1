//! Forced wins by trying everything: slow, simple, and independent of the search it is to judge.

use std::collections::HashMap;

use garrison::rules::{Color, Move, Position};

/// Tries all moves of both sides.
pub struct Solver {
    /// What was found of positions with the attacker to move, and of how many moves.
    known: HashMap<(u64, u32), bool>,
    /// How many moves may yet be made.
    left: u64,
}

impl Solver {
    /// A solver that gives up after so many moves made.
    pub fn new(moves: u64) -> Solver {
        Solver { known: HashMap::new(), left: moves }
    }

    /// Whether the side to move wins within so many of its own moves, whatever the other does. A win
    /// is what the rules say: checkmate, the king captured, a stalemate that loses, a bare king.
    /// `None` if it gave up.
    ///
    /// What is found of a position is used again whatever led to it. Repetitions that end a game need
    /// more plies than are looked ahead, as long as the position given has no past.
    pub fn wins(&mut self, position: &mut Position, within: u32) -> Option<bool> {
        let key = (position.key(), within);
        if let Some(&found) = self.known.get(&key) {
            return Some(found);
        }
        let found = self.try_moves(position, within)?;
        self.known.insert(key, found);
        Some(found)
    }

    fn try_moves(&mut self, position: &mut Position, within: u32) -> Option<bool> {
        let us = position.side();
        let mut next = Vec::new();
        for mv in position.legal_moves() {
            self.make(position, mv)?;
            let outcome = position.status().outcome();
            let order = (!position.is_check(), position.legal_moves().len());
            position.unmake();
            match outcome {
                Some(outcome) if outcome.winner == Some(us) => return Some(true),
                Some(_) => {}
                None => next.push((order, mv)),
            }
        }
        if within <= 1 {
            return Some(false);
        }
        // Checks with few replies first: only the order, for nothing is left out.
        next.sort_by_key(|(order, _)| *order);
        for (_, mv) in next {
            self.make(position, mv)?;
            let forced = self.all_replies_lose(position, us, within - 1);
            position.unmake();
            if forced? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether `attacker` wins within so many more moves after every reply.
    fn all_replies_lose(
        &mut self,
        position: &mut Position,
        attacker: Color,
        within: u32,
    ) -> Option<bool> {
        for mv in position.legal_moves() {
            self.make(position, mv)?;
            let lost = match position.status().outcome() {
                Some(outcome) => Some(outcome.winner == Some(attacker)),
                None => self.wins(position, within),
            };
            position.unmake();
            if !lost? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn make(&mut self, position: &mut Position, mv: Move) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        position.make(mv);
        Some(())
    }
}
