//! How well each player of the games has played.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::review::{GameAnalysis, Mark, Review};
use crate::page_texts::viewer as texts;
use garrison_rules::Color;

/// The moves of a player, summed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub games: u64,
    pub moves: u64,
    /// In thousandths of a percent.
    pub accuracy: u64,
    pub centipawns: u64,
    pub inaccuracies: u64,
    pub mistakes: u64,
    pub blunders: u64,
}

impl Tally {
    fn add_move(&mut self, review: &Review) {
        self.moves += 1;
        self.accuracy += u64::from(review.accuracy);
        self.centipawns += u64::from(review.centipawns);
        match review.mark {
            None => {}
            Some(Mark::Inaccuracy) => self.inaccuracies += 1,
            Some(Mark::Mistake) => self.mistakes += 1,
            Some(Mark::Blunder) => self.blunders += 1,
        }
    }

    fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.accuracy += other.accuracy;
        self.centipawns += other.centipawns;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
    }

    /// The mean accuracy of the moves in percent, if there are any.
    fn mean_accuracy(self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy as f64 / self.moves as f64 / 1000.0)
    }

    /// The centipawns that a move lost on average, if there are any moves.
    fn mean_loss(self) -> Option<f64> {
        (self.moves > 0).then(|| self.centipawns as f64 / self.moves as f64)
    }

    /// As a line for people, with the name of the player.
    pub fn to_words(self, name: &str) -> String {
        let number = |value: Option<f64>, digits| {
            value.map_or("–".to_string(), |value| format!("{value:.digits$}"))
        };
        let (accuracy, loss) = (number(self.mean_accuracy(), 1), number(self.mean_loss(), 0));
        let marks = [self.inaccuracies, self.mistakes, self.blunders];
        texts::player(name, &accuracy, &loss, marks)
    }

    /// As an object, with the name of the player.
    pub fn to_json(self, name: &str) -> Value {
        let rounded = |value: f64| (value * 100.0).round() / 100.0;
        json!({
            "name": name,
            "moves": self.moves,
            "accuracy": self.mean_accuracy().map(rounded),
            "average_loss": self.mean_loss().map(rounded),
            "inaccuracies": self.inaccuracies,
            "mistakes": self.mistakes,
            "blunders": self.blunders,
        })
    }
}

/// The two players of a game, White first, with their moves.
pub(super) fn tallies(game: &GameAnalysis) -> [(String, Tally); 2] {
    [Color::White, Color::Black].map(|side| {
        let mut tally = Tally { games: 1, ..Tally::default() };
        game.reviews_of(side).for_each(|review| tally.add_move(review));
        (game.player(side), tally)
    })
}

/// The players of all games, in the order in which they appeared.
#[derive(Debug, Default)]
pub(super) struct Report {
    players: Vec<(String, Tally)>,
    /// The place of each name among them.
    places: HashMap<String, usize>,
}

/// The most characters of a name in the table.
const NAME_WIDTH: usize = 28;

impl Report {
    /// Adds the players of a game.
    pub fn add(&mut self, players: &[(String, Tally); 2]) {
        for (name, tally) in players {
            match self.places.get(name) {
                Some(&place) => self.players[place].1.add(*tally),
                None => {
                    self.places.insert(name.clone(), self.players.len());
                    self.players.push((name.clone(), *tally));
                }
            }
        }
    }

    /// As an object.
    pub fn to_json(&self, games: usize, skipped: usize) -> Value {
        let player = |(name, tally): &(String, Tally)| {
            let mut value = tally.to_json(name);
            value["games"] = tally.games.into();
            value
        };
        let players: Vec<Value> = self.players.iter().map(player).collect();
        json!({ "type": "report", "games": games, "skipped": skipped, "players": players })
    }

    /// As a table of at most 80 columns.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{:NAME_WIDTH$} {:>6} {:>7} {:>9} {:>6} {:>5} {:>5} {:>5}\n",
            "player", "games", "moves", "accuracy", "loss", "?!", "?", "??"
        );
        let number = |value: Option<f64>, unit: &str, digits| {
            value.map_or("-".to_string(), |value| format!("{value:.digits$}{unit}"))
        };
        for (name, tally) in &self.players {
            let mut name: String = name.chars().filter(|c| !c.is_control()).collect();
            if name.chars().count() > NAME_WIDTH {
                name = name.chars().take(NAME_WIDTH - 1).chain(['…']).collect();
            }
            text += &format!(
                "{name:NAME_WIDTH$} {:>6} {:>7} {:>9} {:>6} {:>5} {:>5} {:>5}\n",
                tally.games,
                tally.moves,
                number(tally.mean_accuracy(), " %", 1),
                number(tally.mean_loss(), "", 0),
                tally.inaccuracies,
                tally.mistakes,
                tally.blunders
            );
        }
        text + "loss: centipawns a move; ?!, ?, ??: inaccuracies, mistakes, blunders\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, moves: u64, accuracy: u64, blunders: u64) -> (String, Tally) {
        let tally =
            Tally { games: 1, moves, accuracy, centipawns: 90, blunders, ..Tally::default() };
        (name.to_string(), tally)
    }

    #[test]
    fn players_are_found_again_with_either_color() {
        let mut report = Report::default();
        report.add(&[player("Ann", 2, 180_000, 1), player("Ben", 2, 200_000, 0)]);
        report.add(&[player("Ben", 1, 40_000, 0), player("Ann", 1, 60_000, 2)]);
        let lines: Vec<String> = report.to_text().lines().map(str::to_string).collect();
        let fields =
            |line: &String| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        assert_eq!(fields(&lines[1]), ["Ann", "2", "3", "80.0", "%", "60", "0", "0", "3"]);
        assert_eq!(fields(&lines[2]), ["Ben", "2", "3", "80.0", "%", "60", "0", "0", "0"]);
        let value = report.to_json(2, 1);
        assert_eq!((&value["games"], &value["skipped"]), (&2.into(), &1.into()));
        assert_eq!(value["players"][0]["accuracy"], 80.0);
        assert_eq!(value["players"][0]["games"], 2);
    }

    #[test]
    fn the_table_fits_80_columns_whatever_the_names() {
        let mut report = Report::default();
        report
            .add(&[player(&"é".repeat(90), 0, 0, 0), player("a\u{1b}[2Jb", 9_999_999, 5, 77_777)]);
        let text = report.to_text();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("\na[2Jb "), "{text}");
        let without_moves = text.lines().nth(1).expect("a player");
        assert!(without_moves.contains("…") && without_moves.contains(" - "), "{text}");
    }
}
