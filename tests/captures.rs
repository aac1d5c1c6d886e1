//! Captures that do more than take a piece, beside a slow twin on a board of letters: what an explosion removes, which
//! moves it leaves legal, and what is made is unmade.

mod walk;

use std::sync::Arc;

use garrison_rules::definition::Definition;
use garrison_rules::{Move, Position, Tag, Variant, perft};
use walk::{Random, env_number};

const CHESS: &str = include_str!("../crates/rules/games/reference/chess.toml");
const CRAZYHOUSE: &str = include_str!("../crates/rules/games/reference/crazyhouse.toml");

/// Chess, or crazyhouse, with these differences.
fn game(base: &[&str], text: &str) -> Arc<Variant> {
    let parse = |text: &str| Definition::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut whole = parse(base[0]);
    for text in base[1..].iter().chain([&text]) {
        whole = parse(text).over_base(&whole);
    }
    Variant::compile(&whole, None).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn chess(text: &str) -> Arc<Variant> {
    game(&[CHESS], &format!("name = 'own'\n{text}"))
}

/// A board of letters, a1 first.
type Letters = Vec<char>;

fn letters(fen: &str) -> Letters {
    let board = fen.split([' ', '[']).next().unwrap_or("");
    let rows: Vec<&str> = board.split('/').rev().collect();
    let row = |row: &&str| -> Vec<char> {
        let squares = row.chars().flat_map(|c| match c.to_digit(10) {
            Some(run) => vec!['.'; run as usize],
            None => vec![c],
        });
        squares.collect()
    };
    rows.iter().flat_map(row).collect()
}

fn board_text(letters: &Letters) -> String {
    let row = |row: &[char]| -> String {
        let runs = row.chunk_by(|a, b| *a == '.' && *b == '.');
        let run = |run: &[char]| match run[0] {
            '.' => run.len().to_string(),
            piece => piece.to_string(),
        };
        runs.map(run).collect()
    };
    letters.chunks(8).rev().map(row).collect::<Vec<_>>().join("/")
}

/// How a game explodes, by the book: the squares around, the letters spared, the letters immune.
struct Rule {
    radius: usize,
    spares: &'static str,
    immune: &'static str,
}

impl Rule {
    /// The board after a move that is not castling.
    fn after(&self, before: &Letters, position: &Position, mv: Move) -> Letters {
        let index = |square| {
            let geometry = position.variant().geometry();
            usize::from(geometry.rank(square).0) * 8 + usize::from(geometry.file(square).0)
        };
        let (from, to) = (index(mv.from()), index(mv.to()));
        let mut board = before.clone();
        let mover = board[from];
        board[from] = '.';
        let mut captures = board[to] != '.';
        board[to] = mover;
        if mv.tag() == Tag::Promotion {
            let letter = position.variant().piece(mv.becomes()).letter.capital;
            board[to] = if mover == 'P' { letter } else { letter.to_ascii_lowercase() };
        }
        if let (Tag::EnPassant, Some(passed)) = (mv.tag(), position.passed_piece()) {
            board[index(passed)] = '.';
            captures = true;
        }
        if captures {
            let is_immune = |letter| self.immune.contains(letter);
            for (square, at) in board.iter_mut().enumerate() {
                let far = (square % 8).abs_diff(to % 8).max((square / 8).abs_diff(to / 8));
                let letter = at.to_ascii_uppercase();
                let goes = match far {
                    0 => !is_immune(mover.to_ascii_uppercase()),
                    far => {
                        far <= self.radius && !self.spares.contains(letter) && !is_immune(letter)
                    }
                };
                if goes {
                    *at = '.';
                }
            }
        }
        board
    }

    /// Whether two kings stand so near to each other that the explosion of one removes the other.
    fn kings_touch(&self, board: &Letters) -> bool {
        let king = |letter| board.iter().position(|&c| c == letter);
        let (Some(a), Some(b)) = (king('K'), king('k')) else { return false };
        (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8)) <= self.radius
    }
}

