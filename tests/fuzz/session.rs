//! How sessions are played: step by step with every answer judged, or poured in at once.

use crate::talk::Talk;
use crate::walk::Random;

/// What must come of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// Whatever it does, it does no harm.
    Any,
    /// No refusal.
    Fine,
    /// One refusal, and nothing else happens.
    Refused,
    /// The session stands at this position, in its own form.
    At(String),
    /// Work, which ends by itself.
    Work,
    /// Work that goes on until it is stopped, if there is anything to do.
    Endless,
    /// Work that may or may not end by itself, or a refusal.
    Maybe,
}

/// Where a session must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// Where it was.
    Same,
    /// At this position, in its own form.
    This(&'a str),
    /// Anywhere.
    Any,
}

/// A line and what must come of it.
pub struct Case {
    pub line: Vec<u8>,
    pub expect: Expect,
}

impl Case {
    pub fn new(line: impl Into<Vec<u8>>, expect: Expect) -> Case {
        // A line is a line, whatever went into it.
        let mut line = line.into();
        line.retain(|&byte| byte != b'\n');
        Case { line, expect }
    }
}

/// What sessions were made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    /// Lines that were sent.
    pub lines: u64,
    /// Lines that were refused, of those that were judged.
    pub refused: u64,
    /// Searches and counts that came to their end, of those that were judged.
    pub worked: u64,
}

impl Tally {
    /// Adds another session.
    pub fn add(&mut self, other: Tally) {
        self.lines += other.lines;
        self.refused += other.refused;
        self.worked += other.worked;
    }
}

/// A language to talk to a session in.
pub trait Dialect {
    /// What is sent first: it makes every search short.
    fn prologue(&self) -> Vec<String>;
    /// What makes searches short again, whatever was said since; nothing if searches have their own
    /// limits.
    fn limit(&self) -> &'static str {
        ""
    }
    /// A line that changes nothing, and the answer to it, which no other line has. It is answered in the
    /// middle of endless work, and after the end of other work.
    fn question(&mut self) -> (String, String);
    /// The next line.
    fn case(&mut self, random: &mut Random) -> Case;
    /// A line while a search goes on.
    fn meanwhile(&mut self, random: &mut Random) -> Case;
    /// What ends work.
    fn stop(&self) -> &'static str;
    /// Whether a line of the session refuses a command.
    fn refuses(&self, line: &str) -> bool;
    /// Whether the game is over at the position of the session.
    fn is_over(&self) -> bool;
    /// Whether a line of the session ends work; or why it is wrong.
    fn ends_work(&self, line: &str) -> Result<bool, String>;
    /// What shows the position.
    fn show(&self) -> &'static str;
    /// The session has been asked for its position, and answered.
    fn shown(&mut self, answer: &[String], wanted: Wanted<'_>) -> Result<(), String>;
    /// A line was refused.
    fn refused(&mut self, _line: &[u8]) {}
    /// The session answered a line, which may have changed something.
    fn heard(&mut self, answer: &[String]) -> Result<(), String>;
}

/// Plays a session line by line.
pub fn step_by_step(
    dialect: &mut dyn Dialect,
    random: &mut Random,
    lines: usize,
) -> Result<Tally, String> {
    let mut steps = Steps { talk: Talk::start(usize::MAX), dialect, tally: Tally::default() };
    for line in steps.dialect.prologue() {
        let answer = steps.ask(line.as_bytes())?;
        if answer.iter().any(|line| steps.dialect.refuses(line)) {
            return Err(steps.talk.fault("the prologue is refused"));
        }
    }
    steps.show(Wanted::Any)?;
    for _ in 0..lines {
        let case = steps.dialect.case(random);
        steps.step(case, random)?;
    }
    let tally = Tally { lines: steps.talk.sent, ..steps.tally };
    steps.talk.finish()?;
    Ok(tally)
}

struct Steps<'d> {
    tally: Tally,
    talk: Talk,
    dialect: &'d mut dyn Dialect,
}

