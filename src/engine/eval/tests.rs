//! Evaluations: what they judge, what is read from files and what is refused, and that the order of a definition
//! does not matter.

use super::network::{FeatureForm, NetworkFile, encode, random_weights};
use super::*;
use crate::engine::GameProfile;
use crate::engine::openings::play_random_moves;
use garrison_rules::catalogue::{builtin_names, reference_names};
use garrison_rules::definition::{DefinitionFile, load};
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, find};
use garrison_weights::SHIPPED;

fn game(name: &str) -> Arc<Variant> {
    find(name).expect("a built-in game")
}

/// The game of a definition.
pub(super) fn defined(name: &str, text: &str) -> Arc<Variant> {
    let file = DefinitionFile { name: format!("{name}.toml"), text: text.to_string() };
    load(vec![file]).expect("a definition without faults").remove(0)
}

/// A position of a game after random moves.
fn random_position(variant: &Arc<Variant>, seed: u64) -> Position {
    let mut random = SplitMix::new(seed);
    let mut position = Position::start(variant);
    let plies = 20 + random.below(100);
    play_random_moves(&mut position, plies, &mut random);
    position
}

#[test]
fn every_evaluation_that_ships_is_read() {
    let names = builtin_names().iter().chain(reference_names());
    let games: Vec<Arc<Variant>> = names.map(|name| game(name)).collect();
    for shipped in &SHIPPED {
        let own: Vec<_> = games.iter().filter(|game| game.family() == shipped.family).collect();
        assert!(!own.is_empty(), "{} is no game", shipped.family);
        for variant in own {
            let read = file_of(shipped).and_then(|file| file.evaluation(variant));
            let read = read.unwrap_or_else(|error| panic!("{variant:?}: {error}"));
            assert_eq!(read.has_network(), shipped.network().is_some(), "{variant:?}");
        }
    }
    assert!(builtin_names().iter().all(|name| Shipped::of(game(name).family()).is_some()));
}

#[test]
fn an_evaluation_is_read_once_for_each_game() {
    let variant = game("swda-aa");
    let [first, second] = [0, 1].map(|_| Evaluation::new(&variant));
    let weights = |evaluation: &Evaluation| -> *const network::Weights {
        evaluation.network().expect("a network").weights()
    };
    assert_eq!(weights(&first), weights(&second));
}

struct TermCounts(Vec<f64>);

impl TermSink for TermCounts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += f64::from(count);
    }
}

/// How often the terms of a group occur in a position: White's less Black's.
fn counts(variant: &Arc<Variant>, fen: &str, letter: &str, name: &'static str) -> Vec<f64> {
    let position = Position::from_fen(variant, fen).expect("a position");
    let linear = LinearEval::plain(variant);
    let mut counts = TermCounts(vec![0.0; linear.layout().terms]);
    linear.extract(&position, &mut counts);
    let terms = linear.layout().by_name(variant);
    let group = terms[&(letter.to_string(), name)];
    counts.0[group.start..group.start + group.length].to_vec()
}

/// How often a term of a piece type, with one number, occurs in a position of chess.
fn count(fen: &str, letter: &str, name: &'static str) -> f64 {
    counts(&game("chess"), fen, letter, name)[0]
}

/// A game like chess but for these lines of its definition.
fn like_chess(lines: &str) -> Arc<Variant> {
    let text = format!("name = \"other\"\nbase = \"chess\"\n{lines}");
    defined("other", &text)
}

