//! Matches: engines that never play, what cannot be estimated, and how the standing is printed.

use std::os::unix::fs::PermissionsExt;

use crate::runner::{Folder, Run, sh};

/// A folder with an engine `dead` that answers the handshake and ends at its first move, and `late`, which does so
/// until there is a file `mended`.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (name, condition) in [("dead", "true"), ("late", "[ ! -e mended ]")] {
        folder.write(
            name,
            &format!(
                "#!/bin/sh\n{condition} || exec garrison\n\
                 while read line; do case \"$line\" in\n\
                 uci) echo uciok;; isready) echo readyok;; quit) exit 0;;\n\
                 go*) echo 'reading the book' >&2; echo 'no book, no game' >&2; exit 3;;\nesac; done\n"
            ),
        );
        let rights = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.0.join(name), rights).expect("rights");
    }
    folder
}

fn play(folder: &Folder, words: &str) -> Run {
    sh(folder, &format!("garrison match --variant swda-oo --depth 1 --max-plies 6 {words}"))
}

#[test]
fn two_engines_that_never_play_end_the_match() {
    let folder = folder("dead");
    let both = "--engine cmd=./dead name=a --engine cmd=./dead name=b";
    for (games, workers, counted) in
        [(400, 1, "3 games"), (400, 4, "3 games"), (2, 1, "2 games"), (1, 1, "1 game")]
    {
        let run = play(&folder, &format!("{both} --games {games} --concurrency {workers}"));
        assert_eq!(run.status, 2, "{run:?}");
        let line = format!(
            "garrison: no move in {counted}: engine 'a' ended unasked (exit status: 3; its last words: 'no book, no game')\n"
        );
        assert!(run.error == line || run.error == line.replace("'a'", "'b'"), "{run:?}");
        assert_eq!(run.out, "");
    }
    // Games without a move are not kept: once the engines work, the match begins at its first game.
    let late = "--engine cmd=./late name=a --engine cmd=./late name=b --games 8 --concurrency 2";
    let run = play(&folder, &format!("{late} --log l.jsonl"));
    assert!(run.status == 2 && folder.read("l.jsonl").lines().count() == 1, "{run:?}");
    folder.write("mended", "");
    let run = play(&folder, &format!("{late} --log l.jsonl --resume"));
    assert!(run.status == 0 && run.out.contains("No faults"), "{run:?}");
    assert_eq!(folder.read("l.jsonl").lines().count(), 9);
}

#[test]
fn one_engine_that_never_plays_loses_every_game() {
    let folder = folder("one");
    let run = play(&folder, "--engine cmd=./dead name=a --games 12");
    assert!(run.status == 0 && run.out.starts_with("a against garrison: +0 =0 -12"), "{run:?}");
    assert!(run.out.contains("Fault of a: crash, 12 times"), "{run:?}");
    let stopped = play(&folder, "--engine cmd=./dead name=a --games 12 --on-fault stop");
    let line = "garrison: game 1: engine 'a' ended unasked (exit status: 3; its last words: 'no book, no game') (crash)\n";
    assert_eq!((stopped.status, stopped.error.as_str()), (2, line));
}

#[test]
fn what_cannot_be_estimated_is_said_to_be_so() {
    let folder = folder("estimate");
    // All lost, and all drawn.
    for (words, score) in [("--engine cmd=./dead name=a", "+0 =0 -4"), ("", "+0 =4 -0")] {
        let run = play(&folder, &format!("{words} --games 4"));
        assert!(run.out.contains(score) && run.out.contains("\nElo: no estimate\n"), "{run:?}");
        assert!(
            !run.out.contains("inf") && !run.out.contains("NaN") && !run.out.contains("± 0.0"),
            "{run:?}"
        );
    }
    let run = play(&folder, "--games 1");
    assert!(run.out.contains("of 1 point (") && run.out.contains("Endings of 1 game:"), "{run:?}");
    let run =
        play(&folder, "--games 2 --openings random:4 --engine cmd=./dead name=a --engine name=b");
    assert!(!run.out.contains("1 times") && !run.out.contains(" 1 games"), "{run:?}");
    let twice = play(&folder, "--games 2");
    assert!(twice.out.contains("\n1 game is move for move like an earlier one"), "{twice:?}");
}

