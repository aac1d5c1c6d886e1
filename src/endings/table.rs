//! The values of all positions of an ending.

use std::fmt;
use std::sync::Arc;

use garrison_rules::{Color, PerColor, Position, Variant};

use super::layout::Layout;
use super::material::{Material, MaterialKey, gather};
use super::node::Node;

/// The value of a position for the side to move, with best play of both sides. Plies count to the end of the game: to mate,
/// or to what else decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// It wins after so many plies.
    Won(u16),
    /// Neither side can force a win.
    Drawn,
    /// A side could force a win, but the game is drawn by its count of moves before.
    DrawnByCount,
    /// It loses after so many plies.
    Lost(u16),
}

impl Value {
    /// The value for the other side.
    #[must_use]
    pub fn reversed(self) -> Value {
        match self {
            Value::Won(plies) => Value::Lost(plies),
            Value::Lost(plies) => Value::Won(plies),
            drawn => drawn,
        }
    }

    /// Who wins if `side` is to move; `None` in a draw.
    pub fn winner(self, side: Color) -> Option<Color> {
        match self {
            Value::Won(_) => Some(side),
            Value::Lost(_) => Some(!side),
            Value::Drawn | Value::DrawnByCount => None,
        }
    }

    /// The plies to the end of the game; `None` in a draw.
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Won(plies) | Value::Lost(plies) => Some(plies),
            Value::Drawn | Value::DrawnByCount => None,
        }
    }

    /// The value one ply earlier, for the side that makes the move.
    #[must_use]
    pub fn one_ply_before(self) -> Value {
        match self.reversed() {
            Value::Won(plies) => Value::Won(plies.saturating_add(1)),
            Value::Lost(plies) => Value::Lost(plies.saturating_add(1)),
            drawn => drawn,
        }
    }

    /// How good it is for the side to move: fast wins first, slow losses before fast ones.
    pub fn merit(self) -> i32 {
        match self {
            Value::Won(plies) => 0x2_0000 - i32::from(plies),
            Value::Drawn | Value::DrawnByCount => 0,
            Value::Lost(plies) => i32::from(plies) - 0x2_0000,
        }
    }
}

/// A set of positions, by number.
pub(super) type Marks = Vec<u64>;

/// Whether a number is in a set; none is in an empty one.
#[inline]
pub(super) fn is_marked(marks: &Marks, index: u32) -> bool {
    marks.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
}

/// The values of all positions of an ending, for both sides to move.
pub struct Table {
    pub(super) variant: Arc<Variant>,
    pub(super) layout: Layout,
    pub(super) nodes: PerColor<Vec<Node>>,
    /// The positions whose win or loss the count of moves makes a draw.
    pub(super) counted: PerColor<Marks>,
    /// The count of moves that draws this ending, in plies.
    pub(super) limit: Option<u16>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Table").field(&self.name()).finish()
    }
}

impl Table {
    /// The pieces.
    pub fn material(&self) -> &Material {
        &self.layout.material
    }

    /// The ending as it is called.
    pub fn name(&self) -> String {
        self.layout.material.text(&self.variant)
    }

    /// The plies without progress after which this ending is drawn, if the game counts them.
    pub fn limit(&self) -> Option<u16> {
        self.limit
    }

    /// Whether the count of moves changes the value of a position.
    pub fn is_changed_by_count(&self) -> bool {
        Color::ALL.into_iter().any(|side| !self.counted[side].is_empty())
    }

    pub(super) fn key(&self) -> MaterialKey {
        self.layout.key
    }

    /// The value without the count of moves; `None` if there is no such position.
    pub(super) fn uncounted(&self, side: Color, index: u32) -> Option<Value> {
        self.nodes[side].get(index as usize).and_then(|node| node.value())
    }

    pub(super) fn value_at(&self, side: Color, index: u32) -> Option<Value> {
        let value = self.uncounted(side, index)?;
        Some(if is_marked(&self.counted[side], index) { Value::DrawnByCount } else { value })
    }

    /// The value of a position of this ending with the count of moves at 0; `None` if it is of another. En passant is not
    /// looked at.
    pub(super) fn value(&self, position: &Position) -> Option<Value> {
        let (key, squares, _) = gather(position)?;
        let index = self.layout.index(&squares).filter(|_| key == self.layout.key)?;
        self.value_at(position.side_to_move(), index)
    }

    /// The position with this number.
    pub(super) fn position(&self, side: Color, index: u32) -> Position {
        let mut position = Position::start(&self.variant);
        let placement = self.layout.placement(&self.layout.squares(index));
        position.place(&placement[..self.layout.count()], side);
        position
    }
}
