//! Completes a suite of forced wins: positions from games of the engine against itself, in which it
//! sees a mate, kept if trying everything proves it and no shorter one, and if the suite lacks wins
//! in so many moves or of such a theme. What is found is told as lines to add to the suite.
//!
//! `cargo run --release --example mate_suite -- SEED SUITE.epd NAME... >> SUITE.epd`

use std::collections::BTreeSet;
use std::error::Error;

use garrison::engine::{Control, Limits, News, STACK_SIZE, Searcher};
use garrison::rules::{Move, Position, SplitMix, find};

#[path = "../tests/mates/solver.rs"]
mod solver;
#[path = "../tests/mates/suite.rs"]
mod suite;
#[path = "../tests/mates/themes.rs"]
mod themes;
use solver::Solver;
use themes::Theme;

/// How many wins in 2, 3, 4, 5 and 6 moves are wanted of a game.
const WANTED: [usize; 5] = [8, 8, 5, 2, 1];
/// The moves that the proof may take.
const PROOF: u64 = 3_000_000;
/// How many games are played at most.
const GAMES: u64 = 3_000;
/// What the search may look at for a move.
const NODES: u64 = 3_000;
/// The same, once a side is ahead by `AHEAD` centipawns or more.
const MORE_NODES: u64 = 30_000;
const AHEAD: i32 = 800;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let seed = args.next().and_then(|text| text.parse().ok());
    let (Some(seed), Some(path)) = (seed, args.next()) else {
        return Err("SEED SUITE.epd NAME... are missing".into());
    };
    let names: Vec<String> = args.collect();
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    // The search needs more room than a main thread has.
    let worker = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(move || {
        let mut suite = Suite::read(&text, &names)?;
        suite.fill(&names, seed)
    })?;
    Ok(worker.join().map_err(|_| "the search failed")??)
}

struct Suite {
    ids: BTreeSet<String>,
    fens: BTreeSet<String>,
    /// How many wins in 2, 3, … moves are still wanted.
    moves: [usize; WANTED.len()],
    /// How many of each theme are.
    themes: Vec<(Theme, usize)>,
}

impl Suite {
    /// What the suite has, and so what it lacks.
    fn read(text: &str, names: &[String]) -> Result<Suite, String> {
        let name = names.first().ok_or("no game")?;
        let variant = find(name).ok_or_else(|| format!("no game '{name}'"))?;
        let mut suite = Suite {
            ids: BTreeSet::new(),
            fens: BTreeSet::new(),
            moves: WANTED,
            themes: themes::wanted(&variant).to_vec(),
        };
        for task in suite::read(text)? {
            let line = Solver::new(PROOF).line(&task.position, task.within);
            let line = line.ok_or_else(|| format!("not proven: {}", task.id))?;
            suite.count(task.within, &themes::themes(&task.position, &line));
            suite.fens.insert(task.position.fen());
            suite.ids.insert(task.id);
        }
        eprintln!("lacks {:?} {:?}", suite.moves, suite.themes);
        Ok(suite)
    }

    fn count(&mut self, within: u32, themes: &[Theme]) {
        if let Some(left) = self.moves.get_mut(within.saturating_sub(2) as usize) {
            *left = left.saturating_sub(1);
        }
        for (theme, left) in &mut self.themes {
            *left = left.saturating_sub(usize::from(themes.contains(theme)));
        }
    }

    /// Whether such a win is lacking.
    fn lacks(&self, within: u32, themes: &[Theme]) -> bool {
        let left = self.moves.get(within.saturating_sub(2) as usize);
        left.is_some_and(|&left| left > 0)
            || self.themes.iter().any(|(theme, left)| *left > 0 && themes.contains(theme))
    }

    /// Plays the games in turns until all that is wanted is found.
    fn fill(&mut self, names: &[String], seed: u64) -> Result<(), String> {
        let mut searcher = Searcher::new(16).ok_or("no memory")?;
        for number in 0..GAMES {
            if self.moves.iter().all(|left| *left == 0)
                && self.themes.iter().all(|(_, left)| *left == 0)
            {
                break;
            }
            let name = &names[number as usize % names.len().max(1)];
            self.play(name, SplitMix::new(seed ^ number << 20).number(), &mut searcher)?;
        }
        Ok(())
    }

    /// A game from random moves; in every second one a side goes on to play at random now and then.
    /// At most one position of it is taken.
    fn play(&mut self, name: &str, seed: u64, searcher: &mut Searcher) -> Result<(), String> {
        let variant = find(name).ok_or_else(|| format!("no game '{name}'"))?;
        let mut random = SplitMix::new(seed);
        let mut position = Position::start(&variant);
        let mut opening = 6 + random.below(12);
        let weaker = [None, None, Some(position.side()), Some(!position.side())][random.below(4)];
        searcher.clear();
        for _ in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.status().outcome().is_some() {
                break;
            }
            let pending = position.setup_phase().is_pending();
            let errs = weaker == Some(position.side()) && random.below(3) == 0;
            if pending || opening > 0 || errs {
                opening = opening.saturating_sub(usize::from(!pending));
                position.make(moves[random.below(moves.len())]);
                continue;
            }
            let Some((line, mate)) = look(&position, searcher) else { break };
            if self.take(&position, &line, mate) {
                break;
            }
            position.make(line[0]);
        }
        Ok(())
    }

    /// Keeps a position if its mate is wanted and proven.
    fn take(&mut self, position: &Position, line: &[Move], mate: Option<i32>) -> bool {
        let Some(within) = mate.filter(|mate| (2..=6).contains(mate)) else { return false };
        let within = within as u32;
        let mut start = position.without_history();
        // The proof does not look at the move count.
        if position.halfmoves() >= 80 || !self.lacks(within, &themes::themes(&start, line)) {
            return false;
        }
        let mut solver = Solver::new(PROOF);
        if solver.wins(&mut start, within - 1) != Some(false) {
            return false;
        }
        let Some(line) = solver.line(&start, within) else { return false };
        let themes = themes::themes(&start, &line);
        if !self.lacks(within, &themes) || !self.fens.insert(start.fen()) {
            return false;
        }
        self.count(within, &themes);
        let name = position.variant().name();
        let ids = (1..).map(|number| format!("{name} win in {within} ({number})"));
        let Some(id) = ids.into_iter().find(|id| !self.ids.contains(id)) else { return false };
        println!("{} dm {within}; id \"{id}\"; variant {name};", start.fen());
        eprintln!("{id} {themes:?}; lacks {:?} {:?}", self.moves, self.themes);
        self.ids.insert(id);
        true
    }
}

/// What the engine would play, and in how many moves it sees a mate.
fn look(position: &Position, searcher: &mut Searcher) -> Option<(Vec<Move>, Option<i32>)> {
    let mut seen = None;
    for nodes in [NODES, MORE_NODES] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        searcher.search(position, &limits, &Control::new(false), |news| {
            if let News::Line(line) = news {
                seen = Some((line.pv.clone(), line.score));
            }
        });
        let (_, score) = seen.as_ref()?;
        if score.is_mate() || score.as_centipawns().is_none_or(|ahead| ahead < AHEAD) {
            break;
        }
    }
    seen.filter(|(line, _)| !line.is_empty()).map(|(line, score)| (line, score.mate_moves()))
}
