//! What the program says to a draw, by the scores of the moves that it has made.

use super::Strength;
use crate::engine::Score;
use garrison_rules::Position;

/// What the program says to a draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer {
    /// It accepts.
    Accepts,
    /// It is too early to say.
    TooEarly,
    /// It stands better, by this score of its own.
    StandsBetter(Score),
}

/// After so few moves of its own the program accepts no draw, unless it is worse by [`WORSE`].
const EARLY: usize = 10;
/// So much worse, in centipawns, the program is glad of a draw at any time.
const WORSE: i32 = 100;
/// Over so many moves of its own the program looks back.
const LOOK_BACK: usize = 3;
/// Over so many even moves of its own, and with as many plies without progress, it offers a draw.
const EVEN_MOVES: usize = 8;

/// What the program thought of its own moves in a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnScores {
    /// The scores of its moves, for itself.
    scores: Vec<Score>,
    /// How many moves it had made when it offered a draw last.
    offered: Option<usize>,
}

impl OwnScores {
    /// Those of a game in which it offered a draw last after so many of its moves.
    pub fn new(scores: Vec<Score>, offered: Option<usize>) -> OwnScores {
        OwnScores { scores, offered }
    }

    /// Remembers the score of a move that the program makes.
    pub fn remember(&mut self, score: Score) {
        self.scores.push(score);
    }

    /// Forgets the last moves of the program, which were taken back.
    pub fn forget(&mut self, moves: usize) {
        self.scores.truncate(self.scores.len().saturating_sub(moves));
        self.offered = self.offered.filter(|&moves| moves <= self.scores.len());
    }

    /// Its last score.
    pub fn last(&self) -> Option<Score> {
        self.scores.last().copied()
    }

    /// What it says to a draw, by the scores of its last moves.
    pub fn answer_to_draw(&self, strength: Strength) -> Answer {
        let recent = &self.scores[self.scores.len().saturating_sub(LOOK_BACK)..];
        let Some(best) = recent.iter().max().copied() else { return Answer::TooEarly };
        if best <= Score::centipawns(-WORSE) {
            Answer::Accepts
        } else if self.scores.len() < EARLY {
            Answer::TooEarly
        } else if best <= Score::centipawns(strength.doubt()) {
            Answer::Accepts
        } else {
            Answer::StandsBetter(best)
        }
    }

    /// Whether it offers a draw after its move: the game has been even for long, and nothing happens any more.
    pub fn offers_draw(&mut self, strength: Strength, position: &Position) -> bool {
        let made = self.scores.len();
        let doubt = strength.doubt();
        let is_even = |score: &Score| score.as_centipawns().is_some_and(|cp| cp.abs() <= doubt);
        let recent = &self.scores[made.saturating_sub(EVEN_MOVES)..];
        let offers = recent.len() == EVEN_MOVES
            && recent.iter().all(is_even)
            && usize::from(position.halfmoves()) >= EVEN_MOVES
            && self.offered.is_none_or(|at| made >= at + 2 * EVEN_MOVES);
        if offers {
            self.offered = Some(made);
        }
        offers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    fn own(scores: &[i32]) -> OwnScores {
        OwnScores::new(scores.iter().map(|&score| Score::centipawns(score)).collect(), None)
    }

    #[test]
    fn a_draw_is_accepted_by_the_scores_of_the_last_moves() {
        let answer = |level, scores: &[i32]| own(scores).answer_to_draw(Strength::Level(level));
        assert_eq!(answer(5, &[]), Answer::TooEarly);
        assert_eq!(answer(5, &[0; 9]), Answer::TooEarly);
        assert_eq!(answer(5, &[0; 10]), Answer::Accepts);
        assert_eq!(answer(5, &[-150; 3]), Answer::Accepts);
        let mut better = [0; 12];
        better[10] = 45;
        assert_eq!(answer(5, &better), Answer::StandsBetter(Score::centipawns(45)));
        // The less it sees, the less it trusts a small lead.
        assert_eq!(answer(1, &better), Answer::Accepts);
    }

    #[test]
    fn a_draw_is_offered_once_in_a_game_without_events() {
        let chess = find("chess").expect("a game");
        let quiet = Position::from_fen(&chess, "4k3/4r3/8/8/8/8/4R3/4K3 w - - 20 60");
        let busy = Position::from_fen(&chess, "4k3/4r3/8/8/8/8/4R3/4K3 w - - 2 60");
        let (quiet, busy) = (quiet.expect("legal"), busy.expect("legal"));
        let (mut even, level) = (own(&[3; 9]), Strength::Level(8));
        assert!(!even.offers_draw(level, &busy) && even.offers_draw(level, &quiet));
        assert!(!even.offers_draw(level, &quiet));
        (0..16).for_each(|_| even.remember(Score::DRAW));
        assert!(even.offers_draw(level, &quiet));
        assert!(!own(&[90; 9]).offers_draw(level, &quiet));
    }
}
