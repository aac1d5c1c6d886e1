//! Games given as text: boards of other sizes, kinds of rules that no built-in game combines, and
//! what is said of wrong definitions.

mod walk;

use std::sync::Arc;

use garrison::rules::{Definition, Position, Variant};
use walk::Random;

fn compile(text: &str) -> Result<Arc<Variant>, String> {
    let definition = Definition::parse(text).map_err(|error| error.to_string())?;
    Variant::compile(&definition, None).map(Arc::new).map_err(|error| error.to_string())
}

/// A game of chess men and cannons on a board of this size, with kings of this kind.
fn cannon_game(files: u8, ranks: u8, royalty: &str) -> String {
    let empty = format!("{files}/").repeat(usize::from(ranks) - 4);
    let row = |men: &str| men.chars().cycle().take(usize::from(files)).collect::<String>();
    let back = |king: char, men: &str| format!("{king}{}", &row(men)[1..]);
    let start = format!(
        "{}/{}/{empty}{}/{}[] w - - 0 1",
        back('k', "rcnbfc"),
        row("p"),
        row("P"),
        back('K', "RCNBFC")
    );
    format!(
        r#"
name = "cannons"
title = "Cannons"
start = "{start}"
hand = "PRNBCF"
captures = "hand"
board = {{ files = {files}, ranks = {ranks} }}
royalty = {{ man = "K", kind = "{royalty}" }}
end = {{ no_moves = "loss", repetition = 3 }}

[men]
K = {{ name = "king", betza = "K", limit = 1 }}
R = {{ name = "rook", betza = "R" }}
N = {{ name = "knight", betza = "N" }}
B = {{ name = "bishop", betza = "B3" }}
C = {{ name = "cannon", betza = "mRcpR" }}
F = {{ name = "diagonal cannon", betza = "mBcpBmW" }}

[men.P]
name = "pawn"
betza = "mfWcfF"
zeroing = true
double_step = {{ from = "ranks2-3", en_passant = true }}
promotion = {{ zone = "last2", forced = "last", to = "RC" }}
drop = {{ region = "-rank1" }}
"#
    )
}

/// The slow twin of legality: where the king may be captured every move is allowed, so the legal
/// moves of the royal game are those after which the king is not attacked.
fn check_legality(files: u8, ranks: u8, seed: u64) {
    let royal = compile(&cannon_game(files, ranks, "absolute")).expect("a game");
    let free = compile(&cannon_game(files, ranks, "captured")).expect("a game");
    let mut random = Random::new(seed);
    for _ in 0..6 {
        let mut position = Position::start(&royal);
        for _ in 0..120 {
            let fen = position.fen();
            let mut loose = Position::from_fen(&free, &fen).expect("the same position");
            let side = loose.side();
            let mut expected = Vec::new();
            for mv in loose.legal_moves() {
                loose.make(mv);
                if !loose.is_attacked(side) {
                    expected.push(mv);
                }
                loose.unmake();
            }
            let mut found = position.legal_moves().to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{files}x{ranks} {fen}");
            assert_eq!(found.len() as u64, position.count_legal_moves());
            let Some(mv) = random.choose(&position) else { break };
            position.make(mv);
        }
    }
}

#[test]
fn hoppers_and_pins_on_boards_of_every_shape() {
    for (files, ranks) in [(8, 8), (9, 9), (9, 14), (10, 12), (11, 11), (12, 10), (16, 8), (5, 6)] {
        check_legality(files, ranks, u64::from(files) * 31 + u64::from(ranks));
    }
}

/// A base game with another array: the definition overrides what the rule book decided.
#[test]
fn an_array_of_ones_own() {
    let base = Definition::parse(include_str!("../src/rules/games/sixfortresses.toml"));
    let own = Definition::parse(
        "name = 'mine'\nstart = 'tw1ftf1wt/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/TW1FTF1WT[] w Ss - 0 1'",
    );
    let definition = own.expect("a definition").over_base(&base.expect("a definition"));
    let variant = Arc::new(Variant::compile(&definition, None).expect("a game"));
    let position = Position::start(&variant);
    assert_eq!(variant.name(), "mine");
    assert_eq!(position.fen(), variant.start_fen());
    assert_eq!(position.count_legal_moves(), 90);
}

#[test]
fn wrong_definitions_are_refused_with_the_place() {
    let good = cannon_game(9, 9, "absolute");
    for (from, to, message) in [
        ("mRcpR", "mRcpX", "men.C.betza: column 5: 'X' is no atom"),
        ("files = 9", "files = 17", "board: 17x9 does not fit"),
        ("to = \"RC\"", "to = \"RX\"", "men.P.promotion.to: there is no man 'X'"),
        ("\"last2\"", "\"last0\"", "men.P.promotion.zone: 'last0' is no square"),
        ("ranks2-3", "ranks2-7", "men.P.double_step.from: a double step from there ends where"),
        ("man = \"K\"", "man = \"k\"", "royalty.man: 'k' is not a row of men's letters"),
        ("repetition = 3", "repetition = 1", "end.repetition: must be 2 or more"),
        ("repetition = 3", "repetitions = 3", "line 9, column 28: unknown field `repetitions`"),
        ("files = 9", "files = \"nine\"", "line 7, column 19: invalid type"),
        ("title = \"Cannons\"", "", "title: is missing"),
        ("R = {", "RR = {", "men.RR: a man's letter is A to Z or +A to +Z"),
        ("hand = \"PRNBCF\"", "hand = \"PQ\"", "hand: there is no man 'Q'"),
        ("[men]", "[men", "line 11, column "),
    ] {
        assert!(good.contains(from), "{from}");
        let fault = compile(&good.replacen(from, to, 1)).expect_err(to);
        assert!(fault.contains(message), "{to}: {fault}");
        assert_eq!(fault.lines().count(), 1, "{fault}");
    }
}
