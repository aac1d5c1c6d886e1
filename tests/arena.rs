//! Matches: the same text however many games are played at once, every fault recognized, nothing lost
//! when a match is broken off, parts that make a whole.
//!
//! The engines are `examples/mock_engine.rs`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The mock engine. `cargo test` builds all examples; `cargo test --test arena` does not.
fn mock() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let own = std::env::current_exe().expect("the path of the test");
        let folder = own.parent().and_then(Path::parent).expect("target/PROFILE");
        let path =
            folder.join("examples").join(format!("mock_engine{}", std::env::consts::EXE_SUFFIX));
        if !path.exists() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo
                .args(["build", "--example", "mock_engine"])
                .current_dir(env!("CARGO_MANIFEST_DIR"));
            cargo.env("CARGO_TARGET_DIR", folder.parent().expect("target"));
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            assert!(cargo.status().expect("cargo runs").success());
        }
        path.to_str().expect("a path in UTF-8").to_string()
    })
}

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn garrison(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.args(words.split_whitespace()).current_dir(folder).output().expect("the program runs")
}

/// Runs a command that must succeed; its standard output.
fn succeed(folder: &Path, words: &str) -> String {
    let output = garrison(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words}\n{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs a command that must be refused with one line; the line.
fn fail(folder: &Path, words: &str) -> String {
    let output = garrison(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words}\n{errors}");
    assert!(errors.starts_with("garrison: ") && errors.trim_end().lines().count() == 1, "{errors}");
    errors.trim_end().to_string()
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect(name)
}

/// One hash over files.
fn hash(folder: &Path, names: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    names.iter().for_each(|name| text(folder, name).hash(&mut hasher));
    hasher.finish()
}

/// The words of a match of two mocks with these modes.
fn mocks(first: &str, second: &str) -> String {
    let mock = mock();
    format!(
        "match --engine cmd={mock} name=first arg={first} --engine cmd={mock} name=second arg={second}"
    )
}

const VARIANTS: &str =
    "--variant sixfortresses,shoranji,chesstonia,swda-oj,shoogantshii --max-plies 120";

#[test]
fn one_worker_and_two_write_the_same() {
    let folder = folder("workers");
    for second in ["noise", "crash:40"] {
        let mocks = mocks("x", second);
        let words =
            format!("{mocks} {VARIANTS} --nodes 100 --openings random:6 --seed 9 --games 30");
        for (workers, name) in [(1, "a"), (2, "b"), (5, "c")] {
            let files = format!("--pgn {name}.pgn --log {name}.jsonl");
            let report = succeed(&folder, &format!("{words} --concurrency {workers} {files}"));
            assert_eq!(report.contains("No faults"), second == "noise", "{report}");
        }
        same_text(&folder, 30);
    }
}

/// The files of three runs have the same text, and so many games that can be read.
fn same_text(folder: &Path, games: usize) {
    let wanted = hash(folder, &["a.pgn", "a.jsonl"]);
    assert_eq!(wanted, hash(folder, &["b.pgn", "b.jsonl"]));
    assert_eq!(wanted, hash(folder, &["c.pgn", "c.jsonl"]));
    let read = garrison::record::pgn::read(&text(folder, "a.pgn"));
    assert_eq!(read.len(), games);
    assert!(read.iter().all(Result::is_ok), "{read:?}");
    for name in ["a", "b", "c"] {
        assert!(!folder.join(format!("{name}.jsonl.part")).exists());
        for ending in ["pgn", "jsonl"] {
            fs::remove_file(folder.join(format!("{name}.{ending}"))).expect("a file");
        }
    }
}

#[test]
fn tournaments_with_one_worker_and_two_write_the_same() {
    let folder = folder("tournaments");
    let mock = mock();
    for (format, games) in [("round-robin", 6 * 10), ("gauntlet", 3 * 10)] {
        let engine = |name: &str, mode: &str| {
            format!("[[engine]]\nname = '{name}'\ncmd = '{mock}'\nargs = ['{mode}']\n")
        };
        let file = format!(
            "format = '{format}'\nvariants = ['shoranji', 'swda']\ngames = 10\nlimit = 'nodes=5'\n\
             openings = 'random:5'\n{}{}{}{}",
            engine("one", "x"),
            engine("two", "noise"),
            engine("three", "illegal:15"),
            engine("four", "crash:20")
        );
        fs::write(folder.join("cup.toml"), file).expect("a file");
        for (workers, name) in [(1, "a"), (2, "b"), (3, "c")] {
            let files = format!("--pgn {name}.pgn --log {name}.jsonl --max-plies 80");
            let words = format!("tournament cup.toml --concurrency {workers} {files}");
            let report = succeed(&folder, &words);
            assert!(report.contains("Fault of three: illegal move, "), "{report}");
            assert!(report.contains("Fault of four: crash, "), "{report}");
            let ranks = report.lines().filter(|line| line.trim().starts_with(['1', '2', '3', '4']));
            assert!(ranks.count() >= 4, "{report}");
        }
        same_text(&folder, games);
    }
    fs::write(folder.join("cup.toml"), "games = 1\nvariants = 'all'\n").expect("a file");
    assert!(fail(&folder, "tournament cup.toml").contains("cup.toml"));
    assert!(fail(&folder, "tournament no.toml").contains("no.toml"));
}

/// In every game it is the second that loses, whatever its color: the first has seconds where it needs microseconds.
fn check_fault(folder: &Path, mode: &str, kind: &str, limit: &str) {
    let words =
        format!("{} --variant swda-oo --openings random:4 --games 4 {limit}", mocks("x", mode));
    let report = succeed(folder, &format!("{words} --concurrency 4"));
    assert!(report.starts_with("first against second: +4 =0 -0"), "{mode} {limit}: {report}");
    assert!(report.contains(&format!("Fault of second: {kind}, 4 times")), "{mode}: {report}");
    let stopped = fail(folder, &format!("{words} --on-fault stop"));
    assert!(stopped.starts_with("garrison: game 1: engine 'second' "), "{stopped}");
    assert!(stopped.ends_with(&format!("({kind})")), "{stopped}");
}

#[test]
fn every_fault_is_recognized_and_the_match_goes_on() {
    let folder = &folder("faults");
    // Most of this is waiting for engines that do not answer: all at once. The limits leave seconds to those that do, so
    // that they hold beside other work.
    std::thread::scope(|scope| {
        for (mode, kind, limit) in [
            ("crash", "crash", "--nodes 1"),
            ("stall", "stall", "--nodes 1 --patience 8"),
            ("stall", "stall", "--movetime 500 --margin 7500 --patience 8"),
            ("late", "time loss", "--movetime 500 --margin 7500"),
            ("late", "time loss", "--tc 8 --margin 0"),
            ("garbage", "garbage", "--nodes 1"),
            ("illegal", "illegal move", "--depth 1"),
            ("flood", "flood", "--nodes 1"),
            ("longline", "flood", "--nodes 1"),
        ] {
            scope.spawn(move || check_fault(folder, mode, kind, limit));
        }
    });
}

#[test]
fn engines_that_do_not_work_are_refused_before_the_first_game() {
    let folder = folder("start");
    let refused = |engine: &str| {
        fail(&folder, &format!("match --variant swda --nodes 1 --patience 8 --engine {engine}"))
    };
    assert!(refused("cmd=/no/such/program name=N").contains("engine 'N' cannot be started"));
    assert!(
        refused(&format!("cmd={} arg=mute name=M", mock())).contains("engine 'M' does not answer")
    );
    let line = refused(&format!("cmd={} name=O option.Nothing=1", mock()));
    assert!(line.contains("engine 'O' has no option 'Nothing'"), "{line}");
    // The program itself says what it refuses; without this it would play by its own evaluation.
    let line = refused("name=E option.EvalFile=nowhere.toml");
    assert!(line.contains("engine 'E' cannot be started: "), "{line}");
    assert!(line.contains(": EvalFile 'nowhere.toml': cannot be read"), "{line}");
    let line = refused("name=V option.VariantPath=nowhere.ini");
    assert!(line.contains("engine 'V' cannot be started: "), "{line}");
    assert!(line.contains("nowhere.ini"), "{line}");
    let line = refused(&format!("cmd={} arg=refuses name=R", mock()));
    assert!(line.contains("engine 'R' cannot be started: swda-oo: not that game"), "{line}");
    // One that ends after each game is started again.
    let report = succeed(
        &folder,
        &format!("{} --variant swda --nodes 1 --games 4 --max-plies 40", mocks("quits", "x")),
    );
    assert!(report.contains("No faults"), "{report}");
}

#[test]
fn the_program_plays_large_games_against_itself() {
    let folder = folder("large");
    let report = succeed(&folder, "match --variant chushogi --games 2 --nodes 20 --max-plies 6");
    assert!(report.contains("No faults"), "{report}");
}

#[test]
fn a_table_of_its_ending_ends_a_game() {
    let folder = folder("endings");
    fs::write(folder.join("rook.epd"), "7k/8/8/8/8/8/1R6/K7 w - - 0 1\n").expect("a file");
    let words = "match --variant chess --openings rook.epd --games 2 --depth 1 --log games.jsonl";
    succeed(&folder, &format!("{words} --endings 3"));
    let log = text(&folder, "games.jsonl");
    assert_eq!(log.matches("ending table (adjudged)").count(), 2, "{log}");
    assert!(log.contains("endings of 3 pieces"), "{log}");
}

#[test]
fn a_broken_match_goes_on() {
    let folder = folder("resume");
    let words = format!(
        "{} {VARIANTS} --nodes 100 --openings random:6 --seed 1 --games 20 --concurrency 2",
        mocks("x", "illegal:20")
    );
    let report = succeed(&folder, &format!("{words} --pgn a.pgn --log a.jsonl"));
    let wanted = hash(&folder, &["a.pgn", "a.jsonl"]);
    let whole = text(&folder, "a.jsonl");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // Cut behind whole lines, in the middle of one, behind the header, within the last.
    let half = lines[..7].concat();
    for cut in [half.len(), half.len() - 40, lines[0].len(), whole.len() - 1, whole.len()] {
        fs::write(folder.join("b.jsonl"), &whole[..cut]).expect("a file");
        // A game that ended before its turn, and one that was being written.
        fs::write(folder.join("b.jsonl.part"), format!("{}{}", lines[12], &lines[13][..50]))
            .expect("a file");
        fs::write(folder.join("b.pgn"), "[Event \"half a game").expect("a file");
        let resumed = succeed(&folder, &format!("{words} --pgn b.pgn --log b.jsonl --resume"));
        assert_eq!(wanted, hash(&folder, &["b.pgn", "b.jsonl"]), "cut at {cut}");
        assert_eq!(report, resumed);
        assert!(!folder.join("b.jsonl.part").exists());
    }
    // More games of the same match.
    let longer = words.replace("--games 20", "--games 26");
    succeed(&folder, &format!("{longer} --pgn b.pgn --log b.jsonl --resume"));
    assert!(text(&folder, "b.jsonl").starts_with(&whole));
    assert_eq!(text(&folder, "b.jsonl").lines().count(), 27);
    // Logs that cannot be continued.
    let other =
        fail(&folder, &format!("{words} --log b.jsonl --resume").replace("--seed 1", "--seed 2"));
    assert!(other.contains("another seed"), "{other}");
    assert!(fail(&folder, &format!("{words} --log b.jsonl")).contains("--resume"));
    assert!(
        fail(&folder, &format!("{words} --log b.jsonl --resume")).contains("not of this match")
    );
    fs::write(folder.join("c.jsonl"), format!("{}nonsense\n{}", lines[0], lines[1]))
        .expect("a file");
    assert!(fail(&folder, &format!("{words} --log c.jsonl --resume")).contains("line 2: "));
}

#[cfg(unix)]
#[test]
fn nothing_finished_is_lost_when_the_runner_is_killed() {
    let folder = folder("killed");
    let words = format!(
        "{} {VARIANTS} --nodes 100 --openings random:6 --seed 5 --games 40 --concurrency 2",
        mocks("x", "y")
    );
    succeed(&folder, &format!("{words} --pgn a.pgn --log a.jsonl"));
    for signal in ["-INT", "-KILL", "-KILL"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_garrison"))
            .args(format!("{words} --pgn b.pgn --log b.jsonl --resume").split_whitespace())
            .current_dir(&folder)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(std::time::Duration::from_millis(400));
        // By the shell, which is there where no program `kill` is. The match may be over by now.
        let sent =
            Command::new("sh").args(["-c", &format!("kill {signal} {}", child.id())]).output();
        assert!(sent.is_ok());
        let _ = child.wait();
    }
    succeed(&folder, &format!("{words} --pgn b.pgn --log b.jsonl --resume"));
    assert_eq!(hash(&folder, &["a.pgn", "a.jsonl"]), hash(&folder, &["b.pgn", "b.jsonl"]));
}

#[test]
fn parts_make_the_whole() {
    let folder = folder("merge");
    let words =
        format!("{} {VARIANTS} --nodes 100 --openings random:6 --games 30", mocks("x", "y"));
    let report = succeed(&folder, &format!("{words} --pgn a.pgn --log a.jsonl"));
    for part in 1..=4 {
        succeed(&folder, &format!("{words} --shard {part}/4 --concurrency 2 --log {part}.jsonl"));
    }
    let logs = "--merge 4.jsonl 2.jsonl 1.jsonl 3.jsonl";
    let merged = succeed(&folder, &format!("match {logs} --pgn m.pgn --log m.jsonl"));
    assert_eq!(report, merged);
    assert_eq!(hash(&folder, &["a.pgn", "a.jsonl"]), hash(&folder, &["m.pgn", "m.jsonl"]));
    assert!(succeed(&folder, &format!("match {logs} --sprt 0 5 0.05 0.05")).contains("LLR"));
    succeed(&folder, &format!("{words} --seed 3 --log other.jsonl"));
    assert!(fail(&folder, "match --merge 1.jsonl other.jsonl").contains("another seed"));
    assert!(fail(&folder, "match --merge nothing.jsonl").contains("nothing.jsonl"));
}

#[test]
fn a_decided_test_ends_the_match_at_the_same_game() {
    let folder = folder("sprt");
    let words = format!(
        "{} --variant swda-oo --nodes 1 --openings random:4 --games 400 --sprt 0 50 0.05 0.05",
        mocks("x", "illegal")
    );
    for (workers, name) in [(1, "a"), (2, "b")] {
        let files = format!("--pgn {name}.pgn --log {name}.jsonl");
        let report = succeed(&folder, &format!("{words} --concurrency {workers} {files}"));
        assert!(report.contains("H1"), "{report}");
    }
    assert_eq!(hash(&folder, &["a.pgn", "a.jsonl"]), hash(&folder, &["b.pgn", "b.jsonl"]));
    assert!(text(&folder, "a.jsonl").lines().count() < 200);
}

#[test]
fn openings_come_from_files() {
    let folder = folder("openings");
    let words = format!("{} --variant swda-oo --nodes 1 --max-plies 30", mocks("x", "y"));
    fs::write(
        folder.join("o.epd"),
        "4k3/7p/8/8/8/8/8/R3K2R w - - bm a1a8;\n# no\n4k3/7p/8/8/8/8/8/R3K3 b - - 3 9\n",
    )
    .expect("a file");
    succeed(&folder, &format!("{words} --games 6 --openings o.epd --pgn a.pgn"));
    let games: Vec<_> = garrison::record::pgn::read(&text(&folder, "a.pgn"))
        .into_iter()
        .map(|g| g.expect("a game"))
        .collect();
    let starts: Vec<String> = games.iter().map(|game| game.start.fen()).collect();
    // Each from both sides, then from the first again.
    assert_eq!(starts[0], "4k3/7p/8/8/8/8/8/R3K2R w - - 0 1");
    assert_eq!((&starts[0], &starts[2]), (&starts[1], &starts[3]));
    assert_eq!(starts[2], "4k3/7p/8/8/8/8/8/R3K3 b - - 3 9");
    assert_eq!(starts[0], starts[4]);
    assert_eq!(games[0].tag("White"), games[1].tag("Black"));
    // A file of games serves as openings too.
    let longer = words.replace("--max-plies 30", "--max-plies 60");
    succeed(&folder, &format!("{longer} --games 4 --openings a.pgn --pgn b.pgn --chart b.svg"));
    assert!(text(&folder, "b.svg").contains("swda-oo"));
    assert!(fail(&folder, &format!("{words} --openings no.epd")).contains("no.epd"));
}

#[test]
fn wrong_words_are_refused_with_one_line() {
    let folder = folder("usage");
    for (words, printed) in [
        ("match", "match needs a game"),
        ("match --variant nothing", "no variant 'nothing'"),
        ("match --variant swda,swda-oo", "named twice"),
        ("match --variant swda --tc 10+x", "time control '10+x'"),
        ("match --variant swda --tc 0", "time control '0'"),
        ("match --variant swda --nodes 0", "nodes '0'"),
        ("match --variant swda --shard 5/4", "--shard '5/4'"),
        ("match --variant swda --sprt 5 0 0.05 0.05", "--sprt 5 0"),
        ("match --variant swda --resign score=1", "--resign needs moves="),
        ("match --variant swda --openings random:0", "random: needs plies"),
        ("match --variant swda --engine foo", "engine 'foo'"),
        ("match --variant swda --patience 0", "--patience 0"),
        ("match --variant swda --log a --pgn ./a", "is the file of --log and of --pgn"),
        ("match --merge a --chart a", "is the file of --chart and of --merge"),
        (
            "match --variant swda --engine name=a --engine name=b --engine name=c",
            "garrison tournament",
        ),
    ] {
        let line = fail(&folder, words);
        assert!(line.contains(printed), "{words}: {line}");
    }
}
