use std::collections::HashSet;
use std::sync::Arc;

use super::*;
use garrison_rules::catalogue::builtin_names;
use garrison_rules::find;

fn game(name: &str) -> Arc<Variant> {
    find(name).expect("a built-in game")
}

fn setup_of(name: &str) -> String {
    describe(&game(name)).swap_remove(0)
}

/// PieceTable, size and start of a `setup` line.
fn parts(line: &str) -> (&str, &str, &str) {
    let rest = line.strip_prefix("setup (").expect("a setup line");
    let (table, rest) = rest.split_once(") ").expect("a table in brackets");
    let (size, start) = rest.split_once(' ').expect("a size and a start");
    (table, size, start)
}

#[test]
fn every_game_is_described_within_the_limits_of_xboard() {
    for name in builtin_names() {
        let (variant, lines) = (game(name), describe(&game(name)));
        let (table, size, start) = parts(&lines[0]);
        assert!(table.len() % 2 == 0 && (12..=132).contains(&table.len()), "{name}: {table}");
        let (white, black) = table.split_at(table.len() / 2);
        assert_eq!(white.to_lowercase(), black, "{name}");
        let letters: Vec<char> = white.chars().filter(|c| c.is_ascii_uppercase()).collect();
        assert_eq!(letters.iter().collect::<HashSet<_>>().len(), letters.len(), "{name}: {table}");

        let (board, parent) = size.split_once('_').expect("a parent");
        let own = parent == name && Known::of(&variant).is_some();
        assert!(own || ["fairy", "crazyhouse", "shogi", "bughouse"].contains(&parent), "{name}");
        let (board, hand) = board.split_once('+').expect("the height of a hand");
        let geometry = variant.geometry();
        assert_eq!(board, format!("{}x{}", geometry.files(), geometry.ranks()), "{name}");
        assert!(hand.parse::<u8>().expect("a number") <= geometry.ranks(), "{name}: {size}");
        for piece in
            start.split(' ').next().expect("a board").chars().filter(char::is_ascii_alphabetic)
        {
            assert!(letters.contains(&piece.to_ascii_uppercase()), "{name}: {piece} in {start}");
        }
        // A line for each letter and each promoted form, and no other line.
        let sent: HashSet<&str> =
            lines[1..].iter().map(|line| line.split('&').next().expect("a piece")).collect();
        assert_eq!(sent.len(), lines.len() - 1, "{name}: {lines:?}");
        assert_eq!(sent.len(), letters.len() + white.matches(['+', '~']).count(), "{name}");
        for letter in letters {
            assert!(sent.contains(format!("piece {letter}").as_str()), "{name}: {letter}");
        }
    }
}

#[test]
fn captured_pieces_go_where_the_game_says() {
    assert!(setup_of("swda-op").contains(" 8x8+0_fairy qobwkboq/"));
    assert!(setup_of("chesstonia").contains(" 9x12+9_crazyhouse nemfkwmen/"));
    assert!(setup_of("shoogantshii").contains(" 9x9+9_shogi lngakagnl/"));
    let start = setup_of("sixfortresses");
    assert!(start.contains("[BNINRINQKbninrinqk] w"), "{start}");
}

#[test]
fn a_promoted_form_stands_eleven_places_behind_its_piece() {
    let setup = setup_of("shoogantshii");
    let (table, ..) = parts(&setup);
    let place = |c: char| table.find(c).expect("a letter of the game");
    for (at, c) in table[..table.len() / 2].char_indices().filter(|&(_, c)| c == '+') {
        assert!(table.as_bytes()[at - PROMOTED].is_ascii_uppercase(), "{c} at {at} of {table}");
    }
    // Whose places make them promote on the last rank, and on the last two.
    assert_eq!([place('P'), place('L'), place('N')], [PAWN, FORCED_ONE, FORCED_TWO]);
}

#[test]
fn only_a_pawn_that_goes_straight_has_the_place_of_the_pawn() {
    for name in ["swda-oo", "swda-pp", "swda-op", "chesstonia", "shoogantshii", "shoranji"] {
        // The Berolina pawn, Q, moves to empty squares at a slant.
        assert_eq!(&parts(&setup_of(name)).0[..1], "P", "{name}");
    }
}

#[test]
fn moves_are_written_as_xboard_reads_them() {
    let lines = |name: &str| describe(&game(name)).join("\n");
    let swda = ["oo", "jj", "pp", "aa"].map(|armies| lines(&format!("swda-{armies}"))).concat();
    for line in ["P& fmWfcF", "Q& fmFfcW", "C& ffNbsN", "E& FfsW", "T& FH", "L& fR", "K& K"] {
        assert!(
            swda.contains(&format!("piece {line}\n")) || swda.contains(&format!("piece {line}")),
            "{line}"
        );
    }
    for (name, line) in [
        ("sixfortresses", "T& z"),
        ("shoranji", "P& fmWfceFifmW2"),
        ("chesstonia", "P& fWifmW2"),
        ("shoogantshii", "F& mBcpB"),
        ("shoogantshii", "+C& mRcpRmF"),
    ] {
        assert!(lines(name).contains(&format!("piece {line}")), "{name}: {line}");
    }
}

#[test]
fn promoted_pieces_have_the_pictures_that_xboard_shows_for_them() {
    let shoogantshii = game("shoogantshii");
    let table = PieceTable::of(&shoogantshii).expect("room");
    let picture = |letter: &str| {
        let of = |(kind, name): (PieceType, &'static str)| {
            (shoogantshii.piece(kind).letter.of_side(Color::White) == letter).then_some(name)
        };
        table.pictures().find_map(of).expect("a picture")
    };
    // In shogi it has other names for most, and a king for the place behind its elephant.
    for (letter, name) in [
        ("P", "Pawn"),
        ("L", "Lance"),
        ("+P", "GoldPawn"),
        ("+N", "GoldKnight"),
        ("+L", "GoldLance"),
    ] {
        assert_eq!(picture(letter), name);
    }
    assert!(table.pictures().all(|(_, name)| name != "Hawk"));
}
