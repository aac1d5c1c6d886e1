//! USI as `protocol.md` documents it: every game in its texts, wins, setups, and what is refused.

mod talk;

use std::time::Duration;

use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, find};
use talk::Talk;

const ERROR: &str = "info string error: ";

#[test]
fn every_game_is_played() {
    for name in builtin_names() {
        let mut talk = Talk::usi(name);
        let mut moves = Vec::new();
        for _ in 0..6 {
            let position = format!("position startpos moves {}", moves.join(" "));
            assert_eq!(
                talk.ask(position.trim_end_matches(" moves ")),
                Vec::<String>::new(),
                "{name}"
            );
            let legal = talk.ask("legal").remove(0);
            talk.send("go depth 1");
            let best = talk.until("bestmove ").pop().expect("a move");
            let best = best.split(' ').nth(1).expect("a move").to_string();
            assert!(legal.split(' ').any(|mv| mv == best), "{name}: {best} of {legal}");
            moves.push(best);
        }
        // The position is written and read.
        let sfen = talk.shown("Sfen: ", false);
        let before = talk.ask("d");
        assert_eq!(talk.ask(&format!("position sfen {sfen}")), Vec::<String>::new(), "{name}");
        let board =
            |lines: &[String]| lines.iter().take_while(|l| !l.starts_with("Status")).count();
        let after = talk.ask("d");
        assert_eq!(before[..board(&before)], after[..board(&after)], "{name}");
        talk.quit();
    }
}

#[test]
fn wins_are_found_to_their_end() {
    for (name, sfen, least) in [
        ("shoogantshii", "4k4/9/9/9/9/9/9/9/4K4 b - 1", 1),
        ("shoogantshii", "3a1k3/9/4P4/9/9/9/9/4L4/4K4 b RG 1", 1),
        ("swda-oo", "4k3/R7/1R6/7p/8/8/8/4K3 b - 1", 1),
        ("swda-oo", "4k3/7p/R7/1R6/8/8/8/4K3 b - 1", 3),
    ] {
        let mut talk = Talk::usi(name);
        assert_eq!(talk.ask(&format!("position sfen {sfen}")), Vec::<String>::new());
        talk.send("go mate 60000");
        let answer = talk.until("checkmate ").pop().expect("an answer");
        let moves: Vec<&str> = answer.split(' ').skip(1).collect();
        assert!(moves.len() >= least && moves.len() % 2 == 1, "{name} {sfen}: {answer}");
        talk.ask(&format!("position sfen {sfen} moves {}", moves.join(" ")));
        let status = talk.shown("Status: ", false);
        assert!(status.starts_with("white wins"), "{name} {sfen}: {answer}: {status}");
    }
}

#[test]
fn lost_and_undecided_positions_have_different_answers() {
    let mut talk = Talk::usi("swda-oo");
    talk.send("go mate 50");
    assert_eq!(talk.until("checkmate ").last().map(String::as_str), Some("checkmate timeout"));
    talk.ask("position sfen R3k3/1R6/8/8/7p/8/8/4K3 w - 2");
    talk.send("go mate infinite");
    assert_eq!(talk.until("checkmate ").last().map(String::as_str), Some("checkmate nomate"));
    talk.send("go infinite");
    talk.send("stop");
    assert_eq!(talk.until("bestmove ").last().map(String::as_str), Some("bestmove resign"));
    talk.ask("position startpos");
    talk.send("go mate infinite");
    std::thread::sleep(Duration::from_millis(30));
    talk.send("stop");
    assert_eq!(talk.until("checkmate ").last().map(String::as_str), Some("checkmate timeout"));
}

