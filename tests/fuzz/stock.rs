//! Games to take lines and positions from: walked once, used often.

use std::sync::Arc;

use garrison_rules::catalogue::all_names;
use garrison_rules::{Position, Variant, find};

use crate::walk::Random;

/// Games of each kind.
const GAMES: usize = 6;
/// The longest of them, in plies.
const PLIES: usize = 120;

/// A game from its start.
pub struct Line {
    pub moves: Vec<String>,
    /// The position after each number of moves.
    pub fens: Vec<String>,
}

/// Lines of all games.
pub struct Stock {
    pub variants: Vec<Arc<Variant>>,
    lines: Vec<Vec<Line>>,
}

impl Stock {
    pub fn new(seed: u64) -> Stock {
        let mut random = Random::new(seed);
        // Janggi is left out: whether two passes have ended it cannot be read off a position.
        let known = |name: &&String| *name != "janggi";
        let variants: Vec<_> = all_names()
            .iter()
            .filter(known)
            .map(|name| find(name).expect("a built-in game"))
            .collect();
        let lines = variants
            .iter()
            .map(|variant| (0..GAMES).map(|_| walk(variant, &mut random)).collect())
            .collect();
        Stock { variants, lines }
    }

    /// Any line of a game.
    pub fn line(&self, random: &mut Random, game: usize) -> &Line {
        random.pick(&self.lines[game]).expect("some lines")
    }

    /// Any position of a game, as text.
    pub fn fen(&self, random: &mut Random, game: usize) -> &str {
        let line = self.line(random, game);
        random.pick(&line.fens).expect("a start at least")
    }

    /// The number of the game that is found by this name, however it is spelled.
    pub fn game(&self, name: &str) -> Option<usize> {
        let found = find(name).ok()?;
        self.variants.iter().position(|variant| variant.name() == found.name())
    }
}

fn walk(variant: &Arc<Variant>, random: &mut Random) -> Line {
    let mut position = Position::start(variant);
    let mut line = Line { moves: Vec::new(), fens: vec![position.fen()] };
    while position.status().outcome().is_none() && line.moves.len() < PLIES {
        let Some(mv) = random.choose(&position) else { break };
        line.moves.push(position.move_text(mv));
        position.make(mv);
        line.fens.push(position.fen());
    }
    line
}
