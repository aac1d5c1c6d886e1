//! The interface of the dialects: each reads lines, calls the session, and writes the answers.

use std::collections::VecDeque;

use super::refusal::Refusal;
use super::session::Session;
use super::work::Ended;

/// Whether the session continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// A protocol over a session. Lines are carried out in order, each as soon as it may; a search may run
/// meanwhile.
pub(super) trait Dialect {
    /// A line has arrived; others may wait before it. It may stop work that it would wait for.
    fn arrives(&mut self, _session: &mut Session, _line: &str) {}

    /// What a line does at once, before the lines that wait; `None` if it waits for its turn.
    fn at_once(
        &mut self,
        _session: &mut Session,
        _waiting: &VecDeque<String>,
        _line: &str,
    ) -> Option<Result<Flow, Refusal>> {
        None
    }

    /// Whether the first waiting line may be carried out now. If not, it is asked again when the work has
    /// ended; it may stop the work itself.
    fn may_run(&mut self, session: &mut Session, line: &str) -> bool;

    /// Carries out a line.
    ///
    /// # Errors
    /// Why it is refused; nothing is changed then.
    fn run(&mut self, session: &mut Session, line: &str) -> Result<Flow, Refusal>;

    /// A line was carried out or refused, which was answered.
    fn settled(&mut self, _session: &mut Session) {}

    /// There is no more input; waiting lines are still carried out. It may stop work that would last.
    fn input_ended(&mut self, _session: &mut Session) {}

    /// Work has ended.
    fn finished(&mut self, session: &mut Session, ended: Ended);

    /// A line was refused.
    fn refused(&mut self, _session: &mut Session, _line: &str, _refusal: &Refusal) {}

    /// The answer to a person who types `help`: lines that a program ignores.
    fn help(&self) -> String;

    /// The answer to a line that is refused.
    fn refusal(&self, line: &str, refusal: &Refusal) -> String;
}