#[test]
fn a_finished_game_has_a_score_and_a_refused_position_no_move() {
    let mut talk = Talk::usi("shogi");
    talk.ask("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2");
    talk.send("go btime 1000 wtime 1000");
    assert_eq!(talk.until("bestmove "), ["info depth 0 score mate -0", "bestmove resign"]);
    // A draw by repetition is said, and played on.
    let shuffle = " 2h3h 8b7b 3h2h 7b8b".repeat(3);
    talk.ask(&format!("position startpos moves{shuffle}"));
    talk.send("go depth 1");
    let lines = talk.until("bestmove ");
    assert_eq!(lines[0], "info string the game is over: draw (repetition)");
    assert_ne!(lines.last().expect("a line"), "bestmove resign");
    talk.ask("position startpos moves 7g7e");
    let nowhere = format!("{ERROR}there is no position: the last one was refused");
    talk.send("go depth 1");
    assert_eq!(talk.until("bestmove "), [nowhere.as_str(), "bestmove resign"]);
    talk.send("go mate 1000");
    assert_eq!(talk.until("checkmate "), [nowhere.as_str(), "checkmate timeout"]);
}

#[test]
fn clocks_are_read() {
    let mut talk = Talk::usi("shoogantshii");
    for go in [
        "go btime 100 wtime 100 byoyomi 20",
        "go btime 100 wtime 100 binc 5 winc 5",
        "go byoyomi 20",
        "go movetime 20",
    ] {
        talk.send(go);
        talk.until("bestmove ");
    }
    let answer = talk.ask("go wtime 100");
    assert!(answer[0].starts_with(ERROR) && answer[0].contains("btime"), "{answer:?}");
    // Pondering.
    talk.send("go ponder btime 60 wtime 60 byoyomi 20");
    talk.send("isready");
    talk.until("readyok");
    talk.send("ponderhit");
    talk.until("bestmove ");
}

#[test]
fn setups_are_made_as_moves_and_by_command() {
    let mut talk = Talk::usi("shoranji");
    talk.send("go depth 1");
    assert!(talk.until("bestmove ").last().is_some_and(|line| line.starts_with("bestmove =")));
    let answer = talk.ask("setup 8j6j");
    assert!(answer[0].contains("F@7j W@6j"), "{answer:?}");
    assert_eq!(talk.ask("setup 8j8i").len(), 1);
    talk.ask("setup done");
    talk.ask("setup done");
    assert!(talk.shown("Sfen: ", false).ends_with("/T1FWT1FWT b - 1"));
    talk.ask("position startpos moves =TFW1T1FWT 5h5g");
    assert!(talk.shown("Sfen: ", false).ends_with(" w - 2"));
}

#[test]
fn a_wrong_line_is_refused_and_changes_nothing() {
    let mut talk = Talk::usi("shoogantshii");
    talk.ask("position startpos moves 5g5f");
    let before = talk.ask("d");
    for line in [
        "uci",
        "ucinewgame",
        "xboard",
        "position fen 4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4",
        "position startpos moves 5g5e",
        "position startpos moves 5g5f e7e6",
        "position startpos moves P*5e",
        "go mate",
        "go mate soon",
        "go mate 10 depth 3",
        "setoption name USI_Hash value 0",
        "setoption name USI_Variant value draughts",
        "ponderhit",
    ] {
        let answer = talk.ask(line);
        assert!(answer.len() == 1 && answer[0].starts_with(ERROR), "{line}: {answer:?}");
        assert_eq!(talk.ask("d"), before, "{line}");
    }
    for line in ["gameover win", "debug on", "usinewgame", "stop"] {
        assert_eq!(talk.ask(line), Vec::<String>::new(), "{line}");
    }
    assert_eq!(talk.ask("setoption name Hash value 2"), Vec::<String>::new(), "UCI's name");
}

#[test]
fn the_start_is_printed_as_sfen() {
    for name in builtin_names() {
        let variant = find(name).expect("a built-in game");
        let mut talk = Talk::usi(name);
        let sfen = talk.shown("Sfen: ", false);
        let start = Position::start(&variant).fen();
        let board = start.split([' ', '[']).next().expect("a board");
        assert!(sfen.starts_with(&format!("{board} b - 1")), "{name}: {sfen}");
    }
}
