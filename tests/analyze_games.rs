//! `garrison analyze --pgn`: games are annotated, faulty ones reported, players judged, graphs drawn.

mod talk;

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Child;

use garrison::record::{GameRecord, pgn};
use garrison_rules::GameResult;
use serde_json::Value;
use talk::{Done, run, spawn};

/// A file in a folder of its own test, which is empty at first.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyze_games").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn file(folder: &std::path::Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a name").to_string()
}

fn analyze(arguments: &[&str], input: &str) -> Done {
    let arguments = [&["analyze", "--nodes", "200"], arguments].concat();
    run(&arguments, input.as_bytes())
}

/// The standard output of a run that works.
fn works(arguments: &[&str], input: &str) -> String {
    let done = analyze(arguments, input);
    assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.err);
    done.out
}

fn games(text: &str) -> Vec<GameRecord> {
    pgn::read(text).into_iter().map(|game| game.expect("a game")).collect()
}

fn text(path: &str) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// A game in which White lets his rook be taken, with what somebody said of it.
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Variant \"swda-oo\"]\n[Result \"*\"]\n\n\
    1. Nc3 $1 {to the front} Nc6 2. Nd5 e6 3. a3 exd5 *\n";

#[test]
fn games_are_annotated_and_read_back() {
    let folder = folder("annotated");
    let from =
        file(&folder, "plain.pgn", format!("{GAME}\n[Variant \"shoranji\"]\n\n1. e4 e6 *\n"));
    let to = file(&folder, "annotated.pgn", "");
    let svg = folder.join("graph.svg").to_string_lossy().into_owned();
    let args = ["analyze", "--pgn", &from, "--nodes", "3000", "--threads", "2"];
    let shown = run(&args, b"").out;
    let report = run(&[&args[..], &["--out", &to, "--svg", &svg]].concat(), b"").out;
    let written = text(&to);
    assert_eq!(shown, written, "threads and runs make no difference");
    assert!(report.starts_with("player "), "{report}");
    let [first, second] = games(&written).try_into().expect("two games");
    assert_eq!((first.plies.len(), second.plies.len()), (6, 4));
    assert!(first.tag("Annotator").is_some_and(|name| name.starts_with("Garrison ")));
    for ply in first.plies.iter().chain(&second.plies) {
        let comment = ply.comment.as_deref().expect("a comment");
        assert!(comment.contains("[%eval ") && comment.contains("] best "), "{comment}");
    }
    let comment = |index: usize| first.plies[index].comment.as_deref().expect("a comment");
    assert!(comment(0).starts_with("to the front [%eval "), "{}", comment(0));
    assert!(!first.plies[0].nags.contains(&1), "the program has its own opinion");
    // 3. a3 leaves the knight where a pawn takes it; taking it is right.
    assert!([4, 2].contains(&first.plies[4].nags[0]), "{:?}", first.plies[4]);
    assert!(first.plies[5].nags.is_empty(), "{:?}", first.plies[5]);
    for (name, title) in [("graph.svg", "A – B, swda-oo, *"), ("graph-2.svg", "shoranji")] {
        let drawn = std::fs::read_to_string(folder.join(name)).expect("drawn");
        assert!(drawn.starts_with("<svg") && drawn.contains(title), "{drawn}");
    }
    // A second analysis replaces the first.
    assert_eq!(run(&["analyze", "--pgn", &to, "--nodes", "3000"], b"").out, written);
}

#[test]
fn the_annotated_games_of_the_repository_read_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/games");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        found += 1;
        let text = std::fs::read_to_string(&path).expect("a file");
        let [game] = games(&text).try_into().expect("one game");
        assert_eq!(game.to_pgn(), text, "{path:?}");
        let name = path.file_stem().expect("a name").to_string_lossy();
        assert_eq!(game.tag("Variant"), Some(name.as_ref()));
        assert_eq!(GameResult::from(game.end().status()), game.result, "{path:?}");
        assert_ne!(game.result, GameResult::Unknown, "{path:?}");
        let has_score = |comment: &Option<String>| {
            comment.as_deref().is_some_and(|comment| comment.contains("[%eval "))
        };
        assert!(game.plies.iter().all(|ply| has_score(&ply.comment)), "{path:?}");
        let svg = std::fs::read_to_string(path.with_extension("svg")).expect("a graph");
        assert!(svg.starts_with("<svg "), "{path:?}");
    }
    assert_eq!(found, 7);
}