#[test]
fn terms_are_counted_as_the_table_of_terms_says() {
    // The rook is attacked by the bishop, not defended, and may move or not.
    let rook = "4k3/8/8/3r4/8/1B6/8/4K3";
    for (side, en_prise) in [("b", 0.0), ("w", -1.0)] {
        let fen = format!("{rook} {side} - - 0 1");
        assert_eq!(count(&fen, "R", "lesser_threat"), -1.0);
        assert_eq!(count(&fen, "R", "hanging"), -1.0);
        assert_eq!(count(&fen, "R", "en_prise"), en_prise);
        assert_eq!(count(&fen, "B", "lesser_threat"), 0.0, "a rook is worth more");
    }
    // The knight could check from c7, d6, f6, but the bishop attacks d6, and g7 is not a knight's move away.
    let knight = "4k3/8/8/3N4/8/b7/8/4K3 w - - 0 1";
    assert_eq!(count(knight, "N", "safe_check"), 2.0);
    // One of the knights is beyond the first, and all three rooks but one.
    assert_eq!(count("4k3/8/8/8/8/rr1r4/8/NN2K3 w - - 0 1", "N", "pair"), 1.0);
    assert_eq!(count("4k3/8/8/8/8/rr1r4/8/NN2K3 w - - 0 1", "R", "pair"), -2.0);
    // A passed pawn with a king ahead, one without, and one that is not passed.
    assert_eq!(count("8/8/4k3/4P2P/8/8/8/4K3 w - - 0 1", "P", "blocked"), 1.0);
    assert_eq!(count("8/3p4/4k3/4P3/8/8/8/4K3 w - - 0 1", "P", "blocked"), 0.0);
}

#[test]
fn the_way_of_passed_pawns_and_the_royals_near_it_are_counted() {
    let chess = game("chess");
    let free = |fen| counts(&chess, fen, "P", "passed_free");
    let only = |rank: usize, count| {
        std::array::from_fn::<f64, 8, _>(|at| if at == rank { count } else { 0.0 })
    };
    assert_eq!(free("7k/8/8/P7/8/8/8/K7 w - - 0 1"), only(4, 1.0));
    // A piece on the way, an attacked square of it, an attack on the pawn alone, a pawn that is not passed.
    assert_eq!(free("n6k/8/8/P7/8/8/8/K7 w - - 0 1"), only(4, 0.0));
    assert_eq!(free("7k/8/2n5/P7/8/8/8/K7 w - - 0 1"), only(4, 0.0));
    assert_eq!(free("7k/8/8/P6r/8/8/8/K7 w - - 0 1"), only(4, 1.0));
    assert_eq!(free("7k/1p6/8/P7/8/8/8/K7 w - - 0 1"), only(4, 0.0));
    // As Black counts ranks.
    assert_eq!(free("7k/8/8/8/p7/8/8/7K b - - 0 1"), only(4, -1.0));
    let escort = |fen| counts(&chess, fen, "P", "escort");
    assert_eq!(escort("8/8/8/PK5k/8/8/8/8 w - - 0 1"), only(4, 4.0), "five steps count, not seven");
    assert_eq!(escort("8/2k5/8/P7/8/8/8/4K3 w - - 0 1"), only(4, -3.0), "two steps and five");
    assert_eq!(escort("8/8/8/8/p7/8/4K3/k7 b - - 0 1"), only(4, -2.0));
}

#[test]
fn pieces_that_capture_ahead_only_are_pawns() {
    let fen = "4k3/8/4P3/8/8/8/8/4K3 w - - 0 1";
    for lines in [
        "",
        "pieces.P.betza = 'mvWcfF'",
        "pieces.P.betza = 'mfsWcfF'",
        "pieces.P.double_step.from = 'ranks1-5'\npieces.P.extra = [{ betza = 'mfnD', from = 'rank6' }]",
    ] {
        let passed = counts(&like_chess(lines), fen, "P", "passed");
        assert_eq!(passed, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], "{lines}");
    }
    for betza in ["mWcF", "fbF", "mbRcfF", "mfW"] {
        let variant = like_chess(&format!("pieces.P.betza = '{betza}'"));
        let layout = Layout::new(&variant);
        let passed = ("P".to_string(), "passed");
        assert!(!layout.by_name(&variant).contains_key(&passed), "{betza}");
    }
}

