//! A solver that is slow and simple: all positions that can come up, by their FEN, and their values by rounds, until
//! nothing changes. It shares nothing with the fast one but the rules.

use std::collections::HashMap;
use std::sync::Arc;

use garrison::endings::{Material, Value};
use garrison_rules::{Color, Piece, Position, Setup, Square, Variant};

/// All legal positions with these pieces.
pub fn placements(variant: &Arc<Variant>, material: &Material) -> Vec<Position> {
    let mut all = Vec::new();
    let squares: Vec<Square> = variant.geometry().squares().collect();
    place(&mut all, &Setup::empty(variant), &squares, material.pieces(), None);
    all
}

/// Puts the pieces on all squares; equal ones in order, so that each position comes once.
fn place(
    all: &mut Vec<Position>,
    setup: &Setup,
    squares: &[Square],
    pieces: &[Piece],
    last: Option<(Piece, Square)>,
) {
    let Some((&piece, rest)) = pieces.split_first() else {
        for side in Color::ALL {
            let mut setup = setup.clone();
            setup.side_to_move = side;
            all.extend(Position::try_from(setup));
        }
        return;
    };
    for &square in squares {
        let is_in_order = last.is_none_or(|(twin, before)| twin != piece || before < square);
        if is_in_order && setup.piece_at(square).is_none() {
            let mut setup = setup.clone();
            setup.set_piece(square, Some(piece));
            place(all, &setup, squares, rest, Some((piece, square)));
        }
    }
}

/// What makes a position: its FEN without the counts.
fn name(position: &Position) -> String {
    let fen = position.fen();
    fen.rsplitn(3, ' ').last().expect("a FEN").to_string()
}

/// The values of all positions that come up after some.
pub struct Slow {
    numbers: HashMap<String, usize>,
    values: Vec<Option<Value>>,
}

/// The value of a game that is over.
fn over(winner: Option<Color>, side: Color) -> Value {
    match winner {
        None => Value::Drawn,
        Some(winner) if winner == side => Value::Won(0),
        Some(_) => Value::Lost(0),
    }
}

/// Positions with their numbers.
#[derive(Default)]
struct Known {
    numbers: HashMap<String, usize>,
    positions: Vec<Position>,
}

impl Known {
    fn number(&mut self, position: &Position) -> usize {
        let next = self.positions.len();
        *self.numbers.entry(name(position)).or_insert_with(|| {
            let mut setup = Setup::from(position);
            (setup.halfmoves, setup.fullmove) = (0, 1);
            // What ended the game may be no legal position, which nobody needs.
            let fresh = Position::try_from(setup);
            self.positions.push(fresh.unwrap_or_else(|_| position.without_history()));
            next
        })
    }
}

impl Slow {
    pub fn new(first: &[Position]) -> Slow {
        let mut known = Known::default();
        first.iter().for_each(|position| {
            known.number(position);
        });
        let (mut after, mut values): (Vec<Vec<usize>>, Vec<Option<Value>>) = Default::default();
        while after.len() < known.positions.len() {
            let position = known.positions[after.len()].clone();
            let outcome = position.status().outcome();
            values.push(outcome.map(|outcome| over(outcome.winner, position.side_to_move())));
            let moves = if outcome.is_none() { position.legal_moves() } else { Vec::new() };
            let next = |mv| {
                let mut next = position.clone();
                next.make(mv);
                known.number(&next)
            };
            after.push(moves.into_iter().map(next).collect());
        }
        // Round by round: what is won or lost in so many plies.
        for plies in 1_u16.. {
            let value = |number: usize| -> Option<Value> {
                let is_lost = |&next: &usize| matches!(values[next], Some(Value::Lost(_)));
                let is_won = |&next: &usize| matches!(values[next], Some(Value::Won(_)));
                let reached = &after[number];
                if values[number].is_some() {
                    None
                } else if reached.iter().any(is_lost) {
                    Some(Value::Won(plies))
                } else {
                    reached.iter().all(is_won).then_some(Value::Lost(plies))
                }
            };
            let found: Vec<_> = (0..after.len())
                .filter_map(|number| value(number).map(|value| (number, value)))
                .collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|(number, value)| values[number] = Some(value));
        }
        Slow { numbers: known.numbers, values }
    }

    pub fn value(&self, position: &Position) -> Value {
        self.values[self.numbers[&name(position)]].unwrap_or(Value::Drawn)
    }
}

/// The winners with the count of moves, which is a part of each position here. No line is endless then, so that all are
/// searched.
#[derive(Default)]
pub struct Counted {
    winners: HashMap<String, Option<Color>>,
}

impl Counted {
    pub fn winner(&mut self, position: &Position) -> Option<Color> {
        let side = position.side_to_move();
        let fen = position.fen();
        let key = fen.rsplit_once(' ').expect("a FEN").0.to_string();
        if let Some(&winner) = self.winners.get(&key) {
            return winner;
        }
        let fresh = position.without_history();
        let winner = match fresh.status().outcome() {
            Some(outcome) => outcome.winner,
            None => {
                let mut best = Some(!side);
                for mv in fresh.legal_moves() {
                    let mut next = fresh.clone();
                    next.make(mv);
                    match self.winner(&next) {
                        Some(winner) if winner == side => {
                            best = Some(side);
                            break;
                        }
                        None => best = None,
                        Some(_) => {}
                    }
                }
                best
            }
        };
        self.winners.insert(key, winner);
        winner
    }
}
