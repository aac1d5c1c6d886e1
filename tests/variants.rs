//! Games of one's own: every example of docs/variants.md is a game, every key is explained there, and what
//! is said of broken definitions.

mod walk;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use garrison::definitions::read_definitions;
use garrison_rules::definition::{Fault, load};
use garrison_rules::{Move, Position, Variant, perft};
use walk::{Random, env_number};

const PROGRAM: &str = env!("CARGO_BIN_EXE_garrison");
const PAGE: &str = include_str!("../docs/variants.md");

fn root(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.current_dir(root("")).args(arguments).output().expect("the program runs")
}

/// Loads a text as a file of its own.
fn load_text(file: &str, text: &str) -> Result<Vec<Arc<Variant>>, Vec<Fault>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("variants");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(file);
    std::fs::write(&path, text).expect("a file");
    read_definitions(&path).and_then(load)
}

/// The blocks of the page that begin with exactly this line.
fn blocks(fence: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if line == fence {
                found.push(text.join("\n") + "\n");
            }
        }
    }
    found
}

/// Plays a game at random; every position must survive being written and read.
fn walk(variant: &Arc<Variant>, plies: usize, random: &mut Random) {
    let mut position = Position::start(variant);
    for _ in 0..plies {
        let fen = position.fen();
        let copy = Position::from_fen(variant, &fen);
        let copy = copy.unwrap_or_else(|error| panic!("{} {fen}: {error}", variant.name()));
        assert_eq!(copy.fen(), fen);
        let moves = position.legal_moves();
        assert_eq!(moves.len() as u64, position.count_legal_moves(), "{} {fen}", variant.name());
        let mut texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        for (text, &mv) in texts.iter().zip(&moves) {
            assert_eq!(position.parse_move(text), Ok(mv), "{} {fen}", variant.name());
        }
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), moves.len(), "two moves are written alike: {fen}");
        let Some(mv) = random.choose(&position) else { break };
        position.make(mv);
    }
}

#[test]
fn every_example_of_the_page_is_a_game() {
    let examples = blocks("```toml");
    assert!(examples.len() >= 25, "only {} examples are found", examples.len());
    let mut random = Random::new(5);
    for text in examples {
        let loaded = load_text("example.toml", &text);
        let variants =
            loaded.unwrap_or_else(|faults| panic!("{text}\n{}", messages(&faults).join("\n")));
        for variant in variants {
            assert!(perft(&mut Position::start(&variant), 2) > 0, "{text}");
            for _ in 0..4 {
                walk(&variant, 150, &mut random);
            }
        }
    }
}

#[test]
fn the_first_game_has_ten_lines() {
    assert_eq!(blocks("```toml")[0].lines().count(), 10);
}

