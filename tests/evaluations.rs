//! The evaluation that a game's definition names: it is used wherever no other is asked for, and its faults are those of
//! the definition.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A game on a small board; the line stands at its end.
fn definition(line: &str) -> String {
    format!(
        r#"name = "hooked"
board = {{ files = 5, ranks = 6 }}
start = "rnkbr/ppppp/5/5/PPPPP/RNKBR w - - 0 1"
royalty = {{ piece = "K" }}
{line}
[pieces]
K = {{ betza = "K" }}
R = {{ betza = "R" }}
N = {{ betza = "N" }}
B = {{ betza = "B" }}
P = {{ betza = "mfWcfF", promotion = {{ zone = "last", to = "R", forced = "last" }} }}
"#
    )
}

/// An empty folder that cargo provides for this test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evaluations").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn run(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.current_dir(folder).args(words.split_whitespace()).output().expect("the program runs")
}

fn printed(folder: &Path, words: &str) -> String {
    let done = run(folder, words);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

const WEIGHTS: &str = "[profile]\nplies = 33\n\n['N']\nvalue = { mg = [777], eg = [777] }\n";

#[test]
fn the_evaluation_that_a_definition_names_is_used() {
    let at = folder("used");
    write(&at, "games/hooked.toml", &definition(""));
    let show = "tune --show hooked --variants games/hooked.toml";
    let plain = printed(&at, show);
    assert!(!plain.contains(" 792 ") && plain.contains("110 plies"), "{plain}");
    write(&at, "games/learned/eval.toml", WEIGHTS);
    // A file, the folder around it, and a path that begins elsewhere.
    let absolute = at.join("games/learned").display().to_string();
    for named in ["learned/eval.toml", "learned", absolute.as_str()] {
        write(&at, "games/hooked.toml", &definition(&format!("evaluation = '{named}'")));
        for definitions in ["games/hooked.toml", "games"] {
            let own = printed(&at, &format!("tune --show hooked --variants {definitions}"));
            assert!(own.contains(" 792 ") && own.contains("33 plies"), "{own}");
        }
        let checked = printed(&at, "variants check games/hooked.toml");
        assert!(checked.contains("hooked is right"), "{checked}");
    }
    // In a session as well, by VariantPath, and EvalFile takes a folder too.
    let eval = |lines: &str| {
        let fen = "4k/5/5/5/5/K1N2 w - - 0 1";
        let lines = format!("{lines}position fen {fen}\neval\nquit\n");
        write(&at, "lines", &lines);
        let input = fs::File::open(at.join("lines")).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
        let done = command.current_dir(&at).stdin(input).output().expect("it runs");
        let text = String::from_utf8(done.stdout).expect("UTF-8");
        text.lines().find(|line| line.contains("Evaluation")).expect("an evaluation").to_string()
    };
    let named = eval(
        "setoption name VariantPath value games/hooked.toml\nsetoption name UCI_Variant value hooked\n",
    );
    write(&at, "games/hooked.toml", &definition(""));
    let plain = "setoption name VariantPath value games/hooked.toml\nsetoption name UCI_Variant value hooked\n";
    let given = format!("{plain}setoption name EvalFile value games/learned\n");
    assert_eq!(eval(&given), named);
    assert_ne!(eval(plain), named);
}

#[test]
fn a_game_does_not_inherit_the_evaluation_of_its_base() {
    let at = folder("base");
    write(&at, "learned/eval.toml", WEIGHTS);
    write(&at, "hooked.toml", &definition("evaluation = 'learned'"));
    write(&at, "other.toml", "name = 'unhooked'\nbase = 'hooked'\npieces.N.betza = 'C'\n");
    let other = printed(&at, "tune --show unhooked --variants .");
    assert!(!other.contains(" 792 "), "{other}");
}

#[test]
fn faults_of_the_evaluation_are_faults_of_the_definition() {
    let at = folder("faults");
    write(&at, "hooked.toml", &definition("evaluation = 'learned'"));
    let place = "garrison: hooked.toml: line 5, column 14: evaluation = \"learned\": 'learned': ";
    let place = place.replace('"', "'");
    let commands = [
        "variants check hooked.toml",
        "variants --variants hooked.toml",
        "perft --variants hooked.toml --variant hooked 1",
    ];
    let faults = |expected: &str| {
        for words in commands {
            let done = run(&at, words);
            let error = String::from_utf8(done.stderr).expect("UTF-8");
            assert_eq!(done.status.code(), Some(2), "{words}");
            assert!(error.starts_with(&place) && error.contains(expected), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    };
    faults("No such file");
    write(&at, "learned/eval.toml", "['X']\nvalue = { mg = [1], eg = [1] }\n");
    faults("'X.value' is no term of hooked");
    write(&at, "learned/eval.toml", "network = 'eval.nnue'\n");
    faults("network 'eval.nnue'");
    write(&at, "learned/eval.toml", "nonsense");
    faults("not TOML");
}

#[test]
fn weights_beside_definitions_are_neither_games_nor_overwrite_them() {
    let at = folder("beside");
    write(&at, "hooked.toml", &definition(""));
    let show = "tune --show hooked --variants hooked.toml --out";
    let refused = run(&at, &format!("{show} hooked.toml"));
    assert_eq!(refused.status.code(), Some(2));
    let line = String::from_utf8_lossy(&refused.stderr);
    assert!(line.contains("'hooked.toml': exists and holds no evaluation"), "{line}");
    assert_eq!(fs::read_to_string(at.join("hooked.toml")).expect("a file"), definition(""));
    printed(&at, &format!("{show} weights.toml"));
    // Weights may take the place of weights.
    printed(&at, &format!("{show} weights.toml"));
    assert!(printed(&at, "variants check .").contains("hooked is right"));
    let line = run(&at, "variants check weights.toml").stderr;
    let line = String::from_utf8_lossy(&line);
    assert!(line.contains("holds evaluation weights, not the definition of a game"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}

#[test]
fn a_match_refuses_an_evaluation_for_another_game() {
    let at = folder("other");
    printed(&at, "tune --show shogi --out shogi.toml");
    let done = run(
        &at,
        "match --variant shogi,chess --nodes 10 --games 2 --engine option.EvalFile=shogi.toml",
    );
    let line = String::from_utf8_lossy(&done.stderr);
    assert_eq!((done.status.code(), done.stdout.is_empty()), (Some(2), true), "{line}");
    assert!(line.contains("chess: EvalFile") && line.lines().count() == 1, "{line}");
}
