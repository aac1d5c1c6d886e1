//! Signals while a game is played: Ctrl-C while the program thinks means "move now"; whatever else ends the program
//! leaves the terminal as it was. Nothing needs to be saved then: the game is kept after every move.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::termios::Termios;

use crate::cli::CommandResult;
use crate::cli::signals::{INTERRUPT, catch};
use crate::engine::Control;

/// So long after a search Ctrl-C still was meant for it.
const TOO_LATE: Duration = Duration::from_millis(500);

/// What the thread that waits for signals shares with the game.
#[derive(Default)]
struct Shared {
    /// The search under way.
    thinking: Mutex<Option<Arc<Control>>>,
    /// When the last one ended.
    thought: Mutex<Option<Instant>>,
    /// Whether the game is kept in a file.
    kept: AtomicBool,
    /// Whether Ctrl-C is meant for a search.
    stops_search: bool,
}

#[derive(Clone)]
pub(super) struct Signals(Arc<Shared>);

impl Signals {
    /// Waits for signals from now on; in a conversation with a person, Ctrl-C stops a search first.
    pub fn new(is_conversation: bool) -> CommandResult<Signals> {
        let shared = Arc::new(Shared { stops_search: is_conversation, ..Shared::default() });
        let (waiting, before) = (Arc::clone(&shared), terminal());
        catch(move |signal| {
            if signal != INTERRUPT || !waiting.stop_search() {
                restore(before.as_ref());
                waiting.leave(128 + signal);
            }
        })?;
        Ok(Signals(shared))
    }

    /// Does work that Ctrl-C stops through `control`.
    pub fn while_thinking<T>(&self, control: &Arc<Control>, work: impl FnOnce() -> T) -> T {
        self.0.set_thinking(Some(Arc::clone(control)));
        let result = work();
        *self.0.thought.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.0.set_thinking(None);
        result
    }

    /// Whether there is a kept game to say a word about when a signal ends the program.
    pub fn set_kept(&self, kept: bool) {
        self.0.kept.store(kept, Ordering::Relaxed);
    }
}

impl Shared {
    fn set_thinking(&self, control: Option<Arc<Control>>) {
        *self.thinking.lock().unwrap_or_else(PoisonError::into_inner) = control;
    }

    /// Stops the search under way; returns whether there is one that Ctrl-C is meant for, or was a moment ago.
    fn stop_search(&self) -> bool {
        let thinking = self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
        thinking.iter().for_each(|control| control.stop());
        let ended = *self.thought.lock().unwrap_or_else(PoisonError::into_inner);
        let is_late = ended.is_some_and(|at| at.elapsed() < TOO_LATE);
        self.stops_search && (thinking.is_some() || is_late)
    }

    fn leave(&self, status: i32) -> ! {
        if self.kept.load(Ordering::Relaxed) {
            // The terminal may be gone.
            let text = "garrison: the game is kept for 'garrison play --resume'";
            let _ = writeln!(std::io::stderr(), "\n{text}");
        }
        std::process::exit(status)
    }
}

/// How the terminal works; while a line is typed, it works otherwise.
#[cfg(unix)]
fn terminal() -> Option<Termios> {
    rustix::termios::tcgetattr(std::io::stdin()).ok()
}

/// Lets the terminal work as it did before.
#[cfg(unix)]
fn restore(before: Option<&Termios>) {
    use rustix::termios::{OptionalActions, tcsetattr};
    if let Some(before) = before {
        // Nobody is left to hear of a failure.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
    }
}

#[cfg(not(unix))]
fn terminal() -> Option<()> {
    None
}

#[cfg(not(unix))]
fn restore(_: Option<&()>) {}
