//! A conversation with the protocol in this process: lines in, lines out.

#![allow(dead_code)]

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Longer than anything here may take, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Talk {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    session: Option<JoinHandle<()>>,
}

impl Talk {
    pub fn start() -> Talk {
        let (theirs, input) = pipe().expect("a pipe");
        let (output, to_us) = pipe().expect("a pipe");
        let run = move || garrison::protocol::run(BufReader::new(theirs), to_us);
        let session = thread::Builder::new().spawn(run).expect("a thread");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Talk { input: Some(input), lines, session: Some(session) }
    }

    /// A conversation in XBoard's protocol about a game.
    pub fn xboard(game: &str) -> Talk {
        let mut talk = Talk::start();
        talk.send("xboard\nprotover 2\nnew");
        let setup = talk.ask_pong(&format!("variant {game}"));
        assert!(setup.iter().any(|line| line.starts_with("setup (")), "{game}: {setup:?}");
        talk
    }

    /// A conversation in USI about a game.
    pub fn usi(game: &str) -> Talk {
        let mut talk = Talk::start();
        talk.send("usi");
        talk.until("usiok");
        let set = talk.ask(&format!("setoption name USI_Variant value {game}"));
        assert!(set[0].starts_with(&format!("info string variant {game} ")), "{set:?}");
        talk
    }

    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open input");
        let written = input.write_all(format!("{line}\n").as_bytes());
        written.unwrap_or_else(|error| panic!("{line}: nobody reads any more: {error}"));
    }

    /// The next line; `None` at the end of the output.
    pub fn next_line(&mut self, awaited: &str) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("{awaited}: nothing within {PATIENCE:?}"),
        }
    }

    /// The lines up to one that begins like this, which comes last.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next_line(beginning);
            lines.push(line.unwrap_or_else(|| panic!("no '{beginning}' after {lines:?}")));
            if lines.last().is_some_and(|line| line.starts_with(beginning)) {
                return lines;
            }
        }
    }

    /// What lines are answered with, up to the answer of a last one.
    fn ask_with(&mut self, line: &str, last: &str, answer: &str) -> Vec<String> {
        self.send(line);
        self.send(last);
        let mut lines = self.until(answer);
        lines.pop();
        lines
    }

    /// What UCI or USI answers to a line that begins no search.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.ask_with(line, "isready", "readyok")
    }

    /// What is answered to a line of XBoard, a move of the engine included.
    pub fn ask_pong(&mut self, line: &str) -> Vec<String> {
        self.ask_with(line, "ping 7", "pong 7")
    }

    /// The end of a line with this beginning, out of what is answered to `d`.
    pub fn shown(&mut self, beginning: &str, xboard: bool) -> String {
        let lines = if xboard { self.ask_pong("d") } else { self.ask("d") };
        let line = lines.iter().find_map(|line| line.strip_prefix(beginning));
        line.unwrap_or_else(|| panic!("no '{beginning}' in {lines:?}")).to_string()
    }

    /// Sends `quit`; the session must end.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.end()
    }

    /// Closes the input; the session must end. Returns what still comes.
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line("the end") {
            lines.push(line);
        }
        let session = self.session.take().expect("a session");
        assert!(session.join().is_ok(), "the session panicked");
        lines
    }
}
