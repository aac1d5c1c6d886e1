//! One game between two engines, with the rules of the game as arbiter.

use std::sync::Arc;
use std::time::Duration;

use super::adjudication::{Adjudged, Adjudication, Adjudicator};
use super::clock::{Clock, Pace};
use super::ending::EndReason;
use super::engine::{Answer, Engine};
use super::fault::Fault;
use super::openings::{Opening, OpeningError};
use crate::endings::Arbiter;
use garrison_rules::{Color, GameResult, PerColor, Position, Reason, Variant, shown};

/// The conditions of a game besides its rules.
#[derive(Debug, Clone, Copy)]
pub struct Conditions<'a> {
    /// The limit of each side.
    pub paces: PerColor<Pace>,
    /// How much more than its time a move may take.
    pub margin: Duration,
    /// When it is ended although the rules do not end it.
    pub adjudication: Adjudication,
    /// The tables of endings for that.
    pub arbiter: &'a Arbiter,
}

/// Why a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By a rule.
    Rule(Reason),
    /// By adjudication.
    Adjudged(Adjudged),
    /// By a fault of this player's engine.
    Fault(Color, Fault),
}

impl Ending {
    /// The reason without who caused it.
    pub fn reason(&self) -> EndReason {
        match self {
            Ending::Rule(reason) => EndReason::Rule(*reason),
            Ending::Adjudged(Adjudged::Win(_)) => EndReason::Resignation,
            Ending::Adjudged(Adjudged::Draw) => EndReason::EvenScores,
            Ending::Adjudged(Adjudged::Length) => EndReason::Length,
            Ending::Adjudged(Adjudged::Table(_)) => EndReason::Table,
            Ending::Fault(_, fault) => EndReason::Fault(fault.kind()),
        }
    }
}

/// A move and what its engine reported with it.
#[derive(Debug, Clone)]
pub struct PlayedMove {
    /// The move as text.
    pub text: String,
    /// The engine's answer.
    pub answer: Answer,
}

/// A game that was played to its end.
#[derive(Debug, Clone)]
pub struct Played {
    /// The moves behind those of the opening.
    pub moves: Vec<PlayedMove>,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub ending: Ending,
}

/// Plays a game. The engines must be ready for it ([`Engine::new_game`]).
///
/// # Errors
/// The opening is none of this game. [`None`] if the match was stopped.
pub fn play(
    engines: PerColor<&mut Engine>,
    variant: &Arc<Variant>,
    opening: &Opening,
    conditions: &Conditions,
) -> Result<Option<Played>, OpeningError> {
    let mut position = opening.position(variant)?;
    let mut clocks = PerColor(conditions.paces.0.map(Clock::new));
    let mut adjudicator = Adjudicator::new(conditions.adjudication);
    let mut moves = Vec::new();
    let mut command = opening_command(&position, opening);
    loop {
        if let Some(outcome) = position.status().outcome() {
            let (result, ending) = (position.status().into(), Ending::Rule(outcome.reason));
            return Ok(Some(Played { moves, result, ending }));
        }
        let side = position.side_to_move();
        let clock = clocks[side];
        let words = clock.go_words(side == Color::White, &clocks[!side]);
        let allowed = clock.allowed().map(|time| time + conditions.margin);
        let answer = engines.0[side.index()].go(&command, &words, allowed);
        let answer = match answer.and_then(|answer| accept(&mut position, answer)) {
            Ok(answer) => answer,
            Err(Fault::Interrupted) => return Ok(None),
            Err(fault) => {
                let ending = Ending::Fault(side, fault);
                return Ok(Some(Played { moves, result: GameResult::win(!side), ending }));
            }
        };
        clocks[side].spend(answer.time);
        command.push(' ');
        command.push_str(&answer.best);
        let score = answer.score;
        moves.push(PlayedMove { text: answer.best.clone(), answer });
        let plies = position.moves_made().len() as u32;
        // A rule that ends the game takes precedence over adjudication.
        let by_table = || conditions.arbiter.verdict(&position).map(Adjudged::Table);
        let adjudged = adjudicator.after_move(side, score, plies).or_else(by_table);
        if let (Some(adjudged), None) = (adjudged, position.status().outcome()) {
            let result = match adjudged {
                Adjudged::Win(winner) | Adjudged::Table(Some(winner)) => GameResult::win(winner),
                Adjudged::Draw | Adjudged::Length | Adjudged::Table(None) => GameResult::Draw,
            };
            return Ok(Some(Played { moves, result, ending: Ending::Adjudged(adjudged) }));
        }
    }
}

/// The `position` command with the moves of the opening and the word `moves`.
fn opening_command(position: &Position, opening: &Opening) -> String {
    let start = Position::start(position.variant()).fen();
    let from =
        if opening.fen == start { "startpos".to_string() } else { format!("fen {}", opening.fen) };
    let mut command = format!("position {from} moves");
    for text in &opening.moves {
        command.push(' ');
        command.push_str(text);
    }
    command
}

/// Makes the engine's move. A pending setup is a ply of its own: a move in its place would also make the
/// opponent's setup, so it is refused.
fn accept(position: &mut Position, answer: Answer) -> Result<Answer, Fault> {
    match position.parse_move(&answer.best) {
        Ok(mv) => {
            position.make(mv);
            Ok(answer)
        }
        Err(error) if error.is_syntax() => Err(Fault::Garbage(shown(&answer.best))),
        Err(error) => Err(Fault::Illegal(error)),
    }
}
