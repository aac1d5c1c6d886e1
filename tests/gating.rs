//! Moves that let a piece come from hand, beside a slow twin: the moves of the same game without gates, and after each of
//! them every piece in hand on the square that was left, on a board of letters.

mod walk;

use std::sync::Arc;

use garrison_rules::definition::Definition;
use garrison_rules::{Position, Tag, Variant, find};
use walk::{Random, env_number};

const CHESS: &str = include_str!("../crates/rules/games/reference/chess.toml");
const CRAZYHOUSE: &str = include_str!("../crates/rules/games/reference/crazyhouse.toml");
const SEIRAWAN: &str = include_str!("../examples/games/seirawan.toml");
const SHOUSE: &str = include_str!("../examples/games/shouse.toml");

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// The definition of these texts, each over the one before.
fn whole(texts: &[&str]) -> Definition {
    texts[1..].iter().fold(parse(texts[0]), |whole, text| parse(text).over_base(&whole))
}

fn compile(definition: &Definition) -> Arc<Variant> {
    Variant::compile(definition, None).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// The same game without gates.
fn without_gates(texts: &[&str]) -> Arc<Variant> {
    let mut definition = whole(texts);
    definition.gating = None;
    let start = definition.start.as_deref().map(|fen| fen.replace("KQBCDFGkqbcdfg", "KQkq"));
    definition.start = start;
    compile(&definition)
}

/// The board of a FEN as rows of texts, the lowest first, with `.` for a vacant square.
fn rows(fen: &str) -> Vec<Vec<String>> {
    let row = |row: &str| {
        let (mut squares, mut promoted) = (Vec::new(), false);
        for c in row.chars() {
            match c.to_digit(10) {
                Some(run) => squares.extend((0..run).map(|_| ".".to_string())),
                None if c == '+' => promoted = true,
                None => {
                    squares.push(format!("{}{c}", if promoted { "+" } else { "" }));
                    promoted = false;
                }
            }
        }
        squares
    };
    fen.split([' ', '[']).next().unwrap_or_default().split('/').rev().map(row).collect()
}

/// What the twin knows of a position: its FEN without gates, the files of the gates of the side to move, its rank and the
/// pieces it may let in.
struct Gates {
    plain_fen: String,
    files: Vec<char>,
    rank: usize,
    hand: Vec<char>,
}

fn gates(fen: &str, letters: &str) -> Gates {
    let fields: Vec<&str> = fen.split(' ').collect();
    let (board, hand) = fields[0].split_once('[').unwrap_or((fields[0], "]"));
    let is_white = fields[1] == "w";
    let of_side = |c: &char| c.is_uppercase() == is_white;
    let mut castling: String = fields[2].chars().filter(|c| "KQkq".contains(*c)).collect();
    let mut files: Vec<char> = Vec::new();
    for right in fields[2].chars().filter(of_side).map(|c| c.to_ascii_lowercase()) {
        match right {
            'k' => files.extend(['e', 'h']),
            'q' => files.extend(['e', 'a']),
            '-' => {}
            file => files.push(file),
        }
    }
    files.sort_unstable();
    files.dedup();
    let mut hand: Vec<char> =
        hand.chars().filter(of_side).map(|c| c.to_ascii_uppercase()).collect();
    hand.retain(|c| letters.contains(*c));
    hand.sort_unstable();
    hand.dedup();
    if castling.is_empty() {
        castling.push('-');
    }
    let board = if fields[0].contains('[') { fields[0] } else { board };
    let plain_fen = format!("{board} {} {castling} {}", fields[1], fields[3..].join(" "));
    Gates { plain_fen, files, rank: if is_white { 0 } else { 7 }, hand }
}

/// The moves of a position by the twin, sorted, and the board after each.
fn twin(plain: &Arc<Variant>, fen: &str, letters: &str) -> Vec<(String, Vec<Vec<String>>)> {
    let Gates { plain_fen, files, rank, hand } = gates(fen, letters);
    let mut position = Position::from_fen(plain, &plain_fen)
        .unwrap_or_else(|error| panic!("{plain_fen}: {error}"));
    let mut all = Vec::new();
    for mv in position.legal_moves() {
        let text = position.move_text(mv);
        position.make(mv);
        let after = rows(&position.fen());
        position.unmake();
        let row = rank + 1;
        let mut left = vec![(text.clone(), text.as_bytes()[0] as char)];
        if mv.tag() == Tag::Castle {
            let rook = if text.as_bytes()[2] == b'g' { 'h' } else { 'a' };
            left.push((format!("{rook}{row}{}", &text[..2]), rook));
        }
        all.push((text.clone(), after.clone()));
        let from_rank = text.as_bytes()[1] == b'1' + rank as u8;
        if !from_rank || mv.is_drop() || mv.tag() == Tag::Promotion {
            continue;
        }
        for (text, file) in left.iter().filter(|(_, file)| files.contains(file)) {
            for letter in &hand {
                let mut after = after.clone();
                let placed = if rank == 0 { *letter } else { letter.to_ascii_lowercase() };
                after[rank][usize::from(*file as u8 - b'a')] = placed.to_string();
                all.push((format!("{text}{}", letter.to_ascii_lowercase()), after));
            }
        }
    }
    all.sort();
    all
}

/// Walks through random games of these texts beside the twin.
fn compare(texts: &[&str], letters: &str, seed: u64) {
    let (fast, plain) = (compile(&whole(texts)), without_gates(texts));
    let mut random = Random::new(seed);
    let mut left = env_number("GARRISON_PLIES", 600);
    let mut gated = 0;
    while left > 0 {
        let mut position = Position::start(&fast);
        while left > 0 {
            left -= 1;
            let fen = position.fen();
            let slow = twin(&plain, &fen, letters);
            let mut moves: Vec<_> =
                position.legal_moves().into_iter().map(|mv| (position.move_text(mv), mv)).collect();
            moves.sort();
            let texts: Vec<&str> = moves.iter().map(|(text, _)| text.as_str()).collect();
            let slow_texts: Vec<&str> = slow.iter().map(|(text, _)| text.as_str()).collect();
            assert_eq!(texts, slow_texts, "{fen}");
            assert_eq!(position.count_legal_moves(), slow.len() as u64, "{fen}");
            let Some(&(_, mut next)) = random.pick(&moves) else { break };
            // Else hands are empty before kings have castled.
            if next.is_gate() && !next.is_castling() && random.below(3) > 0 {
                next = next_without_gate(&moves, &mut random);
            }
            for (index, (text, mv)) in moves.iter().enumerate() {
                let is_seen = mv.is_castling() || mv.is_gate() && random.below(4) == 0;
                if !is_seen && *mv != next {
                    continue;
                }
                let before = position.clone();
                assert_eq!(position.parse_move(text).as_ref(), Ok(mv), "{fen}");
                let san = position.san(*mv);
                assert_eq!(position.parse_san(&san).as_ref(), Ok(mv), "{fen} {san}");
                position.make(*mv);
                gated += u32::from(mv.is_gate());
                assert_eq!(rows(&position.fen()), slow[index].1, "{fen} {text}");
                assert_eq!(position.key(), position.fresh_key());
                let again = Position::from_fen(&fast, &position.fen());
                assert_eq!(again.map(|again| again.key()), Ok(position.key()), "{fen} {text}");
                position.unmake();
                assert_eq!((&position, position.key()), (&before, before.key()), "{fen} {text}");
            }
            position.make(next);
            if position.status().outcome().is_some() {
                break;
            }
        }
    }
    assert!(gated > 100, "{gated}");
}

/// A move that lets nothing in.
fn next_without_gate(
    moves: &[(String, garrison_rules::Move)],
    random: &mut Random,
) -> garrison_rules::Move {
    let others: Vec<_> = moves.iter().map(|(_, mv)| *mv).filter(|mv| !mv.is_gate()).collect();
    *random.pick(&others).unwrap_or(&moves[0].1)
}

#[test]
fn pieces_come_from_hand_as_in_the_twin() {
    compare(&[CHESS, SEIRAWAN], "EH", 1);
}

#[test]
fn pieces_in_hand_are_dropped_or_gated() {
    compare(&[CHESS, CRAZYHOUSE, SHOUSE], "BEHNQR", 2);
}

#[test]
fn other_games_have_no_gates() {
    let chess = find("chess").expect("a game");
    assert!(chess.gated_kinds().is_empty());
    let error = Position::start(&chess).parse_move("b1c3h").unwrap_err().to_string();
    assert_eq!(error, "'b1c3h' is no move text of chess (such as a2a3)");
}
