//! The commands for people, as they are run: `play`, `analyze`, `openings`, `completions`, `man`.

mod talk;

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Command;

use garrison::record::{GameRecord, pgn};
use garrison_rules::catalogue::builtin_names;
use garrison_rules::{GameResult, Position, find};
use serde_json::Value;
use talk::{PATIENCE, Talk, run, spawn, wait};

/// What a run that works prints.
fn output(arguments: &[&str], input: &str) -> String {
    let done = run(arguments, input.as_bytes());
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{arguments:?}: {}", done.out);
    done.out
}

/// A path for a file of this test, in the folder that cargo keeps for such things.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn file(name: &str, text: &str) -> String {
    let path = path(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a name").to_string()
}

fn games(text: &str) -> Vec<GameRecord> {
    pgn::read(text).into_iter().map(|game| game.expect("a game")).collect()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

// play

#[test]
fn a_game_is_played_from_its_setup_to_the_record() {
    let saved = file("played.pgn", "");
    let script = format!(
        "setup b1d1\ndone\nmoves e3\ne4\nback\nd3d4\nhint\nmoves\nboard\nflip\nhelp\nsave {saved}\nquit\nd4\n"
    );
    let out = output(&["play", "--variant", "shoranji", "--level", "2"], &script);
    assert!(out.contains("  1 | T |   | F | W | T |"), "{out}");
    assert!(out.contains("\nBlack plays ="), "{out}");
    assert!(out.contains("\ne4 (e3e4), e5 (e3e5)\n"), "{out}");
    assert!(out.contains("\nhint: "), "{out}");
    assert!(out.ends_with("Good-bye.\n"), "{out}");
    // Turned around, file i comes first.
    assert!(out.contains("\n      i   h   g"), "{out}");
    let [game] = games(&std::fs::read_to_string(saved).expect("saved")).try_into().expect("one");
    assert_eq!(game.tag("Variant"), Some("shoranji"));
    assert_eq!(
        (game.tag("White"), game.tag("Black")),
        (Some("Person"), Some("Garrison (level 2)"))
    );
    let mut position = game.start.clone();
    let mut texts = Vec::new();
    for ply in &game.plies {
        texts.push(position.move_text(ply.mv));
        position.make(ply.mv);
    }
    // The move taken back is not in the record.
    assert_eq!((texts.len(), texts[0].as_str(), texts[2].as_str()), (4, "=T1FWT1FWT", "d3d4"));
    assert_eq!(game.result, GameResult::Unknown);
}

#[test]
fn the_program_may_have_either_side_both_or_none() {
    let last = |out: &str| out.lines().rev().nth(1).unwrap_or("").to_string();
    let args = ["play", "--variant", "swda-op", "--level", "1", "--side"];
    let with = |side| [&args[..], &[side]].concat();
    let out = output(&with("black"), "");
    assert!(out.contains("\nWhite plays ") && !out.contains("Black plays"), "{out}");
    // Black looks from his side.
    assert!(out.contains("\n      h   g   f"), "{out}");
    let out = output(&with("both"), "Nc3\nb8a6\nback\n");
    assert!(!out.contains(" plays "), "{out}");
    assert_eq!(last(&out), "Move 1: Black to move");
    let saved = file("self.pgn", "");
    let out = output(&with("none"), &format!("save {saved}\nback\nresign\nhint\n"));
    assert!(out.contains("\nThe game is over: ") || out.contains("\nNo decision"), "{out}");
    let [game] = games(&std::fs::read_to_string(saved).expect("saved")).try_into().expect("one");
    assert_eq!(game.result, GameResult::from(game.end().status()));
}

#[test]
fn a_finished_game_is_reported_and_can_be_taken_back() {
    let fen = "4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1";
    let args = ["play", "--variant", "shoogantshii", "--fen", fen, "--level", "1"];
    let out = output(&args, "Kxe9\ne1e2\nback\nresign\nresign\n");
    let lines: Vec<&str> = out.lines().filter(|line| !line.starts_with([' ', '\t'])).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    assert_eq!(
        lines[1..],
        [
            "Move 1: White to move, in check",
            "The game is over: white wins (king captured)",
            "the game is over; 'back' takes moves back, 'save FILE' writes it, 'quit' leaves",
            "Move 1: White to move, in check",
            "White has resigned; Black wins.",
            "the game is over; 'back' takes moves back, 'save FILE' writes it, 'quit' leaves",
            "Good-bye.",
        ]
    );
}

#[test]
fn nothing_that_is_typed_ends_play() {
    let script = "\n\nback\ne9e8\ne2e4 now\nsetup\nsetup b1d1\ndone\nmoves z9\nmoves e5\nsave\nsave /no/such/folder/x\n\
                  0000\n=TWF\n@\nN@\n++++\n\u{0}\u{7f}\u{1b}[2J\nünï\nquit now\n";
    let mut bytes = script.as_bytes().to_vec();
    bytes.extend_from_slice(b"\xff\xfe\xc3\n");
    bytes.extend_from_slice(&[b'x'; 100_000]);
    for game in builtin_names() {
        let args = ["play", "--variant", game, "--level", "1", "--side", "both"];
        let done = run(&args, &bytes);
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{game}");
        assert!(done.out.ends_with("Good-bye.\n"), "{game}: {}", done.out);
        assert!(!done.out.contains(['\u{1b}', '\u{0}']), "{game}: {}", done.out);
    }
}

#[test]
fn random_commands_do_not_end_play() {
    let words =
        ["back", "hint", "flip", "done", "moves", "setup b1d1 c1b1", "setup a1a1", "resign"];
    for (index, game) in builtin_names().iter().enumerate() {
        let variant = find(game).expect("a built-in game");
        let mut position = Position::start(&variant);
        let (mut script, mut state) = (String::new(), index as u64 + 1);
        for _ in 0..60 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = (state >> 33) as usize;
            let moves = position.legal_moves();
            match moves.get(random / 8 % moves.len().max(1)) {
                Some(&mv) if !random.is_multiple_of(4) => {
                    script += &position.move_text(mv);
                    position.make(mv);
                }
                _ => script += words[random / 8 % words.len()],
            }
            script.push('\n');
        }
        let out = output(&["play", "--variant", game, "--level", "1", "--side", "both"], &script);
        assert!(out.ends_with("Good-bye.\n"), "{game}");
    }
}

