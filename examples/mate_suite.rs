//! Completes a suite of forced wins: positions from games of the engine against itself, played on to
//! the end at few nodes a move. What is a win is found by trying everything, from the end of a game
//! backwards, not by the engine: it may well have overlooked it. Only for wins in more than three
//! moves a long search says where to look; and some in more than four, or with a promotion, are
//! composed of a few pieces at random, for with few it can be proven that no win is shorter. Kept is
//! what the suite lacks, by the number of moves or by what happens in them, at most one position of
//! a game. What is found is printed as lines to add to the suite.
//!
//! `cargo run --release --example mate_suite -- SEED SUITE.epd NAME... >> SUITE.epd`

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;

use garrison::engine::{Control, Limits, STACK_SIZE, SearchEvent, Searcher};
use garrison_rules::random::SplitMix;
use garrison_rules::{Position, Variant, find};

#[path = "../tests/mates/solver.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod solver;
#[path = "../tests/mates/suite.rs"]
mod suite;
#[path = "../tests/mates/themes.rs"]
mod themes;
use solver::Solver;
use suite::Task;
use themes::Theme;

/// How many wins in 2, 3, 4, 5 and 6 moves are wanted of a game.
const WANTED: [usize; 5] = [5, 10, 8, 3, 2];
const LONGEST: u32 = WANTED.len() as u32 + 1;
/// The moves that the proof of a position may take.
const PROOF: u64 = 3_000_000;
/// The same, of a win in more than `TRIED` moves.
const LONG_PROOF: u64 = 10_000_000;
/// Longer wins than this are proven only where a search sees one.
const TRIED: u32 = 3;
/// What that search may look at.
const LONG_NODES: u64 = 200_000;
/// How many positions of few pieces are tried for a game.
const COMPOSED: usize = 30;
/// The moves that the proof of one may take.
const COMPOSED_PROOF: u64 = 500_000;
/// How many of the winner's last moves of a game are looked at.
const LAST: usize = 12;
/// How many games are played at most.
const GAMES: u64 = 20_000;
/// What the search may look at for a move.
const NODES: u64 = 1_000;

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
        let variant = find(name).map_err(|unknown| unknown.to_string())?;
        let mut suite = Suite {
            ids: BTreeSet::new(),
            fens: BTreeSet::new(),
            moves: WANTED,
            themes: themes::wanted(&variant).to_vec(),
        };
        for task in suite::read(text)? {
            suite.add(&task);
        }
        eprintln!("lacks {:?} {:?}", suite.moves, suite.themes);
        Ok(suite)
    }

    fn add(&mut self, task: &Task) {
        if let Some(left) = self.moves.get_mut(task.within.saturating_sub(2) as usize) {
            *left = left.saturating_sub(1);
        }
        for (theme, left) in &mut self.themes {
            let has_it = task.themes.iter().any(|name| name == theme.name());
            *left = left.saturating_sub(usize::from(has_it));
        }
        self.fens.insert(task.position.fen());
        self.ids.insert(task.id.clone());
    }

    /// Whether such a win is lacking. Another end than mate must be.
    fn lacks(&self, within: u32, found: &[Theme]) -> bool {
        let wanted = |theme: &Theme| self.themes.iter().any(|(it, left)| it == theme && *left > 0);
        let end_fits = found.first().is_some_and(|end| *end == Theme::Mate || wanted(end));
        let left = self.moves.get(within.saturating_sub(2) as usize);
        let is_rare = |theme: &Theme| *theme != Theme::Mate && wanted(theme);
        end_fits && (left.is_some_and(|&left| left > 0) || found.iter().any(is_rare))
    }

    fn is_full(&self) -> bool {
        self.moves.iter().all(|left| *left == 0) && self.themes.iter().all(|(_, left)| *left == 0)
    }

    /// Whether only longer wins are lacking than those that are found by trying everything alone.
    fn is_full_of_short(&self) -> bool {
        self.moves[..TRIED as usize - 1].iter().all(|left| *left == 0)
            && self.themes.iter().all(|(theme, left)| *left == 0 || *theme == Theme::Mate)
    }

    /// Plays the games in turns until all that is wanted is found.
    fn fill(&mut self, names: &[String], seed: u64) -> Result<(), String> {
        let mut searcher = Searcher::new(16).ok_or("no memory")?;
        for number in 0..GAMES {
            if self.is_full() {
                break;
            }
            let name = &names[number as usize % names.len().max(1)];
            let seed = SplitMix::new(seed ^ number << 20).number();
            let game = play(name, seed, &mut searcher)?;
            let mut random = SplitMix::new(seed ^ 1);
            let variant = find(name).map_err(|unknown| unknown.to_string())?;
            let composed = (0..COMPOSED).find_map(|_| self.compose(&variant, &mut random));
            if let Some(task) = composed.or_else(|| self.choose(&game, &mut searcher)) {
                println!("{}", write(&task));
                self.add(&task);
                eprintln!("game {number}: {}; lacks {:?} {:?}", task.id, self.moves, self.themes);
            }
        }
        Ok(())
    }

    /// The longest of the wins that both are in a game and are wanted.
    fn choose(&self, game: &[Position], searcher: &mut Searcher) -> Option<Task> {
        let winner = game.last()?.status().outcome()?.winner?;
        let last: Vec<Position> = game
            .iter()
            .rev()
            .filter(|position| {
                position.side_to_move() == winner && !self.fens.contains(&position.fen())
            })
            .take(LAST)
            .map(Position::without_history)
            .collect();
        let is_wanted = |(task, found): &(Task, Vec<Theme>)| self.lacks(task.within, found);
        let mut longest = None;
        if self.moves[TRIED as usize - 1..].iter().any(|left| *left > 0) {
            // Where the search sees none, it would see none farther from the end.
            let seen = last.iter().map_while(|it| Some((it, far_mate(it, searcher)?)));
            let far = seen.filter(|&(_, moves)| moves > TRIED);
            let proofs = far.filter_map(|(it, _)| prove(it, LONGEST, &mut Solver::new(LONG_PROOF)));
            longest = proofs.into_iter().find(is_wanted);
        }
        if longest.is_none() && !self.is_full_of_short() {
            for position in &last {
                let mut solver = Solver::new(PROOF);
                let found = prove(position, TRIED, &mut solver).filter(is_wanted);
                longest = found.or(longest);
                // Farther from the end there is only more to prove.
                if solver.left() == 0 {
                    break;
                }
            }
        }
        longest.map(|(task, _)| Task { id: self.new_id(&task), ..task })
    }

    /// A win in more than four moves, or with a promotion, with few pieces put on the board at random.
    fn compose(&self, variant: &Arc<Variant>, random: &mut SplitMix) -> Option<Task> {
        let (task, found) =
            prove(&few_pieces(variant, random)?, LONGEST, &mut Solver::new(COMPOSED_PROOF))?;
        let is_rare = task.within > 4 || found.contains(&Theme::Promotion);
        let is_new = !self.fens.contains(&task.position.fen());
        let is_wanted = is_rare && is_new && self.lacks(task.within, &found);
        is_wanted.then(|| Task { id: self.new_id(&task), ..task })
    }

    /// What the game is, how it ends and when, and a number.
    fn new_id(&self, task: &Task) -> String {
        let (name, end) = (task.position.variant().name(), &task.themes[0]);
        let start = format!("{name} {end} in {}", task.within);
        let mut ids = (1..).map(|number| format!("{start} ({number})"));
        ids.find(|id| !self.ids.contains(id)).unwrap_or(start)
    }
}