/// The legal moves, castling left out, found in chess whose kings may be captured.
fn slow_moves(rule: &Rule, plain: &Arc<Variant>, position: &Position) -> Vec<Move> {
    let fen = position.fen();
    let loose = Position::from_fen(plain, &fen).expect("the same position");
    let before = letters(&fen);
    let [own, enemy] = if fen.contains(" w ") { ['K', 'k'] } else { ['k', 'K'] };
    let is_legal = |mv: &Move| {
        let after = rule.after(&before, position, *mv);
        if !after.contains(&own) {
            return false;
        }
        if !after.contains(&enemy) || rule.kings_touch(&after) {
            return true;
        }
        let side = if own == 'K' { 'b' } else { 'w' };
        let text = format!("{} {side} - - 0 1", board_text(&after));
        let after = Position::from_fen(plain, &text).expect("kings may be left attacked");
        !after.legal_moves().iter().any(|reply| {
            after.at(reply.to()).is_some_and(|piece| plain.royals().contains(piece.kind()))
        })
    };
    loose.legal_moves().into_iter().filter(|mv| mv.tag() != Tag::Castle).filter(is_legal).collect()
}

/// Compares random games with the slow twin.
fn walk(rule: &Rule, text: &str, seed: u64) {
    let exploding = chess(text);
    let plain = chess("royalty.kind = 'captured'");
    let mut random = Random::new(seed);
    for _ in 0..env_number("GARRISON_PLIES", 2000) / 200 {
        let mut position = Position::start(&exploding);
        for _ in 0..200 {
            let fen = position.fen();
            let mut found = position.legal_moves().to_vec();
            found.retain(|mv| mv.tag() != Tag::Castle);
            let mut expected = slow_moves(rule, &plain, &position);
            found.sort_unstable();
            expected.sort_unstable();
            let texts = |moves: &[Move]| -> Vec<String> {
                moves.iter().map(|&mv| position.move_text(mv)).collect()
            };
            assert_eq!(texts(&found), texts(&expected), "{fen}");
            let Some(mv) = random.choose(&position) else { break };
            let start = position.clone();
            position.make(mv);
            if mv.tag() != Tag::Castle {
                let expected = rule.after(&letters(&fen), &start, mv);
                assert_eq!(letters(&position.fen()), expected, "{} in {fen}", start.move_text(mv));
            }
            assert_eq!(position.key(), position.fresh_key());
            let again = Position::from_fen(&exploding, &position.fen()).expect("its own FEN");
            assert_eq!((again.fen(), again.key()), (position.fen(), position.key()));
            position.unmake();
            assert_eq!((&position, position.key()), (&start, start.key()), "{fen}");
            position.make(mv);
            if position.decided().is_some() {
                break;
            }
        }
    }
}

#[test]
fn explosions_are_those_of_the_slow_twin() {
    let atomic = Rule { radius: 1, spares: "P", immune: "" };
    walk(&atomic, "blast = { radius = 1, spares = 'P' }", 1);
    let wide = Rule { radius: 2, spares: "PN", immune: "Q" };
    walk(&wide, "blast = { radius = 2, spares = 'PN', immune = 'Q' }", 2);
    let duel = Rule { radius: 0, spares: "", immune: "" };
    walk(&duel, "blast = { radius = 0 }", 3);
}

/// The counts of atomic chess that Fairy-Stockfish and lichess have.
#[test]
fn atomic_has_the_published_counts() {
    let atomic = chess("blast = { radius = 1, spares = 'P' }");
    let count = |fen: &str, depth| {
        let mut position = Position::from_fen(&atomic, fen).expect("a position");
        perft(&mut position, depth)
    };
    let counts = [20, 400, 8902, 197_326];
    for (depth, wanted) in (1..).zip(counts) {
        assert_eq!(count(atomic.start_fen(), depth), wanted);
    }
}

fn status_after(variant: &Arc<Variant>, fen: &str, mv: &str) -> (String, String) {
    let mut position = Position::from_fen(variant, fen).expect("a position");
    position.play(mv).unwrap_or_else(|error| panic!("{error}"));
    (position.fen(), position.status().to_string())
}

#[test]
fn an_exploded_king_ends_the_game() {
    let atomic = chess("blast = { radius = 1, spares = 'P' }");
    // In check, but the explosion wins.
    let fen = "3rk3/3p4/8/8/8/8/3R4/3K3r w - - 0 1";
    let (after, status) = status_after(&atomic, fen, "d2d7");
    assert_eq!(after, "8/8/8/8/8/8/8/3K3r b - - 0 1");
    assert_eq!(status, "white wins (king captured)");
    let position = Position::from_fen(&atomic, fen).expect("a position");
    assert!(position.is_check());
    // The explosion, and the king's steps out of check.
    assert_eq!(position.legal_moves().len(), 1 + 2);
}

