//! An engine as a process that speaks UCI.
//!
//! One thread reads its output and stamps each line with the time of its arrival, another writes its input, so
//! that neither an engine that prints too much nor one that does not read can block a match.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

use super::fault::{Death, Fault};
use super::pipes::{Output, last_line, read_lines, spawn, write_lines};
use super::spec::EngineSpec;
use crate::record::RecordedScore;
use crate::text::ERROR_LINE;

/// The most that an engine may print for a move, in lines and in bytes.
const MOST_LINES: u64 = 100_000;
const MOST_BYTES: u64 = 32 << 20;
/// How often a waiting match checks whether it was stopped.
const POLL: Duration = Duration::from_millis(50);
/// How long a process may take to exit after `quit`.
const EXIT_TIME: Duration = Duration::from_millis(500);

/// A running engine. It is ended when it is dropped.
pub struct Engine {
    child: Child,
    /// `None` once the input is closed.
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    /// Gets the last line of standard error when that ends.
    last_words: Receiver<String>,
    options: Vec<String>,
    games: Vec<String>,
    variant: Option<String>,
    lines: u64,
    bytes: u64,
    patience: Duration,
    stop: Arc<AtomicBool>,
}

/// The answer to `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The word behind `bestmove`.
    pub best: String,
    /// The last score that is no bound.
    pub score: Option<RecordedScore>,
    /// The last depth in plies.
    pub depth: Option<u32>,
    /// The last count of positions visited.
    pub nodes: Option<u64>,
    /// From the end of sending `go` to the arrival of `bestmove`.
    pub time: Duration,
}

