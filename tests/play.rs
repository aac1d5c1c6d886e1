//! `play` with its commands in a pipe: words, draws, clocks, saved and kept games, armies. Read beside it
//! `play_terminal.rs`, which sits at a terminal, and `cli.rs`, which plays whole games.

mod talk;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use garrison::record::{GameRecord, pgn};
use garrison_rules::{GameResult, Position, find};

/// An empty folder for the files and the kept games of a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("play").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// What `play` prints, with its kept games in this folder.
fn play_in(state: &Path, arguments: &[&str], script: &str) -> talk::Done {
    let mut child = Command::new(env!("CARGO_BIN_EXE_garrison"))
        .arg("play")
        .args(arguments)
        .current_dir(state)
        .env("XDG_STATE_HOME", state)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    // A program that refuses its arguments reads nothing.
    let _ = input.write_all(script.as_bytes());
    drop(input);
    let done = child.wait_with_output().expect("output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    talk::Done { code: done.status.code(), out: text(done.stdout), err: text(done.stderr) }
}

/// The same for a run that works.
fn play(state: &Path, arguments: &[&str], script: &str) -> String {
    let done = play_in(state, arguments, script);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{arguments:?}: {}", done.out);
    done.out
}

/// The lines that are no part of a board.
fn said(out: &str) -> Vec<&str> {
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with(' ');
    out.lines().filter(is_said).skip(2).collect()
}

fn kept(state: &Path) -> Vec<GameRecord> {
    let entries = fs::read_dir(state.join("garrison/play")).into_iter().flatten().flatten();
    let texts = entries.map(|entry| fs::read_to_string(entry.path()).expect("a game"));
    texts.flat_map(|text| pgn::read(&text)).map(|game| game.expect("a game")).collect()
}

#[test]
fn words_have_synonyms_and_wrong_ones_an_advice() {
    let state = folder("words");
    let script = "HELP\nNc3\nundo\nNc3\nTAKEBACK\nhlep\nmvoes e2\nfen\nHistory\nlevel\nlevel 3\nlevel 12\nexit\n";
    let out = play(&state, &["--variant", "swda", "--side", "both"], script);
    let start = find("swda").expect("a game").start_fen().to_string();
    let lines = said(&out);
    assert_eq!(lines.iter().filter(|line| **line == "Move 1: White to move").count(), 3, "{out}");
    assert!(out.contains("(undo, takeback)"), "{out}");
    assert_eq!(
        lines[lines.len() - 9..],
        [
            "Move 1: White to move",
            "'hlep' is no move text of swda-oo (such as a3); did you mean 'help'?",
            "'mvoes e2' is no move and no command; did you mean 'moves'?",
            start.as_str(),
            "*",
            "The program plays at level 5.",
            "The program plays at level 3.",
            "'12' is no level; there are 1 to 10",
            "Good-bye.",
        ]
    );
    // In the setup phase as well.
    let out = play(&state, &["--variant", "shoranji"], "dnoe\nsetpu b1d1\ne3e4\n");
    let lines = said(&out);
    assert_eq!(
        lines[lines.len() - 4..],
        [
            "'dnoe': did you mean 'done'?",
            "'setpu b1d1' is no move and no command; did you mean 'setup'?",
            "the setup comes first: 'done' keeps the pieces as they stand",
            "Good-bye.",
        ]
    );
}

#[test]
fn moves_are_listed_in_lines_that_break_between_them() {
    let state = folder("moves");
    let out = play(&state, &["--variant", "swda", "--side", "both"], "moves\nmoves B1\n");
    let variant = find("swda").expect("a game");
    let count = Position::start(&variant).legal_moves().len();
    let list: Vec<&str> = out.lines().filter(|line| line.contains(" (")).skip(1).collect();
    assert!(list.len() > 2, "{out}");
    assert!(list.iter().all(|line| line.len() <= 80), "{out}");
    // Each move with its coordinates stands on one line.
    let whole = |line: &str| line.matches('(').count() == line.matches(')').count();
    assert!(list.iter().all(|line| whole(line) && !line.starts_with('(')), "{out}");
    let all: usize = list[..list.len() - 1].iter().map(|line| line.matches('(').count()).sum();
    assert_eq!(all, count, "{out}");
    assert!(list.last().expect("a line").starts_with("Na3 (b1a3), Nc3 (b1c3)"), "{out}");
}

#[test]
fn two_people_agree_on_a_draw_or_play_on() {
    let state = folder("agreed");
    let args = ["--variant", "chess", "--side", "both"];
    let out = play(&state, &args, "draw\ndraw\ne4\ndraw\nsave game.pgn\ne5\n");
    let lines = said(&out);
    let offer = "White offers a draw. Make your move; then Black accepts by 'draw', and declines by a move.";
    assert_eq!(
        lines[1..5],
        [offer, offer, "Move 1: Black to move", "The game is drawn by agreement."]
    );
    let game = fs::read_to_string(state.join("game.pgn")).expect("saved");
    assert!(game.contains("[Result \"1/2-1/2\"]") && game.contains("1. e4 1/2-1/2"), "{game}");
    // A move declines, and one's own offer cannot be accepted.
    let out = play(&state, &args, "draw\ne4\ne5\ndraw\nd4\nd5\ndraw\n");
    assert!(!out.contains("drawn"), "{out}");
    // In a setup there is nothing to agree on.
    let out = play(&state, &["--variant", "shoranji", "--side", "both"], "draw\n");
    assert!(out.contains("\nno move has been made yet\n"), "{out}");
}

#[test]
fn the_program_answers_an_offer_by_its_scores() {
    let state = folder("offers");
    let out = play(&state, &["--variant", "chess", "--level", "1"], "e4\ndraw\n");
    assert!(out.contains("\nBlack declines: it is too early.\n"), "{out}");
    // With a rook against a queen it is glad of a draw; what else it says to one, its own test has.
    let lost = ["--variant", "chess", "--level", "4", "--fen", "4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1"];
    let out = play(&state, &lost, "Qa7\ndraw\n");
    assert!(out.contains("\nThe game is drawn by agreement.\n"), "{out}");
}

#[test]
fn a_draw_is_claimed_where_it_must_be() {
    let state = folder("claims");
    let shuffle = "Nf3\nNf6\nNg1\nNg8\nNf3\nNf6\nNg1\nNg8\n";
    let args = ["--variant", "chess", "--side", "both"];
    let out = play(&state, &args, &format!("{shuffle}draw\nsave claimed.pgn\n"));
    assert!(out.contains("\nMove 5: White to move; 'draw' claims a draw (repetition)\n"), "{out}");
    assert!(out.contains("\nThe game is drawn by claim (repetition).\n"), "{out}");
    let game = fs::read_to_string(state.join("claimed.pgn")).expect("saved");
    assert_eq!(pgn::read(&game)[0].as_ref().expect("a game").result, GameResult::Draw);
    // Nobody has to.
    let out = play(&state, &args, &format!("{shuffle}e4\n"));
    assert!(said(&out).contains(&"Move 5: Black to move"), "{out}");
    // Elsewhere the game is over at once.
    let out = play(
        &state,
        &["--variant", "swda", "--side", "both"],
        "Nc3\nNc6\nNb1\nNb8\nNc3\nNc6\nNb1\nNb8\ndraw\n",
    );
    assert!(out.contains("\nThe game is over: draw (repetition)\nthe game is over; "), "{out}");
}

#[test]
fn the_end_of_the_input_keeps_the_game() {
    let state = folder("end");
    let out = play(&state, &["--variant", "swda", "--level", "3"], "Nc3\nquit\nNe4\n");
    assert!(
        out.ends_with("\nThe game is kept: 'garrison play --resume' goes on with it.\nGood-bye.\n")
    );
    let [game] = kept(&state).try_into().expect("one game");
    assert_eq!((game.plies.len(), game.tag("PlayLevel")), (2, Some("3")));
    // It goes on with the same players, from another folder even, and is one game still.
    let out = play(&state, &["--resume"], "clock\nlevel\na3\n");
    let lines = said(&out);
    assert_eq!(lines[0], "Move 2: White to move", "{out}");
    assert!(lines[1].starts_with("Time used: White 0:0"), "{out}");
    assert_eq!(lines[2], "The program plays at level 3.");
    let [game] = kept(&state).try_into().expect("one game");
    assert_eq!(game.plies.len(), 4);
    // A game in which nothing was done is not kept, and a finished one is not gone on with.
    let out = play(&state, &["--resume", "--side", "white"], "resign\n");
    assert!(out.ends_with("\nWhite has resigned; Black wins.\nGood-bye.\n"), "{out}");
    let done = play_in(&state, &["--resume"], "");
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    assert_eq!(done.err, "garrison: there is no game to go on with\n");
    play(&state, &["--variant", "swda"], "help\nmoves\n");
    assert_eq!(kept(&state).len(), 1);
}

/// A number of a process does not say who has it now.
#[test]
fn a_kept_game_whose_process_number_went_to_another_goes_on() {
    let state = folder("number");
    play(&state, &["--variant", "swda", "--side", "both"], "Nc3\n");
    let folder = state.join("garrison/play");
    let entry = fs::read_dir(&folder).expect("a folder").next().expect("a game").expect("a game");
    // This test runs, and is not the program.
    let name = format!("000000000000001-0-{}.pgn", std::process::id());
    fs::rename(entry.path(), folder.join(name)).expect("a name");
    if cfg!(target_os = "linux") {
        let out = play(&state, &["--resume"], "history\n");
        assert!(out.contains("\n1. Nc3 *\n"), "{out}");
    }
}

#[test]
fn no_more_than_twenty_games_are_kept() {
    let state = folder("twenty");
    for number in 0..22 {
        let first = if number % 2 == 0 { "a3\n" } else { "Nc3\n" };
        play(&state, &["--variant", "swda", "--side", "both"], first);
    }
    assert_eq!(kept(&state).len(), 20);
    let out = play(&state, &["--resume"], "history\n");
    assert!(out.contains("\n1. Nc3 *\n"), "{out}");
}

#[test]
fn a_game_that_cannot_be_kept_is_played_with_one_warning() {
    let state = folder("unkept");
    fs::write(state.join("garrison"), "in the way").expect("a file");
    let out = play(&state, &["--variant", "swda", "--side", "both"], "Nc3\nNc6\nquit\n");
    assert_eq!(out.matches("this game is not kept for --resume: ").count(), 1, "{out}");
    assert!(out.ends_with("\nMove 2: White to move\nGood-bye.\n"), "{out}");
}

#[test]
fn files_are_replaced_only_when_that_is_wanted() {
    let state = folder("files");
    let script = "Nc3\nsave game.pgn\nNc6\nsave game.pgn\nsave --force game.pgn\nsave\n";
    let out = play(&state, &["--variant", "swda", "--side", "both"], script);
    let saved: Vec<&str> =
        said(&out).into_iter().filter(|line| line.contains("game.pgn")).collect();
    assert_eq!(
        saved,
        [
            "saved: 'game.pgn'",
            "'game.pgn' is there already; 'save --force game.pgn' replaces it",
            "saved: 'game.pgn'",
            "save needs the name of a file, as in: save game.pgn",
        ]
    );
    let text = fs::read_to_string(state.join("game.pgn")).expect("saved");
    let date = text.split("[Date \"").nth(1).expect("a date").split('"').next().expect("a date");
    let today: Vec<u32> = date.split('.').map(|part| part.parse().expect(date)).collect();
    assert!(today.len() == 3 && today[0] >= 2026 && today[1] <= 12 && today[2] <= 31, "{date}");
    assert!(text.contains("\n1. Nc3 Nc6 *\n") && !text.contains("Play"), "{text}");
}

#[test]
fn a_game_of_a_file_goes_on() {
    let state = folder("pgn");
    let games = "[Variant \"swda-oo\"]\n[White \"Garrison (level 2)\"]\n[Black \"Person\"]\n\n1. Nc3 Nc6 2. Nb5 *\n\n\
                 [Variant \"chess\"]\n[Event \"Club\"]\n\n1. e4 e5 {good} 2. Nf3 1-0\n\n[Variant \"chess\"]\n\n1. e5 *\n";
    fs::write(state.join("games.pgn"), games).expect("a file");
    let out = play(&state, &["--pgn", "games.pgn", "--game", "1", "--level", "1"], "a6\nback\n");
    // The person has Black, and sees the board from there.
    assert!(out.contains("      h   g   f   e") && out.contains("\nWhite plays "), "{out}");
    assert_eq!(said(&out)[0], "Move 2: Black to move");
    let out = play(
        &state,
        &["--pgn", "games.pgn", "--game", "2", "--side", "both"],
        "Nc6\nsave on.pgn\nhistory\n",
    );
    assert!(out.contains("\n1. e4 e5 2. Nf3 Nc6 *\n"), "{out}");
    let text = fs::read_to_string(state.join("on.pgn")).expect("saved");
    assert!(text.contains("[Event \"Club\"]") && text.contains("{good}"), "{text}");
    for (arguments, error) in [
        (
            &["--pgn", "games.pgn"][..],
            "'games.pgn': game 3, line 14: move 1 of White: illegal move",
        ),
        (&["--pgn", "games.pgn", "--game", "4"], "'games.pgn': there is no game 4; it has 3"),
        (&["--pgn", "none.pgn"], "'none.pgn': cannot be read: "),
        (&["--pgn", "/dev/zero"], "'/dev/zero': is no file"),
    ] {
        let done = play_in(&state, arguments, "");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(done.err.starts_with(&format!("garrison: {error}")), "{arguments:?}: {}", done.err);
    }
    // A game is named once.
    for wrong in
        [&["--resume", "--variant", "chess"][..], &["--game", "1", "--variant", "chess"], &[]]
    {
        assert_eq!(play_in(&state, wrong, "").code, Some(2), "{wrong:?}");
    }
}

#[test]
fn new_and_resume_change_games() {
    let state = folder("change");
    let script = "Nc3\nnew\na3\nresume\nhistory\nquit\n";
    let out = play(&state, &["--variant", "swda", "--side", "both"], script);
    assert!(out.contains("\n1. Nc3 *\n"), "{out}");
    assert_eq!(kept(&state).len(), 2);
    let lines = said(&out);
    assert_eq!(lines.iter().filter(|line| line.starts_with("Shatranj")).count(), 2, "{out}");
}

#[test]
fn go_lets_the_program_move_and_eval_judges() {
    let state = folder("go");
    let out = play(&state, &["--variant", "swda", "--level", "1"], "eval\ngo\neval\nclock\n");
    assert!(out.contains("\nWhite plays ") && out.contains("\nBlack plays "), "{out}");
    let judged: Vec<&str> =
        said(&out).into_iter().filter(|line| line.contains(" expected (win ")).collect();
    assert_eq!(judged.len(), 2, "{out}");
    assert!(judged[0].contains(" for White by the network, without a search: 5"), "{out}");
    assert!(out.contains("\nThe program's last search: "), "{out}");
    let out = play(&state, &["--variant", "shatranj", "--side", "both"], "eval\n");
    assert!(out.contains(" for White by the table of weights, without a search: 5"), "{out}");
}

#[test]
fn armies_are_chosen_by_people_and_by_chance() {
    let state = folder("armies");
    let both = ["--variant", "swda-??", "--side", "both"];
    let out = play(&state, &both, "x\na\nPosh Protectors\nfen\n");
    assert!(out.contains("that is no army; there are "), "{out}");
    assert!(out.contains("White plays Amphibian Attackers, Black plays Posh Protectors."), "{out}");
    assert!(out.contains("(swda-ap)"), "{out}");
    let out = play(&state, &["--variant", "swda-??", "--side", "black", "--level", "1"], "j\n");
    assert!(
        !out.contains("White, choose") && out.contains("Black plays Japanese Jostlers."),
        "{out}"
    );
    let out = play(&state, &["--variant", "swda-o?", "--level", "1"], "");
    assert!(
        !out.contains("choose") && out.contains("White plays Orderly Originals, Black plays "),
        "{out}"
    );
    for (arguments, script, error) in [
        (&both, "", "no army was chosen"),
        (&["--variant", "chess-??", "--side", "both"], "", "'chess-??' leaves no army open"),
    ] {
        let done = play_in(&state, arguments, script);
        assert_eq!(done.code, Some(2));
        assert!(done.err.starts_with(&format!("garrison: {error}")), "{}", done.err);
    }
}

#[test]
fn fortresses_fall_with_a_sentence() {
    let state = folder("falls");
    let fen = "t3t3t/4R4/9/9/9/9/9/9/T3T3T[] w - - 0 1";
    let args = ["--variant", "sixfortresses", "--side", "both", "--fen", fen];
    let out = play(&state, &args, "e8e9\nI@b2\nI@d5\n");
    let falls = "Black's first fortress, on e9, falls: White gets a bishop and a knight, Black gets an imposter. Black has \
                 two left.";
    assert!(out.contains(&format!("\n{falls}\nMove 1: Black to move\n")), "{out}");
    let refused = "no imposter may be dropped on b2, beside the fortress on a1\n";
    assert!(out.contains(refused), "{out}");
    assert!(out.contains("  White took t\n") && out.contains("White holds [NB]"), "{out}");
}