/// The line of a win.
fn write(task: &Task) -> String {
    let Task { id, position, within, themes } = task;
    let (fen, themes, name) = (position.fen(), themes.join(", "), position.variant().name());
    format!("{fen} dm {within}; id \"{id}\"; c0 \"{themes}\"; variant {name};")
}

/// The moves of the mate that a search of many nodes sees, if it does.
fn far_mate(position: &Position, searcher: &mut Searcher) -> Option<u32> {
    let limits = Limits { nodes: Some(LONG_NODES), mate: Some(LONGEST), ..Limits::default() };
    let mut seen = None;
    searcher.search(position, &limits, &Control::new(false), |news| {
        if let SearchEvent::Info(line) = news {
            seen = line.score.mate_moves().and_then(|moves| u32::try_from(moves).ok());
        }
    });
    seen.filter(|moves| (1..=LONGEST).contains(moves))
}

/// Two kings near an edge and a few pieces at random; `None` if it may not be so.
fn few_pieces(variant: &Arc<Variant>, random: &mut SplitMix) -> Option<Position> {
    let start = Position::start(variant).fen();
    let (board, _) = start.split_once(' ')?;
    let (board, hands) = board.split_once('[').map_or((board, ""), |(board, _)| (board, "[]"));
    let ranks: Vec<&str> = board.split('/').collect();
    let width =
        ranks[0].chars().map(|letter| letter.to_digit(10).unwrap_or(1)).sum::<u32>() as usize;
    // The start position has all pieces but, in some games, the king.
    let is_piece = |letter: &char| letter.is_ascii_uppercase() && *letter != 'K';
    let letters: Vec<char> = board.chars().filter(is_piece).collect();
    let mut pieces: Vec<char> =
        (0..2 + random.below(2)).map(|_| letters[random.below(letters.len())]).collect();
    let loser = (0..random.below(2)).map(|_| letters[random.below(letters.len())]);
    pieces.extend(loser.map(|letter| letter.to_ascii_lowercase()).collect::<Vec<_>>());
    let mut squares = vec!['1'; width * ranks.len()];
    for piece in pieces {
        let at = random.below(squares.len());
        squares[at] = piece;
    }
    // The winner's king is two or three ranks from the other, which is on its own first rank.
    let file = random.below(width);
    squares[file] = 'k';
    squares[(2 + random.below(2)) * width + (file + random.below(3)).clamp(1, width) - 1] = 'K';
    let ranks: Vec<String> = squares.chunks(width).map(rank_text).collect();
    let fen = format!("{}{hands} w - - 0 1", ranks.join("/"));
    let position = Position::from_fen(variant, &fen).ok()?;
    let is_over = position.status().outcome().is_some();
    (!is_over && !position.is_attacked(!position.side_to_move())).then_some(position)
}