#[test]
fn moves_to_a_goal_are_counted() {
    let hill = "end.when = [{ reaches = 'd4-e5', pieces = 'K', result = 'win' }]";
    let race = |fen| counts(&like_chess(hill), fen, "game", "race");
    // Over e3 to e4 and over e7 and e6 to e5.
    assert_eq!(race("4k3/8/8/8/8/8/4K3/8 w - - 0 1"), [0.0, 0.0, 1.0, -1.0, 0.0]);
    // The rook guards the third rank; the pawn guards c5, and can be captured from c4.
    assert_eq!(race("8/8/8/1k6/3P4/r7/4K3/8 w - - 0 1"), [0.0, 0.0, -1.0, 0.0, 1.0]);
    // It is there, and guards the other three squares.
    assert_eq!(race("8/8/8/1k6/4K3/8/8/8 w - - 0 1"), [1.0, 0.0, 0.0, 0.0, -1.0]);
}

#[test]
fn checks_that_can_be_given_are_counted() {
    let three = like_chess("end.checks = 3");
    let of = |fen, name| counts(&three, fen, "game", name);
    // From c7 and f6; g7 and d6 are not a knight's move away.
    let knight = "4k3/8/8/3N4/8/8/8/4K3 w - - 3+3 0 1";
    assert_eq!(of(knight, "safe_checks"), [0.0, 0.0, 2.0]);
    assert_eq!(of(knight, "check_squares"), [0.0, 0.0, 4.0]);
    // The bishop guards f6, and cannot check itself.
    let guarded = "4k3/8/8/3N4/7b/8/8/5K2 w - - 1+3 0 1";
    assert_eq!(of(guarded, "safe_checks"), [1.0, 0.0, 0.0]);
    assert_eq!(of(guarded, "unsafe_checks"), [1.0, 0.0, 0.0]);
    assert_eq!(of(guarded, "checks"), [1.0, 0.0, -1.0]);
}

#[test]
fn terms_times_weights_are_the_evaluation() {
    for name in builtin_names() {
        let variant = game(name);
        let mut linear = Evaluation::new(&variant).linear;
        for seed in 0..10 {
            let position = random_position(&variant, seed);
            let mut counts = TermCounts(vec![0.0; linear.layout().terms]);
            linear.extract(&position, &mut counts);
            let phase = f64::from(linear.phase(&position)) / f64::from(OPENING);
            let value = |(term, count): (usize, &f64)| {
                let [middle, end] = linear.weight(term);
                count * (middle * phase + end * (1.0 - phase))
            };
            let white: f64 = counts.0.iter().enumerate().map(value).sum();
            let sign = if position.side_to_move() == Color::White { 1.0 } else { -1.0 };
            let value = f64::from(linear.evaluate(&position));
            assert!((sign * white - value).abs() < 1.5, "{name} {}", position.fen());
        }
    }
}

#[test]
fn a_start_position_with_like_armies_is_worth_the_move() {
    for name in builtin_names() {
        let variant = game(name);
        let armies = variant.info().armies.as_ref();
        if armies.is_none_or(|armies| armies[Color::White] == armies[Color::Black]) {
            let value = Evaluation::new(&variant).evaluate(&Position::start(&variant));
            assert!((-20..=80).contains(&value), "{name}: {value}");
        }
    }
}

#[test]
fn both_sides_are_judged_alike() {
    for name in ["swda-oo", "swda-pp", "shoogantshii", "shoranji", "chesstonia"] {
        let variant = game(name);
        let mut evaluation = Evaluation::new(&variant);
        for seed in 0..20 {
            let position = random_position(&variant, seed);
            let mirrored = mirror(&position);
            let other = Position::from_fen(&variant, &mirrored).expect("a mirrored position");
            assert_eq!(evaluation.evaluate(&position), evaluation.evaluate(&other), "{mirrored}");
        }
    }
}

