//! The options: each takes what it offers and refuses the rest, and does what it says.

mod talk;

use talk::Talk;

const ERROR: &str = "info string error: ";

/// A conversation in UCI about a game.
fn uci(game: &str) -> Talk {
    let mut talk = Talk::start();
    assert_eq!(talk.ask(&format!("variant {game}")).len(), 1);
    talk
}

/// A search to its end.
fn go(talk: &mut Talk, command: &str) -> Vec<String> {
    talk.send(command);
    talk.until("bestmove ")
}

/// Runs the program with this input to its end, with so many KiB of address space if a number is given.
#[cfg(target_os = "linux")]
fn run_within(kibibytes: Option<u64>, input: &str) -> (std::process::ExitStatus, String) {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let limit = kibibytes.map_or(String::new(), |most| format!("ulimit -v {most}; "));
    let mut child = Command::new("sh")
        .args(["-c", &format!("{limit}exec \"$0\""), env!("CARGO_BIN_EXE_garrison")])
        // Else the C library reserves 64 MiB for each thread, in the one run and not in the other.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    // With too little memory it may end before it has read all.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    (output.status, String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a search that cannot begin for want of memory answers with.
#[cfg(target_os = "linux")]
const NO_MOVE: &str = "bestmove (none)";

/// The least MiB of address space, in steps of 4, in which this input is answered with a move.
#[cfg(target_os = "linux")]
fn least_mebibytes(input: &str) -> u64 {
    let answers = |mebibytes: &u64| {
        let (status, output) = run_within(Some(mebibytes * 1024), input);
        let is_found = |line: &str| line.starts_with("bestmove ") && line != NO_MOVE;
        status.success() && output.lines().last().is_some_and(is_found)
    };
    (20..2000).step_by(4).find(answers).expect("two gigabytes are enough")
}

/// The threads of the largest game need more than 100 MiB; with 40 more than one thread needs, they are refused in a line,
/// and the search goes on with the one there is.
#[cfg(target_os = "linux")]
#[test]
fn threads_without_memory_are_refused_in_a_line() {
    let search = "variant shoranji-maximus\ngo depth 1\n";
    let limit = 1024 * (40 + least_mebibytes(search));
    for threads in [4, 64, 512] {
        let input = format!("setoption name Threads value {threads}\n");
        let (status, output) =
            run_within(Some(limit), &format!("variant shoranji-maximus\n{input}isready\n{search}"));
        assert!(status.success(), "{threads}: {status} {output}");
        let refused: Vec<&str> = output.lines().filter(|line| line.starts_with(ERROR)).collect();
        assert_eq!(refused, [format!("{ERROR}no memory for Threads {threads}")], "{output}");
        assert!(
            output.lines().last().is_some_and(|line| line.starts_with("bestmove ")),
            "{output}"
        );
        // Set for a small game, they do not take the memory of a larger one.
        let (status, output) = run_within(Some(limit), &format!("{input}{search}"));
        assert!(status.success(), "{threads}: {status} {output}");
        assert!(
            output.lines().last().is_some_and(|line| line.starts_with("bestmove ")),
            "{output}"
        );
    }
    // Any memory at all: never an abort, always a line.
    for mebibytes in (12..100).step_by(8) {
        let (status, output) = run_within(
            Some(mebibytes * 1024),
            "setoption name Threads value 512\nsetoption name Hash value 64\ngo depth 1\n",
        );
        let never_began = status.code() == Some(127) || output.is_empty();
        assert!(status.success() || never_began, "{mebibytes} MiB: {status} {output}");
        // Whoever waits for a move gets an answer behind the line that says why there is none.
        let has_none = output.lines().any(|line| line == NO_MOVE);
        assert_eq!(
            has_none,
            output.contains("no memory for a search"),
            "{mebibytes} MiB: {output}"
        );
    }
}

#[test]
fn errors_show_paths_in_one_short_line() {
    let mut talk = uci("chess");
    let long = format!("a\u{1b}[2Jb/{}", "x".repeat(500));
    for option in ["VariantPath", "EvalFile"] {
        let answer = talk.ask(&format!("setoption name {option} value {long}"));
        assert_eq!(answer.len(), 1);
        assert!(answer[0].starts_with(ERROR) && answer[0].len() < 200, "{answer:?}");
        assert!(answer[0].contains("a\\u{1b}[2Jb/") && answer[0].contains("x…'"), "{answer:?}");
        assert!(!answer[0].contains(char::is_control), "{answer:?}");
    }
    // What a definition says is escaped and shortened as well, and many faults are counted.
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty-games");
    std::fs::create_dir_all(&folder).expect("a folder");
    for number in 0..9 {
        let text = format!("name = \"{}\"\nbase = \"\\u001b[2J{}\"\n", number, "y".repeat(900));
        std::fs::write(folder.join(format!("{number}.toml")), text).expect("a file");
    }
    let answer = talk.ask(&format!("setoption name VariantPath value {}", folder.display()));
    assert_eq!(answer.len(), 1);
    assert!(!answer[0].contains(char::is_control) && answer[0].len() < 2500, "{answer:?}");
    assert!(answer[0].ends_with("; and 5 more"), "{answer:?}");
}

/// Values that an option takes, and values that it refuses, from the line that offers it.
fn values_of(line: &str) -> (Vec<String>, Vec<String>) {
    let words: Vec<&str> = line.split(' ').collect();
    let behind = |word: &str| {
        let at = words.iter().position(|other| *other == word).map(|at| at + 1);
        words[at.unwrap_or_else(|| panic!("no '{word}' in '{line}'"))]
    };
    let texts = |values: &[&str]| values.iter().map(|value| value.to_string()).collect();
    match behind("type") {
        "spin" => {
            let [least, most, default] = ["min", "max", "default"]
                .map(|word| behind(word).parse::<i64>().expect("a number"));
            assert!((least..=most).contains(&default), "{line}");
            let near = (least + 1).min(most).to_string();
            let wrong = [(least - 1).to_string(), (most + 1).to_string()];
            let [below, above] = &wrong;
            let good = texts(&[&near, behind("min"), behind("default")]);
            (good, texts(&[below, above, "x", "", "1.5", "99999999999999999999"]))
        }
        "check" => (texts(&["true", "false"]), texts(&["yes", "", "1", "True"])),
        "combo" => {
            let games = words.iter().zip(&words[1..]).filter(|(word, _)| **word == "var");
            (games.map(|(_, game)| game.to_string()).collect(), texts(&["", "checkers", "var"]))
        }
        // Devices and what the system shows of itself may never end.
        "string" => {
            let never_end = ["/dev/zero", "/proc/kmsg"].into_iter().filter(|_| cfg!(unix));
            let wrong = ["no/such/thing"].into_iter().chain(never_end);
            (texts(&["<empty>", ""]), wrong.map(String::from).collect())
        }
        "button" => (texts(&[""]), Vec::new()),
        other => panic!("type {other}"),
    }
}

#[test]
fn every_option_takes_what_it_offers_and_refuses_the_rest() {
    for (hello, ok) in [("uci", "uciok"), ("usi", "usiok")] {
        let mut talk = Talk::start();
        talk.send(hello);
        let mut number = 0;
        for line in talk.until(ok) {
            let Some(offer) = line.strip_prefix("option name ") else { continue };
            let (name, _) = offer.split_once(" type ").expect("a type");
            let (good, wrong) = values_of(offer);
            for value in good {
                let answer = talk.ask(&format!("setoption name {name} value {value}"));
                let is_line = answer.iter().all(|line| line.starts_with("info string variant "));
                assert!(is_line, "{name} {value}: {answer:?}");
            }
            for value in wrong {
                let answer = talk.ask(&format!("setoption name {name} value {value}"));
                let refused = answer.len() == 1 && answer[0].starts_with(ERROR);
                assert!(refused, "{name} '{value}': {answer:?}");
            }
            number += 1;
        }
        assert_eq!(number, 16, "{hello}");
        talk.quit();
    }
}

#[test]
fn options_do_what_they_say() {
    let mut talk = uci("swda-oo");
    let set = |talk: &mut Talk, option: &str| {
        assert_eq!(talk.ask(&format!("setoption name {option}")), Vec::<String>::new());
    };
    let nodes = |lines: &[String]| -> u64 {
        let last = lines.iter().rev().find(|line| line.contains(" nodes ")).expect("nodes");
        let words: Vec<&str> = last.split(' ').collect();
        let at = words.iter().position(|word| *word == "nodes").expect("nodes");
        words[at + 1].parse().expect("a number")
    };
    set(&mut talk, "MultiPV value 3");
    let lines = go(&mut talk, "go depth 2");
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:?}");
    set(&mut talk, "MultiPV value 1");
    set(&mut talk, "UCI_ShowWDL value true");
    let lines = go(&mut talk, "go depth 2");
    assert!(lines[0].contains(" wdl "), "{lines:?}");
    // A weak player looks at few positions, but not when it analyzes.
    set(&mut talk, "Skill Level value 1");
    let weak = nodes(&go(&mut talk, "go depth 5"));
    assert!(weak <= 64, "{weak}");
    set(&mut talk, "UCI_AnalyseMode value true");
    assert!(nodes(&go(&mut talk, "go depth 5")) > 200);
    set(&mut talk, "Skill Level value 20");
    set(&mut talk, "Threads value 2");
    set(&mut talk, "Hash value 2");
    set(&mut talk, "Without value null-move");
    set(&mut talk, "Move Overhead value 100");
    set(&mut talk, "Clear Hash");
    go(&mut talk, "go depth 4");
    talk.quit();
}

