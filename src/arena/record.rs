//! A finished game as a line of a match's log, and as PGN.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::adjudication::{Adjudged, Evaluation};
use super::game::{Ending, Played, PlayedMove};
use super::openings::Opening;
use super::pgn::{GameRecord, GameResult};
use garrison_rules::{Position, find};

/// A move of a game and what the engine said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The score in centipawns from the mover's view.
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

/// What an engine did wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The engine's name.
    pub engine: String,
    /// The kind of fault: `crash`, `stall`, `time loss`, `flood`, `garbage`, `illegal move`, …
    pub kind: String,
    /// One line for people.
    pub text: String,
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
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The rule, adjudication or fault that ended it.
    pub reason: String,
    /// Who did what wrong, if that ended it.
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
            Some(Evaluation::Centipawns(value)) => (Some(value), None),
            Some(Evaluation::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let ms = (!reproducible).then_some(answer.time.as_millis() as u64);
        MoveRecord { text: played.text, cp, mate, depth: answer.depth, nodes: answer.nodes, ms }
    }

    /// The comment of PGN: score from the mover's view, depth, time, as in `+0.31/8 0.052s`.
    fn comment(&self) -> Option<String> {
        let score = self.cp.map(Evaluation::Centipawns).or(self.mate.map(Evaluation::Mate));
        let mut parts = Vec::new();
        match (score.map(Evaluation::readable), self.depth) {
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
        let (reason, fault) = match &played.ending {
            Ending::Rule(reason) => (reason.to_string(), None),
            Ending::Adjudged(Adjudged::Win(_)) => ("resignation (adjudged)".to_string(), None),
            Ending::Adjudged(Adjudged::Draw) => ("even scores (adjudged)".to_string(), None),
            Ending::Adjudged(Adjudged::Length) => ("length (adjudged)".to_string(), None),
            Ending::Fault(side, fault) => {
                let engine = names[side.index()].to_string();
                let (kind, text) = (fault.kind().to_string(), fault.to_string());
                (kind.clone(), Some(FaultRecord { engine, kind, text }))
            }
        };
        Record {
            game,
            variant: variant.to_string(),
            fen: opening.fen,
            opening: opening.moves,
            white: names[0].to_string(),
            black: names[1].to_string(),
            result: played.result.text().to_string(),
            reason,
            fault,
            date: (!reproducible).then(today),
            moves: played.moves.into_iter().map(|mv| MoveRecord::new(mv, reproducible)).collect(),
        }
    }

    /// Twice White's points.
    pub fn white_half_points(&self) -> usize {
        match GameResult::parse(&self.result) {
            Some(GameResult::White) => 2,
            Some(GameResult::Black) => 0,
            _ => 1,
        }
    }

    /// All plies, those of the opening included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// The game as PGN; `limits` are White's and Black's as text.
    ///
    /// # Errors
    /// One line, if the record does not follow the rules (a log that was changed).
    pub fn to_pgn(&self, event: &str, limits: [&str; 2]) -> Result<String, String> {
        let place = |fault: String| format!("game {}: {fault}", self.game + 1);
        let variant = find(&self.variant).map_err(|unknown| place(unknown.to_string()))?;
        let mut position =
            Position::from_fen(&variant, &self.fen).map_err(|e| place(e.to_string()))?;
        let mut game = GameRecord::new(&position);
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
        game.set_tag("Termination", self.termination());
        game.set_tag("Ending", &self.ending());
        let book = self.opening.iter().map(|text| (text, Some("book".to_string())));
        let played = self.moves.iter().map(|mv| (&mv.text, mv.comment()));
        for (text, comment) in book.chain(played) {
            let before = position.moves_made().len();
            position.play(text).map_err(|error| place(error.to_string()))?;
            // A move in an opening may stand for the setups before it, which are plies of their own.
            let made: Vec<_> = position.moves_made().skip(before).collect();
            for (index, mv) in made.iter().enumerate() {
                game.push(*mv, comment.clone().filter(|_| index + 1 == made.len()));
            }
        }
        game.result = GameResult::parse(&self.result).unwrap_or(GameResult::Unknown);
        Ok(game.to_pgn())
    }

    /// The word of the PGN standard for how the game ended.
    fn termination(&self) -> &'static str {
        match self.fault.as_ref().map(|fault| fault.kind.as_str()) {
            Some("time loss") => "time forfeit",
            Some("illegal move" | "garbage") => "rules infraction",
            Some(_) => "abandoned",
            None if self.reason.ends_with("(adjudged)") => "adjudication",
            None => "normal",
        }
    }

    /// How the game ended, for people.
    fn ending(&self) -> String {
        match &self.fault {
            None => self.reason.clone(),
            Some(fault) => format!("{}: {} {}", fault.kind, fault.engine, fault.text),
        }
    }
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