/// The FEN with ranks and sides exchanged.
fn mirror(position: &Position) -> String {
    let fen = position.without_history().fen();
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let mut fields: Vec<String> = fen.split(' ').map(str::to_string).collect();
    let (board, hand) = match fields[0].split_once('[') {
        Some((board, hand)) => (board.to_string(), Some(hand.trim_end_matches(']').to_string())),
        None => (fields[0].clone(), None),
    };
    let ranks: Vec<String> =
        board.split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
    fields[0] = ranks.join("/");
    if let Some(hand) = hand {
        let (upper, lower): (String, String) =
            hand.chars().map(swap).partition(|c| c.is_ascii_uppercase());
        fields[0] += &format!("[{upper}{lower}]");
    }
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_string();
    fields[2] = match fields[2].as_str() {
        "s" => "Ss".to_string(),
        other => other.to_string(),
    };
    if fields[3] != "-" {
        let ranks = usize::from(position.variant().geometry().ranks());
        let rank: usize = fields[3][1..].parse().expect("a rank");
        fields[3] = format!("{}{}", &fields[3][..1], ranks + 1 - rank);
    }
    fields.join(" ")
}

/// A file of weights, with a network beside it if there is one.
fn file(text: &str, network: Option<&[u8]>) -> Result<EvalFile, EvalError> {
    let network = network.map(|bytes| Cow::Owned(bytes.to_vec()));
    EvalFile::parse(Cow::Owned(text.as_bytes().to_vec()), |_| {
        network.ok_or_else(|| "cannot be read".to_string())
    })
}

/// The text of a definition that ships with the program: the same game under another name, with its pieces and
/// its hand slots in the reverse order.
fn reordered_text(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/rules/games");
    let text = std::fs::read_to_string(format!("{folder}/{name}.toml")).expect("a definition");
    let mut sections = vec![String::new()];
    for line in text.lines().filter(|line| !line.starts_with("aliases")) {
        if line.starts_with('[') {
            sections.push(String::new());
        }
        let line = match line.split_once(" = \"") {
            Some((key @ ("name" | "base"), value)) if sections.len() == 1 => {
                format!("{key} = \"re-{value}")
            }
            Some(("hand", value)) => {
                let letters = value.trim_end_matches('"').chars().rev().collect::<String>();
                format!("hand = \"{letters}\"")
            }
            _ => line.to_string(),
        };
        let section = sections.last_mut().expect("a section");
        *section += &(line + "\n");
    }
    let (pieces, others): (Vec<_>, Vec<_>) =
        sections.into_iter().partition(|section| section.starts_with("[pieces."));
    others.concat() + &pieces.into_iter().rev().collect::<String>()
}

/// A game of these definitions, each but the first based on the one before, with all pieces reordered.
fn reordered(definitions: &[&str], name: &str) -> Arc<Variant> {
    let files = definitions
        .iter()
        .map(|name| DefinitionFile { name: name.to_string(), text: reordered_text(name) })
        .collect();
    let games = load(files).expect("good definitions");
    let name = format!("re-{name}");
    games.into_iter().find(|game| game.name() == name).expect("the game")
}

/// The same position values by a file, whatever the order of the pieces.
fn judges_alike(file: &EvalFile, own: &Arc<Variant>, other: &Arc<Variant>) {
    let letters = |game: &Variant| -> Vec<String> {
        game.kinds().map(|kind| game.piece(kind).letter.to_string()).collect()
    };
    assert_ne!(letters(own), letters(other), "the order of the pieces");
    let mut evaluation = file.evaluation(own).expect("a good evaluation");
    let mut reordered = file.evaluation(other).expect("a good evaluation");
    assert_eq!(evaluation.has_network(), reordered.has_network());
    for seed in 0..40 {
        let mut random = SplitMix::new(seed);
        let mut position = Position::start(own);
        let plies = random.below(90);
        play_random_moves(&mut position, plies, &mut random);
        let position = position.without_history();
        let same = Position::from_fen(other, &position.fen()).expect("the same position");
        let fen = position.fen();
        assert_eq!(evaluation.evaluate(&position), reordered.evaluate(&same), "{fen}");
        let [linear, again] =
            [evaluation.linear.evaluate(&position), reordered.linear.evaluate(&same)];
        assert_eq!(linear, again, "{fen}");
    }
    for kind in own.kinds() {
        let same = other.kind_of(own.piece(kind).letter).expect("the same piece");
        let values =
            |linear: &LinearEval, kind| (linear.piece_value(kind), linear.hand_value(kind));
        assert_eq!(values(&evaluation.linear, kind), values(&reordered.linear, same));
    }
}

