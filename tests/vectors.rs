//! Positions with their exact legal moves, perft, FEN and status, from an independent
//! implementation of the rule book (`vectors.jsonl`, one JSON object a line).

use garrison_rules::{Position, find, perft};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    variant: String,
    fen: String,
    moves: Vec<String>,
    perft2: Option<u64>,
    perft3: Option<u64>,
    perft4: Option<u64>,
    status: String,
}

fn check(vector: &Vector) -> Result<(), String> {
    let variant = find(&vector.variant).map_err(|unknown| unknown.to_string())?;
    let mut position =
        Position::from_fen(&variant, &vector.fen).map_err(|error| error.to_string())?;
    let same = |what: &str, found: &str, wanted: &str| {
        if found == wanted { Ok(()) } else { Err(format!("{what} '{found}', wanted '{wanted}'")) }
    };
    same("FEN", &position.fen(), &vector.fen)?;
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|&mv| position.move_text(mv)).collect();
    moves.sort_unstable();
    same("moves", &moves.join(" "), &vector.moves.join(" "))?;
    same("status", &position.status().to_string(), &vector.status)?;
    for (depth, wanted) in [(2, vector.perft2), (3, vector.perft3), (4, vector.perft4)] {
        if let Some(wanted) = wanted {
            same("perft", &perft(&mut position, depth).to_string(), &wanted.to_string())?;
        }
    }
    Ok(())
}

#[test]
fn every_vector_agrees() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (number, line) in include_str!("vectors.jsonl").lines().enumerate() {
        let vector: Vector = serde_json::from_str(line).expect("a line of JSON");
        count += 1;
        if let Err(fault) = check(&vector) {
            faults.push(format!(
                "line {} ({} {}): {fault}",
                number + 1,
                vector.variant,
                vector.fen
            ));
        }
    }
    assert_eq!(count, 198);
    assert!(
        faults.is_empty(),
        "{} of {count} vectors differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
