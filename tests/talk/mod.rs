//! A conversation with the protocol, in this process or with the program: lines in, lines out.

#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// After so long a conversation hangs: far longer than anything here takes on a busy machine. No test measures time;
/// `cargo bench --bench latency` does.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// Starts the program.
pub fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_garrison"))
        .args(arguments)
        // Games that `play` keeps do not belong among those of whoever runs the tests.
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Waits for the end of a program, but not for ever.
pub fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return Some(status);
        }
        if start.elapsed() > patience {
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn read_all(mut source: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = source.read_to_end(&mut bytes);
        String::from_utf8(bytes).expect("UTF-8")
    })
}

/// What the program came to.
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the program with this input to its end.
pub fn run(arguments: &[&str], input: &[u8]) -> Done {
    let mut child = spawn(arguments);
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    thread::spawn(move || {
        // A program that refuses its arguments reads nothing.
        let _ = stdin.write_all(&input);
    });
    let out = read_all(child.stdout.take().expect("piped"));
    let err = read_all(child.stderr.take().expect("piped"));
    // Some commands have more to do than to answer.
    let patience = 4 * PATIENCE;
    let Some(status) = wait(&mut child, patience) else {
        let _ = child.kill();
        panic!("{arguments:?} does not end within {patience:?}");
    };
    let text = |reader: JoinHandle<String>| reader.join().expect("a reader");
    Done { code: status.code(), out: text(out), err: text(err) }
}

/// Who is spoken to.
enum Peer {
    /// A session of this process.
    Session(JoinHandle<()>),
    /// The program, and what it says on standard error.
    Program(Program, JoinHandle<String>),
}

/// The program, which is killed when it is dropped.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub struct Talk {
    input: Option<Box<dyn Write + Send>>,
    lines: Receiver<String>,
    peer: Peer,
}

impl Talk {
    fn with(
        peer: Peer,
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
    ) -> Talk {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        Talk { input: Some(Box::new(input)), lines, peer }
    }

    /// A conversation with a session in this process.
    pub fn start() -> Talk {
        let (theirs, input) = pipe().expect("a pipe");
        let (output, to_us) = pipe().expect("a pipe");
        let run = move || garrison::protocol::run(BufReader::new(theirs), to_us);
        let session = thread::Builder::new().spawn(run).expect("a thread");
        Talk::with(Peer::Session(session), input, output)
    }

    /// A conversation with the program.
    pub fn program() -> Talk {
        let mut child = spawn(&[]);
        let (input, output) = child.stdin.take().zip(child.stdout.take()).expect("piped");
        let complaints = read_all(child.stderr.take().expect("piped"));
        Talk::with(Peer::Program(Program(child), complaints), input, output)
    }

    /// A conversation with the program about a game.
    pub fn playing(game: &str) -> Talk {
        let mut talk = Talk::program();
        let answer = talk.ask(&format!("variant {game}"));
        assert!(answer[0].starts_with(&format!("info string variant {game} files ")), "{answer:?}");
        talk
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

    /// Where lines are written, for what the other side may not read any more.
    pub fn input(&mut self) -> &mut dyn Write {
        self.input.as_mut().expect("open input")
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input();
        let written = input.write_all(bytes).and_then(|()| input.flush());
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]);
        written.unwrap_or_else(|error| panic!("{text}: nobody reads any more: {error}"));
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
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

    /// A command of UCI to the line that it ends with. The `stop` behind it waits until the engine is
    /// idle again.
    fn finish(&mut self, command: &str, last: &str) -> Vec<String> {
        self.send(command);
        let lines = self.until(last);
        assert_eq!(self.ask("stop"), Vec::<String>::new());
        lines
    }

    /// A search to its end.
    pub fn go(&mut self, command: &str) -> Vec<String> {
        self.finish(command, "bestmove ")
    }

    /// A count to its end.
    pub fn count(&mut self, command: &str) -> Vec<String> {
        self.finish(command, "Nodes searched: ")
    }

    /// The end of a line with this beginning, out of what is answered to `d`.
    pub fn shown(&mut self, beginning: &str, xboard: bool) -> String {
        let lines = if xboard { self.ask_pong("d") } else { self.ask("d") };
        let line = lines.iter().find_map(|line| line.strip_prefix(beginning));
        line.unwrap_or_else(|| panic!("no '{beginning}' in {lines:?}")).to_string()
    }

    /// Sends `quit`; the other side must end well. Returns what still comes.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.end()
    }

    /// Closes the input; the other side must end well. Returns what still comes.
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        self.ended()
    }

    /// The other side must end well, whether its input does or not. Returns what still comes.
    pub fn ended(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.next_line("the end") {
            lines.push(line);
        }
        match self.peer {
            Peer::Session(session) => assert!(session.join().is_ok(), "the session panicked"),
            Peer::Program(mut program, complaints) => {
                let status = wait(&mut program.0, PATIENCE).expect("the program ends");
                assert_eq!(status.code(), Some(0));
                assert_eq!(complaints.join().expect("text"), "", "standard error");
            }
        }
        lines
    }
}
