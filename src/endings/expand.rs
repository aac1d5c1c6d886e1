//! The first pass over an ending: for every position its end, if it is one, its moves to positions of known value, and
//! the number of the others. All legal moves come from the rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};

use garrison_rules::{
    Bitboard, Color, Move, MoveList, PerColor, Position, Scope, Square, Tag, Variant,
};
use rayon::prelude::*;

use super::layout::Layout;
use super::material::{MAX_PIECES, Material, Squares, gather};
use super::node::{Node, Prospects};
use super::steps::Steps;
use super::table::{Table, Value};

/// A move that is no step: the number of the position that it leads to, then of that from which.
pub(super) type Edge = (u32, u32);

/// What an ending is expanded with.
pub(super) struct Task<'a> {
    pub variant: &'a Arc<Variant>,
    pub layout: &'a Layout,
    pub steps: &'a Steps,
    /// The tables of the endings that follow.
    pub tables: &'a [Arc<Table>],
    pub mode: Mode<'a>,
}

/// What is asked of each position.
#[derive(Clone, Copy)]
pub(super) enum Mode<'a> {
    /// The plies to the end of the game.
    Plain,
    /// The plies to progress by which a win holds against the count of moves.
    Counted {
        limit: u16,
        /// The values found by the pass before, by which moves that make progress within the ending are judged.
        before: Option<&'a PerColor<Vec<Node>>>,
    },
}

/// An ending at work: by side to move, what is known of each position.
pub(super) struct Work {
    pub nodes: PerColor<Vec<AtomicU16>>,
    /// By position the moves whose value is not known yet.
    pub open: PerColor<Vec<AtomicU16>>,
    /// The moves that are no steps, by the side to move after them.
    pub edges: PerColor<Vec<Edge>>,
    /// The positions that have all their moves among the edges, steps too.
    pub skipped: PerColor<Vec<u32>>,
}

/// Why an expansion comes to no end.
pub(super) enum Obstacle {
    /// The tables of these endings are missing.
    Needs(Vec<Material>),
    /// A position that leads to none of any table.
    Outside(String),
    /// There is no room.
    NoMemory,
}

/// What a part of the expansion has found.
#[derive(Default)]
struct Found {
    edges: PerColor<Vec<Edge>>,
    skipped: Vec<u32>,
    /// Positions with a right to capture en passant, which have numbers beyond those of the ending.
    passed: Vec<(Color, u32, Node, u16)>,
    needs: Vec<Material>,
    outside: Option<String>,
}

/// The positions that one thread expands at a time.
const PART: usize = 1 << 12;

fn atoms(size: usize, value: u16) -> Result<Vec<AtomicU16>, Obstacle> {
    let mut atoms = Vec::new();
    atoms.try_reserve_exact(size).map_err(|_| Obstacle::NoMemory)?;
    atoms.resize_with(size, || AtomicU16::new(value));
    Ok(atoms)
}

