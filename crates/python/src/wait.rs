//! Work that runs while Python waits: other threads of Python run meanwhile, and Ctrl-C ends it.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::GarrisonError;

/// How long a wait lasts before Python is asked whether a signal came.
const SLICE: Duration = Duration::from_millis(20);

/// What comes next from a channel; `None` once its sender is gone. `receive` waits on it and may lock what holds it.
///
/// # Errors
/// A signal came whose handler raised an exception: Ctrl-C.
pub fn next<T: Send>(
    py: Python<'_>,
    receive: impl Fn(Duration) -> Result<T, RecvTimeoutError> + Sync,
) -> PyResult<Option<T>> {
    loop {
        match py.detach(|| receive(SLICE)) {
            Ok(value) => return Ok(Some(value)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// Works on a thread of its own. If a signal comes whose handler raises an exception, `stop` is called, and the
/// exception raised when the work has ended.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stack: usize,
    stop: impl Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(stack);
        let worker = builder
            .spawn_scoped(scope, move || {
                let value = work();
                // The receiver outlives the worker.
                let _ = sender.send(value);
            })
            .map_err(|error| GarrisonError::new_err(format!("no thread for the work: {error}")))?;
        let value = wait(py, receiver);
        if value.is_err() {
            stop();
        }
        // A panic is a bug, and must not go through Python.
        let ended = py.detach(|| worker.join());
        match (value, ended) {
            (Ok(Some(value)), Ok(())) => Ok(value),
            (Err(error), _) => Err(error),
            _ => Err(GarrisonError::new_err("the work ended by a fault of the program")),
        }
    })
}

/// Waits for one value.
fn wait<T: Send>(py: Python<'_>, receiver: Receiver<T>) -> PyResult<Option<T>> {
    let receiver = std::sync::Mutex::new(receiver);
    next(py, |slice| {
        let receiver = receiver.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        receiver.recv_timeout(slice)
    })
}
