//! Every command under every condition, as the table of docs/errors.md.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::commands::{CASES, Case, Long, Readiness, folder};
use crate::runner::{
    Folder, Run, begin, can_mount, catches, end, on_small_disk, send, sh, wait_until,
    with_closed_pipe,
};

/// The limit of memory of a run, in KiB of addresses.
const MEMORY: u32 = 400_000;

/// The signals that end commands, and their numbers.
const SIGNALS: [(&str, i32); 3] = [("INT", 2), ("TERM", 15), ("HUP", 1)];

/// A condition: what it is called, and what each command prints under it.
struct Section {
    title: &'static str,
    rows: Vec<(String, Run)>,
}

/// Runs all cases under one condition: `runs` makes of each the words, and `run` runs them.
fn section(
    title: &'static str,
    runs: impl Fn(&Case) -> Vec<String>,
    run: impl Fn(&str) -> Run,
    check: impl Fn(&str, &Run),
) -> Section {
    let words = CASES.iter().flat_map(runs);
    let row = |words: String| {
        let run = run(&words);
        check(&words, &run);
        (words, run)
    };
    Section { title, rows: words.map(row).collect() }
}

fn short(case: &Case) -> Vec<String> {
    vec![case.short.to_string()]
}

fn with_file(words: &[&str], file: &str) -> Vec<String> {
    words.iter().map(|words| words.replace("FILE", file)).collect()
}

fn refused(words: &str, run: &Run) {
    assert!(run.status == 2 && run.is_orderly(), "{words}: {run:?}");
}

fn accepted(words: &str, run: &Run) {
    assert!(run.status == 0 && run.is_orderly(), "{words}: {run:?}");
}

fn outputs(folder: &Folder) -> Vec<Section> {
    let run = |words: &str| sh(folder, words);
    let full = |words: &str| sh(folder, &format!("{words} > /dev/full"));
    let full_disk = |words: &str| sh(folder, &on_small_disk("", words, true));
    let on_disk = |case: &Case| {
        let folders = with_file(case.fills, "small/folder");
        [with_file(case.writes, "small/file"), folders].concat()
    };
    vec![
        section("standard output is a full disk", short, full, refused),
        section(
            "standard output is a closed pipe",
            short,
            |words| with_closed_pipe(folder, words),
            accepted,
        ),
        section(
            "a file is a full device",
            |case| with_file(case.writes, "/dev/full"),
            run,
            refused,
        ),
        section("a file is on a full disk", on_disk, full_disk, refused),
        section("a file is `/dev/null`", |case| with_file(case.writes, "/dev/null"), run, accepted),
    ]
}

fn inputs(folder: &Folder) -> Vec<Section> {
    // A reader without a bound must not take the memory of the whole machine.
    let run = |words: &str| sh(folder, &format!("ulimit -c 0; ulimit -v 4000000; {words}"));
    vec![
        section("an input is endless", |case| with_file(case.reads, "/dev/zero"), run, refused),
        section(
            "an input is one of the system's",
            |case| with_file(case.reads, "/proc/kmsg"),
            run,
            refused,
        ),
    ]
}

fn memory(folder: &Folder) -> Vec<Section> {
    let limited = |words: &str| sh(folder, &format!("ulimit -c 0; ulimit -v {MEMORY}; {words}"));
    let large = |case: &Case| case.large.into_iter().map(str::to_string).collect();
    vec![
        section("there are 400 MB of memory (`ulimit -v`)", short, limited, accepted),
        section("there are 400 MB of memory and more is asked for", large, limited, refused),
    ]
}

fn signals(folder: &Folder) -> Vec<Section> {
    let titles = ["Ctrl-C comes", "SIGTERM comes", "SIGHUP comes"];
    let section = |((signal, number), title)| {
        let rows = CASES.iter().filter_map(|case| case.long.as_ref());
        let row = |long: &Long| {
            let run = stopped(folder, long, signal);
            assert!(
                run.status == 128 + number && run.complaints().count() <= 1,
                "{}: {run:?}",
                long.words
            );
            (long.words.to_string(), run)
        };
        Section { title, rows: rows.map(row).collect() }
    };
    SIGNALS.into_iter().zip(titles).map(section).collect()
}

