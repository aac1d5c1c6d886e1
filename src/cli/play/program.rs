//! The program as a player: how strong it plays, what it thinks of its position, and what it says to a draw.

use std::fmt;
use std::time::Duration;

use super::signals::Signals;
use crate::engine::{Control, Limits, Score, SearchEvent, Searcher};
use garrison_rules::{Move, Position};

/// The positions that the program looks at for a move, by level from 1. Each level has about three
/// times the work of the one before, which is about a ply and a half.
const NODES: [u64; 10] = [30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

/// The highest level.
pub(super) const LEVELS: u8 = NODES.len() as u8;

/// How strong the program plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// By the positions that it looks at, from 1.
    Level(u8),
    /// By the time for each move.
    Time(Duration),
}

impl Strength {
    pub const DEFAULT: Strength = Strength::Level(5);

    fn limits(self) -> Limits {
        match self {
            Strength::Level(level) => {
                let index = usize::from(level).clamp(1, NODES.len()) - 1;
                Limits { nodes: Some(NODES[index]), ..Limits::default() }
            }
            Strength::Time(time) => Limits { move_time: Some(time), ..Limits::default() },
        }
    }

    /// How far its scores are to be trusted, in centipawns: the less it looks at, the less.
    fn doubt(self) -> i32 {
        let level = if let Strength::Level(level) = self { level } else { LEVELS };
        5 + 5 * i32::from(LEVELS - level.min(LEVELS))
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Level(level) => write!(f, "level {level}"),
            Strength::Time(time) => write!(f, "{} ms a move", time.as_millis()),
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thought {
    pub mv: Move,
    /// The score for the side to move and the depth, if the search got so far.
    pub known: Option<(Score, u32)>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

/// What the program says to a draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Answer {
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

pub(super) struct Program {
    searcher: Searcher,
    pub strength: Strength,
    /// The scores of its moves in this game, for itself.
    scores: Vec<Score>,
    /// How many moves it had made when it offered a draw last.
    offered: Option<usize>,
}

impl Program {
    pub fn new(searcher: Searcher, strength: Strength) -> Program {
        Program { searcher, strength, scores: Vec::new(), offered: None }
    }

    /// Searches a position; `None` if there is no legal move. Ctrl-C ends the search with the best move so far, from
    /// when `begin` is called.
    pub fn think(
        &mut self,
        position: &Position,
        signals: &Signals,
        begin: impl FnOnce(),
    ) -> Option<Thought> {
        // Without this, answers would depend on earlier hints and on moves taken back.
        self.searcher.clear();
        let control = std::sync::Arc::new(Control::new(false));
        let mut known = None;
        let limits = self.strength.limits();
        let found = signals.while_thinking(&control, || {
            begin();
            self.searcher.search(position, &limits, &control, |news| {
                if let SearchEvent::Info(line) = news {
                    known = Some((line.score, line.depth));
                }
            })
        });
        let interrupted = control.is_stopped();
        found.best.map(|mv| Thought { mv, known, interrupted })
    }

    /// Remembers the score of a move that the program makes.
    pub fn remember(&mut self, thought: &Thought) {
        self.scores.extend(thought.known.map(|(score, _)| score));
    }

    /// Forgets the last moves of the program, which were taken back.
    pub fn forget(&mut self, moves: usize) {
        self.scores.truncate(self.scores.len().saturating_sub(moves));
        self.offered = self.offered.filter(|&moves| moves <= self.scores.len());
    }

    /// Its last score.
    pub fn last_score(&self) -> Option<Score> {
        self.scores.last().copied()
    }

    /// What it says to a draw, by the scores of its last moves.
    pub fn answer_to_draw(&self) -> Answer {
        let recent = &self.scores[self.scores.len().saturating_sub(LOOK_BACK)..];
        let Some(best) = recent.iter().max().copied() else { return Answer::TooEarly };
        if best <= Score::centipawns(-WORSE) {
            Answer::Accepts
        } else if self.scores.len() < EARLY {
            Answer::TooEarly
        } else if best <= Score::centipawns(self.strength.doubt()) {
            Answer::Accepts
        } else {
            Answer::StandsBetter(best)
        }
    }

    /// Whether it offers a draw after its move: the game has been even for long, and nothing happens any more.
    pub fn offers_draw(&mut self, position: &Position) -> bool {
        let made = self.scores.len();
        let doubt = self.strength.doubt();
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

    /// What the position is worth without a search, for the side to move, with the expected results in thousandths:
    /// win, draw, loss; and whether a network judges.
    pub fn judge(&mut self, position: &Position) -> (Score, [u16; 3], bool) {
        let draws = self.searcher.profile(position.variant()).draws;
        let mut evaluation = self.searcher.evaluation(position.variant()).clone();
        let score =
            Score::centipawns(crate::engine::Evaluator::evaluate(&mut evaluation, position));
        (score, crate::engine::wdl(score, draws), evaluation.has_network())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    fn program(level: u8, scores: &[i32]) -> Program {
        let searcher = Searcher::new(1).expect("memory for the smallest table");
        let mut program = Program::new(searcher, Strength::Level(level));
        program.scores = scores.iter().map(|&score| Score::centipawns(score)).collect();
        program
    }

    #[test]
    fn a_draw_is_accepted_by_the_scores_of_the_last_moves() {
        let answer = |level, scores: &[i32]| program(level, scores).answer_to_draw();
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
        let mut even = program(8, &[3; 9]);
        assert!(!even.offers_draw(&busy) && even.offers_draw(&quiet) && !even.offers_draw(&quiet));
        even.scores.extend([Score::DRAW; 16]);
        assert!(even.offers_draw(&quiet));
        assert!(!program(8, &[90; 9]).offers_draw(&quiet));
    }
}