impl Task<'_> {
    /// Expands all positions.
    pub fn expand(&self) -> Result<Work, Obstacle> {
        let size = self.layout.size as usize;
        let mut nodes = PerColor([atoms(size, Node::NONE.0)?, atoms(size, Node::NONE.0)?]);
        let mut open = PerColor([atoms(size, 0)?, atoms(size, 0)?]);
        for side in Color::ALL {
            self.find_positions(side, &mut nodes[side]);
        }
        let next = PerColor([AtomicU32::new(size as u32), AtomicU32::new(size as u32)]);
        let (mut edges, mut skipped) = (PerColor::default(), PerColor::default());
        let mut passed = Vec::new();
        for side in Color::ALL {
            let PerColor([white, black]) = &mut nodes;
            let (own, other) =
                if side == Color::White { (white, &*black) } else { (black, &*white) };
            let found = self.expand_side(side, (own, other), &mut open[side], &next);
            let mut needs: Vec<Material> = Vec::new();
            for mut part in found {
                if let Some(fen) = part.outside {
                    return Err(Obstacle::Outside(fen));
                }
                part.needs.retain(|need| !needs.contains(need));
                needs.append(&mut part.needs);
                passed.append(&mut part.passed);
                let side_edges: &mut PerColor<Vec<Edge>> = &mut edges;
                Color::ALL.iter().for_each(|&c| side_edges[c].append(&mut part.edges[c]));
                let side_skipped: &mut PerColor<Vec<u32>> = &mut skipped;
                side_skipped[side].append(&mut part.skipped);
            }
            if !needs.is_empty() {
                return Err(Obstacle::Needs(needs));
            }
        }
        for side in Color::ALL {
            let total = next[side].load(Relaxed) as usize;
            nodes[side].resize_with(total, || AtomicU16::new(Node::NONE.0));
            open[side].resize_with(total, || AtomicU16::new(0));
            edges[side].par_sort_unstable();
        }
        for (side, index, node, moves) in passed {
            nodes[side][index as usize] = AtomicU16::new(node.0);
            open[side][index as usize] = AtomicU16::new(moves);
        }
        Ok(Work { nodes, open, edges, skipped })
    }

    /// Opens the numbers that stand for positions.
    fn find_positions(&self, side: Color, nodes: &mut [AtomicU16]) {
        let start = Position::start(self.variant).without_history();
        nodes.par_chunks_mut(PART).enumerate().for_each_init(
            || start.clone(),
            |position, (part, nodes)| {
                for (at, node) in nodes.iter_mut().enumerate() {
                    let squares = self.layout.squares((part * PART + at) as u32);
                    if self.layout.is_proper(&squares) && self.place(position, &squares, side) {
                        *node.get_mut() = Node::open(0).0;
                    }
                }
            },
        );
    }

    fn place(&self, position: &mut Position, squares: &Squares, side: Color) -> bool {
        position.place(&self.layout.placement(squares)[..self.layout.count()], side)
    }

    fn expand_side(
        &self,
        side: Color,
        (own, other): (&mut [AtomicU16], &[AtomicU16]),
        open: &mut [AtomicU16],
        next: &PerColor<AtomicU32>,
    ) -> Vec<Found> {
        let start = Position::start(self.variant).without_history();
        let parts = own.par_chunks_mut(PART).zip(open.par_chunks_mut(PART)).enumerate();
        let expand_part = |position: &mut Position,
                           part: usize,
                           nodes: &mut [AtomicU16],
                           open: &mut [AtomicU16]| {
            let mut expander = Expander {
                task: self,
                other_side: !side,
                other,
                next,
                position,
                moves: MoveList::new(),
                found: Found::default(),
            };
            for (at, (node, open)) in nodes.iter_mut().zip(open).enumerate() {
                if *node.get_mut() == Node::NONE.0 {
                    continue;
                }
                let index = (part * PART + at) as u32;
                let squares = self.layout.squares(index);
                self.place(expander.position, &squares, side);
                let (value, moves) = expander.expand(index, Some(&squares));
                (*node.get_mut(), *open.get_mut()) = (value.0, moves);
                if !expander.found.needs.is_empty() || expander.found.outside.is_some() {
                    break;
                }
            }
            expander.found
        };
        parts
            .map_init(
                || start.clone(),
                |position, (part, (nodes, open))| expand_part(position, part, nodes, open),
            )
            .collect()
    }

    /// The value with the count of moves at 0 of a position of this ending or of one that follows.
    fn table_value(&self, position: &Position, squares: &Squares, key: u64) -> Option<Value> {
        let table = self.tables.iter().find(|table| table.key() == key)?;
        let (side, index) = (position.side_to_move(), table.layout.index(squares)?);
        match self.mode {
            Mode::Plain => table.uncounted(side, index),
            Mode::Counted { .. } => table.value_at(side, index),
        }
    }
}

/// Expands one position after another.
struct Expander<'a> {
    task: &'a Task<'a>,
    /// The side that is to move after the moves of the positions.
    other_side: Color,
    /// The positions with that side to move.
    other: &'a [AtomicU16],
    next: &'a PerColor<AtomicU32>,
    position: &'a mut Position,
    moves: MoveList,
    found: Found,
}