#[test]
fn what_would_remove_the_own_king_is_refused_with_the_reason() {
    let atomic = chess("blast = { radius = 1, spares = 'P' }");
    let why = |fen: &str, mv: &str| {
        let position = Position::from_fen(&atomic, fen).expect("a position");
        position.parse_move(mv).expect_err("illegal").to_string()
    };
    let fen = "4k3/8/8/8/8/8/4p3/R3K3 w - - 0 1";
    assert!(
        why(fen, "e1e2").ends_with("the explosion would remove the king"),
        "{}",
        why(fen, "e1e2")
    );
    let fen = "4k3/8/8/8/8/8/3n4/R1B1K3 w - - 0 1";
    assert!(why(fen, "c1d2").ends_with("the explosion would remove the king"));
}

#[test]
fn kings_that_touch_are_not_in_check() {
    let atomic = chess("blast = { radius = 1, spares = 'P' }");
    let position =
        Position::from_fen(&atomic, "8/8/8/3k4/3K4/8/8/3r4 w - - 0 1").expect("a position");
    assert!(!position.is_check());
    let position =
        Position::from_fen(&atomic, "8/8/3k4/8/3K4/8/8/3r4 w - - 0 1").expect("a position");
    assert!(position.is_check());
    assert!(position.parse_move("d4d5").is_ok(), "to the other king, out of check");
    // Where kings survive explosions, touching them shelters nobody.
    let immune = chess("blast = { radius = 1, spares = 'P', immune = 'K' }\npieces.K.spares = 'K'");
    let position =
        Position::from_fen(&immune, "8/8/8/3k4/3K4/8/8/3r4 w - - 0 1").expect("a position");
    assert!(position.is_check());
}

