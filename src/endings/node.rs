//! The value of a position as a word, final or not yet.

use garrison_rules::{Color, Outcome};

use super::table::Value;

/// The value of a position for the side to move, packed: two bits say what it is, the others how many plies.
///
/// While a table is made, what is lost is final, what is won may still be won sooner, and what is open has the plies after
/// which it is lost if nothing better is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node(pub u16);

const PLIES: u16 = 0x3fff;

/// The longest win that a table can hold, in plies.
pub(super) const MAX_PLIES: u16 = PLIES - 1;

impl Node {
    const LOST: u16 = 0x4000;
    const WON: u16 = 0x8000;
    /// No position: pieces share a square, or the side that waits has its royal attacked.
    pub const NONE: Node = Node(0xc000);
    pub const DRAWN: Node = Node(0xc001);

    pub const fn open(plies: u16) -> Node {
        Node(plies)
    }

    pub const fn lost(plies: u16) -> Node {
        Node(Node::LOST | plies)
    }

    pub const fn won(plies: u16) -> Node {
        Node(Node::WON | plies)
    }

    pub fn of_outcome(outcome: Outcome, side: Color) -> Node {
        match outcome.winner {
            None => Node::DRAWN,
            Some(winner) if winner == side => Node::won(0),
            Some(_) => Node::lost(0),
        }
    }

    pub const fn plies(self) -> u16 {
        self.0 & PLIES
    }

    pub const fn is_open(self) -> bool {
        self.0 & !PLIES == 0
    }

    pub const fn is_lost(self) -> bool {
        self.0 & !PLIES == Node::LOST
    }

    pub const fn is_won(self) -> bool {
        self.0 & !PLIES == Node::WON
    }

    /// The value, once the table is made; what is left open is drawn.
    pub fn value(self) -> Option<Value> {
        match self {
            Node::NONE => None,
            _ if self.is_won() => Some(Value::Won(self.plies())),
            _ if self.is_lost() => Some(Value::Lost(self.plies())),
            _ => Some(Value::Drawn),
        }
    }
}

/// What is known of a position from the moves that have been looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Prospects {
    /// The plies of the fastest win by a move to a position of known value.
    win: Option<u16>,
    /// The plies of the slowest loss by such a move.
    loss: u16,
    /// The moves to positions whose value is not known; a draw counts as one that never will be.
    pub open: u16,
}

impl Prospects {
    /// Adds a move to a position of this value for the other side.
    pub fn add(&mut self, after: Value) {
        match after {
            Value::Lost(plies) => {
                let plies = (plies + 1).min(MAX_PLIES);
                self.win = Some(self.win.map_or(plies, |win| win.min(plies)));
            }
            Value::Won(plies) => self.loss = self.loss.max((plies + 1).min(MAX_PLIES)),
            Value::Drawn | Value::DrawnByCount => self.open += 1,
        }
    }

    pub fn node(self) -> Node {
        match self.win {
            Some(plies) => Node::won(plies),
            None if self.open == 0 => Node::lost(self.loss),
            None => Node::open(self.loss),
        }
    }
}
