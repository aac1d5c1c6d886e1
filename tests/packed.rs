//! Packed files on the command line: `selfplay`, `rescore`, `convert` and `tune` write and read them as they do text.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use garrison_rules::random::SplitMix;
use garrison_rules::{Position, find};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("packed").join(name)
}

/// Runs the program; words that begin with `@` are files of these tests.
fn run(words: &str) -> Output {
    std::fs::create_dir_all(path("")).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    for word in words.split(' ') {
        match word.strip_prefix('@') {
            Some(name) => command.arg(path(name)),
            None => command.arg(word),
        };
    }
    command.output().expect("the program runs")
}

/// The file that a run makes where there was none.
fn made(words: &str, name: &str) -> Vec<u8> {
    let _ = std::fs::remove_file(path(name));
    works(words);
    std::fs::read(path(name)).expect("a file")
}

fn works(words: &str) -> String {
    let done = run(words);
    assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

/// The one line that a run prints that is refused.
fn refused(words: &str) -> String {
    let done = run(words);
    let line = String::from_utf8(done.stderr).expect("UTF-8");
    assert_eq!(done.status.code(), Some(2), "{words}: {line}");
    assert_eq!(line.lines().count(), 1, "{words}: {line}");
    line.trim_end().to_string()
}

const PLAY: &str = "selfplay --variant swda-jp --variant shoranji --nodes 60 --hash 1 --keep aside";

#[test]
fn packed_games_are_those_of_the_text() {
    let text = made(&format!("{PLAY} --games 8 --out @same.txt"), "same.txt");
    let packed = made(&format!("{PLAY} --games 8 --threads 2 --out @same.gdata"), "same.gdata");
    assert!(text.starts_with(b"# garrison selfplay ") && packed.starts_with(b"GARRDATA"));
    assert!(packed.len() * 2 < text.len(), "{} and {}", packed.len(), text.len());
    assert!(made("convert @same.gdata @same-2.txt", "same-2.txt") == text);
    assert!(made("convert @same.txt @same-2.gdata", "same-2.gdata") == packed);
    // The name may be any, if --format says what is wanted; what is there already is what it is.
    assert!(made("convert @same.gdata @same --format text", "same") == text);
    works("convert @same.gdata @same --resume");
    assert!(std::fs::read(path("same")).expect("a file") == text);
    let fault = refused("convert @same.gdata @same --resume --format packed");
    assert!(fault.ends_with("is text; --resume goes on with it without --format"), "{fault}");

    let again = "rescore --nodes 90 --data";
    let new_text = made(&format!("{again} @same.txt --out @new.txt"), "new.txt");
    let new = made(&format!("{again} @same.gdata --out @new.gdata"), "new.gdata");
    assert!(made("convert @new.gdata @new-2.txt", "new-2.txt") == new_text);
    std::fs::write(path("new-torn.gdata"), &new[..new.len() - 40]).expect("room");
    works(&format!("{again} @same.gdata --out @new-torn.gdata --resume"));
    assert!(std::fs::read(path("new-torn.gdata")).expect("a file") == new);

    let tuned =
        |data: &str, out: &str| made(&format!("tune --data @{data} --epochs 2 --out @{out}"), out);
    std::fs::create_dir_all(path("a"))
        .and_then(|()| std::fs::create_dir_all(path("b")))
        .expect("room");
    for file in ["one.txt", "two.gdata"] {
        let play = format!("selfplay --variant minishogi --nodes 60 --games 30 --out @{file}");
        made(&play, file);
    }
    assert!(tuned("one.txt", "a/w.toml") == tuned("two.gdata", "b/w.toml"));
}

#[test]
fn an_interrupted_run_goes_on() {
    let whole = made(&format!("{PLAY} --games 5 --out @whole.gdata"), "whole.gdata");
    let mut random = SplitMix::new(8);
    let cuts = [0, 1, 15, 200, whole.len() - 1, whole.len()];
    for cut in cuts.into_iter().chain((0..4).map(|_| random.below(whole.len()))) {
        std::fs::write(path("torn.gdata"), &whole[..cut]).expect("room");
        works(&format!("{PLAY} --games 5 --out @torn.gdata --resume"));
        assert!(std::fs::read(path("torn.gdata")).expect("a file") == whole, "cut at {cut}");
    }
    let longer = made(&format!("{PLAY} --games 7 --out @longer.gdata"), "longer.gdata");
    for games in [7, 5] {
        works(&format!("{PLAY} --games {games} --out @torn.gdata --resume"));
        assert!(std::fs::read(path("torn.gdata")).expect("a file") == longer);
    }
    // Other options, damage: refused, and the file stays as it is.
    let fault = refused(&format!("{PLAY} --games 5 --seed 2 --out @whole.gdata --resume"));
    assert!(fault.contains("has other games, '# garrison selfplay seed 1 "), "{fault}");
    let mut damaged = whole.clone();
    damaged[whole.len() - 9] ^= 16;
    std::fs::write(path("damaged.gdata"), &damaged).expect("room");
    for words in [
        &format!("{PLAY} --games 5 --out @damaged.gdata --resume"),
        "rescore --data @damaged.gdata --nodes 9 --out /dev/null",
        "convert @damaged.gdata /dev/null",
        "tune --data @damaged.gdata --out /dev/null",
    ] {
        let fault = refused(words);
        assert!(fault.ends_with("damaged: the checksum is wrong"), "{fault}");
        assert!(std::fs::read(path("damaged.gdata")).expect("a file") == damaged);
    }
    assert!(refused(&format!("{PLAY} --games 5 --out @whole.gdata")).contains("exists; --resume"));
}

/// Positions of a small game with scores, as text.
fn many(positions: usize) -> String {
    let variant = find("minishogi").expect("a built-in game");
    let mut random = SplitMix::new(2);
    let mut text =
        "# garrison selfplay seed 1 nodes 1 plies 8 hash 1 version 0.1.0 variants minishogi\n"
            .to_string();
    let (mut written, mut game) = (0, 0);
    while written < positions {
        game += 1;
        let _ = writeln!(text, "# game {game}");
        let mut position = Position::start(&variant);
        while position.status().outcome().is_none() && position.fullmove() < 40 {
            let moves = position.legal_moves();
            position.make(moves[random.below(moves.len())]);
            let score = random.below(600) as i32 - 300;
            let _ = writeln!(text, "minishogi|{}|{score}|0.5", position.fen());
            written += 1;
        }
    }
    text
}

#[test]
fn what_does_not_fit_in_memory_is_learned_from_all_the_same() {
    std::fs::create_dir_all(path("tmp")).expect("a folder");
    std::fs::write(path("many.txt"), many(40_000)).expect("room");
    works_once("convert @many.txt @many.gdata", "many.gdata");
    for kind in ["--plain", "--network --hidden 16"] {
        let tuned = |memory: u32, folder: &str| {
            std::fs::create_dir_all(path(folder)).expect("a folder");
            let out = format!("{folder}/w.toml");
            let words =
                format!("tune --data @many.gdata --epochs 1 {kind} --memory {memory} --out @{out}");
            let weights = made(&words, &out);
            (weights, std::fs::read(path(&format!("{folder}/w.nnue"))).unwrap_or_default())
        };
        let large = tuned(1024, "large");
        assert!(large == tuned(1, "small"), "{kind}");
    }
    let left: Vec<_> = std::fs::read_dir(path("")).expect("a folder").flatten().collect();
    assert!(
        left.iter().all(|file| !file.file_name().to_string_lossy().contains(".tmp")),
        "{left:?}"
    );
}

fn works_once(words: &str, name: &str) {
    let _ = std::fs::remove_file(path(name));
    works(words);
}

/// With little memory a fit works, or is refused in one line.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_one_line() {
    std::fs::create_dir_all(path("")).expect("a folder");
    let data = path("little.txt");
    std::fs::write(&data, many(40_000)).expect("room");
    let (mut refused, mut done) = (0, 0);
    for mebibytes in [90, 120, 147, 150, 200, 600] {
        let script = format!(
            "ulimit -v {}; exec '{}' tune --data '{}' --epochs 1 --threads 1 --out /dev/null",
            mebibytes << 10,
            env!("CARGO_BIN_EXE_garrison"),
            data.display()
        );
        let run = Command::new("bash").args(["-c", &script]).output().expect("bash");
        let error = String::from_utf8_lossy(&run.stderr);
        match run.status.code() {
            Some(0) => done += 1,
            Some(2) => {
                assert!(error.lines().count() == 1 && error.contains("no memory"), "{error}");
                refused += 1;
            }
            other => panic!("{mebibytes} MiB: {other:?} {error}"),
        }
    }
    assert!(refused > 0 && done > 0, "{refused} refused, {done} done");
}
