//! Random interleavings with real pauses: lines that begin searches and wait for them, and then one that must act at
//! once. The searches asked for last longer than anyone waits, so nothing here depends on how fast the machine is:
//! an answer that waits for one of them never comes.

use std::thread;
use std::time::Duration;

use crate::talk::Talk;
use crate::walk::Random;
use crate::words::any;

/// The longest pause between two lines, in milliseconds: some fall into a search, some before it has begun.
const PAUSE: usize = 30;
/// The most lines before one that acts at once.
const LINES: usize = 8;
/// The most that act at once in a session.
const ROUNDS: usize = 6;

/// What is sent in a dialect.
pub struct Lines {
    /// First of all; among it a time for searches that nobody waits for.
    pub prologue: &'static [&'static str],
    /// Lines that begin searches, wait for them, or change what is searched.
    pub busy: &'static [&'static str],
    /// Lines that act at once, whatever was sent before.
    pub urgent: &'static [&'static str],
    /// The beginnings of a question and of its answer; a number makes both whole.
    pub question: (&'static str, &'static str),
    /// What ends the session.
    pub quit: &'static str,
}

pub const CECP: Lines = Lines {
    prologue: &["xboard", "protover 2", "new", "variant swda-oo", "st 100000"],
    busy: &[
        "go",
        "go",
        "playother",
        "usermove e2e3",
        "usermove a7a6",
        "usermove a2a3",
        "usermove e7e6",
        "b8c6",
        "analyze",
        "exit",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "nopost",
        "level 0 50000 0",
        "time 100000",
        "option MultiPV=2",
        "cores 2",
        "cores 1",
        "memory 1",
        "draw",
        "hint",
        ".",
        "d",
        "lift e2",
        "hello",
        "setboard r3k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "setboard 8/8 w",
    ],
    urgent: &[
        "force",
        "?",
        "new\nvariant swda-oo\nst 100000\nforce",
        "result * {}",
        "exit\nforce",
        "?",
    ],
    question: ("ping", "pong"),
    quit: "quit",
};

/// Plays a session; each line that acts at once must be, and the last one ends the session.
pub fn interleaved(lines: &Lines, random: &mut Random) -> Result<(), String> {
    let mut talk = Talk::start(usize::MAX);
    for line in lines.prologue {
        talk.send(line.as_bytes());
    }
    for round in 0..random.below(ROUNDS) {
        send_busy(&mut talk, lines, random);
        let (question, answer) = lines.question;
        let number = 1_000_000 + round;
        talk.send(any(random, lines.urgent).as_bytes());
        talk.send(format!("{question} {number}").as_bytes());
        let wanted = format!("{answer} {number}");
        talk.until(|line| line == wanted)?;
    }
    send_busy(&mut talk, lines, random);
    if random.below(3) > 0 {
        talk.send(lines.quit.as_bytes());
        return talk.wait_for_end();
    }
    // Else the end of input ends it.
    talk.finish().map(|_| ())
}

fn send_busy(talk: &mut Talk, lines: &Lines, random: &mut Random) {
    for _ in 0..random.below(LINES + 1) {
        talk.send(any(random, lines.busy).as_bytes());
        pause(random);
    }
}

/// A pause before the next line; half of the lines come together.
pub fn pause(random: &mut Random) {
    if random.below(2) == 0 {
        thread::sleep(Duration::from_millis(random.below(PAUSE) as u64));
    }
}
