//! What a search promises, in every game: it can be repeated, it obeys its limits, it finds mates, it
//! passes through setups and placements of kings.

use std::time::Duration;

use garrison::endings::{Endings, Material};
use garrison::engine::{
    Clock, Control, Limits, Score, SearchEvent, SearchInfo, SearchResult, Searcher, Techniques,
};
use garrison_rules::catalogue::{Catalogue, DefinitionFile, builtin_names};
use garrison_rules::random::SplitMix;
use garrison_rules::{Move, MoveList, Position, Setup, find};

fn search(
    searcher: &mut Searcher,
    position: &Position,
    limits: &Limits,
) -> (SearchResult, Vec<SearchInfo>) {
    let mut lines = Vec::new();
    let found = searcher.search(position, limits, &Control::new(false), |news| {
        if let SearchEvent::Info(line) = news {
            lines.push(line.clone());
        }
    });
    (found, lines)
}

/// The position at the end of a line, all of whose moves must be legal.
fn after_line(position: &Position, line: &[Move]) -> Position {
    let mut end = position.clone();
    for &mv in line {
        assert!(end.is_legal(mv), "{} {}", end.variant().name(), end.fen());
        end.make(mv);
    }
    end
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// At most so many nodes, and a clock with so many seconds for each side.
fn clocked(most: u64, seconds: u64) -> Limits {
    let mut clock = Clock::default();
    clock.left.0 = [Duration::from_secs(seconds); 2];
    Limits { clock: Some(clock), ..nodes(most) }
}

/// Runs a test on a stack that a search needs.
fn on_large_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(garrison::engine::STACK_SIZE).spawn(test);
    thread.expect("a thread").join().expect("the test");
}

/// Positions of a game on the way of random moves.
fn positions(name: &str, count: usize, every: usize) -> Vec<Position> {
    let variant = find(name).expect("a built-in game");
    let mut random = SplitMix::new(23);
    let mut position = Position::start(&variant);
    let mut all = Vec::new();
    for ply in 0..count * every {
        let moves = position.legal_moves();
        if moves.is_empty() || position.status().outcome().is_some() {
            position = Position::start(&variant);
            continue;
        }
        if ply % every == 0 {
            all.push(position.clone());
        }
        position.make(moves[random.below(moves.len())]);
    }
    all
}

#[test]
fn a_search_of_a_single_node_has_a_score_too() {
    on_large_stack(|| {
        for name in builtin_names() {
            let mut searcher = Searcher::new(1).expect("memory");
            for position in positions(name, 3, 20) {
                let (found, lines) = search(&mut searcher, &position, &nodes(1));
                let last = lines.last().expect("a line with a score");
                assert_eq!(found.best, last.pv.first().copied(), "{name} {}", position.fen());
            }
        }
    });
}

#[test]
fn one_thread_with_a_node_limit_does_the_same_after_clearing() {
    on_large_stack(|| {
        let mut searcher = Searcher::new(4).expect("memory");
        for name in builtin_names() {
            let position = &positions(name, 3, 11)[2];
            searcher.clear();
            let first = search(&mut searcher, position, &nodes(5000));
            searcher.clear();
            let second = search(&mut searcher, position, &nodes(5000));
            let summary = |lines: &[SearchInfo]| -> Vec<_> {
                lines
                    .iter()
                    .map(|line| (line.depth, line.score, line.nodes, line.pv.clone()))
                    .collect()
            };
            assert_eq!(first.0, second.0, "{name}");
            assert_eq!(summary(&first.1), summary(&second.1), "{name}");
        }
    });
}

#[test]
fn who_asks_for_the_evaluation_of_another_game_has_left_the_first() {
    on_large_stack(|| {
        let games = ["swda-oo", "chesstonia"].map(|name| find(name).expect("a built-in game"));
        let [first, other] = games.each_ref().map(Position::start);
        let mut fresh = Searcher::new(1).expect("memory");
        let mut used = Searcher::new(1).expect("memory");
        search(&mut used, &first, &nodes(3000));
        used.evaluation(&games[1]);
        used.clear_table();
        let (found, _) = search(&mut used, &other, &nodes(3000));
        assert_eq!(found, search(&mut fresh, &other, &nodes(3000)).0);
    });
}