/// The keys of all tables of a definition, from the source that declares them.
fn keys() -> Vec<String> {
    let source = concat!(
        include_str!("../crates/rules/src/variant/definition/mod.rs"),
        include_str!("../crates/rules/src/variant/definition/pieces.rs"),
        include_str!("../crates/rules/src/variant/definition/rules.rs"),
        include_str!("../crates/rules/src/variant/definition/ends.rs"),
    );
    let mut keys: Vec<String> = Vec::new();
    for table in source.split("\ntable! {").skip(1) {
        let table = table.split("\n}\n").next().unwrap_or_default();
        let fields = table.lines().filter_map(|line| line.strip_prefix("        "));
        let fields = fields.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
        keys.extend(fields.filter_map(|line| Some(line.split_once(": ")?.0.to_string())));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[test]
fn every_key_is_explained_and_shown() {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let shown: Vec<String> =
        blocks("```toml").into_iter().chain(blocks("```toml sixfortresses")).collect();
    assert!(keys().len() > 60, "{:?}", keys());
    let mut missing = Vec::new();
    for key in keys() {
        let ways = [
            ("`", "`"),
            (".", "`"),
            ("`", " = "),
            ("[", "]`"),
            (".", "]`"),
            (".", "]]`"),
            ("`", "."),
            ("[", "."),
        ];
        let explained = ways.map(|(before, after)| format!("{before}{key}{after}"));
        if !explained.iter().any(|text| PAGE.contains(text)) {
            missing.push(format!("{key} is not explained"));
        }
        if !shown.iter().any(|text| text.split(|c| !is_word(c)).any(|word| word == key)) {
            missing.push(format!("{key} is in no example"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_walk_through_quotes_the_game() {
    let game = include_str!("../crates/rules/games/sixfortresses.toml");
    let quotes = blocks("```toml sixfortresses");
    assert!(quotes.len() >= 7);
    for quote in quotes {
        assert!(game.contains(&quote), "not in sixfortresses.toml:\n{quote}");
    }
}

/// Games of the world that do not ship with the program: each from its file alone, with the number of leaves
/// that Fairy-Stockfish publishes for it (Shako's counted by it here).
#[test]
fn games_of_others_have_their_published_counts() {
    // Some are differences from others of the folder.
    let files = read_definitions(&root("examples/games")).expect("they can be read");
    let games = load(files.clone()).unwrap_or_else(|faults| panic!("{}", faults[0]));
    let mut count = 0;
    for file in &files {
        let mut words = file.text.split_whitespace().skip(2).map(|word| word.parse::<u64>().ok());
        let (depth, leaves) =
            words.next().flatten().zip(words.next().flatten()).expect("# perft D N");
        let name =
            file.text.lines().find_map(|line| line.strip_prefix("name = \"")).expect("a name");
        let variant = games.iter().find(|game| Some(game.name()) == name.strip_suffix('"'));
        let variant = variant.unwrap_or_else(|| panic!("{}: {name}", file.name));
        let found = perft(&mut Position::start(variant), depth as u32);
        assert_eq!(found, leaves, "{name} depth {depth}");
        walk(variant, 100, &mut Random::new(count));
        count += 1;
    }
    assert!(count > 15, "{count}");
}

/// The games that `bench/learn/run` lets the program learn.
#[test]
fn games_to_be_learned_are_right() {
    let games = read_definitions(&root("bench/learn")).and_then(load).expect("they are right");
    assert_eq!(games.len(), 3);
    for game in &games {
        walk(game, 100, &mut Random::new(1));
    }
}

/// What cannot be seen in leaf counts: a game of its own for each rule.
#[test]
fn rules_of_games_of_others() {
    let others = read_definitions(&root("examples/games")).and_then(load).expect("they are right");
    for (name, fen, moves, status) in [
        ("three-check", "4k3/8/8/8/8/8/3Q4/4K3 w - - 1+3 0 1", "d2e2", "white wins (checks)"),
        ("three-check", "4k3/8/8/8/8/8/3Q4/4K3 w - - 2+3 0 1", "d2e2", "ongoing"),
        (
            "three-check",
            "4k3/8/8/8/8/8/3Q4/4K3 w - - 2+3 0 1",
            "d2e2 e8d8 e2d3",
            "white wins (checks)",
        ),
        ("dobutsu", "3/L2/2l/3[] w - - 0 1", "a3a4", "white wins (goal reached)"),
        ("dobutsu", "2g/L2/2l/3[] w - - 0 1", "a3b4", "ongoing"),
        ("dobutsu", "2g/L2/2l/3[] w - - 0 1", "a3b4 c4b4", "black wins (king captured)"),
        // It stands there, attacked, and wins only once nothing attacks it.
        ("dobutsu", "2g/L2/2l/3[] w - - 0 1", "a3b4 c2c3", "ongoing"),
        ("dobutsu", "2g/L2/2l/3[] w - - 0 1", "a3b4 c4c3", "white wins (goal reached)"),
        ("racingkings", "8/K6k/8/8/8/8/8/8 w - - 0 1", "a7a8", "ongoing"),
        ("racingkings", "8/K6k/8/8/8/8/8/8 w - - 0 1", "a7a8 h7h8", "draw (goal reached)"),
        ("racingkings", "8/K6k/8/8/8/8/8/8 w - - 0 1", "a7a8 h7h6", "white wins (goal reached)"),
        ("racingkings", "8/K6k/8/8/8/8/8/8 w - - 0 1", "a7a6 h7h8", "black wins (goal reached)"),
    ] {
        let variant = others.iter().find(|variant| variant.name() == name).expect("a game");
        let mut position =
            Position::from_fen(variant, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        for mv in moves.split(' ') {
            position.play(mv).unwrap_or_else(|e| panic!("{fen}: {e}"));
        }
        assert_eq!(position.status().to_string(), status, "{name} {fen} {moves}");
        let copy = Position::from_fen(variant, &position.fen());
        if status == "ongoing" {
            assert_eq!(copy.expect("a position").fen(), position.fen());
        }
    }
    let variant = others.iter().find(|variant| variant.name() == "three-check").expect("a game");
    for wrong in ["4+3", "3", "+", "3+3+3", "x+y"] {
        let fen = format!("4k3/8/8/8/8/8/3Q4/4K3 w - - {wrong} 0 1");
        let fault = Position::from_fen(variant, &fen).expect_err(wrong).to_string();
        assert!(fault.starts_with("FEN field 'checks'"), "{fault}");
    }
}

/// Whoever chooses an array leaves no king attacked; a position in which one is has no place before the choice.
#[test]
fn arrays_leave_no_king_in_check() {
    let text = "name = 'rook-arrays'\nbase = 'chess'\ncastling = []\n\
                start = 'r3k3/8/8/8/8/8/8/R3K3 w Ss - 0 1'\n\
                [setup]\nrank = 1\narrays = ['R3K3', 'K3R3', '4K2R']\n";
    let games = load_text("rook-arrays.toml", text).expect("a game");
    let mut position = Position::start(&games[0]);
    let rows = |position: &Position| {
        let after = |mv: &Move| {
            let mut after = position.clone();
            after.make(*mv);
            after.fen()
        };
        position.legal_moves().iter().map(after).collect::<Vec<_>>()
    };
    // The rook on e1 would attack the king on e8.
    assert_eq!(
        rows(&position),
        ["r3k3/8/8/8/8/8/8/4K2R b s - 0 1", "r3k3/8/8/8/8/8/8/R3K3 b s - 0 1"]
    );
    position.make(position.setup_as_is());
    assert_eq!(rows(&position).len(), 2);
    let refused = Position::from_fen(&games[0], "4r1k1/8/8/8/8/8/8/R3K3 w Ss - 0 1");
    let error = refused.expect_err("the king on e1 is attacked").to_string();
    assert!(
        error.ends_with("the king of White is attacked before the arrays are chosen"),
        "{error}"
    );
}

/// Other names of one's own game work as its name does, and pieces are placed one by one, kings too.
#[test]
fn other_names_and_kings_in_hand() {
    let text = "name = 'slow-start'\naliases = ['late = slow-start']\nbase = 'makruk'\n\
                start = '8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KRkr] w - - 0 1'\nhand = 'KR'\nmust_drop = 'KR'\n\
                pieces.K.drop.region = 'ranks1-3'\npieces.R.drop.region = 'ranks1-3'\n";
    assert!(load_text("late.toml", text).is_ok());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("variants/late.toml");
    let done = run(&["perft", "--variants", &path.to_string_lossy(), "--variant", "late", "3"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let variant = load_text("late.toml", text).expect("a game").remove(0);
    let mut position = Position::start(&variant);
    for mv in ["R@e1", "R@e8", "K@d1"] {
        position.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(position.play("K@e7").is_ok(), "behind the own rook");
    let twice = load_text("late.toml", &text.replace("late = slow", "chess = slow"));
    assert!(messages(&twice.expect_err("taken"))[0].contains("'chess' is a game that ships"));
}

fn messages(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(|fault| fault.error.to_string()).collect()
}

/// The broken definitions and what is expected of each, from its own comments.
fn broken() -> Vec<(PathBuf, Vec<String>)> {
    let folder = root("tests/definitions/broken");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let expected = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a text");
        let lines = text.lines().filter_map(|line| line.strip_prefix("# expect: "));
        lines.map(str::to_string).collect()
    };
    paths.iter().map(|path| (path.clone(), expected(path))).collect()
}

#[test]
fn every_broken_definition_gets_its_messages() {
    let all = broken();
    assert!(all.len() >= 50, "{}", all.len());
    let mut wrong = Vec::new();
    for (path, expected) in all {
        let found = read_definitions(&path)
            .and_then(load)
            .err()
            .map(|faults| messages(&faults))
            .unwrap_or_default();
        if found != expected || expected.is_empty() {
            wrong.push(format!("{}\n{}", path.display(), found.join("\n")));
        }
        assert!(found.iter().all(|line| line.lines().count() == 1), "{found:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_folder_of_broken_games_alone_is_refused() {
    let done =
        run(&["perft", "--variants", "tests/definitions/broken", "--variant", "broken", "1"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(done.stdout.is_empty());
}

#[test]
fn a_broken_game_is_left_out_of_its_folder_with_those_based_on_it() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("variants/mixed");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in [
        ("a-broken.toml", "name = 'broken-one'\nbase = 'chess'\npass = 'often'"),
        ("b-based.toml", "name = 'based-on-it'\nbase = 'broken-one'"),
        ("c-sound.toml", "name = 'sound'\nbase = 'chess'\npass = true"),
        ("d-not-text.toml", "name = 'not-toml"),
    ] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let folder = folder.to_string_lossy();
    let perft = |name: &str| run(&["perft", "--variants", &folder, "--variant", name, "1"]);
    let done = perft("sound");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}");
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines.len(), 3, "{errors}");
    for (line, file) in lines.iter().zip(["a-broken", "d-not-text", "b-based"]) {
        assert!(line.starts_with("garrison: left out: ") && line.contains(file), "{line}");
    }
    for name in ["broken-one", "based-on-it"] {
        assert_eq!(perft(name).status.code(), Some(2), "{name}");
    }
    // Checking them is another matter.
    assert_eq!(run(&["variants", "check", &folder]).status.code(), Some(2));
}

#[test]
fn a_file_is_a_game_in_every_command() {
    let text = &blocks("```toml")[0];
    assert!(load_text("hook.toml", text).is_ok());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("variants/hook.toml");
    let path = path.to_string_lossy();
    let done = run(&["variants", "check", &path]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for arguments in [
        &["perft", "--variant", "hook", "3"][..],
        &["analyze", "--variant", "hook", "--depth", "4"],
        &["variants", "show", "hook"],
        &[
            "match",
            "--variant",
            "hook",
            "--games",
            "2",
            "--engine",
            "nodes=50",
            "--engine",
            "nodes=60",
        ],
    ] {
        let done = run(&[arguments, &["--variants", &path]].concat());
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        let before = run(arguments);
        assert_eq!(before.status.code(), Some(2), "{arguments:?} without the file");
    }
}

/// Definitions of the shipped games with some characters changed: read or refused, never a panic,
/// every fault with a place in the text.
#[test]
fn damaged_definitions_are_read_or_refused() {
    let folders = ["crates/rules/games/reference", "examples/games"].map(root);
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut paths: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut random = Random::new(env_number("GARRISON_SEED", 17));
    let rounds = env_number("GARRISON_PLIES", 300);
    let mut refused = 0;
    for _ in 0..rounds {
        let path = random.pick(&paths).expect("there are games");
        let text = std::fs::read_to_string(path).expect("a text");
        let mut text = text.replacen("name = \"", "name = \"own-", 1);
        for _ in 0..=random.below(3) {
            text = random.damage(&text);
        }
        let lines = text.lines().count();
        match load_text("damaged.toml", &text) {
            Ok(variants) => variants.iter().for_each(|variant| walk(variant, 20, &mut random)),
            Err(faults) => {
                refused += 1;
                assert!(!faults.is_empty());
                for fault in faults {
                    assert!(fault.error.line <= lines.max(1), "{fault}\n{text}");
                    assert_eq!(fault.to_string().lines().count(), 1, "{fault}");
                }
            }
        }
    }
    assert!(refused > rounds / 10, "only {refused} of {rounds} were refused");
}