#[test]
fn a_faulty_variation_is_reported_and_its_game_analyzed() {
    let folder = folder("variation");
    let input = "[Variant \"chess\"]\n\n1. e4 e5 *\n\n[Variant \"chess\"]\n\n\
                 1. e4 (1. d4 d5 {so far} 2. Bf5 e6) e5\n2. Nf3 Nc6 (2... Nf6 (2... d6 3. d9) 3. d3) *\n";
    let (from, to) = (file(&folder, "in.pgn", input), file(&folder, "out.pgn", ""));
    let done = analyze(&["--pgn", &from, "--out", &to], "");
    // No game is skipped.
    assert_eq!(done.code, Some(0));
    let errors: Vec<&str> = done.err.lines().collect();
    let [first, second] = errors[..] else { panic!("{errors:?}") };
    assert_eq!(
        first,
        format!(
            "garrison: '{from}': game 2, line 7: in a variation of 1. e4: move 2 of White: illegal move 'Bf5': \
             no bishop of White can go to f5; its rest is left out"
        )
    );
    let place = format!("garrison: '{from}': game 2, line 8: in a variation of 2... Nf6: ");
    assert!(second.starts_with(&format!("{place}move 3 of White: 'd9' is no move")), "{second}");
    // What is right is written, and comes in again without a fault.
    let again = pgn::read_all(&text(&to), &pgn::Fallback::default());
    let [Ok(plain), Ok(varied)] = again.as_slice() else { panic!("{again:?}") };
    assert!(plain.faults.is_empty() && varied.faults.is_empty());
    let plies = &varied.record.plies;
    let lengths = |index: usize| {
        let lines = plies[index].variations.iter();
        lines.map(|line| line.plies.len()).collect::<Vec<_>>()
    };
    assert_eq!((plies.len(), lengths(0), lengths(3)), (4, vec![2], vec![2]));
    assert_eq!(plies[3].variations[0].plies[0].variations[0].plies.len(), 1);
    assert_eq!(plies[0].variations[0].plies[1].comment.as_deref(), Some("so far"));
}

#[test]
fn faulty_games_are_reported_and_the_others_analyzed() {
    let folder = folder("faulty");
    let input = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 e4 *\n\n\
                 [White \"C\"]\n[Variant \"ludo\"]\n\n1. e4 *\n\n[White \"D\"]\n\n1. d4 *\n";
    let (from, to) = (file(&folder, "in.pgn", input), file(&folder, "out.pgn", ""));
    let done = analyze(&["--pgn", &from, "--out", &to], "");
    assert_eq!(done.code, Some(2));
    let errors: Vec<&str> = done.err.lines().collect();
    let hint = "; --variant NAME names another game; game skipped";
    assert_eq!(
        errors[0],
        format!(
            "garrison: '{from}': game 2, line 7: move 1 of Black: illegal move 'e4': no pawn of Black can go to e4 \
             (without a known tag Variant it is read as chess){hint}"
        )
    );
    assert!(
        errors[1].starts_with(&format!("garrison: '{from}': game 3, line 10: no variant 'ludo'; "))
    );
    assert!(errors[1].ends_with(hint), "{errors:?}");
    assert_eq!(errors[2], format!("garrison: '{from}': 2 of 4 games skipped"));
    assert_eq!(errors.len(), 3);
    let players: Vec<String> =
        games(&text(&to)).iter().filter_map(|game| game.tag("White").map(str::to_string)).collect();
    assert_eq!(players, ["A", "D"]);
    assert!(done.out.contains("\nA ") && done.out.contains("\nD ") && !done.out.contains("\nC "));
    // A game named by the option: no hint, and what the unknown tag means.
    let done = analyze(&["--pgn", &from, "--variant", "chess"], "");
    assert!(
        done.err.contains("1 of 4 games skipped") && !done.err.contains("NAME"),
        "{}",
        done.err
    );
    // Nothing but faults, and nothing at all.
    let done = analyze(&["--pgn", "-"], "1. e5 *\n");
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    assert!(done.err.ends_with("garrison: '-': 1 of 1 game skipped\n"), "{}", done.err);
    let done = analyze(&["--pgn", "-"], "\n\n");
    assert_eq!((done.code, done.err.as_str()), (Some(2), "garrison: '-': has no games\n"));
}

/// Lines of a child's standard output, one by one.
fn lines(child: &mut Child) -> impl Iterator<Item = String> {
    BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok)
}

