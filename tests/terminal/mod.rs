//! The program at a terminal: keys in, a screen of so many columns and lines out.

#![allow(dead_code)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::AsFd;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::termios::{LocalModes, tcgetattr};

/// After so long nothing more is awaited: far longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

pub const CTRL_C: &str = "\u{3}";
pub const CTRL_D: &str = "\u{4}";
pub const TAB: &str = "\t";
pub const UP: &str = "\u{1b}[A";

pub struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    /// Everything that was printed.
    pub printed: Vec<u8>,
}

impl Terminal {
    /// Starts the program at a terminal of so many columns and lines.
    pub fn start(columns: u16, lines: u16, state: &str, arguments: &[&str]) -> Terminal {
        Terminal::with(columns, lines, &[("TERM", "xterm"), ("XDG_STATE_HOME", state)], arguments)
    }

    /// The same with these variables of the environment; `NO_COLOR` is only set if it is among them.
    pub fn with(columns: u16, lines: u16, env: &[(&str, &str)], arguments: &[&str]) -> Terminal {
        let (pty, pts) = open().expect("a pseudo-terminal");
        pty.resize(Size::new(lines, columns)).expect("a size");
        let child = Command::new(env!("CARGO_BIN_EXE_garrison"))
            .args(arguments)
            .env_remove("NO_COLOR")
            .envs(env.iter().copied())
            .spawn(pts)
            .expect("the program starts");
        let pty = Arc::new(pty);
        let (sender, output) = channel();
        let reader = Arc::clone(&pty);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // At the end of the program the terminal gives an error.
            while let Ok(count @ 1..) = (&*reader).read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let size = |count| NonZero::new(count).expect("a size");
        let parser = vt100::Parser::new(size(lines), size(columns), 0);
        Terminal { pty, child, output, parser, printed: Vec::new() }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Types a line, and waits until this comes: the line above the prompt, and the prompt.
    pub fn line(&mut self, text: &str, above: &str, prompt: &str) {
        self.press(&format!("{text}\r"));
        self.until_prompt(above, prompt);
    }

    /// The screen, line by line, without spaces at the end of lines.
    pub fn lines(&self) -> Vec<String> {
        let (_, columns) = self.parser.screen().size();
        self.parser.screen().rows(0, columns.get()).map(|row| row.trim_end().to_string()).collect()
    }

    pub fn text(&self) -> String {
        self.lines().join("\n").trim_end().to_string()
    }

    /// The screen in the program's words.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Waits until the screen is like this.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&Terminal) -> bool) {
        while !is_so(self) {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => {
                    self.parser.process(&bytes);
                    self.printed.extend(bytes);
                }
                Err(RecvTimeoutError::Timeout) => panic!("{what}: not in time:\n{}", self.text()),
                Err(RecvTimeoutError::Disconnected) => panic!("{what}: ended:\n{}", self.text()),
            }
        }
    }

    /// Waits until the cursor is behind this prompt, below this line.
    pub fn until_prompt(&mut self, above: &str, prompt: &str) {
        self.until(&format!("'{above}' and '{prompt}'"), |terminal| {
            let (row, column) = terminal.parser.screen().cursor_position();
            let lines = terminal.lines();
            let at = usize::from(row);
            lines[at] == prompt
                && usize::from(column) == prompt.chars().count() + 1
                && at > 0
                && lines[at - 1] == above
        });
    }

    /// Waits until the screen holds a text.
    pub fn until_text(&mut self, text: &str) {
        self.until(&format!("'{text}'"), |terminal| terminal.text().contains(text));
    }

    /// No line was longer than the terminal is wide.
    pub fn assert_nothing_is_wrapped(&self) {
        let (lines, _) = self.parser.screen().size();
        for line in 0..lines.get() {
            assert!(!self.parser.screen().row_wrapped(line), "line {line}:\n{}", self.text());
        }
    }

    /// Whether the terminal shows what is typed, as it does before and after a program.
    pub fn echoes(&self) -> bool {
        let modes = tcgetattr(self.pty.as_fd()).expect("a terminal");
        modes.local_modes.contains(LocalModes::ECHO | LocalModes::ICANON)
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Kills the program as nothing can prevent.
    pub fn kill(mut self) {
        self.child.kill().expect("a process");
        self.child.wait().expect("a process");
    }

    /// Waits for the end of the program.
    pub fn end(mut self) -> (ExitStatus, String) {
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end:\n{}", self.text()),
            }
        }
        let status = self.child.wait().expect("a process");
        (status, self.text())
    }
}
