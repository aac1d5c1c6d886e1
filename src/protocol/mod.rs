//! Talking to programs: lines of text in, lines of text out, as `protocol.md` documents.
//!
//! One `session` holds the game, the options and the search. Three thin dialects read lines and write
//! answers: `uci`, `usi`, which is UCI with other texts, and XBoard's (`cecp`).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod cecp;
mod conversation;
mod dialect;
mod games;
mod help;
mod options;
mod output;
mod refusal;
mod session;
mod setup;
mod uci;
mod usi;
mod work;

use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{SyncSender, sync_channel};

use crate::text::ERROR_LINE;
use conversation::Conversation;
use dialect::Flow;
use output::Output;
use refusal::Refusal;
use session::Session;
pub(crate) use usi::text::Usi;
pub use usi::text::sfen;

/// The longest line that is read, in bytes. A longer one is refused as a whole.
const MAX_LINE: u64 = 4 << 20;

/// How many events may wait; then no more input is read until the session has handled some.
const EVENTS: usize = 16;

/// The capacity of the line buffer, in bytes, after a line that was too long.
const USUAL_LINE: usize = 4096;

/// An event of a session.
enum Event {
    /// A line of input.
    Line(String),
    /// A line that was too long and was skipped.
    TooLong,
    /// There is no more input.
    End,
    /// The work in another thread has ended.
    Done,
}

/// Speaks the protocol that the first line asks for (`uci`, `usi`, `xboard`; UCI for any other) until
/// `quit`, the end of input, or until the reader of the output is gone. At the end of input, work with a limit
/// is finished first.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) {
    let output = Output::new(output);
    let (sender, events) = sync_channel(EVENTS);
    let Some(session) = Session::new(output.clone(), sender.clone()) else {
        output.line(&format!("{ERROR_LINE}no memory for the hash table"));
        return;
    };
    let mut conversation = Conversation::new(session);
    let reader = std::thread::Builder::new().spawn(move || read(input, &sender));
    if let Err(error) = reader {
        output.line(&format!("{ERROR_LINE}no thread for the input: {error}"));
        return;
    }
    for event in &events {
        if conversation.handle(event) == Flow::Quit || conversation.is_closed() {
            break;
        }
    }
    // Work that ends now must not block on sending its last event.
    drop(events);
    conversation.stop();
}

/// A refusal as one line: the texts of files and threads may have several, and characters that a terminal obeys.
fn one_line(refusal: &Refusal) -> String {
    let text = refusal.to_string();
    let parts = text.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty());
    let escaped = |part: &str| -> String {
        part.chars()
            .map(|c| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() })
            .collect()
    };
    parts.map(escaped).collect::<Vec<_>>().join("; ")
}

/// Sends every line of the input as an event.
fn read(mut input: impl BufRead, sender: &SyncSender<Event>) {
    let mut bytes = Vec::new();
    let mut first = true;
    loop {
        let event = match read_line(&mut input, &mut bytes) {
            Ok(Line::End) | Err(_) => Event::End,
            Ok(Line::TooLong) => Event::TooLong,
            Ok(Line::Read) => {
                let text = String::from_utf8_lossy(&bytes);
                // Some shells put a byte order mark in front of piped text.
                let text = if first { text.trim_start_matches('\u{feff}') } else { &text };
                Event::Line(text.trim().to_string())
            }
        };
        first = false;
        let ends = matches!(event, Event::End);
        if sender.send(event).is_err() || ends {
            return;
        }
    }
}

enum Line {
    Read,
    TooLong,
    End,
}

/// Reads one line, of which no more than [`MAX_LINE`] bytes are kept.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> std::io::Result<Line> {
    bytes.clear();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', bytes)? == 0 {
        return Ok(Line::End);
    }
    if bytes.last() == Some(&b'\n') || (bytes.len() as u64) < MAX_LINE {
        return Ok(Line::Read);
    }
    input.skip_until(b'\n')?;
    // Later lines are short again.
    bytes.clear();
    bytes.shrink_to(USUAL_LINE);
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Error, ErrorKind, Result, Write, pipe};
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    /// A reader that is gone, which the session notices at its first write.
    struct Gone(#[expect(dead_code, reason = "counts who may still write")] Arc<()>);

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> Result<usize> {
            Err(Error::from(ErrorKind::BrokenPipe))
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nothing_thinks_on_after_the_end() {
        let writers = Arc::new(());
        let (input, mut commands) = pipe().expect("a pipe");
        let front_end = thread::spawn(move || {
            commands.write_all(b"xboard\nhard\nst 20\ngo\n").expect("heard");
            // Until there is a reply to ponder on; then something is to be written.
            thread::sleep(Duration::from_millis(500));
            commands.write_all(b"protover 2\n").expect("heard");
        });
        super::run(BufReader::new(input), Gone(Arc::clone(&writers)));
        front_end.join().expect("all is sent");
        assert_eq!(Arc::strong_count(&writers), 1, "a search may still write");
    }
}