impl Engine {
    /// Starts the program, asks for its options and sets those given. Each answer may take `patience`;
    /// when `stop` is set, waiting ends with [`Fault::Interrupted`].
    ///
    /// # Errors
    /// That it cannot be started, refuses an option, ends or does not answer.
    pub fn start(
        spec: &EngineSpec,
        patience: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<Engine, Fault> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own: Ctrl-C at the terminal is for the match, which ends its engines itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let fault = |what: &str| Fault::NoStart(format!("'{}': {what}", spec.command.display()));
        let mut child = command.spawn().map_err(|error| fault(&error.to_string()))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(fault("no pipes"));
        };
        let (input, lines) = channel::<String>();
        let (sender, output) = sync_channel(4096);
        let (last_sender, last_words) = channel();
        let mut engine = Engine {
            child,
            input: Some(input),
            output,
            last_words,
            options: Vec::new(),
            games: Vec::new(),
            variant: None,
            lines: 0,
            bytes: 0,
            patience,
            stop: Arc::clone(stop),
        };
        let spawned = spawn(move || write_lines(stdin, &lines))
            .and_then(|()| spawn(move || read_lines(stdout, &sender)))
            .and_then(|()| spawn(move || drop(last_sender.send(last_line(stderr)))));
        spawned.map_err(|error| fault(&format!("no thread: {error}")))?;
        engine.send("uci");
        engine.handshake("uciok")?;
        for (name, value) in &spec.options {
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            engine.send(&format!("setoption name {name}{value}"));
        }
        let mut refused = None;
        // A file of definitions adds games: ask for the list again.
        if spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("VariantPath")) {
            engine.options.clear();
            engine.send("uci");
            refused = engine.handshake("uciok")?;
        }
        engine.send("isready");
        // It would play as if the option had not been set.
        match refused.or(engine.handshake("readyok")?) {
            Some(error) => Err(fault(&error)),
            None => Ok(engine),
        }
    }

    /// Whether it reported an option with this name (in any case).
    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Whether it plays a game; an engine that reports no games is assumed to.
    pub fn plays(&self, variant: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|game| game == variant)
    }

    /// Prepares for a new game.
    ///
    /// # Errors
    /// That it refuses the variant, ended or does not answer.
    pub fn new_game(&mut self, variant: &str) -> Result<(), Fault> {
        let is_other = self.variant.as_deref() != Some(variant) && self.has_option("UCI_Variant");
        if is_other {
            self.send(&format!("setoption name UCI_Variant value {variant}"));
        }
        self.variant = Some(variant.to_string());
        self.send("ucinewgame");
        self.send("isready");
        match self.handshake("readyok")? {
            // It would play the game that it was set to before.
            Some(error) if is_other => Err(Fault::NoStart(format!("{variant}: {error}"))),
            _ => Ok(()),
        }
    }

    /// Searches. After `allowed`, if given, the engine loses on time; if it does not answer for its patience
    /// after that (without `allowed`: at once), it has stalled.
    ///
    /// # Errors
    /// That it ended, floods, stalls or is late.
    pub fn go(
        &mut self,
        position: &str,
        go: &str,
        allowed: Option<Duration>,
    ) -> Result<Answer, Fault> {
        (self.lines, self.bytes) = (0, 0);
        // Lines still in the pipe belong to an earlier move.
        while let Ok(output) = self.output.try_recv() {
            self.count(output)?;
        }
        self.send(position);
        let begun = Instant::now();
        self.send(&format!("go {go}"));
        let mut answer = Answer::default();
        let mut limit = begun + allowed.unwrap_or(self.patience);
        let mut is_late = false;
        loop {
            let Some((line, arrival)) = self.line_until(limit)? else {
                if is_late {
                    return Err(Fault::Stall);
                }
                // An answer to `stop` is late, but shows that the engine works.
                is_late = true;
                self.send("stop");
                limit = Instant::now() + self.patience;
                continue;
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => read_info(words, &mut answer),
                Some("bestmove") => {
                    answer.time = arrival.saturating_duration_since(begun);
                    let too_long = allowed.is_some_and(|allowed| answer.time > allowed);
                    if is_late || too_long {
                        return Err(if allowed.is_some() { Fault::TimeLoss } else { Fault::Stall });
                    }
                    answer.best = words.next().unwrap_or_default().to_string();
                    return Ok(answer);
                }
                _ => {}
            }
        }
    }

    fn send(&self, line: &str) {
        // If the process is gone, the reader finds the end of its output.
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for a word at the beginning of a line. Returns the first error before it that is reported as protocol.md
    /// says.
    fn handshake(&mut self, word: &str) -> Result<Option<String>, Fault> {
        (self.lines, self.bytes) = (0, 0);
        let mut error = None;
        let limit = Instant::now() + self.patience;
        loop {
            let Some((line, _)) = self.line_until(limit)? else {
                return Err(Fault::NoHandshake);
            };
            if line.split_whitespace().next() == Some(word) {
                return Ok(error);
            }
            if let Some(option) = line.trim().strip_prefix("option name ") {
                self.note_option(option);
            } else if let Some(text) = line.trim().strip_prefix(ERROR_LINE) {
                error.get_or_insert_with(|| text.to_string());
            }
        }
    }

    fn note_option(&mut self, option: &str) {
        let (name, rest) = option.split_once(" type ").unwrap_or((option, ""));
        if name == "UCI_Variant" {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let names = words.windows(2).filter(|pair| pair[0] == "var");
            self.games = names.map(|pair| pair[1].to_string()).collect();
        }
        self.options.push(name.to_string());
    }

    /// The next line, or `None` at the time limit.
    fn line_until(&mut self, limit: Instant) -> Result<Option<(String, Instant)>, Fault> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            let wait = limit.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(wait.min(POLL)) {
                Ok(output) => return self.count(output).map(Some),
                Err(RecvTimeoutError::Timeout) if wait <= POLL => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crash(self.death())),
            }
        }
    }

    /// How the process ended that closed its output.
    fn death(&mut self) -> Death {
        let limit = Instant::now() + EXIT_TIME;
        let mut status = self.child.try_wait();
        while matches!(status, Ok(None)) && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(2));
            status = self.child.try_wait();
        }
        let status = status.ok().flatten().map(|status| status.to_string());
        // A program that it started may keep standard error open.
        let last_words =
            self.last_words.recv_timeout(limit.saturating_duration_since(Instant::now()));
        Death { status, last_words: last_words.ok().filter(|text| !text.is_empty()) }
    }

    fn count(&mut self, output: Output) -> Result<(String, Instant), Fault> {
        let Output::Line(line, arrival) = output else {
            return Err(Fault::Flood);
        };
        self.lines += 1;
        self.bytes += line.len() as u64;
        if self.lines > MOST_LINES || self.bytes > MOST_BYTES {
            return Err(Fault::Flood);
        }
        Ok((line, arrival))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        let limit = Instant::now() + EXIT_TIME;
        while Instant::now() < limit {
            // Its last output is discarded, so that a full pipe does not keep it from exiting.
            while self.output.try_recv().is_ok() {}
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the words behind `info`. Scores that are bounds, and lines but the first, are skipped.
fn read_info<'a>(words: impl Iterator<Item = &'a str>, answer: &mut Answer) {
    let mut words = words.peekable();
    let mut found = Answer { best: String::new(), ..answer.clone() };
    while let Some(word) = words.next() {
        match word {
            "depth" => found.depth = parse(&mut words).or(found.depth),
            "nodes" => found.nodes = parse(&mut words).or(found.nodes),
            "multipv" if parse::<u32>(&mut words).is_some_and(|line| line > 1) => return,
            "score" => {
                let kind = words.next();
                let score = match kind {
                    Some("cp") => parse(&mut words).map(RecordedScore::Centipawns),
                    Some("mate") => parse(&mut words).map(RecordedScore::Mate),
                    _ => None,
                };
                if matches!(words.peek(), Some(&"lowerbound" | &"upperbound")) {
                    continue;
                }
                found.score = score.or(found.score);
            }
            // Behind these there is free text.
            "pv" | "string" => break,
            _ => {}
        }
    }
    *answer = found;
}

fn parse<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Answer {
        let mut answer = Answer::default();
        read_info(line.split_whitespace(), &mut answer);
        answer
    }

    #[test]
    fn info_is_read() {
        let answer =
            info("depth 7 seldepth 9 score cp -31 nodes 1234 nps 1 time 5 pv e2e4 depth 9");
        assert_eq!(answer.score, Some(RecordedScore::Centipawns(-31)));
        assert_eq!((answer.depth, answer.nodes), (Some(7), Some(1234)));
        assert_eq!(info("depth 3 score mate -2").score, Some(RecordedScore::Mate(-2)));
        for nothing in
            ["", "depth 3 score cp 10 lowerbound", "score", "score cp x", "string score cp 1"]
        {
            assert_eq!(info(nothing).score, None, "{nothing}");
        }
        assert_eq!(info("multipv 2 depth 5 score cp 9").depth, None);
    }
}
