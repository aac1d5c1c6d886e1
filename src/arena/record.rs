//! A finished game: a line in the log of a match, and its PGN.

use std::time::{SystemTime, UNIX_EPOCH};

use garrison_rules::{FenError, GameResult, MoveError, Position, UnknownGame, find, shown};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::ending::{EndReason, FaultKind};
use super::game::{Ending, Played, PlayedMove};
use super::openings::Opening;
use crate::record::{GameRecord, RecordedScore};

/// A record of a log that cannot be written as PGN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {}: {fault}", .game + 1)]
pub struct RecordError {
    /// The number of the game, from 0.
    pub game: usize,
    /// What is wrong.
    pub fault: RecordFault,
}

/// What is wrong with a record: the log was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordFault {
    /// Its game is unknown.
    #[error(transparent)]
    UnknownVariant(#[from] UnknownGame),
    /// Its position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of its moves.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// A move of a game and what the engine reported with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The score in centipawns, seen by the player who moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Or the moves to mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds; left out of reproducible records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// A fault of an engine, as logs keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The engine's name.
    pub engine: String,
    /// The kind of fault.
    pub kind: FaultKind,
    /// One line for people.
    pub text: String,
    /// The same with what may differ from run to run, which no log keeps.
    #[serde(skip)]
    pub detail: String,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number in the match, from 0. Two games with the numbers 2n and 2n + 1 are a pair.
    pub game: usize,
    /// The game that was played.
    pub variant: String,
    /// Where it began.
    pub fen: String,
    /// The moves that were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Who won, as `1-0`, `0-1` or `1/2-1/2`.
    #[serde(serialize_with = "write_result", deserialize_with = "read_result")]
    pub result: GameResult,
    /// The rule, adjudication or fault that ended it.
    pub reason: EndReason,
    /// The fault that ended it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
    /// The day it ended (UTC), as PGN writes it; left out of reproducible records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The moves behind the opening.
    pub moves: Vec<MoveRecord>,
}