impl Steps<'_> {
    /// What is answered to a line, besides the answer to the question behind it.
    fn ask(&mut self, line: &[u8]) -> Result<Vec<String>, String> {
        self.talk.send(line);
        let (question, answer) = self.dialect.question();
        self.talk.send(question.as_bytes());
        let mut lines = self.talk.until(|line| line == answer)?;
        lines.pop();
        Ok(lines)
    }

    /// Sends a line; what is answered, whether it is refused, and whether that is as it should be.
    fn try_line(&mut self, case: &Case) -> Result<(Vec<String>, bool), String> {
        let answer = self.ask(&case.line)?;
        let refusals = answer.iter().filter(|line| self.dialect.refuses(line)).count();
        let fault = match case.expect {
            Expect::Fine | Expect::At(_) | Expect::Work | Expect::Endless if refusals > 0 => {
                "refused, but it is right"
            }
            Expect::Refused if refusals != 1 => "not refused with one line, but it is wrong",
            _ if refusals > 1 => "more than one refusal",
            _ => {
                self.tally.refused += refusals as u64;
                if refusals > 0 {
                    self.dialect.refused(&case.line);
                }
                return Ok((answer, refusals > 0));
            }
        };
        Err(self.talk.fault(&format!("{fault}: {}", String::from_utf8_lossy(&case.line))))
    }

    fn step(&mut self, case: Case, random: &mut Random) -> Result<(), String> {
        let (answer, refused) = self.try_line(&case)?;
        match &case.expect {
            // What is refused, or only prints something, leaves everything as it is.
            _ if refused => {}
            Expect::Fine | Expect::Refused => {}
            Expect::At(position) => return self.show(Wanted::This(position)),
            Expect::Any => {
                self.dialect.heard(&answer).map_err(|what| self.talk.fault(&what))?;
                return self.show(Wanted::Any);
            }
            Expect::Work => self.check_ends(&answer, 1)?,
            Expect::Maybe => self.stop_work(answer)?,
            Expect::Endless => {
                if !self.dialect.is_over() {
                    self.check_ends(&answer, 0)?;
                    for _ in 0..random.below(4) {
                        let case = self.dialect.meanwhile(random);
                        let (answer, _) = self.try_line(&case)?;
                        self.check_ends(&answer, 0)?;
                    }
                }
                self.stop_work(answer)?;
            }
        }
        self.show(Wanted::Same)
    }

    /// Work must have come to so many ends.
    fn check_ends(&mut self, answer: &[String], wanted: usize) -> Result<(), String> {
        let mut ends = 0;
        for line in answer {
            ends +=
                usize::from(self.dialect.ends_work(line).map_err(|what| self.talk.fault(&what))?);
        }
        if ends == wanted {
            self.tally.worked += ends as u64;
            return Ok(());
        }
        Err(self.talk.fault(&format!("{ends} ends of work in place of {wanted}")))
    }

    /// Stops work, if it has not ended: one end, and never another.
    fn stop_work(&mut self, mut answer: Vec<String>) -> Result<(), String> {
        let stop = self.dialect.stop();
        answer.extend(self.ask(stop.as_bytes())?);
        self.check_ends(&answer, 1)
    }

    /// Asks for the position and checks it.
    fn show(&mut self, wanted: Wanted<'_>) -> Result<(), String> {
        let show = self.dialect.show();
        let answer = self.ask(show.as_bytes())?;
        self.dialect.shown(&answer, wanted).map_err(|what| self.talk.fault(&what))
    }
}

/// Pours a session in at once: as many lines, or fewer if it is cut off anywhere; the output may close after
/// some lines.
pub fn poured(
    dialect: &mut dyn Dialect,
    random: &mut Random,
    lines: usize,
    read: Option<usize>,
) -> Result<Tally, String> {
    let mut bytes: Vec<u8> = dialect
        .prologue()
        .into_iter()
        .flat_map(|line| line.into_bytes().into_iter().chain([b'\n']))
        .collect();
    let end: &[u8] = if random.below(4) == 0 { b"\r\n" } else { b"\n" };
    for _ in 0..lines {
        let case =
            if random.below(4) == 0 { dialect.meanwhile(random) } else { dialect.case(random) };
        bytes.extend(case.line);
        bytes.extend(end);
        bytes.extend(dialect.limit().as_bytes());
        bytes.extend(end);
        if random.below(8) == 0 {
            bytes.extend(dialect.stop().as_bytes());
            bytes.extend(end);
        }
    }
    match random.below(4) {
        0 => {
            bytes.extend(b"quit");
            bytes.extend(end);
        }
        1 | 2 => bytes.truncate(random.below(bytes.len())),
        _ => {}
    }
    let sent = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let mut talk = Talk::start(read.unwrap_or(usize::MAX));
    // In pieces of any size.
    while !bytes.is_empty() {
        let rest = bytes.split_off(bytes.len().min(1 + random.below(2000)));
        talk.send_bytes(std::mem::replace(&mut bytes, rest));
    }
    talk.finish()?;
    Ok(Tally { lines: sent, ..Tally::default() })
}
