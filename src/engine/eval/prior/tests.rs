//! The prior of every game: finite, of sensible size, and in the order that players know.

use std::sync::Arc;

use super::{Design, SHIPPED, evaluation, evaluation_by, parse, untrained};
use crate::engine::LinearEval;
use crate::engine::eval::tests::defined;
use garrison_rules::catalogue::{builtin_names, reference_names};
use garrison_rules::definition::DefinitionFile;
use garrison_rules::{Catalogue, PieceType, Variant, find};

/// The built-in games, the reference games and those of examples/games.
fn all_games() -> Vec<Arc<Variant>> {
    let shipped = builtin_names().iter().chain(reference_names());
    let mut games: Vec<Arc<Variant>> =
        shipped.map(|name| find(name).expect("a built-in game")).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games");
    let mut others = Catalogue::new();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a definition");
        files.push(DefinitionFile { name: entry.path().display().to_string(), text });
    }
    let names: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let line = file.text.lines().find(|line| line.starts_with("name"))?;
            Some(line.split('"').nth(1)?.to_string())
        })
        .collect();
    others.add(files).expect("definitions without faults");
    games.extend(names.iter().filter_map(|name| others.find(name).ok()));
    assert!(games.len() > 50, "{}", games.len());
    games
}

fn piece(variant: &Variant, letter: &str) -> PieceType {
    let mut kinds = variant.kinds();
    kinds.find(|&kind| variant.piece(kind).letter.to_string() == letter).expect("a piece type")
}

#[test]
fn what_ships_can_be_read() {
    let text = include_str!("../prior.toml");
    assert_eq!(parse(text).expect("coefficients").len(), untrained().len());
    assert!(parse("[value]\none = [1.0]").is_err());
}

#[test]
fn weights_are_finite_and_pieces_are_worth_something() {
    for variant in all_games() {
        let design = Design::new(&variant, true);
        for pair in design.weights(&SHIPPED) {
            assert!(pair.iter().all(|weight| weight.abs() < 3_000.0), "{variant:?}: {pair:?}");
        }
        let linear = evaluation(&variant);
        for kind in variant.kinds() {
            let piece = variant.piece(kind);
            let value = linear.piece_value(kind);
            let counts = piece.reserve.is_empty() && variant.royal() != Some(kind);
            if counts && !design.giveaway {
                assert!((1..=2_000).contains(&value), "{variant:?}, {}: {value}", piece.letter);
            }
        }
    }
}

#[test]
fn moves_alone_put_pieces_into_order() {
    for (name, order) in [
        ("chess", "QRNP"),
        ("chess", "QRBP"),
        ("capablanca", "QRNP"),
        ("xiangqi", "RNA"),
        ("shogi", "RGP"),
        ("makruk", "RNMP"),
    ] {
        let variant = find(name).expect("a reference game");
        let linear: LinearEval = evaluation_by(&variant, &SHIPPED, false);
        let values: Vec<i32> = order
            .chars()
            .map(|letter| linear.piece_value(piece(&variant, &letter.to_string())))
            .collect();
        assert!(values.is_sorted_by(|a, b| a > b), "{name}: {order} {values:?}");
    }
}

#[test]
fn pieces_that_move_alike_are_worth_the_same() {
    let twins = defined(
        "twins",
        "name = 'twins'\nbase = 'chess'\nstart = 'rcbqkbcr/pppppppp/8/8/8/8/PPPPPPPP/RCBQKBCR w KQkq - 0 1'\n\
         [pieces]\nC = { name = 'horse', betza = 'N' }\nP = { promotion = { to = 'QRBCN' } }",
    );
    let linear = evaluation_by(&twins, &SHIPPED, false);
    let [horse, knight] = ["C", "N"].map(|letter| linear.piece_value(piece(&twins, letter)));
    // The one that stands in the start array may count a little for leaving its place.
    assert!((horse - knight).abs() <= 25, "{horse} {knight}");
}

#[test]
fn a_value_that_is_written_counts() {
    let with = |value: &str| {
        let text = format!("name = 'hint'\nbase = 'chess'\n[pieces]\nN = {{ value = {value} }}");
        let variant = defined("hint", &text);
        let knight = piece(&variant, "N");
        evaluation(&variant).piece_value(knight)
    };
    assert!(with("500") > with("300") && with("300") > with("100"));
    // But no knight is worth ten pawns.
    assert_eq!(with("1000"), with("3000"));
}

#[test]
fn a_piece_that_moves_in_another_way_has_another_value() {
    let text = "name = 'weak'\nbase = 'chess'\n[pieces]\nQ = { name = 'met', betza = 'F' }";
    let weak = defined("weak", text);
    let linear = evaluation(&weak);
    let [met, knight] = ["Q", "N"].map(|letter| linear.piece_value(piece(&weak, letter)));
    assert!(met < knight, "{met} {knight}");
}

