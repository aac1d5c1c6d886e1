//! When the engine thinks, about what, and what it does with what it finds.

use std::time::Instant;

use super::clock::late;
use super::dialect::Cecp;
use super::post::Post;
use super::text;
use crate::engine::{Limits, SearchResult};
use crate::protocol::session::{Search, Session};
use garrison_rules::{GameResult, Move, Outcome, Status};

/// What the running search is for.
#[derive(Debug, Clone)]
pub(super) enum Doing {
    /// The engine's own move.
    Move(Post),
    /// The reply to a move that the other side is expected to make.
    Ponder(Move, Post),
    /// Analysis for a person.
    Analysis(Post),
    /// Nothing any more: it was told to stop, and what it finds is not wanted.
    Dropped,
}

/// The score, in centipawns, below which the engine agrees to a draw.
const AGREES_TO_A_DRAW: i32 = -20;

impl Cecp {
    /// Begins what is due now that the engine is idle: its move, or an analysis.
    pub(super) fn begin_due(&mut self, session: &mut Session) -> Result<(), String> {
        if session.work().is_some() {
            return Ok(());
        }
        let since = self.waits_since.take().unwrap_or_else(Instant::now);
        if self.analyzes {
            return self.analyze(session);
        }
        if !self.due || self.engine_side != Some(session.position.side()) {
            return Ok(());
        }
        self.due = false;
        // A front end that knows no setup plies has its pieces as they stand.
        if !session.plays_setups {
            self.skipped += session.position.keep_arrays();
        }
        if let Status::Over(outcome) = session.position.status() {
            self.announce(session, outcome);
            return Ok(());
        }
        let table = session.use_table();
        let limits = self.clocks.limits(&session.position, session.overhead);
        let limits = late(limits, session.position.side(), since.elapsed());
        let post = Post::new(session.position.clone(), None);
        self.thinks_since = since;
        self.search(session, limits, Doing::Move(post.clone()), post)?;
        table
    }

    fn analyze(&mut self, session: &mut Session) -> Result<(), String> {
        let table = session.use_table();
        let post = Post::new(session.position.clone(), None);
        self.search(session, Limits::default(), Doing::Analysis(post.clone()), post)?;
        table
    }

    /// Thinks on the other side's time about the move that it is expected to make.
    fn ponder(&mut self, session: &mut Session, expected: Move) -> Result<(), String> {
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
        let heard = self.hears(session, &post, false);
        let search = Search { position, limits, infinite: false, ponder: true };
        session.search(search, heard)?;
        self.doing = Some(Doing::Ponder(expected, post));
        Ok(())
    }

    fn search(
        &mut self,
        session: &mut Session,
        limits: Limits,
        doing: Doing,
        post: Post,
    ) -> Result<(), String> {
        let position = session.position.clone();
        let analysis = matches!(doing, Doing::Analysis(_));
        let heard = self.hears(session, &post, analysis);
        let search = Search { position, infinite: analysis, limits, ponder: false };
        session.search(search, heard)?;
        self.doing = Some(doing);
        Ok(())
    }

    /// What hears a search: it writes thinking lines if they are wanted.
    fn hears(
        &self,
        session: &Session,
        post: &Post,
        always: bool,
    ) -> impl FnMut(&crate::engine::SearchEvent, crate::protocol::session::Chances) + Send + 'static
    {
        let (post, posts, output) = (post.clone(), self.posts.clone(), session.output.clone());
        move |news, _| post.tell(news, Some(&output).filter(|_| always || posts.is_on()))
    }

    /// The move that was thought about is found: it is made and told.
    pub(super) fn play_found(&mut self, session: &mut Session, found: SearchResult, post: &Post) {
        let Some(mv) = found.best.filter(|&mv| session.position.is_legal(mv)) else {
            if let Status::Over(outcome) = session.position.status() {
                self.announce(session, outcome);
            }
            return;
        };
        let time = self.thinks_since.elapsed();
        let score = post.seen().score.and_then(|score| score.as_centipawns());
        if std::mem::take(&mut self.draw_offered) && score.is_some_and(|s| s <= AGREES_TO_A_DRAW) {
            session.output.line("offer draw");
        }
        session.output.line(&format!("move {}", text::move_text(&session.position, mv)));
        self.made(session, mv);
        self.clocks.spend(time, &session.position);
        self.expected = found.ponder.filter(|&reply| session.position.is_legal(reply));
        if let Status::Over(outcome) = session.position.status() {
            return self.announce(session, outcome);
        }
        if let Some(expected) = self.expected.filter(|_| self.ponders)
            && let Err(fault) = self.ponder(session, expected)
        {
            session.output.line(&format!("tellusererror {fault}"));
        }
    }

    /// Makes a move and remembers how to take it back.
    pub(super) fn made(&mut self, session: &mut Session, mv: Move) {
        session.position.make(mv);
        self.plies.push(1 + std::mem::take(&mut self.skipped));
    }

    /// Says that the game is over, and why.
    pub(super) fn announce(&mut self, session: &Session, outcome: Outcome) {
        self.due = false;
        let result = GameResult::from(Status::Over(outcome));
        session.output.line(&format!("{result} {{{}}}", outcome.reason));
    }
}
