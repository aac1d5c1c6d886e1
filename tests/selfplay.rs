//! `garrison selfplay` and `rescore`: the same file whatever the number of threads and interruptions.

use std::path::PathBuf;
use std::process::{Command, Output};

use garrison::training::sample::{self, Line, Origin};

/// The options of the games of these tests, three variants in turns.
const GAMES: [&str; 10] = [
    "--variant",
    "swda-jp",
    "--variant",
    "shoranji",
    "--variant",
    "chesstonia",
    "--nodes",
    "60",
    "--hash",
    "1",
];

/// A file in the folder that cargo provides for tests.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(name: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.arg("selfplay").args(GAMES).args(more).arg("--out").arg(path(name));
    command.output().expect("the program runs")
}

/// The file that a run makes where there was none.
fn fresh(name: &str, more: &[&str]) -> Vec<u8> {
    let _ = std::fs::remove_file(path(name));
    works(name, more)
}

/// The file after a run, which must succeed.
fn works(name: &str, more: &[&str]) -> Vec<u8> {
    let done = run(name, more);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::read(path(name)).expect("a file")
}

/// What a run prints that is refused.
fn refused(name: &str, more: &[&str]) -> String {
    let done = run(name, more);
    assert_eq!(done.status.code(), Some(2));
    String::from_utf8(done.stderr).expect("UTF-8")
}

#[test]
fn threads_do_not_change_the_file() {
    let one = fresh("one.txt", &["--games", "9", "--threads", "1"]);
    let two = fresh("two.txt", &["--games", "9", "--threads", "2"]);
    assert_eq!(one, two);
    let other = fresh("other.txt", &["--games", "9", "--seed", "2"]);
    assert_ne!(one, other);
}

#[test]
fn a_run_interrupted_anywhere_can_be_resumed() {
    let whole = fresh("whole.txt", &["--games", "5"]);
    let games: Vec<usize> = whole
        .windows(7)
        .enumerate()
        .filter(|(_, text)| text == b"# game ")
        .map(|(at, _)| at)
        .collect();
    assert_eq!(games.len(), 5);
    let header = games[0];
    let mut cuts = vec![0, 1, header - 1, header, whole.len() - 1, whole.len()];
    cuts.extend(games.iter().flat_map(|&at| [at, at + 3, at + 8, at + 9, at + 60]));
    for cut in cuts {
        let kept = &whole[..cut.min(whole.len())];
        std::fs::write(path("torn.txt"), kept).expect("a file");
        assert!(works("torn.txt", &["--games", "5", "--resume"]) == whole, "cut at {cut}");
    }
    // A file can be made longer, and is not made shorter.
    let longer = fresh("longer.txt", &["--games", "7"]);
    assert!(longer.starts_with(&whole));
    assert!(works("torn.txt", &["--games", "7", "--resume"]) == longer);
    assert!(works("torn.txt", &["--games", "5", "--resume"]) == longer);
}

#[test]
fn every_line_is_a_possible_position() {
    let text = fresh("lines.txt", &["--games", "12", "--plies", "5"]);
    let (mut games, mut samples, mut names) = (0, 0, std::collections::BTreeSet::new());
    let header = sample::read(text.as_slice(), |line, _| {
        match line {
            Line::Game(number) => games = number,
            Line::Sample(sample) => {
                let position = &sample.position;
                samples += 1;
                names.insert(position.variant().name().to_string());
                let fen = position.fen();
                assert!(position.status().outcome().is_none(), "{fen}");
                assert!(!position.is_check() && !position.setup_phase().is_pending(), "{fen}");
                assert!(sample.centipawns.abs() < 1500, "{fen}");
                assert!(position.fullmove() >= 3, "in the opening: {fen}");
            }
        }
        Ok(())
    });
    let header = header.expect("a file of samples");
    assert_eq!(header.origin, Origin::SelfPlay { seed: 1, nodes: 60, plies: 5 });
    assert_eq!(header.variants, ["swda-jp", "shoranji", "chesstonia"]);
    assert_eq!((games, names.len()), (12, 3));
    assert!(samples > 100, "{samples}");
}

