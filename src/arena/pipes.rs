//! The pipes to and from an engine, each with a thread of its own.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

use garrison_rules::shown;

/// The longest line that an engine may print, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// Output of the process.
pub(super) enum Output {
    Line(String, Instant),
    TooLong,
}

/// Starts a thread, which may be refused.
pub(super) fn spawn(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().spawn(work).map(drop)
}

/// The beginning of the last line that is not empty. All is read, so that no engine waits for a reader.
pub(super) fn last_line(stderr: impl Read) -> String {
    /// The most bytes that are kept of a line; the rest of it counts as further lines.
    const MOST: u64 = 1 << 10;
    let mut stderr = BufReader::new(stderr);
    let (mut last, mut line) = (String::new(), Vec::new());
    loop {
        line.clear();
        match stderr.by_ref().take(MOST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return last,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            last = shown(text.trim());
        }
    }
}

/// Writes lines until the sender is gone or the process no longer reads.
pub(super) fn write_lines(mut stdin: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Sends the lines read until the end of output. A line that is too long ends it too.
pub(super) fn read_lines(mut stdout: impl Read, sender: &SyncSender<Output>) {
    let mut block = [0; 1 << 14];
    let mut line = Vec::new();
    loop {
        let read = match stdout.read(&mut block) {
            Ok(0) => return,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let arrival = Instant::now();
        let mut rest = &block[..read];
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let text = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            if sender.send(Output::Line(text, arrival)).is_err() {
                return;
            }
        }
        line.extend_from_slice(rest);
        if line.len() > LONGEST_LINE {
            let _ = sender.send(Output::TooLong);
            return;
        }
    }
}