#[test]
fn castling_is_lost_with_a_rook_that_explodes() {
    let atomic = chess("blast = { radius = 1, spares = 'P' }");
    let (after, _) = status_after(&atomic, "4k3/8/8/7n/8/8/r7/R3K2R b KQ - 0 1", "a2a1");
    assert_eq!(after, "4k3/8/8/7n/8/8/8/4K2R w K - 0 2");
    let (after, _) = status_after(&atomic, "4k3/8/8/8/7r/8/7N/R3K2R b KQ - 0 1", "h4h2");
    assert_eq!(after, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 2");
}

#[test]
fn what_explodes_goes_to_the_hand_of_the_other_side() {
    let game = game(&[CHESS, CRAZYHOUSE], "name = 'own'\nblast = { radius = 1, spares = 'P' }");
    let fen = "4k3/8/2b5/3npb2/2NR4/2Q5/8/4K3[] w - - 0 1";
    let (after, _) = status_after(&game, fen, "d4d5");
    assert_eq!(after, "4k3/8/8/4pb2/8/2Q5/8/4K3[NBnr] b - - 0 1");
}

#[test]
fn who_removes_both_kings_loses_where_that_is_legal() {
    let free = chess("royalty.kind = 'captured'\nblast = { radius = 1, spares = 'P' }");
    let (after, status) = status_after(&free, "8/8/8/8/8/4k3/4p3/3QK3 w - - 0 1", "d1e2");
    assert_eq!(
        (after.as_str(), status.as_str()),
        ("8/8/8/8/8/8/8/8 b - - 0 1", "black wins (king captured)")
    );
}

/// Pieces that turn to stone where they capture.
fn petrified() -> Arc<Variant> {
    let pieces = "KQRBN".chars().map(|letter| format!("pieces.{letter}.on_capture = 'stone'\n"));
    chess(&pieces.collect::<String>())
}

#[test]
fn a_piece_that_captures_turns_to_stone() {
    let game = petrified();
    let (after, _) = status_after(&game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "h1h8");
    assert_eq!(after, "r3k2*/8/8/8/8/8/8/R3K3 b Qq - 0 9");
    // A pawn stays what it is, or becomes what it promotes to.
    let (after, _) = status_after(&game, "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q");
    assert_eq!(after, "3Qk3/8/8/8/8/8/8/4K3 b - - 0 1");
}

#[test]
fn a_stone_blocks_its_square_for_everybody() {
    let game = petrified();
    let fen = "4k3/8/8/8/8/3P4/3*4/1N1QK3 w - - 0 1";
    let position = Position::from_fen(&game, fen).expect("a position");
    assert_eq!(position.fen(), fen);
    for text in ["d1d2", "b1d2", "e1d2"] {
        assert!(position.parse_move(text).is_err(), "{text}");
    }
    let bare = Position::from_fen(&game, "4k3/8/8/8/8/8/3*4/4K3 w - - 0 1").expect("a position");
    assert_eq!((bare.stones().len(), bare.occupied().len()), (1, 3));
    // The key knows it.
    let none = Position::from_fen(&game, "4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a position");
    assert_ne!(bare.key(), none.key());
    let plain = chess("");
    assert!(Position::from_fen(&plain, "4k3/8/8/8/8/8/3*4/4K3 w - - 0 1").is_err());
}

#[test]
fn a_king_that_would_turn_to_stone_captures_nothing() {
    let game = petrified();
    let position =
        Position::from_fen(&game, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").expect("a position");
    assert!(position.parse_move("e1e2").is_err());
    // So kings may touch.
    let position = Position::from_fen(&game, "8/8/8/3k4/8/3K4/8/8 w - - 0 1").expect("a position");
    assert!(position.parse_move("d3d4").is_ok());
}

/// Tests that the FEN after a move is read as the same position, and that the move can be taken back.
fn there_and_back(position: &mut Position, before: &Position, mv: Move) {
    let again = Position::from_fen(position.variant(), &position.fen());
    let again = again.unwrap_or_else(|error| panic!("{}: {error}", position.fen()));
    assert_eq!((again.fen(), again.key()), (position.fen(), position.fresh_key()));
    position.unmake();
    assert_eq!((&*position, position.key()), (before, before.key()));
    position.make(mv);
}

#[test]
fn stones_come_and_go_with_their_moves() {
    let game = petrified();
    let mut random = Random::new(4);
    let mut stones = 0;
    for _ in 0..20 {
        let mut position = Position::start(&game);
        for _ in 0..120 {
            let before = position.clone();
            let Some(mv) = random.choose(&position) else { break };
            let captures = before.at(mv.to()).is_some();
            let is_pawn =
                before.at(mv.from()).is_some_and(|piece| game.piece(piece.kind()).zeroing);
            position.make(mv);
            let made = (position.stones() & !before.stones()).len();
            assert_eq!(made, u32::from(captures && !is_pawn && mv.tag() != Tag::Castle));
            stones += made;
            there_and_back(&mut position, &before, mv);
        }
    }
    assert!(stones > 50, "{stones}");
}

#[test]
fn stones_left_behind_come_and_go_with_their_moves() {
    let start = "start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1'\ncastling = []";
    let game = chess(&format!("stones.each_move = 'leaves'\nroyalty.kind = 'captured'\n{start}"));
    let mut random = Random::new(5);
    let mut stones = 0;
    for _ in 0..20 {
        let mut position = Position::start(&game);
        for _ in 0..60 {
            let before = position.clone();
            let Some(mv) = random.choose(&position) else { break };
            position.make(mv);
            assert_eq!((position.stones() & !before.stones()).single(), Some(mv.from()));
            stones += 1;
            there_and_back(&mut position, &before, mv);
        }
    }
    assert!(stones > 300, "{stones}");
}

#[test]
fn a_capture_in_passing_explodes_where_it_was_made() {
    let atomic = chess("blast = { radius = 1, spares = 'P' }");
    let fen = "4k3/8/2n1b3/3pPq2/8/8/8/4K3 w - d6 0 1";
    let (after, _) = status_after(&atomic, fen, "e5d6");
    assert_eq!(after, "4k3/8/8/5q2/8/8/8/4K3 b - - 0 1");
    // As well where the capture promotes.
    let early = chess("blast = { radius = 1, spares = 'P' }\npieces.P.promotion.zone = 'last3'");
    let (after, _) = status_after(&early, fen, "e5d6q");
    assert_eq!(after, "4k3/8/8/5q2/8/8/8/4K3 b - - 0 1");
}

#[test]
fn a_side_without_kings_loses_once_the_other_has_enough_of_them() {
    let end = "end.when = [{ lacks = 'K', enemy = 2, result = 'loss' }]";
    let game = chess(&format!("royalty.piece = ''\npieces.K.limit = 4\n{end}"));
    let status = |fen: &str| {
        let position = Position::from_fen(&game, fen).expect("a position");
        position.status().to_string()
    };
    assert_eq!(status("4k3/8/8/8/8/8/8/R7 w - - 0 1"), "ongoing");
    assert_eq!(status("4k3/4k3/8/8/8/8/8/R7 w - - 0 1"), "black wins (pieces lost)");
    assert_eq!(status("4k3/4k3/8/8/8/8/8/RK6 w - - 0 1"), "ongoing");
}
