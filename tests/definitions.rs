//! Games given as text: boards of other sizes, kinds of rules that no built-in game combines, and
//! what is said of wrong definitions.

mod walk;

use std::sync::Arc;

use garrison_rules::definition::{Definition, DefinitionError};
use garrison_rules::{Move, Position, Square, Variant};
use walk::Random;

fn compile(text: &str) -> Result<Arc<Variant>, String> {
    let lines = |faults: Vec<DefinitionError>| {
        faults.iter().map(DefinitionError::to_string).collect::<Vec<_>>().join("\n")
    };
    let definition = Definition::parse(text).map_err(lines)?;
    Variant::compile(&definition, None).map_err(lines)
}

/// A game of chess pieces and cannons on a board of this size, with kings of this kind.
fn cannon_game(files: u8, ranks: u8, royalty: &str) -> String {
    let empty = format!("{files}/").repeat(usize::from(ranks) - 4);
    let row = |pieces: &str| pieces.chars().cycle().take(usize::from(files)).collect::<String>();
    let back = |king: char, pieces: &str| format!("{king}{}", &row(pieces)[1..]);
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
start = "{start}"
hand = "PRNBCF"
captures = "hand"
board = {{ files = {files}, ranks = {ranks} }}
royalty = {{ piece = "K", kind = "{royalty}" }}
end = {{ no_moves = "loss", repetition = 3 }}

[pieces]
K = {{ name = "king", betza = "K", limit = 1 }}
R = {{ name = "rook", betza = "R" }}
N = {{ name = "knight", betza = "N" }}
B = {{ name = "bishop", betza = "B3" }}
C = {{ name = "cannon", betza = "mRcpR" }}
F = {{ name = "diagonal cannon", betza = "mBcpBmW" }}

[pieces.P]
name = "pawn"
betza = "mfWcfF"
zeroing = true
double_step = {{ from = "ranks2-3", en_passant = true }}
promotion = {{ zone = "last2", forced = "last", to = "RC" }}
drop = {{ region = "-rank1" }}
"#
    )
}

/// The legal moves of a position by a slow twin: those of the same game in which kings may be captured,
/// after which no enemy move captures one; where `one_is_enough`, after which some king is not captured by any.
fn slow_moves(free: &Arc<Variant>, fen: &str, one_is_enough: bool) -> Vec<Move> {
    let mut loose = Position::from_fen(free, fen).expect("the same position");
    let side = loose.side_to_move();
    let is_royal = |position: &Position, square: Square| {
        let piece = position.at(square).filter(|piece| piece.color() == side);
        piece.is_some_and(|piece| free.royals().contains(piece.kind()))
    };
    let mut found = Vec::new();
    for mv in loose.legal_moves() {
        loose.make(mv);
        let replies = loose.legal_moves();
        let mut lost: Vec<Square> = replies
            .iter()
            .filter(|reply| !reply.is_drop() && is_royal(&loose, reply.to()))
            .map(|reply| reply.to())
            .collect();
        lost.sort_unstable();
        lost.dedup();
        let royals = loose.pieces_of(side).filter(|&square| is_royal(&loose, square)).count();
        if lost.is_empty() || one_is_enough && lost.len() < royals {
            found.push(mv);
        }
        loose.unmake();
    }
    found
}

/// Compares the legal moves of a game with those of its slow twin on random walks. Castling is judged
/// by squares that are passed, so the twin has none.
fn check_legality(text: &str, seed: u64) {
    let royal = compile(text).unwrap_or_else(|faults| panic!("{faults}"));
    let one_is_enough = text.contains("kind = \"duple\"");
    let kind = if one_is_enough { "kind = \"duple\"" } else { "kind = \"absolute\"" };
    let free = text.replace(kind, "kind = \"captured\"");
    let free = compile(&free).unwrap_or_else(|faults| panic!("{faults}"));
    let mut random = Random::new(seed);
    for _ in 0..6 {
        let mut position = Position::start(&royal);
        for _ in 0..120 {
            let fen = position.fen();
            let mut expected = slow_moves(&free, &fen, one_is_enough);
            let mut found = position.legal_moves().to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            let texts = |moves: &[Move]| -> Vec<String> {
                moves.iter().map(|&mv| position.move_text(mv)).collect()
            };
            assert_eq!(texts(&found), texts(&expected), "{fen}");
            assert_eq!(found.len() as u64, position.count_legal_moves());
            assert!(found.iter().all(|&mv| position.is_legal(mv)), "{fen}");
            let Some(mv) = random.choose(&position) else { break };
            position.make(mv);
            assert_eq!(position.key(), position.fresh_key());
            position.unmake();
            assert_eq!(position.fen(), fen);
            position.make(mv);
        }
    }
}

