//! Skill levels: a lower one looks at fewer positions, and loses to a higher one.

mod talk;

use std::process::Command;

use garrison::engine::{FULL_SKILL, skill_nodes};
use talk::Talk;

/// The positions that a level visits for the first move of a game, without any other limit than the
/// one given.
fn visited(game: &str, level: &str, limit: &str) -> u64 {
    let mut engine = Talk::playing(game);
    engine.send(&format!("{level}position startpos moves"));
    let lines = engine.go(&format!("go {limit}"));
    engine.quit();
    let nodes =
        |line: &String| line.strip_prefix("info ")?.split_once(" nodes ").map(|n| n.1.to_string());
    let nodes =
        lines.iter().filter_map(nodes).next_back().expect("a search that reports its nodes");
    nodes.split(' ').next().and_then(|nodes| nodes.parse().ok()).expect("a number")
}

#[test]
fn a_level_bounds_the_positions_visited() {
    for game in ["swda-oo", "chesstonia"] {
        let mut before = 0;
        for level in [4, 8, 12] {
            let option = format!("setoption name Skill Level value {level}\n");
            let most = skill_nodes(level).expect("a level below the full");
            let nodes = visited(game, &option, "depth 60");
            assert!(before < nodes && nodes <= most, "{game} {level}: {before} {nodes} {most}");
            // A limit that is closer counts.
            assert!(visited(game, &option, "nodes 100") <= 100, "{game} {level}");
            before = nodes;
        }
        // Full strength is bounded by nothing but what is asked for.
        let full = format!(
            "setoption name Skill Level value 3\nsetoption name Skill Level value {FULL_SKILL}\n"
        );
        for option in ["", &full] {
            let nodes = visited(game, option, "nodes 90000");
            assert!(nodes > before && nodes <= 90_000, "{game}: {nodes}");
        }
    }
    assert_eq!(skill_nodes(FULL_SKILL), None);
}

/// The score of the higher of two levels in per cent. Both are limited by positions only, so that the
/// same games are played each time and on each machine.
fn score(game: &str, levels: [u32; 2], games: u32) -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.args(["match", "--variant", game, "--games", &games.to_string()]);
    command.args(["--concurrency", "2", "--openings", "random:6", "--seed", "5"]);
    command.args(["--nodes", &skill_nodes(levels[1]).expect("a level below the full").to_string()]);
    command.args(["--resign", "score=800", "moves=3", "--max-plies", "240"]);
    for level in [levels[1], levels[0]] {
        let option = format!("option.Skill Level={level}");
        command.args(["--engine", &format!("name=level{level}"), &option]);
    }
    let output = command.output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success() && text.contains("No faults"), "{text}");
    // level5 against level0: +9 =1 -0, 9.5 of 10 points (95.0 %)
    let share = text.lines().next().and_then(|line| line.split_once("points ("));
    let share = share.and_then(|(_, rest)| rest.split_once(" %"));
    share.and_then(|(share, _)| share.parse().ok()).expect("a score")
}

#[test]
fn a_low_level_loses_to_a_higher_one() {
    for game in ["swda-oo", "chesstonia", "shoogantshii"] {
        let score = score(game, [0, 5], 10);
        assert!(score >= 80.0, "{game}: {score} %");
    }
}

/// Minutes. `cargo test --release --test skill -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn each_level_of_a_ladder_beats_the_one_before() {
    for game in ["swda-oo", "chesstonia", "shoogantshii", "sixfortresses"] {
        for levels in [[0, 3], [3, 6], [6, 9]] {
            let score = score(game, levels, 40);
            println!("{game}: level {} against {}: {score} %", levels[1], levels[0]);
            assert!(score >= 60.0, "{game} {levels:?}: {score} %");
        }
    }
}
