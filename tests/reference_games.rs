//! The games the world knows, as definitions: beside Fairy-Stockfish move by move, and played.
//! Their leaf counts are in `perft/reference.txt`.

mod walk;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use garrison_rules::catalogue::reference_names;
use garrison_rules::definition::Definition;
use garrison_rules::{Position, Variant, find};
use walk::{Random, env_number};

const PROGRAM: &str = env!("CARGO_BIN_EXE_garrison");

fn game(name: &str) -> Arc<Variant> {
    find(name).unwrap_or_else(|unknown| panic!("{unknown}"))
}

fn after(name: &str, moves: &[&str]) -> Position {
    let mut position = Position::start(&game(name));
    for mv in moves {
        position.play(mv).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    position
}

fn legal(position: &Position) -> Vec<String> {
    position.legal_moves().iter().map(|&mv| position.move_text(mv)).collect()
}

/// Few pieces are a draw where the rules say so, and nowhere else.
#[test]
fn few_pieces_draw_where_no_mate_is_possible() {
    let draw = "draw (insufficient material)";
    for (name, fen, status) in [
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", draw),
        ("chess", "4k3/8/8/8/8/8/8/4KN2 b - - 0 1", draw),
        // Bishops on one color, and on two.
        ("chess", "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", draw),
        ("chess", "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "ongoing"),
        ("chess", "4kb2/8/8/8/8/8/8/2B1KB2 w - - 0 1", "ongoing"),
        ("chess", "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", "ongoing"),
        // More bishops on one color never mate (FIDE 5.2.2).
        ("chess", "4B3/2k5/8/8/2K5/3B4/8/8 b - - 0 88", draw),
        ("chess", "4B3/2k5/8/8/2K5/4B3/8/8 b - - 0 88", "ongoing"),
        ("capablanca", "5kb3/10/10/10/10/10/10/3B1K4 w - - 0 1", draw),
        ("berolina", "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", draw),
        // A bishop that is captured comes back on any square.
        ("crazyhouse", "4kb2/8/8/8/8/8/8/2B1K3[] w - - 0 1", "ongoing"),
        ("makruk", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", draw),
        ("makruk", "4k3/8/8/8/8/8/8/4KM2 w - - 0 1", draw),
        ("makruk", "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", draw),
        ("makruk", "4k3/8/8/8/8/8/8/M1M1K3 w - - 0 1", draw),
        ("makruk", "4k3/8/8/8/8/8/8/MM2K3 w - - 0 1", "ongoing"),
        ("makruk", "4k3/8/8/8/8/8/8/3SK3 w - - 0 1", "ongoing"),
        ("xiangqi", "3aka3/9/4b4/9/9/9/9/4B4/9/3K5 w - - 0 1", draw),
        ("xiangqi", "3aka3/9/4b4/9/9/9/P8/4B4/9/3K5 w - - 0 1", "ongoing"),
    ] {
        let position = Position::from_fen(&game(name), fen).expect(fen);
        assert_eq!(position.status().to_string(), status, "{name} {fen}");
    }
}

/// The 27-point rule of shogi, each of its conditions missed once.
#[test]
fn an_entered_king_may_declare() {
    for (name, fen, may) in [
        // The king and ten others in the camp, 28 points with the hand.
        ("shogi", "K+P+P+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/k8[RRBGGG] w - - 0 1", true),
        ("shogi", "K+P+P+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/k8[RRBGG] w - - 0 1", false),
        // Black, who moves second, needs one less.
        ("shogi", "K8/9/9/9/9/9/9/+p+p7/k+p+p+p+p+p+p+p+p[rrbgg] b - - 0 1", true),
        ("shogi", "K8/9/9/9/9/9/9/+p+p7/k+p+p+p+p+p+p+p+p[rrbg] b - - 0 1", false),
        // Nine others; one more outside does not help.
        ("shogi", "K+P+P+P+P+P+P+P+P/+P8/9/1+P7/9/9/9/9/k8[RRBBGGG] w - - 0 1", false),
        // The king outside, or in check.
        ("shogi", "1+P+P+P+P+P+P+P+P/+P+P+P6/9/K8/9/9/9/9/8k[RRBBGGG] w - - 0 1", false),
        ("shogi", "K+P+P+P+P+P+P+P+P/1+P+P6/9/9/9/9/9/9/r7k[RBBGGGG] w - - 0 1", false),
        // The dragon counts as the rook that it was.
        ("shogi", "K+P+P+P+P+P+P+P+P/+P+R7/9/9/9/9/9/9/k8[RBGGGG] w - - 0 1", true),
        ("minishogi", "KGGSS/SSGG1/5/5/k4[RRBB] w - - 0 1", false),
        ("chess", "K7/8/8/8/8/8/8/k7 w - - 0 1", false),
    ] {
        let position = Position::from_fen(&game(name), fen).expect(fen);
        assert_eq!(position.may_declare(), may, "{name} {fen}");
    }
}

/// The status of 77 with which the script says that it could compare nothing.
const SKIPPED: i32 = 77;

/// Compares moves and ends with those of pyffish. The script makes an environment for it in the folder of the build.
/// `GARRISON_ROUNDS` is a number of games to be played to their end, instead of positions.
fn walk_beside_pyffish(words: &[&str], positions: u64) {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference_games/walk.py");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pyffish");
    let mut command = Command::new("python3");
    command.arg(script).args(["--program", PROGRAM, "--folder"]).arg(folder).args(words);
    command.args(["--positions", &positions.to_string()]);
    command.args(["--rounds", &env_number("GARRISON_ROUNDS", 0).to_string()]);
    let done = match command.output() {
        Ok(done) => done,
        Err(error) => return eprintln!("SKIPPED: python3 cannot be started ({error})"),
    };
    let output = String::from_utf8_lossy(&done.stdout);
    if done.status.code() == Some(SKIPPED) {
        return eprintln!("{output}");
    }
    assert!(done.status.success(), "{output}{}", String::from_utf8_lossy(&done.stderr));
    assert!(output.contains("\n0 differences unexplained"), "{output}");
}

#[test]
#[ignore = "installs pyffish from PyPI; run with --release -- --ignored"]
fn every_move_is_that_of_pyffish() {
    walk_beside_pyffish(&[], env_number("GARRISON_PLIES", 3000) / 10);
}

#[test]
#[ignore = "installs pyffish from PyPI; run with --release -- --ignored"]
fn every_move_of_the_examples_is_that_of_pyffish() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games");
    walk_beside_pyffish(&["--examples", folder], env_number("GARRISON_PLIES", 3000) / 50);
}

/// Twin Lakes is known to nobody else: its legal moves are those after which the king is not attacked, found
/// in a twin of the game in which kings may be captured.
#[test]
fn nothing_is_left_in_check_on_a_board_with_holes() {
    let text = include_str!("../crates/rules/games/reference/twinlakes.toml");
    let royal = game("twinlakes");
    let loose = text.replacen("kind = \"absolute\"", "kind = \"captured\"", 1).replacen(
        "bare_king = true",
        "bare_king = false",
        1,
    );
    let loose = Definition::parse(&loose).expect("a definition");
    let loose = Variant::compile(&loose, None).expect("a game");
    let mut random = Random::new(11);
    for _ in 0..env_number("GARRISON_PLIES", 400) / 100 {
        let mut position = Position::start(&royal);
        for _ in 0..150 {
            let fen = position.fen();
            let mut twin = Position::from_fen(&loose, &fen).expect("the same position");
            let side = twin.side_to_move();
            let mut expected = Vec::new();
            for mv in twin.legal_moves() {
                twin.make(mv);
                if !twin.is_attacked(side) {
                    expected.push(mv);
                }
                twin.unmake();
            }
            let mut found = position.legal_moves().to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            if found.is_empty() {
                break;
            }
            assert_eq!(found, expected, "{fen}");
            let Some(mv) = random.choose(&position) else { break };
            position.make(mv);
        }
    }
}

#[test]
fn a_king_on_the_far_gate_wins_twin_lakes() {
    let text = "**7**/*4K4*/11/11/11/2**3**2/11/r10/R10/*9*/**6k** w - - 0 1";
    let mut position = Position::from_fen(&game("twinlakes"), text).expect("a position");
    assert!(!legal(&position).is_empty());
    position.play("f10f11").expect("nothing attacks the gate");
    assert!(legal(&position).is_empty());
    assert!(position.status().to_string().starts_with("white wins"), "{}", position.status());
}

#[test]
fn chess_has_castling_and_en_passant_as_guis_write_them() {
    let position = after("chess", &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
    assert!(legal(&position).contains(&"e1g1".to_string()));
    let position = after("chess", &["e2e4", "a7a6", "e4e5", "d7d5"]);
    assert!(legal(&position).contains(&"e5d6".to_string()));
    assert!(position.fen().ends_with(" w KQkq d6 0 3"), "{}", position.fen());
    let text = "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1";
    let position = Position::from_fen(&game("chess"), text).expect("a position");
    assert_eq!(position.fen(), text);
    assert!(["e8g8", "e8c8"].iter().all(|mv| legal(&position).contains(&mv.to_string())));
}

/// What a definition of few pieces says, in chess and makruk.
#[test]
fn few_pieces_draw() {
    for (name, text, status) in [
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "draw (insufficient material)"),
        ("chess", "4k3/8/8/8/8/8/8/4KN2 b - - 0 1", "draw (insufficient material)"),
        ("chess", "4kb2/8/8/8/8/8/8/4K3 w - - 0 1", "draw (insufficient material)"),
        ("chess", "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "ongoing"),
        ("chess", "4k3/8/8/8/8/8/8/4KNN1 b - - 0 1", "ongoing"),
        ("chess", "4k3/p7/8/8/8/8/8/4K3 w - - 0 1", "ongoing"),
        ("chess", "4k3/p7/8/8/8/8/8/4K3 w - - 100 90", "draw (move count)"),
        ("crazyhouse", "4k3/p7/8/8/8/8/8/4K3[] w - - 100 90", "ongoing"),
        ("makruk", "4k3/8/8/8/8/8/8/R3K2R w - - 8 50 16/16", "ongoing"),
        ("makruk", "4k3/8/8/8/8/8/8/R3K2R w - - 9 50 17/16", "draw (move count)"),
        ("makruk", "4k3/8/8/8/8/8/8/R3K2R w - 16 16 50", "ongoing"),
        ("makruk", "4k3/8/8/8/8/8/8/R3K2R w - 16 17 50", "draw (move count)"),
        ("makruk", "4k3/4p3/8/8/8/8/8/R3K2R w - - 90 50", "ongoing"),
    ] {
        let position = Position::from_fen(&game(name), text).expect("a position");
        assert_eq!(position.status().to_string(), status, "{name} {text}");
        assert!(!legal(&position).is_empty(), "these draws leave moves: {name} {text}");
    }
}

/// A front end that does not end the game at a draw that must be claimed is given a move.
#[test]
fn chess_goes_on_after_a_draw_that_nobody_claims() {
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
    let mut command = Command::new(PROGRAM);
    let mut program =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let asked = format!("position startpos moves {there_and_back}\nd\ngo nodes 300\n");
    let mut input = program.stdin.take().expect("a pipe");
    input.write_all(asked.as_bytes()).expect("it reads");
    drop(input);
    let done = program.wait_with_output().expect("it ends");
    let output = String::from_utf8_lossy(&done.stdout);
    assert!(output.contains("Status: draw (repetition)"), "{output}");
    assert!(output.contains("bestmove ") && !output.contains("(none)"), "{output}");
}

#[test]
fn a_pawn_that_became_a_queen_is_a_pawn_in_hand() {
    let text = "3r3k/4P3/8/8/8/8/8/4K3[] w - - 0 1";
    let mut position = Position::from_fen(&game("crazyhouse"), text).expect("a position");
    position.play("e7d8q").expect("captures and promotes");
    assert_eq!(position.fen(), "3+Q3k/8/8/8/8/8/8/4K3[R] b - - 0 1");
    let mut position =
        Position::from_fen(&game("crazyhouse"), "3Q~2rk/8/8/8/8/8/8/4K3[] b - - 0 1")
            .expect("other programs' way of writing it");
    position.play("g8d8").expect("captures the queen");
    assert_eq!(position.fen(), "3r3k/8/8/8/8/8/8/4K3[p] w - - 0 2");
}

#[test]
fn facing_kings_end_janggi_by_points() {
    let position = after("janggi", &["e4d4", "e7d7", "0000"]);
    assert!(legal(&position).is_empty());
    let status = position.status().to_string();
    assert!(status.starts_with("black wins"), "72 to 73.5 points: {status}");
    assert!(!legal(&after("janggi", &["e4d4", "e7d7"])).contains(&"a1a2".to_string()));
}

#[test]
fn a_grand_pawn_becomes_what_has_been_lost() {
    let text = "4k5/P9/10/10/10/10/10/10/1NBQK1ABN1/R8R w - - 0 1";
    let position = Position::from_fen(&game("grand"), text).expect("a position");
    let found: Vec<String> =
        legal(&position).into_iter().filter(|mv| mv.starts_with("a9")).collect();
    assert_eq!(found, ["a9a10c"]);
}

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().expect("the program runs")
}

/// Games of the engine against itself, with the rules as arbiter: nobody plays an illegal move,
/// nothing panics.
#[test]
fn the_engine_plays_every_reference_game() {
    let names = reference_names().join(",");
    let engine = "nodes=300";
    let mut arguments = vec!["match", "--variant", &names, "--games"];
    let games = (2 * reference_names().len()).to_string();
    arguments.extend([games.as_str(), "--openings", "random:4", "--max-plies", "200"]);
    arguments.extend(["--engine", "name=A", engine, "--engine", "name=B", engine]);
    let done = run(&arguments);
    let report = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(report.contains("No faults:"), "{report}");
}
