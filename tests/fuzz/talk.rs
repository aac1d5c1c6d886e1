//! A session in this process: lines in, lines out, and what must never happen.

use std::collections::VecDeque;
use std::io::{BufReader, Error, ErrorKind, Read, Result as IoResult, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use garrison::protocol;

/// After so long a session hangs: far longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// How much of a session a report shows.
const SHOWN: usize = 40;

/// Panics of any thread of this program, of which there must be none.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes every panic from now on, also of threads that nobody joins and where it is caught.
pub fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(info.to_string());
            before(info);
        }));
    });
}

/// The first panic there was.
fn panicked() -> Option<String> {
    PANICS.lock().unwrap_or_else(PoisonError::into_inner).first().cloned()
}

/// What the session reads: whatever is sent, until the sender goes.
struct Source {
    sent: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    at: usize,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        while self.at == self.bytes.len() {
            match self.sent.recv() {
                Ok(bytes) => (self.bytes, self.at) = (bytes, 0),
                Err(_) => return Ok(0),
            }
        }
        let count = buffer.len().min(self.bytes.len() - self.at);
        buffer[..count].copy_from_slice(&self.bytes[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// Where the session writes: each whole line is handed on. After some lines nobody reads any more.
struct Sink {
    lines: Sender<Vec<u8>>,
    line: Vec<u8>,
    left: usize,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        for &byte in bytes {
            if self.left == 0 {
                return Err(Error::from(ErrorKind::BrokenPipe));
            }
            if byte == b'\n' {
                self.left -= 1;
                // The reader may have enough and be gone.
                let _ = self.lines.send(std::mem::take(&mut self.line));
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> IoResult<()> {
        Ok(())
    }
}

/// A session that runs in another thread.
pub struct Talk {
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Vec<u8>>,
    ended: Receiver<()>,
    /// The last lines, sent and received.
    past: VecDeque<String>,
    /// How many lines were sent.
    pub sent: u64,
}

impl Talk {
    /// Starts a session whose output closes after so many lines.
    pub fn start(lines_read: usize) -> Talk {
        let (input, sent) = channel();
        let (sender, lines) = channel();
        let (end, ended) = channel();
        let source = Source { sent, bytes: Vec::new(), at: 0 };
        let sink = Sink { lines: sender, line: Vec::new(), left: lines_read };
        thread::spawn(move || {
            protocol::run(BufReader::new(source), sink);
            let _ = end.send(());
        });
        Talk { input: Some(input), lines, ended, past: VecDeque::new(), sent: 0 }
    }

    fn note(&mut self, mark: char, bytes: &[u8]) {
        const MOST: usize = 300;
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]);
        let cut = if bytes.len() > MOST {
            format!(" … ({} bytes)", bytes.len())
        } else {
            String::new()
        };
        self.past.push_back(format!("{mark} {}{cut}", text.escape_debug()));
        if self.past.len() > SHOWN {
            self.past.pop_front();
        }
    }

    /// A report of a fault, with the end of the session.
    pub fn fault(&self, what: &str) -> String {
        let past: Vec<&str> = self.past.iter().map(String::as_str).collect();
        format!("{what}\n{}", past.join("\n"))
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) {
        self.note('>', &bytes);
        if let Some(input) = &self.input {
            // A session that has ended does not read any more.
            let _ = input.send(bytes);
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &[u8]) {
        self.sent += 1;
        self.send_bytes([line, b"\n"].concat());
    }

    /// The next line; `None` after the last.
    pub fn next_line(&mut self) -> Result<Option<String>, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                self.note('<', &bytes);
                let line =
                    String::from_utf8(bytes).map_err(|_| self.fault("a line that is no UTF-8"))?;
                if line.chars().any(|c| c.is_control() && c != '\t') {
                    return Err(self.fault("a line with control characters"));
                }
                if line.contains("this is a bug") {
                    return Err(self.fault("the session found a bug"));
                }
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(self.fault("no answer: it hangs")),
        }
    }

    /// The lines up to one that fits, which comes last.
    pub fn until(&mut self, fits: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next_line()? else {
                return Err(self.fault("the session ended before it answered"));
            };
            lines.push(line);
            if lines.last().is_some_and(|line| fits(line)) {
                return Ok(lines);
            }
        }
    }

    /// Ends the input, and reads on to the end of the session.
    pub fn finish(mut self) -> Result<Vec<String>, String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line()? {
            lines.push(line);
        }
        self.wait_for_end()?;
        Ok(lines)
    }

    /// The session must end, whether its input does or not.
    pub fn wait_for_end(&self) -> Result<(), String> {
        let start = Instant::now();
        let ended = self.ended.recv_timeout(PATIENCE);
        if let Some(panic) = panicked() {
            return Err(self.fault(&format!("a panic: {panic}")));
        }
        ended.map_err(|_| self.fault(&format!("the session goes on after {:?}", start.elapsed())))
    }
}
