//! Makes a suite of forced wins: positions from games of the engine against itself, in which it sees
//! a mate, kept if trying everything proves it and no shorter one.
//!
//! `cargo run --release --example mate_suite -- SEED NAME... > suite.epd`

use std::collections::BTreeSet;
use std::error::Error;

use garrison::engine::{Control, Limits, News, STACK_SIZE, Searcher};
use garrison::rules::{Move, Position, SplitMix, find};

#[path = "../tests/mates/solver.rs"]
mod solver;
use solver::Solver;

/// How many wins in 2, 3, 4, 5 and 6 moves are wanted of a game.
const WANTED: [usize; 5] = [8, 8, 5, 2, 1];
/// The moves that the proof may take.
const PROOF: u64 = 600_000;
/// How many games are played at most.
const GAMES: u64 = 3_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let seed = args.next().and_then(|text| text.parse().ok()).ok_or("SEED NAME... are missing")?;
    let names: Vec<String> = args.collect();
    // The search needs more room than a main thread has.
    let worker = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(move || {
        let mut suite = Suite::default();
        suite.fill(&names, seed).map_err(|error| error.to_string())
    })?;
    Ok(worker.join().map_err(|_| "the search failed")??)
}

#[derive(Default)]
struct Suite {
    found: [usize; WANTED.len()],
    seen: BTreeSet<String>,
}

impl Suite {
    /// Plays the games in turns until all that is wanted is found.
    fn fill(&mut self, names: &[String], seed: u64) -> Result<(), Box<dyn Error>> {
        let mut searcher = Searcher::new(16).ok_or("no memory")?;
        for number in 0..GAMES {
            let name = &names[number as usize % names.len().max(1)];
            self.play(name, SplitMix::new(seed ^ number << 20).number(), &mut searcher)?;
            if self.found == WANTED {
                break;
            }
        }
        Ok(())
    }

    /// A game from random moves; at most one position of it is taken.
    fn play(&mut self, name: &str, seed: u64, searcher: &mut Searcher) -> Result<(), String> {
        let variant = find(name).ok_or_else(|| format!("no game '{name}'"))?;
        let mut random = SplitMix::new(seed);
        let mut position = Position::start(&variant);
        let mut opening = 6 + random.below(12);
        searcher.clear();
        for _ in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.status().outcome().is_some() {
                break;
            }
            let pending = position.setup_phase().is_pending();
            if pending || opening > 0 {
                opening -= usize::from(!pending);
                position.make(moves[random.below(moves.len())]);
                continue;
            }
            let Some((best, mate)) = look(&position, searcher) else { break };
            if self.take(&position, mate) {
                break;
            }
            position.make(best);
        }
        Ok(())
    }

    /// Keeps a position if its mate is wanted and proven.
    fn take(&mut self, position: &Position, mate: Option<i32>) -> bool {
        let Some(within) = mate.filter(|mate| (2..=6).contains(mate)) else { return false };
        let place = (within - 2) as usize;
        if self.found[place] >= WANTED[place] {
            return false;
        }
        let mut start = position.without_history();
        let (within, mut solver) = (within as u32, Solver::new(PROOF));
        let proven = solver.wins(&mut start, within - 1) == Some(false)
            && solver.wins(&mut start, within) == Some(true);
        if !proven || !self.seen.insert(start.fen()) {
            return false;
        }
        self.found[place] += 1;
        let (name, number) = (position.variant().name(), self.found[place]);
        eprintln!("{name}: {:?}", self.found);
        println!(
            "{} dm {within}; id \"{name} win in {within} ({number})\"; variant {name};",
            start.fen()
        );
        true
    }
}

/// What the engine plays, and in how many moves it sees a mate.
fn look(position: &Position, searcher: &mut Searcher) -> Option<(Move, Option<i32>)> {
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    let mut mate = None;
    let found = searcher.search(position, &limits, &Control::new(false), |news| {
        if let News::Line(line) = news {
            mate = line.score.mate_moves();
        }
    });
    found.best.map(|best| (best, mate))
}
