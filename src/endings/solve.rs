//! The tables of a game, made as they are asked for.

use std::sync::Arc;

use garrison_rules::game::Repeated;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, PerColor, Position, Variant};

use super::expand::{Mode, Obstacle, Task};
use super::fault::EndingFault;
use super::layout::Layout;
use super::line::best;
use super::material::{Material, MaterialKey, gather, is_of};
use super::node::{MAX_PLIES, Node};
use super::retrograde::decide;
use super::steps::Steps;
use super::table::{Table, Value};

/// What all tables of a game may take together, in bytes, the one that is made included.
const MOST_BYTES: u64 = 1 << 30;
/// What a number of a table takes while it is made, and afterwards, for both sides to move.
const BYTES_AT_WORK: u64 = 8;
const BYTES_KEPT: u64 = 4;

/// The positions of an ending in which the endings that follow are looked for at first.
const SAMPLES: u64 = 1 << 13;

/// The tables of a game. A clone shares those that have been made.
#[derive(Debug, Clone)]
pub struct Endings {
    variant: Arc<Variant>,
    tables: Vec<Arc<Table>>,
}

impl Endings {
    /// No tables yet.
    ///
    /// # Errors
    /// The game has a rule by which a position is more than pieces on squares, or by which a draw is none.
    pub fn new(variant: &Arc<Variant>) -> Result<Endings, EndingFault> {
        match refused_rule(variant) {
            Some(rule) => Err(EndingFault::Rule { game: variant.name().to_string(), rule }),
            None => Ok(Endings { variant: Arc::clone(variant), tables: Vec::new() }),
        }
    }

    /// The game.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The tables that have been made.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// Forgets all tables.
    pub fn forget(&mut self) {
        self.tables.clear();
    }

    /// The table of an ending, made now if there is none, after those of the endings that captures and promotions lead
    /// to. It works on the threads of the rayon pool that this is called in.
    ///
    /// # Errors
    /// The sides cannot have these pieces, or the tables would be too large.
    pub fn solve(&mut self, material: &Material) -> Result<Arc<Table>, EndingFault> {
        self.solve_after(material, &mut Vec::new())
    }

    /// The value of a position with the count of moves at 0; `None` if there is no table for it, or if it has rights to
    /// castle or to other first moves.
    pub fn value(&self, position: &Position) -> Option<Value> {
        if !is_of(&self.variant, position)
            || position.has_rights()
            || position.setup_phase().is_pending()
        {
            return None;
        }
        if position.en_passant().is_some() && position.decided().is_none() {
            return best(self, position).map(|best| best.value);
        }
        self.table_of(position)?.value(position)
    }

    /// The table of the pieces on the board, if it has been made.
    pub(super) fn table_of(&self, position: &Position) -> Option<&Table> {
        let (key, ..) = gather(position)?;
        self.tables.iter().find(|table| table.key() == key).map(|table| &**table)
    }

    fn solve_after(
        &mut self,
        material: &Material,
        path: &mut Vec<MaterialKey>,
    ) -> Result<Arc<Table>, EndingFault> {
        let key = material.key();
        if let Some(table) = self.tables.iter().find(|table| table.key() == key) {
            return Ok(Arc::clone(table));
        }
        if path.contains(&key) {
            return Err(EndingFault::Circular(material.text(&self.variant)));
        }
        let layout = Layout::new(&self.variant, material)?;
        self.check_size(&layout)?;
        path.push(key);
        for need in self.sample(&layout) {
            self.solve_after(&need, path)?;
        }
        let steps = Steps::new(&self.variant, &layout, |_| false);
        let nodes = loop {
            match self.pass(&layout, &steps, Mode::Plain, MAX_PLIES) {
                Ok(nodes) => break nodes,
                Err(Obstacle::Needs(needs)) => {
                    for need in needs {
                        self.solve_after(&need, path)?;
                    }
                }
                Err(obstacle) => return Err(self.fault(&layout, obstacle)),
            }
        };
        path.pop();
        let variant = Arc::clone(&self.variant);
        let mut table = Table { variant, layout, nodes, counted: PerColor::default(), limit: None };
        self.count_moves(&mut table)?;
        let table = Arc::new(table);
        self.tables.push(Arc::clone(&table));
        Ok(table)
    }

