//! The adapter of `bench/peers`, with this program in place of the peer: then the two must agree on every
//! move but those whose text is another one there, which it plays on from.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use garrison_rules::{Position, find};

const PROGRAM: &str = env!("CARGO_BIN_EXE_garrison");

/// The arguments by which `match` starts the adapter.
fn adapter() -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("bench/peers/fairy-stockfish");
    // The two names of one game are the same here.
    let words = ["--engine", PROGRAM, "--judge", PROGRAM, "--rename", "shoogantshii=shoogantshii"];
    let mut arguments = vec![format!("cmd={}", path.display()), "name=peer".to_string()];
    arguments.extend(words.iter().map(|word| format!("arg={word}")));
    arguments
}

/// Whether there is what the adapter is written in; where not, this says so.
fn has_python() -> bool {
    let found =
        Command::new("python3").arg("--version").output().is_ok_and(|done| done.status.success());
    if !found {
        eprintln!("skipped: not installed: python3");
    }
    found
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the program runs")
}

#[test]
fn games_against_the_adapter_end_by_the_rules() {
    if !has_python() {
        return;
    }
    let variants = "swda-jj,swda-pp,swda-oa,shoogantshii";
    let mut command = Command::new(PROGRAM);
    command.args(["match", "--variant", variants, "--games", "8", "--nodes", "150"]);
    command.args(["--openings", "random:8", "--max-plies", "300"]);
    command.args(["--engine", "name=garrison", "--engine"]).args(adapter());
    let done = run(&mut command);
    let report = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(report.contains("No faults:"), "{report}");
}

#[test]
fn an_illegal_answer_is_replaced_and_reported() {
    if !has_python() {
        return;
    }
    // A peer that plays a move of another game: it knows one position and nothing else.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let peer = folder.join("wrong-peer");
    let script = "#!/usr/bin/env python3\nimport sys\nfor line in sys.stdin:\n    word = line.split()[0]\n    \
                  answers = {'uci': 'option name UCI_Variant type combo default swda-oo var swda-oo\\nuciok',\n    \
                  'isready': 'readyok', 'd': 'Fen: 8/8/8/8/8/8/8/8 w - - 0 1',\n    \
                  'go': 'Nodes searched: 0' if 'perft' in line else 'info depth 1 pv a9a9 b2b3 c2c3\\nbestmove a9a9'}\n    \
                  print(answers.get(word, 'info string'), flush=True)\n";
    std::fs::write(&peer, script).expect("a file");
    let mut start = Command::new("chmod");
    assert!(run(start.arg("+x").arg(&peer)).status.success());
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("bench/peers/fairy-stockfish");
    let mut child = Command::new(path)
        .args(["--judge", PROGRAM, "--engine"])
        .arg(&peer)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the adapter starts");
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(
            b"setoption name UCI_Variant value swda\nposition startpos moves e2e3\ngo depth 1\n",
        )
        .expect("it reads");
    // Kept open: at the end of input it would end without an answer.
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let lines_read = until_best(&mut lines);
    drop(input);
    child.wait().expect("it ends");
    assert!(lines_read[0].contains("moves chosen in place of its own: 1"), "{lines_read:?}");
    let best = lines_read.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move");
    let mut position = Position::start(&find("swda-oo").expect("a built-in game"));
    position.play("e2e3").expect("a legal move");
    assert!(position.parse_move(best).is_ok(), "{best}");
}

/// What the adapter says of itself, and the best move.
fn until_best(lines: &mut impl Iterator<Item = std::io::Result<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for line in lines {
        let line = line.expect("UTF-8");
        let is_best = line.starts_with("bestmove");
        if is_best || line.contains("adapter:") {
            found.push(line);
        }
        if is_best {
            break;
        }
    }
    found
}
