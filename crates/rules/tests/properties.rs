//! What must hold in every position of every game, tried on random walks, and what no input may do.
//!
//! `GARRISON_SEED` and `GARRISON_PLIES` choose other and longer walks.

#[path = "../../../tests/walk/mod.rs"]
mod walk;

use std::sync::Arc;

use garrison_rules::catalogue::{builtin_names, reference_names};
use garrison_rules::definition::Definition;
use garrison_rules::limits::{MAX_PIECE_TYPES, MAX_SQUARES};
use garrison_rules::{
    Bitboard, Color, Move, Piece, PieceType, Position, Scope, Square, Tag, Variant, find,
};
use proptest::prelude::*;
use walk::{Random, env_number};

const CHESS: &str = include_str!("../games/reference/chess.toml");

/// Plies walked through each game by default: 22 games make more than 30,000.
const PLIES: u64 = 1500;

/// Checks everything that can be said of one position.
fn check_position(position: &Position, random: &mut Random) {
    let fen = position.fen();
    assert_eq!(position.key(), position.fresh_key(), "{fen}");
    let again = Position::from_fen(position.variant(), &fen)
        .unwrap_or_else(|error| panic!("{} does not read back: {error}", fen));
    assert_eq!(again.fen(), fen);
    assert_eq!(again.key(), position.key(), "{fen}");
    assert!(again == position.without_history(), "{fen}");

    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, position.count_legal_moves(), "{fen}");
    let mut bits: Vec<u32> = moves.iter().map(|mv| mv.bits()).collect();
    bits.sort_unstable();
    bits.dedup();
    assert_eq!(bits.len(), moves.len(), "{fen}: a move stands twice in the list");
    for &mv in &moves {
        assert!(position.is_legal(mv), "{fen} {mv:?}");
        assert_eq!(Move::from_bits(mv.bits()), mv);
        let text = position.move_text(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{fen} {text}");
    }
    for _ in 0..40 {
        let mv = random_move(random);
        assert_eq!(position.is_legal(mv), moves.contains(&mv), "{fen} {mv:?}");
    }
    check_captures(position, &fen);
    check_attacks(position, &fen);
}

/// A side attacks what its pieces reach, one by one.
fn check_attacks(position: &Position, fen: &str) {
    for color in Color::ALL {
        let movers = position.variant().movers(color);
        let reach = |(from, piece): (Square, Piece)| {
            let is_mover = piece.color() == color && movers.contains(piece.kind());
            is_mover.then(|| position.reach(color, piece.kind(), from).0)
        };
        let pieces = position.occupied().into_iter();
        let reached = pieces.filter_map(|square| Some((square, position.at(square)?)));
        let wanted = reached.filter_map(reach).fold(Bitboard::EMPTY, |all, one| all | one);
        let squares = position.variant().geometry().squares();
        assert_eq!(position.attacked_by(color) & squares, wanted & squares, "{fen} {color:?}");
    }
}

/// The captures are the legal moves that capture, the quiet moves are all others; en passant is neither or both.
fn check_captures(position: &Position, fen: &str) {
    if position.setup_phase().is_pending() {
        return;
    }
    let sorted = |moves: Vec<Move>| {
        let ordinary = moves.iter().filter(|mv| mv.tag() != Tag::EnPassant);
        let mut bits: Vec<_> = ordinary.map(|mv| mv.bits()).collect();
        bits.sort_unstable();
        bits
    };
    let is_capture = |mv: &&Move| !position.captured_on(**mv).is_empty();
    let legal = position.legal_moves();
    let (captures, quiets) = (Scope::captures(position), Scope::quiets(position));
    let wanted = sorted(legal.iter().filter(is_capture).copied().collect());
    assert_eq!(sorted(position.legal_moves_in(&captures)), wanted, "{fen}");
    // Where captures are forced there are no others, whatever is asked for.
    if !position.variant().must_capture() {
        let wanted = sorted(legal.iter().filter(|mv| !is_capture(mv)).copied().collect());
        assert_eq!(sorted(position.legal_moves_in(&quiets)), wanted, "{fen}");
    }
}