#[test]
fn contempt_is_for_moves_that_are_played() {
    let mut talk = uci("chess");
    // White is a pawn behind, and may repeat the position.
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1";
    let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6";
    talk.send(&format!("position fen {fen} moves {moves}"));
    talk.send("setoption name Contempt value 200");
    let repeats = |talk: &mut Talk, command: &str| {
        go(talk, command).last().is_some_and(|line| line.starts_with("bestmove f3g1"))
    };
    assert!(!repeats(&mut talk, "go nodes 20000"));
    assert!(repeats(&mut talk, "go depth 8"));
    talk.send("setoption name UCI_AnalyseMode value true");
    assert!(repeats(&mut talk, "go nodes 20000"));
    talk.quit();
}

#[test]
fn games_of_a_file_are_played() {
    let folder = std::env::temp_dir().join(format!("garrison-path-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("my game.toml");
    let game = r#"
name = "quarrel"
title = "Quarrel"
start = "kr3/5/5/5/3RK w - - 0 1"
board = { files = 5, ranks = 5 }
royalty = { piece = "K", kind = "absolute" }
end = { no_moves = "loss", repetition = 3 }

[pieces]
K = { name = "king", betza = "K", limit = 1 }
R = { name = "rook", betza = "R" }
"#;
    std::fs::write(&path, game).expect("a file");
    let mut talk = Talk::start();
    let set = format!("setoption name VariantPath value {}", path.display());
    assert_eq!(talk.ask(&set), Vec::<String>::new());
    assert!(talk.ask("variants").contains(&"quarrel".to_string()));
    let answer = talk.ask("setoption name UCI_Variant value quarrel");
    assert!(answer[0].starts_with("info string variant quarrel files 5 ranks 5 "), "{answer:?}");
    assert!(go(&mut talk, "go depth 3").last().expect("a move").starts_with("bestmove "));
    // A wrong file changes nothing; no file takes the game away, but not the one being played.
    std::fs::write(&path, game.replace("\"R\"", "\"Rx\"")).expect("a file");
    let answer = talk.ask(&set);
    assert!(answer.len() == 1 && answer[0].starts_with(ERROR), "{answer:?}");
    assert!(talk.ask("variants").contains(&"quarrel".to_string()));
    assert_eq!(talk.ask("setoption name VariantPath value <empty>"), Vec::<String>::new());
    assert!(!talk.ask("variants").contains(&"quarrel".to_string()));
    assert!(go(&mut talk, "go depth 2").last().expect("a move").starts_with("bestmove "));
    talk.quit();
    std::fs::remove_dir_all(&folder).expect("the folder");
}