#[test]
fn games_stream_through_a_pipe() {
    let mut child = spawn(&["analyze", "--nodes", "200", "--pgn", "-", "--json"]);
    let mut stdin = child.stdin.take().expect("piped");
    let mut lines = lines(&mut child);
    for number in 1..=3 {
        // The answer comes as soon as the next game begins.
        write!(stdin, "1. e4 e5 *\n\n[Round \"{number}\"]\n\n").expect("a pipe");
        let game: Value = serde_json::from_str(&lines.next().expect("a line")).expect("JSON");
        assert_eq!((&game["type"], &game["moves"][1]["san"]), (&"game".into(), &"e5".into()));
    }
    drop(stdin);
    // The last game has a tag and no moves.
    let rest: Vec<Value> = lines.map(|line| serde_json::from_str(&line).expect("JSON")).collect();
    assert_eq!(rest.last().expect("a report")["type"], "report");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn input_without_an_end_is_refused() {
    for piece in ["x", "\0", "e4 ", "{"] {
        let endless = piece.repeat((2 << 20) / piece.len());
        let done = analyze(&["--pgn", "-"], &endless);
        let error = "garrison: '-': line 1 has more than 1048576 bytes; the rest is not read\n";
        assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (Some(2), "", error));
    }
    let done = analyze(&["--pgn", "/dev/zero"], "");
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    assert_eq!(done.err, "garrison: '/dev/zero': is neither a file nor a pipe\n");
}

#[test]
fn devices_take_games_too() {
    let games = "[White \"Player 1\"]\n\n1. e4 *\n\n[White \"Player 2\"]\n\n1. d4 *\n";
    let report = works(&["--pgn", "-", "--out", "/dev/null"], games);
    assert!(report.contains("\nPlayer 2 "), "{report}");
    let done = analyze(&["--pgn", "-", "--out", "/dev/full"], games);
    assert_eq!(done.code, Some(2));
    let fault = "garrison: cannot write '/dev/full': No space left";
    assert!(done.err.starts_with(fault), "{}", done.err);
    assert!(!std::path::Path::new("/dev/null.part").exists());
}

