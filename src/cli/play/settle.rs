//! Ends of a game that the players make: resignation, draws offered, accepted and claimed.

use super::game::{Ending, Game};
use super::program::Thought;
use crate::cli::CommandResult;
use crate::engine::Score;
use crate::player::Answer;
use garrison_rules::Color;

impl Game {
    pub fn check_ongoing(&self) -> CommandResult {
        if !self.is_over() {
            return Ok(());
        }
        Err("the game is over; 'back' takes moves back, 'new' begins again, 'save FILE' writes it, 'quit' leaves"
            .into())
    }

    /// Claims, accepts or offers a draw.
    pub fn draw(&mut self) -> CommandResult {
        self.check_ongoing()?;
        let side = self.position.side_to_move();
        if !self.people.has(side) {
            return Err("there is nobody to offer a draw".into());
        }
        if let Some(reason) = self.claimable() {
            self.end(Ending::DrawClaimed(reason));
        } else if self.offer == Some(!side) {
            self.end(Ending::DrawAgreed);
        } else if self.position.setup_phase().is_pending() {
            return Err("no move has been made yet".into());
        } else if self.people.has(!side) {
            self.offer = Some(side);
            let other = !side;
            self.screen.say(&format!(
                "{side} offers a draw. Make your move; then {other} accepts by 'draw', and declines by a move."
            ));
        } else {
            self.ask_program(!side);
        }
        Ok(())
    }

    /// Lets the program answer an offer.
    fn ask_program(&mut self, program: Color) {
        match self.program.answer_to_draw() {
            Answer::Accepts => self.end(Ending::DrawAgreed),
            Answer::TooEarly => self.screen.say(&format!("{program} declines: it is too early.")),
            Answer::StandsBetter(score) => {
                let score = score.readable();
                let text =
                    format!("{program} declines: it thinks that it stands better ({score}).");
                self.screen.say(&text);
            }
        }
    }

    /// Lets the program offer a draw after its move, if it wants one.
    pub fn offer_draw_of_program(&mut self, program: Color) {
        if self.program.offers_draw(&self.position) {
            self.offer = Some(program);
            self.tell(format!("{program} offers a draw: 'draw' accepts it, a move declines it."));
        }
    }

    /// The program claims a draw in place of its move if it stands no better; returns whether it does.
    pub fn claims_draw(&mut self, thought: &Thought) -> bool {
        let Some(reason) = self.claimable() else { return false };
        let claims = thought.known.is_some_and(|(score, _)| score <= Score::DRAW);
        if claims {
            self.ending = Some(Ending::DrawClaimed(reason));
            self.changed();
        }
        claims
    }

    pub fn resign(&mut self) -> CommandResult {
        self.check_ongoing()?;
        let side = self.position.side_to_move();
        if !self.people.has(side) {
            return Err("there is nobody to resign".into());
        }
        self.end(Ending::Resigned(side));
        Ok(())
    }

    fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.offer = None;
        self.changed();
        self.screen.say(&self.standing());
    }
}
