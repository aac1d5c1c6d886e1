use super::*;
use garrison_rules::find;

fn at(name: &str, fen: &str) -> Position {
    let variant = find(name).expect("a built-in game");
    Position::from_fen(&variant, fen).expect("a position of the game")
}

#[test]
fn moves_are_yellow_and_captures_red() {
    let position = at("swda-oo", "rnafkanr/pppppppp/8/8/8/3p4/PPPPPPPP/RNAFKANR w - - 0 1");
    assert_eq!(marks(&position, "e2"), "8/8/8/8/8/3RY3/8/8");
    // An empty square, an opponent's piece and no square at all: no marks, but an answer.
    for nothing in ["e4", "e7", "z9", "", "é"] {
        assert_eq!(marks(&position, nothing), "8/8/8/8/8/8/8/8", "{nothing}");
    }
    assert_eq!(choice(&position, "e2", "e3"), None);
}

#[test]
fn the_engine_decides_where_there_is_one_promotion() {
    let position = at("swda-oo", "4k3/P6p/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(marks(&position, "a7"), "B7/8/8/8/8/8/8/8");
    assert_eq!(choice(&position, "a7", "a8").as_deref(), Some("F"));
}

#[test]
fn the_user_chooses_where_there_are_several() {
    let position = at("chesstonia", "4k4/9/9/9/4P4/9/9/9/9/9/9/4K4[N] w - - 0 1");
    assert_eq!(marks(&position, "e8"), "9/9/9/4M4/9/9/9/9/9/9/9/9");
    let letters = choice(&position, "e8", "e9").expect("a choice");
    let mut sorted: Vec<char> = letters.chars().collect();
    sorted.sort_unstable();
    assert_eq!(sorted, ['E', 'F', 'M', 'N', 'P', 'W']);
    // Not promoting comes last.
    assert!(letters.ends_with('P'), "{letters}");
    // Two files to the right of the board is the hand; the knight's slot there.
    let table = PieceTable::of(position.variant()).expect("room");
    let knight = table
        .hand(position.variant())
        .iter()
        .position(|&kind| position.variant().piece(kind).letter.capital == 'N');
    let slot = format!("k{}", knight.expect("a slot") + 1);
    assert_eq!(marks(&position, &slot).matches('Y').count(), 9 * 12 - 3);
    assert_eq!(marks(&position, "k12").matches('Y').count(), 0);
}

#[test]
fn in_shogi_only_what_xboard_does_not_know_is_decided() {
    // The rook may promote on entering, not on leaving; the pawn must on the last rank.
    let fen = "3k5/P1R6/9/9/9/9/9/9/4K4[] w - - 0 1";
    let position = at("shoogantshii", fen);
    assert_eq!(choice(&position, "c8", "c9"), None);
    assert_eq!(choice(&position, "c8", "c5").as_deref(), Some("="));
    assert_eq!(choice(&position, "a8", "a9").as_deref(), Some("+"));
    assert_eq!(choice(&position, "e1", "e2"), None);
    let marks = marks(&position, "c8");
    let column: Vec<&str> = marks.split('/').collect();
    assert!(column[0].contains('M') && column[4].contains('B'), "{marks}");
}

#[test]
fn every_piece_of_shoogantshii_may_be_promoted() {
    let start = Position::start(&find("shoogantshii").expect("a built-in game"));
    assert_eq!(marks(&start, "b2"), "9/9/6M2/9/9/9/9/9/9");
    assert_eq!(marks(&start, "g2"), "9/9/6M2/9/9/9/9/3YYY3/9");
}

#[test]
fn a_first_move_keeps_the_arrays() {
    let variant = find("shoranji").expect("a built-in game");
    let start = Position::start(&variant);
    assert!(start.setup_phase().is_pending());
    // XBoard counts ten ranks from 0.
    assert_eq!(marks(&start, "c2"), "9/9/9/9/9/2Y6/2Y6/9/9/9");
    assert!(start.setup_phase().is_pending());
}

#[test]
fn the_strongest_piece_comes_first() {
    for (name, fen, from, to, letters) in [
        ("chess", "8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7", "a8", "QRBN"),
        ("chess", "4k3/8/8/8/8/8/p6K/8 b - - 0 1", "a2", "a1", "QRBN"),
        ("crazyhouse", "1r2k3/P7/8/8/8/8/8/4K3[] w - - 0 1", "a7", "b8", "QRNB"),
        ("berolina", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "b8", "QRNB"),
        ("capablanca", "5k4/P9/10/10/10/10/10/5K4 w - - 0 1", "a7", "a8", "QCARBN"),
        ("sixfortresses", "4k4/P8/9/9/9/9/9/9/4K4[] w - - 0 1", "a8", "a9", "QRBN"),
    ] {
        let position = at(name, fen);
        assert_eq!(choice(&position, from, to).as_deref(), Some(letters), "{name}");
    }
    // In every game the letters go down by value.
    let position = at("shoranji", "4k4/P8/9/9/9/9/9/9/9/4K4[] w - - 0 1");
    let letters = choice(&position, "a8", "a9").expect("a choice");
    let variant = position.variant();
    let linear = Evaluation::new(variant).linear;
    let of = |capital| garrison_rules::Letter { capital, promoted: false };
    let kinds = letters.chars().map(|letter| variant.kind_of(of(letter)).expect("a piece"));
    let values: Vec<f64> = kinds.map(|kind| linear.value_at_rest(variant, kind)).collect();
    assert_eq!(values.len(), 7);
    assert!(values.is_sorted_by(|a, b| a >= b), "{letters}: {values:?}");
}
