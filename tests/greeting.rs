//! The program without arguments: what a person at a terminal reads, and a program at a pipe does not.

#![cfg(unix)]

mod talk;

use std::io::{BufRead, BufReader, Write};

use pty_process::blocking::{Command, open};
use talk::Talk;

#[test]
fn a_person_is_greeted_and_helped() {
    let (pty, end) = open().expect("a terminal");
    let command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    let mut child = command.spawn(end).expect("the program starts");
    let mut lines = BufReader::new(&pty).lines().map_while(Result::ok);
    let greeting = lines.next().expect("a greeting");
    assert!(greeting.starts_with("Garrison 0.1.0, an engine for chess variants"), "{greeting}");
    assert!(greeting.contains("'help'") && greeting.contains("garrison --help"), "{greeting}");
    (&pty).write_all(b"help\nquit\n").expect("typed");
    let help = lines.find(|line| line.starts_with("info string ")).expect("help");
    assert!(help.contains("garrison play"), "{help}");
    // The other end of the terminal is closed when the program ends, and so the lines end.
    lines.for_each(drop);
    assert!(child.wait().expect("a status").success());
}

#[test]
fn a_program_is_not_greeted_and_may_still_choose() {
    let done = talk::run(&[], b"usi\nquit\n");
    assert!(done.out.starts_with("id name Garrison") && done.err.is_empty(), "{}", done.err);
    let done = talk::run(&[], b"help\nxboard\nhelp\nping 1\nquit\n");
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("info string variants: the games")));
    assert!(lines.iter().any(|line| line.starts_with("# variants: the games")));
    assert!(lines.contains(&"pong 1"), "{}", done.out);
}

#[test]
fn help_is_answered_while_a_search_runs_and_changes_nothing() {
    let mut talk = Talk::playing("shoranji");
    let before = talk.ask("d");
    talk.send("go infinite");
    talk.send("help");
    talk.until("info string uci and usi list the options");
    talk.send("stop");
    talk.until("bestmove");
    assert_eq!(talk.ask("d"), before);
}