impl Expander<'_> {
    /// What is known of the position, which has this number, and how many of its moves are open. `placed` has the
    /// squares of the pieces, unless the position has more to it than these.
    fn expand(&mut self, index: u32, placed: Option<&Squares>) -> (Node, u16) {
        let side = self.position.side_to_move();
        if let Some(outcome) = self.position.decided() {
            return (Node::of_outcome(outcome, side), 0);
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.position.add_legal_moves(&Scope::ALL, &mut moves);
        let ended = if moves.is_empty() {
            self.position.status().outcome()
        } else {
            self.position.move_count_outcome()
        };
        if let Some(outcome) = ended {
            self.moves = moves;
            return (Node::of_outcome(outcome, side), 0);
        }
        let mut steps = placed.map(|squares| Stepping::new(self.task, self.position, squares));
        let mut prospects = Prospects::default();
        for &mv in &moves {
            if !steps.as_mut().is_some_and(|steps| steps.is_step(mv)) {
                self.position.make(mv);
                self.follow(index, &mut prospects);
                self.position.unmake();
            }
        }
        if let Some(steps) = steps {
            prospects.open += self.count_steps(index, &steps);
        }
        self.moves = moves;
        (prospects.node(), prospects.open)
    }

    /// Counts the steps. If not all that there seem to be are legal, notes the position with those that are.
    fn count_steps(&mut self, index: u32, steps: &Stepping) -> u16 {
        let layout = self.task.layout;
        let after = |at: usize, to: Square| layout.moved(index, steps.squares, at, to);
        let is_position = |after: u32| self.other[after as usize].load(Relaxed) != Node::NONE.0;
        let mut left_out = (0..layout.count())
            .flat_map(|at| (steps.targets[at] & !steps.made[at]).map(move |to| (at, to)));
        let made = (0..layout.count()).flat_map(|at| steps.made[at].map(move |to| (at, to)));
        if left_out.any(|(at, to)| is_position(after(at, to))) {
            self.found.skipped.push(index);
            let edges = made.clone().map(|(at, to)| (after(at, to), index));
            self.found.edges[!self.position.side_to_move()].extend(edges);
        }
        made.count() as u16
    }

    /// Adds the move that has just been made.
    fn follow(&mut self, from: u32, prospects: &mut Prospects) {
        let side = self.position.side_to_move();
        let limit = match self.task.mode {
            Mode::Plain => None,
            Mode::Counted { limit, .. } => Some(limit),
        };
        if limit.is_some() && self.position.halfmoves() == 0 {
            match self.value_at_zero() {
                Some(value) => prospects.add(value),
                None => self.leave(),
            }
            return;
        }
        if self.position.en_passant().is_some() {
            let index = self.next[side].fetch_add(1, Relaxed);
            let (node, moves) = self.expand(index, None);
            self.found.passed.push((side, index, node, moves));
            self.found.edges[side].push((index, from));
            prospects.open += 1;
            return;
        }
        let Some((key, squares, _)) = gather(self.position) else { return self.leave() };
        if key == self.task.layout.key {
            let index = self.task.layout.index(&squares);
            // The positions with this side to move itself are being changed; after en passant they are not looked at.
            let is_position = |index: u32| {
                side != self.other_side || self.other[index as usize].load(Relaxed) != Node::NONE.0
            };
            match index.filter(|&index| is_position(index)) {
                Some(index) => self.found.edges[side].push((index, from)),
                None => self.leave(),
            }
            prospects.open += 1;
        } else if limit.is_some() {
            self.leave();
        } else if let Some(value) = self.task.table_value(self.position, &squares, key) {
            prospects.add(value);
        } else if let Some(outcome) = self.position.decided() {
            prospects.add(Node::of_outcome(outcome, side).value().unwrap_or(Value::Drawn));
        } else if self.task.tables.iter().any(|table| table.key() == key) {
            self.leave();
        } else if let Some(material) = Material::of(self.position) {
            self.found.needs.push(material);
        }
    }

    /// Notes that the position belongs to no table.
    #[cold]
    fn leave(&mut self) {
        self.found.outside.get_or_insert_with(|| self.position.fen());
    }

    /// The result of a position after progress, as a value of no plies; `None` if it belongs to no table.
    fn value_at_zero(&mut self) -> Option<Value> {
        let Mode::Counted { limit, .. } = self.task.mode else { return None };
        if self.position.en_passant().is_some() {
            return self.value_by_moves();
        }
        let (key, squares, _) = gather(self.position)?;
        if key == self.task.layout.key {
            return self.value_before(&squares, limit);
        }
        let value = self.task.table_value(self.position, &squares, key);
        let decided =
            || Node::of_outcome(self.position.decided()?, self.position.side_to_move()).value();
        value.or_else(decided).map(without_plies)
    }

    /// The result that the pass before has found for a position with so many plies left to count.
    fn value_before(&self, squares: &Squares, left: u16) -> Option<Value> {
        let Mode::Counted { before, .. } = self.task.mode else { return None };
        let index = self.task.layout.index(squares)?;
        let Some(before) = before else { return Some(Value::Drawn) };
        let value = before[self.position.side_to_move()][index as usize].value()?;
        Some(if value.plies().is_some_and(|plies| plies <= left) {
            without_plies(value)
        } else {
            Value::Drawn
        })
    }

    /// The result of a position with a right to capture en passant.
    fn value_by_moves(&mut self) -> Option<Value> {
        let Mode::Counted { limit, .. } = self.task.mode else { return None };
        let moves = self.position.legal_moves();
        if moves.is_empty() {
            let outcome = self.position.status().outcome()?;
            return Node::of_outcome(outcome, self.position.side_to_move()).value();
        }
        let mut prospects = Prospects::default();
        for mv in moves {
            self.position.make(mv);
            let value = if self.position.halfmoves() == 0 {
                self.value_at_zero()
            } else {
                gather(self.position)
                    .filter(|(key, ..)| *key == self.task.layout.key)
                    .and_then(|(_, squares, _)| self.value_before(&squares, limit - 1))
            };
            self.position.unmake();
            prospects.add(value?);
        }
        prospects.node().value().map(without_plies)
    }
}

