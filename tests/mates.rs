//! The suites of forced wins in bench/suites/mates: proven by trying everything, and looked for by the
//! engine.

use std::collections::HashSet;
use std::path::PathBuf;

use garrison::engine::{Control, Limits, STACK_SIZE, SearchEvent, Searcher};
use garrison_rules::{Move, Position, find};

#[path = "mates/solver.rs"]
mod solver;
#[path = "mates/suite.rs"]
mod suite;
#[path = "mates/themes.rs"]
mod themes;

use solver::Solver;
use suite::Task;
use themes::Theme;

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
const PROOF: u64 = 12_000_000;

/// What the engine may look at for one: about as many positions as it does in two seconds on a
/// processor of its own. Not a time, for other programs may be busy.
const NODES: u64 = 3_000_000;

/// What share of a suite it must see at least, in per cent. What it misses is printed.
const SEEN: usize = 95;

/// The positions of a game.
fn suite(game: &str) -> Vec<Task> {
    tasks(&format!("mates/{game}"))
}

/// The positions of a file.
fn tasks(name: &str) -> Vec<Task> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("bench/suites/{name}.epd"));
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
        for (theme, least) in themes::wanted(suite[0].position.variant()) {
            let has_it = |task: &&Task| task.themes.iter().any(|name| name == theme.name());
            let count = suite.iter().filter(has_it).count();
            assert!(count >= *least, "{game}: {count} with {theme:?}");
        }
        let count = |moves| suite.iter().filter(|task| task.within == moves).count();
        let counts: Vec<usize> = (2..=6).map(count).collect();
        assert_eq!(counts.iter().sum::<usize>(), suite.len(), "{game}");
        assert!(suite.len() >= 24, "{game}: {}", suite.len());
        assert!(counts[..3].iter().all(|&count| count >= 5), "{game}: {counts:?}");
        assert!(counts[3] + counts[4] >= 1, "{game}: {counts:?}");
        let fens: HashSet<String> = suite.iter().map(|task| task.position.fen()).collect();
        assert_eq!(fens.len(), suite.len(), "{game}");
        ids.extend(suite.iter().map(|task| task.id.clone()));
        // An id says the game, how it ends and when.
        for Task { id, position, within, themes } in suite {
            let start = format!("{} {} in {within} (", position.variant().name(), themes[0]);
            assert!(id.starts_with(&start), "{id}: {start}");
        }
    }
    assert_eq!(ids.len(), GAMES.iter().map(|game| suite(game).len()).sum::<usize>());
}

#[test]
fn the_solver_knows_a_win() {
    let cases = [
        // Facing kings: the king takes the king.
        ("shoogantshii", "4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1", 1, true, true),
        // The rook mates on the last rank; not from farther away.
        ("sixfortresses", "8k/9/8K/9/9/9/9/9/R8[] w - - 0 1", 1, true, true),
        ("sixfortresses", "8k/9/6K2/9/9/9/9/9/R8[] w - - 0 1", 1, false, false),
        // The ferz takes the last squares from the king: stalemate, a win here and a draw there.
        ("swda-oo", "k7/2K5/8/2F5/7p/7P/8/8 w - - 0 1", 1, true, false),
        ("sixfortresses", "k8/2K6/9/2F6/9/9/9/9/9[] w - - 0 1", 1, false, false),
        // The last piece is taken: a win by the bare king, no mate.
        ("swda-oo", "k7/8/8/8/8/8/r7/1K5R w - - 0 1", 1, true, false),
        ("swda-oo", "k7/8/8/8/8/8/8/KR5r w - - 0 1", 1, true, false),
    ];
    for (game, fen, within, wins, mates) in cases {
        let mut position = position(game, fen);
        assert_eq!(Solver::new(PROOF).wins(&mut position, within), Some(wins), "{game} {fen}");
        let mut solver = Solver::of_mates(PROOF);
        assert_eq!(solver.wins(&mut position, within), Some(mates), "{game} {fen}");
    }
    let mut start = Position::start(&find("shoranji-maximus").expect("a game of ours"));
    assert_eq!(Solver::new(1000).wins(&mut start, 3), None);
}

/// Without what speeds the solver up: no memory, no order.
fn wins_plainly(position: &mut Position, within: u32) -> bool {
    let us = position.side_to_move();
    position.legal_moves().into_iter().any(|mv| {
        position.make(mv);
        let wins = match position.status().outcome() {
            Some(outcome) => outcome.winner == Some(us),
            None => {
                within > 1
                    && position.legal_moves().into_iter().all(|reply| {
                        position.make(reply);
                        let loses = match position.status().outcome() {
                            Some(outcome) => outcome.winner == Some(us),
                            None => wins_plainly(position, within - 1),
                        };
                        position.unmake();
                        loses
                    })
            }
        };
        position.unmake();
        wins
    })
}

#[test]
fn the_solver_agrees_with_a_plainer_one() {
    for game in GAMES {
        for Task { id, mut position, within, .. } in suite(game) {
            let most = if position.count_legal_moves() < 60 { 2 } else { 1 };
            for moves in 1..=most {
                let plainly = wins_plainly(&mut position, moves);
                assert_eq!(plainly, moves >= within, "{id}");
                assert_eq!(Solver::new(PROOF).wins(&mut position, moves), Some(plainly), "{id}");
            }
        }
    }
}

