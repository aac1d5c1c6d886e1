//! The tables of endings beside a slow solver, and figures that others have published.

#[path = "solve/games.rs"]
mod games;
#[path = "solve/slow.rs"]
mod slow;

use std::sync::Arc;

use games::{GAMES, game};
use garrison::endings::{EndingFault, Endings, Material, Table, Value, line, rated_moves};
use garrison_rules::{Color, Position, Variant, find};
use slow::{Counted, Slow, placements};

fn endings(variant: &Arc<Variant>) -> Endings {
    Endings::new(variant).expect("a game that can be solved")
}

fn solve(endings: &mut Endings, text: &str) -> Arc<Table> {
    let material = Material::parse(endings.variant(), text).expect("an ending");
    endings.solve(&material).expect("a table")
}

fn chess(text: &str) -> (Endings, Arc<Table>) {
    let mut endings = endings(&find("chess").expect("a built-in game"));
    let table = solve(&mut endings, text);
    (endings, table)
}

/// The longest win of White, who moves first, in moves.
fn longest(table: &Table) -> u16 {
    table.longest(Color::White, Color::White).map_or(0, |longest| longest.moves())
}

/// Compares every position of an ending with the slow solver: its value without the count of moves.
fn compare(variant: &Arc<Variant>, text: &str) -> (usize, usize) {
    let mut fast = endings(variant);
    let table = solve(&mut fast, text);
    let material = Material::parse(variant, text).expect("an ending");
    let (mut positions, mut decided, mut passed) = (0, 0, 0);
    let all = placements(variant, &material);
    let slow = Slow::new(&all);
    for position in &all {
        let value = fast.value(position);
        assert_eq!(value, Some(slow.value(position)), "{}: {}", variant.name(), position.fen());
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.make(mv);
            if after.en_passant().is_some() {
                assert_eq!(fast.value(&after), Some(slow.value(&after)), "{}", after.fen());
                passed += 1;
            }
        }
        positions += 1;
        decided += usize::from(value.and_then(Value::plies).is_some());
    }
    let counted = Color::ALL.map(|side| table.summary(side).positions).iter().sum::<u64>();
    assert_eq!(counted, positions as u64, "{}: {text}", variant.name());
    assert_eq!(passed > 0, variant.name() == "steps" && text == "KPvKP");
    (positions, decided)
}

#[test]
fn every_value_of_small_games_is_that_of_the_slow_solver() {
    let mut total = 0;
    for tiny in GAMES {
        let variant = game(tiny);
        for ending in tiny.endings {
            let (positions, decided) = compare(&variant, ending);
            println!("{} {ending}: {decided} of {positions}", tiny.name);
            assert!(decided > 0, "{} {ending}", tiny.name);
            total += positions;
        }
    }
    assert!(total > 50_000, "{total}");
}

#[test]
fn the_count_of_moves_makes_the_draws_of_a_solver_that_counts() {
    let mut changed = 0;
    for tiny in GAMES {
        for limit in [4, 7] {
            let variant = game(&tiny.with_count(limit));
            for ending in tiny.counted {
                let mut fast = endings(&variant);
                solve(&mut fast, ending);
                let material = Material::parse(&variant, ending).expect("an ending");
                let mut slow = Counted::default();
                println!("{} {ending}, {limit} plies", tiny.name);
                for position in placements(&variant, &material) {
                    let value = fast.value(&position).expect("a value");
                    let winner = value.winner(position.side_to_move());
                    assert_eq!(winner, slow.winner(&position), "{} {}", tiny.name, position.fen());
                    changed += usize::from(value == Value::DrawnByCount);
                }
            }
        }
    }
    assert!(changed > 10_000, "{changed}");
}

#[test]
fn three_pieces_of_chess_win_as_fast_as_is_known() {
    for (ending, moves) in [("KRvK", 16), ("KQvK", 10), ("KPvK", 28), ("KNvK", 0), ("KBvK", 0)] {
        let (_, table) = chess(ending);
        assert_eq!(longest(&table), moves, "{ending}");
    }
    // White wins 124960 of its positions with a pawn, Black 0 of its own.
    let (_, table) = chess("K P v K");
    let summary = table.summary(Color::White);
    assert_eq!((summary.positions, summary.wins.0), (163_328, [124_960, 0]));
    // The other way around it is the same ending.
    let (_, table) = chess("KvKR");
    let longest = table.longest(Color::Black, Color::Black).expect("a win");
    assert_eq!((longest.plies, longest.moves()), (31, 16));
    assert!(table.longest(Color::White, Color::Black).is_none());
}

