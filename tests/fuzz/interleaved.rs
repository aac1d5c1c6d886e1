//! Random interleavings of UCI and USI with real pauses: lines that begin searches which nobody waits for, lines that
//! wait for those, and then a `stop` or the end. Nothing here depends on how fast the machine is: an answer that waits
//! for one of the searches never comes.

use crate::form::Form;
use crate::pauses::pause;
use crate::talk::Talk;
use crate::walk::Random;
use crate::words::any;

/// The most lines before one that acts at once.
const LINES: usize = 10;
/// The most rounds, each ended by `stop`, of a session.
const ROUNDS: usize = 6;

/// Searches that last longer than any test.
const SEARCHES: [&str; 7] = [
    "go infinite",
    "go nodes 99999999999999",
    "go movetime 999999999",
    "go ponder",
    "go depth 127",
    "go wtime 999999999999 btime 999999999999",
    "go",
];

/// Lines that wait for searches, disturb them, or are answered meanwhile.
const OTHERS: [&str; 13] = [
    "position startpos",
    "position startpos",
    "position nowhere",
    "isready",
    "stop",
    "ponderhit",
    "setoption name Threads value 3",
    "setoption name Threads value 1",
    "setoption name Hash value 2",
    "setoption name MultiPV value 2",
    "legal",
    "variant swda-oo",
    "hello",
];

struct Session {
    talk: Talk,
    searches: usize,
    questions: usize,
    /// The searches that were answered by a move or a refusal.
    ended: usize,
    answers: usize,
}

/// Plays a session: `isready` behind a `stop` is answered, each search comes to one end, and the end is one.
pub fn interleaved(form: Form, random: &mut Random) -> Result<(), String> {
    let talk = Talk::start(usize::MAX);
    let mut session = Session { talk, searches: 0, questions: 0, ended: 0, answers: 0 };
    session.send(form.name());
    session.send("variant swda-oo");
    for _ in 0..random.below(ROUNDS) {
        session.send_some(random);
        session.send("stop");
        session.send("isready");
        session.wait_for_answers()?;
        if session.ended != session.searches {
            let (ended, searches) = (session.ended, session.searches);
            return Err(session.talk.fault(&format!("{searches} searches with {ended} ends")));
        }
    }
    session.send_some(random);
    match random.below(3) {
        0 => {
            session.send("stop");
            session.talk.finish().map(|_| ())
        }
        _ => {
            session.send("quit");
            session.talk.wait_for_end()
        }
    }
}

impl Session {
    fn send(&mut self, line: &str) {
        self.searches += usize::from(line.starts_with("go"));
        self.questions += usize::from(line == "isready");
        self.talk.send(line.as_bytes());
    }

    fn send_some(&mut self, random: &mut Random) {
        for _ in 0..random.below(LINES + 1) {
            let line =
                if random.below(2) == 0 { any(random, &SEARCHES) } else { any(random, &OTHERS) };
            self.send(line);
            pause(random);
        }
    }

    /// Reads on until every `isready` is answered.
    fn wait_for_answers(&mut self) -> Result<(), String> {
        while self.answers < self.questions {
            let line = self.talk.next_line()?;
            let line = line.ok_or_else(|| self.talk.fault("the session ended early"))?;
            self.answers += usize::from(line == "readyok");
            let ends = ["bestmove ", "info string error: go while a search is running"];
            self.ended += usize::from(ends.iter().any(|end| line.starts_with(end)));
        }
        Ok(())
    }
}
