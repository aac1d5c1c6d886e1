//! The counts of makruk and its kin beside a slow twin, which knows pieces by their letters only.

mod walk;

use std::sync::Arc;

use garrison_rules::definition::Definition;
use garrison_rules::{Move, Position, RunningCount, Variant, find};
use walk::{Random, env_number};

/// The honors of a bare king: what the opponent has at least, and the moves for it.
const HONORS: [(&str, u16); 6] =
    [("RR", 8), ("R", 16), ("SS", 22), ("NN", 32), ("S", 44), ("", 64)];

#[derive(Clone, Copy, PartialEq)]
enum Rules {
    Makruk,
    Cambodian,
    Asean,
}

/// The letters on a board, those of White or of Black, as capitals.
fn letters(fen: &str, white: bool) -> Vec<char> {
    let board = fen.split(' ').next().expect("a board");
    let own = board.chars().filter(|c| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == white);
    own.map(|c| c.to_ascii_uppercase()).collect()
}

/// How far a side counts, in plies; `None` if it does not.
fn limit(rules: Rules, fen: &str, white: bool) -> Option<u16> {
    let (own, other) = (letters(fen, white), letters(fen, !white));
    let pawns = own.iter().chain(&other).any(|&c| c == 'P');
    // What is needed is one letter, once or twice.
    let has = |needed: &str| {
        let letter = needed.chars().next();
        other.iter().filter(|&&c| Some(c) == letter).count() >= needed.len()
    };
    if other.len() == 1 {
        return None;
    }
    let shorter = u16::from(rules == Rules::Cambodian);
    match (rules, own.len()) {
        (_, 1) if pawns => None,
        (Rules::Asean, 1) => [("R", 32), ("B", 88), ("N", 128)]
            .iter()
            .find(|(needed, _)| has(needed))
            .map(|&(_, l)| l),
        (_, 1) => {
            HONORS.iter().find(|(needed, _)| has(needed)).map(|&(_, moves)| 2 * (moves - shorter))
        }
        (Rules::Makruk, _) if !pawns => Some(128),
        (Rules::Cambodian, 2 | 3) => Some(126),
        _ => None,
    }
}

/// The count after a move, from that before and both positions.
fn count_after(
    rules: Rules,
    before: Option<RunningCount>,
    (old, new): (&str, &str),
    promotes: bool,
) -> Option<RunningCount> {
    let mover = old.split(' ').nth(1) == Some("w");
    let total = |fen: &str| letters(fen, true).len() + letters(fen, false).len();
    let captures = total(new) < total(old);
    let from_pieces = 2 * total(new) as u16;
    let mut count = before.map(|c| RunningCount { plies: c.plies + 1, ..c });
    let enemy_pawns = |fen: &str| letters(fen, !mover).iter().filter(|&&c| c == 'P').count();
    let is_bare = |white: bool| letters(new, white).len() == 1;
    if rules != Rules::Asean
        && enemy_pawns(new) < enemy_pawns(old)
        && is_bare(mover)
        && let Some(limit) = limit(rules, new, mover)
    {
        count = Some(RunningCount { plies: from_pieces - 1, limit });
    }
    let is_anew = (captures || promotes) && is_bare(!mover);
    if let Some(limit) = limit(rules, new, !mover)
        && (count.is_none() || is_anew)
    {
        let from_nothing = rules == Rules::Asean || !is_bare(!mover);
        count = Some(RunningCount { plies: if from_nothing { 0 } else { from_pieces }, limit });
    }
    count
}

fn example(text: &str, base: &str) -> Arc<Variant> {
    let parse = |text| Definition::parse(text).expect("a definition");
    let definition = parse(text).over_base(&parse(base));
    Variant::compile(&definition, None).expect("a game")
}

/// Random games with many captures and promotions, from the start and from endings.
#[test]
fn counts_are_those_of_the_slow_twin() {
    let makruk = include_str!("../crates/rules/games/reference/makruk.toml");
    let chess = include_str!("../crates/rules/games/reference/chess.toml");
    let games = [
        (find("makruk").expect("a built-in game"), Rules::Makruk),
        (example(include_str!("../examples/games/cambodian.toml"), makruk), Rules::Cambodian),
        (example(include_str!("../examples/games/asean.toml"), chess), Rules::Asean),
    ];
    let mut random = Random::new(5);
    for (game, rules) in games {
        let (mut begun, mut drawn) = (0, 0);
        for _ in 0..env_number("GARRISON_PLIES", 3000) / 50 {
            let mut position = Position::start(&game);
            for _ in 0..600 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let is_lively = |mv: &&Move| {
                    position.at(mv.to()).is_some() || position.move_text(**mv).len() > 4
                };
                let lively: Vec<_> = moves.iter().filter(is_lively).copied().collect();
                let all = if random.below(3) == 0 { &moves[..] } else { &lively };
                let mv = *random.pick(all).unwrap_or(&moves[0]);
                let (before, old) = (position.running_count(), position.fen());
                let promotes = position.move_text(mv).len() > 4;
                position.make(mv);
                let new = position.fen();
                let expected = count_after(rules, before, (&old, &new), promotes);
                assert_eq!(position.running_count(), expected, "{} {old} to {new}", game.name());
                let again = Position::from_fen(&game, &new).expect("its own FEN");
                assert_eq!(again, position, "{new}");
                position.unmake();
                assert_eq!(position.running_count(), before, "taken back");
                position.make(mv);
                begun += usize::from(before.is_none() && expected.is_some());
                let is_over =
                    position.running_count().is_some_and(|count| count.plies > count.limit);
                if is_over && !position.legal_moves().is_empty() {
                    let status = position.status().to_string();
                    assert!(status.starts_with("draw"), "{new}: {status}");
                    drawn += 1;
                    break;
                }
            }
        }
        assert!(
            begun > 10 && drawn > 3,
            "{}: {begun} counts begun, {drawn} games drawn",
            game.name()
        );
    }
}
