//! The setup phase before the first move.

/// Which setups are still to be made.
///
/// ```
/// use garrison_rules::{Position, SetupPhase, find};
///
/// let mut position = Position::start(&find("shoranji")?);
/// assert_eq!(position.setup_phase(), SetupPhase::Both);
/// position.make(position.setup_as_is());
/// assert_eq!(position.setup_phase(), SetupPhase::Second);
/// position.make(position.setup_as_is());
/// assert!(!position.setup_phase().is_pending());
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SetupPhase {
    /// White's, then Black's.
    Both,
    /// Black's.
    Second,
    /// None, or the game has no setup phase.
    #[default]
    Done,
}

impl SetupPhase {
    /// What is left to do after one setup.
    pub(crate) fn next(self) -> SetupPhase {
        match self {
            SetupPhase::Both => SetupPhase::Second,
            SetupPhase::Second | SetupPhase::Done => SetupPhase::Done,
        }
    }

    /// Whether a setup is still to be made.
    #[inline]
    pub fn is_pending(self) -> bool {
        self != SetupPhase::Done
    }
}
