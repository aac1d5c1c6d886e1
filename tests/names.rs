//! Names of games: found in every spelling wherever a game is named, and refused everywhere with one text.

mod talk;

use std::path::{Path, PathBuf};

use talk::{Done, run};

/// Ways in which a title or name may be written.
const SPELLINGS: [(&str, &str); 9] = [
    ("SHORANJI", "shoranji"),
    ("Six Fortresses", "sixfortresses"),
    ("SixFortresses", "sixfortresses"),
    ("six-fortresses_short", "sixfortresses-short"),
    ("Šōgantšī", "shoogantshii"),
    ("Shogi of Chesstonia", "chesstonia"),
    ("Chess", "chess"),
    ("swda OO", "swda-oo"),
    ("SWDA", "swda-oo"),
];

/// An unknown name, and what is said of it.
const UNKNOWN: [(&str, &str); 3] = [
    ("Xianqi", "no variant 'Xianqi'; did you mean xiangqi?"),
    ("ches", "no variant 'ches'; did you mean chess or chesstonia?"),
    ("checkers", "no variant 'checkers'; 'variants' lists them"),
];

/// A game with another name and a title.
const OWN: &str = "name = 'slow-start'\naliases = ['late-rooks = slow-start']\ntitle = 'Späte Türme'\nbase = 'Makruk'\n";

fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// What the program prints on standard output, if it succeeds.
fn printed(arguments: &[&str], input: &str) -> String {
    let Done { code, out, err } = run(arguments, input.as_bytes());
    assert_eq!(code, Some(0), "{arguments:?} {input}: {err}");
    out
}

#[test]
fn every_protocol_finds_all_spellings_and_prints_the_name() {
    for (spelling, name) in SPELLINGS {
        let line = format!("info string variant {name} files ");
        for ask in [
            format!("setoption name UCI_Variant value {spelling}\n"),
            format!("variant {spelling}\n"),
            format!("usi\nsetoption name USI_Variant value {spelling}\n"),
            format!("usi\nvariant {spelling}\n"),
        ] {
            let out = printed(&[], &ask);
            assert!(out.lines().any(|out| out.starts_with(&line)), "{ask}: {out}");
        }
        let setups = [spelling, name].map(|name| {
            let out = printed(&[], &format!("xboard\nprotover 2\nvariant {name}\nd\n"));
            let after = out.split_once("feature done=1").expect("features").1;
            after.to_string()
        });
        assert_eq!(setups[0], setups[1], "{spelling}");
    }
}

#[test]
fn commands_find_all_spellings() {
    for (spelling, name) in SPELLINGS {
        let shown = printed(&["variants", "show", spelling], "");
        // What `swda` is are all armies, not only the match-up that it plays.
        let shown_name = if spelling == "SWDA" { "swda" } else { name };
        let title = shown.lines().next().unwrap_or_default();
        assert!(title.ends_with(&format!("({shown_name})")), "{title}");
        let [own, other] = [name, spelling].map(|name| {
            let out = printed(&["perft", "--variant", name, "1", "--divide"], "");
            out.lines().filter(|line| !line.starts_with("Time")).collect::<Vec<_>>().join("\n")
        });
        assert_eq!(own, other);
        let game = format!("[Variant \"{spelling}\"]\n\n*\n");
        let pgn = file(&format!("{name}.pgn"), &game);
        let out = printed(&["analyze", "--pgn", &pgn.to_string_lossy(), "--depth", "1"], "");
        assert!(out.contains(&format!("[Variant \"{name}\"]")), "{out}");
    }
    // A line of openings and a list of games.
    let start = "twf1t1fwt/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/TWF1T1FWT[] w Ss - 0 1";
    let openings = file("lines.epd", &format!("Six Fortresses; {start}\n"));
    let openings = openings.to_string_lossy();
    let words =
        "match --games 2 --nodes 20 --max-plies 4 --variant Chess,SIX_FORTRESSES --openings";
    let words: Vec<&str> = words.split(' ').chain([openings.as_ref()]).collect();
    let Done { out, err, .. } = run(&words, b"");
    assert!(!err.contains("no variant"), "{out}{err}");
}

#[test]
fn an_unknown_name_gets_the_same_text_everywhere() {
    for (name, text) in UNKNOWN {
        for (input, line) in [
            (format!("variant {name}\n"), format!("info string error: {text}")),
            (
                format!("setoption name UCI_Variant value {name}\n"),
                format!("info string error: {text}"),
            ),
            (
                format!("usi\nsetoption name USI_Variant value {name}\n"),
                format!("info string error: {text}"),
            ),
            (format!("xboard\nvariant {name}\n"), format!("Error ({text}): variant {name}")),
        ] {
            let out = printed(&[], &input);
            assert!(out.lines().any(|out| out == line), "{input}: {out}");
        }
        for arguments in [
            &["perft", "--variant", name, "1"][..],
            &["variants", "show", name],
            &["analyze", "--variant", name, "--depth", "1"],
            &["play", "--variant", name],
            &["openings", "--variant", name],
            &["match", "--variant", name],
            &["xboard", "--variant", name, "--print"],
            &["tune", "--show", name],
        ] {
            let Done { code, out, err } = run(arguments, b"");
            assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
            let hint = " (--variants FILE adds a game of your own)";
            assert_eq!(err, format!("garrison: {text}{hint}\n"), "{arguments:?}");
        }
        let pgn = file("unknown.pgn", &format!("[Variant \"{name}\"]\n\n*\n"));
        let done = run(&["analyze", "--pgn", &pgn.to_string_lossy(), "--depth", "1"], b"");
        assert!(done.err.contains(text), "{}", done.err);
    }
}

/// A user's game is found by name, other name and title, in all spellings, however it was added.
#[test]
fn own_games_have_their_other_names_by_both_ways() {
    let path = file("own.toml", OWN);
    let path = path.to_string_lossy();
    for name in
        ["slow-start", "SlowStart", "late-rooks", "Late Rooks", "Späte Türme", "SPATE-TURME"]
    {
        let line = "info string variant slow-start files 8 ranks 8 ";
        let by_command = printed(&["--variants", &path], &format!("variant {name}\n"));
        let input = format!("setoption name VariantPath value {path}\nvariant {name}\n");
        for out in [by_command, printed(&[], &input)] {
            assert!(out.lines().any(|out| out.starts_with(line)), "{name}: {out}");
        }
        printed(&["perft", "--variants", &path, "--variant", name, "1"], "");
    }
    // What was set before is gone, and a game of `VariantPath` goes before one of `--variants`.
    let other = file("other.toml", &OWN.replace("Makruk", "xiangqi"));
    let ask = format!("setoption name VariantPath value {}\nvariant Late Rooks\n", other.display());
    let ask = ask + "setoption name VariantPath value <empty>\nvariant late-rooks\n";
    let out = printed(&["--variants", &path], &ask);
    let boards: Vec<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("info string variant slow-start "))
        .collect();
    assert!(boards[0].starts_with("files 9 ranks 10") && boards[1].starts_with("files 8 ranks 8"));
    // A misspelled name of one's own is recognized as well.
    let out = printed(&["--variants", &path], "variant slow-strat\n");
    assert!(out.contains("no variant 'slow-strat'; did you mean slow-start?"), "{out}");
}
