//! Forced wins by trying everything: simple, and independent of the search it is to judge.

use std::collections::HashMap;

use garrison_rules::{Color, Key, Move, Outcome, Position, Reason};

/// Tries all moves of both sides. Only the order in which they are tried is chosen.
///
/// How a position was reached does not matter to it. The move count is not looked at: its draw must
/// be farther away than the win. Neither are repetitions, which changes nothing for a position
/// without a past and a win in at most six moves. A draw by them cannot save the other side: who
/// always plays a move of a shortest win has fewer moves to go each time, so no position comes
/// twice. And they win nothing: the win by perpetual check and that by impasse need a fourth
/// occurrence, 12 plies after the first at the earliest, and the sixth move is the 11th ply.
pub struct Solver {
    known: HashMap<Key, Known>,
    /// For each number of moves to go, the reply that last refuted a move.
    refutations: Vec<Option<Move>>,
    /// How many moves may yet be made.
    left: u64,
    /// Whether no other win than checkmate and the king's capture counts.
    mates_only: bool,
    /// Whether the attacker plays checks only, but for a move that ends the game.
    checks_only: bool,
}

/// What was found of a position with the attacker to move.
#[derive(Clone, Copy)]
struct Known {
    /// There is no win in so many moves.
    none_within: u32,
    /// There is one in so many.
    within: u32,
}

impl Solver {
    /// Looks for any win that the rules know: checkmate, the king captured, a stalemate that loses, a
    /// bare king. Gives up after so many moves made.
    pub fn new(moves: u64) -> Solver {
        Solver {
            known: HashMap::new(),
            refutations: Vec::new(),
            left: moves,
            mates_only: false,
            checks_only: false,
        }
    }

    /// The same, but only checkmate and the capture of the king are wins: whatever the other side
    /// does, that is what the game ends with.
    pub fn of_mates(moves: u64) -> Solver {
        Solver { mates_only: true, ..Solver::new(moves) }
    }

    /// Looks for wins by a row of checks.
    pub fn of_checks(moves: u64) -> Solver {
        Solver { checks_only: true, ..Solver::new(moves) }
    }

    /// How many moves it may yet make.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Whether the side to move wins within so many of its own moves, whatever the other does; `None`
    /// if it gave up.
    pub fn wins(&mut self, position: &mut Position, within: u32) -> Option<bool> {
        let key = position.key();
        let known = self.known.get(&key).copied();
        let known = known.unwrap_or(Known { none_within: 0, within: u32::MAX });
        if within <= known.none_within || within >= known.within {
            return Some(within >= known.within);
        }
        // A shorter win is found sooner.
        let found = within > 2 && self.wins(position, within - 1)?
            || self.first_move(position, within)?.is_some();
        let known = self.known.entry(key).or_insert(known);
        if found {
            known.within = known.within.min(within);
        } else {
            known.none_within = known.none_within.max(within);
        }
        Some(found)
    }

    /// Whether the side to move wins within so many of its own moves if it begins with this one;
    /// `None` if it gave up.
    pub fn wins_by(&mut self, position: &mut Position, mv: Move, within: u32) -> Option<bool> {
        let us = position.side_to_move();
        self.make(position, mv)?;
        let wins = match end(position) {
            Some(outcome) => Some(self.is_won(outcome, us)),
            None if within <= 1 => Some(false),
            None => self.all_replies_lose(position, us, within - 1),
        };
        position.unmake();
        wins
    }

    /// The fewest moves in which the side to move wins, 0 if the game is over; `None` if they are more
    /// than `most` or it gave up.
    pub fn moves_to_win(&mut self, position: &mut Position, most: u32) -> Option<u32> {
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

    /// A move by which the side to move wins within so many.
    fn first_move(&mut self, position: &mut Position, within: u32) -> Option<Option<Move>> {
        let us = position.side_to_move();
        let mut others = Vec::new();
        for mv in position.legal_moves() {
            self.make(position, mv)?;
            let outcome = end(position);
            // Few replies first, behind a check or a king to place: such moves force most.
            let is_forcing = within > 1 && (position.is_check() || must_place(position));
            let replies = if is_forcing { position.count_legal_moves() } else { u64::MAX };
            position.unmake();
            match outcome {
                Some(outcome) if self.is_won(outcome, us) => return Some(Some(mv)),
                None if within > 1 && (is_forcing || !self.checks_only) => {
                    others.push((replies, mv))
                }
                _ => {}
            }
        }
        others.sort_by_key(|&(replies, _)| replies);
        for (_, mv) in others {
            if self.wins_by(position, mv, within)? {
                return Some(Some(mv));
            }
        }
        Some(None)
    }

    /// Whether `attacker` wins within so many more moves after every reply.
    fn all_replies_lose(
        &mut self,
        position: &mut Position,
        attacker: Color,
        within: u32,
    ) -> Option<bool> {
        let index = within as usize;
        if self.refutations.len() <= index {
            self.refutations.resize(index + 1, None);
        }
        let replies = self.sorted_replies(position, within);
        for mv in replies {
            self.make(position, mv)?;
            let lost = match end(position) {
                Some(outcome) => Some(self.is_won(outcome, attacker)),
                None => self.wins(position, within),
            };
            position.unmake();
            if !lost? {
                self.refutations[index] = Some(mv);
                return Some(false);
            }
        }
        Some(true)
    }

    /// The replies, those first that may soonest refute a move: what helped before, captures, and with
    /// more moves to go those that leave the attacker the fewest moves, as checks do.
    fn sorted_replies(&self, position: &mut Position, within: u32) -> Vec<Move> {
        let refutation = self.refutations[within as usize];
        let mut replies = Vec::new();
        for mv in position.legal_moves() {
            let is_quiet = position.at(mv.to()).is_none();
            let mut moves = 0;
            if within > 1 {
                position.make(mv);
                moves = position.count_legal_moves();
                position.unmake();
            }
            replies.push(((moves, Some(mv) != refutation, is_quiet), mv));
        }
        replies.sort_by_key(|&(key, _)| key);
        replies.into_iter().map(|(_, mv)| mv).collect()
    }

    fn is_won(&self, outcome: Outcome, by: Color) -> bool {
        outcome.winner == Some(by) && (!self.mates_only || is_mate(outcome.reason))
    }

    fn make(&mut self, position: &mut Position, mv: Move) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        position.make(mv);
        Some(())
    }
}

/// Whether the game ends as most do: by checkmate, or by the capture that Šōgantšī has in its place.
fn is_mate(reason: Reason) -> bool {
    matches!(reason, Reason::Checkmate | Reason::KingCaptured)
}

/// How the game ended by what is on the board, whatever led to it.
fn end(position: &Position) -> Option<Outcome> {
    let without_moves = || !position.has_legal_move();
    position.decided().or_else(|| without_moves().then(|| position.status().outcome()).flatten())
}

/// Whether the side to move has a king to place.
fn must_place(position: &Position) -> bool {
    position.must_place_royal(position.side_to_move()).is_some()
}
