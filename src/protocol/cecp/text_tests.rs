use super::*;
use garrison_rules::catalogue::builtin_names;
use garrison_rules::find;
use garrison_rules::random::SplitMix;

fn at(name: &str, fen: &str) -> Position {
    let variant = find(name).expect("a built-in game");
    Position::from_fen(&variant, fen).expect("a position of the game")
}

/// What is on the board and in the hands after a move.
fn after(position: &Position, mv: Move) -> String {
    let mut position = position.clone();
    position.make(mv);
    position.picture()
}

#[test]
fn every_move_of_every_game_is_read_as_it_was_written() {
    let mut random = SplitMix::new(5);
    for name in builtin_names() {
        let mut position = Position::start(&find(name).expect("a built-in game"));
        position.keep_arrays();
        for _ in 0..150 {
            let moves = position.legal_moves();
            for &mv in &moves {
                let text = move_text(&position, mv);
                let read = parse_move(&position, &text);
                let read = read.unwrap_or_else(|fault| panic!("{name}: {text}: {fault}"));
                // A piece in hand and a reserve may give the same drop.
                if !mv.is_drop() {
                    assert_eq!(after(&position, read), after(&position, mv), "{name}: {text}");
                }
                assert_eq!((read.to(), move_text(&position, read)), (mv.to(), text), "{name}");
            }
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn ten_ranks_count_from_0() {
    let mut position = at(
        "shoranji",
        "twf1t1fwt/rnemimenr/ppppppppp/9/9/9/9/PPPPPPPPP/RNEMIMENR/TWF1T1FWT[] w - - 0 1",
    );
    let mv = parse_move(&position, "c2c4").expect("a double step from the third rank");
    assert_eq!(position.move_text(mv), "c3c5");
    assert_eq!(move_text(&position, mv), "c2c4");
    position.make(mv);
    assert!(parse_move(&position, "a9a8").is_err());
}

#[test]
fn a_reserve_is_dropped_as_what_it_becomes() {
    let fen = "twf1t1fwt/rnemimenr/ppppppppp/9/9/9/PPPPPPPPP/RNEMIMENR/TWF1T2W1[EGHAen] w - - 0 1";
    let position = at("sixfortresses-short", fen);
    for (text, own) in [("W@e5", "G@e5w"), ("E@e5", "E@e5"), ("M@e5", "H@e5m"), ("R@e5", "A@e5r")] {
        let mv = parse_move(&position, text).expect("a legal drop");
        assert_eq!(position.move_text(mv), own);
        assert_eq!(move_text(&position, mv), text);
    }
    assert!(parse_move(&position, "Q@e5").is_err());
}

#[test]
fn a_promotion_may_be_declined() {
    let position = at("chesstonia", "4k4/9/9/9/4P4/9/9/9/9/9/9/4K4[] w - - 0 1");
    for text in ["e8e9", "e8e9=", "e8e9p"] {
        let mv = parse_move(&position, text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(position.move_text(mv), "e8e9");
    }
    let mv = parse_move(&position, "e8e9f").expect("a promotion");
    assert_eq!(position.move_text(mv), "e8e9f");
    assert!(parse_move(&position, "e8e9q").is_err());
}

#[test]
fn positions_of_xboard_are_read() {
    for name in builtin_names() {
        let variant = find(name).expect("a built-in game");
        let setup = crate::protocol::cecp::board::describe(&variant).swap_remove(0);
        let fen = setup.splitn(4, ' ').last().expect("a start").to_string();
        let read = parse_fen(&variant, &fen).unwrap_or_else(|fault| panic!("{fen}: {fault}"));
        let own = variant.start_fen().replace(" Ss ", " - ");
        assert_eq!(read.fen(), own, "{name}");
    }
    let variant = find("chesstonia").expect("a built-in game");
    let read = parse_fen(&variant, "4k4/9/9/9/9/9/9/9/9/9/9/4K4[Pp] b - - 3 7").expect("legal");
    assert_eq!(read.fen(), "4k4/9/9/9/9/9/9/9/9/9/9/4K4[Pp] b - - 3 7");
    // What a pawn has become: in crazyhouse it is a pawn again when it is captured, in Chesstonia not.
    let variant = find("crazyhouse").expect("a built-in game");
    let fen = "3rk3/8/8/8/8/8/8/3Q~K2R[] b K - 0 1";
    let mut read = parse_fen(&variant, fen).expect("legal");
    assert_eq!(read.fen(), "3rk3/8/8/8/8/8/8/3+QK2R[] b K - 0 1");
    read.make(parse_move(&read, "d8d1").expect("a capture"));
    assert_eq!(read.hand_text(Color::Black), "p");
    let variant = find("chesstonia").expect("a built-in game");
    let read = parse_fen(&variant, "4k4/9/9/9/9/9/9/9/9/9/9/N~3K4[] b KQ - 3 7").expect("legal");
    assert_eq!(read.fen(), "4k4/9/9/9/9/9/9/9/9/9/9/N3K4[] b - - 3 7");
    // A king that is due is in hand, whatever XBoard shows there.
    let variant = find("sixfortresses").expect("a built-in game");
    let read = parse_fen(&variant, "9/9/9/9/9/9/9/9/T8[BNKbnk] b - - 0 9").expect("legal");
    assert_eq!(read.fen(), "9/9/9/9/9/9/9/9/T8[k] b - - 0 9");
}

#[test]
fn a_plus_promotes_to_the_strongest() {
    for (name, fen, text, own) in [
        ("crazyhouse", "1r2k3/P7/8/8/8/8/8/4K3[] w - - 0 1", "a7b8+", "a7b8q"),
        ("chess", "4k3/8/8/8/8/8/p6K/8 b - - 0 1", "a2a1+", "a2a1q"),
        ("makruk", "3k4/8/8/P7/8/8/8/3K4 w - - 0 1", "a5a6+", "a5a6m"),
    ] {
        let position = at(name, fen);
        let mv = parse_move(&position, text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(position.move_text(mv), own, "{name}");
    }
    let position = at("chess", "4k3/8/8/8/8/8/p6K/8 b - - 0 1");
    for wrong in ["a2a1++", "a2b1+", "e8e7+", "a2+", "+"] {
        assert!(parse_move(&position, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn hands_of_grand_are_pieces_to_promote_to() {
    let variant = find("grand").expect("a built-in game");
    let fen = "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R";
    let read = parse_fen(&variant, &format!("{fen}[Qp] w - - 0 1")).expect("legal");
    assert_eq!(read.fen(), format!("{fen} w - - 0 1"));
}
