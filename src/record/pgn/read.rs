//! Plays the moves of a PGN text by the rules of its game.

use super::lex::{At, Item, RawGame, games};
use super::{PgnError, PgnFault, ROSTER, START_TAGS};
use crate::record::GameRecord;
use garrison_rules::{GameResult, MoveError, Position, find};

/// Reads all games of a text. A faulty game does not affect the next ones.
pub fn read(text: &str) -> Vec<Result<GameRecord, PgnError>> {
    read_with(text, None)
}

/// Reads all games of a text; those without a tag `Variant` are games of `default_variant`.
pub fn read_with(text: &str, default_variant: Option<&str>) -> Vec<Result<GameRecord, PgnError>> {
    let number = |(index, game): (usize, RawGame)| {
        interpret(game, default_variant).map_err(|At { line, what: fault }| PgnError {
            game: index + 1,
            line,
            fault,
        })
    };
    games(text).into_iter().enumerate().map(number).collect()
}

type Fault = At<PgnFault>;

fn interpret(game: RawGame, default_variant: Option<&str>) -> Result<GameRecord, Fault> {
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
            // An asterisk does not overrule the tag.
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
    let fault = |what: PgnFault| At { line, what };
    let name = variant_tag.map(|tag| tag.what.1.as_str()).or(default_variant);
    let name = name.ok_or_else(|| fault(PgnFault::NoVariant))?;
    let variant = find(name).map_err(|unknown| fault(PgnFault::UnknownGame(unknown)))?;
    match tag("FEN") {
        None => Ok(Position::start(&variant)),
        Some(At { line, what: (_, fen) }) => Position::from_fen(&variant, fen)
            .map_err(|error| At { line: *line, what: error.into() }),
    }
}

/// Adds a move. A move made while setups are pending keeps the arrays as they are.
fn play(record: &mut GameRecord, position: &mut Position, text: &str) -> Result<(), PgnFault> {
    while position.setup_phase().is_pending() && !text.starts_with('=') {
        let kept = position.setup_as_is();
        record.push(kept, None);
        position.make(kept);
    }
    let named = |error: MoveError| PgnFault::Move {
        number: position.fullmove(),
        side: position.side_to_move(),
        error,
    };
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
