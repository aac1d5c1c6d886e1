//! Published and cross-checked leaf counts, from the text files in `perft/`.
//!
//! The counts up to [`QUICK`] leaves run always; `cargo test --release -- --ignored` runs all.

use garrison::divide::divide;
use garrison_rules::{Position, find};

const SUITES: [(&str, &str); 3] = [
    ("swda", include_str!("perft/swda.txt")),
    ("shoogantshii", include_str!("perft/shoogantshii.txt")),
    ("reference games", include_str!("perft/reference.txt")),
];

/// What a debug build counts in a few seconds in all.
const QUICK: u64 = 1_500_000;

fn run(limit: u64) {
    let mut faults = Vec::new();
    for (suite, text) in SUITES {
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split(';').map(str::trim);
            let (Some(game), Some(fen)) = (fields.next(), fields.next()) else {
                panic!("{suite}: '{line}' needs a game and a FEN");
            };
            let variant = find(game).unwrap_or_else(|unknown| panic!("{suite}: {unknown}"));
            let fen = if fen == "startpos" { variant.start_fen() } else { fen };
            let position = Position::from_fen(&variant, fen).expect("a valid FEN");
            for field in fields {
                let (depth, wanted) = field.split_once(' ').expect("D<depth> <count>");
                let depth = depth.trim_start_matches('D').parse().expect("a depth");
                let wanted: u64 = wanted.parse().expect("a count");
                if wanted > limit {
                    continue;
                }
                let found: u64 = divide(&position, depth).iter().map(|(_, _, nodes)| nodes).sum();
                if found != wanted {
                    faults.push(format!("{game} {fen} depth {depth}: {found}, wanted {wanted}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn quick_counts() {
    run(QUICK);
}

#[test]
#[ignore = "slow in a debug build; run with --release -- --ignored"]
fn all_counts() {
    run(u64::MAX);
}