    /// Expands an ending and decides its positions.
    pub(super) fn pass(
        &self,
        layout: &Layout,
        steps: &Steps,
        mode: Mode,
        limit: u16,
    ) -> Result<PerColor<Vec<Node>>, Obstacle> {
        let task = Task { variant: &self.variant, layout, steps, tables: &self.tables, mode };
        let mut work = task.expand()?;
        decide(layout, steps, &work, limit);
        let size = layout.size as usize;
        Ok(PerColor::from_fn(|side| {
            let mut nodes = std::mem::take(&mut work.nodes[side]);
            nodes.truncate(size);
            nodes.into_iter().map(|node| Node(node.into_inner())).collect()
        }))
    }

    pub(super) fn fault(&self, layout: &Layout, obstacle: Obstacle) -> EndingFault {
        let text = layout.material.text(&self.variant);
        match obstacle {
            Obstacle::Outside(fen) => EndingFault::Outside { text, fen },
            Obstacle::Needs(_) => EndingFault::Circular(text),
            Obstacle::NoMemory => {
                EndingFault::NoMemory { text, needed: mebibytes(layout.size * BYTES_AT_WORK) }
            }
        }
    }

    fn check_size(&self, layout: &Layout) -> Result<(), EndingFault> {
        let kept: u64 = self.tables.iter().map(|table| table.layout.size * BYTES_KEPT).sum();
        let needed = layout.size.saturating_mul(BYTES_AT_WORK).saturating_add(kept);
        if needed > MOST_BYTES {
            return Err(EndingFault::TooLarge {
                text: layout.material.text(&self.variant),
                needed: mebibytes(needed),
                limit: mebibytes(MOST_BYTES),
            });
        }
        Ok(())
    }

    /// Endings that follow, found in positions by chance: most of them, so that a pass over all positions seldom finds one
    /// missing.
    fn sample(&self, layout: &Layout) -> Vec<Material> {
        let mut random = SplitMix::new(layout.key);
        let mut position = Position::start(&self.variant).without_history();
        let mut needs = Vec::new();
        let samples = if layout.size == 0 { 0 } else { SAMPLES };
        for sample in 0..samples {
            let squares = layout.squares((random.number() % layout.size) as u32);
            let placement = layout.placement(&squares);
            let side = Color::ALL[(sample % 2) as usize];
            if !layout.is_proper(&squares)
                || !position.place(&placement[..layout.count()], side)
                || position.decided().is_some()
            {
                continue;
            }
            for mv in position.legal_moves() {
                position.make(mv);
                let material = Material::of(&position);
                let is_missing = |material: &Material| {
                    let key = material.key();
                    key != layout.key && self.tables.iter().all(|table| table.key() != key)
                };
                if let Some(material) = material.filter(is_missing)
                    && !needs.contains(&material)
                    && position.decided().is_none()
                {
                    needs.push(material);
                }
                position.unmake();
            }
        }
        needs
    }
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// The rule of a game by which its endings cannot be solved.
fn refused_rule(variant: &Variant) -> Option<&'static str> {
    let end = variant.end();
    let rules = [
        (!variant.hand_kinds().is_empty(), "it has pieces in hand"),
        (variant.has_setup(), "it has a setup phase"),
        (variant.has_stones(), "it has stones"),
        (end.checks.is_some(), "it counts checks"),
        (end.passes.is_some() || end.facing, "passes end it"),
        (end.drawn.is_some(), "a draw is a win in it"),
        (end.counted != Repeated::Draw, "its count of moves is no draw"),
    ];
    rules.into_iter().find(|(holds, _)| *holds).map(|(_, rule)| rule)
}