// analyze

#[test]
fn json_lines_have_what_the_reference_says() {
    let args = ["analyze", "--variant", "sixfortresses", "--moves=e3e4", "--depth", "3"];
    let lines = json_lines(&output(&[&args[..], &["--multipv", "3", "--json"]].concat(), ""));
    let (start, best) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!((&start["type"], &start["side"]), (&"start".into(), &"black".into()));
    assert_eq!((&start["variant"], &start["setup"]), (&"sixfortresses".into(), &false.into()));
    assert_eq!((&start["status"], &start["hands"]["white"]), (&"ongoing".into(), &"".into()));
    let infos = &lines[1..lines.len() - 1];
    assert_eq!(infos.len(), 9);
    for (index, info) in infos.iter().enumerate() {
        assert_eq!(info["type"], "info");
        assert_eq!(info["multipv"], index % 3 + 1);
        assert_eq!(info["depth"], index / 3 + 1);
        assert!(info["score"]["cp"].is_i64() && info["nodes"].is_u64(), "{info}");
        let line = info["pv"].as_array().expect("a line");
        assert_eq!(line.len(), info["san"].as_array().expect("a line").len());
    }
    assert_eq!(best["type"], "best");
    assert_eq!(best["move"], infos[6]["pv"][0]);
    assert_eq!(best["san"], infos[6]["san"][0]);
    let over = "K7/8/2k5/8/8/8/8/8 b - - 3 54";
    let lines = output(&["analyze", "--variant", "swda", "--fen", over, "--json"], "");
    assert_eq!(json_lines(&lines)[0]["status"], "draw (bare kings)");
    assert_eq!(lines.lines().count(), 1);
}

