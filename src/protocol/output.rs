//! Output lines, from any thread.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The sink of lines: each is written as a whole and flushed.
#[derive(Clone)]
pub(super) struct Output {
    sink: Arc<Mutex<dyn Write + Send>>,
    closed: Arc<AtomicBool>,
}

impl Output {
    pub fn new(sink: impl Write + Send + 'static) -> Output {
        Output { sink: Arc::new(Mutex::new(sink)), closed: Arc::default() }
    }

    /// Writes a line. After a failed write, nothing is written any more.
    pub fn line(&self, text: &str) {
        if self.is_closed() {
            return;
        }
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let written = sink.write_all(format!("{text}\n").as_bytes());
        if written.and_then(|()| sink.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a write has failed.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
