//! What a position is worth, learned from play: a linear evaluation whose weights are data, a table
//! for each family of games, and a small network that judges in its place where one was trained.

mod counts;
mod layout;
mod linear;
pub(crate) mod network;
mod text;

pub(crate) use counts::Ledger;
pub(crate) use layout::Layout;
pub use linear::Linear;
pub(crate) use linear::OPENING;
use network::Network;
pub use text::TableError;

use super::Score;
use garrison_rules::{Position, Variant};
use std::sync::Arc;

/// Judges positions of one game without searching.
pub trait Evaluator: std::fmt::Debug {
    /// What the position is worth to the side to move, in centipawns: 400 of them are expected to
    /// win ten games of eleven. It may keep what it computes from one call to the next.
    fn evaluate(&mut self, position: &Position) -> i32;
}

/// The tables that ship with the program, by family.
const TABLES: [(&str, &str); 7] = [
    ("sixfortresses", include_str!("tables/sixfortresses.toml")),
    ("sixfortresses-short", include_str!("tables/sixfortresses-short.toml")),
    ("shoranji", include_str!("tables/shoranji.toml")),
    ("shoranji-maximus", include_str!("tables/shoranji-maximus.toml")),
    ("chesstonia", include_str!("tables/chesstonia.toml")),
    ("swda", include_str!("tables/swda.toml")),
    ("shoogantshii", include_str!("tables/shoogantshii.toml")),
];

/// The evaluation of a game: a table that a person can read, by which exchanges are reckoned and
/// positions judged; where a network was trained, that judges positions.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The table.
    pub linear: Linear,
    network: Option<Network>,
}

impl Evaluation {
    /// The evaluation of a game: that of its family if one ships with the program, else what the
    /// definition says its pieces are worth.
    pub fn new(variant: &Arc<Variant>) -> Evaluation {
        let table = TABLES.iter().find(|(family, _)| *family == variant.family());
        // A test reads every table that ships with the program.
        table
            .and_then(|(_, text)| Evaluation::from_text(variant, text).ok())
            .unwrap_or_else(|| Linear::plain(variant).into())
    }

    /// A table with a network that judges in its place.
    pub(crate) fn with_network(linear: Linear, network: Network) -> Evaluation {
        Evaluation { linear, network: Some(network) }
    }

    /// The network that judges positions, if one does.
    pub(crate) fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Whether a network judges positions.
    pub fn has_network(&self) -> bool {
        self.network.is_some()
    }
}

impl From<Linear> for Evaluation {
    fn from(linear: Linear) -> Evaluation {
        Evaluation { linear, network: None }
    }
}

impl Evaluator for Evaluation {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        match &mut self.network {
            Some(network) => network.evaluate(position),
            None => self.linear.evaluate(position),
        }
    }
}

impl Linear {
    /// The evaluation by the values of pieces in the definition.
    pub fn plain(variant: &Arc<Variant>) -> Linear {
        let weights = Layout::new(variant).plain(variant);
        Linear::from_weights(variant, &weights, Course::default())
    }
}

/// How games go, as far as it is known from play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// The share of draws between equals, by which scores are told as win, draw and loss.
    pub draws: f64,
    /// The plies that a game lasts on average, by which a clock is divided.
    pub plies: f64,
}

impl Course {
    /// The most plies that a table may tell.
    pub(crate) const MOST_PLIES: f64 = 2000.0;
}

impl Default for Course {
    /// That of a game of which nothing is known.
    fn default() -> Course {
        Course { draws: 0.1, plies: 110.0 }
    }
}

/// The value of a position to the side to move.
pub fn evaluate(position: &Position) -> Score {
    Score::centipawns(Evaluation::new(position.variant()).evaluate(position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::openings::play_random_moves;
    use garrison_rules::{Color, SplitMix, builtin_names, find};

    /// Some position of a game, after random moves.
    fn some_position(variant: &std::sync::Arc<Variant>, seed: u64) -> Position {
        let mut random = SplitMix::new(seed);
        let mut position = Position::start(variant);
        let plies = 20 + random.below(100);
        play_random_moves(&mut position, plies, &mut random);
        position
    }

    #[test]
    fn every_table_that_ships_is_read() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let table = TABLES.iter().find(|(family, _)| *family == variant.family());
            let (_, text) = table.expect("a table");
            Evaluation::from_text(&variant, text).expect("a good table");
        }
    }

    #[test]
    fn counts_times_weights_are_the_evaluation() {
        struct Record(Vec<f64>);
        impl Ledger for Record {
            fn add(&mut self, term: usize, count: i32) {
                self.0[term] += f64::from(count);
            }
        }
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let mut linear = Evaluation::new(&variant).linear;
            for seed in 0..10 {
                let position = some_position(&variant, seed);
                let mut record = Record(vec![0.0; linear.layout().terms]);
                linear.record(&position, &mut record);
                let phase = f64::from(linear.phase(&position)) / f64::from(OPENING);
                let value = |(term, count): (usize, &f64)| {
                    let [middle, end] = linear.weight(term);
                    count * (middle * phase + end * (1.0 - phase))
                };
                let white: f64 = record.0.iter().enumerate().map(value).sum();
                let sign = if position.side() == Color::White { 1.0 } else { -1.0 };
                let told = f64::from(linear.evaluate(&position));
                assert!((sign * white - told).abs() < 1.5, "{name} {}", position.fen());
            }
        }
    }

    #[test]
    fn a_start_position_with_like_armies_is_worth_the_move() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let armies = variant.info().armies.as_ref();
            if armies.is_none_or(|armies| armies[Color::White] == armies[Color::Black]) {
                let value = Evaluation::new(&variant).evaluate(&Position::start(&variant));
                assert!((-20..=80).contains(&value), "{name}: {value}");
            }
        }
    }

    #[test]
    fn both_sides_are_judged_alike() {
        for name in ["swda-oo", "swda-pp", "shoogantshii", "shoranji", "chesstonia"] {
            let variant = find(name).expect("a built-in game");
            let mut evaluation = Evaluation::new(&variant);
            for seed in 0..20 {
                let position = some_position(&variant, seed);
                let mirrored = mirror(&position);
                let other = Position::from_fen(&variant, &mirrored).expect("a mirrored position");
                assert_eq!(
                    evaluation.evaluate(&position),
                    evaluation.evaluate(&other),
                    "{mirrored}"
                );
            }
        }
    }

    /// The FEN with ranks and sides exchanged.
    fn mirror(position: &Position) -> String {
        let fen = position.without_history().fen();
        let swap = |c: char| {
            if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
        };
        let mut fields: Vec<String> = fen.split(' ').map(str::to_string).collect();
        let (board, hand) = match fields[0].split_once('[') {
            Some((board, hand)) => {
                (board.to_string(), Some(hand.trim_end_matches(']').to_string()))
            }
            None => (fields[0].clone(), None),
        };
        let ranks: Vec<String> =
            board.split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
        fields[0] = ranks.join("/");
        if let Some(hand) = hand {
            let (upper, lower): (String, String) =
                hand.chars().map(swap).partition(|c| c.is_ascii_uppercase());
            fields[0] += &format!("[{upper}{lower}]");
        }
        fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_string();
        fields[2] = match fields[2].as_str() {
            "s" => "Ss".to_string(),
            other => other.to_string(),
        };
        if fields[3] != "-" {
            let ranks = usize::from(position.variant().geometry().ranks());
            let rank: usize = fields[3][1..].parse().expect("a rank");
            fields[3] = format!("{}{}", &fields[3][..1], ranks + 1 - rank);
        }
        fields.join(" ")
    }
}