/// A game of pieces whose moves depend on what stands in their way, of pieces that spare others, and of pieces
/// with first moves, with these royals.
fn quirk_game(royals: &str, facing: &str) -> String {
    let files: Vec<char> = ('a'..='i').collect();
    let rank = |rank: &str| files.iter().map(|file| format!("{file}{rank}")).collect::<String>();
    format!(
        r#"
name = "quirks"
start = "ynecksgqr/ppppppppp/9/9/4*4/4*4/9/9/PPPPPPPPP/YNECKSGQR w {}{} - 0 1"
captures = "removed"
board = {{ files = 9, ranks = 10, holes = "e5-e6" }}
royalty = {{ piece = "{royals}", kind = "absolute"{facing} }}
end = {{ no_moves = "loss", repetition = 3 }}

[pieces]
K = {{ betza = "K" }}
R = {{ betza = "R" }}
N = {{ betza = "nN" }}
E = {{ betza = "nAnZ" }}
Y = {{ betza = "NNF2" }}
G = {{ betza = "gQ" }}
C = {{ betza = "pRmF", not_over = "CN", spares = "C" }}
S = {{ betza = "BcpR", spares = "R", on_capture = "R" }}
Q = {{ betza = "FD3", on_capture = "taken" }}
P = {{ betza = "mfWcfF", first = "ffNfW2", never = "last" }}
"#,
        rank("2"),
        rank("9")
    )
}

#[test]
fn quirks_are_judged_as_by_their_slow_twin() {
    check_legality(&quirk_game("K", ""), 1);
    check_legality(&quirk_game("K", ", facing = true"), 2);
    check_legality(&quirk_game("KY", ""), 3);
    check_legality(&quirk_game("E", ""), 4);
}

#[test]
fn royals_may_face_each_other_on_no_line() {
    for (seed, along) in [(5, "straight"), (6, "diagonal"), (7, "any")] {
        let facing = format!(", facing = true, facing_along = \"{along}\"");
        check_legality(&quirk_game("K", &facing), seed);
    }
}

#[test]
fn pieces_promote_to_royals_where_those_are_safe() {
    let text = cannon_game(8, 8, "absolute").replace("piece = \"K\"", "piece = \"KR\"");
    let text = text.replace("zone = \"last2\"", "zone = \"last4\"");
    assert!(text.contains("\"KR\"") && text.contains("last4"));
    for seed in 40..42 {
        check_legality(&text, seed);
    }
}

#[test]
fn of_several_kings_one_is_kept_safe() {
    for (files, royals, to) in [(8, "KF", "RC"), (7, "KN", "NC"), (6, "KR", "RC")] {
        let text = cannon_game(files, 8, "duple").replace("to = \"RC\"", &format!("to = \"{to}\""));
        let text = text.replace("piece = \"K\"", &format!("piece = \"{royals}\""));
        let text = text.replace("captures = \"hand\"", "captures = \"removed\"");
        check_legality(&text, 60 + u64::from(files));
    }
}

#[test]
fn hoppers_and_pins_on_boards_of_every_shape() {
    for (files, ranks) in [(8, 8), (9, 9), (9, 14), (10, 12), (11, 11), (12, 10), (16, 8), (5, 6)] {
        let seed = u64::from(files) * 31 + u64::from(ranks);
        check_legality(&cannon_game(files, ranks, "absolute"), seed);
    }
}