#[test]
fn best_lines_are_legal_with_any_technique_switched_off_and_with_two_threads() {
    on_large_stack(|| {
        let mut searcher = Searcher::new(4).expect("memory");
        let techniques = garrison::engine::Technique::ALL;
        for (turn, name) in builtin_names().iter().cycle().take(techniques.len()).enumerate() {
            searcher.set_threads(1 + turn % 2);
            let without = Techniques::without(techniques[turn].name()).expect("a technique");
            searcher.set_techniques(without);
            for position in positions(name, 4, 17) {
                let (found, lines) = search(&mut searcher, &position, &nodes(3000));
                let best = found.best.expect("a move");
                assert!(position.is_legal(best), "{name} {}", position.fen());
                for line in lines {
                    after_line(&position, &line.pv);
                }
            }
        }
    });
}

/// More threads than processors, as far as the program starts them: results must not depend on who runs when.
#[test]
fn many_threads_keep_to_the_rules() {
    on_large_stack(|| {
        for threads in [4, 8] {
            let mut searcher = Searcher::new(4).expect("memory");
            searcher.set_threads(threads);
            for name in builtin_names() {
                for position in positions(name, 2, 23) {
                    let (found, lines) = search(&mut searcher, &position, &nodes(20_000));
                    let fen = position.fen();
                    assert!(position.is_legal(found.best.expect("a move")), "{name} {fen}");
                    after_line(&position, &lines.last().expect("a line").pv);
                }
            }
            let variant = find("chess").expect("a game");
            let fen = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
            let position = Position::from_fen(&variant, fen).expect("a position");
            let limits = Limits { mate: Some(3), ..Limits::default() };
            let (_, lines) = search(&mut searcher, &position, &limits);
            assert_eq!(lines.last().and_then(|line| line.score.mate_moves()), Some(3), "{fen}");
        }
    });
}

/// Also where the last node falls into a search within the search, such as that for a singular move.
#[test]
fn a_search_visits_no_more_nodes_than_it_may() {
    on_large_stack(|| {
        let position = Position::start(&find("minishogi").expect("a game"));
        let mut searcher = Searcher::new(4).expect("memory");
        for limit in (20_000..20_400).step_by(8) {
            searcher.clear();
            search(&mut searcher, &position, &nodes(limit));
            assert!(searcher.nodes() <= limit, "{limit}: {}", searcher.nodes());
        }
    });
}

/// How long it takes is measured by `cargo bench --bench latency`.
#[test]
fn a_setup_ply_is_searched_some_plies_deep_for_few_nodes() {
    on_large_stack(|| {
        let mut searcher = Searcher::new(4).expect("memory");
        for name in ["sixfortresses", "sixfortresses-short", "shoranji", "shoranji-maximus"] {
            let position = Position::start(&find(name).expect("a game"));
            let (found, lines) = search(&mut searcher, &position, &nodes(20_000));
            assert!(position.is_legal(found.best.expect("a setup")));
            assert!(searcher.nodes() <= 20_000, "{name}: {}", searcher.nodes());
            assert!(lines.last().expect("an iteration").depth >= 6, "{name}");
        }
    });
}

#[test]
fn a_search_with_one_move_and_a_clock_is_short() {
    on_large_stack(|| {
        let variant = find("swda-oo").expect("a game");
        // The king can only capture the rook.
        let fen = "8/8/8/8/8/8/1r6/K2k4 w - - 0 1";
        let position = Position::from_fen(&variant, fen).expect("a position");
        let moves = position.legal_moves();
        assert_eq!(moves.len(), 1);
        let mut searcher = Searcher::new(4).expect("memory");
        let mut limits = clocked(1_000_000, 600);
        let (found, _) = search(&mut searcher, &position, &limits);
        assert_eq!(found.best, moves.first().copied());
        assert!(searcher.nodes() < 1000, "{}", searcher.nodes());
        // Or one move that is asked for, of many.
        let start = Position::start(&variant);
        limits.search_moves = start.legal_moves()[..1].to_vec();
        let (found, _) = search(&mut searcher, &start, &limits);
        assert_eq!(found.best, limits.search_moves.first().copied());
        assert!(searcher.nodes() < 1000, "{}", searcher.nodes());
    });
}