/// Won or lost now.
fn without_plies(value: Value) -> Value {
    match value {
        Value::Won(_) => Value::Won(0),
        Value::Lost(_) => Value::Lost(0),
        Value::Drawn | Value::DrawnByCount => Value::Drawn,
    }
}

/// The steps of the side to move: those that there seem to be, and those found among the legal moves.
struct Stepping<'s> {
    squares: &'s Squares,
    targets: [Bitboard; MAX_PIECES],
    made: [Bitboard; MAX_PIECES],
}

impl<'s> Stepping<'s> {
    fn new(task: &Task, position: &Position, squares: &'s Squares) -> Stepping<'s> {
        let mut targets = [Bitboard::EMPTY; MAX_PIECES];
        for (at, piece) in task.layout.material.pieces().iter().enumerate() {
            if piece.color() == position.side_to_move() {
                targets[at] = task.steps.targets(at, squares[at], position.occupied());
            }
        }
        Stepping { squares, targets, made: [Bitboard::EMPTY; MAX_PIECES] }
    }

    /// Whether a legal move is a step that was not made before.
    #[inline]
    fn is_step(&mut self, mv: Move) -> bool {
        if mv.tag() != Tag::Normal {
            return false;
        }
        let (from, to) = (mv.from(), mv.to());
        // Beyond the last piece there are no targets.
        let is_it = |&at: &usize| self.squares[at] == from && self.targets[at].contains(to);
        let Some(at) = (0..MAX_PIECES).find(is_it) else { return false };
        let is_new = !self.made[at].contains(to);
        self.made[at].insert(to);
        is_new
    }
}
