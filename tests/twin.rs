//! The fast rules beside their slow twin (`reference/`), on random walks through every game: the
//! same moves, FEN, check and status at every ply, and the same verdict on damaged FENs.
//!
//! `cargo test --release --test twin -- --ignored` walks much farther; `GARRISON_SEED` and
//! `GARRISON_PLIES` choose another walk.

mod reference;
mod walk;

use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, find};
use walk::{Random, env_number};

fn sorted_moves(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> =
        position.legal_moves().iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort_unstable();
    texts
}

/// Walks through one game until it has made this many plies, from the start again after each end.
fn walk_along(name: &str, seed: u64, plies: usize) {
    let mut random = Random::new(seed);
    let variant = find(name).expect("a built-in game");
    let mut made = 0;
    while made < plies {
        let mut position = Position::start(&variant);
        let mut game = reference::Game::new(reference::Position::start(name));
        for _ in 0..400 {
            let slow = game.position().clone();
            let fen = position.fen();
            assert_eq!(fen, slow.fen(), "{name}");
            let moves = sorted_moves(&position);
            assert_eq!(moves, slow.legal_moves(), "{name} {fen}");
            assert_eq!(moves.len() as u64, position.count_legal_moves(), "{name} {fen}");
            assert_eq!(position.is_check(), slow.in_check(), "{name} {fen}");
            let status = position.status().to_string();
            assert_eq!(status, game.status(), "{name} {fen}");
            compare_damaged(name, &fen, &mut random);
            if status != "ongoing" || moves.is_empty() {
                break;
            }
            let text = random.choose_move(&position);
            position.play(&text).expect("a legal move");
            game.play(&text).expect("a legal move of the twin");
            made += 1;
        }
    }
}

/// A FEN with one character changed: both must take it or both refuse it, and read the same.
fn compare_damaged(name: &str, fen: &str, random: &mut Random) {
    let variant = find(name).expect("a built-in game");
    let damaged = random.damage(fen);
    let fast = Position::from_fen(&variant, &damaged).map(|position| position.fen());
    let slow = reference::Position::from_fen(name, &damaged).map(|position| position.fen());
    if known_difference(&damaged) {
        return;
    }
    match (&fast, &slow) {
        (Ok(fast), Ok(slow)) => assert_eq!(fast, slow, "{name} {damaged}"),
        (Err(_), Err(_)) => {}
        _ => panic!("{name} '{damaged}': {fast:?}, the twin says {slow:?}"),
    }
}

/// Where the contract leaves a choice and the twin made the other one (see its NOTES.md): setups
/// pending on other boards than the start array, an en-passant square while a king is in hand,
/// counts of five digits and more.
fn known_difference(fen: &str) -> bool {
    let mut fields = fen.split_whitespace();
    let hands =
        fields.next().and_then(|board| board.split_once('[')).map_or("", |(_, hands)| hands);
    let (_side, setup, ep) = (fields.next(), fields.next(), fields.next());
    let long_count = fields.any(|count| count.trim_start_matches('0').len() > 4);
    long_count || setup != Some("-") || (ep != Some("-") && hands.contains(['K', 'k']))
}

fn walk_everywhere(plies: usize) {
    let (seed, plies) =
        (env_number("GARRISON_SEED", 1), env_number("GARRISON_PLIES", plies as u64));
    for name in builtin_names() {
        walk_along(name, seed, plies as usize);
    }
}

#[test]
fn the_twins_agree() {
    walk_everywhere(150);
}

#[test]
#[ignore = "long; run with --release -- --ignored"]
fn the_twins_agree_for_long() {
    walk_everywhere(20_000);
}