/// After two moves there and back, the side to move may repeat the position.
fn before_a_repetition(fen: &str) -> Position {
    let variant = find("chess").expect("a game");
    let mut position = Position::from_fen(&variant, fen).expect("a position");
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"] {
        position.make(position.parse_move(mv).expect("a legal move"));
    }
    position
}

#[test]
fn contempt_decides_for_or_against_a_draw_where_one_side_is_a_little_better() {
    on_large_stack(|| {
        // Without the pawn of f2, and of f7.
        let worse = "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1";
        let better = "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, contempt, draws) in [
            (worse, 0, true),
            (worse, 200, false),
            (worse, -200, true),
            (better, 0, false),
            (better, 200, false),
            (better, -200, true),
        ] {
            let position = before_a_repetition(fen);
            let repetition = position.parse_move("f3g1").expect("a legal move");
            let mut searcher = Searcher::new(4).expect("memory");
            let limits = Limits { contempt, ..nodes(20_000) };
            let (found, lines) = search(&mut searcher, &position, &limits);
            assert_eq!(found.best == Some(repetition), draws, "{fen} {contempt}");
            let score = lines.last().expect("an iteration").score.as_centipawns();
            // 31 pieces are on the board, of 32.
            let drawn = -contempt * 31 / 32;
            assert_eq!(score == Some(drawn), draws, "{fen} {contempt}");
        }
    });
}

#[test]
fn the_shortest_win_is_looked_for_among_the_moves_asked_for_and_ends_the_thought_of_a_game() {
    on_large_stack(|| {
        let variant = find("shoogantshii").expect("a game");
        // The iterations see longer wins first.
        let fen = "1n3agnl/lgC2k3/1p1a1p1pp/p2p2pf1/2p2R2B/1+F7/PPNPPPPPP/2B1A1GR1/L1G1KA1NL[CPP] w - - 0 19";
        let position = Position::from_fen(&variant, fen).expect("a position");
        let mut searcher = Searcher::new(16).expect("memory");
        let mut limits = clocked(3_000_000, 36_000);
        let (found, lines) = search(&mut searcher, &position, &limits);
        let line = lines.last().expect("an iteration");
        assert_eq!(line.score.mate_moves(), Some(3));
        assert!(line.nodes < 2_000_000, "{}", line.nodes);
        assert_eq!(line.pv.len(), 5);
        let mut end = position.clone();
        line.pv.iter().for_each(|&mv| end.make(mv));
        assert!(
            end.status().outcome().is_some_and(|end| end.winner == Some(position.side_to_move()))
        );
        limits = nodes(300_000);
        let other = |mv: &&garrison_rules::Move| Some(**mv) != found.best;
        limits.search_moves = position.legal_moves().iter().filter(other).copied().collect();
        let (second, _) = search(&mut searcher, &position, &limits);
        assert!(second.best.is_some() && second.best != found.best);
    });
}

/// Positions of an ending by chance.
fn endings(game: &str, ending: &str, count: usize) -> Vec<Position> {
    let variant = find(game).expect("a built-in game");
    let material = Material::parse(&variant, ending).expect("an ending");
    let mut random = SplitMix::new(31);
    let squares: Vec<_> = variant.geometry().squares().collect();
    let mut found = Vec::new();
    for _ in 0..1000 * count {
        if found.len() == count {
            break;
        }
        let mut setup = Setup::empty(&variant);
        for &piece in material.pieces() {
            setup.set_piece(squares[random.below(squares.len())], Some(piece));
        }
        let all = squares.iter().filter(|&&square| setup.piece_at(square).is_some()).count();
        let position = Position::try_from(setup).ok().filter(|_| all == material.pieces().len());
        found.extend(position.filter(|position| position.status().outcome().is_none()));
    }
    assert_eq!(found.len(), count, "{game}, {ending}: all are over");
    found
}