#[test]
fn a_definition_with_reordered_pieces_is_judged_the_same() {
    let chain = ["sixfortresses", "sixfortresses-short", "shoranji"];
    let games = [
        (game("swda-jp"), reordered(&["swda"], "swda-jp"), true),
        (game("shoranji"), reordered(&chain, "shoranji"), true),
        (game("shoogantshii"), reordered(&["shoogantshii"], "shoogantshii"), true),
        (game("chesstonia"), reordered(&["chesstonia"], "chesstonia"), true),
        (game("janggi"), reordered(&["reference/janggi"], "janggi"), false),
    ];
    for (own, other, has_network) in games {
        let shipped = Evaluation::shipped_file(&own).expect("a shipped evaluation");
        assert_eq!(shipped.evaluation(&own).expect("an evaluation").has_network(), has_network);
        judges_alike(&shipped, &own, &other);
        // And by a network with features for hands, in games that have them.
        let network = encode(&own, FeatureForm::of(&own), &random_weights(&own, 32, 9), &[]);
        let linear = Evaluation::new(&own).linear;
        let weights = EvalFile::text(&own, &[], Some("random.nnue"), None, &linear);
        judges_alike(&file(&weights, Some(&network)).expect("good files"), &own, &other);
    }
}

/// Found by a damaged definition: such a piece had no terms for its moves.
#[test]
fn a_piece_that_moves_on_some_squares_only_is_judged() {
    let text = "name = 'rails'
        board = { files = 3, ranks = 3 }
        start = 'r1k/3/R1K w - - 0 1'
        royalty.piece = 'K'
        end.draw = []
        pieces.K.betza = 'K'
        pieces.R.extra = [{ betza = 'F', from = 'rank1' }]";
    let variant = defined("rails", text);
    let position = Position::start(&variant);
    assert!(Evaluation::new(&variant).evaluate(&position).abs() < 100);
}

#[test]
fn weights_are_written_as_they_are_read() {
    for name in ["swda-oj", "shoogantshii", "shoranji"] {
        let variant = game(name);
        let linear = Evaluation::new(&variant).linear;
        let comment = ["a test".to_string()];
        let profile = GameProfile { draws: 0.25, plies: 77.0 };
        let text = EvalFile::text(&variant, &comment, Some("a \"b\".nnue"), Some(profile), &linear);
        let network =
            encode(&variant, FeatureForm::of(&variant), &random_weights(&variant, 16, 1), &[]);
        let read = file(&text, Some(&network)).expect("good weights");
        assert_eq!((read.comment(), read.profile()), (&comment[..], Some(profile)));
        let again = read.evaluation(&variant).expect("good weights").linear;
        let text_again =
            EvalFile::text(&variant, &comment, Some("a \"b\".nnue"), Some(profile), &again);
        assert_eq!(text_again, text);
    }
}