#[test]
fn several_lines_are_shown_best_first_and_without_colors_in_a_pipe() {
    let args = ["analyze", "--variant", "swda", "--depth", "2", "--multipv", "2"];
    let out = output(&args, "");
    let table: Vec<&str> =
        out.lines().skip_while(|line| !line.starts_with("depth ")).skip(1).collect();
    assert_eq!(table.len(), 6, "{out}");
    assert!(table[0].starts_with("    1 ") && table[1].starts_with("      "), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
}

#[cfg(unix)]
#[test]
fn an_infinite_analysis_ends_with_ctrl_c_and_its_best_move() {
    let args = ["analyze", "--variant", "shoranji", "--infinite", "--hash", "1"];
    let mut child = spawn(&args);
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next = || lines.next().and_then(Result::ok);
    while next().expect("a table") != "depth    score       nodes    time  line" {}
    next().expect("a line");
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.expect("a signal").success());
    let mut last = String::new();
    while let Some(line) = next() {
        last = line;
    }
    assert!(last.starts_with("Best move: ="), "{last}");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// A game in which White lets his rook be taken, with what somebody said of it.
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Variant \"swda-oo\"]\n[Result \"*\"]\n\n\
    1. Nc3 $1 {to the front} Nc6 2. Nd5 e6 3. a3 exd5 *\n";

#[test]
fn games_are_annotated_and_read_back() {
    let from = file("plain.pgn", &format!("{GAME}\n[Variant \"shoranji\"]\n\n1. e4 e6 *\n"));
    let (to, svg) = (file("annotated.pgn", ""), file("graph.svg", ""));
    let args = ["analyze", "--pgn", &from, "--nodes", "3000", "--threads", "2"];
    let shown = output(&args, "");
    assert_eq!(output(&[&args[..], &["--output", &to, "--svg", &svg]].concat(), ""), "");
    let written = std::fs::read_to_string(&to).expect("written");
    assert_eq!(shown, written, "threads and runs make no difference");
    let [first, second] = games(&written).try_into().expect("two games");
    assert_eq!((first.plies.len(), second.plies.len()), (6, 4));
    assert!(first.tag("Annotator").is_some_and(|name| name.starts_with("Garrison ")));
    for ply in first.plies.iter().chain(&second.plies) {
        let comment = ply.comment.as_deref().expect("a comment");
        assert!(comment.contains("[%eval ") && comment.contains("] best "), "{comment}");
    }
    let comment = |index: usize| first.plies[index].comment.as_deref().expect("a comment");
    assert!(comment(0).starts_with("to the front [%eval "), "{}", comment(0));
    assert!(!first.plies[0].nags.contains(&1), "the program has its own opinion");
    // 3. a3 leaves the knight where a pawn takes it; taking it is right.
    assert!([4, 2].contains(&first.plies[4].nags[0]), "{:?}", first.plies[4]);
    assert!(first.plies[5].nags.is_empty(), "{:?}", first.plies[5]);
    for (name, text) in [("graph.svg", "A – B, swda-oo, *"), ("graph-2.svg", "shoranji")] {
        let drawn = std::fs::read_to_string(path(name)).expect("drawn");
        assert!(drawn.starts_with("<svg") && drawn.contains(text), "{drawn}");
    }
    // A second analysis replaces the first.
    let again = output(&["analyze", "--pgn", &to, "--nodes", "3000"], "");
    assert_eq!(again, written);
}

#[test]
fn the_annotated_games_of_the_repository_read_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/games");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        found += 1;
        let text = std::fs::read_to_string(&path).expect("a file");
        let [game] = games(&text).try_into().expect("one game");
        assert_eq!(game.to_pgn(), text, "{path:?}");
        let name = path.file_stem().expect("a name").to_string_lossy();
        assert_eq!(game.tag("Variant"), Some(name.as_ref()));
        assert_eq!(GameResult::from(game.end().status()), game.result, "{path:?}");
        assert_ne!(game.result, GameResult::Unknown, "{path:?}");
        let has_score = |comment: &Option<String>| {
            comment.as_deref().is_some_and(|comment| comment.contains("[%eval "))
        };
        assert!(game.plies.iter().all(|ply| has_score(&ply.comment)), "{path:?}");
        let svg = std::fs::read_to_string(path.with_extension("svg")).expect("a graph");
        assert!(svg.starts_with("<svg "), "{path:?}");
    }
    assert_eq!(found, 7);
}

#[test]
fn the_suite_of_the_repository_is_solved_by_any_number_of_threads() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/suites/wins.epd");
    let args = ["analyze", "--epd", suite, "--nodes", "50000", "--json"];
    let out = output(&args, "");
    let lines = json_lines(&out);
    let (last, tasks) = lines.split_last().expect("lines");
    assert!(tasks.len() >= 15 && tasks.iter().all(|task| task["solved"] == true), "{out}");
    assert_eq!((&last["solved"], &last["total"]), (&tasks.len().into(), &tasks.len().into()));
    let timeless = |out: &str| {
        let mut lines = json_lines(out);
        for task in &mut lines {
            assert!(task["type"] == "suite" || task["solved_ms"].take().is_u64(), "{out}");
        }
        lines
    };
    let with_two = output(&[&args[..], &["--threads", "2"]].concat(), "");
    assert_eq!(timeless(&with_two), timeless(&out));
}

