//! Armies left to chance: `swda-random`, `swda-??`, `swda-o?`, `swda-?p`, in every command that plays.

mod talk;

use std::path::{Path, PathBuf};

use garrison::record::pgn::read;
use garrison_rules::catalogue::{builtin_names, candidates};
use talk::{Done, run};

/// An empty folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("armies").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn succeed(words: &str) -> String {
    let arguments: Vec<&str> = words.split(' ').collect();
    let Done { code, out, err } = run(&arguments, b"");
    assert_eq!(code, Some(0), "{words}: {err}");
    out
}

fn fail(words: &str, input: &str) -> String {
    let arguments: Vec<&str> = words.split(' ').collect();
    let Done { code, err, .. } = run(&arguments, input.as_bytes());
    assert_eq!(code, Some(2), "{words}: {err}");
    assert_eq!(err.lines().count(), 1, "{words}: {err}");
    err
}

/// How often each word comes, in the order of the words.
fn counts(words: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    words.for_each(|word| *counts.entry(word).or_insert(0) += 1);
    counts.into_iter().collect()
}

fn match_ups() -> Vec<String> {
    let all = builtin_names().iter().filter(|name| name.starts_with("swda-"));
    let mut names: Vec<String> = all.cloned().collect();
    names.sort();
    names
}

/// The game of each record of a PGN file, and who had White.
fn games(path: &Path) -> Vec<(String, String)> {
    let records = read(&text(path)).into_iter();
    let records = records.map(|game| game.unwrap_or_else(|fault| panic!("{fault}")));
    records
        .map(|game| {
            let white = game.tag("White").expect("a tag").to_string();
            (game.start.variant().name().to_string(), white)
        })
        .collect()
}

#[test]
fn in_a_match_the_sixteen_match_ups_come_evenly_and_from_both_sides() {
    let folder = folder("match");
    let play = |name: &str, words: &str| {
        let pgn = folder.join(format!("{name}.pgn"));
        let log = folder.join(format!("{name}.jsonl"));
        let (pgn_path, log_path) = (pgn.display(), log.display());
        succeed(&format!(
            "match --variant swda-random --games 64 --nodes 1 --max-plies 4 {words} --engine name=A --engine name=B \
             --pgn {pgn_path} --log {log_path}"
        ));
        (games(&pgn), text(&pgn), text(&log))
    };
    let (one, pgn, log) = play("one", "--seed 5");
    assert_eq!(one.len(), 64);
    let found = counts(one.iter().map(|(name, _)| name.clone()));
    assert_eq!(found, match_ups().into_iter().map(|name| (name, 4)).collect::<Vec<_>>());
    // Two games a pair: the same armies, the other engine with White's.
    for pair in one.chunks(2) {
        assert_eq!(pair[0].0, pair[1].0);
        assert_eq!([&*pair[0].1, &pair[1].1], ["A", "B"]);
    }
    // The real names are recorded.
    assert!(!pgn.contains("random") && !log.contains("random"), "{pgn}\n{log}");
    let (again, same_pgn, same_log) = play("again", "--seed 5 --concurrency 3");
    assert_eq!((again, same_pgn, same_log), (one.clone(), pgn, log));
    let (other, ..) = play("other", "--seed 6");
    assert_ne!(other, one);
}

#[test]
fn one_army_can_be_given() {
    let folder = folder("half");
    for (name, white) in [("swda-o?", true), ("swda-?p", false)] {
        let pgn = folder.join(format!("{white}.pgn"));
        let words = format!("--nodes 1 --max-plies 2 --pgn {}", pgn.display());
        succeed(&format!("match --variant {name} --games 16 {words}"));
        let found = counts(games(&pgn).into_iter().map(|(name, _)| name));
        assert_eq!(found.len(), 4);
        let is_right =
            |name: &str| if white { name.starts_with("swda-o") } else { name.ends_with('p') };
        assert!(found.iter().all(|(name, count)| is_right(name) && *count == 4), "{found:?}");
    }
}