#[test]
fn another_file_is_refused_and_left_as_it_is() {
    let whole = fresh("mine.txt", &["--games", "2"]);
    assert!(refused("mine.txt", &["--games", "3"]).contains("exists; --resume continues it"));
    for other in [["--seed", "2"], ["--plies", "7"]] {
        let fault = refused("mine.txt", &[&["--games", "3", "--resume"][..], &other].concat());
        assert!(fault.contains("has other games, '# garrison selfplay seed 1 "), "{fault}");
    }
    assert!(std::fs::read(path("mine.txt")).expect("a file") == whole);
    for text in ["1. e4 e5 2. Nf3\n", "no line feed", "# garrison selfplay seed x\n"] {
        std::fs::write(path("theirs.txt"), text).expect("a file");
        let fault = refused("theirs.txt", &["--games", "3", "--resume"]);
        assert!(fault.contains("theirs.txt': line 1: "), "{fault}");
        assert_eq!(std::fs::read_to_string(path("theirs.txt")).expect("a file"), text);
    }
    let mut damaged = whole;
    let at = damaged.iter().rposition(|&byte| byte == b'|').expect("a field");
    damaged[at + 1] = b'7';
    std::fs::write(path("theirs.txt"), &damaged).expect("a file");
    assert!(refused("theirs.txt", &["--games", "3", "--resume"]).contains(": result '7"));
}

/// Rescores a file into another.
fn rescore(from: &str, to: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.arg("rescore").arg("--data").arg(path(from)).args(["--nodes", "90"]).args(more);
    command.arg("--out").arg(path(to)).output().expect("the program runs")
}

/// The header of a good file, and its positions by game.
fn samples(text: &[u8]) -> (String, Vec<Vec<sample::Sample>>) {
    let mut games = Vec::new();
    let header = sample::read(text, |line, _| {
        match line {
            Line::Game(_) => games.push(Vec::new()),
            Line::Sample(sample) => games.last_mut().expect("a game").push(*sample),
        }
        Ok(())
    });
    (header.expect("a file of samples").to_string(), games)
}

#[test]
fn positions_aside_are_kept_quiet_or_not() {
    let games = |keep: &str| {
        let name = format!("keep-{keep}.txt");
        let (header, games) = samples(&fresh(&name, &["--games", "5", "--keep", keep]));
        assert!(header.contains(&format!(" keep {keep} ")), "{header}");
        games.concat()
    };
    let (quiet, any) = (games("aside"), games("any"));
    // The games are the same, and so are the searches of the positions aside.
    let mut rest = any.iter();
    for sample in &quiet {
        assert!(rest.any(|other| other == sample), "{sample}");
    }
    let aside = |samples: &[sample::Sample]| samples.iter().filter(|s| s.end.is_none()).count();
    assert_eq!(any.len() - quiet.len(), aside(&any) - aside(&quiet));
    assert!(aside(&any) > aside(&quiet) * 5 / 4, "{} {}", aside(&any), aside(&quiet));
    assert!(any.iter().all(|sample| !sample.position.is_check()));

    let _ = std::fs::remove_file(path("keep-new.txt"));
    assert!(rescore("keep-any.txt", "keep-new.txt", &[]).status.success());
    let text = std::fs::read(path("keep-new.txt")).expect("a file");
    let again = samples(&text).1.concat();
    assert!(aside(&again) * 10 > aside(&any) * 9, "{} of {}", aside(&again), aside(&any));
}

