//! Whole games of the program against itself over UCI, with the rules as arbiter: every move legal,
//! every game ended by a rule or at [`MOST_PLIES`].
//!
//! The long form (`cargo test --release --test games -- --ignored --nocapture`) plays at 50 ms a move
//! and prints a line for each game; `GARRISON_GAMES` names a file to which it appends the positions.

mod talk;

use std::fmt::Write;

use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, find};
use rayon::prelude::*;
use talk::Talk;

const MOST_PLIES: usize = 400;

/// The best move that the program finds, or what it says for none. No line may report an error.
fn best_move(engine: &mut Talk, moves: &str, limit: &str) -> String {
    engine.send(&format!("position startpos moves{moves}"));
    let lines = engine.go(&format!("go {limit}"));
    assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    let best = lines.last().and_then(|line| line.split_whitespace().nth(1));
    best.expect("a move").to_string()
}

/// Plays one game; returns its last position.
fn play(name: &str, limit: &str) -> Position {
    let variant = find(name).expect("a built-in game");
    let mut position = Position::start(&variant);
    let mut engine = Talk::playing(name);
    let mut moves = String::new();
    while position.status().outcome().is_none() && position.moves_made().len() < MOST_PLIES {
        let best = best_move(&mut engine, &moves, limit);
        let made = position.play(&best);
        assert_eq!(made, Ok(1), "{name}: '{best}' in {}", position.fen());
        let _ = write!(moves, " {best}");
    }
    // The program agrees that the game is over, and has a move only where one is legal, as after a repetition.
    if position.status().outcome().is_some() {
        let best = best_move(&mut engine, &moves, limit);
        match position.legal_moves().is_empty() {
            true => assert_eq!(best, "(none)", "{name}"),
            false => assert!(position.parse_move(&best).is_ok(), "{name}: {best}"),
        }
    }
    engine.quit();
    position
}

fn play_all(limit: &str, threads: usize) -> Vec<(String, Position)> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        builtin_names().par_iter().map(|name| (name.clone(), play(name, limit))).collect()
    })
}

#[test]
fn a_quick_game_of_each() {
    assert_eq!(play_all("nodes 150", 2).len(), builtin_names().len());
}

#[test]
#[ignore = "several minutes; run with --release -- --ignored --nocapture"]
fn a_game_of_each_at_50_ms_a_move() {
    let games = play_all("movetime 50", 2);
    for (name, position) in &games {
        let plies = position.moves_made().len();
        println!("{name:<20} {plies:>3} plies  {}", position.status());
    }
    if let Ok(path) = std::env::var("GARRISON_GAMES") {
        let text: String = games.iter().map(|(name, position)| record(name, position)).collect();
        std::fs::write(path, text).expect("the file is written");
    }
}

/// The positions of a game after every tenth ply, a line each.
fn record(name: &str, position: &Position) -> String {
    let mut replay = Position::start(&find(name).expect("a built-in game"));
    let mut text = String::new();
    for (ply, mv) in position.moves_made().enumerate() {
        replay.make(mv);
        if ply % 10 == 9 {
            let _ = writeln!(text, "{name}; {}", replay.fen());
        }
    }
    text
}