#[test]
fn the_standing_is_printed_every_so_many_games_where_no_bar_is_seen() {
    let folder = folder("standing");
    let run = play(&folder, "--games 60 --sprt 0 500 0.05 0.05");
    let lines: Vec<&str> = run.error.lines().collect();
    let begins = |number: usize| format!("garrison: {}0 of 60 games +0 =", number + 1);
    assert_eq!(lines.len(), 5, "{run:?}");
    for (number, line) in lines.iter().enumerate() {
        assert!(line.starts_with(&begins(number)) && line.contains("LLR 0.00 ["), "{line}");
    }
    assert_eq!(play(&folder, "--games 8").error, "");
}

#[test]
fn progress_fits_the_terminal() {
    let folder = crate::commands::folder("progress");
    if sh(&folder, "script --version").status != 0 {
        return eprintln!("no program 'script', which makes a terminal: not tested");
    }
    let commands = [
        "match --variant swda-oo,shoranji --games 30 --depth 1 --openings random:4 --sprt 0 500 0.05 0.05",
        "selfplay --variant swda-oo --games 30 --nodes 20 --out /dev/null",
        "rescore --data games.txt --nodes 20 --out /dev/null",
        "tune --data games.txt --epochs 40 --out /dev/null",
        "openings --variant swda-oo --count 30 --nodes 20",
        "spsa --variant swda-oo --engine cmd=./tunable --params lmr_base --iterations 30 --pairs 1 --depth 1 --max-plies 40 --openings random:4",
    ];
    for columns in [80, 60] {
        for command in commands {
            let words = format!(
                "stty cols {columns} rows 24; garrison {command} > out; cat out > /dev/null"
            );
            let run = sh(&folder, &format!("TERM=xterm script -qec '{words}' /dev/null"));
            assert_eq!(run.status, 0, "{run:?}");
            let drawn: Vec<String> = run.out.split(['\r', '\n']).map(plain).collect();
            // A warning is as long as it must be.
            let is_bar =
                |line: &&String| !line.trim().is_empty() && !line.starts_with("garrison: ");
            let bars = drawn.iter().filter(is_bar);
            let widths: Vec<usize> = bars.map(|line| line.chars().count()).collect();
            assert!(!widths.is_empty(), "{command} draws nothing");
            assert!(widths.iter().all(|width| *width <= columns), "{command}: {drawn:#?}");
        }
    }
}

/// A line without what moves the cursor and colors.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            // CSI: parameters, then one letter.
            rest.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            text.push(c);
        }
    }
    text
}

#[test]
fn a_tournament_ends_with_a_cross_table() {
    let folder = crate::commands::folder("cup");
    let run = sh(&folder, "garrison tournament cup.toml --max-plies 6");
    let (_, table) = run.out.split_once("\nPoints against each other:\n").expect("a cross table");
    let rows: Vec<&str> = table.lines().take(4).collect();
    assert_eq!(
        rows,
        [
            "           1    2    3",
            "   1  a    –  1/2  1/2",
            "   2  b  1/2    –  1/2",
            "   3  c  1/2  1/2    –"
        ]
    );
    folder.write(
        "swiss.toml",
        &folder.read("cup.toml").replace("games = 2", "games = 2\nformat = 'swiss'"),
    );
    let run = sh(&folder, "garrison tournament swiss.toml");
    let line = "garrison: tournament 'swiss.toml': line 3: format 'swiss' is not round-robin or gauntlet\n";
    assert_eq!((run.status, run.error.as_str()), (2, line));
}