#[test]
fn rescored_games_keep_their_positions_and_results() {
    let old = fresh("old.txt", &["--games", "7", "--keep", "aside"]);
    let _ = std::fs::remove_file(path("new.txt"));
    assert!(rescore("old.txt", "new.txt", &["--threads", "2"]).status.success());
    let new = std::fs::read(path("new.txt")).expect("a file");
    let ((old_header, old_games), (header, games)) = (samples(&old), samples(&new));
    assert_eq!(header, old_header.replace(" variants", " rescored 90 variants"));
    assert_eq!(games.len(), old_games.len());
    let (mut kept, mut other) = (0, 0);
    for (new, old) in games.iter().zip(&old_games) {
        let mut rest = old.iter();
        for sample in new {
            // A position may be in a game and aside of it.
            let same = |old: &&sample::Sample| {
                old.position.fen() == sample.position.fen() && old.end == sample.end
            };
            let old = rest.find(same).expect("a position of the game, in its order");
            kept += 1;
            other += usize::from(sample.centipawns != old.centipawns);
        }
    }
    let all = old_games.iter().map(Vec::len).sum::<usize>();
    assert!(kept * 2 > all && kept < all && other * 3 > kept, "{other} of {kept} of {all}");

    // An interrupted run can be resumed; a file that is there is not overwritten.
    for cut in [0, 30, new.len() / 2, new.len()] {
        std::fs::write(path("new2.txt"), &new[..cut]).expect("a file");
        let done = rescore("old.txt", "new2.txt", &["--threads", "1", "--resume"]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        assert!(std::fs::read(path("new2.txt")).expect("a file") == new, "cut at {cut}");
    }
    let refused = |from: &str, to: &str| {
        if to != "new.txt" {
            let _ = std::fs::remove_file(path(to));
        }
        let done = rescore(from, to, &[]);
        assert_eq!(done.status.code(), Some(2));
        String::from_utf8(done.stderr).expect("UTF-8")
    };
    assert!(refused("old.txt", "new.txt").contains("exists; --resume continues it"));
    std::fs::write(path("none.txt"), "1. e4 e5\n").expect("a file");
    assert!(refused("none.txt", "new3.txt").contains("none.txt': line 1: '1. e4 e5' does not say"));
    let damaged = [&old[..], b"swda-jp|8|x|1\n"].concat();
    std::fs::write(path("damaged.txt"), damaged).expect("a file");
    let fault = refused("damaged.txt", "new4.txt");
    assert!(fault.contains("damaged.txt': line ") && fault.contains("FEN"), "{fault}");
}

/// Two games of swda-oo, with one between that cannot be read, and a fourth without a result.
const PGN: &str =
    "[Variant \"swda-oo\"]\n[Result \"1-0\"]\n\n1. e3 e6 2. d3 d6 3. c3 c6 4. b3 b6 1-0\n
[Variant \"swda-oo\"]\n\n1. e9 *\n
[Variant \"swda-oo\"]\n\n1. e3 e6 2. d3 1/2-1/2\n
[Variant \"unheard of\"]\n\n1. e3 e6 2. d3 *\n";

#[test]
fn games_of_pgn_are_learned_from_as_games_of_self_play() {
    std::fs::write(path("theirs.pgn"), PGN).expect("a file");
    let fresh = |to: &str, more: &[&str]| {
        let _ = std::fs::remove_file(path(to));
        let done = rescore("theirs.pgn", to, more);
        (done.status.code(), String::from_utf8(done.stderr).expect("UTF-8"))
    };
    let (code, said) = fresh("theirs-new.txt", &["--variant", "swda-oo"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("theirs.pgn': game 2, line 8: "), "{said}");
    assert_eq!(said.matches("; game skipped").count(), 1, "{said}");
    // Nobody named a game for that whose tag is not known.
    let (_, open) = fresh("theirs-open.txt", &[]);
    let hint = "no variant 'unheard of'; 'variants' lists them; --variant NAME names another game; game skipped";
    assert_eq!(open.matches("; game skipped").count(), 2, "{open}");
    assert!(open.contains(hint), "{open}");
    let text = std::fs::read(path("theirs-new.txt")).expect("a file");
    let (header, games) = samples(&text);
    assert!(header.starts_with("# garrison pgn "), "{header}");
    assert!(header.ends_with(" rescored 90 variants swda-oo"), "{header}");
    let results: Vec<Vec<_>> =
        games.iter().map(|game| game.iter().map(sample::Sample::result).collect()).collect();
    let most = |result, number| vec![result; number];
    assert_eq!(results.len(), 4);
    assert_eq!(results[0], most(Some(1.0), results[0].len()));
    assert_eq!(results[1], most(None, 0));
    assert_eq!(results[2], most(Some(0.5), 3));
    assert_eq!(results[3], most(None, 3));
    // The start is searched in each game alone: it has the same score.
    assert_eq!(games[0][0].position.fen(), games[2][0].position.fen());
    assert_eq!(games[0][0].centipawns, games[2][0].centipawns);

    // What was begun goes on, but not with other games.
    std::fs::write(path("theirs-new.txt"), &text[..text.len() / 2]).expect("a file");
    let resume = ["--variant", "swda-oo", "--resume"];
    assert!(rescore("theirs.pgn", "theirs-new.txt", &resume).status.success());
    assert!(std::fs::read(path("theirs-new.txt")).expect("a file") == text);
    std::fs::write(path("theirs.pgn"), PGN.replace("2. d3 1/2", "2. c3 1/2")).expect("a file");
    let other = rescore("theirs.pgn", "theirs-new.txt", &resume);
    let said = String::from_utf8(other.stderr).expect("UTF-8");
    assert!(said.contains("has other games, '# garrison pgn "), "{said}");

    std::fs::write(path("theirs.pgn"), "1. e9 *\n").expect("a file");
    let (code, said) = fresh("none.gdata", &[]);
    assert_eq!(
        (code, said.ends_with("': has no game that can be read\n")),
        (Some(2), true),
        "{said}"
    );
    std::fs::write(path("theirs.pgn"), "\n").expect("a file");
    let nothing =
        (Some(2), format!("garrison: '{}': has no games\n", path("theirs.pgn").display()));
    assert_eq!(fresh("none.gdata", &[]), nothing);
    let foreign = rescore("theirs-new.txt", "none.gdata", &["--variant", "chess"]);
    let said = String::from_utf8(foreign.stderr).expect("UTF-8");
    assert_eq!(
        said,
        "garrison: --variant is for PGN; a file of positions says which game it is of\n"
    );
}
