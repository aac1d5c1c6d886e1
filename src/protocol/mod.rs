//! Talking to programs: lines of text in, lines of text out, as `protocol.md` documents.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod go;
mod options;
mod output;
mod session;

use std::io::{BufRead, Read, Write};

use output::Output;
use session::{Flow, Session};

/// The longest line that is read, in bytes. What is longer is refused as a whole.
const MAX_LINE: u64 = 4 << 20;

/// Speaks UCI until `quit` or the end of input. At the end of input a search with a limit is
/// finished first.
pub fn run(mut input: impl BufRead, output: impl Write + Send + 'static) {
    let output = Output::new(output);
    let Some(mut session) = Session::new(output.clone()) else {
        output.error("no memory for the hash table");
        return;
    };
    let mut bytes = Vec::new();
    loop {
        match read_line(&mut input, &mut bytes) {
            Ok(Line::End) | Err(_) => return session.end_of_input(),
            Ok(Line::TooLong) => output.error(&format!("a line longer than {MAX_LINE} bytes")),
            Ok(Line::Read) => {
                let line = String::from_utf8_lossy(&bytes);
                if session.line(line.trim()) == Flow::Quit || output.is_closed() {
                    return session.stop();
                }
            }
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