/// Half a minute of one processor each.
#[test]
#[ignore = "ten minutes; run with --release --test solve -- --ignored"]
fn four_pieces_of_chess_win_as_fast_as_is_known() {
    let endings = [
        ("KBNvK", 33),
        ("KBBvK", 19),
        ("KNNvK", 1),
        ("KQvKR", 35),
        ("KRvKB", 29),
        ("KRvKN", 40),
        ("KPvKP", 33),
        ("KRvKP", 43),
    ];
    for (ending, moves) in endings {
        let (_, table) = chess(ending);
        assert_eq!(longest(&table), moves, "{ending}");
    }
}

#[test]
fn lines_lead_to_the_end_in_as_many_plies_as_the_table_says() {
    for (name, ending) in
        [("chess", "KQvK"), ("makruk", "KSvK"), ("xiangqi", "KNvK"), ("xiangqi", "KRvKA")]
    {
        let variant = find(name).expect("a built-in game");
        let mut endings = endings(&variant);
        let table = solve(&mut endings, ending);
        for side in Color::ALL {
            let Some(longest) = table.longest(Color::White, side) else { continue };
            let moves = line(&endings, &longest.position);
            assert_eq!(moves.len(), usize::from(longest.plies), "{name} {ending}");
            let mut position = longest.position.clone();
            moves.iter().for_each(|&mv| position.make(mv));
            let winner = position.status().outcome().and_then(|outcome| outcome.winner);
            assert_eq!(winner, Some(Color::White), "{name} {ending}");
        }
    }
}

#[test]
#[ignore = "ten minutes; run with --release --test solve -- --ignored"]
fn four_pieces_know_a_right_to_capture_en_passant() {
    // Black saves the game by it alone.
    let (endings, _) = chess("KPvKP");
    let value = |fen: &str| {
        let position = Position::from_fen(endings.variant(), fen).expect("a position");
        let moves = rated_moves(&endings, &position).expect("values");
        assert_eq!(moves.first().map(|rated| rated.value), endings.value(&position), "{fen}");
        endings.value(&position)
    };
    let without = value("8/8/8/8/4PpK1/8/8/7k b - - 0 1");
    let with = value("8/8/8/8/4PpK1/8/8/7k b - e3 0 1");
    assert!(matches!(without, Some(Value::Lost(_))), "{without:?}");
    assert!(matches!(with, Some(Value::Won(_) | Value::Drawn)), "{with:?}");
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let refused = |name: &str, text: &str| {
        let variant = find(name).expect("a built-in game");
        let endings = Endings::new(&variant);
        let solved = endings.and_then(|mut endings| {
            let material = Material::parse(&variant, text)?;
            endings.solve(&material)
        });
        solved.expect_err("a fault")
    };
    for (name, text, said) in [
        ("shogi", "KRvK", "the endings of shogi cannot be solved: it has pieces in hand"),
        ("chess", "KRK", "ending 'KRK': White's pieces, 'v', Black's pieces, as in KRvK"),
        ("chess", "KRvKk", "ending 'KRvKk': White's pieces, 'v', Black's pieces, as in KRvK"),
        ("chess", "KRvX", "ending 'KRvX': no piece 'X'; there are P N B R Q K"),
        ("chess", "KRRvKR", "ending 'KRRvKR': 5 pieces; tables have 4 at most"),
        ("chess", "KRvR", "ending 'KRvR': no king 'k' of Black"),
        ("swda-oj", "KRvKR", "ending 'KRvKR': no piece 'R'; there are K P L D S G"),
    ] {
        assert_eq!(refused(name, text).to_string(), said);
    }
    assert!(matches!(refused("chess", ""), EndingFault::NoEnding(_)));
}
