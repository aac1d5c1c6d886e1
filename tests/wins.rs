//! Moves that win at once without mate, beside a twin that tries every legal move.

mod walk;

use std::path::Path;
use std::sync::Arc;

use garrison::definitions::read_definitions;
use garrison_rules::{Move, MoveList, Position, Reason, Variant, catalogue, find};
use walk::{Random, env_number};

/// Plies walked through each game.
const PLIES: u64 = 300;

/// The reason for which a legal move wins at once, if it does.
fn reason_of_win(position: &mut Position, mv: Move) -> Option<Reason> {
    let us = position.side_to_move();
    position.make(mv);
    let reason =
        position.decided().filter(|outcome| outcome.winner == Some(us)).map(|it| it.reason);
    // A check is looked for where the piece that moves gives it.
    let is_direct = position.checkers(!us).contains(mv.to());
    position.unmake();
    reason.filter(|reason| *reason != Reason::Checks || is_direct)
}

/// Whether a win for this reason must be found: not what the capture of a royal brings, or the loss of own pieces.
fn is_looked_for(variant: &Variant, reason: Reason) -> bool {
    match reason {
        Reason::Goal | Reason::Checks | Reason::BareKing => true,
        Reason::PiecesLost => !variant.is_giveaway(),
        _ => false,
    }
}

/// Checks one position; returns whether a win was found.
fn check_position(position: &mut Position, moves: &mut MoveList) -> bool {
    let (fen, name) = (position.fen(), position.variant().name().to_string());
    let legal = position.legal_moves();
    let found = position.winning_move(moves);
    if let Some(mv) = found {
        assert!(legal.contains(&mv), "{name} {fen}: {mv:?} is not legal");
        assert!(reason_of_win(position, mv).is_some(), "{name} {fen}: {mv:?} does not win");
    }
    let variant = Arc::clone(position.variant());
    for &mv in &legal {
        if let Some(reason) = reason_of_win(position, mv) {
            let must_find = is_looked_for(&variant, reason);
            assert!(found.is_some() || !must_find, "{name} {fen}: {mv:?} wins by {reason:?}");
        }
    }
    assert_eq!(position.fen(), fen, "{name}: the position has changed");
    found.is_some()
}

/// Random games of so many plies together. Returns in how many positions a win was found.
fn walk_through(variant: &Arc<Variant>, plies: u64) -> u64 {
    let mut random = Random::new(env_number("GARRISON_SEED", 5));
    let mut moves = MoveList::new();
    let (mut made, mut wins) = (0, 0);
    while made < plies {
        let mut position = Position::start(variant);
        for _ in 0..200 {
            if position.status().outcome().is_some() {
                break;
            }
            wins += u64::from(check_position(&mut position, &mut moves));
            let Some(mv) = random.choose(&position) else { break };
            position.make(mv);
            made += 1;
        }
    }
    wins
}

#[test]
fn wins_without_mate_are_those_that_trying_every_move_finds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games");
    catalogue::add(read_definitions(&folder).expect("definitions")).expect("games");
    let plies = env_number("GARRISON_PLIES", PLIES);
    let mut without = Vec::new();
    for name in catalogue::all_names() {
        let variant = find(&name).expect("a game");
        let can_win = !variant.special_ends().is_empty()
            || variant.end().checks.is_some()
            || variant.end().bare_king;
        if can_win && walk_through(&variant, plies) == 0 {
            without.push(name);
        }
    }
    println!("no win on the way: {}", without.join(" "));
}
