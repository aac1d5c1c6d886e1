//! What the text of a game means under the rules.

use super::lex::{At, Item, RawGame, games};
use super::{GameRecord, GameResult, PgnError, ROSTER, START_TAGS};
use garrison_rules::{MoveError, Position, find};

/// Reads all games of a text. What follows a faulty game is read all the same.
pub fn read(text: &str) -> Vec<Result<GameRecord, PgnError>> {
    read_with(text, None)
}

/// Reads all games of a text; those without a tag `Variant` are games of `default_variant`.
pub fn read_with(text: &str, default_variant: Option<&str>) -> Vec<Result<GameRecord, PgnError>> {
    let number = |(index, game): (usize, RawGame)| {
        meaning(game, default_variant).map_err(|At { line, what: fault }| PgnError {
            game: index + 1,
            line,
            fault,
        })
    };
    games(text).into_iter().enumerate().map(number).collect()
}

type Fault = At<String>;

fn meaning(game: RawGame, default_variant: Option<&str>) -> Result<GameRecord, Fault> {
    if let Some(fault) = game.fault {
        return Err(fault);
    }
    let mut record = GameRecord::new(&start(&game, default_variant)?);
    for At { what: (name, value), .. } in &game.tags {
        let is_unknown = ROSTER.contains(&(name.as_str(), value.as_str()));
        if !is_unknown && !START_TAGS.contains(&name.as_str()) {
            record.set_tag(name, value);
        }
    }
    let mut position = record.start.clone();
    for At { line, what } in game.items {
        match what {
            Item::Move(text) => {
                play(&mut record, &mut position, &text).map_err(|what| At { line, what })?;
            }
            Item::Comment(text) => add_comment(&mut record, text),
            Item::Nag(nag) => record.plies.last_mut().into_iter().for_each(|p| p.nags.push(nag)),
            // An asterisk says less than the tag.
            Item::Result(GameResult::Unknown) => {}
            Item::Result(result) => record.result = result,
        }
    }
    Ok(record)
}

/// The position before the first ply.
fn start(game: &RawGame, default_variant: Option<&str>) -> Result<Position, Fault> {
    let tag = |name: &str| game.tags.iter().rfind(|tag| tag.what.0 == name);
    let variant_tag = tag("Variant");
    let line = variant_tag.map_or(game.line, |tag| tag.line);
    let fault = |what: String| At { line, what };
    let name = variant_tag.map(|tag| tag.what.1.as_str()).or(default_variant);
    let name = name.ok_or_else(|| fault("the tag Variant is missing".to_string()))?;
    let variant = find(name).map_err(|unknown| fault(unknown.to_string()))?;
    match tag("FEN") {
        None => Ok(Position::start(&variant)),
        Some(At { line, what: (_, fen) }) => Position::from_fen(&variant, fen)
            .map_err(|error| At { line: *line, what: error.to_string() }),
    }
}

/// Adds a move; where setups are pending that it skips, the arrays stay as they are.
fn play(record: &mut GameRecord, position: &mut Position, text: &str) -> Result<(), String> {
    while position.setup_phase().is_pending() && !text.starts_with('=') {
        let kept = position.setup_as_is();
        record.push(kept, None);
        position.make(kept);
    }
    let named =
        |error: MoveError| format!("move {} of {}: {error}", position.fullmove(), position.side());
    let mv = position.parse_san(text).map_err(named)?;
    record.push(mv, None);
    position.make(mv);
    Ok(())
}

/// A comment belongs to the ply before it; several become one.
fn add_comment(record: &mut GameRecord, text: String) {
    let place = record.plies.last_mut().map_or(&mut record.comment, |ply| &mut ply.comment);
    match place {
        Some(comment) => {
            comment.push(' ');
            comment.push_str(&text);
        }
        None => *place = Some(text),
    }
}
