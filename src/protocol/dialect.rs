//! The interface of the dialects: each reads lines, calls the session, and writes the answers.

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

    /// Whether the first waiting line may be carried out now. If not, it is asked again when the work has
    /// ended; it may stop the work itself.
    fn may_run(&mut self, session: &mut Session, line: &str) -> bool;

    /// Carries out a line.
    ///
    /// # Errors
    /// Why it is refused; nothing is changed then.
    fn run(&mut self, session: &mut Session, line: &str) -> Result<Flow, Refusal>;

    /// Work has ended.
    fn finished(&mut self, session: &mut Session, ended: Ended);

    /// The answer to a line that is refused.
    fn refusal(&self, line: &str, refusal: &Refusal) -> String;
}