/// Begins a long run and stops it by a signal once it has something to lose.
fn stopped(folder: &Folder, long: &Long, signal: &str) -> Run {
    for left in ["again.txt", "on.txt", "on.jsonl", "cup.jsonl"] {
        let _ = fs::remove_file(folder.0.join(left));
    }
    let _ = fs::remove_dir_all(folder.0.join("on"));
    // The input stays open and empty.
    let input = fs::OpenOptions::new().read(true).write(true).open(folder.0.join("in"));
    let _input = input.expect("a pipe");
    let mut child = begin(folder, &format!("exec {} < in", long.words));
    let name = || fs::read_to_string(format!("/proc/{}/comm", child.id())).unwrap_or_default();
    wait_until("the program runs", || name() == "garrison\n");
    match long.readiness {
        Readiness::Started => {}
        Readiness::Catches => wait_until("it catches signals", || catches(&child, 15)),
        Readiness::Writes(file) => {
            let path = folder.0.join(file);
            let bytes = || fs::metadata(&path).map_or(0, |data| data.len());
            wait_until("games are written", || bytes() > 1000);
        }
    }
    assert!(child.try_wait().expect("a child").is_none(), "{} is over", long.words);
    send(&child, signal);
    end(child, long.words)
}

/// A text of the table: no path but those given, no number that differs from run to run.
fn cell(line: &str) -> String {
    let mut text = line.replace('|', "\\|");
    if text.starts_with("stopped ") {
        let digits = |c: char| if c.is_ascii_digit() { 'N' } else { c };
        text = text.chars().map(digits).collect();
        while text.contains("NN") {
            text = text.replace("NN", "N");
        }
    }
    if text.is_empty() { "–".to_string() } else { text }
}

fn table(sections: &[Section]) -> String {
    let mut text = String::new();
    for Section { title, rows } in sections {
        let _ =
            writeln!(text, "\n### When {title}\n\n| command | status | prints |\n|---|---|---|");
        for (words, run) in rows {
            let words = words.replace('|', "\\|");
            let _ = writeln!(text, "| `{words}` | {} | {} |", run.status, cell(run.line()));
        }
    }
    text
}

/// Between too little memory and enough there is no step at which a command breaks.
#[test]
fn memory_for_some_threads_but_not_for_all_is_refused_in_one_line() {
    let folder = folder("memory");
    for words in [
        "garrison selfplay --variant swda-oo --games 8 --nodes 20 --out /dev/null --threads 8",
        "garrison rescore --data games.txt --nodes 20 --out /dev/null --threads 8",
        "garrison tune --data games.txt --epochs 1 --out /dev/null --threads 8",
        "garrison tune --data games.txt --epochs 1 --network --out /dev/null --threads 8",
        "garrison merge 1.txt 2.txt --out /dev/null",
        "garrison openings --variant swda-oo --count 20 --nodes 20 --threads 8",
        "garrison perft --variant swda-oo 2 --threads 8",
        "garrison analyze --variant swda-oo --depth 2 --hash 16",
    ] {
        let mut refused = 0;
        for megabytes in (60..=360).step_by(50) {
            // Else the C library reserves 64 MiB for each thread, and what is left to the others is by chance.
            let limits =
                format!("export MALLOC_ARENA_MAX=1; ulimit -c 0; ulimit -v {megabytes}000");
            let run = sh(&folder, &format!("{limits}; {words}"));
            assert!(run.is_orderly(), "{megabytes} MB: {words}: {run:?}");
            refused += usize::from(run.status != 0);
        }
        assert!(refused > 0 || !words.contains("--hash 16"), "{words} is never refused");
    }
}

const BEGIN: &str = "<!-- made by bench/outputs --write -->\n";

#[test]
fn every_command_does_what_the_table_of_the_page_says() {
    let folder = folder("table");
    let mut sections = outputs(&folder);
    sections.extend(inputs(&folder));
    sections.extend(memory(&folder));
    sections.extend(signals(&folder));
    let table = table(&sections);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors.md");
    let page = fs::read_to_string(&path).expect("docs/errors.md");
    let (text, written) = page.split_once(BEGIN).expect("the place of the table");
    match std::env::var("GARRISON_OUTPUTS").as_deref() {
        Ok("print") => println!("{table}"),
        Ok("write") => fs::write(&path, format!("{text}{BEGIN}{table}")).expect("docs/errors.md"),
        // Where no disk can be mounted, a full disk has other words.
        _ if can_mount() => {
            assert!(
                written == table,
                "docs/errors.md is out of date: bench/outputs --write\n{table}"
            );
        }
        _ => {}
    }
}
