//! What is whole is kept: after a full disk and after signals, `--resume` makes the files that an uninterrupted run would
//! have made, and a file that cannot be written is as it was.

use std::fs;

use crate::commands::{add_tunable, folder};
use crate::runner::{Folder, begin, catches, end, on_small_disk, send, sh, wait_until};

/// A run that grows files: the words up to those files, and their names.
struct Growing {
    words: &'static str,
    options: [(&'static str, &'static str); 2],
    /// The files that it makes; the first grows line by line.
    count: usize,
}

const SELFPLAY: Growing = Growing {
    words: "garrison selfplay --variant swda-oo --games 60 --nodes 20",
    options: [("--out", "g.txt"), ("", "")],
    count: 1,
};
const RESCORE: Growing = Growing {
    words: "garrison rescore --data whole/g.txt --nodes 30",
    options: [("--out", "r.txt"), ("", "")],
    count: 1,
};
/// Part of a run, packed.
const PART: Growing = Growing {
    words: "garrison selfplay --variant swda-oo --games 240 --nodes 20 --keep all --shard 2/3",
    options: [("--out", "p.gdata"), ("", "")],
    count: 1,
};
const RESCORED_PART: Growing = Growing {
    words: "garrison rescore --data whole/p.gdata --nodes 20",
    options: [("--out", "q.gdata"), ("", "")],
    count: 1,
};
const RUNS: [&Growing; 6] = [&SELFPLAY, &RESCORE, &PART, &RESCORED_PART, &MATCH, &SPSA];
/// All constants make long lines.
const SPSA: Growing = Growing {
    words: "garrison spsa --variant swda-oo,shoranji --engine cmd=./tunable --iterations 50 --pairs 1 --depth 1 --max-plies 6 --openings random:2",
    options: [("--log", "s.jsonl"), ("", "")],
    count: 1,
};
const MATCH: Growing = Growing {
    words: "garrison match --variant swda-oo --games 150 --depth 1 --max-plies 20 --openings random:4 --concurrency 2",
    options: [("--log", "m.jsonl"), ("--pgn", "m.pgn")],
    count: 2,
};

impl Growing {
    /// The words of a run whose files are in a folder.
    fn into(&self, folder: &str) -> String {
        let options = self.options.iter().take(self.count);
        let options = options.map(|(name, file)| format!(" {name} {folder}/{file}"));
        self.words.to_string() + &options.collect::<String>()
    }

    fn same(&self, folder: &Folder, place: &str) {
        for (_, file) in self.options.iter().take(self.count) {
            let [found, wanted] = [place, "whole"].map(|at| folder.bytes(&format!("{at}/{file}")));
            assert!(found == wanted, "{file} is another after {}", self.words);
        }
    }
}

#[test]
fn a_full_disk_keeps_whole_games_and_the_run_goes_on_elsewhere() {
    let folder = Folder::new("full");
    add_tunable(&folder);
    for run in RUNS {
        let whole = sh(&folder, &format!("mkdir -p whole; {}", run.into("whole")));
        assert_eq!(whole.status, 0, "{whole:?}");
        let full = sh(&folder, &on_small_disk("", &run.into("small"), false));
        assert_eq!(full.status, 2, "{full:?}");
        let last = full.error.lines().last().unwrap_or_default();
        assert!(last.contains("No space left") || last.contains("File too large"), "{full:?}");
        let file = run.options[0].1;
        let kept = folder.bytes(&format!("saved/{file}"));
        // More than half of the disk, or of its half where two files share it.
        assert!(kept.len() > 16_000, "{} bytes of {file}", kept.len());
        let resumed = sh(&folder, &format!("{} --resume", run.into("saved")));
        assert_eq!(resumed.status, 0, "{resumed:?}");
        run.same(&folder, "saved");
    }
}

#[test]
fn a_signal_keeps_whole_games_and_the_run_goes_on() {
    let folder = Folder::new("signals");
    add_tunable(&folder);
    for run in RUNS {
        let whole = sh(&folder, &format!("mkdir -p whole part; {}", run.into("whole")));
        assert_eq!(whole.status, 0, "{whole:?}");
        for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("KILL", 137)] {
            let _ = fs::remove_dir_all(folder.0.join("part"));
            fs::create_dir(folder.0.join("part")).expect("a folder");
            let file = folder.0.join("part").join(run.options[0].1);
            let child = begin(&folder, &format!("exec {}", run.into("part")));
            // The first line of a text is shorter, and so is the header of a packed file.
            let length = || fs::metadata(&file).map_or(0, |data| data.len());
            wait_until("a game is written", || length() > 1500);
            send_to_running(&child, signal);
            let stopped = end(child, run.words);
            // It may have been done by then.
            if stopped.status != 0 {
                assert_eq!(stopped.status, status, "{stopped:?}");
                let hint = stopped.error.trim_end().ends_with("; go on with --resume");
                assert!(hint || signal == "KILL", "{stopped:?}");
            }
            let resumed = sh(&folder, &format!("{} --resume", run.into("part")));
            assert_eq!(resumed.status, 0, "{resumed:?}");
            run.same(&folder, "part");
        }
    }
}

