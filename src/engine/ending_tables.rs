//! The ending tables of a searcher: made by a thread of its own once a game comes near to them, and read by all threads
//! of the search.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::STACK_SIZE;
use super::limits::{Control, Limits};
use super::memory::has_room;
use super::score::Score;
use crate::endings::{Endings, MAX_PIECES, Material, Value};
use garrison_rules::Position;

/// How often a search that waits for tables looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(5);

/// What is ready: of one game, a new value whenever a table is added.
type Ready = Arc<Mutex<Arc<Endings>>>;

/// The tables of the game that is searched.
#[derive(Debug)]
struct Game {
    ready: Ready,
    /// What was asked for, whether it could be made or not.
    asked: Vec<Material>,
    maker: Option<JoinHandle<()>>,
}

/// Makes tables and keeps them until another game is searched.
#[derive(Debug, Default)]
pub(super) struct EndingTables {
    /// The most pieces with which a position is looked up; none are if that is 0.
    most: usize,
    game: Option<Game>,
}

/// The tables as a search reads them.
#[derive(Debug, Clone)]
pub(super) struct Lookup {
    most: usize,
    ready: Ready,
}

/// The tables that were ready when an iteration began.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    most: u32,
    endings: Arc<Endings>,
}

impl EndingTables {
    /// Sets the most pieces with which a position is looked up; 0 for none.
    pub fn set_most(&mut self, most: usize) {
        self.most = most.min(MAX_PIECES);
    }

    /// Begins to make the tables that a search of this position may reach with the next capture, and returns those of the
    /// game; `None` if they are switched off, or the game has none. A search by nodes, depth or mate waits for them, so
    /// that it is always the same, until it is stopped; one on a clock does not.
    pub fn prepare(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        threads: usize,
    ) -> Option<Lookup> {
        if self.most == 0 {
            return None;
        }
        let variant = position.variant();
        let is_other = |game: &Game| !Arc::ptr_eq(lock(&game.ready).variant(), variant);
        if self.game.as_ref().is_none_or(is_other) {
            let endings = Arc::new(Endings::new(variant).ok()?);
            let ready = Arc::new(Mutex::new(endings));
            self.game = Some(Game { ready, asked: Vec::new(), maker: None });
        }
        let game = self.game.as_mut()?;
        game.make(near(position, self.most), threads);
        let waits = limits.clock.is_none() && limits.move_time.is_none() && !limits.is_infinite();
        while waits && game.is_making() && !control.is_stopped() {
            thread::sleep(LOOK);
        }
        Some(Lookup { most: self.most, ready: Arc::clone(&game.ready) })
    }
}

impl Game {
    /// Whether tables are being made.
    fn is_making(&self) -> bool {
        self.maker.as_ref().is_some_and(|maker| !maker.is_finished())
    }

    /// Makes those tables that have not been asked for, unless others are being made or there is no memory for the threads:
    /// a later search will ask again.
    fn make(&mut self, mut wanted: Vec<Material>, threads: usize) {
        wanted.retain(|material| !self.asked.contains(material));
        if wanted.is_empty() || self.is_making() || !has_room(threads + 1, STACK_SIZE) {
            return;
        }
        let (ready, materials) = (Arc::clone(&self.ready), wanted.clone());
        let make = move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let Ok(pool) = pool.stack_size(STACK_SIZE).build() else {
                return;
            };
            for material in &materials {
                let mut endings = Endings::clone(&lock(&ready));
                // One that cannot be made, as it would be too large, is done without.
                if pool.install(|| endings.solve(material)).is_ok() {
                    *ready.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(endings);
                }
            }
        };
        // If the system gives no thread, the search does without tables.
        self.maker = thread::Builder::new().stack_size(STACK_SIZE).spawn(make).ok();
        self.asked.append(&mut wanted);
    }
}

fn lock(ready: &Ready) -> Arc<Endings> {
    Arc::clone(&ready.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Lookup {
    /// The tables that are ready now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { most: self.most as u32, endings: lock(&self.ready) }
    }
}

impl Snapshot {
    /// The score of a position so many plies from the root; `None` if no table says it for certain.
    #[inline]
    pub fn score(&self, position: &Position, ply: usize) -> Option<Score> {
        if position.occupied().len() > self.most {
            return None;
        }
        let at_end = |plies: u16| ply + usize::from(plies);
        Some(match self.endings.certain_value(position)? {
            Value::Won(plies) => Score::far_mate_in(at_end(plies)),
            Value::Lost(plies) => -Score::far_mate_in(at_end(plies)),
            Value::Drawn | Value::DrawnByCount => Score::DRAW,
        })
    }

    /// The tables.
    pub fn endings(&self) -> &Endings {
        &self.endings
    }
}

/// The pieces of the endings that a position is, or that one capture or more lead to with as many pieces as tables have.
fn near(position: &Position, most: usize) -> Vec<Material> {
    let count = position.occupied().len() as usize;
    if count <= most {
        return Material::of(position).into_iter().collect();
    }
    if count > most + 1 {
        return Vec::new();
    }
    let pieces: Vec<_> =
        position.occupied().into_iter().filter_map(|square| position.at(square)).collect();
    let royals = position.variant().royals();
    let mut near = Vec::new();
    for without in (0..pieces.len()).filter(|&at| !royals.contains(pieces[at].kind())) {
        let mut left = pieces.clone();
        left.remove(without);
        near.extend(Material::new(position.variant(), left).ok().filter(|it| !near.contains(it)));
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    fn position(fen: &str) -> Position {
        Position::from_fen(&find("chess").expect("a game"), fen).expect("a position")
    }

    #[test]
    fn endings_are_near_one_capture_before() {
        let names = |fen| {
            let position = position(fen);
            let near = near(&position, 3);
            near.iter().map(|it| it.text(position.variant())).collect::<Vec<_>>()
        };
        assert_eq!(names("8/8/8/8/8/2k5/8/R3K3 w - - 0 1"), ["KRvK"]);
        assert_eq!(names("8/8/8/8/8/2k5/2n5/R3K3 w - - 0 1"), ["KvKN", "KRvK"]);
        assert_eq!(names("8/8/8/8/8/2k5/2n5/RR2K3 w - - 0 1"), [""; 0]);
    }

    #[test]
    fn a_search_by_nodes_waits_for_its_tables() {
        let mut tables = EndingTables::default();
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let position = position("8/8/8/8/8/2k5/8/R3K3 w - - 0 1");
        let control = Control::new(false);
        assert!(tables.prepare(&position, &limits, &control, 2).is_none());
        tables.set_most(3);
        let lookup = tables.prepare(&position, &limits, &control, 2).expect("tables of chess");
        let score = lookup.snapshot().score(&position, 0).expect("it is in a table");
        assert!(score.mate_moves().is_some_and(|moves| (1..=16).contains(&moves)), "{score:?}");
        assert_eq!(lookup.snapshot().score(&Position::start(position.variant()), 0), None);
    }
}
