//! `garrison learn`: whatever interrupts it, the end is the same; nothing that is not its own is touched.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A small game whose games are short.
const GAME: &str = r#"name = "quick"
board = { files = 5, ranks = 5 }
start = "rnkbr/ppppp/5/PPPPP/RNKBR w - - 0 1"
royalty = { piece = "K" }
[pieces]
K = { betza = "K" }
R = { betza = "R" }
N = { betza = "N" }
B = { betza = "B" }
P = { betza = "mfWcfF", promotion = { zone = "last", to = "R", forced = "last" } }
"#;

/// Two generations by numbers alone, so that they are the same on every machine.
const FEW: &str = "--generations 2 --games 24 --pairs 9";

/// After so long a run hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// An empty folder with the game.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learn").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    fs::write(path.join("quick.toml"), GAME).expect("room");
    path
}

fn command(at: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.current_dir(at).args(words.split_whitespace()).stdin(Stdio::null());
    command
}

fn run(at: &Path, words: &str) -> Output {
    command(at, words).output().expect("the program runs")
}

fn learn(words: &str) -> String {
    format!("learn quick --variants quick.toml {words}")
}

/// Runs it to its end; what it prints.
fn works(at: &Path, words: &str) -> String {
    let done = run(at, words);
    assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

/// The one line with which a run is refused.
fn refused(at: &Path, words: &str) -> String {
    let done = run(at, words);
    assert_eq!(done.status.code(), Some(2), "{words}");
    let error = String::from_utf8(done.stderr).expect("UTF-8");
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What was done, without times.
fn timeless(folder: &Path) -> String {
    let text = read(&folder.join("learn.toml"));
    let is_time = |line: &&str| line.contains("seconds = ");
    text.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n")
}

fn begin(at: &Path, words: &str) -> Child {
    let mut command = command(at, words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs")
}

/// Waits until something is so, or the run is over.
fn wait(child: &mut Child, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() && child.try_wait().expect("a child").is_none() {
        assert!(start.elapsed() < PATIENCE, "it hangs");
        sleep(Duration::from_millis(1));
    }
}

fn signal(child: &Child, name: &str) {
    let words = format!("kill -{name} {} 2> /dev/null; true", child.id());
    assert!(Command::new("sh").args(["-c", &words]).status().expect("a shell").success());
}

/// Whether a run in this folder is in a phase of a generation.
fn is_in(folder: &Path, phase: &str, generation: u32) -> bool {
    let text = fs::read_to_string(folder.join("learn.toml")).unwrap_or_default();
    let Some((_, step)) = text.split_once("[step]\n") else { return false };
    let lines = || step.lines().take_while(|line| !line.is_empty());
    lines().any(|line| line == format!("phase = \"{phase}\""))
        && lines().any(|line| line == format!("number = {generation}"))
}

#[test]
fn a_run_that_is_killed_in_every_phase_ends_as_one_that_is_not() {
    let at = folder("killed");
    let whole = works(&at, &learn(&format!("{FEW} --out whole --threads 2")));
    assert!(
        whole.contains("generation 2, table: ") && whole.contains("evaluation: whole"),
        "{whole}"
    );
    let words = learn(&format!("{FEW} --out part --threads 2"));
    let part = at.join("part");
    let size = |number: u32| {
        let data = part.join(format!("data/{number:03}.gdata"));
        fs::metadata(data).map_or(0, |data| data.len())
    };
    for generation in [1, 2] {
        for phase in ["play", "fit", "match"] {
            let mut child = begin(&at, &words);
            wait(&mut child, || match phase {
                "play" => size(generation) > 2_000,
                _ => is_in(&part, phase, generation),
            });
            signal(&child, "KILL");
            child.wait().expect("a child");
        }
    }
    let last = works(&at, &words);
    assert!(last.contains("going on with quick in part"), "{last}");
    let whole = at.join("whole");
    for name in ["eval.toml", "data/001.gdata", "data/002.gdata", "generations/001.toml"] {
        assert!(bytes(&part.join(name)) == bytes(&whole.join(name)), "{name} is another");
    }
    assert_eq!(timeless(&part), timeless(&whole));
    assert!(read(&part.join("report.html")).contains("<svg"));
    // Nothing is left of what a kill interrupted.
    fs::write(part.join("learn.toml.77.part"), "half").expect("room");
    let again = works(&at, &words);
    assert!(again.contains("the time is used up"), "{again}");
    for folder in ["part", "part/data", "part/generations"] {
        let entries = fs::read_dir(at.join(folder)).expect("a folder").flatten();
        let names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        assert!(names.iter().all(|name| !name.to_string_lossy().contains("part")), "{names:?}");
    }
}

#[test]
fn a_signal_ends_it_with_everything_whole() {
    let at = folder("signals");
    let words = learn("--time 9h --out out --threads 1");
    let out = at.join("out");
    for (name, status) in [("INT", 130), ("TERM", 143)] {
        let mut child = begin(&at, &words);
        let data = out.join("data/001.gdata");
        let size = || fs::metadata(&data).map_or(0, |data| data.len());
        let before = size();
        wait(&mut child, || size() > before + 4_000);
        signal(&child, name);
        let done = child.wait_with_output().expect("a child");
        let error = String::from_utf8(done.stderr).expect("UTF-8");
        assert_eq!(done.status.code(), Some(status), "{error}");
        assert_eq!(
            error,
            "garrison: stopped in generation 1; the same command goes on, and out can be used as it is\n"
        );
        assert!(read(&out.join("learn.toml")).contains("[step]\nphase = \"play\""));
        let text = out.with_extension(name);
        let convert = format!("convert {} {}", data.display(), text.display());
        let said = works(&at, &format!("{convert} --format text --variants quick.toml"));
        assert!(said.contains(" games, ") && read(&text).lines().count() > 40, "{said}");
        assert!(
            works(&at, "tune --show quick --variants quick.toml --start out").contains("pawns")
        );
    }
}

#[test]
fn one_run_at_a_time_in_a_folder() {
    let at = folder("two");
    let words = learn("--time 9h --out out --threads 1");
    let mut first = begin(&at, &words);
    wait(&mut first, || at.join("out/data/001.gdata").exists());
    let fault = refused(&at, &words);
    let expected = format!("'out': another run is learning there, process {}", first.id());
    assert!(fault.contains(&expected), "{fault}");
    signal(&first, "KILL");
    first.wait().expect("a child");
    works(&at, &learn("--generations 1 --games 4 --pairs 1 --out out --threads 1"));
}

#[test]
fn what_is_not_its_own_is_refused_in_one_line() {
    let at = folder("foreign");
    let tiny = "--generations 1 --games 4 --pairs 1 --threads 1";
    works(&at, &learn(&format!("{tiny} --out out")));
    let other = refused(&at, &format!("learn minishogi {tiny} --out out"));
    assert!(other.contains("has what was learned of quick, not of minishogi"), "{other}");
    let seed = refused(&at, &learn(&format!("{tiny} --out out --seed 2")));
    assert!(seed.contains("was begun with --seed 1, not 2"), "{seed}");
    fs::create_dir(at.join("full")).expect("a folder");
    fs::write(at.join("full/thesis.txt"), "years of work").expect("room");
    let full = refused(&at, &learn(&format!("{tiny} --out full")));
    assert!(full.contains("is not empty and nothing was learned there"), "{full}");
    assert!(refused(&at, &learn(&format!("{tiny} --out quick.toml"))).contains("cannot write"));
    let state = read(&at.join("out/learn.toml"));
    fs::write(at.join("out/learn.toml"), state.replace("best", "rest")).expect("room");
    let broken = refused(&at, &learn(&format!("{tiny} --out out")));
    assert!(broken.contains("is not what 'garrison learn' wrote"), "{broken}");
    fs::write(at.join("out/learn.toml"), &state).expect("room");
    let moves = GAME.replace("B = { betza = \"B\" }", "B = { betza = \"BW\" }");
    for changed in [moves, GAME.replace("[pieces]", "must_capture = true\n[pieces]")] {
        fs::write(at.join("quick.toml"), changed).expect("room");
        let rules = refused(&at, &learn(&format!("{tiny} --out out")));
        assert!(rules.contains("the rules of quick have changed since"), "{rules}");
    }
    // A title is no rule; and a folder of before knows nothing of the definition.
    fs::write(at.join("quick.toml"), format!("title = \"Quick\"\n{GAME}")).expect("room");
    works(&at, &learn(&format!("{tiny} --out out")));
    let state = read(&at.join("out/learn.toml"));
    let (before, behind) = state.split_once("rules = \"").expect("a key");
    let (rules, rest) = behind.split_once('"').expect("its value");
    let old = rules.split_once('-').expect("two parts").0;
    fs::write(at.join("out/learn.toml"), format!("{before}rules = \"{old}\"{rest}")).expect("room");
    works(&at, &learn(&format!("{tiny} --out out")));
    fs::write(at.join("quick.toml"), GAME).expect("room");
    fs::write(at.join("out/generations/000.toml"), "nonsense").expect("room");
    let damaged = refused(&at, &learn(&format!("{tiny} --out out")));
    assert!(damaged.contains("generations/000.toml': not TOML"), "{damaged}");
    for words in ["learn", "learn nothing", "learn chess,shogi", "learn chess --time 5"] {
        assert_eq!(run(&at, words).status.code(), Some(2), "{words}");
    }
}

/// A step that trains a network, as a long run would come to it.
const NETWORK_STEP: &str = "
[step]
phase = \"fit\"
play = [1.0, 1.0]
match = [60.0, 0.0]
number = 2
hidden = 16
from = 1
games = 24
positions = 500
learned = 0
loss = [0.0, 0.0]
nodes = [0, 0]
results = [0, 0, 0]
pairs = [0, 0, 0, 0, 0]
fit_seconds = 0.0
seconds = 1.0
kept = false
";

#[test]
fn a_network_is_trained_tried_and_named() {
    let at = folder("network");
    works(&at, &learn("--generations 1 --games 24 --pairs 1 --out out --threads 2"));
    let path = at.join("out/learn.toml");
    // As if the first generation had been kept.
    let state = read(&path).replace("best = 0", "best = 1").replace("kept = false", "kept = true");
    let (head, generations) = state.split_once("\n[[generation]]").expect("a generation");
    let state = format!("{head}{NETWORK_STEP}\n[[generation]]{generations}");
    fs::write(&path, state).expect("room");
    fs::copy(at.join("out/data/001.gdata"), at.join("out/data/002.gdata")).expect("room");
    let text = works(&at, &learn("--generations 2 --games 24 --pairs 8 --out out --threads 2"));
    assert!(text.contains("generation 2, network 16: +"), "{text}");
    let weights = read(&at.join("out/generations/002.toml"));
    assert!(weights.contains("network = \"002.nnue\""), "{weights}");
    // If it won it is the one that others use.
    let won = read(&path).contains("best = 2");
    let used = read(&at.join("out/eval.toml"));
    assert_eq!(used.contains("network = \"eval.nnue\""), won, "{used}");
    let shown =
        works(&at, "tune --show quick --variants quick.toml --start out/generations/002.toml");
    assert!(shown.contains("16 hidden neurons"), "{shown}");

    // The next one deepens it, whether it won or not: it goes on from it with its own games alone.
    let best = if won { 2 } else { 1 };
    let deeper = NETWORK_STEP.replace("number = 2", "number = 3\nplayed_by = 2\ndeeper = true");
    let deeper = deeper.replace("from = 1", &format!("from = {best}"));
    let state = read(&path);
    let (head, generations) = state.split_once("\n[[generation]]").expect("a generation");
    fs::write(&path, format!("{head}{deeper}\n[[generation]]{generations}")).expect("room");
    fs::copy(at.join("out/data/001.gdata"), at.join("out/data/003.gdata")).expect("room");
    let text = works(&at, &learn("--generations 3 --games 24 --pairs 8 --out out --threads 2"));
    assert!(text.contains("generation 3, network 16 deepened: "), "{text}");
    let learned = |text: &str| -> u64 {
        let number = text.split("learned = ").last().and_then(|rest| rest.lines().next());
        number.and_then(|number| number.parse().ok()).expect("a number")
    };
    let (second, third) = (learned(&state), learned(&read(&path)));
    assert!(0 < third && third < second, "{third} of {second}");
    let weights = read(&at.join("out/generations/003.toml"));
    assert!(weights.contains("--start 002.toml"), "{weights}");
}

#[test]
fn a_network_that_comes_with_the_game_is_deepened_at_once() {
    let at = folder("shipped");
    let few = "--games 16 --pairs 2 --time 10m --threads 2";
    let text = works(&at, &format!("learn minishogi --generations 1 {few} --out out"));
    assert!(text.contains("generation 1, network 64 deepened: 16 games"), "{text}");
    let state = read(&at.join("out/learn.toml"));
    assert!(state.contains("begun_hidden = 64") && state.contains("play_nodes = 3000"), "{state}");
    assert!(read(&at.join("out/generations/001.toml")).contains("--start 000.toml"));
}

#[test]
fn what_was_learned_is_found_without_options() {
    let at = folder("named");
    works(&at, &learn("--generations 1 --games 24 --pairs 1 --out learned --threads 2"));
    // Other values than any fit gives.
    let text = read(&at.join("learned/eval.toml"));
    let value = text.find("value = ").expect("a value");
    let text = format!("{}value = {{ mg = [777], eg = [777] }}{}", &text[..value], {
        let rest = &text[value..];
        &rest[rest.find('\n').expect("a line")..]
    });
    fs::write(at.join("learned/eval.toml"), text).expect("room");
    let given = works(&at, "tune --show quick --variants quick.toml --start learned");
    let plain = works(&at, "tune --show quick --variants quick.toml");
    let named = GAME.replace("[pieces]", "evaluation = \"learned\"\n[pieces]");
    fs::write(at.join("quick.toml"), named).expect("room");
    let own = works(&at, "tune --show quick --variants quick.toml");
    assert!(own == given && own != plain, "{own}");
    // A definition that names what it has learned can go on learning.
    works(&at, &learn("--generations 2 --games 24 --pairs 1 --out learned --threads 2"));
}

#[test]
fn a_data_file_that_is_wrong_is_named_and_can_be_left_out() {
    let at = folder("data");
    let few = "--games 24 --pairs 1 --threads 2 --out out";
    works(&at, &learn(&format!("--generations 1 {few}")));
    let (data, before) = (at.join("out/data/001.gdata"), read(&at.join("out/eval.toml")));
    let mut damaged = bytes(&data);
    *damaged.last_mut().expect("games") ^= 1;
    let header = "# garrison selfplay seed 1 nodes 9 plies 8 hash 4 version 0.1.0 variants chess\n";
    let chess = "# game 1\nchess|k7/8/8/8/8/8/8/K6R w - - 0 1|30|1\n";
    for (text, fault) in [
        (
            format!("{header}{chess}").into_bytes(),
            "line 2: chess is no game of the family of quick",
        ),
        (damaged, "block 1: damaged: the checksum is wrong"),
        (Vec::new(), "line 1: '' does not say"),
    ] {
        fs::write(&data, text).expect("room");
        let error = refused(&at, &learn(&format!("--generations 2 {few}")));
        assert!(error.contains("'out/data/001.gdata': ") && error.contains(fault), "{error}");
        assert!(error.ends_with("; delete it to go on without it\n"), "{error}");
        assert_eq!(read(&at.join("out/eval.toml")), before);
    }
    fs::remove_file(&data).expect("it is gone");
    works(&at, &learn(&format!("--generations 2 {few}")));
}

#[test]
fn a_full_disk_is_one_line_and_the_evaluation_stays_whole() {
    let at = folder("disk");
    works(&at, &learn("--generations 1 --games 24 --pairs 1 --out out --threads 1"));
    let before = read(&at.join("out/eval.toml"));
    // In blocks of 512 bytes: the games of the second generation do not fit. A signal that is ignored is an error.
    let program = env!("CARGO_BIN_EXE_garrison");
    let words = learn("--generations 2 --games 4000 --pairs 1 --out out --threads 1");
    let script = format!("trap '' XFSZ; ulimit -f 128; exec '{program}' {words}");
    let mut shell = Command::new("sh");
    let done = shell.current_dir(&at).args(["-c", &script]).output().expect("a shell");
    let error = String::from_utf8(done.stderr).expect("UTF-8");
    assert_eq!(done.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("cannot write 'out/data/002.gdata'"), "{error}");
    assert_eq!(read(&at.join("out/eval.toml")), before);
    works(&at, &learn("--generations 2 --games 24 --pairs 1 --out out --threads 1"));
}

/// Pawns meet after one step each: no position is quiet.
const MEETING: &str = r#"name = "quick"
board = { files = 3, ranks = 3 }
start = "ppp/3/PPP w - - 0 1"
end = { no_moves = "loss" }
[pieces]
P = { betza = "mfWcfF" }
"#;

#[test]
fn games_that_teach_nothing_end_it_however_few_a_generation_has() {
    let at = folder("fruitless");
    fs::write(at.join("quick.toml"), MEETING).expect("room");
    let line = refused(&at, &learn("--time 1h --threads 1 --games 30 --out fruitless"));
    assert!(line.contains("60 games gave no position to learn from"), "{line}");
}
