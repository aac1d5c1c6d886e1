//! Forced wins by trying everything: slow, simple, and independent of the search it is to judge.

use std::collections::HashMap;

use garrison::rules::{Color, Key, Move, Outcome, Position, Reason};

/// Tries all moves of both sides.
pub struct Solver {
    /// What was found of positions with the attacker to move, and of how many moves.
    known: HashMap<(Key, u32), bool>,
    /// How many moves may yet be made.
    left: u64,
}

/// What the moves of a position lead to.
enum Moves {
    /// One wins at once.
    Wins(Move),
    /// Those behind which the game goes on, the most forcing first.
    GoOn(Vec<Move>),
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
    /// What is found of a position is used again whatever led to it, so the past must not matter.
    /// Repetitions are therefore no end here, and need not be: who wins in the fewest moves repeats
    /// nothing. The draw by the move count must be farther away than the win.
    pub fn wins(&mut self, position: &mut Position, within: u32) -> Option<bool> {
        let key = (position.key(), within);
        if let Some(&found) = self.known.get(&key) {
            return Some(found);
        }
        let found = self.first_move(position, within)?.is_some();
        self.known.insert(key, found);
        Some(found)
    }

    /// Whether the side to move wins within so many of its own moves if it begins with this one;
    /// `None` if it gave up.
    pub fn wins_by(&mut self, position: &mut Position, mv: Move, within: u32) -> Option<bool> {
        let us = position.side();
        self.make(position, mv)?;
        let wins = match end(position) {
            Some(outcome) => Some(outcome.winner == Some(us)),
            None if within <= 1 => Some(false),
            None => self.all_replies_lose(position, us, within - 1),
        };
        position.unmake();
        wins
    }

    /// A win in so many moves and no fewer, to the end of the game, against a defense that holds out
    /// as long as it can; `None` if there is none or it gave up.
    pub fn line(&mut self, position: &Position, within: u32) -> Option<Vec<Move>> {
        let mut position = position.clone();
        let first = self.first_move(&mut position, within)??;
        position.make(first);
        let mut line = vec![first];
        if end(&position).is_some() {
            return Some(line);
        }
        let mut longest = None;
        for reply in position.legal_moves() {
            position.make(reply);
            let moves = self.moves_to_win(&mut position, within - 1);
            position.unmake();
            longest = longest.max(Some((moves?, reply)));
        }
        let (moves, reply) = longest?;
        position.make(reply);
        line.push(reply);
        if moves > 0 {
            line.extend(self.line(&position, moves)?);
        }
        Some(line)
    }

    /// The fewest moves in which the side to move wins, 0 if the game is over.
    fn moves_to_win(&mut self, position: &mut Position, most: u32) -> Option<u32> {
        if end(position).is_some() {
            return Some(0);
        }
        for moves in 1..=most {
            if self.wins(position, moves)? {
                return Some(moves);
            }
        }
        None
    }

    /// A move by which the side to move wins within so many.
    fn first_move(&mut self, position: &mut Position, within: u32) -> Option<Option<Move>> {
        let moves = match self.sort_moves(position, within > 1)? {
            Moves::Wins(mv) => return Some(Some(mv)),
            Moves::GoOn(_) if within <= 1 => return Some(None),
            Moves::GoOn(moves) => moves,
        };
        for mv in moves {
            if self.wins_by(position, mv, within)? {
                return Some(Some(mv));
            }
        }
        Some(None)
    }

    /// Looks for a win at once; sorts the other moves, if asked to, by what they leave the other
    /// side: only the order, for none is left out.
    fn sort_moves(&mut self, position: &mut Position, sorted: bool) -> Option<Moves> {
        let us = position.side();
        let mut others = Vec::new();
        for mv in position.legal_moves() {
            self.make(position, mv)?;
            let outcome = end(position);
            let is_forcing = sorted && (position.is_check() || must_place(position));
            let replies = if is_forcing { position.count_legal_moves() } else { u64::MAX };
            position.unmake();
            match outcome {
                Some(outcome) if outcome.winner == Some(us) => return Some(Moves::Wins(mv)),
                Some(_) => {}
                None => others.push((replies, mv)),
            }
        }
        others.sort_by_key(|&(replies, _)| replies);
        Some(Moves::GoOn(others.into_iter().map(|(_, mv)| mv).collect()))
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
            let lost = match end(position) {
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

/// How the game ended, whatever led to the position.
fn end(position: &Position) -> Option<Outcome> {
    let by_past = [Reason::Repetition, Reason::PerpetualCheck, Reason::Impasse];
    position.status().outcome().filter(|outcome| !by_past.contains(&outcome.reason))
}

/// Whether the side to move has a king to place.
fn must_place(position: &Position) -> bool {
    position.must_place_royal(position.side()).is_some()
}