#[test]
fn ending_tables_make_scores_exact() {
    on_large_stack(|| {
        for (game, ending) in [("chess", "KRvK"), ("chess", "KPvK"), ("grand", "KRvK")] {
            let positions = endings(game, ending, 20);
            let variant = positions[0].variant();
            let mut tables = Endings::new(variant).expect("a game with tables");
            tables.solve(&Material::parse(variant, ending).expect("an ending")).expect("a table");
            let mut searcher = Searcher::new(1).expect("memory");
            searcher.set_ending_tables(3);
            for position in &positions {
                let fen = position.fen();
                let limits = Limits { depth: Some(1), ..Limits::default() };
                let (found, lines) = search(&mut searcher, position, &limits);
                let line = lines.last().expect("a line");
                let value = tables.value(position).expect("it is in the table");
                let plies = value.plies().map_or(0, i32::from);
                let is_won = value.winner(position.side_to_move()) == Some(position.side_to_move());
                let distance = if is_won { plies } else { -plies };
                assert_eq!(line.score.mate_distance().unwrap_or(0), distance, "{fen}");
                assert_eq!(found.best, line.pv.first().copied(), "{fen}");
                if distance != 0 {
                    let end = after_line(position, &line.pv);
                    assert_eq!(line.pv.len() as u32, distance.unsigned_abs(), "{fen}");
                    assert_eq!(
                        end.status().outcome().and_then(|outcome| outcome.winner),
                        value.winner(position.side_to_move()),
                        "{fen}"
                    );
                }
            }
        }
    });
}

#[test]
fn a_search_that_waits_for_tables_can_be_stopped() {
    on_large_stack(|| {
        let position = &endings("chess", "KBNvK", 1)[0];
        let mut searcher = Searcher::new(1).expect("memory");
        searcher.set_ending_tables(4);
        let control = Control::new(false);
        control.stop();
        let found = searcher.search(position, &nodes(100_000), &control, |_| {});
        assert!(found.best.is_some());
    });
}

/// The position after the best move of a search of one ply, and the move's score.
fn one_ply(definition: &str, fen: &str) -> (Position, Score) {
    let mut games = Catalogue::new();
    let file = DefinitionFile { name: "own.toml".to_string(), text: definition.to_string() };
    let names = games.add(vec![file]).expect("a game");
    let variant = games.find(&names[0]).expect("just added");
    let mut position = Position::from_fen(&variant, fen).expect("a position");
    let mut searcher = Searcher::new(1).expect("memory");
    searcher.set_techniques(Techniques::without("shortest-win, check-wins").expect("techniques"));
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let (found, lines) = search(&mut searcher, &position, &limits);
    position.make(found.best.expect("a move"));
    (position, lines.last().expect("an iteration").score)
}

#[test]
fn quiescence_search_sees_goals_and_captures_that_must_be_made() {
    on_large_stack(|| {
        let hill = include_str!("../examples/games/kingofthehill.toml");
        // The king goes to d5, unless the rook gives up a pawn for it; without the rook, whatever happens.
        let (mut position, score) = one_ply(hill, "8/8/2k5/8/8/1p6/8/1R2K3 w - - 0 1");
        assert_eq!(position.winning_move(&mut MoveList::new()), None, "{}", position.fen());
        assert!(!score.is_mate());
        let (mut position, score) = one_ply(hill, "8/8/2k5/8/8/1p6/4K3/8 w - - 0 1");
        assert!(position.winning_move(&mut MoveList::new()).is_some(), "{}", position.fen());
        assert_eq!(score.mate_moves(), Some(-1));
        // The last piece is offered to a pawn, which must take it.
        let antichess = include_str!("../examples/games/antichess.toml");
        let (position, score) = one_ply(antichess, "8/8/8/8/1p6/8/8/1N6 w - - 0 1");
        assert!(position.must_capture());
        assert_eq!(score.mate_moves(), Some(1));
    });
}
