//! The true reason why a move is refused: each rule that forbids what a piece could do otherwise.

use garrison_rules::{Position, find};

/// The game, the position, the move, and why it is not legal.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    // A pinned piece, in coordinates and in SAN.
    (
        "chess",
        "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
        "e2a2",
        "the rook on e2 is pinned by the rook on e7",
    ),
    (
        "chess",
        "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
        "Ra2",
        "the rook on e2 is pinned by the rook on e7",
    ),
    (
        "chess",
        "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1",
        "f4",
        "the pawn on f2 is pinned by the bishop on h4",
    ),
    (
        "sixfortresses",
        "4k4/9/4q4/9/9/9/4I4/4K4/9 w - - 0 1",
        "e3d3",
        "the imposter on e3 is pinned by the queen on e7",
    ),
    // A screen put before a cannon, and one taken away.
    (
        "xiangqi",
        "3k5/9/4c4/9/9/9/9/9/3N5/4K4 w - - 0 1",
        "d2e4",
        "the cannon on e8 would attack the king",
    ),
    (
        "xiangqi",
        "3k5/9/4c4/9/4P4/9/4P4/9/9/4K4 w - - 0 1",
        "e6d6",
        "the pawn on e6 is pinned by the cannon on e8",
    ),
    // A royal on an attacked square, kings that face each other among them.
    (
        "chess",
        "3rk3/8/8/8/8/8/8/4K3 w - - 0 1",
        "Kd1",
        "the king would be attacked on d1 by the rook on d8",
    ),
    (
        "xiangqi",
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "e1d1",
        "the king would be attacked on d1 by the king on d10",
    ),
    // Check that is not ended.
    (
        "chess",
        "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1",
        "a2a3",
        "White is in check from the rook on e7 and stays so",
    ),
    (
        "chess",
        "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1",
        "a3",
        "White is in check from the rook on e7 and stays so",
    ),
    ("chess", "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "a2b3", "the pawn on a2 cannot go to b3"),
    (
        "crazyhouse",
        "4k3/4r3/8/8/8/8/8/4K3[N] w - - 0 1",
        "N@a1",
        "White is in check from the rook on e7 and stays so",
    ),
    // Drops.
    (
        "sixfortresses",
        "t8/9/9/9/9/9/9/9/T8[I] w - - 0 1",
        "I@b8",
        "no imposter may be dropped on b8, beside the fortress on a9",
    ),
    (
        "shoranji",
        "t8/9/9/9/9/9/9/9/9/T8[H] w - - 0 1",
        "H@a9=E",
        "no heavy reserve may be dropped on a9, beside the fortress on a10",
    ),
    (
        "chesstonia",
        "4k4/9/9/9/9/9/9/9/9/4P4/9/4K4[P] w - - 0 1",
        "P@e6",
        "no pawn may be dropped on the file of the pawn on e3",
    ),
    (
        "chesstonia",
        "4k4/9/9/9/9/9/9/9/9/4P4/9/4K4[P] w - - 0 1",
        "P@d12",
        "no pawn may ever be dropped on d12",
    ),
    (
        "shogi",
        "k8/9/1GN6/9/9/9/9/9/4K4[P] w - - 0 1",
        "P@a8",
        "the pawn dropped on a8 would mate, and may not",
    ),
    (
        "shoogantshii",
        "3k5/9/9/9/9/9/9/9/4K4[A] w - - 0 1",
        "A@a1",
        "no advisor may ever be dropped on a1",
    ),
    // A royal in hand.
    (
        "sixfortresses",
        "4k4/9/9/9/9/9/9/9/8R[K] w - - 0 1",
        "Ra1",
        "White must place the king first",
    ),
    (
        "sixfortresses",
        "4k4/9/9/9/9/9/9/9/8R[K] w - - 0 1",
        "K@e8",
        "the king would be attacked on e8 by the king on e9",
    ),
    // Castling.
    ("swda-oo", "4k3/p7/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "swda-oo has no castling"),
    ("chess", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0", "White cannot castle like that now"),
];

#[test]
fn moves_are_refused_with_the_reason() {
    for &(game, fen, text, reason) in REFUSED {
        let variant = find(game).unwrap_or_else(|unknown| panic!("{unknown}"));
        let position = Position::from_fen(&variant, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let error = position.parse_san(text).expect_err(text);
        assert_eq!(error.reason(), reason, "{game} {fen} {text}");
    }
}

#[test]
fn pinned_pieces_could_go_there_but_for_their_royal() {
    let chess = find("chess").expect("a game");
    let fen = "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1";
    let position = Position::from_fen(&chess, fen).expect("a position");
    for (text, pinned) in [("e2d2", true), ("e2d3", false), ("e2e8", false)] {
        let error = position.parse_move(text).expect_err(text).reason();
        assert_eq!(error.contains("pinned"), pinned, "{text}: {error}");
    }
}

#[test]
fn a_drop_in_small_letters_is_shown_as_it_is_written() {
    let position = Position::start(&find("chesstonia").expect("a built-in game"));
    let error = position.parse_move("p@a1").expect_err("no move text");
    assert_eq!(error.reason(), "no move text of chesstonia (such as P@a1)");
}
