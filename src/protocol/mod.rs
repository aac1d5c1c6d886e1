//! Talking to programs: lines of text in, lines of text out, as `protocol.md` documents.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod cecp;
mod command;
mod go;
mod options;
mod output;
mod report;
mod session;
mod work;

use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{SyncSender, sync_channel};

use output::Output;
use session::{Flow, Session};

/// The longest line that is read, in bytes. What is longer is refused as a whole.
const MAX_LINE: u64 = 4 << 20;

/// How many events may wait: more input is read when the session has dealt with some.
const EVENTS: usize = 256;

/// What a session hears.
enum Event {
    /// A line of input.
    Line(String),
    /// A line that was too long and has been skipped.
    TooLong,
    /// There is no more input.
    End,
    /// The work in another thread is done.
    Done,
}

/// Speaks UCI until `quit` or the end of input. At the end of input, work with a limit is
/// finished first.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) {
    let output = Output::new(output);
    let (sender, events) = sync_channel(EVENTS);
    let Some(mut session) = Session::new(output.clone(), sender.clone()) else {
        output.error("no memory for the hash table");
        return;
    };
    std::thread::spawn(move || read(input, &sender));
    for event in events {
        if session.hear(event) == Flow::Quit || output.is_closed() {
            return session.stop();
        }
    }
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
                // Some shells put a byte order mark in front of what they pipe.
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
    Ok(Line::TooLong)
}
