//! What an analysis says of a game: the value of every position, and how good every move was.

use super::Analysis;
use crate::record::{GameRecord, RecordedScore};
use garrison_rules::{Color, Move, Position, Status};

/// The most plies of a best line that are kept.
const LINE_LENGTH: usize = 6;

/// The value of a position.
#[derive(Debug, Clone)]
pub struct Value {
    /// The expected score of White, from 0 to 1.
    pub expected: f64,
    /// The score for White and the depth in plies; `None` if the game is over.
    pub searched: Option<(RecordedScore, u32)>,
    /// How the game stands, as text.
    pub status: String,
    /// The beginning of the best line.
    pub line: Vec<Move>,
}

impl Value {
    /// That of a position and the result of its search, of which there is none if the game is over.
    pub fn of(position: &Position, analysis: Option<Analysis>) -> Value {
        let status = position.status();
        let line = |analysis: &Analysis| analysis.pv.iter().copied().take(LINE_LENGTH).collect();
        let (expected, searched) = match (&status, &analysis) {
            (Status::Over(outcome), _) => (outcome.winner.map_or(0.5, share_of_white), None),
            (Status::Ongoing, None) => (0.5, None),
            (Status::Ongoing, Some(analysis)) => {
                let recorded = RecordedScore::from(analysis.score);
                let expected = analysis.score.expectation();
                let (expected, white) = match position.side_to_move() {
                    Color::White => (expected, recorded),
                    Color::Black => (1.0 - expected, recorded.reversed()),
                };
                (expected, Some((white, analysis.depth)))
            }
        };
        let line = analysis.as_ref().map(line).unwrap_or_default();
        Value { expected, searched, status: status.to_string(), line }
    }

    /// For people: the score for White, or how the game has ended.
    pub fn text(&self) -> String {
        self.searched.map_or_else(|| self.status.clone(), |(score, _)| score.readable())
    }

    /// In centipawns for White, at most [`MOST_CENTIPAWNS`]: a won game and a mate have as many.
    fn centipawns(&self) -> i32 {
        let won = ((self.expected - 0.5) * 2.0) as i32 * MOST_CENTIPAWNS;
        let searched = self.searched.map(|(score, _)| score.centipawns());
        searched.unwrap_or(won).clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS)
    }
}

/// The expected score of White in a game that this side has won.
fn share_of_white(winner: Color) -> f64 {
    f64::from(u8::from(winner == Color::White))
}

/// The bound of scores where centipawns are lost, as Lichess has it: beyond it a game is won.
const MOST_CENTIPAWNS: i32 = 1000;

/// How bad a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A small loss.
    Inaccuracy,
    /// A loss.
    Mistake,
    /// A great loss.
    Blunder,
}

impl Mark {
    /// All, the worst first.
    pub const ALL: [Mark; 3] = [Mark::Blunder, Mark::Mistake, Mark::Inaccuracy];

    /// The mark of a move that loses so much of the expected score: the thresholds are those of chess.com's
    /// classification by expected points.
    fn of(loss: f64) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| {
            loss >= match mark {
                Mark::Blunder => 0.20,
                Mark::Mistake => 0.10,
                Mark::Inaccuracy => 0.05,
            }
        })
    }

    /// The numeric annotation glyph.
    pub fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    /// The mark that this numeric annotation glyph stands for.
    pub fn of_nag(nag: u8) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.nag() == nag)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// As it stands behind a move.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// How good a move was.
#[derive(Debug, Clone, Copy)]
pub struct Review {
    /// The expected score that it lost its player, from 0 to 1.
    pub loss: f64,
    /// The centipawns that it lost.
    pub centipawns: u32,
    /// From 0 to 100,000, in thousandths of a percent.
    pub accuracy: u32,
    /// How bad it was, if it was.
    pub mark: Option<Mark>,
}

impl Review {
    /// The move of this side that led from one position to the other. The move that the search prefers loses
    /// nothing: a drop of its score is the search's own error.
    fn of(mv: Move, side: Color, before: &Value, after: &Value) -> Review {
        let is_best = before.line.first() == Some(&mv);
        let (gain, centipawns) =
            (after.expected - before.expected, after.centipawns() - before.centipawns());
        let (gain, centipawns) = match side {
            Color::White => (gain, centipawns),
            Color::Black => (-gain, -centipawns),
        };
        let loss = if is_best { 0.0 } else { (-gain).max(0.0) };
        let lost = if is_best { 0 } else { (-centipawns).max(0).unsigned_abs() };
        Review { loss, centipawns: lost, accuracy: accuracy(loss), mark: Mark::of(loss) }
    }
}

/// The accuracy of a move that lost so much of the expected score, in thousandths of a percent: the curve of Lichess
/// (<https://lichess.org/page/accuracy>), with this program's expected score in place of its winning chances.
fn accuracy(loss: f64) -> u32 {
    let percent = 103.1668 * (-0.04354 * 100.0 * loss).exp() - 3.1669;
    (percent.clamp(0.0, 100.0) * 1000.0).round() as u32
}