/// Any move that 22 bits can hold, with squares near enough to be tempting.
fn random_move(random: &mut Random) -> Move {
    let square = |random: &mut Random| Square::new(random.below(MAX_SQUARES) as u8);
    let kind = |random: &mut Random| PieceType::new(random.below(MAX_PIECE_TYPES) as u8);
    let (from, to) = (square(random), square(random));
    match random.below(6) {
        0 => Move::from_bits(random.next() as u32),
        1 => Move::promotion(from, to, kind(random)),
        2 => Move::drop(kind(random), kind(random), to),
        3 => Move::tagged(from, to, Tag::EnPassant),
        4 => Move::tagged(from, to, Tag::DoubleStep),
        _ => Move::normal(from, to),
    }
}

/// Making and taking back every legal move leaves the position as it was. Returns how many of the moves led to the key
/// that was likely, and to another.
fn check_unmake(position: &mut Position) -> [u32; 2] {
    let before = position.clone();
    let mut keys = [0; 2];
    for mv in position.legal_moves() {
        let likely = position.likely_key_after(mv);
        position.make(mv);
        keys[usize::from(likely != position.key())] += u32::from(mv.tag() != Tag::Setup);
        assert_eq!(position.key(), position.fresh_key(), "{} {mv:?}", before.fen());
        position.unmake();
        assert!(*position == before && position.key() == before.key(), "{} {mv:?}", before.fen());
    }
    keys
}

fn walk_along(name: &str, seed: u64, plies: u64) {
    let keys = walk_through(&find(name).expect("a built-in game"), seed, plies);
    // Castling, en passant and fallen fortresses are the few that it does not foresee.
    assert!(keys[0] > 19 * keys[1], "{name}: {} of {} keys foreseen", keys[0], keys[0] + keys[1]);
}

/// Random games of so many plies together. Returns how many keys were those foreseen, and how many others.
fn walk_through(variant: &Arc<Variant>, seed: u64, plies: u64) -> [u32; 2] {
    let name = variant.name();
    let mut random = Random::new(seed);
    let mut made = 0;
    let mut keys = [0; 2];
    while made < plies {
        let mut position = Position::start(variant);
        let mut past = vec![position.fen()];
        while position.status().outcome().is_none() && past.len() < 500 {
            check_position(&position, &mut random);
            if made % 10 == 0 {
                let found = check_unmake(&mut position);
                keys = [keys[0] + found[0], keys[1] + found[1]];
            }
            let Some(mv) = random.choose(&position) else { break };
            position.make(mv);
            past.push(position.fen());
            made += 1;
        }
        // All the way back.
        while let Some(fen) = past.pop() {
            assert_eq!(position.fen(), fen, "{name}");
            position.unmake();
        }
    }
    keys
}

#[test]
fn walks_through_every_game() {
    let (seed, plies) = (env_number("GARRISON_SEED", 3), env_number("GARRISON_PLIES", PLIES));
    for name in builtin_names() {
        walk_along(name, seed, plies);
    }
    for name in reference_names() {
        walk_along(name, seed, plies / 2);
    }
}

/// Lions, whose captures may end on empty squares, and lions that must capture.
#[test]
fn walks_through_games_of_two_legs() {
    const LIONS: &str = r#"
start = "rlbqkblr/pppppppp/8/8/8/8/PPPPPPPP/RLBQKBLR w KQkq - 0 1"
without = "N"
[pieces]
L = { betza = "KNADcaKmabK" }
P = { promotion = { to = "QRB" } }
"#;
    for keys in ["name = \"lions\"", "name = \"hungry-lions\"\nmust_capture = true"] {
        let parse = |text: &str| Definition::parse(text).expect("a definition");
        let definition = parse(&format!("{keys}\n{LIONS}")).over_base(&parse(CHESS));
        let variant = Variant::compile(&definition, None).expect("a game");
        walk_through(&variant, env_number("GARRISON_SEED", 3), PLIES);
    }
}

