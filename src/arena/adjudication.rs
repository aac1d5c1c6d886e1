//! Ending games that are decided in the eyes of both engines, or that never end.

use garrison_rules::{Color, PerColor, shown};

/// A score as an engine gives it, from its own view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluation {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate; negative: to being mated.
    Mate(i32),
}

impl Evaluation {
    /// In centipawns; a mate is more than any other score.
    pub fn centipawns(self) -> i32 {
        match self {
            Evaluation::Centipawns(value) => value.clamp(-29_999, 29_999),
            Evaluation::Mate(moves) if moves > 0 => 30_000,
            Evaluation::Mate(_) => -30_000,
        }
    }

    /// For people: pawns (`+0.31`) or moves to mate (`#3`, `#-2`).
    pub fn readable(self) -> String {
        match self {
            Evaluation::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Evaluation::Mate(moves) => format!("#{moves}"),
        }
    }
}

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

/// When a game is ended though the rules let it go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjudication {
    /// Won and lost.
    pub resign: Option<Resign>,
    /// Drawn.
    pub draw: Option<Draw>,
    /// Drawn at this many plies, those of the opening included.
    pub max_plies: u32,
}

/// Why a game was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjudged {
    /// Won by this side.
    Win(Color),
    /// Drawn by the scores.
    Draw,
    /// Drawn by its length.
    Length,
}

/// Keeps count of what the scores of a game say.
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

    /// A side has moved with this score, if it gave one; `plies` are those of the whole game.
    pub fn after_move(
        &mut self,
        side: Color,
        score: Option<Evaluation>,
        plies: u32,
    ) -> Option<Adjudged> {
        let score = score.map(Evaluation::centipawns);
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

/// Reads words such as `score=600 moves=4` into numbers, in the order of `names`.
fn numbers<const N: usize>(
    option: &str,
    words: &[String],
    names: [&str; N],
) -> Result<[u32; N], String> {
    let mut found = [None; N];
    for word in words.iter().flat_map(|words| words.split_whitespace()) {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let index = names.iter().position(|known| *known == name).ok_or_else(|| {
            format!("{option} '{}': there are {}", shown(word), names.join("=, ") + "=")
        })?;
        let number = value.parse::<u32>().ok().filter(|number| (1..=100_000).contains(number));
        let fault = || format!("{option} '{}': no number from 1 to 100000", shown(word));
        found[index] = Some(number.ok_or_else(fault)?);
    }
    let mut numbers = [0; N];
    for (index, value) in found.into_iter().enumerate() {
        numbers[index] = value.ok_or_else(|| format!("{option} needs {}=", names[index]))?;
    }
    Ok(numbers)
}

impl Resign {
    /// Reads `score=600 moves=4`.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn parse(words: &[String]) -> Result<Resign, String> {
        let [score, moves] = numbers("--resign", words, ["score", "moves"])?;
        Ok(Resign { score, moves })
    }
}

impl Draw {
    /// Reads `score=10 moves=8 after=40`.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn parse(words: &[String]) -> Result<Draw, String> {
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
            let score = score.map(Evaluation::Centipawns);
            adjudicator.after_move(side, score, ply as u32 + 1).map(|end| (ply + 1, end))
        })
    }

    #[test]
    fn both_must_see_the_loss() {
        let resign = Some(Resign { score: 500, moves: 2 });
        let rules = Adjudication { resign, draw: None, max_plies: 100 };
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
        let rules = Adjudication { resign: None, draw, max_plies: 8 };
        assert_eq!(run(rules, &[Some(0); 9]), Some((6, Adjudged::Draw)));
        assert_eq!(run(rules, &[Some(11); 9]), Some((8, Adjudged::Length)));
        let mate = Evaluation::Mate(-2);
        assert_eq!((mate.centipawns(), mate.readable().as_str()), (-30_000, "#-2"));
    }

    #[test]
    fn options_are_read() {
        assert_eq!(Resign::parse(&words("moves=4 score=600")), Ok(Resign { score: 600, moves: 4 }));
        let draw = Draw::parse(&words("score=10 moves=8 after=40"));
        assert_eq!(draw, Ok(Draw { score: 10, moves: 8, after: 40 }));
        for wrong in ["", "score=1", "score=x moves=1", "score=1 moves=0", "scores=1 moves=2", "3"]
        {
            let error = Resign::parse(&words(wrong)).expect_err(wrong);
            assert!(error.starts_with("--resign"), "{error}");
        }
    }
}
