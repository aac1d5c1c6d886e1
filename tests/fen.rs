//! FENs that are refused, with the field and the reason, and FENs that are taken although they are
//! not written canonically, with what they read as.
//!
//! `fen/refused.txt`: `game | fen | field | fragment of the message`.
//! `fen/accepted.txt`: `game | fen | canonical fen`.

use std::fs;
use std::path::Path;

use garrison_rules::catalogue::builtin_names;
use garrison_rules::{FenError, Position, find};

/// The lines of a text, split at `|`, with their numbers.
fn rows<const N: usize>(file: &str) -> Vec<(usize, [String; N])> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fen").join(file);
    let text = fs::read_to_string(&path).expect("a text of FENs");
    let split = |(index, line): (usize, &str)| {
        let fields: Vec<String> = line.split('|').map(|field| field.trim().to_string()).collect();
        let fields: [String; N] =
            fields.try_into().unwrap_or_else(|_| panic!("{file}:{}: needs {N} fields", index + 1));
        (index + 1, fields)
    };
    let lines = text.lines().enumerate();
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(split).collect()
}

fn read(game: &str, fen: &str) -> Result<Position, FenError> {
    let variant = find(game).unwrap_or_else(|unknown| panic!("{unknown}"));
    Position::from_fen(&variant, fen)
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} lines fail:\n{}", faults.len(), faults.join("\n"));
}

/// What is wrong with the way a FEN is refused.
fn judge_refusal(game: &str, fen: &str, field: &str, fragment: &str) -> Option<String> {
    let error = match read(game, fen) {
        Ok(position) => return Some(format!("is read as {}", position.fen())),
        Err(error) => error,
    };
    let text = error.to_string();
    if error.field().to_string() != field {
        return Some(format!("field '{}', should be '{field}': {text}", error.field()));
    }
    if text.contains(['\n', '\r']) {
        return Some(format!("more than one line: {text:?}"));
    }
    let fault = text.split_once(": ").map_or("", |(_, fault)| fault);
    let is_named = !fragment.is_empty() && fault.contains(fragment);
    (!is_named).then(|| format!("'{text}' lacks '{fragment}'"))
}

#[test]
fn broken_fens_are_refused() {
    let rows = rows::<4>("refused.txt");
    let fault = |(line, [game, fen, field, fragment]): &(usize, [String; 4])| {
        judge_refusal(game, fen, field, fragment)
            .map(|fault| format!("refused.txt:{line} {game} {fen}\n    {fault}"))
    };
    assert_none(&rows.iter().filter_map(fault).collect::<Vec<_>>());
    println!("{} refused", rows.len());
    assert!(rows.len() >= 230, "only {} lines", rows.len());
}

/// What is wrong with the way a FEN is read; what is written must read as the same.
fn judge_reading(game: &str, fen: &str, canonical: &str) -> Option<String> {
    let position = match read(game, fen) {
        Ok(position) => position,
        Err(error) => return Some(format!("is refused: {error}")),
    };
    if position.fen() != canonical {
        return Some(format!("is written {}, should be {canonical}", position.fen()));
    }
    match read(game, canonical) {
        Ok(again) if again == position && again.key() == position.key() => None,
        Ok(again) => Some(format!("read again it is another position: {}", again.fen())),
        Err(error) => Some(format!("its own text is refused: {error}")),
    }
}

#[test]
fn lenient_fens_are_read() {
    let rows = rows::<3>("accepted.txt");
    let fault = |(line, [game, fen, canonical]): &(usize, [String; 3])| {
        judge_reading(game, fen, canonical)
            .map(|fault| format!("accepted.txt:{line} {game} {fen}\n    {fault}"))
    };
    assert_none(&rows.iter().filter_map(fault).collect::<Vec<_>>());
    println!("{} accepted", rows.len());
    assert!(rows.len() >= 55, "only {} lines", rows.len());
}

/// Whatever the text, the refusal is one line and the reader does not panic.
#[test]
fn refusals_are_one_line() {
    let texts =
        ["", " ", "\n", "\r\n\t", "a\nb", "/", "[", "]", "[]", "\u{0}", "ж", "9/\n9", "\u{2028}"];
    let mut count = 0;
    for name in builtin_names() {
        let start = find(name).expect("a built-in game").start_fen().to_string();
        for text in texts {
            // The text alone, and in the place of each field of the start position.
            let fields: Vec<&str> = start.split(' ').collect();
            let replaced = (0..fields.len()).map(|index| {
                let mut fields = fields.clone();
                fields[index] = text;
                fields.join(" ")
            });
            for fen in replaced.chain([text.to_string(), format!("{text}{start}")]) {
                if let Err(error) = read(name, &fen) {
                    let text = error.to_string();
                    assert!(!text.contains(['\n', '\r']), "{name} {fen:?}: {text:?}");
                    assert!(!text.is_empty(), "{name} {fen:?}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1000, "only {count} refusals");
}

/// The start position of every game is canonical.
#[test]
fn start_positions_are_canonical() {
    for name in builtin_names() {
        let start = find(name).expect("a built-in game").start_fen().to_string();
        assert_eq!(judge_reading(name, &start, &start), None, "{name}");
    }
}