/// A rank as in a FEN; `1` is a vacant square.
fn rank_text(squares: &[char]) -> String {
    let runs = squares.chunk_by(|a, b| *a == '1' && *b == '1');
    let texts = runs.map(|run| match run[0] {
        '1' => run.len().to_string(),
        _ => run.iter().collect(),
    });
    texts.collect()
}

/// A win in 2 to `most` moves, and none in fewer.
fn prove(position: &Position, most: u32, solver: &mut Solver) -> Option<(Task, Vec<Theme>)> {
    let is_far = |limit| u32::from(position.halfmoves()) + 2 * LONGEST < u32::from(limit);
    if !position.variant().end().moves.is_none_or(is_far) {
        return None;
    }
    let within = solver.moves_to_win(&mut position.clone(), most).filter(|&moves| moves > 1)?;
    let mut mates = Solver::of_mates(solver.left());
    let line = match mates.wins(&mut position.clone(), within)? {
        true => mates.line(position, within)?,
        false => solver.line(position, within)?,
    };
    let found = themes::themes(position, &line);
    // Mate, but not against everything.
    if found[0] == Theme::Mate && mates.wins(&mut position.clone(), within) != Some(true) {
        return None;
    }
    let themes = found.iter().map(|theme| theme.name().to_string()).collect();
    Some((Task { id: String::new(), position: position.clone(), within, themes }, found))
}

/// The positions of a game from random moves to its end; in every second one a side goes on to play
/// at random now and then.
fn play(name: &str, seed: u64, searcher: &mut Searcher) -> Result<Vec<Position>, String> {
    let variant = find(name).map_err(|unknown| unknown.to_string())?;
    let mut random = SplitMix::new(seed);
    let mut position = Position::start(&variant);
    let mut opening = 6 + random.below(12);
    let weaker = [None, None, Some(position.side_to_move()), Some(!position.side_to_move())]
        [random.below(4)];
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut game = vec![position.clone()];
    searcher.clear();
    while game.len() < 400 && position.status().outcome().is_none() {
        let moves = position.legal_moves();
        let pending = position.setup_phase().is_pending();
        let errs = weaker == Some(position.side_to_move()) && random.below(3) == 0;
        let mv = if pending || opening > 0 || errs {
            opening = opening.saturating_sub(usize::from(!pending));
            moves[random.below(moves.len())]
        } else {
            let found = searcher.search(&position, &limits, &Control::new(false), |_| {});
            found.best.ok_or("no move")?
        };
        position.make(mv);
        game.push(position.clone());
    }
    Ok(game)
}
