//! The second pass: from the positions that are won and lost back to those before them, ply by ply.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use garrison_rules::{Bitboard, Color, PerColor};
use rayon::prelude::*;

use super::expand::{Edge, Work};
use super::layout::Layout;
use super::node::Node;
use super::steps::Steps;
use super::table::{Marks, is_marked};

/// The positions that one thread looks at a time.
const PART: usize = 1 << 14;

/// The marks of these positions of `size`; none at all if there are no positions.
fn marks(positions: impl Iterator<Item = u32>, size: usize) -> Marks {
    let mut marks = Vec::new();
    for position in positions {
        if marks.is_empty() {
            marks = vec![0; size.div_ceil(64)];
        }
        marks[position as usize / 64] |= 1 << (position % 64);
    }
    marks
}

/// Works back through the positions of an ending.
struct Retrograde<'a> {
    layout: &'a Layout,
    steps: &'a Steps,
    work: &'a Work,
    /// The positions to which edges lead.
    reached: PerColor<Marks>,
    /// The positions whose steps are among the edges.
    skipped: PerColor<Marks>,
    /// The most plies of a win or a loss so far.
    most: AtomicU16,
}

/// Decides all positions that are won or lost within `limit` plies; the others stay open.
pub(super) fn decide(layout: &Layout, steps: &Steps, work: &Work, limit: u16) {
    let size = |side| work.nodes[side].len();
    let reached = |side| marks(work.edges[side].iter().map(|&(to, _)| to), size(side));
    let skipped = |side| marks(work.skipped[side].iter().copied(), size(side));
    let decided = |node: &AtomicU16| {
        let node = Node(node.load(Relaxed));
        if node.is_won() || node.is_lost() { node.plies() } else { 0 }
    };
    let most = Color::ALL.map(|side| work.nodes[side].par_iter().map(decided).max().unwrap_or(0));
    let retrograde = Retrograde {
        layout,
        steps,
        work,
        reached: PerColor::from_fn(reached),
        skipped: PerColor::from_fn(skipped),
        most: AtomicU16::new(most[0].max(most[1])),
    };
    let mut plies = 0;
    while plies <= retrograde.most.load(Relaxed) && plies <= limit {
        Color::ALL.into_iter().for_each(|side| retrograde.go_back(side, plies));
        plies += 1;
    }
}

impl Retrograde<'_> {
    /// Goes back from all positions that are won or lost in so many plies.
    fn go_back(&self, side: Color, plies: u16) {
        let (won, lost) = (Node::won(plies), Node::lost(plies));
        let parts = self.work.nodes[side].par_chunks(PART).enumerate();
        parts.for_each(|(part, nodes)| {
            for (at, node) in nodes.iter().enumerate() {
                let node = Node(node.load(Relaxed));
                if node == won || node == lost {
                    self.go_back_from(side, (part * PART + at) as u32, node);
                }
            }
        });
    }

    fn go_back_from(&self, side: Color, index: u32, node: Node) {
        let before = !side;
        if u64::from(index) < self.layout.size {
            let squares = self.layout.squares(index);
            let count = self.layout.count();
            let occupied: Bitboard = squares[..count].iter().copied().collect();
            let skipped = &self.skipped[before];
            for (at, piece) in self.layout.material.pieces().iter().enumerate() {
                if piece.color() == before {
                    for from in self.steps.origins(at, squares[at], occupied) {
                        let earlier = self.layout.moved(index, &squares, at, from);
                        if !is_marked(skipped, earlier) {
                            self.note(before, earlier, node);
                        }
                    }
                }
            }
        }
        if is_marked(&self.reached[side], index) {
            for earlier in sources(&self.work.edges[side], index) {
                self.note(before, earlier, node);
            }
        }
    }

    /// Notes that a move of `side` leads from a position to one with this value for the other side.
    #[inline]
    fn note(&self, side: Color, index: u32, after: Node) {
        let cell = &self.work.nodes[side][index as usize];
        let node = Node(cell.load(Relaxed));
        let plies = after.plies() + 1;
        if after.is_lost() {
            if node.is_open() || node.is_won() && node.plies() > plies {
                cell.store(Node::won(plies).0, Relaxed);
                self.most.fetch_max(plies, Relaxed);
            }
        } else if node.is_open() {
            let left = self.work.open[side][index as usize].fetch_sub(1, Relaxed);
            if left == 1 {
                let plies = plies.max(node.plies());
                cell.store(Node::lost(plies).0, Relaxed);
                self.most.fetch_max(plies, Relaxed);
            }
        }
    }
}

/// Where the edges to a position come from.
fn sources(edges: &[Edge], to: u32) -> impl Iterator<Item = u32> + '_ {
    let first = edges.partition_point(|edge| edge.0 < to);
    edges[first..].iter().take_while(move |edge| edge.0 == to).map(|edge| edge.1)
}