#[test]
fn a_suite_reports_what_was_missed() {
    let suite = file(
        "suite.epd",
        "# a comment\n\n\
         4k4/9/9/9/9/9/9/9/4K4[] w - - bm Kxe9; id \"takes; the king\";\n\
         4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1 am e1e9; acd 3; variant shoogantshii\n",
    );
    let out =
        output(&["analyze", "--epd", &suite, "--variant", "shoogantshii", "--depth", "2"], "");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("solved  takes; the king ") && lines[0].ends_with(" bm e1e9"));
    assert!(lines[1].starts_with("missed  line 4 ") && lines[1].ends_with(" am e1e9"), "{out}");
    assert!(lines[0].contains(" s bm ") && !lines[1].contains(" s am "), "{out}");
    assert!(lines[3].starts_with("solved 1/2 in "), "{out}");
}

// openings, completions, piece

#[test]
fn openings_are_the_same_for_any_number_of_threads_and_all_different() {
    for game in ["sixfortresses", "swda-op", "shoogantshii"] {
        let args =
            ["openings", "--variant", game, "--count", "12", "--plies", "4", "--window", "150"];
        let args = [&args[..], &["--nodes", "500", "--seed", "7"]].concat();
        let one = output(&args, "");
        assert_eq!(output(&[&args[..], &["--threads", "2"]].concat(), ""), one);
        let other = [&args[..args.len() - 1], &["8"]].concat();
        assert_ne!(output(&other, ""), one);
        let variant = find(game).expect("a game");
        let read = |fen| Position::from_fen(&variant, fen).expect("a position");
        let positions: Vec<Position> = one.lines().map(read).collect();
        let keys: HashSet<_> = positions.iter().map(Position::key).collect();
        assert_eq!((positions.len(), keys.len()), (12, 12));
        for position in positions {
            assert!(position.status().outcome().is_none());
            assert!(!position.setup_phase().is_pending());
            assert_eq!(position.fullmove(), 3);
        }
    }
    let args = ["openings", "--variant", "swda", "--plies", "0", "--nodes", "10", "--count", "2"];
    let done = run(&args, b"");
    assert!(done.code == Some(2) && done.err.contains("ask for more --plies"), "{}", done.err);
}

#[test]
fn shells_and_piece_know_every_command() {
    let commands = ["analyze", "play", "openings", "bench", "perft", "variants"];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let out = output(&["completions", shell], "");
        assert!(commands.iter().all(|command| out.contains(command)), "{shell}");
    }
    assert!(output(&["man"], "").starts_with(".ie"), "{}", output(&["man"], ""));
    let folder = path("piece");
    output(&["man", folder.to_str().expect("a name")], "");
    for command in commands {
        let page = std::fs::read_to_string(folder.join(format!("garrison-{command}.1")));
        assert!(page.expect("a page").contains("garrison"), "{command}");
    }
}

