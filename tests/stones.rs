//! Moves that come with a stone, beside a slow twin: the moves of the same game without stones of choice, made one by one
//! on a board of letters, and every square that is vacant then.

mod walk;

use std::sync::Arc;

use garrison_rules::definition::Definition;
use garrison_rules::{Position, Variant};
use walk::{Random, env_number};

const CHESS: &str = include_str!("../crates/rules/games/reference/chess.toml");
const CRAZYHOUSE: &str = include_str!("../crates/rules/games/reference/crazyhouse.toml");
const AMAZONS: &str = include_str!("../examples/games/amazons.toml");

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// A game of these texts, each over the one before.
fn game(texts: &[&str]) -> Arc<Variant> {
    let mut whole = parse(texts[0]);
    for text in &texts[1..] {
        whole = parse(text).over_base(&whole);
    }
    Variant::compile(&whole, None).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// The same game whose moves come without stones. A piece that it never has lets stones stand on its board.
fn without_stones(texts: &[&str]) -> Arc<Variant> {
    let mut whole = parse(texts[0]);
    for text in &texts[1..] {
        whole = parse(text).over_base(&whole);
    }
    whole.stones = None;
    let stone =
        parse("name = 'plain'\npieces.Z = { name = 'gorgon', betza = 'W', on_capture = 'stone' }");
    let whole = stone.over_base(&whole);
    Variant::compile(&whole, None).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// How the twin finds the squares of a stone.
#[derive(Clone, Copy, PartialEq)]
enum Stones {
    /// On any vacant square, the others stay.
    Placed,
    /// On any vacant square, the others go.
    Moved,
    /// On a vacant square on a line from the target of the move.
    Shot,
}

/// The board of a FEN as rows of letters, the lowest first, with `.` for a vacant square.
fn rows(fen: &str) -> Vec<Vec<char>> {
    let row = |row: &str| {
        let (mut squares, mut run) = (Vec::new(), 0);
        for c in row.chars().chain([' ']) {
            match c.to_digit(10) {
                Some(digit) => run = 10 * run + digit as usize,
                None => {
                    squares.extend(std::iter::repeat_n('.', run));
                    run = 0;
                    // A promoted piece takes one square.
                    (!"+ ".contains(c)).then(|| squares.push(c));
                }
            }
        }
        squares
    };
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    board.split('/').rev().map(row).collect()
}

/// The number of a file and of a rank of a square such as `e4`, from 0.
fn place(square: &str) -> (usize, usize) {
    let file = usize::from(square.as_bytes()[0] - b'a');
    (file, square[1..].parse::<usize>().expect("a rank") - 1)
}

fn square((file, rank): (usize, usize)) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

/// The two squares, or the square of a drop, with which a move text begins.
fn target(text: &str) -> String {
    let text = text.split('@').next_back().expect("a text");
    let end = |from: usize| {
        let digits = text[from + 1..].chars().take_while(char::is_ascii_digit).count();
        from + 1 + digits
    };
    let first = end(0);
    let has_second = text.as_bytes().get(first + 1).is_some_and(u8::is_ascii_digit);
    let (from, to) = if has_second { (first, end(first)) } else { (0, first) };
    text[from..to].to_string()
}

/// Whether a straight or diagonal line of vacant squares leads from one place to another.
fn is_open_line(board: &[Vec<char>], from: (usize, usize), to: (usize, usize)) -> bool {
    let delta = |a: usize, b: usize| b as isize - a as isize;
    let (dx, dy) = (delta(from.0, to.0), delta(from.1, to.1));
    let length = dx.abs().max(dy.abs());
    let is_line = length > 0 && (dx == 0 || dy == 0 || dx.abs() == dy.abs());
    let at = |step: isize| {
        let (file, rank) =
            (from.0 as isize + dx.signum() * step, from.1 as isize + dy.signum() * step);
        board[rank as usize][file as usize]
    };
    is_line && (1..=length).all(|step| at(step) == '.')
}

/// The moves of a position by the twin, sorted, and the board after each.
fn twin(
    plain: &Arc<Variant>,
    fen: &str,
    stones: Stones,
    allowed: &str,
) -> Vec<(String, Vec<Vec<char>>)> {
    let mut position = Position::from_fen(plain, fen).unwrap_or_else(|error| panic!("{error}"));
    let mut all = Vec::new();
    for mv in position.legal_moves() {
        let text = position.move_text(mv);
        let to = target(&text);
        position.make(mv);
        let board = rows(&position.fen());
        position.unmake();
        for (rank, row) in board.iter().enumerate() {
            for (file, _) in row.iter().enumerate().filter(|(_, letter)| **letter == '.') {
                let stone = square((file, rank));
                let is_reached =
                    stones != Stones::Shot || is_open_line(&board, place(&to), (file, rank));
                if !is_reached || !(allowed.is_empty() || allowed.contains(&stone)) {
                    continue;
                }
                let mut after = board.clone();
                if stones == Stones::Moved {
                    let old = after.iter_mut().flatten().filter(|letter| **letter == '*');
                    old.for_each(|letter| *letter = '.');
                }
                after[rank][file] = '*';
                all.push((format!("{text},{to}{stone}"), after));
            }
        }
    }
    all.sort();
    all
}

/// Walks through random games of these texts beside the twin.
fn compare(texts: &[&str], stones: Stones, allowed: &str, seed: u64) {
    let (fast, plain) = (game(texts), without_stones(texts));
    let mut random = Random::new(seed);
    let mut left = env_number("GARRISON_PLIES", 300);
    while left > 0 {
        let mut position = Position::start(&fast);
        while left > 0 {
            left -= 1;
            let fen = position.fen();
            let slow = if position.status().outcome().is_none() {
                twin(&plain, &fen, stones, allowed)
            } else {
                Vec::new()
            };
            let mut moves: Vec<_> =
                position.legal_moves().into_iter().map(|mv| (position.move_text(mv), mv)).collect();
            moves.sort();
            let texts: Vec<&str> = moves.iter().map(|(text, _)| text.as_str()).collect();
            assert!(texts.iter().copied().eq(slow.iter().map(|(text, _)| text.as_str())), "{fen}");
            assert_eq!(position.count_legal_moves(), slow.len() as u64, "{fen}");
            assert_eq!(position.has_legal_move(), !slow.is_empty(), "{fen}");
            let Some(_) = random.pick(&moves) else { break };
            for _ in 0..8 {
                let index = random.below(moves.len());
                let (text, mv) = &moves[index];
                let before = position.clone();
                assert_eq!(position.parse_move(text).as_ref(), Ok(mv), "{fen}");
                let san = position.san(*mv);
                assert_eq!(position.parse_san(&san).as_ref(), Ok(mv), "{fen} {san}");
                position.make(*mv);
                assert_eq!(rows(&position.fen()), slow[index].1, "{fen} {text}");
                assert_eq!(position.key(), position.fresh_key());
                let again = Position::from_fen(&fast, &position.fen());
                assert_eq!(again.map(|again| again.key()), Ok(position.key()), "{fen} {text}");
                position.unmake();
                assert_eq!((&position, position.key()), (&before, before.key()), "{fen} {text}");
            }
            let next = random.choose(&position).expect("a move");
            position.make(next);
        }
    }
}

const CAPTURED: &str = "name = 'own'\nroyalty.kind = 'captured'\n";

#[test]
fn the_duck_goes_to_any_vacant_square() {
    compare(&[CHESS, &format!("{CAPTURED}stones.each_move = 'moves'")], Stones::Moved, "", 1);
}

#[test]
fn stones_are_placed_within_their_squares() {
    let text = format!("{CAPTURED}stones = {{ each_move = 'places', squares = 'rank4 e5' }}");
    compare(&[CHESS, &text], Stones::Placed, "a4 b4 c4 d4 e4 f4 g4 h4 e5", 2);
}

#[test]
fn drops_come_with_stones_too() {
    let text = format!("{CAPTURED}stones.each_move = 'moves'");
    compare(&[CHESS, CRAZYHOUSE, &text], Stones::Moved, "", 3);
}

#[test]
fn arrows_fly_as_queens_move() {
    compare(&[AMAZONS], Stones::Shot, "", 4);
}

#[test]
fn a_move_says_where_its_stone_goes() {
    let duck = game(&[CHESS, &format!("{CAPTURED}stones.each_move = 'moves'")]);
    let position = Position::start(&duck);
    let error = |text: &str| position.parse_move(text).unwrap_err().to_string();
    assert_eq!(error("e2e4"), "'e2e4' is no move text of own (such as a2a3,a3a2)");
    assert_eq!(error("e2e4,e4e4"), "illegal move 'e2e4,e4e4': no stone can be put on e4 after it");
    assert_eq!(error("e2e5,e5e6"), "illegal move 'e2e5,e5e6': the pawn on e2 cannot go to e5");
    assert!(position.parse_move("e2e4,e6").is_ok());
    assert_eq!(position.parse_san("e4,e6"), position.parse_move("e2e4,e4e6"));
    let san = position.parse_san("e4").unwrap_err().to_string();
    assert_eq!(san, "'e4' is no move text of own (such as a3,a2)");
}
