//! The suites of forced wins in bench/suites/mates: proven by trying everything, and found by the
//! engine in time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use garrison::engine::{Control, Limits, News, STACK_SIZE, Searcher};
use garrison::rules::{Position, find};

#[path = "mates/solver.rs"]
mod solver;
use solver::Solver;

/// The games, each with a suite of its name.
const GAMES: [&str; 7] = [
    "sixfortresses",
    "sixfortresses-short",
    "shoranji",
    "shoranji-maximus",
    "chesstonia",
    "swda",
    "shoogantshii",
];

/// No position needs so many moves to be proven.
const PROOF: u64 = 1_000_000;

/// What the engine may take for one.
const TIME: Duration = Duration::from_secs(2);

struct Task {
    id: String,
    position: Position,
    within: u32,
}

/// The positions of a game.
fn suite(game: &str) -> Vec<Task> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("bench/suites/mates/{game}.epd"));
    let text = std::fs::read_to_string(path).expect("a suite");
    text.lines().filter(|line| !line.starts_with('#')).map(read).collect()
}

/// A line: FEN, `dm`, `id`, `variant`.
fn read(line: &str) -> Task {
    let (fen, rest) = line.split_once(" dm ").expect("dm");
    let mut parts = rest.split("; ");
    let within = parts.next().and_then(|text| text.parse().ok()).expect("a number of moves");
    let id = parts.next().and_then(|text| text.strip_prefix("id ")).expect("an id");
    let name = parts.next().and_then(|text| text.strip_prefix("variant ")).expect("a game");
    let variant = find(name.trim_end_matches(';')).expect("a game of ours");
    let position = Position::from_fen(&variant, fen).expect("a position");
    Task { id: id.to_string(), position, within }
}

#[test]
fn every_game_has_twenty_different_ones() {
    for game in GAMES {
        let suite = suite(game);
        assert!(suite.len() >= 20, "{game}: {}", suite.len());
        assert!(suite.iter().all(|task| (2..=6).contains(&task.within)), "{game}");
        assert!(suite.iter().filter(|task| task.within >= 3).count() >= 10, "{game}");
        let mut fens: Vec<String> = suite.iter().map(|task| task.position.fen()).collect();
        fens.sort();
        fens.dedup();
        assert_eq!(fens.len(), suite.len(), "{game}");
    }
}

fn prove(game: &str) {
    for Task { id, mut position, within } in suite(game) {
        let mut solver = Solver::new(PROOF);
        assert_eq!(solver.wins(&mut position, within), Some(true), "{id}");
        assert_eq!(solver.wins(&mut position, within - 1), Some(false), "{id}");
    }
}

macro_rules! proofs {
    ($($name:ident = $game:literal,)*) => {$(
        #[test]
        fn $name() {
            prove($game);
        }
    )*};
}

proofs! {
    wins_of_six_fortresses_are_forced_and_no_shorter = "sixfortresses",
    wins_of_six_fortresses_short_are_forced_and_no_shorter = "sixfortresses-short",
    wins_of_shoranji_are_forced_and_no_shorter = "shoranji",
    wins_of_maximus_are_forced_and_no_shorter = "shoranji-maximus",
    wins_of_chesstonia_are_forced_and_no_shorter = "chesstonia",
    wins_of_swda_are_forced_and_no_shorter = "swda",
    wins_of_shoogantshii_are_forced_and_no_shorter = "shoogantshii",
}

/// How long the engine takes to see a win in so many moves; `None` if it did not.
fn time_to_mate(searcher: &mut Searcher, position: &Position, within: u32) -> Option<Duration> {
    searcher.clear();
    let limits = Limits { mate: Some(within), move_time: Some(TIME), ..Limits::default() };
    let start = Instant::now();
    let mut seen = None;
    searcher.search(position, &limits, &Control::new(false), |news| {
        if let News::Line(line) = news {
            let moves = line.score.mate_moves().and_then(|moves| u32::try_from(moves).ok());
            if moves.is_some_and(|moves| (1..=within).contains(&moves)) {
                seen.get_or_insert_with(|| start.elapsed());
            }
        }
    });
    seen
}

#[test]
fn the_engine_sees_all_of_them_in_time() {
    let search = || {
        let mut searcher = Searcher::new(16).expect("memory");
        for game in GAMES {
            let (mut missed, mut longest) = (Vec::new(), Duration::ZERO);
            for Task { id, position, within } in suite(game) {
                match time_to_mate(&mut searcher, &position, within) {
                    Some(time) => longest = longest.max(time),
                    None => missed.push(id),
                }
            }
            println!("{game}: the longest took {longest:.3?}");
            assert!(missed.is_empty(), "{game}: not seen within {TIME:?}: {missed:?}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(search);
    thread.expect("a thread").join().expect("all of them seen");
}
