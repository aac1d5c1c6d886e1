//! The count of moves: which wins it makes draws.
//!
//! A position that is won without the count is won with the count at 0 if its winner can force, within the plies of the
//! limit, the end of the game or progress to a position that is won with the count at 0. So the same passes are made once
//! more, to progress instead of to the end. Where progress stays within the ending, as pawn moves do, they are repeated
//! with what the pass before has found, until nothing changes: a win that holds has a last progress, from which the passes
//! find it backwards.

use garrison_rules::{Color, PerColor, Position, Setup};

use super::expand::Mode;
use super::fault::EndingFault;
use super::node::Node;
use super::solve::Endings;
use super::steps::Steps;
use super::table::{Marks, Table};

impl Endings {
    /// Notes the limit of the count and the positions whose values it changes.
    pub(super) fn count_moves(&self, table: &mut Table) -> Result<(), EndingFault> {
        let Some(limit) = self.limit_of(table) else { return Ok(()) };
        table.limit = Some(limit);
        let decided = |node: &&Node| node.is_won() || node.is_lost();
        let most = |side: Color| {
            table.nodes[side].iter().filter(decided).map(|node| node.plies()).max().unwrap_or(0)
        };
        let is_changed = self.tables().iter().any(|table| table.is_changed_by_count());
        if !is_changed && Color::ALL.into_iter().all(|side| most(side) <= limit) {
            return Ok(());
        }
        let layout = &table.layout;
        let pieces = layout.material.pieces();
        let is_zeroing = |at: usize| self.variant().piece(pieces[at].kind()).zeroing;
        let steps = Steps::new(self.variant(), layout, is_zeroing);
        let mut before: Option<PerColor<Vec<Node>>> = None;
        loop {
            let mode = Mode::Counted { limit, before: before.as_ref() };
            let nodes = self.pass(layout, &steps, mode, limit);
            let nodes = nodes.map_err(|obstacle| self.fault(layout, obstacle))?;
            let is_last = before.as_ref().is_some_and(|before| before.0 == nodes.0)
                || !(0..pieces.len()).any(is_zeroing);
            if is_last {
                table.counted = PerColor::from_fn(|side| changed(table, &nodes[side], side, limit));
                return Ok(());
            }
            before = Some(nodes);
        }
    }

    /// The plies without progress that draw an ending, as the rules say when they are asked.
    fn limit_of(&self, table: &Table) -> Option<u16> {
        if !self.variant().counts_moves() {
            return None;
        }
        let mut positions = Color::ALL.into_iter().filter_map(|side| {
            let index = table.nodes[side].iter().position(|&node| node != Node::NONE)?;
            Some(table.position(side, index as u32))
        });
        let setup = Setup::from(&positions.next()?);
        let is_drawn = |plies: u16| {
            let mut setup = setup.clone();
            setup.halfmoves = plies;
            let position = Position::try_from(setup);
            position.is_ok_and(|position| position.move_count_outcome().is_some())
        };
        // The rules draw from some count on.
        let (mut low, mut high) = (0, u16::MAX);
        if !is_drawn(high) {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if is_drawn(middle) { high = middle } else { low = middle + 1 }
        }
        Some(low).filter(|&limit| limit > 0)
    }
}

/// The positions that are won or lost, but not with the count.
fn changed(table: &Table, counted: &[Node], side: Color, limit: u16) -> Marks {
    let holds = |node: Node| (node.is_won() || node.is_lost()) && node.plies() <= limit;
    let mut marks = Marks::new();
    for (index, (node, counted)) in table.nodes[side].iter().zip(counted).enumerate() {
        if (node.is_won() || node.is_lost()) && !holds(*counted) {
            if marks.is_empty() {
                marks = vec![0; table.nodes[side].len().div_ceil(64)];
            }
            marks[index / 64] |= 1 << (index % 64);
        }
    }
    marks
}