#[test]
fn objects_have_the_fields_of_the_reference() {
    let out = works(&["--pgn", "-", "--json"], GAME);
    let [game, report] = json_lines(&out).try_into().expect("two lines");
    assert_eq!((&game["type"], &game["game"]), (&"game".into(), &1.into()));
    assert_eq!((&game["variant"], &game["result"]), (&"swda-oo".into(), &"*".into()));
    assert_eq!((&game["tags"]["White"], &game["status"]), (&"A".into(), &"ongoing".into()));
    let moves = game["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 6);
    let first = &moves[0];
    assert_eq!((&first["number"], &first["side"]), (&1.into(), &"white".into()));
    assert_eq!((&first["move"], &first["san"]), (&"b1c3".into(), &"Nc3".into()));
    assert_eq!((&first["comment"], &first["nags"]), (&"to the front".into(), &vec![1].into()));
    // A pawn takes the knight.
    let last = &moves[5];
    assert_eq!(
        (&last["move"], &last["mark"], &last["loss"]),
        (&"e6d5".into(), &Value::Null, &0.0.into())
    );
    assert!(last["score"]["cp"].as_i64().is_some_and(|score| score < -100), "{last}");
    assert_eq!(last["best_san"][0], "exd5");
    let page = include_str!("../docs/analysis.md");
    let documented = |fields: &Value| {
        for field in fields.as_object().expect("an object").keys() {
            assert!(page.contains(&format!("`{field}`")), "'{field}' is not documented");
        }
    };
    [&game, first, &game["white"], &report, &report["players"][0]].into_iter().for_each(documented);
    assert_eq!((&report["games"], &report["skipped"]), (&1.into(), &0.into()));
    let [a, b] = report["players"].as_array().expect("players").as_slice() else {
        panic!("{report}")
    };
    assert_eq!((&a["name"], &b["name"]), (&"A".into(), &"B".into()));
    assert_eq!((&a["moves"], &b["moves"], &a["games"]), (&3.into(), &3.into(), &1.into()));
    let of_game = |player: &str, field: &str| game[player][field].clone();
    assert_eq!(
        (of_game("white", "blunders"), of_game("white", "accuracy")),
        (a["blunders"].clone(), a["accuracy"].clone())
    );
    let marked = |player: &Value| {
        ["inaccuracies", "mistakes", "blunders"]
            .iter()
            .filter_map(|&mark| player[mark].as_u64())
            .sum::<u64>()
    };
    let white = || moves.iter().step_by(2);
    assert_eq!(marked(a), white().filter(|ply| !ply["mark"].is_null()).count() as u64);
    let lost: f64 = white().filter_map(|ply| ply["centipawn_loss"].as_f64()).sum();
    assert!((a["average_loss"].as_f64().expect("a mean") - lost / 3.0).abs() < 0.006, "{report}");
    let accuracy: f64 = white().filter_map(|ply| ply["accuracy"].as_f64()).sum();
    assert!((a["accuracy"].as_f64().expect("a mean") - accuracy / 3.0).abs() < 0.006, "{report}");
}

#[test]
fn the_report_sums_the_games_of_a_player() {
    let games = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                 [White \"Ben\"]\n[Black \"Ann\"]\n\n1. e4 *\n\n1. d4 d5 *\n\n\
                 [White \"Cleo\"]\n[Black \"Cleo\"]\n\n1. e4 e5 *\n";
    let folder = folder("report");
    let to = file(&folder, "out.pgn", "");
    let report = works(&["--pgn", "-", "--out", &to], games);
    let row = |name: &str| -> Vec<String> {
        let line = report.lines().find(|line| line.starts_with(&format!("{name}  "))).expect(name);
        line[name.len()..].split_whitespace().map(str::to_string).collect()
    };
    // Games, moves, accuracy, percent, loss, and three counts of marks.
    assert_eq!(row("Ann")[..2], ["2", "2"]);
    assert_eq!(row("Ann")[7], "1", "2. g4 is a blunder: {report}");
    assert_eq!(
        (&row("Ben")[..4], row("Ben")[7].as_str()),
        (&["2", "3", "97.9", "%"].map(String::from)[..], "0")
    );
    assert_eq!((row("White")[0].as_str(), row("Black")[1].as_str()), ("1", "1"));
    assert_eq!((row("Cleo (White)")[1].as_str(), row("Cleo (Black)")[1].as_str()), ("1", "1"));
    // Where the games go to standard output, the report does not.
    let done = analyze(&["--pgn", "-"], games);
    assert_eq!(done.out, text(&to));
    assert!(done.err.trim_start() == report, "{}", done.err);
}

#[test]
fn a_graph_names_the_players_and_every_move() {
    let folder = folder("graph");
    let svg = folder.join("x.svg").to_string_lossy().into_owned();
    let game =
        "[White \"Ann <&>\"]\n[Black \"Ben\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    works(&["--pgn", "-", "--svg", &svg, "--out", "/dev/null"], game);
    let drawn = text(&svg);
    assert_eq!(drawn.matches("<title>").count(), 4, "{drawn}");
    for title in ["1. f3 -0.20", "1... e5 +0.03"] {
        assert!(drawn.contains(&format!("<title>{title}</title>")), "{drawn}");
    }
    assert!(drawn.contains("<title>2. g4?? #-1, best "), "{drawn}");
    assert!(drawn.contains("<title>2... Qh4# black wins (checkmate)</title>"), "{drawn}");
    for label in
        ["Ann &lt;&amp;&gt; (White) wins", "Ben (Black) wins", "move", "expected score of White, %"]
    {
        assert!(
            drawn.contains(&format!("{label}\n")) || drawn.contains(&format!(">{label}")),
            "{label}"
        );
    }
    assert!(!drawn.contains("<&>"));
    // The tooltips stand where the graph has their plies, from left to right.
    let places: Vec<i32> = drawn
        .lines()
        .filter(|line| line.contains("<title>"))
        .filter_map(|line| line.split('"').nth(1)?.parse().ok())
        .collect();
    assert!(places.len() == 4 && places.is_sorted() && places[3] <= 960, "{places:?}");
    // Numbers of moves, from that of the start on.
    let from = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 31\"]\n\n31... Kd7 32. e4 Kd6 33. Kd2 *\n";
    works(&["--pgn", "-", "--svg", &svg, "--out", "/dev/null"], from);
    let drawn = text(&svg);
    assert!(
        drawn.contains("<title>31... Kd7 ") && drawn.contains("\n32\n") && drawn.contains("\n33\n"),
        "{drawn}"
    );
    assert!(drawn.contains("<title>32... Kd6?! +1.90, best Ke6</title>"), "{drawn}");
}
