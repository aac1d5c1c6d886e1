//! The session of UCI, USI or XBoard's protocol on standard input and output, which runs without a command.

use std::io::{BufReader, ErrorKind, IsTerminal, Result, Stdout, Write, stdin, stdout};
use std::sync::{Arc, OnceLock};

use super::CommandResult;

pub(super) fn run() -> CommandResult {
    greet();
    let fault = Arc::new(OnceLock::new());
    let out = Watched { out: stdout(), fault: Arc::clone(&fault) };
    crate::protocol::run(BufReader::new(stdin()), out);
    match fault.get() {
        Some(fault) => Err(format!("cannot write to standard output: {fault}").into()),
        None => Ok(()),
    }
}

/// Standard output, and the first error of writing to it. A reader that is gone is none.
struct Watched {
    out: Stdout,
    fault: Arc<OnceLock<String>>,
}

impl Watched {
    fn noted<T>(&self, done: Result<T>) -> Result<T> {
        if let Err(error) = &done
            && error.kind() != ErrorKind::BrokenPipe
            && error.kind() != ErrorKind::Interrupted
        {
            self.fault.get_or_init(|| error.to_string());
        }
        done
    }
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let done = self.out.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> Result<()> {
        let done = self.out.flush();
        self.noted(done)
    }
}

/// Says what the program waits for, if a person sees it: no program that plays chess has a terminal on both sides, and
/// those read standard output.
fn greet() {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        eprintln!(
            "Garrison {}, an engine for chess variants, waits for UCI, USI or XBoard's protocol. Type 'help' for its \
             commands, 'quit' to end; 'garrison --help' lists those of the command line.",
            env!("CARGO_PKG_VERSION")
        );
    }
}
