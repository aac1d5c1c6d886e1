//! Adjudication: ends games that both engines score as decided, or that become too long.

use garrison_rules::{Color, PerColor, shown};
use thiserror::Error;

use crate::record::RecordedScore;

/// A game is lost when the loser scores at most `-score` and the winner at least `score`, for
/// `moves` moves of each in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resign {
    /// Centipawns.
    pub score: u32,
    /// Moves of each side.
    pub moves: u32,
}

/// A game is drawn when both score at most `score` in size for `moves` moves of each in a row, the
/// last of them not before move `after`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// Centipawns.
    pub score: u32,
    /// Moves of each side.
    pub moves: u32,
    /// Moves of the game.
    pub after: u32,
}

/// When a game is ended although the rules do not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjudication {
    /// Won and lost.
    pub resign: Option<Resign>,
    /// Drawn.
    pub draw: Option<Draw>,
    /// Drawn at this many plies, those of the opening included.
    pub max_plies: u32,
    /// Ended as a table of endings says with this many pieces on the board, or fewer; 0 if never.
    pub endings: u16,
}

/// How a game was adjudicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjudged {
    /// Won by this side.
    Win(Color),
    /// Drawn by the scores.
    Draw,
    /// Drawn by its length.
    Length,
    /// Won by this side, or drawn, as a table of endings says.
    Table(Option<Color>),
}

/// Counts the moves in a row whose scores meet the conditions.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    rules: Adjudication,
    winning: PerColor<u32>,
    losing: PerColor<u32>,
    even: PerColor<u32>,
}

impl Adjudicator {
    /// Before the first move.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            winning: PerColor([0; 2]),
            losing: PerColor([0; 2]),
            even: PerColor([0; 2]),
        }
    }

    /// Counts a move of `side` with the score that its engine reported, if any; `plies` is the length of the
    /// game so far.
    pub fn after_move(
        &mut self,
        side: Color,
        score: Option<RecordedScore>,
        plies: u32,
    ) -> Option<Adjudged> {
        let score = score.map(RecordedScore::centipawns);
        let count =
            |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = self.rules.resign {
            let least = i32::try_from(rule.score).unwrap_or(i32::MAX);
            count(&mut self.winning[side], score.is_some_and(|score| score >= least));
            count(&mut self.losing[side], score.is_some_and(|score| score <= -least));
            for winner in Color::ALL {
                if self.winning[winner] >= rule.moves && self.losing[!winner] >= rule.moves {
                    return Some(Adjudged::Win(winner));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            count(&mut self.even[side], score.is_some_and(|s| s.unsigned_abs() <= rule.score));
            let long = self.even.0.iter().all(|&moves| moves >= rule.moves);
            if long && plies >= rule.after.saturating_mul(2) {
                return Some(Adjudged::Draw);
            }
        }
        (plies >= self.rules.max_plies).then_some(Adjudged::Length)
    }
}

/// Why the value of `--resign` or `--draw` is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AdjudicationError {
    /// A word that begins with none of the keys.
    #[error("{option} '{}': there are {}=", shown(.word), .keys.join("=, "))]
    UnknownKey {
        /// The option.
        option: &'static str,
        /// The word.
        word: String,
        /// The keys that there are.
        keys: Vec<&'static str>,
    },
    /// The value of a key is not in range.
    #[error("{option} '{}': no number from 1 to 100000", shown(.word))]
    NotANumber {
        /// The option.
        option: &'static str,
        /// The key with its value.
        word: String,
    },
    /// A key is missing.
    #[error("{option} needs {key}=")]
    MissingKey {
        /// The option.
        option: &'static str,
        /// The key.
        key: &'static str,
    },
}

/// Reads words such as `score=600 moves=4` into numbers, in the order of `keys`.
fn numbers<const N: usize>(
    option: &'static str,
    words: &[String],
    keys: [&'static str; N],
) -> Result<[u32; N], AdjudicationError> {
    let mut found = [None; N];
    for word in words.iter().flat_map(|words| words.split_whitespace()) {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let word = word.to_string();
        let Some(index) = keys.iter().position(|known| *known == key) else {
            return Err(AdjudicationError::UnknownKey { option, word, keys: keys.to_vec() });
        };
        let number = value.parse::<u32>().ok().filter(|number| (1..=100_000).contains(number));
        found[index] = Some(number.ok_or(AdjudicationError::NotANumber { option, word })?);
    }
    let mut numbers = [0; N];
    for (index, value) in found.into_iter().enumerate() {
        let key = keys[index];
        numbers[index] = value.ok_or(AdjudicationError::MissingKey { option, key })?;
    }
    Ok(numbers)
}

impl Resign {
    /// Reads `score=600 moves=4`.
    ///
    /// # Errors
    /// The word or key at fault.
    pub fn parse(words: &[String]) -> Result<Resign, AdjudicationError> {
        let [score, moves] = numbers("--resign", words, ["score", "moves"])?;
        Ok(Resign { score, moves })
    }
}

impl Draw {
    /// Reads `score=10 moves=8 after=40`.
    ///
    /// # Errors
    /// The word or key at fault.
    pub fn parse(words: &[String]) -> Result<Draw, AdjudicationError> {
        let [score, moves, after] = numbers("--draw", words, ["score", "moves", "after"])?;
        Ok(Draw { score, moves, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    /// Feeds the scores of White and Black in turn; the ply at which the game was ended, and how.
    fn run(rules: Adjudication, scores: &[Option<i32>]) -> Option<(usize, Adjudged)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(ply, score)| {
            let side = Color::ALL[ply % 2];
            let score = score.map(RecordedScore::Centipawns);
            adjudicator.after_move(side, score, ply as u32 + 1).map(|end| (ply + 1, end))
        })
    }

    #[test]
    fn a_resignation_needs_both_scores() {
        let resign = Some(Resign { score: 500, moves: 2 });
        let rules = Adjudication { resign, draw: None, max_plies: 100, endings: 0 };
        let lost = [Some(600), Some(-600), Some(600), Some(-700)];
        assert_eq!(run(rules, &lost), Some((4, Adjudged::Win(Color::White))));
        let doubted = [Some(600), Some(-400), Some(600), Some(-700), Some(600)];
        assert_eq!(run(rules, &doubted), None);
        let silent = [Some(600), Some(-600), None, Some(-700), Some(600), Some(-600)];
        assert_eq!(run(rules, &silent), None);
        let black = [Some(-500), Some(500), Some(-500), Some(500)];
        assert_eq!(run(rules, &black), Some((4, Adjudged::Win(Color::Black))));
    }

    #[test]
    fn draws_and_lengths() {
        let draw = Some(Draw { score: 10, moves: 2, after: 3 });
        let rules = Adjudication { resign: None, draw, max_plies: 8, endings: 0 };
        assert_eq!(run(rules, &[Some(0); 9]), Some((6, Adjudged::Draw)));
        assert_eq!(run(rules, &[Some(11); 9]), Some((8, Adjudged::Length)));
    }

    #[test]
    fn options_are_read() {
        assert_eq!(Resign::parse(&words("moves=4 score=600")), Ok(Resign { score: 600, moves: 4 }));
        let draw = Draw::parse(&words("score=10 moves=8 after=40"));
        assert_eq!(draw, Ok(Draw { score: 10, moves: 8, after: 40 }));
        for wrong in ["", "score=1", "score=x moves=1", "score=1 moves=0", "scores=1 moves=2", "3"]
        {
            let error = Resign::parse(&words(wrong)).expect_err(wrong).to_string();
            assert!(error.starts_with("--resign"), "{error}");
        }
    }
}