/// Proves that the wins of a suite are forced, and no shorter.
fn prove(game: &str) {
    let mut made = 0;
    for Task { id, mut position, within, themes } in suite(game) {
        // The proof does not look at the move count.
        let is_far = |limit| u32::from(position.halfmoves()) + 2 * within < u32::from(limit);
        assert!(position.variant().end().moves.is_none_or(is_far), "{id}");
        let mut solver = Solver::new(PROOF);
        assert_eq!(solver.wins(&mut position, within - 1), Some(false), "{id}");
        assert_eq!(solver.wins(&mut position, within), Some(true), "{id}");
        made += PROOF - solver.left();
        let mut mates = Solver::of_mates(PROOF);
        let is_mate = mates.wins(&mut position, within) == Some(true);
        assert_eq!(is_mate, themes[0] == Theme::Mate.name(), "{id}");
        let solver = if is_mate { &mut mates } else { &mut solver };
        let line = solver.line(&position, within).expect("a line");
        assert_eq!(line.len() as u32, 2 * within - 1, "{id}");
        let found: Vec<_> = themes::themes(&position, &line).iter().map(|it| it.name()).collect();
        assert_eq!(found, themes, "{id}");
    }
    println!("{game}: {made} moves made");
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
    nodes: u64,
}

/// The mate that the engine announces first, if it is in so many moves or fewer.
fn first_mate(searcher: &mut Searcher, position: &Position, within: u32) -> Option<Seen> {
    searcher.clear();
    let limits = Limits { mate: Some(within), nodes: Some(NODES), ..Limits::default() };
    let mut seen = None;
    searcher.search(position, &limits, &Control::new(false), |news| {
        if let SearchEvent::Info(line) = news {
            let moves = line.score.mate_moves().and_then(|moves| u32::try_from(moves).ok());
            if let Some(moves) = moves.filter(|moves| (1..=within).contains(moves)) {
                let (by, nodes) = (line.pv.first().copied(), line.nodes);
                seen.get_or_insert(Seen { by, moves, nodes });
            }
        }
    });
    seen
}

/// Lets the engine look for the wins of a game; what it announces must be right.
fn look_for_all(game: &str, searcher: &mut Searcher) {
    let (mut missed, mut nodes) = (Vec::new(), Vec::new());
    for Task { id, mut position, within, .. } in suite(game) {
        let Some(seen) = first_mate(searcher, &position, within) else {
            missed.push(id);
            continue;
        };
        // No shorter one exists, and the move begins one.
        assert_eq!(seen.moves, within, "{id}");
        let by = seen.by.expect("a move");
        assert_eq!(Solver::new(PROOF).wins_by(&mut position, by, within), Some(true), "{id}");
        nodes.push(seen.nodes);
    }
    nodes.sort_unstable();
    let (seen, all) = (nodes.len(), nodes.len() + missed.len());
    let (median, most) = (nodes[seen / 2], nodes[seen - 1]);
    println!(
        "{game}: {seen} of {all} seen, half of them in {median} nodes, all in {most}; not {missed:?}"
    );
    assert!(seen * 100 >= all * SEEN, "{game}: not seen in {NODES} positions: {missed:?}");
}

#[test]
fn the_engine_sees_most_of_them_and_is_right() {
    let search = || {
        let mut searcher = Searcher::new(16).expect("memory");
        for game in GAMES {
            look_for_all(game, &mut searcher);
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(search);
    thread.expect("a thread").join().expect("most of them seen");
}

#[test]
fn long_wins_by_checks_are_forced() {
    for Task { id, mut position, within, .. } in tasks("checks") {
        assert!(within >= 4, "{id}: 7 plies and more");
        let mut solver = Solver::of_checks(PROOF);
        assert_eq!(solver.wins(&mut position, within), Some(true), "{id}");
        println!("{id}: {} moves made", PROOF - solver.left());
    }
}

/// Plays a line; whether the side that begins has won at its end, or can capture the king.
fn line_wins(position: &Position, line: &[Move]) -> bool {
    let (winner, mut end) = (position.side_to_move(), position.without_history());
    for &mv in line {
        assert!(end.is_legal(mv) && end.status().outcome().is_none(), "{}", end.fen());
        end.make(mv);
    }
    let is_won = |end: &Position| end.status().outcome().is_some_and(|o| o.winner == Some(winner));
    is_won(&end)
        || end.side_to_move() == winner
            && end.legal_moves().into_iter().any(|mv| {
                let mut after = end.clone();
                after.make(mv);
                after.decided().is_some() && is_won(&after)
            })
}

#[test]
fn long_wins_by_checks_are_found_with_their_line() {
    let search = || {
        let mut searcher = Searcher::new(16).expect("memory");
        for Task { id, position, .. } in tasks("checks") {
            searcher.clear();
            let limits = Limits { mate: Some(64), nodes: Some(NODES / 4), ..Limits::default() };
            let mut last = None;
            searcher.search(&position, &limits, &Control::new(false), |news| {
                if let SearchEvent::Info(line) = news {
                    last = Some((line.score, line.nodes, line.pv.clone()));
                }
            });
            let (score, nodes, line) = last.expect("an iteration");
            let moves = score.mate_moves().unwrap_or(0);
            assert!(moves > 0, "{id}: {score:?} in {nodes}");
            assert!(line_wins(&position, &line), "{id}: {line:?}");
            println!("{id}: in {moves} moves, seen in {nodes} nodes");
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(search);
    thread.expect("a thread").join().expect("all of them found");
}
