//! When the engine searches, for what purpose, and what it does with the result.

use std::time::Instant;

use super::clock::late;
use super::dialect::Cecp;
use super::post::Post;
use super::text;
use crate::engine::{Limits, SearchEvent, SearchResult};
use crate::protocol::one_line;
use crate::protocol::refusal::Refusal;
use crate::protocol::session::{Chances, Search, Session, SessionError};
use garrison_rules::{GameResult, Move, Outcome, Position, Reason, Status};

/// The purpose of the running search.
#[derive(Debug, Clone)]
pub(super) enum Purpose {
    /// The engine's own move.
    Move(Post),
    /// The reply to the opponent's expected move.
    Ponder(Move, Post),
    /// Analysis for the user.
    Analysis(Post),
    /// None: it was stopped, and its result is not wanted.
    Dropped,
}

/// The score, in centipawns, below which the engine agrees to a draw.
const AGREES_TO_A_DRAW: i32 = -20;

impl Cecp {
    /// Begins the search that is due when the engine is idle: for its move, or an analysis.
    pub(super) fn begin_due(&mut self, session: &mut Session) -> Result<(), SessionError> {
        if session.work().is_some() || self.cancels_waiting > 0 || !session.has_position {
            return Ok(());
        }
        let since = self.waits_since.take().unwrap_or_else(Instant::now);
        if self.analyzes {
            return self.analyze(session);
        }
        if !self.due || self.engine_side != Some(session.position.side_to_move()) {
            return Ok(());
        }
        self.due = false;
        // A front end that knows no setup plies keeps the arrays.
        if !session.plays_setups {
            self.skipped += session.position.keep_arrays();
        }
        // By a repetition or a count it may be over only for those who know the rule: who asks for a move gets one.
        if let Status::Over(outcome) = session.position.status()
            && !session.position.has_legal_move()
        {
            self.announce(session, outcome);
            return Ok(());
        }
        let weights = session.use_eval_file();
        let limits = self.clocks.limits(&session.position, session.overhead);
        let limits = Limits { plays_on: true, ..limits };
        let limits = late(limits, session.position.side_to_move(), since.elapsed());
        let post = Post::new(session.position.clone(), None);
        self.thinks_since = since;
        self.timed = limits.depth.is_none() && limits.nodes.is_none();
        self.search(session, limits, Purpose::Move(post.clone()), post)?;
        self.obey_waiting(session);
        weights
    }

    fn analyze(&mut self, session: &mut Session) -> Result<(), SessionError> {
        let weights = session.use_eval_file();
        let post = Post::new(session.position.clone(), None);
        self.search(session, Limits::default(), Purpose::Analysis(post.clone()), post)?;
        weights
    }

    /// Ponders the opponent's expected move.
    fn ponder(&mut self, session: &mut Session, expected: Move) -> Result<(), SessionError> {
        if !session.position.is_legal(expected) {
            return Ok(());
        }
        let expected_text = text::move_text(&session.position, expected);
        let mut position = session.position.clone();
        position.make(expected);
        if position.status().outcome().is_some() {
            return Ok(());
        }
        let limits = self.clocks.limits(&position, session.overhead);
        let post = Post::new(position.clone(), Some(&expected_text));
        self.timed = limits.depth.is_none() && limits.nodes.is_none();
        let on_event = self.listener(session, &post, false);
        let search = Search { position, limits, infinite: false, ponder: true };
        session.search(search, on_event)?;
        self.purpose = Some(Purpose::Ponder(expected, post));
        Ok(())
    }

    fn search(
        &mut self,
        session: &mut Session,
        limits: Limits,
        purpose: Purpose,
        post: Post,
    ) -> Result<(), SessionError> {
        let position = session.position.clone();
        let analysis = matches!(purpose, Purpose::Analysis(_));
        let on_event = self.listener(session, &post, analysis);
        let search = Search { position, infinite: analysis, limits, ponder: false };
        session.search(search, on_event)?;
        self.purpose = Some(purpose);
        Ok(())
    }

    /// The listener of a search: it prints thinking lines if they are wanted.
    fn listener(
        &self,
        session: &Session,
        post: &Post,
        always: bool,
    ) -> impl FnMut(&SearchEvent, Chances) + Send + 'static {
        let (post, posts, output) = (post.clone(), self.posts.clone(), session.output.clone());
        move |news, _| post.report(news, Some(&output).filter(|_| always || posts.is_on()))
    }

    /// Makes and prints the move that the search found.
    pub(super) fn play_found(&mut self, session: &mut Session, found: SearchResult, post: &Post) {
        let Some(mv) = found.best.filter(|&mv| session.position.is_legal(mv)) else {
            if let Status::Over(outcome) = session.position.status() {
                self.announce(session, outcome);
            }
            return;
        };
        let time = self.thinks_since.elapsed();
        let score = post.seen().score.and_then(|score| score.as_centipawns());
        let agrees =
            std::mem::take(&mut self.draw_offered) && score.is_some_and(|s| s <= AGREES_TO_A_DRAW);
        let drawn = draw_at(&session.position).or_else(|| draw_after(&session.position, mv));
        if agrees || drawn.is_some() {
            session.output.line("offer draw");
        }
        session.output.line(&format!("move {}", text::move_text(&session.position, mv)));
        self.made(session, mv);
        self.clocks.spend(time, &session.position);
        self.expected = found.ponder.filter(|&reply| session.position.is_legal(reply));
        if let Some(reason) = drawn {
            self.tell_draw(session, reason);
        }
        if let Status::Over(outcome) = session.position.status() {
            if claims(&session.position, outcome) {
                self.announce(session, outcome);
            }
            return;
        }
        if let Some(expected) = self.expected.filter(|_| self.ponders)
            && let Err(error) = self.ponder(session, expected)
        {
            report_error(session, error);
        }
    }

    /// Makes a move, and counts its plies for `undo`.
    pub(super) fn made(&mut self, session: &mut Session, mv: Move) {
        self.tell_fall(session, mv);
        session.position.make(mv);
        self.plies.push(1 + std::mem::take(&mut self.skipped));
    }

    /// The opponent offers a draw. One that the rules give is accepted at once.
    pub(super) fn offered_draw(&mut self, session: &Session) {
        if draw_at(&session.position).is_some() {
            session.output.line("offer draw");
        } else {
            self.draw_offered = self.engine_side.is_some();
        }
    }

    /// Prints the result of the game and its reason.
    pub(super) fn announce(&mut self, session: &Session, outcome: Outcome) {
        self.due = false;
        let result = GameResult::from(Status::Over(outcome));
        session.output.line(&format!("{result} {{{}}}", outcome.reason));
    }
}

/// Whether the engine claims the result of a game that is over. It does not claim a draw while there is a legal move:
/// who does not know the rule takes that for a false claim, or for a refusal to play on.
pub(super) fn claims(position: &Position, outcome: Outcome) -> bool {
    outcome.winner.is_some() || !position.has_legal_move()
}

/// Why the rules call a position a draw in which there is a legal move.
fn draw_at(position: &Position) -> Option<Reason> {
    let outcome = position.status().outcome()?;
    (!claims(position, outcome)).then_some(outcome.reason)
}

/// Why a move makes such a draw.
fn draw_after(position: &Position, mv: Move) -> Option<Reason> {
    let mut after = position.clone();
    after.make(mv);
    draw_at(&after)
}

/// Shows an error to the user that no line of the front end caused.
pub(super) fn report_error(session: &Session, error: SessionError) {
    let text = one_line(&Refusal::from(error));
    session.output.line(&format!("tellusererror {text}"));
}
