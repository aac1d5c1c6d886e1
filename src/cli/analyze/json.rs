//! The analysis of a game as an object of JSON, in one line.

use serde_json::{Map, Value as Json, json};

use super::report::tallies;
use super::review::{GameAnalysis, Value};
use crate::record::RecordedScore;
use garrison_rules::{Color, Position, Tag};

/// The object of a game; docs/analysis.md describes its fields.
pub(super) fn game(game: &GameAnalysis) -> Json {
    let moves: Vec<Json> =
        game.positions().map(|(index, position)| ply(game, index, &position)).collect();
    let tags: Map<String, Json> =
        game.record.tags.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let [white, black] = tallies(game).map(|(name, tally)| tally.to_json(&name));
    json!({
        "type": "game",
        "game": game.number,
        "variant": game.record.start.variant().name(),
        "fen": game.record.start.fen(),
        "result": game.record.result.text(),
        "status": game.values.last().map(|value| value.status.as_str()),
        "tags": tags,
        "white": white,
        "black": black,
        "moves": moves,
    })
}

/// The object of a ply, made in this position.
fn ply(game: &GameAnalysis, index: usize, position: &Position) -> Json {
    let (ply, review) = (&game.record.plies[index], &game.reviews[index]);
    let (before, after) = (&game.values[index], &game.values[index + 1]);
    let is_setup = ply.mv.tag() == Tag::Setup;
    json!({
        "number": if is_setup { 0 } else { position.fullmove() },
        "side": if position.side_to_move() == Color::White { "white" } else { "black" },
        "move": position.move_text(ply.mv),
        "san": position.san(ply.mv),
        "score": score(after),
        "depth": after.searched.map(|(_, depth)| depth),
        "best": position.line_text(&before.line),
        "best_san": position.line_san(&before.line),
        "best_score": score(before),
        "loss": (review.loss * 10_000.0).round() / 10_000.0,
        "centipawn_loss": review.centipawns,
        "accuracy": f64::from(review.accuracy) / 1000.0,
        "mark": review.mark.map(|mark| mark.name()),
        "comment": ply.comment,
        "nags": ply.nags,
    })
}

/// The score of a position for White; null if the game is over.
fn score(value: &Value) -> Option<Json> {
    value.searched.map(|(score, _)| match score {
        RecordedScore::Centipawns(centipawns) => json!({ "cp": centipawns }),
        RecordedScore::Mate(moves) => json!({ "mate": moves }),
    })
}
