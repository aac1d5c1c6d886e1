//! Whole games of the program against itself over UCI, with the rules as arbiter: every move legal,
//! every game ended by a rule or at [`MOST_PLIES`].
//!
//! The long form (`cargo test --release --test games -- --ignored --nocapture`) plays at 50 ms a move
//! and prints a line for each game; `GARRISON_GAMES` names a file to which it appends the positions.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use garrison::rules::{Position, builtin_names, find};
use rayon::prelude::*;

const MOST_PLIES: usize = 400;

/// The program, spoken to over UCI.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(variant: &str) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_garrison"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut engine = Engine { child, input, output };
        engine.send(&format!("uci\nsetoption name UCI_Variant value {variant}\nisready"));
        engine.wait_for("readyok");
        engine
    }

    fn send(&mut self, text: &str) {
        writeln!(self.input, "{text}").expect("the program reads");
    }

    /// The rest of the first line that begins with this word. No line may tell an error.
    fn wait_for(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("text from the program");
            assert!(read > 0, "the program ended while '{word}' was awaited");
            assert!(!line.contains("error"), "{line}");
            if let Some(rest) = line.strip_prefix(word) {
                return rest.trim().to_string();
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

/// Plays one game; returns its last position.
fn play(name: &str, limit: &str) -> Position {
    let variant = find(name).expect("a built-in game");
    let mut position = Position::start(&variant);
    let mut engine = Engine::start(name);
    let mut moves = String::new();
    while position.status().outcome().is_none() && position.moves_made().len() < MOST_PLIES {
        engine.send(&format!("position startpos moves{moves}\ngo {limit}"));
        let answer = engine.wait_for("bestmove");
        let best = answer.split_whitespace().next().expect("a move");
        let made = position.play(best);
        assert_eq!(made, Ok(1), "{name}: '{best}' in {}", position.fen());
        let _ = write!(moves, " {best}");
    }
    // The program agrees that the game is over.
    if position.status().outcome().is_some() {
        engine.send(&format!("position startpos moves{moves}\ngo {limit}"));
        assert_eq!(engine.wait_for("bestmove"), "(none)", "{name}");
    }
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
    assert_eq!(play_all("nodes 150", 2).len(), 22);
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
