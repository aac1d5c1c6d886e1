use super::*;
use garrison_rules::catalogue::builtin_names;
use garrison_rules::find;
use garrison_rules::random::SplitMix;

fn game(name: &str) -> Arc<Variant> {
    find(name).expect("a built-in game")
}

fn at(name: &str, fen: &str) -> Position {
    Position::from_fen(&game(name), fen).expect("a position of the game")
}

#[test]
fn squares_count_from_whites_right_and_from_the_top() {
    for (name, own, usi) in [
        ("shoogantshii", "a1", "9i"),
        ("shoogantshii", "i9", "1a"),
        ("shoogantshii", "e3", "5g"),
        ("swda", "a8", "8a"),
        ("shoranji", "i1", "1j"),
        ("chesstonia", "a1", "9l"),
        ("chesstonia", "b12", "8a"),
    ] {
        let variant = game(name);
        let geometry = variant.geometry();
        let (at, _) = geometry.parse_square(own).expect("a square");
        assert_eq!(Usi.square(geometry, at), usi, "{name} {own}");
        assert_eq!(Usi.parse_square(geometry, usi), Some((at, "")), "{name} {usi}");
    }
    let variant = game("shoogantshii");
    for wrong in ["", "5", "e5", "0a", "10a", "5j", "05a", "5A", "5é", "99999a"] {
        assert_eq!(Usi.parse_square(variant.geometry(), wrong), None, "{wrong}");
    }
}