#[test]
fn what_waits_in_hand_is_worth_less_than_on_the_board() {
    let text = "name = 'waiting'\nbase = 'chess'\nhand = 'A'\nstart = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Aa] w KQkq - 0 1'\n\
                gating = { pieces = 'A', squares = 'rank1' }\n[pieces]\nA = { betza = 'BN', drop.region = '' }";
    let waiting = defined("waiting", text);
    let linear = evaluation(&waiting);
    let archbishop = piece(&waiting, "A");
    let [board, hand] = [linear.piece_value(archbishop), linear.hand_value(archbishop)];
    assert!(hand > 0 && hand < board, "{hand} {board}");
}

#[test]
fn pieces_count_for_the_other_side_where_they_are_to_be_lost() {
    let text = include_str!("../../../../examples/games/antichess.toml");
    let variant = defined("antichess", text);
    let values = |linear: &LinearEval| {
        ["Q", "R", "B", "N", "P", "K"].map(|letter| linear.piece_value(piece(&variant, letter)))
    };
    // Played out, all pieces are about as bad to have.
    let learned = values(&evaluation(&variant));
    assert!(learned.iter().all(|value| *value < 0), "{learned:?}");
    let plain = values(&LinearEval::plain(&variant));
    assert!(plain[..5].is_sorted() && plain[4] < 0, "{plain:?}");
}

#[test]
fn a_second_king_is_worth_what_its_moves_are() {
    let kings = |end: &str| {
        let text = format!(
            "name = 'kings'\nstart = 'rnkknr/pppppp/6/6/PPPPPP/RNKKNR w - - 0 1'\n{end}\n\
             [board]\nfiles = 6\nranks = 6\n[pieces]\nK = {{ betza = 'K' }}\nR = {{ betza = 'R' }}\n\
             N = {{ betza = 'N' }}\nP = {{ betza = 'mfWcfF' }}"
        );
        let game = defined("kings", &text);
        let value = |letter| evaluation(&game).piece_value(piece(&game, letter));
        [value("K"), value("P"), value("R")]
    };
    for kind in ["captured", "last", "duple"] {
        let [king, pawn, rook] = kings(&format!("royalty = {{ piece = 'K', kind = '{kind}' }}"));
        assert!(pawn < king && king < rook, "{kind}: {pawn} {king} {rook}");
    }
}

#[test]
fn a_reserve_is_worth_the_best_that_it_may_become() {
    let text = "name = 'reserve'\nbase = 'chess'\nhand = 'X'\n\
                start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Xx] w KQkq - 0 1'\n\
                [pieces.X]\nreserve = 'RB'";
    let game = defined("reserve", text);
    let linear = evaluation(&game);
    let reserve = linear.hand_value(piece(&game, "X"));
    let [bishop, rook] = ["B", "R"].map(|letter| linear.piece_value(piece(&game, letter)));
    assert!(bishop < reserve && reserve <= rook, "{bishop} {reserve} {rook}");
}

#[test]
fn the_way_to_promotion_is_counted_in_steps() {
    // Some of its pawns start on the rank of the promotion zone, at the other end of the board.
    let text = "name = 'corner'\nbase = 'chess'\ncastling = []\nboard.black = 'turned'\n\
                start = 'knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1'\n[pieces.P]\n\
                betza = 'mflFcflW'\nnever = ''\ndouble_step.from = ''\n\
                promotion = { zone = 'a8-d8 a5-a7', forced = 'a8-d8 a5-a7' }";
    let corner = defined("corner", text);
    let linear = evaluation(&corner);
    let [pawn, knight] = ["P", "N"].map(|letter| linear.piece_value(piece(&corner, letter)));
    assert!(3 * pawn < 2 * knight, "{pawn} {knight}");
}

#[test]
fn boards_of_any_shape_have_a_prior() {
    // One rank, no royal, no pawns; a reserve; no move at all.
    for (name, text) in [
        (
            "line",
            "name = 'line'\nstart = 'RR2rr w - - 0 1'\n[board]\nfiles = 6\nranks = 1\n[pieces]\nR = { betza = 'R' }\n[end]\nno_moves = 'loss'",
        ),
        (
            "stones",
            "name = 'stones'\nstart = 'SW/ws w - - 0 1'\n[board]\nfiles = 2\nranks = 2\n[pieces]\nS = { name = 'stone' }\nW = { betza = 'W' }\n[end]\nno_moves = 'loss'",
        ),
    ] {
        let variant = defined(name, text);
        for pair in Design::new(&variant, true).weights(&SHIPPED) {
            assert!(pair.iter().all(|weight| weight.is_finite()), "{name}");
        }
        let linear = evaluation(&variant);
        assert!(variant.kinds().all(|kind| linear.piece_value(kind).abs() <= 2_000), "{name}");
    }
}

/// Prints how long the prior of each game takes: `cargo test --release --lib -- --ignored --nocapture time_of_priors`.
#[test]
#[ignore = "a measurement"]
fn time_of_priors() {
    for variant in all_games() {
        let start = std::time::Instant::now();
        std::hint::black_box(evaluation(&variant));
        println!("{variant:?} {:?}", start.elapsed());
    }
}
