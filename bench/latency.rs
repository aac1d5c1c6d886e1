//! How quickly the program answers, beside what is allowed: bounds that a busy machine may miss, so they are measured
//! here and not in the tests. Each figure is the best and the median of several tries.
//!
//! `cargo bench --bench latency`; the exit status is 1 if a best try misses its bound.

#[path = "../tests/talk/mod.rs"]
mod talk;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use talk::Talk;

/// A game of each kind.
const GAMES: [&str; 4] = ["sixfortresses", "shoranji-maximus", "chesstonia", "shoogantshii"];

/// Games with a setup phase.
const SETUPS: [&str; 4] = ["sixfortresses", "sixfortresses-short", "shoranji", "shoranji-maximus"];

/// How often each is tried.
const TRIES: usize = 20;

/// Times and what is allowed of them, printed as rows of a table.
struct Bench {
    missed: bool,
}

impl Bench {
    fn measure(&mut self, what: &str, allowed: u64, mut attempt: impl FnMut() -> Duration) {
        let allowed = Duration::from_millis(allowed);
        let mut times: Vec<Duration> = (0..TRIES).map(|_| attempt()).collect();
        times.sort();
        let (best, median) = (times[0], times[TRIES / 2]);
        let missed = if best > allowed { " missed" } else { "" };
        println!("| {what} | {allowed:?} | {best:.1?} | {median:.1?} |{missed}");
        self.missed |= best > allowed;
    }
}

fn playing(game: &str, threads: u32) -> Talk {
    let mut engine = Talk::playing(game);
    engine.send(&format!("setoption name Threads value {threads}"));
    engine
}

/// Begins a search without end.
fn search(engine: &mut Talk) {
    engine.send("position startpos");
    engine.send("go infinite");
    // Several threads may pass over a depth.
    (0..4).for_each(|_| drop(engine.until("info depth ")));
}

/// From a line to its answer.
fn time(engine: &mut Talk, line: &str, answer: &str) -> Duration {
    let start = Instant::now();
    engine.send(line);
    engine.until(answer);
    start.elapsed()
}

fn start_to_uciok() -> Duration {
    let start = Instant::now();
    let mut engine = Talk::program();
    engine.send("uci");
    engine.until("uciok");
    start.elapsed()
}

fn main() -> ExitCode {
    let mut bench = Bench { missed: false };
    println!("| answer | allowed | best of {TRIES} | median |");
    println!("|---|---|---|---|");
    bench.measure("start to `uciok`", 50, start_to_uciok);
    for game in GAMES {
        for threads in [1, 3] {
            let mut engine = playing(game, threads);
            search(&mut engine);
            bench.measure(&format!("`isready` in a search, {game}, {threads} threads"), 10, || {
                time(&mut engine, "isready", "readyok")
            });
            time(&mut engine, "stop", "bestmove ");
            bench.measure(&format!("`stop`, {game}, {threads} threads"), 20, || {
                search(&mut engine);
                time(&mut engine, "stop", "bestmove ")
            });
        }
    }
    for game in SETUPS {
        let mut engine = playing(game, 1);
        engine.send("position startpos");
        bench.measure(&format!("`go movetime 200` in the setup of {game}"), 220, || {
            engine.ask("ucinewgame");
            time(&mut engine, "go movetime 200", "bestmove ")
        });
    }
    let mut engine = playing("swda-oo", 1);
    engine.send("position startpos");
    for (go, allowed) in [
        ("go movetime 50", 70),
        ("go wtime 500 btime 500", 145),
        ("go wtime 600000 btime 600000 searchmoves e2e3", 20),
    ] {
        bench.measure(&format!("`{go}`"), allowed, || {
            engine.ask("ucinewgame");
            time(&mut engine, go, "bestmove ")
        });
    }
    ExitCode::from(u8::from(bench.missed))
}