/// The first move of a piece may hop, and then not over the pieces that it cannot hop over at all.
#[test]
fn a_first_move_may_hop() {
    let game = |not_over: &str| {
        let text = format!(
            r#"
name = "hops"
start = "7k/8/8/8/B2R4/8/8/C2CK3 w a1d1 - 0 1"
board = {{ files = 8, ranks = 8 }}
royalty = {{ piece = "K", kind = "absolute" }}
end = {{ no_moves = "draw" }}

[pieces]
K = {{ betza = "K" }}
R = {{ betza = "R" }}
B = {{ betza = "B" }}
C = {{ betza = "F", first = "fpR"{not_over} }}
"#
        );
        compile(&text).unwrap_or_else(|faults| panic!("{faults}"))
    };
    let moves = |variant: &Arc<Variant>, fen: &str| {
        let position = Position::from_fen(variant, fen).expect("a position");
        let ahead = |square: Square| "ad".contains(&variant.geometry().name(square)[..1]);
        let moves = position.legal_moves();
        let hops = moves.iter().filter(|mv| "a1 d1".contains(&variant.geometry().name(mv.from())));
        let hops = hops.filter(|mv| ahead(mv.to())).map(|&mv| position.move_text(mv));
        let mut hops: Vec<String> = hops.collect();
        hops.sort_unstable();
        hops
    };
    let any = game("");
    assert_eq!(
        moves(&any, any.start_fen()),
        ["a1a5", "a1a6", "a1a7", "a1a8", "d1d5", "d1d6", "d1d7", "d1d8"]
    );
    assert!(moves(&any, &any.start_fen().replace("a1d1", "-")).is_empty());
    let some = game(", not_over = \"R\"");
    assert_eq!(moves(&some, some.start_fen()), ["a1a5", "a1a6", "a1a7", "a1a8"]);
}

/// A base game with another array: the definition overrides what the rule book decided.
#[test]
fn an_array_of_ones_own() {
    let base = Definition::parse(include_str!("../crates/rules/games/sixfortresses.toml"));
    let own = Definition::parse(
        "name = 'mine'\nstart = 'tw1ftf1wt/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/TW1FTF1WT[] w Ss - 0 1'",
    );
    let definition = own.expect("a definition").over_base(&base.expect("a definition"));
    let variant = Variant::compile(&definition, None).expect("a game");
    let position = Position::start(&variant);
    assert_eq!(variant.name(), "mine");
    assert_eq!(position.fen(), variant.start_fen());
    assert_eq!(position.count_legal_moves(), 90);
}

#[test]
fn wrong_definitions_are_refused_with_the_place() {
    let good = cannon_game(9, 9, "absolute");
    for (from, to, message) in [
        ("mRcpR", "mRcpX", "pieces.C.betza: column 5: 'X' is no atom"),
        ("files = 9", "files = 17", "board: 17 files; at most 16 are possible"),
        ("to = \"RC\"", "to = \"RX\"", "pieces.P.promotion.to: there is no piece 'X'"),
        ("\"last2\"", "\"last0\"", "pieces.P.promotion.zone: 'last0' is no square"),
        ("ranks2-3", "ranks2-7", "pieces.P.double_step.from: a double step from there ends where"),
        (
            "piece = \"K\"",
            "piece = \"k\"",
            "royalty.piece: 'k' is not a row of pieces' letters, capitals with + before those of promoted pieces",
        ),
        ("repetition = 3", "repetition = 1", "end.repetition: expected are 2 or more"),
        (
            "repetition = 3",
            "repetitions = 3",
            "line 8, column 28: end.repetitions: unknown key; the nearest is 'repetition'",
        ),
        (
            "files = 9",
            "files = \"nine\"",
            "line 6, column 19: board.files = \"nine\": expected is a whole number",
        ),
        ("name = \"cannons\"", "", "name: is missing"),
        ("R = {", "RR = {", "pieces.RR: a piece's letter is A to Z or +A to +Z"),
        ("hand = \"PRNBCF\"", "hand = \"PQ\"", "hand: there is no piece 'Q'"),
        ("[pieces]", "[pieces", "line 10, column "),
    ] {
        assert!(good.contains(from), "{from}");
        let fault = compile(&good.replacen(from, to, 1)).expect_err(to);
        assert!(fault.contains(message), "{to}: {fault}");
        assert_eq!(fault.lines().count(), 1, "{fault}");
    }
}

#[test]
fn captured_pieces_that_are_in_no_hand_leave_the_game() {
    let text = cannon_game(9, 9, "absolute").replace("hand = \"PRNBCF\"", "hand = \"PNBCF\"");
    let game = compile(&text).expect("a game");
    let words = game.rules_in_words().join("\n");
    assert!(words.contains("Captured rooks leave the game."), "{words}");
    let fen = "k8/9/9/9/4r4/9/9/9/K3R4[] w - - 0 1";
    let mut position = Position::from_fen(&game, fen).expect("a position");
    position.play("e1e5").expect("a capture");
    assert!(
        position.fen().contains("/4R4/") && position.fen().contains("[]"),
        "{}",
        position.fen()
    );
}
