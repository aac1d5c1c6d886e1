//! `garrison analyze --pgn --out`: runs that are stopped keep what is done and can be gone on with.

#![cfg(unix)]

mod hangup;
mod talk;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use garrison::record::pgn;
use serde_json::Value;
use talk::{Done, run, spawn};

/// A folder of its own for a test, which is empty at first.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyze_resume").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A path within it, as text.
fn place(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a name").to_string()
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = place(folder, name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn text(path: &str) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn exists(path: &str) -> bool {
    Path::new(path).exists()
}

fn analyze(arguments: &[&str], input: &str) -> Done {
    run(&[&["analyze", "--nodes", "200"], arguments].concat(), input.as_bytes())
}

/// How many games a text has, all of which can be read.
fn count(text: &str) -> usize {
    let games = pgn::read(text);
    assert!(games.iter().all(Result::is_ok), "{games:?}");
    games.len()
}

/// As many short games of chess, each with a player of its own.
fn short_games(count: usize) -> String {
    let game = |number: usize| {
        let start = ["1. e4 e5 2. Nf3", "1. d4 d5 2. c4", "1. f3 e5 2. g4 Qh4#"][number % 3];
        format!("[White \"Player {number}\"]\n[Black \"B\"]\n\n{start} *\n\n")
    };
    (1..=count).map(game).collect()
}

/// The part file of a run that got so many games and then no more.
fn part_of_a_stopped_run(arguments: &[&str], part: &str, games: usize) -> String {
    // From a pipe that is not closed.
    let arguments: Vec<&str> =
        arguments.iter().map(|a| if a.ends_with("in.pgn") { "-" } else { a }).collect();
    let mut child = spawn(&[&["analyze", "--nodes", "200"], &arguments[..]].concat());
    let mut stdin = child.stdin.take().expect("piped");
    writeln!(stdin, "{}[Event \"next\"]", short_games(games)).expect("a pipe");
    stdin.flush().expect("a pipe");
    let is_done = || {
        std::fs::read_to_string(part)
            .is_ok_and(|text| text.lines().count() == games + 1 && text.ends_with('\n'))
    };
    while !is_done() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("a child");
    child.wait().expect("it ends");
    text(part)
}

#[test]
fn every_cut_of_a_run_can_be_gone_on_with() {
    let folder = folder("cut");
    let from = file(&folder, "in.pgn", &short_games(5));
    for format in [&[][..], &["--json"]] {
        let to = place(&folder, "out");
        let part = format!("{to}.part");
        let arguments = [&["--pgn", &from, "--out", &to], format].concat();
        let remove = || {
            let _ = std::fs::remove_file(&to);
            let _ = std::fs::remove_file(&part);
        };
        remove();
        let report = analyze(&arguments, "").out;
        let whole = text(&to);
        assert!(!exists(&part), "a finished run leaves no part file");
        // A run that is killed by hand leaves a part file, of which the last line may be torn.
        remove();
        let parts = part_of_a_stopped_run(&arguments, &part, 5);
        let ends: Vec<usize> = parts
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str::<Value>(line).expect(line))
            .map(|entry| entry["end"].as_u64().expect("a length") as usize)
            .collect();
        assert_eq!((ends.len(), *ends.last().expect("an end")), (5, whole.len()));
        let head = parts.lines().next().expect("a header").len() + 1;
        let line = parts.lines().nth(1).expect("an entry").len() + 1;
        for (file_cut, part_cut, kept) in [
            (ends[1], parts.len(), 2),
            (ends[1] + 7, parts.len(), 2),
            (ends[4], parts.len() - 3, 4),
            (ends[4], head + line, 1),
            (ends[0] - 1, parts.len(), 0),
            (3, head, 0),
        ] {
            std::fs::write(&to, &whole[..file_cut]).expect("a file");
            std::fs::write(&part, &parts[..part_cut]).expect("a file");
            let done = analyze(&[&arguments[..], &["--resume"]].concat(), "");
            assert_eq!(
                done.err,
                format!("garrison: {kept} game{} kept\n", if kept == 1 { "" } else { "s" }),
                "{file_cut} {part_cut}"
            );
            assert_eq!((done.code, done.out.as_str()), (Some(0), report.as_str()));
            assert!(text(&to) == whole, "cut at {file_cut}");
            assert!(!exists(&part));
        }
    }
}

#[test]
fn signals_keep_the_games_that_are_done() {
    let folder = folder("signals");
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if signal == "-HUP" && hangup::is_ignored() {
            continue;
        }
        let to = place(&folder, &format!("out{signal}.pgn"));
        let part = format!("{to}.part");
        let mut child = spawn(&["analyze", "--nodes", "200", "--pgn", "-", "--out", &to]);
        let mut stdin = child.stdin.take().expect("piped");
        writeln!(stdin, "{}[Event \"next\"]", short_games(2)).expect("a pipe");
        let is_done = || std::fs::read_to_string(&part).is_ok_and(|text| text.lines().count() == 3);
        while !is_done() {
            assert!(child.try_wait().expect("a child").is_none(), "it ended");
            std::thread::sleep(Duration::from_millis(5));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("a signal").success());
        let done = child.wait_with_output().expect("it ends");
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(error, "garrison: stopped after 2 games; go on with --resume\n");
        assert_eq!(done.status.code(), Some(status), "{signal}");
        assert_eq!(count(&text(&to)), 2);
        drop(stdin);
        // Going on takes the next one only.
        let done = analyze(&["--pgn", "-", "--out", &to, "--resume"], &short_games(3));
        assert_eq!((done.code, done.err.as_str()), (Some(0), "garrison: 2 games kept\n"));
        assert_eq!(count(&text(&to)), 3);
        assert!(
            done.out.contains("\nPlayer 1 ") && done.out.contains("\nPlayer 3 "),
            "{}",
            done.out
        );
    }
}