/// A position with everything in hand has more moves than any game ever shows.
#[test]
fn full_hands_fit_the_list() {
    for (game, board, hands) in [
        ("chesstonia", "4k4/9/9/9/9/9/9/9/9/9/9/4K4", "PDHQNEMWFpdhqnemwf"),
        ("shoranji-maximus", "4k4/9/9/9/9/9/9/9/9/9/9/4K4", "NEMGHAnemgha"),
        ("shoogantshii", "4k4/9/9/9/9/9/9/9/4K4", "AGNLBRCFPagnlbrcfp"),
    ] {
        let variant = find(game).expect("a built-in game");
        let fen = format!("{board}[{hands}] w - - 0 1");
        let position = Position::from_fen(&variant, &fen).expect("a valid FEN");
        let moves = position.legal_moves();
        assert!(moves.len() > 500, "{game}: {}", moves.len());
        assert_eq!(moves.len() as u64, position.count_legal_moves());
    }
}

/// The games that ship with the program, by number.
fn game_number(number: usize) -> Arc<Variant> {
    let names = [builtin_names(), reference_names()].concat();
    find(&names[number]).expect("a built-in game")
}

/// Texts that look like FENs and moves more often than random bytes do.
fn plausible(alphabet: &'static str, length: usize) -> impl Strategy<Value = String> {
    let letters: Vec<char> = alphabet.chars().collect();
    prop::collection::vec(prop::sample::select(letters), 0..length)
        .prop_map(|letters| letters.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn arbitrary_text_as_fen_does_no_harm(game in 0usize..34, text in ".*") {
        let variant = game_number(game);
        let _ = Position::from_fen(&variant, &text);
    }

    #[test]
    fn plausible_text_as_fen_does_no_harm(
        game in 0usize..34,
        board in plausible("KkPpRNBQWFITtwfrnAaEMGHDdLlCcSO+/123456789*~", 120),
        hands in plausible("KkPpRNEMGHA-[]", 10),
        side in plausible("wb", 2),
        setup in plausible("Ss-KQkq", 3),
        ep in plausible("abei34679-", 4),
        counts in plausible("0123456789 ", 8),
    ) {
        let variant = game_number(game);
        let fen = format!("{board}[{hands}] {side} {setup} {ep} {counts}");
        if let Ok(position) = Position::from_fen(&variant, &fen) {
            check_position(&position, &mut Random::new(1));
        }
    }

    #[test]
    fn arbitrary_text_as_move_does_no_harm(game in 0usize..34, text in ".*") {
        let variant = game_number(game);
        let mut position = Position::start(&variant);
        let _ = position.parse_move(&text);
        let before = position.fen();
        if position.play(&text).is_err() {
            prop_assert_eq!(position.fen(), before);
        }
    }

    #[test]
    fn plausible_text_as_move_does_no_harm(
        game in 0usize..34,
        text in plausible("abcdefghi0123456789=@+NEMKGHAPTWFnemkgha", 12),
    ) {
        let variant = game_number(game);
        let _ = Position::start(&variant).parse_move(&text);
    }

    #[test]
    fn arbitrary_text_as_definition_does_no_harm(text in ".*") {
        if let Ok(definition) = Definition::parse(&text) {
            let _ = Variant::compile(&definition, None);
        }
    }

    /// A real definition with characters exchanged: it is refused or makes a game that can be played.
    #[test]
    fn damaged_definitions_do_no_harm(which in 0usize..7, seed in any::<u64>(), damages in 1usize..4) {
        let texts = [
            include_str!("../games/chesstonia.toml"),
            include_str!("../games/shoogantshii.toml"),
            include_str!("../games/sixfortresses.toml"),
            include_str!("../games/reference/chess.toml"),
            include_str!("../games/reference/shogi.toml"),
            include_str!("../games/reference/janggi.toml"),
            include_str!("../games/reference/twinlakes.toml"),
        ];
        let mut random = Random::new(seed);
        let mut text = texts[which].to_string();
        for _ in 0..damages {
            text = random.damage(&text);
        }
        let Ok(definition) = Definition::parse(&text) else { return Ok(()) };
        let Ok(variant) = Variant::compile(&definition, None) else { return Ok(()) };
        let Ok(mut position) = Position::from_fen(&variant, variant.start_fen()) else { return Ok(()) };
        for _ in 0..10 {
            let Some(mv) = random.choose(&position) else { break };
            position.make(mv);
            let _ = position.status();
        }
    }
}
