//! The commands for people, as they are run: `play`, `openings`, `completions`, `man`.

mod talk;

use std::collections::HashSet;
use std::path::PathBuf;

use garrison::record::{GameRecord, pgn};
use garrison_rules::catalogue::{builtin_names, too_large};
use garrison_rules::{GameResult, Position, find};
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

/// The name of a file that is not there.
fn new_file(name: &str) -> String {
    let path = file(name, "");
    std::fs::remove_file(&path).expect("a file");
    path
}

fn games(text: &str) -> Vec<GameRecord> {
    pgn::read(text).into_iter().map(|game| game.expect("a game")).collect()
}

// play

#[test]
fn a_game_is_played_from_its_setup_to_the_record() {
    let saved = new_file("played.pgn");
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
    assert_eq!(last(&out), "The game is kept: 'garrison play --resume' goes on with it.");
    assert!(out.contains("\nMove 1: Black to move\nThe game is kept"), "{out}");
    let saved = new_file("self.pgn");
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
    const OVER: &str = "the game is over; 'back' takes moves back, 'new' begins again, 'save FILE' writes it, 'quit' leaves";
    assert_eq!(
        lines[2..],
        [
            "Move 1: White to move, in check",
            "The game is over: white wins (king captured)",
            OVER,
            "Move 1: White to move, in check",
            "White has resigned; Black wins.",
            OVER,
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
    let no_task = file("no-task.epd", "# nothing\n");
    let bad_task =
        file("bad.epd", "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1a9; variant shoogantshii;\n");
    let bad: [&[&str]; 18] = [
        &["analyze", "--pgn", "/no/such.pgn"],
        &["analyze", "--pgn", &no_game],
        &["analyze", "--pgn", &bad_game, "--variant", "checkers"],
        &["analyze", "--epd", "/no/such.epd"],
        &["analyze", "--epd", &no_task],
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
    let mut games = Talk::program().ask("variants");
    if cfg!(feature = "wide-boards") {
        games.extend(too_large().map(|(name, _)| name.to_string()));
    }
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