#[test]
fn what_cannot_be_gone_on_with_stays_as_it_is() {
    let folder = folder("others");
    let from = file(&folder, "in.pgn", &short_games(3));
    let to = place(&folder, "out.pgn");
    let part = format!("{to}.part");
    let arguments = ["--pgn", &from, "--out", &to];
    let parts = part_of_a_stopped_run(&arguments, &part, 2);
    let whole = text(&to);
    let refused = |arguments: &[&str], fault: &str| {
        let done = analyze(arguments, "");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(done.err.contains(&format!("garrison: '{to}': {fault}")), "{}", done.err);
        assert_eq!((text(&to), text(&part)), (whole.clone(), parts.clone()));
    };
    let resume = |more: &'static [&str]| [&arguments[..], &["--resume"], more].concat();
    refused(&arguments, "exists; --resume continues it, or choose another name");
    refused(
        &resume(&["--depth", "2"]),
        "was begun with other options ('PGN, nodes 200, hash 16', now 'PGN, depth 2, nodes 200, hash 16')",
    );
    refused(&resume(&["--json"]), "was begun with other options (");
    refused(&resume(&["--variant", "swda"]), "was begun with other options (");
    let other = file(&folder, "other.pgn", &short_games(3).replace("2. c4", "2. c3"));
    refused(
        &["--pgn", &other, "--out", &to, "--resume"],
        "was begun with another game 1 of the input",
    );
    let shorter = file(&folder, "shorter.pgn", &short_games(1));
    let done = analyze(&["--pgn", &shorter, "--out", &to, "--resume"], "");
    assert!(done.err.contains("has game 2, which the input has not"), "{}", done.err);
    assert_eq!((text(&to), text(&part)), (whole.clone(), parts.clone()));
    let done = analyze(&["--pgn", &from, "--out", &place(&folder, "")], "");
    assert!(done.code == Some(2) && done.err.ends_with("is a folder\n"), "{}", done.err);
    // A file that this command did not begin, or has finished.
    std::fs::remove_file(&part).expect("a file");
    let done = analyze(&resume(&[]), "");
    assert_eq!((done.code, text(&to)), (Some(2), whole));
    assert!(done.err.contains("cannot be gone on with: '"), "{}", done.err);
}
