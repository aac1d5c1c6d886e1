//! `garrison tune`: finds the weights again by which positions were judged, and refuses what is not
//! its data.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

use garrison::engine::{Evaluation, Evaluator, Linear};
use garrison_rules::{Color, Position, SplitMix, find};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn tune(data: &PathBuf, out: &PathBuf, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.arg("tune").arg("--data").arg(data).arg("--out").arg(out).args(more);
    command.output().expect("the program runs")
}

fn refused(name: &str, text: &str) -> String {
    let data = path(name);
    std::fs::write(&data, text).expect("written");
    let out = path("refused.toml");
    let _ = std::fs::remove_file(&out);
    let done = tune(&data, &out, &[]);
    assert_eq!(done.status.code(), Some(2), "{name}");
    assert!(!out.exists(), "{name}");
    String::from_utf8(done.stderr).expect("UTF-8")
}

/// Positions on the way of random moves, a game after the other.
fn games(name: &str, count: usize, seed: u64) -> Vec<Vec<Position>> {
    let variant = find(name).expect("a built-in game");
    let mut random = SplitMix::new(seed);
    let mut game = || {
        let mut position = Position::start(&variant);
        let mut all = Vec::new();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.status().outcome().is_some() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
            if !position.is_check() && position.status().outcome().is_none() {
                all.push(position.without_history());
            }
        }
        all
    };
    (0..count).map(|_| game()).collect()
}

const HEADER: &str =
    "# garrison selfplay seed 1 nodes 1 plies 8 hash 1 version 0.1.0 variants shoogantshii\n";

/// The value of a position for White.
fn for_white(linear: &mut impl Evaluator, position: &Position) -> i32 {
    let value = linear.evaluate(position);
    if position.side() == Color::White { value } else { -value }
}

/// A file of so many games, whose positions have the scores of this evaluation.
fn judged(name: &str, count: usize, judge: &mut impl Evaluator) -> String {
    let mut text = HEADER.replace("shoogantshii", name);
    for (number, game) in games(name, count, 3).iter().enumerate() {
        let _ = writeln!(text, "# game {}", number + 1);
        for position in game {
            let value = for_white(judge, position).clamp(-1400, 1400);
            let _ = writeln!(text, "{name}|{}|{value}|0.5", position.fen());
        }
    }
    text
}

#[test]
fn weights_that_judged_the_data_are_found_again() {
    let name = "shoogantshii";
    let variant = find(name).expect("a built-in game");
    // What the program ships with is far from the values of the definition, which `tune` begins with.
    let mut planted = Evaluation::new(&variant);
    let (data, out) = (path("planted.txt"), path("planted.toml"));
    std::fs::write(&data, judged(name, 400, &mut planted)).expect("written");
    let done = tune(&data, &out, &["--blend", "0", "--epochs", "200"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let table = std::fs::read_to_string(&out).expect("a table");
    let mut found = Evaluation::from_text(&variant, &table).expect("a good table");
    let mut plain = Linear::plain(&variant);
    let (mut error, mut before, mut count) = (0, 0, 0);
    for position in games(name, 30, 4).iter().flatten() {
        let value = planted.evaluate(position);
        if value.abs() < 1000 {
            error += (found.evaluate(position) - value).abs();
            before += (plain.evaluate(position) - value).abs();
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
    assert!(error * 4 < before, "off by {} cp, {} before", error / count, before / count);
    // Games of at most 80 random plies, and the planted table says 53.
    let plies = found.linear.course().plies;
    assert!((60.0..80.0).contains(&plies), "{plies}");
}

#[test]
fn what_is_not_its_data_is_refused_with_the_place() {
    assert!(refused("other.txt", "something else\n").contains("other.txt"));
    let fen = find("shoogantshii").expect("a built-in game").start_fen().to_string();
    let line = |score: &str, result: &str| {
        format!("{HEADER}# game 1\nshoogantshii|{fen}|{score}|{result}\n")
    };
    for (text, wrong) in [
        (line("x", "1"), "'x'"),
        (line("10", "2"), "'2'"),
        (line("10", "1").replace("# game 1", "# game 7"), "# game 1"),
        (line("10", "1").replace("shoogantshii|", "chess960|"), "chess960"),
        (line("10", "1"), "too few games"),
    ] {
        let said = refused("broken.txt", &text);
        assert!(said.contains(wrong), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
}

#[test]
fn a_network_learns_what_the_table_says() {
    let name = "swda-oo";
    let variant = find(name).expect("a built-in game");
    let mut table = Evaluation::new(&variant).linear;
    let (data, out) = (path("network.txt"), path("network.toml"));
    std::fs::write(&data, judged(name, 300, &mut table)).expect("written");
    let more = ["--network", "--blend", "0", "--epochs", "60", "--threads"];
    let mut texts = Vec::new();
    for threads in ["1", "3"] {
        let done = tune(&data, &out, &[&more[..], &[threads]].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        texts.push(std::fs::read_to_string(&out).expect("a network"));
    }
    assert_eq!(texts[0], texts[1], "it depends on the number of threads");
    let mut learned = Evaluation::from_text(&variant, &texts[0]).expect("a good network");
    assert!(learned.has_network());
    let (mut error, mut size) = (0, 0);
    for position in games(name, 30, 4).iter().flatten() {
        let value = table.evaluate(position);
        error += (learned.evaluate(position) - value).abs();
        size += value.abs();
    }
    assert!(error * 2 < size, "off by {error} of {size}");
}

/// The loss held out before the first epoch and after the last, as `tune` tells them.
fn losses(done: &Output) -> [f64; 2] {
    let text = String::from_utf8_lossy(&done.stdout);
    let line = text.lines().find(|line| line.starts_with("loss held out")).expect("the losses");
    let numbers: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().expect("two losses")
}

#[test]
fn a_network_is_gone_on_with() {
    let name = "swda-oo";
    let mut table = Evaluation::new(&find(name).expect("a built-in game")).linear;
    let [data, out, more] = ["go-on.txt", "begun.toml", "gone-on.toml"].map(path);
    std::fs::write(&data, judged(name, 300, &mut table)).expect("written");
    let args = ["--network", "--blend", "0", "--epochs", "20"];
    let begun = losses(&tune(&data, &out, &args));
    let start = out.to_str().expect("a path");
    let gone_on = losses(&tune(&data, &more, &[&args[..], &["--start", start]].concat()));
    assert!((gone_on[0] - begun[1]).abs() < 0.002, "{begun:?} {gone_on:?}");
    assert!(gone_on[1] < begun[1], "{begun:?} {gone_on:?}");
}