#[test]
fn wrong_weights_are_refused_with_what_is_right() {
    let variant = game("swda-oo");
    let fault = |text: &str| {
        let read = file(text, None).and_then(|file| file.evaluation(&variant));
        read.map(|_| ()).expect_err(text).to_string()
    };
    assert!(fault("tempo = ").starts_with("not TOML"));
    for old in ["draws", "plies"] {
        let wanted = format!("'{old}' is part of the game's profile: write it below [profile]");
        assert_eq!(fault(&format!("{old} = 0.1")), wanted);
    }
    assert_eq!(fault("[profile]\ndraws = 7.0"), "'profile.draws' must be a number from 0 to 0.5");
    assert_eq!(fault("profile = 1"), "'profile' must be a table of draws and plies");
    assert!(fault("[P]\nvalu = { mg = [1], eg = [1] }").contains("P.value"));
    assert!(fault("[X]\nvalue = { mg = [1], eg = [1] }").contains("game"));
    let short = fault("[P]\nvalue = { mg = [1, 2], eg = [1] }");
    assert_eq!(short, "'P.value.mg' must be a list of 1 numbers from -9999 to 9999");
    let binary = EvalFile::parse(Cow::Borrowed(b"\xff\xfe"), |_| Err(String::new()));
    let wanted = "is neither evaluation weights in TOML nor a network file";
    assert_eq!(binary.map(|_| ()).expect_err("no text").to_string(), wanted);
}

#[test]
fn wrong_networks_are_refused_with_their_name() {
    let variant = game("swda-oo");
    let fault = |text: &str, network: Option<&[u8]>| {
        let read = file(text, network).and_then(|file| file.evaluation(&variant));
        read.map(|_| ()).expect_err(text).to_string()
    };
    let own = encode(&variant, FeatureForm::of(&variant), &random_weights(&variant, 16, 1), &[]);
    let chesstonia = game("chesstonia");
    let other =
        encode(&chesstonia, FeatureForm::of(&chesstonia), &random_weights(&chesstonia, 16, 1), &[]);
    let text = "network = \"x.nnue\"";
    assert_eq!(fault(text, None), "network 'x.nnue': cannot be read");
    assert_eq!(fault(text, Some(b"P")), "network 'x.nnue' is not a network file");
    assert_eq!(fault(text, Some(&own[..40])), "network 'x.nnue' is too short: 40 bytes of 48");
    assert_eq!(
        fault(text, Some(&other)),
        "network 'x.nnue' was made for chesstonia; the board or the pieces of swda are different"
    );
    let wanted = "'network' must be the name of a network file, such as \"game.nnue\"";
    assert_eq!(fault("network = 1", None), wanted);
    let old = fault("[network]\nweights = \"AAAA\"", None);
    assert_eq!(old, format!("{wanted}; networks in Base64 are no longer read"));
    // A network alone.
    let alone = EvalFile::parse(Cow::Owned(other), |_| Err(String::new()));
    let refused = alone.and_then(|file| file.evaluation(&variant)).map(|_| ());
    assert_eq!(
        refused.expect_err("another game's").to_string(),
        "the network was made for chesstonia; the board or the pieces of swda are different"
    );
    assert!(NetworkFile::parse(&own).is_ok());
}

/// Prints how long it takes to read the evaluation of `swda`:
/// `cargo test --release --lib -- --ignored --nocapture time_to_read`.
#[test]
#[ignore = "a measurement"]
fn time_to_read_an_evaluation() {
    let variant = game("swda-oo");
    let shipped = Shipped::of(variant.family()).expect("a shipped evaluation");
    let bytes = shipped.network().expect("a network");
    let best = |work: &dyn Fn()| {
        let time = |_| {
            let start = std::time::Instant::now();
            work();
            start.elapsed()
        };
        (0..200).map(time).min().expect("a time")
    };
    let network = best(&|| {
        let file = NetworkFile::parse(&bytes).expect("a network");
        std::hint::black_box(file.network(&variant).expect("of the game"));
    });
    let whole = best(&|| {
        let file = file_of(shipped).expect("good");
        std::hint::black_box(file.evaluation(&variant).expect("good"));
    });
    println!("network {network:?}, with weights {whole:?}");
}
