//! The suites of forced wins in bench/suites/mates: proven by trying everything, and found by the
//! engine in time.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use garrison::engine::{Control, Limits, News, STACK_SIZE, Searcher};
use garrison::rules::{Move, Position, find};

#[path = "mates/solver.rs"]
mod solver;
#[path = "mates/suite.rs"]
mod suite;
#[path = "mates/themes.rs"]
mod themes;

use solver::Solver;
use suite::Task;

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
const PROOF: u64 = 4_000_000;

/// What the engine may look at for one: as many positions as it does in two seconds on a processor
/// of its own. Not a time, for other programs may be busy.
const NODES: u64 = 3_000_000;

/// The positions of a game.
fn suite(game: &str) -> Vec<Task> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("bench/suites/mates/{game}.epd"));
    let text = std::fs::read_to_string(path).expect("a suite");
    suite::read(&text).expect("wins to find")
}

/// A position of a game, and what its side to move may need to win.
fn position(game: &str, fen: &str) -> Position {
    Position::from_fen(&find(game).expect("a game of ours"), fen).expect("a position")
}

#[test]
fn every_suite_has_some_of_all() {
    let mut ids = HashSet::new();
    for game in GAMES {
        let suite = suite(game);
        let variant = suite[0].position.variant().clone();
        let mut left = themes::wanted(&variant).to_vec();
        for Task { id, position, within } in &suite {
            assert!(ids.insert(id.clone()), "twice: {id}");
            let line = Solver::new(PROOF).line(position, *within);
            let line = line.unwrap_or_else(|| panic!("{id}: no line"));
            let themes = themes::themes(position, &line);
            for (theme, left) in &mut left {
                *left = left.saturating_sub(usize::from(themes.contains(theme)));
            }
        }
        let most = suite.iter().map(|task| task.within).max();
        assert!(suite.len() >= 24 && most >= Some(5), "{game}: {} {most:?}", suite.len());
        assert!(suite.iter().filter(|task| task.within >= 3).count() >= 10, "{game}");
        assert!(left.iter().all(|(_, left)| *left == 0), "{game} lacks {left:?}");
        let fens: HashSet<String> = suite.iter().map(|task| task.position.fen()).collect();
        assert_eq!(fens.len(), suite.len(), "{game}");
    }
}

#[test]
fn the_solver_knows_a_win() {
    let cases = [
        // Facing kings: the king takes the king.
        ("shoogantshii", "4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1", 1, true),
        // The rook mates on the last rank; not from farther away.
        ("sixfortresses", "8k/9/8K/9/9/9/9/9/R8[] w - - 0 1", 1, true),
        ("sixfortresses", "8k/9/6K2/9/9/9/9/9/R8[] w - - 0 1", 1, false),
        // The ferz takes the last squares from the king: stalemate, a win here and a draw there.
        ("swda-oo", "k7/2K5/8/2F5/7p/7P/8/8 w - - 0 1", 1, true),
        ("sixfortresses", "k8/2K6/9/2F6/9/9/9/9/9[] w - - 0 1", 1, false),
    ];
    for (game, fen, within, wins) in cases {
        let mut position = position(game, fen);
        assert_eq!(Solver::new(PROOF).wins(&mut position, within), Some(wins), "{game} {fen}");
    }
    let mut start = Position::start(&find("shoranji-maximus").expect("a game of ours"));
    assert_eq!(Solver::new(1000).wins(&mut start, 3), None);
}

fn prove(game: &str) {
    for Task { id, mut position, within } in suite(game) {
        assert!((2..=6).contains(&within), "{id}");
        // The proof does not look at the move count.
        assert!(u32::from(position.halfmoves()) + 2 * within < 100, "{id}");
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

/// A mate that the engine announces.
struct Seen {
    by: Option<Move>,
    moves: u32,
    time: Duration,
}

/// The mate that the engine announces first, if it is in so many moves or fewer.
fn first_mate(searcher: &mut Searcher, position: &Position, within: u32) -> Option<Seen> {
    searcher.clear();
    let limits = Limits { mate: Some(within), nodes: Some(NODES), ..Limits::default() };
    let start = Instant::now();
    let mut seen = None;
    searcher.search(position, &limits, &Control::new(false), |news| {
        if let News::Line(line) = news {
            let moves = line.score.mate_moves().and_then(|moves| u32::try_from(moves).ok());
            if let Some(moves) = moves.filter(|moves| (1..=within).contains(moves)) {
                let by = line.pv.first().copied();
                seen.get_or_insert(Seen { by, moves, time: start.elapsed() });
            }
        }
    });
    seen
}

#[test]
fn the_engine_sees_all_of_them_and_is_right() {
    let search = || {
        let mut searcher = Searcher::new(16).expect("memory");
        for game in GAMES {
            let (mut missed, mut longest) = (Vec::new(), Duration::ZERO);
            for Task { id, mut position, within } in suite(game) {
                let Some(seen) = first_mate(&mut searcher, &position, within) else {
                    missed.push(id);
                    continue;
                };
                // No shorter one exists, and the move begins one.
                assert_eq!(seen.moves, within, "{id}");
                let by = seen.by.expect("a move");
                assert_eq!(Solver::new(PROOF).wins_by(&mut position, by, within), Some(true), "{id}");
                longest = longest.max(seen.time);
            }
            println!("{game}: the longest took {longest:.3?}");
            assert!(missed.is_empty(), "{game}: not seen in {NODES} positions: {missed:?}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(search);
    thread.expect("a thread").join().expect("all of them seen");
}