impl MoveRecord {
    fn new(played: PlayedMove, reproducible: bool) -> MoveRecord {
        let answer = played.answer;
        let (cp, mate) = match answer.score {
            Some(RecordedScore::Centipawns(value)) => (Some(value), None),
            Some(RecordedScore::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let ms = (!reproducible).then_some(answer.time.as_millis() as u64);
        MoveRecord { text: played.text, cp, mate, depth: answer.depth, nodes: answer.nodes, ms }
    }

    /// The comment of PGN: score seen by the player who moves, depth, time, as in `+0.31/8 0.052s`.
    fn comment(&self) -> Option<String> {
        let score = self.cp.map(RecordedScore::Centipawns).or(self.mate.map(RecordedScore::Mate));
        let mut parts = Vec::new();
        match (score.map(RecordedScore::readable), self.depth) {
            (Some(score), Some(depth)) => parts.push(format!("{score}/{depth}")),
            (Some(score), None) => parts.push(score),
            _ => {}
        }
        if let Some(ms) = self.ms {
            parts.push(format!("{:.3}s", ms as f64 / 1000.0));
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

impl Record {
    /// The record of a game; a reproducible one has no times and dates.
    pub fn new(
        game: usize,
        variant: &str,
        opening: Opening,
        names: [&str; 2],
        played: Played,
        reproducible: bool,
    ) -> Record {
        let fault = match &played.ending {
            Ending::Rule(_) | Ending::Adjudged(_) => None,
            Ending::Fault(side, fault) => Some(FaultRecord {
                engine: names[side.index()].to_string(),
                kind: fault.kind(),
                text: fault.text(),
                detail: fault.to_string(),
            }),
        };
        Record {
            game,
            variant: variant.to_string(),
            fen: opening.fen,
            opening: opening.moves,
            white: names[0].to_string(),
            black: names[1].to_string(),
            result: played.result,
            reason: played.ending.reason(),
            fault,
            date: (!reproducible).then(today),
            moves: played.moves.into_iter().map(|mv| MoveRecord::new(mv, reproducible)).collect(),
        }
    }

    /// Twice White's points.
    pub fn white_half_points(&self) -> usize {
        match self.result {
            GameResult::White => 2,
            GameResult::Black => 0,
            GameResult::Draw | GameResult::Unknown => 1,
        }
    }

    /// Whether a fault ended it before an engine made a move.
    pub fn is_without_moves(&self) -> bool {
        self.moves.is_empty() && self.fault.is_some()
    }

    /// All plies, those of the opening included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// The game as PGN; `limits` are White's and Black's as text.
    ///
    /// # Errors
    /// The record does not follow the rules (a log that was changed).
    pub fn to_pgn(&self, event: &str, limits: [&str; 2]) -> Result<String, RecordError> {
        let mut game = self.replayed().map_err(|fault| RecordError { game: self.game, fault })?;
        let round = format!("{}.{}", self.game / 2 + 1, self.game % 2 + 1);
        for (name, value) in [
            ("Event", event),
            ("Site", "?"),
            ("Date", self.date.as_deref().unwrap_or("????.??.??")),
            ("Round", &round),
            ("White", &self.white),
            ("Black", &self.black),
        ] {
            game.set_tag(name, value);
        }
        if limits[0] == limits[1] {
            game.set_tag("TimeControl", limits[0]);
        } else {
            game.set_tag("WhiteTimeControl", limits[0]);
            game.set_tag("BlackTimeControl", limits[1]);
        }
        game.set_tag("PlyCount", &self.plies().to_string());
        game.set_tag("Termination", self.reason.termination());
        game.set_tag("Ending", &self.ending());
        game.result = self.result;
        Ok(game.to_pgn())
    }

    /// The moves, those of the opening marked as such, played by the rules.
    fn replayed(&self) -> Result<GameRecord, RecordFault> {
        let variant = find(&self.variant)?;
        let mut position = Position::from_fen(&variant, &self.fen)?;
        let mut game = GameRecord::new(&position);
        let book = self.opening.iter().map(|text| (text, Some("book".to_string())));
        let played = self.moves.iter().map(|mv| (&mv.text, mv.comment()));
        for (text, comment) in book.chain(played) {
            let before = position.moves_made().len();
            position.play(text)?;
            // A move in an opening may stand for the setups before it, which are plies of their own.
            let made: Vec<_> = position.moves_made().skip(before).collect();
            for (index, mv) in made.iter().enumerate() {
                game.push(*mv, comment.clone().filter(|_| index + 1 == made.len()));
            }
        }
        Ok(game)
    }

    /// How the game ended, for people.
    fn ending(&self) -> String {
        match &self.fault {
            None => self.reason.to_string(),
            Some(fault) => format!("{}: {} {}", fault.kind, fault.engine, fault.text),
        }
    }
}

fn write_result<S: Serializer>(result: &GameResult, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(result.text())
}

fn read_result<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
    let text = String::deserialize(deserializer)?;
    let fault = || serde::de::Error::custom(format!("'{}' is no result", shown(&text)));
    GameResult::parse(&text).ok_or_else(fault)
}

/// The day (UTC) as PGN writes it. The calendar of H. Hinnant, *chrono-compatible date algorithms*.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date_of((seconds / 86_400) as i64)
}

fn date_of(days: i64) -> String {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        for (days, date) in [(0, "1970.01.01"), (11_016, "2000.02.29"), (20_454, "2026.01.01")] {
            assert_eq!(date_of(days), date);
        }
    }

    #[test]
    fn comments_have_score_depth_time() {
        let mut mv = MoveRecord {
            text: "e2e3".to_string(),
            cp: Some(31),
            mate: None,
            depth: Some(8),
            nodes: Some(5),
            ms: Some(52),
        };
        assert_eq!(mv.comment().as_deref(), Some("+0.31/8 0.052s"));
        (mv.cp, mv.mate, mv.ms) = (None, Some(-2), None);
        assert_eq!(mv.comment().as_deref(), Some("#-2/8"));
        (mv.mate, mv.depth) = (None, None);
        assert_eq!(mv.comment(), None);
    }
}
