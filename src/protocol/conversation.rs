//! A conversation: the dialect that its first line selects, and the queue of lines that wait for running work.

use std::collections::VecDeque;

use super::Event;
use super::cecp::Cecp;
use super::dialect::{Dialect, Flow};
use super::refusal::Refusal;
use super::session::Session;
use super::uci::{Form, Uci};

/// How many commands may wait for running work.
const MOST_WAITING: usize = 10_000;

/// How many bytes they may have in all.
const MOST_BYTES: usize = 32 << 20;

pub(super) struct Conversation {
    session: Session,
    dialect: Box<dyn Dialect>,
    /// Whether a first line has chosen the dialect.
    begun: bool,
    /// Commands that wait for running work.
    waiting: VecDeque<String>,
    /// There is no more input.
    ended: bool,
}

impl Conversation {
    pub fn new(session: Session) -> Conversation {
        let dialect = Box::new(Uci::new(Form::Uci));
        Conversation { session, dialect, begun: false, waiting: VecDeque::new(), ended: false }
    }

    /// Handles an event.
    pub fn handle(&mut self, event: Event) -> Flow {
        match event {
            Event::TooLong => self.refuse("", &Refusal::LineTooLong),
            Event::Line(line) if line.is_empty() => {}
            // At once, and without choosing a dialect: the next line may be a program's first.
            Event::Line(line) if line == "help" => self.session.output.line(&self.dialect.help()),
            Event::Line(line) => {
                if self.arrive(line) == Flow::Quit {
                    return Flow::Quit;
                }
            }
            Event::End => {
                self.ended = true;
                self.dialect.input_ended(&mut self.session);
            }
            Event::Done => self.finish(),
        }
        self.proceed()
    }

    /// A line has arrived: it acts at once, or waits for its turn.
    fn arrive(&mut self, line: String) -> Flow {
        self.choose(&line);
        self.dialect.arrives(&mut self.session, &line);
        match self.dialect.at_once(&mut self.session, &self.waiting, &line) {
            Some(Ok(flow)) => return flow,
            Some(Err(refusal)) => self.refuse(&line, &refusal),
            None if self.has_room(&line) => self.waiting.push_back(line),
            None => self.refuse(&line, &Refusal::TooManyWaiting),
        }
        Flow::Continue
    }

    fn has_room(&self, line: &str) -> bool {
        let bytes: usize = self.waiting.iter().map(String::len).sum();
        self.waiting.len() < MOST_WAITING && bytes + line.len() <= MOST_BYTES
    }

    /// The first line selects the dialect.
    fn choose(&mut self, line: &str) {
        if self.begun {
            return;
        }
        self.begun = true;
        match line.split_whitespace().next() {
            Some("usi") => {
                self.dialect = Box::new(Uci::new(Form::Usi));
                if let Err(error) = self.session.set_variant(Form::Usi.default_game()) {
                    self.refuse(line, &error.into());
                }
            }
            Some("xboard") => self.dialect = Box::new(Cecp::default()),
            _ => {}
        }
    }

    /// Carries out the waiting lines in order, up to one that must wait longer.
    fn proceed(&mut self) -> Flow {
        while let Some(line) = self.waiting.front() {
            if !self.dialect.may_run(&mut self.session, line) {
                break;
            }
            let line = self.waiting.pop_front().unwrap_or_default();
            match self.dialect.run(&mut self.session, &line) {
                Ok(Flow::Continue) => {}
                Ok(Flow::Quit) => return Flow::Quit,
                Err(refusal) => self.refuse(&line, &refusal),
            }
            self.dialect.settled(&mut self.session);
        }
        if self.ended && self.waiting.is_empty() {
            match self.session.work() {
                None => return Flow::Quit,
                Some(work) if !work.outlasts_input() => work.stop(),
                Some(_) => {}
            }
        }
        Flow::Continue
    }

    fn refuse(&mut self, line: &str, refusal: &Refusal) {
        self.dialect.refused(&mut self.session, line, refusal);
        self.session.output.line(&self.dialect.refusal(line, refusal));
    }

    fn finish(&mut self) {
        if let Some(ended) = self.session.join() {
            self.dialect.finished(&mut self.session, ended);
        }
    }

    /// Whether the reader of the output is gone.
    pub fn is_closed(&self) -> bool {
        self.session.output.is_closed()
    }

    /// Ends the conversation: stops running work and prints its result.
    pub fn stop(&mut self) {
        // A finished search may start a ponder search.
        while self.session.work().is_some() {
            self.session.stop();
            self.finish();
        }
    }
}