#[test]
fn every_command_shows_examples() {
    for command in
        ["analyze", "play", "openings", "bench", "perft", "variants", "completions", "man"]
    {
        let out = output(&[command, "--help"], "");
        assert!(out.contains("Examples:\n"), "{command}");
        assert!(out.contains(&format!("garrison {command} ")), "{command}");
    }
    assert!(output(&["--help"], "").contains("Examples:"));
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let bad_game = file("bad.pgn", "[Variant \"swda-oo\"]\n\n1. Nc3 Nc3 *\n");
    let no_game = file("none.pgn", "");
    let no_variant = file("no-variant.epd", "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9;\n");
    let no_task = file("no-task.epd", "# nothing\n");
    let bad_task =
        file("bad.epd", "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1a9; variant shoogantshii;\n");
    let bad: [&[&str]; 21] = [
        &["analyze", "--pgn", "/no/such.pgn"],
        &["analyze", "--pgn", &bad_game],
        &["analyze", "--pgn", &no_game],
        &["analyze", "--pgn", &bad_game, "--variant", "checkers"],
        &["analyze", "--epd", "/no/such.epd"],
        &["analyze", "--epd", &no_variant],
        &["analyze", "--epd", &no_task],
        &["analyze", "--epd", &bad_task],
        &["analyze", "--epd", &bad_task, "--variant", "checkers"],
        &["play", "--variant", "checkers"],
        &["play", "--variant", "swda", "--moves", "e2e9"],
        &["openings", "--variant", "checkers"],
        &["man", "/dev/null/x"],
        &["perft", "--variant", "checkers", "2"],
        &["perft", "--variant", "swda", "--fen", "8/8 w - - 0 1", "2"],
        &["perft", "--variant", "swda", "2", "--moves", "e2e3", "e2e3"],
        &["analyze", "--variant", "checkers"],
        &["analyze", "--variant", "swda", "--fen", "x"],
        &["analyze", "--variant", "swda", "--moves", "0000"],
        &["analyze", "--variant", "shoranji", "--moves", "e3e4 =TWF1T1FWT"],
        &["variants", "show", "checkers"],
    ];
    for arguments in bad {
        let done = run(arguments, b"");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(done.err.starts_with("garrison: "), "{arguments:?}: {}", done.err);
        assert_eq!(done.err.trim_end().lines().count(), 1, "{arguments:?}: {}", done.err);
    }
    let wrong: [&[&str]; 14] = [
        &["analyze"],
        &["analyze", "--variant", "swda", "--infinite", "--depth", "3"],
        &["analyze", "--variant", "swda", "--multipv", "0"],
        &["analyze", "--variant", "swda", "--svg", "x.svg"],
        &["play", "--variant", "swda", "--level", "11"],
        &["openings", "--variant", "swda", "--depth", "2", "--nodes", "3"],
        &["completions", "cmd"],
        &["play"],
        &["--fast"],
        &["perft"],
        &["perft", "2"],
        &["perft", "--variant", "swda", "2", "--threads", "0"],
        &["analyze", "--variant", "swda", "--depth", "0"],
        &["analyze", "--variant", "swda", "--hash", "0"],
    ];
    for arguments in wrong {
        let done = run(arguments, b"");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        // Without any argument the help is shown.
        let is_reported = done.err.starts_with("error: ") || arguments == ["perft"];
        assert!(is_reported, "{arguments:?}: {}", done.err);
    }
}

#[test]
fn the_command_line_works() {
    let done = run(&["--version"], b"");
    assert_eq!(done.out.trim_end(), concat!("garrison ", env!("CARGO_PKG_VERSION")));
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    for arguments in [&["--help"][..], &["perft", "--help"], &["help", "analyze"]] {
        let done = run(arguments, b"");
        assert!(done.code == Some(0) && done.out.contains("Usage: garrison"), "{}", done.out);
    }
    let games = Talk::program().ask("variants");
    let done = run(&["variants"], b"");
    let names: Vec<&str> = done.out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, games);
    assert_eq!(run(&["variants", "list"], b"").out, done.out);
    for game in &games {
        let shown = run(&["variants", "show", game], b"");
        assert!(shown.code == Some(0) && shown.out.contains("\nStart: "), "{}", shown.out);
    }
    let done = run(&["perft", "--variant", "swda", "2", "--moves", "e2e3", "e7e6"], b"");
    assert!(done.code == Some(0) && done.out.starts_with("Nodes searched: 324\nTime: "));
    let same =
        run(&["perft", "--variant", "swda", "--moves=e2e3 e7e6", "2", "--threads", "2"], b"");
    assert!(same.out.starts_with("Nodes searched: 324\n"), "{}", same.out);
    let done = run(&["analyze", "--variant", "shoranji", "--depth", "2", "--hash", "1"], b"");
    assert!(done.code == Some(0) && done.out.contains("\nBest move: ="), "{}", done.out);
    let bare = ["analyze", "--variant", "swda", "--fen", "K7/8/2k5/8/8/8/8/8 b - - 3 54"];
    let done = run(&bare, b"");
    assert!(done.code == Some(0) && done.out.ends_with("The game is over: draw (bare kings)\n"));
}

#[test]
fn a_reader_that_goes_away_is_no_fault_of_the_command_line() {
    let mut child = spawn(&["variants", "show", "shoranji"]);
    drop(child.stdout.take());
    let status = wait(&mut child, PATIENCE).expect("it ends");
    assert_eq!(status.code(), Some(0));
}
