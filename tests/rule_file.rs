//! Rule files of Fairy-Stockfish as definitions: leaf counts beside those of pyffish, what cannot be said, and what is
//! said of wrong files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use garrison::rule_file::{Imported, read};
use garrison_rules::definition::Definition;
use garrison_rules::{Color, Position, Variant, find, perft};

const GAMES: &str = include_str!("rule_file/games.ini");

fn games(text: &str) -> Vec<Imported> {
    read(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn leaves(game: &Imported, depths: u32) -> Vec<u64> {
    let variant = Variant::compile(&game.definition, None);
    let variant = variant.unwrap_or_else(|faults| panic!("{}: {faults:?}", game.name));
    let mut position = Position::start(&variant);
    (1..=depths).map(|depth| perft(&mut position, depth)).collect()
}

/// The counts and the lines without words in the comments above each game.
fn expected() -> Vec<(Vec<u64>, Vec<String>)> {
    let mut found = Vec::new();
    for line in GAMES.lines() {
        if let Some(counts) = line.strip_prefix("# perft ") {
            let counts = counts.split(' ').map(|count| count.parse().expect(line)).collect();
            found.push((counts, Vec::new()));
        }
        if let (Some(text), Some(last)) = (line.strip_prefix("# unsaid "), found.last_mut()) {
            last.1.push(text.to_string());
        }
    }
    found
}

#[test]
fn every_game_has_the_moves_that_it_has_there() {
    let games = games(GAMES);
    let expected = expected();
    assert_eq!(games.len(), expected.len());
    for (game, (counts, unsaid)) in games.iter().zip(expected) {
        assert_eq!(game.unsaid, unsaid, "{}", game.name);
        // What is not said may have moves of its own.
        if unsaid.is_empty() {
            assert_eq!(leaves(game, counts.len() as u32), counts, "{}", game.name);
        }
    }
}

/// A definition that was written is read as the same definition.
#[test]
fn the_text_of_a_game_says_all_of_it() {
    for game in games(GAMES) {
        let read = Definition::parse(&game.text()).unwrap_or_else(|faults| panic!("{faults:?}"));
        assert_eq!(read, game.definition, "{}", game.name);
    }
}

/// The games from which others begin are those that ship with Garrison.
#[test]
fn bases_are_the_games_of_that_name() {
    for (name, twin) in [
        ("chess", "chess"),
        ("capablanca", "capablanca"),
        ("grand", "grand"),
        ("shatranj", "shatranj"),
        ("crazyhouse", "crazyhouse"),
        ("minishogi", "minishogi"),
        ("shogi", "shogi"),
        ("makruk", "makruk"),
        ("xiangqi", "xiangqi"),
        ("janggi", "janggi"),
    ] {
        let game = &games(&format!("[copy:{name}]\n"))[0];
        let mut position = Position::start(&find(twin).expect("a game that ships"));
        let own: Vec<u64> = (1..=3).map(|depth| perft(&mut position, depth)).collect();
        assert_eq!(leaves(game, 3), own, "{name}");
    }
}

/// The chases of each piece in a game, by letters.
fn chases(variant: &Variant) -> Vec<String> {
    let rule = variant.chase().expect("it has chases");
    let letter = |kind| variant.piece(kind).letter.to_string();
    let mut lines: Vec<String> = variant
        .kinds()
        .map(|kind| {
            let mut strong: Vec<String> = rule.even_protected(kind).map(letter).collect();
            strong.sort();
            let spared = Color::ALL.map(|color| rule.spared(color, kind));
            format!("{} {} {strong:?} {spared:?}", letter(kind), rule.chasers.contains(kind))
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn what_is_a_chase_is_one_in_the_game_that_ships() {
    let game = &games("[copy:xiangqi]\n")[0];
    let own = Variant::compile(&game.definition, None).expect("a game");
    assert_eq!(game.unsaid, [""; 0]);
    assert_eq!(chases(&own), chases(&find("xiangqi").expect("a game that ships")));
    let janggi = &games("[copy:janggi]\n")[0];
    assert_eq!(Variant::compile(&janggi.definition, None).expect("a game").chase().map(drop), None);
}

#[test]
fn all_faults_of_a_file_are_reported_with_their_lines() {
    for (text, faults) in [
        (
            "",
            &[
                "line 1: there is no game here; a game begins with its name in brackets, [name] or [name:base]",
            ][..],
        ),
        (
            "pawn = p\n",
            &[
                "line 1: 'pawn' stands before the first game; a game begins with its name in brackets, [name]",
            ],
        ),
        ("[a", &["line 1: [a: the closing bracket is missing; expected is [name] or [name:base]"]),
        ("[a:]", &["line 1: [a:]: expected is [name] or [name:base]"]),
        (
            "[a:ches]",
            &[
                "line 1: [a:ches]: 'ches' is neither a game above nor one that is known here; the nearest is 'chess'",
            ],
        ),
        ("[a:chess]\n[a:chess]", &["line 2: [a]: there is a game of this name in line 1"]),
        (
            "[a:chess]\nmaxRank 9",
            &["line 2: 'maxRank 9': expected is a key and its value: key = value"],
        ),
        (
            "[a:chess]\nmaxRank = nine",
            &["line 2: maxRank: 'nine': expected is a number, or a letter for a file"],
        ),
        ("[a:chess]\ncastling = yes", &["line 2: castling: 'yes': expected is true or false"]),
        (
            "[a:chess]\nstalemateValue = lost",
            &["line 2: stalemateValue: 'lost': expected is one of the words win, loss, draw, none"],
        ),
        (
            "[a:chess]\nflagRegion = 44",
            &[
                "line 2: flagRegion: '44': expected are squares such as e4, *4 for a rank, e* for a file, or -",
            ],
        ),
        (
            "[a:chess]\npromotionPieceTypes = qx",
            &["line 2: promotionPieceTypes: there is no piece 'x' (there are pnbrqk)"],
        ),
        (
            "[a:chess]\npromotedPieceType = p",
            &["line 2: promotedPieceType: 'p': expected are pairs such as p:g b:h"],
        ),
        (
            "[a:chess]\npromotionLimit = q:many",
            &["line 2: promotionLimit: 'many': expected is a number"],
        ),
        (
            "[a:chess]\ncustomPiece1 = c",
            &["line 2: customPiece1: 'c': expected is a letter with the moves, such as p:mfWcfF"],
        ),
        (
            "[a:chess]\ncannon = 7",
            &["line 2: cannon: '7': expected is a letter, or - for no such piece"],
        ),
        (
            "[a:chess]\nmustDrop = 1\ncastling = 2",
            &[
                "line 3: castling: '2': expected is true or false",
                "line 2: mustDrop: '1': expected is true or false",
            ],
        ),
    ] {
        let found = read(text).expect_err(text);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, faults, "{text}");
    }
}

/// Keys that no rule file has, and moves that no definition has, go into the comments.
#[test]
fn what_cannot_be_said_is_a_comment() {
    let game = &games("[a:chess]\ncastlng = false\ncustomPiece1 = n:hlN\n")[0];
    assert_eq!(
        game.unsaid,
        [
            "castlng = false (no key of rule files; the nearest is castling)",
            "customPiece1 = n:hlN ('hlN': halves of directions)"
        ]
    );
    assert!(game.text().starts_with("# not said: castlng = false"), "{}", game.text());
}

fn import(words: &[&str]) -> Output {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rule_file/games.ini");
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.args(["variants", "import"]).arg(file).args(words);
    command.output().expect("it runs")
}

#[test]
fn a_game_is_printed_or_all_are_written() {
    let printed = import(&["--name", "run-home"]);
    assert!(printed.status.success());
    let text = String::from_utf8(printed.stdout).expect("text");
    assert!(text.starts_with("name = \"run-home\"\n"), "{text}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("imported");
    let written = import(&["--out", &folder.to_string_lossy()]);
    assert!(written.status.success());
    let text = String::from_utf8(written.stdout).expect("text");
    assert!(text.ends_with("\n30 games written, 0 not\n"), "{text}");
    let mut check = Command::new(env!("CARGO_BIN_EXE_garrison"));
    let check = check.args(["variants", "check"]).arg(&folder).output().expect("it runs");
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

#[test]
fn a_game_that_is_not_there_is_refused() {
    for (words, fault) in [
        (&["--name", "run-hom"][..], "has no such game; the nearest is 'run-home'"),
        (&[], "has 30 games; choose one with --name, or a folder for all with --out"),
    ] {
        let refused = import(words);
        assert_eq!(refused.status.code(), Some(2));
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(text.trim_end().ends_with(fault), "{text}");
    }
}