/// Sends a signal to a process that may be over.
fn send_to_running(child: &std::process::Child, signal: &str) {
    let words = format!("kill -{signal} {} 2> /dev/null; true", child.id());
    let sent = std::process::Command::new("sh").args(["-c", &words]).status();
    assert!(sent.expect("a shell").success());
}

#[test]
fn a_fit_that_is_stopped_writes_what_it_has() {
    let folder = folder("stopped");
    let words = "garrison tune --data games.txt --epochs 10000 --out long.toml --svg long.svg";
    let child = begin(&folder, &format!("exec {words}"));
    wait_until("it catches signals", || catches(&child, 15));
    send(&child, "TERM");
    let run = end(child, words);
    assert_eq!(run.status, 143, "{run:?}");
    let line = run.error.lines().last().unwrap_or_default();
    assert!(
        line.starts_with("garrison: stopped after epoch ") && line.contains("--start"),
        "{run:?}"
    );
    assert!(folder.read("long.toml").contains("Stopped after epoch "));
    assert!(folder.read("long.svg").trim_end().ends_with("</svg>"));
    let on =
        sh(&folder, "garrison tune --data games.txt --epochs 1 --start long.toml --out on.toml");
    assert_eq!(on.status, 0, "{on:?}");
}

#[test]
fn a_command_that_was_told_to_outlive_its_terminal_does() {
    let folder = folder("nohup");
    let words = "garrison match --variant swda-oo --games 1000000 --depth 1 --max-plies 6";
    for (before, is_caught) in [("", true), ("trap '' HUP; ", false)] {
        let child = begin(&folder, &format!("{before}exec {words}"));
        wait_until("it catches signals", || catches(&child, 15));
        assert_eq!(catches(&child, 1), is_caught, "{before}");
        send(&child, "TERM");
        assert_eq!(end(child, words).status, 143);
    }
}

#[test]
fn what_cannot_be_written_is_as_it_was() {
    let folder = folder("old");
    let before =
        "echo old > small/a.toml; echo old > small/a.nnue; echo old > small/b.svg; mkdir small/man";
    for words in [
        "garrison tune --data games.txt --epochs 1 --out small/a.toml",
        "garrison tune --data games.txt --epochs 1 --network --hidden 16 --out small/a.toml",
        "garrison tune --data games.txt --epochs 1 --out /dev/null --svg small/b.svg",
        "garrison merge 1.txt 2.txt --out small/c.txt",
        "garrison merge 1.txt 2.txt --out small/c.gdata",
        "garrison match --variant swda-oo --games 2 --depth 1 --max-plies 6 --chart small/b.svg",
        "garrison man small/man",
    ] {
        let run = sh(&folder, &on_small_disk(before, words, true));
        assert_eq!(run.status, 2, "{run:?}");
        assert_eq!(folder.names("saved"), ["a.nnue", "a.toml", "b.svg", "man"], "{words}");
        assert_eq!(folder.names("saved/man"), [""; 0], "{words}");
        let kept = ["a.nnue", "a.toml", "b.svg"].map(|name| folder.read(&format!("saved/{name}")));
        assert_eq!(kept, ["old\n"; 3]);
    }
}

#[test]
fn nobody_hears_a_complaint_and_it_is_a_failure_all_the_same() {
    let folder = folder("deaf");
    for words in ["variants show nothing", "perft", "rescore --data no --nodes 1 --out no"] {
        let run = sh(&folder, &format!("garrison {words} 2> /dev/full"));
        assert_eq!((run.status, run.error.as_str()), (2, ""), "{words}");
    }
}

#[test]
fn pipes_are_read_where_a_file_is_read_once() {
    let folder = folder("pipes");
    let fens = "4k3/7p/8/8/8/8/8/R3K2R w - - 0 1\\n4k3/7p/8/8/8/8/8/R3K3 b - - 3 9\\n";
    let words = "garrison match --variant swda-oo --games 2 --depth 1 --max-plies 6 --openings";
    for name in ["-", "/dev/stdin"] {
        let run = sh(&folder, &format!("printf '{fens}' | {words} {name}"));
        assert!(run.status == 0 && run.out.contains("Endings of 2 games"), "{run:?}");
    }
    let cup = sh(&folder, "cat cup.toml | garrison tournament - --max-plies 6");
    assert!(cup.status == 0 && cup.out.contains("Endings of 6 games"), "{cup:?}");
    let endless = sh(&folder, &format!("cat /dev/zero | {words} -"));
    assert!(endless.is_orderly() && endless.line().contains("line 1 has more than"), "{endless:?}");
    let endless = sh(&folder, "cat /dev/zero | garrison tournament -");
    assert!(endless.is_orderly() && endless.line().contains("has more than"), "{endless:?}");
}
