//! The order in which moves are tried: the table's move, captures and promotions by what they
//! win, quiet moves by how often they were good before.

use crate::rules::{MAX_KINDS, MAX_SQUARES, Move, Piece, Position, Tag};

/// How often moves that capture nothing were good, by man and target.
#[derive(Debug)]
pub(super) struct History {
    counts: Vec<i32>,
}

const TABLE_MOVE: i32 = i32::MAX;
const WINNING: i32 = 1 << 24;
const MOST: i32 = 1 << 20;

impl History {
    pub fn new() -> History {
        History { counts: vec![0; 2 * 2 * MAX_KINDS * MAX_SQUARES] }
    }

    /// The man that a move brings to its target, and whether it drops it.
    fn index(position: &Position, mv: Move) -> Option<usize> {
        let piece = match mv.tag() {
            Tag::Setup => return None,
            Tag::Drop => Piece::new(position.side(), mv.becomes()),
            _ => position.at(mv.from())?,
        };
        let man = piece.index() * 2 + usize::from(mv.is_drop());
        Some(man * MAX_SQUARES + mv.to().index())
    }

    /// Remembers that a quiet move refuted its position, searched to this depth.
    pub fn reward(&mut self, position: &Position, mv: Move, depth: u32) {
        if let Some(index) = History::index(position, mv) {
            let depth = depth.min(64) as i32;
            self.counts[index] += depth * depth;
            if self.counts[index] > MOST {
                self.counts.iter_mut().for_each(|count| *count /= 2);
            }
        }
    }

    fn of(&self, position: &Position, mv: Move) -> i32 {
        History::index(position, mv).map_or(0, |index| self.counts[index])
    }
}

/// Whether a move takes a man or makes one of another kind.
pub(super) fn is_tactical(position: &Position, mv: Move) -> bool {
    match mv.tag() {
        Tag::Setup | Tag::Drop => false,
        Tag::Promotion | Tag::EnPassant => true,
        Tag::Normal | Tag::DoubleStep => position.at(mv.to()).is_some(),
    }
}

/// Moves with their places in the order; the best is picked one at a time.
pub(super) struct Picker {
    left: Vec<(i32, Move)>,
}

impl Picker {
    pub fn new(
        position: &Position,
        moves: &[Move],
        first: Option<Move>,
        history: &History,
    ) -> Picker {
        let score = |mv: Move| {
            if Some(mv) == first {
                TABLE_MOVE
            } else if is_tactical(position, mv) {
                WINNING + exchange(position, mv)
            } else {
                history.of(position, mv)
            }
        };
        Picker { left: moves.iter().map(|&mv| (score(mv), mv)).collect() }
    }
}

/// What a move wins at once, the cheapest man first.
fn exchange(position: &Position, mv: Move) -> i32 {
    let variant = position.variant();
    let value = |piece: Option<Piece>| piece.map_or(0, |piece| variant.man(piece.kind()).value);
    // A captured royal, worth nothing by its count, ends the game.
    let victim = match position.at(mv.to()) {
        Some(piece) if variant.royal() == Some(piece.kind()) => 100_000,
        victim => value(victim) * 16,
    };
    let promotion = match mv.tag() {
        Tag::Promotion => variant.man(mv.becomes()).value * 8,
        _ => 0,
    };
    victim + promotion - value(position.at(mv.from()))
}

impl Iterator for Picker {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let best = self.left.iter().enumerate().max_by_key(|(_, entry)| **entry)?.0;
        Some(self.left.swap_remove(best).1)
    }
}