#[test]
fn every_move_and_position_of_every_game_is_read_as_it_was_written() {
    let mut random = SplitMix::new(9);
    for name in builtin_names() {
        let variant = game(name);
        let mut position = Position::start(&variant);
        for _ in 0..120 {
            let text = sfen(&position);
            let read = parse_sfen(&variant, &text);
            let read = read.unwrap_or_else(|fault| panic!("{name}: {text}: {fault}"));
            let mut wanted = Setup::from(&position);
            if !variant.counts_moves() {
                wanted.halfmoves = 0;
            }
            assert_eq!(read.fen(), wanted.fen(), "{name}: {text}");
            assert_eq!(sfen(&read), text, "{name}");
            let moves = position.legal_moves();
            for &mv in &moves {
                let text = position.move_text_in(&Usi, mv);
                assert_eq!(position.parse_move_in(&Usi, &text), Ok(mv), "{name}: {text}");
            }
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn moves_are_written_as_usi_writes_them() {
    let position = at("shoogantshii", "4k4/9/9/8N/9/9/9/9/4K4[P] w - - 0 1");
    for (own, usi) in [("i6h8+", "1d2b+"), ("P@e5", "P*5e"), ("e1e2", "5i5h")] {
        let mv = position.parse_move(own).expect("a legal move");
        assert_eq!(position.move_text_in(&Usi, mv), usi);
    }
    let position = at("shoranji", "t8/9/9/9/9/9/9/9/9/T8[NEGHA] w - - 0 1");
    let mv = position.parse_move("G@e5w").expect("a legal move");
    assert_eq!(position.move_text_in(&Usi, mv), "G*5fw");
    let position = at("chesstonia", "4k4/9/9/9/4P4/9/9/9/9/9/9/4K4[] w - - 0 1");
    let mv = position.parse_move("e8e9n").expect("a legal move");
    assert_eq!(position.move_text_in(&Usi, mv), "5e5dn");
}

#[test]
fn positions_are_written_as_usi_writes_them() {
    let start = Position::start(&game("shoogantshii"));
    assert_eq!(sfen(&start), "lngakagnl/1rc3bf1/ppppppppp/9/9/9/PPPPPPPPP/1FB3CR1/LNGAKAGNL b - 1");
    let position = at("shoogantshii", "4k4/9/9/9/9/9/9/9/4K4[PPGbb] b - - 0 7");
    assert!(sfen(&position).starts_with("4k4/9/9/9/9/9/9/9/4K4 w G2P2b 14"), "{}", sfen(&position));
    // In shogi nothing stands behind the ply, and the hands have USI's order.
    let position = at("shogi", "4k4/9/9/9/9/9/9/9/4K4[PPLNSGBRpb] b - - 3 2");
    assert_eq!(sfen(&position), "4k4/9/9/9/9/9/9/9/4K4 w RBGSNL2Pbp 4");
    // What a shogi position has no word for stands behind it.
    let position = Position::start(&game("sixfortresses"));
    assert!(sfen(&position).ends_with(" b - 1 Ss - 0"), "{}", sfen(&position));
    let position = at(
        "shoranji",
        "twf1t1fwt/rnemimenr/p1ppppppp/9/9/1pP6/9/PP1PPPPPP/RNEMIMENR/TWF1T1FWT[] b - c4 0 3",
    );
    assert!(sfen(&position).ends_with(" w - 6 - 7g 0"), "{}", sfen(&position));
}

#[test]
fn a_ply_of_0_is_the_first() {
    let position = parse_sfen(&game("shogi"), "4k4/9/9/9/9/9/9/9/4K4 b - 0").expect("a position");
    assert_eq!(sfen(&position), "4k4/9/9/9/9/9/9/9/4K4 b - 1");
}

#[test]
fn wrong_texts_are_refused_in_a_line() {
    let variant = game("shoogantshii");
    let board = "4k4/9/9/9/9/9/9/9/4K4";
    for wrong in [
        "",
        board,
        &format!("{board} b"),
        &format!("{board} x -"),
        &format!("{board} b 2"),
        &format!("{board} b 0P"),
        &format!("{board} b 999P"),
        &format!("{board} b P2"),
        &format!("{board} b K"),
        &format!("{board} b X"),
        &format!("{board} b é"),
        &format!("{board} b [P]"),
        &format!("{board}[P] b -"),
        &format!("{board} b - 0x"),
        &format!("{board} b - 1 -"),
        &format!("{board} b - 1 - - x"),
        &format!("{board} b - 1 - 5e 0"),
        &format!("{board} b - 1 Ss - 0"),
        "4k4/9/9/9/9/9/9/4K4 b -",
    ] {
        let fault = parse_sfen(&variant, wrong).expect_err(wrong).through(&Usi);
        assert!(fault.starts_with("SFEN") && !fault.contains('\n'), "{wrong}: {fault}");
    }
    let position = Position::start(&variant);
    for wrong in ["", "e3e4", "5g5e", "5g5f+", "P*5e", "p*5e", "5g", "*", "7g7f=", "=", "5g5fé"] {
        let fault = position.parse_move_in(&Usi, wrong).expect_err(wrong).to_string();
        assert!(!fault.contains('\n'), "{wrong}: {fault}");
    }
    let error = position.parse_move_in(&Usi, "5g5e").expect_err("two steps");
    assert_eq!(error.to_string(), "illegal move '5g5e': the pawn on 5g cannot go to 5e");
    assert!(position.clone().play_in(&Usi, "5g5f").is_ok());
}

#[test]
fn errors_speak_of_files_ranks_and_sides_as_usi_does() {
    let variant = game("shoogantshii");
    for (sfen, error) in [
        ("4k4/9/9/9/P8/P8/9/9/4K4 b -", "SFEN field 'board': two 'P' on file 9"),
        ("4k4/9/9/8/9/9/9/9/4K4 b -", "SFEN field 'board': rank d: 8 files, 9 are needed, in '8'"),
        ("4k4/9/9/9/9/9/9/9/A3K4 b -", "SFEN field 'board': 'A' on 9i, outside its region"),
    ] {
        let fault = parse_sfen(&variant, sfen).map(|position| position.fen());
        let fault = fault.map_err(|error| error.through(&Usi));
        assert!(fault.as_ref().is_err_and(|fault| fault.starts_with(error)), "{sfen}: {fault:?}");
    }
    // The side that moves first, White in the rules, is Black here.
    let position = at("shogi", "4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1");
    let error = position.parse_move_in(&Usi, "P*5e").expect_err("nothing is in hand");
    assert_eq!(error.to_string(), "illegal move 'P*5e': Black has no pawn in hand");
    let chess = game("shogi");
    let error = parse_sfen(&chess, "4k4/4R4/9/9/9/9/9/9/4K4 b -").expect_err("a king is attacked");
    assert_eq!(
        error.through(&Usi),
        "SFEN field 'board': the king of White, who is not to move, is attacked"
    );
}

#[test]
fn all_faults_are_reported_together() {
    let error =
        parse_sfen(&game("shogi"), "4k4/9/9/9/9/9/9/9/4X4 x 3 - - zz x").expect_err("faults");
    let fields: Vec<String> =
        error.faults().iter().map(|fault| fault.field().to_string()).collect();
    assert_eq!(fields, ["board", "side", "hands", "ply", "ep", "halfmoves"]);
}