#[test]
fn a_tournament_shuffles_by_its_seed() {
    let folder = folder("tournament");
    let play = |name: &str, seed: u64| {
        let file = folder.join(format!("{name}.toml"));
        let pgn = folder.join(format!("{name}.pgn"));
        let engines = "[[engine]]\nname = 'A'\n[[engine]]\nname = 'B'\n[[engine]]\nname = 'C'\n";
        let plan = format!(
            "variants = ['swda-??']\ngames = 32\nlimit = 'nodes=1'\nseed = {seed}\n{engines}"
        );
        std::fs::write(&file, plan).expect("a file");
        let (file, pgn_path) = (file.display(), pgn.display());
        succeed(&format!("tournament {file} --max-plies 2 --pgn {pgn_path}"));
        games(&pgn)
    };
    let one = play("one", 1);
    let found = counts(one.iter().map(|(name, _)| name.clone()));
    assert_eq!(found, match_ups().into_iter().map(|name| (name, 6)).collect::<Vec<_>>());
    assert_ne!(play("two", 2), one);
}

#[test]
fn selfplay_and_openings_play_all_match_ups() {
    let file = folder("selfplay").join("games.txt");
    let out = file.display();
    succeed(&format!(
        "selfplay --variant swda-random --games 16 --nodes 20 --plies 2 --threads 2 --keep all --out {out}"
    ));
    let written = text(&file);
    let header =
        written.lines().next().expect("a header").split(" variants ").nth(1).expect("names");
    let mut names: Vec<String> = header.split(' ').map(str::to_string).collect();
    let in_turn = candidates("swda-random").expect("a family").shuffled(1);
    assert_eq!(names, in_turn.iter().map(|game| game.name()).collect::<Vec<_>>());
    names.sort();
    assert_eq!(names, match_ups());

    let words = "--count 20 --plies 4 --window 400 --nodes 100 --seed 3";
    let made = succeed(&format!("openings --variant swda-random {words}"));
    let found =
        counts(made.lines().map(|line| line.split_once("; ").expect("a name").0.to_string()));
    assert_eq!(found.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), match_ups());
    assert_eq!(found.iter().filter(|(_, count)| *count == 2).count(), 4);
    assert_eq!(succeed(&format!("openings --variant swda-?? {words} --threads 2")), made);
    // A match takes them as they are.
    let file = folder("openings").join("openings.epd");
    std::fs::write(&file, &made).expect("a file");
    let words = format!("--openings {} --games 32 --nodes 1 --max-plies 8", file.display());
    succeed(&format!("match --variant swda-random {words}"));
    // One game has its FENs alone, as ever.
    assert!(
        !succeed("openings --variant swda-op --count 1 --nodes 100 --window 900").contains(';')
    );
}

#[test]
fn play_lets_chance_decide() {
    let first_line = |words: &str| {
        let arguments: Vec<&str> = words.split(' ').collect();
        let Done { code, out, err } = run(&arguments, b"quit\n");
        assert_eq!(code, Some(0), "{err}");
        out.lines().next().unwrap_or_default().to_string()
    };
    let seeded = |seed: u64| first_line(&format!("play --variant swda-random --seed {seed}"));
    assert_eq!(seeded(4), seeded(4));
    let found = counts((0..12).map(seeded));
    assert!(found.len() > 4, "{found:?}");
    assert!(found.iter().all(|(line, _)| line.contains("(swda-")), "{found:?}");
    // The program's army; that of a person is asked for.
    let half = first_line("play --variant swda-?p --side black");
    assert!(half.contains("Black plays Posh Protectors."), "{half}");
}

#[test]
fn where_one_game_is_needed_an_open_name_is_refused_with_one_line() {
    let expected = "'swda-o?' leaves an army open; one game is needed here, such as swda-oo, swda-oj or swda-op";
    for words in [
        "analyze --variant swda-o? --depth 1",
        "perft --variant swda-o? 1",
        "xboard --variant swda-o?",
    ] {
        assert_eq!(fail(words, ""), format!("garrison: {expected}\n"), "{words}");
    }
    let done = run(&[], b"uci\nsetoption name UCI_Variant value swda-o?\nquit\n");
    assert!(done.out.contains(expected), "{}", done.out);
    assert!(!done.out.contains("swda-random"), "no list of games names it");
    let done = run(&[], b"xboard\nvariant swda-o?\nquit\n");
    assert!(done.out.contains("leaves an army open"), "{}", done.out);
}
