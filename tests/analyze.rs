//! `garrison analyze` of one position and of suites, as it is run.

mod talk;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use talk::{run, spawn};

/// What a run that works prints.
fn output(arguments: &[&str], input: &str) -> String {
    let done = run(arguments, input.as_bytes());
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{arguments:?}: {}", done.out);
    done.out
}

/// A file of this test, in the folder that cargo keeps for such things.
fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyze");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a name").to_string()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

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

/// The table of an analysis: the lines behind its head.
fn table(out: &str) -> Vec<&str> {
    let behind = out.lines().skip_while(|line| !line.starts_with("depth ")).skip(1);
    behind.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn lines_are_written_as_people_write_moves() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1";
    let args = ["analyze", "--variant", "chess", "--fen", fen, "--depth", "4"];
    let out = output(&args, "");
    assert!(table(&out).iter().all(|line| line.contains(" Ra8#")), "{out}");
    assert!(out.ends_with("\nBest move: Ra8# (a1a8)\n"), "{out}");
    // In the setup phase both texts are one.
    let out = output(&["analyze", "--variant", "shoranji", "--nodes", "200"], "");
    let best = out.lines().last().expect("a line");
    assert!(best.starts_with("Best move: =") && !best.contains('('), "{out}");
}

#[test]
fn the_last_lines_are_not_printed_twice() {
    let mut ended_early = 0;
    for nodes in ["300", "2000", "5000", "9000", "15000"] {
        for lines in ["1", "3"] {
            let args = ["analyze", "--variant", "chess", "--nodes", nodes, "--multipv", lines];
            let out = output(&args, "");
            // Depth, score and line, without nodes and time.
            let column = |line: &&str| {
                let (head, tail) = line.split_once("s  ").expect("a time");
                format!("{} {tail}", head[..15].trim())
            };
            let rows: Vec<String> = table(&out).iter().map(column).collect();
            let count: usize = lines.parse().expect("a number");
            let reports: Vec<&[String]> = rows.chunks(count).collect();
            assert!(reports.windows(2).all(|two| two[0] != two[1]), "{out}");
            // With the last iteration that a limit of nodes cuts short there is nothing new but the nodes.
            ended_early += usize::from(!table(&out).last().expect("a row").contains(nodes));
            let json = output(&[&args[..], &["--json"]].concat(), "");
            let infos = json.lines().filter(|line| line.contains("\"type\":\"info\"")).count();
            assert_eq!(infos, rows.len(), "{json}");
        }
    }
    assert!(ended_early > 0, "no search was cut short");
}

#[test]
fn all_threads_search_one_position() {
    // What is searched by several threads is shown by their nodes: those of one thread are always the same.
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let args = ["analyze", "--variant", "chess", "--fen", fen, "--depth", "9", "--json"];
    let nodes = |threads: &str| {
        let lines = json_lines(&output(&[&args[..], &["--threads", threads]].concat(), ""));
        let best = lines.last().expect("a line");
        assert_eq!(best["type"], "best");
        lines.iter().rev().find_map(|line| line["nodes"].as_u64()).expect("an info")
    };
    let alone = nodes("1");
    assert_eq!(nodes("1"), alone);
    assert!((0..20).any(|_| nodes("4") != alone), "four threads do what one does");
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
    assert!(lines[0].starts_with("solved  takes; the king ") && lines[0].ends_with(" bm Kxe9#"));
    assert!(lines[1].starts_with("missed  line 4 ") && lines[1].ends_with(" am Kxe9#"), "{out}");
    assert!(lines[0].contains(" s bm ") && !lines[1].contains(" s am "), "{out}");
    assert!(lines[3].starts_with("solved 1/2 in "), "{out}");
}

#[test]
fn faulty_lines_of_a_suite_are_reported_and_the_others_solved() {
    let good = "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9; id \"good\"; variant shoogantshii;\n";
    let text = format!(
        "{good}4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9;\n\n{good}4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1a9; variant shoogantshii;\n"
    );
    let suite = file("faulty.epd", &text);
    for threads in ["1", "3"] {
        let done = run(&["analyze", "--epd", &suite, "--nodes", "200", "--threads", threads], b"");
        assert_eq!(done.code, Some(2));
        assert_eq!(done.out.lines().filter(|line| line.starts_with("solved  good ")).count(), 2);
        assert!(done.out.contains("\nsolved 2/2 in "), "{}", done.out);
        let errors: Vec<&str> = done.err.lines().collect();
        assert_eq!(
            errors[0],
            format!(
                "garrison: '{suite}': line 2: no game: give --variant NAME, or 'variant NAME;' in the line; line skipped"
            )
        );
        assert!(errors[1].starts_with(&format!("garrison: '{suite}': line 5: ")), "{errors:?}");
        assert_eq!(errors[2], format!("garrison: '{suite}': 2 of 4 lines skipped"));
        assert_eq!(errors.len(), 3);
    }
}

#[test]
fn a_suite_comes_from_standard_input_line_by_line() {
    let good = "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9; variant shoogantshii;\r\n";
    let args = ["analyze", "--epd", "-", "--nodes", "200"];
    let out = output(&args, &format!("\u{feff}{good}{good}"));
    assert!(out.contains("solved 2/2"), "{out}");
    // The first answer is there before the input has ended.
    let mut child = spawn(&args);
    let mut stdin = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut stdin, good.as_bytes()).expect("a pipe");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    assert!(line.starts_with("solved  line 1 "), "{line}");
    drop(stdin);
    child.wait().expect("it ends");
    // A line without an end.
    let done = run(&args, &[b'8'; 100_000]);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    let first = done.err.lines().next().expect("an error");
    assert_eq!(first, "garrison: '-': line 1 has more than 65536 bytes; the rest is not read");
}
