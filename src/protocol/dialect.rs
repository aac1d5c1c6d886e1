//! What the dialects have in common: each reads lines, has the session do what they say, and writes what
//! comes of it.

use super::session::Session;
use super::work::Ended;

/// Whether the session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// A way to talk to a session. Lines are carried out in their order, each when it may; work is done
/// meanwhile.
pub(super) trait Dialect {
    /// A line has come; others may be before it. It may end work that would keep it waiting.
    fn arrives(&mut self, _session: &mut Session, _line: &str) {}

    /// Whether the first of the lines may be carried out now. If not, it is asked again after the end
    /// of the work, and may have told it to end.
    fn may_run(&mut self, session: &mut Session, line: &str) -> bool;

    /// Carries out a line.
    ///
    /// # Errors
    /// Why it is refused; nothing is changed then.
    fn run(&mut self, session: &mut Session, line: &str) -> Result<Flow, String>;

    /// Work has come to its end.
    fn finished(&mut self, session: &mut Session, ended: Ended);

    /// How it says that a line is refused.
    fn refusal(&self, line: &str, fault: &str) -> String;
}