/// A game with what the analysis says of it.
#[derive(Debug)]
pub struct GameAnalysis {
    /// The place of the game in its file, from 1.
    pub number: usize,
    /// The game.
    pub record: GameRecord,
    /// A value for each position: before each ply, and the last.
    pub values: Vec<Value>,
    /// A review for each ply.
    pub reviews: Vec<Review>,
}

impl GameAnalysis {
    /// Reviews the moves of a game.
    pub fn new(number: usize, record: GameRecord, values: Vec<Value>) -> GameAnalysis {
        let mut side = record.start.side_to_move();
        let plies = record.plies.iter().zip(values.windows(2));
        let reviews = plies
            .map(|(ply, values)| {
                let review = Review::of(ply.mv, side, &values[0], &values[1]);
                side = !side;
                review
            })
            .collect();
        GameAnalysis { number, record, values, reviews }
    }

    /// The position before each ply, with the place of the ply.
    pub fn positions(&self) -> impl Iterator<Item = (usize, Position)> {
        self.record.positions().enumerate()
    }

    /// The name of a player, or the side if nobody knows.
    pub fn player(&self, side: Color) -> String {
        let name = |side: Color| match side {
            Color::White => self.record.tag("White"),
            Color::Black => self.record.tag("Black"),
        };
        player(&side.to_string(), name(side).filter(|name| !["", "?"].contains(name)), name(!side))
    }

    /// The reviews of a side's moves.
    pub fn reviews_of(&self, side: Color) -> impl Iterator<Item = &Review> {
        let skipped = usize::from(self.record.start.side_to_move() != side);
        self.reviews.iter().skip(skipped).step_by(2)
    }
}

/// What to call a player: the name, or the side if nobody knows it. One name for both is not one player.
pub fn player(side: &str, name: Option<&str>, other: Option<&str>) -> String {
    match name {
        None => side.to_string(),
        Some(name) if other == Some(name) => format!("{name} ({side})"),
        Some(name) => name.to_string(),
    }
}

/// The position before this ply of a game, or behind the last. Each is made anew: with their histories, those of a
/// long game would not fit into memory together.
pub fn position_before(record: &GameRecord, index: usize) -> Position {
    let mut position = record.start.clone();
    record.plies[..index].iter().for_each(|ply| position.make(ply.mv));
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(expected: f64, searched: Option<RecordedScore>) -> Value {
        let searched = searched.map(|score| (score, 5));
        Value { expected, searched, status: String::new(), line: Vec::new() }
    }

    #[test]
    fn losses_are_those_of_the_player_who_moved() {
        let score = RecordedScore::Centipawns;
        let (even, lost) = (value(0.5, Some(score(10))), value(0.3, Some(score(-147))));
        let review = |side| Review::of(Move::pass(), side, &even, &lost);
        let of_white = review(Color::White);
        assert_eq!((of_white.centipawns, of_white.mark), (157, Some(Mark::Blunder)));
        assert!((of_white.loss - 0.2).abs() < 1e-9 && of_white.accuracy < 50_000, "{of_white:?}");
        let of_black = review(Color::Black);
        assert_eq!((of_black.centipawns, of_black.mark, of_black.loss), (0, None, 0.0));
        assert_eq!(of_black.accuracy, 100_000);
        let best = Value { line: vec![Move::pass()], ..even };
        assert_eq!(Review::of(Move::pass(), Color::White, &best, &lost).loss, 0.0);
    }

    #[test]
    fn beyond_a_bound_no_centipawns_are_lost() {
        let mate = value(1.0, Some(RecordedScore::Mate(3)));
        let (won, drawn) = (value(1.0, None), value(0.5, None));
        let queen_up = value(0.99, Some(RecordedScore::Centipawns(1400)));
        let lost = |before, after| Review::of(Move::pass(), Color::White, before, after).centipawns;
        assert_eq!(lost(&mate, &queen_up), 0);
        assert_eq!((lost(&mate, &drawn), lost(&won, &drawn)), (1000, 1000));
    }

    #[test]
    fn the_accuracy_is_that_of_its_curve() {
        // The curve at winning chances of 0, 5, 10 and 50 % less.
        assert_eq!([0.0, 0.05, 0.10, 0.50, 1.0].map(accuracy), [100_000, 79_817, 63_583, 8_530, 0]);
    }

    #[test]
    fn marks_have_their_thresholds() {
        let marks = [0.049, 0.05, 0.1, 0.199, 0.2, 1.0].map(Mark::of);
        let (inaccuracy, mistake) = (Some(Mark::Inaccuracy), Some(Mark::Mistake));
        let blunder = Some(Mark::Blunder);
        assert_eq!(marks, [None, inaccuracy, mistake, mistake, blunder, blunder]);
    }
}
