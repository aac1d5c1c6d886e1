//! How quickly the program answers. Each figure is the best of several tries: what else the machine does is
//! not the program's fault.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A game of each kind.
const GAMES: [&str; 4] = ["sixfortresses", "shoranji-maximus", "chesstonia", "shoogantshii"];

/// How often each is tried, at most.
const TRIES: u32 = 20;

/// Longer than any answer may take, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_garrison"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok()
        });
        Engine { child, input, lines }
    }

    fn send(&mut self, line: &str) {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.input.flush())
            .expect("the program reads");
    }

    /// Reads on to a line that begins so.
    fn until(&self, beginning: &str) {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("no '{beginning}': {error}"));
            if line.starts_with(beginning) {
                return;
            }
        }
    }

    /// From a line to its answer.
    fn time(&mut self, line: &str, answer: &str) -> Duration {
        let start = Instant::now();
        self.send(line);
        self.until(answer);
        start.elapsed()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tries until an answer comes in time.
fn check(what: &str, allowed: Duration, mut attempt: impl FnMut() -> Duration) {
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        best = best.min(attempt());
        if best <= allowed {
            println!("{what}: {best:?}");
            return;
        }
    }
    panic!("{what}: {best:?} at best, {allowed:?} are allowed");
}

#[test]
fn isready_is_answered_within_10_ms_during_a_search() {
    for game in GAMES {
        for threads in [1, 3] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name UCI_Variant value {game}"));
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send("position startpos");
            engine.send("go infinite");
            engine.until("info depth 4 ");
            let what = format!("{game}, {threads} threads, isready");
            check(&what, Duration::from_millis(10), || engine.time("isready", "readyok"));
        }
    }
}

#[test]
fn stop_is_obeyed_within_20_ms() {
    for game in GAMES {
        for threads in [1, 3] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name UCI_Variant value {game}"));
            engine.send(&format!("setoption name Threads value {threads}"));
            let what = format!("{game}, {threads} threads, stop");
            check(&what, Duration::from_millis(20), || {
                engine.send("position startpos");
                engine.send("go infinite");
                engine.until("info depth 4 ");
                engine.time("stop", "bestmove ")
            });
        }
    }
}

#[test]
fn the_program_is_there_within_50_ms() {
    check("start to uciok", Duration::from_millis(50), || {
        let start = Instant::now();
        let mut engine = Engine::start();
        engine.send("uci");
        engine.until("uciok");
        start.elapsed()
    });
}
