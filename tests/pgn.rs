//! Moves as people write them, and records of games: what is written reads back, whatever is read
//! does no harm.
//!
//! `GARRISON_SEED` and `GARRISON_PLIES` choose other and longer walks.

mod walk;

use garrison::arena::pgn::{self, GameRecord, GameResult, Ply};
use garrison::rules::{Position, builtin_names, find};
use proptest::prelude::*;
use walk::{Random, env_number};

/// Every legal move has a text of its own, which reads back in all its forms.
fn check_san(position: &Position) {
    let fen = position.fen();
    let moves = position.legal_moves();
    let mut texts: Vec<String> = Vec::with_capacity(moves.len());
    for &mv in &moves {
        let text = position.san(mv);
        assert_eq!(position.parse_san(&text), Ok(mv), "{fen} {text}");
        let coordinates = position.move_text(mv);
        assert_eq!(position.parse_san(&coordinates), Ok(mv), "{fen} {coordinates}");
        let unmarked = unmarked(&text);
        assert_eq!(position.parse_san(unmarked), Ok(mv), "{fen} {unmarked}");
        texts.push(unmarked.to_string());
    }
    texts.sort_unstable();
    let count = texts.len();
    texts.dedup();
    assert_eq!(texts.len(), count, "{fen}: two moves have one text");
}

/// A move without its mark of check or mate: the `+` behind `=` belongs to the move.
fn unmarked(text: &str) -> &str {
    match text.strip_suffix(['+', '#']) {
        Some(rest) if !rest.ends_with('=') => rest,
        _ => text,
    }
}

/// A random game of at most `plies` plies.
fn random_game(name: &str, random: &mut Random, plies: usize) -> Position {
    let mut position = Position::start(&find(name).expect("a built-in game"));
    while position.moves_made().len() < plies && position.status().outcome().is_none() {
        let Some(mv) = random.choose(&position) else { break };
        position.make(mv);
    }
    position
}

#[test]
fn every_move_has_a_text_of_its_own() {
    let mut random = Random::new(env_number("GARRISON_SEED", 5));
    let plies = env_number("GARRISON_PLIES", 250) as usize;
    for name in builtin_names() {
        let mut position = random_game(name, &mut random, plies);
        while position.moves_made().len() > 0 {
            check_san(&position);
            position.unmake();
        }
        check_san(&position);
    }
}

/// A text that is hard to write down, of one line and with single spaces.
fn awkward_text(random: &mut Random) -> String {
    const WORDS: [&str; 16] = [
        "+0.31/8", "0.052s", "}", "\\", "\\)", "\\}", "{", "\"", "[Event", "%", ";", "(e4)", "é♔",
        "$3", "1-0", "a\\\\b",
    ];
    let words: Vec<&str> =
        (0..1 + random.below(30)).filter_map(|_| random.pick(&WORDS).copied()).collect();
    words.join(" ")
}

fn random_record(name: &str, random: &mut Random) -> GameRecord {
    let game = random_game(name, random, 120);
    let mut start = game.clone();
    let skipped = if random.below(2) == 0 { 0 } else { random.below(40) };
    while start.moves_made().len() > skipped {
        start.unmake();
    }
    let mut record = GameRecord::new(&start);
    record.set_tag("White", &awkward_text(random));
    record.set_tag("Termination", &awkward_text(random));
    record.set_tag("Round", "3");
    record.comment = (random.below(2) == 0).then(|| awkward_text(random));
    for mv in game.moves_made().skip(start.moves_made().len()) {
        let comment = (random.below(4) == 0).then(|| awkward_text(random));
        let nags = if random.below(8) == 0 { vec![random.next() as u8, 1] } else { Vec::new() };
        record.plies.push(Ply { mv, comment, nags });
    }
    record.result = random.pick(&GameResult::ALL).copied().expect("a result");
    assert_eq!(record.end(), game.without_history());
    record
}

#[test]
fn games_read_back_as_they_were_written() {
    let mut random = Random::new(env_number("GARRISON_SEED", 7));
    let names = builtin_names().iter();
    let records: Vec<GameRecord> =
        names.flat_map(|name| [name; 3]).map(|name| random_record(name, &mut random)).collect();
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    let again = pgn::read(&text);
    assert_eq!(again.len(), records.len());
    for (record, again) in records.iter().zip(again) {
        let again = again.unwrap_or_else(|error| panic!("{error}\n{record}"));
        let sorted = |record: &GameRecord| {
            let mut tags = record.tags.clone();
            tags.sort();
            tags
        };
        assert_eq!(sorted(&again), sorted(record));
        assert_eq!(again.start, record.start);
        assert_eq!(again.comment, record.comment);
        assert_eq!(again.plies, record.plies);
        assert_eq!(again.result, record.result);
        assert_eq!(again.to_pgn(), record.to_pgn());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = pgn::read_with(&String::from_utf8_lossy(&bytes), Some("shoranji"));
    }
}
