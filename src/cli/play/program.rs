//! The program as a player: how strong it plays, what it thinks of its position, and what it says to a draw.

use super::signals::Signals;
use crate::engine::{Control, Score, SearchEvent, Searcher};
use crate::player::{Answer, OwnScores, Strength};
use garrison_rules::{Move, Position};

/// What a search found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thought {
    pub mv: Move,
    /// The score for the side to move and the depth, if the search got so far.
    pub known: Option<(Score, u32)>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

pub(super) struct Program {
    searcher: Searcher,
    pub strength: Strength,
    /// What it thought of its moves in this game.
    own: OwnScores,
}

impl Program {
    pub fn new(searcher: Searcher, strength: Strength) -> Program {
        Program { searcher, strength, own: OwnScores::default() }
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
        if let Some((score, _)) = thought.known {
            self.own.remember(score);
        }
    }

    /// Forgets the last moves of the program, which were taken back.
    pub fn forget(&mut self, moves: usize) {
        self.own.forget(moves);
    }

    /// Its last score.
    pub fn last_score(&self) -> Option<Score> {
        self.own.last()
    }

    /// What it says to a draw.
    pub fn answer_to_draw(&self) -> Answer {
        self.own.answer_to_draw(self.strength)
    }

    /// Whether it offers a draw after its move.
    pub fn offers_draw(&mut self, position: &Position) -> bool {
        self.own.offers_draw(self.strength, position)
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
