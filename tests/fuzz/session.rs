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
    /// The session stands at this position, as a FEN.
    At(String),
    /// Work, which ends by itself.
    Work,
    /// Work that may go on until it is stopped; or a refusal.
    Endless,
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

/// A language to talk to a session in.
pub trait Dialect {
    /// What is sent first: it makes every search short.
    fn prologue(&self) -> Vec<String>;
    /// A question that is answered at once, and how the answer begins.
    fn question(&mut self) -> (String, String);
    /// The next line.
    fn case(&mut self, random: &mut Random) -> Case;
    /// A line while a search goes on.
    fn meanwhile(&mut self, random: &mut Random) -> Case;
    /// What ends work.
    fn stop(&self) -> &'static str;
    /// Whether a line of the session refuses a command.
    fn refuses(&self, line: &str) -> bool;
    /// Whether a line of the session ends work; or why it is wrong.
    fn ends_work(&self, line: &str) -> Result<bool, String>;
    /// What shows the position.
    fn show(&self) -> &'static str;
    /// The session has been asked for its position, and answered. What must it be, if that is known?
    fn shown(&mut self, answer: &[String], wanted: Option<&str>) -> Result<(), String>;
    /// The session answered a line, which may have changed something.
    fn heard(&mut self, answer: &[String]);
}

/// Plays a session line by line; returns how many lines were sent.
pub fn step_by_step(
    dialect: &mut dyn Dialect,
    random: &mut Random,
    lines: usize,
) -> Result<u64, String> {
    let mut steps = Steps { talk: Talk::start(usize::MAX), dialect };
    for line in steps.dialect.prologue() {
        let answer = steps.ask(line.as_bytes())?;
        if answer.iter().any(|line| steps.dialect.refuses(line)) {
            return Err(steps.talk.fault("the prologue is refused"));
        }
    }
    steps.check_position(None)?;
    for _ in 0..lines {
        let case = steps.dialect.case(random);
        steps.step(case, random)?;
    }
    let sent = steps.talk.sent;
    steps.talk.finish()?;
    Ok(sent)
}

struct Steps<'d> {
    talk: Talk,
    dialect: &'d mut dyn Dialect,
}

impl Steps<'_> {
    /// What is answered to a line, besides the answer to the question behind it.
    fn ask(&mut self, line: &[u8]) -> Result<Vec<String>, String> {
        self.talk.send(line);
        let (question, answer) = self.dialect.question();
        self.talk.send(question.as_bytes());
        let mut lines = self.talk.until(|line| line.starts_with(&answer))?;
        lines.pop();
        Ok(lines)
    }

    fn step(&mut self, case: Case, random: &mut Random) -> Result<(), String> {
        let answer = self.ask(&case.line)?;
        let refusals = answer.iter().filter(|line| self.dialect.refuses(line)).count();
        let fault = match case.expect {
            Expect::Fine | Expect::At(_) | Expect::Work if refusals > 0 => {
                "refused, but it is right"
            }
            Expect::Refused if refusals != 1 => "not refused with one line, but it is wrong",
            _ if refusals > 1 => "more than one refusal",
            _ => "",
        };
        if !fault.is_empty() {
            return Err(self
                .talk
                .fault(&format!("{fault}: {}", String::from_utf8_lossy(&case.line))));
        }
        match case.expect {
            Expect::Work => self.finish_work(answer),
            Expect::Endless if refusals == 0 => self.stop_work(answer, random),
            Expect::At(fen) => self.check_position(Some(&fen)),
            // What is refused, or only tells something, leaves everything as it is.
            Expect::Fine | Expect::Refused | Expect::Endless => self.check_same(),
            Expect::Any if refusals > 0 => self.check_same(),
            Expect::Any => {
                self.dialect.heard(&answer);
                self.check_position(None)
            }
        }
    }

    /// Reads on to the end of work, of which some was answered.
    fn finish_work(&mut self, answer: Vec<String>) -> Result<(), String> {
        let mut ends = 0;
        for line in answer {
            ends +=
                usize::from(self.dialect.ends_work(&line).map_err(|what| self.talk.fault(&what))?);
        }
        while ends == 0 {
            let Some(line) = self.talk.next_line()? else {
                return Err(self.talk.fault("the session ended in the middle of work"));
            };
            ends +=
                usize::from(self.dialect.ends_work(&line).map_err(|what| self.talk.fault(&what))?);
        }
        // Nothing goes on any more.
        let stop = self.dialect.stop();
        for line in self.ask(stop.as_bytes())? {
            ends +=
                usize::from(self.dialect.ends_work(&line).map_err(|what| self.talk.fault(&what))?);
        }
        if ends != 1 {
            return Err(self.talk.fault(&format!("work that ended {ends} times")));
        }
        self.check_same()
    }

    /// Says things while work goes on, and stops it.
    fn stop_work(&mut self, mut answer: Vec<String>, random: &mut Random) -> Result<(), String> {
        for _ in 0..random.below(4) {
            let case = self.dialect.meanwhile(random);
            answer.extend(self.ask(&case.line)?);
        }
        let stop = self.dialect.stop();
        self.talk.send(stop.as_bytes());
        self.finish_work(answer)
    }

    fn check_same(&mut self) -> Result<(), String> {
        self.show(Some(""))
    }

    fn check_position(&mut self, fen: Option<&str>) -> Result<(), String> {
        self.show(fen)
    }

    /// Asks for the position; wanted is a FEN, or none if it may be any, or nothing if it is to be as before.
    fn show(&mut self, wanted: Option<&str>) -> Result<(), String> {
        let show = self.dialect.show();
        let answer = self.ask(show.as_bytes())?;
        self.dialect.shown(&answer, wanted).map_err(|what| self.talk.fault(&what))
    }
}

/// Pours a session in at once: as many lines, or fewer if it is cut off anywhere; the output may close after
/// some lines. Returns how many lines were sent.
pub fn poured(
    dialect: &mut dyn Dialect,
    random: &mut Random,
    lines: usize,
    read: Option<usize>,
) -> Result<u64, String> {
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
        if random.below(8) == 0 {
            bytes.extend(dialect.stop().as_bytes());
            bytes.extend(end);
        }
    }
    if random.below(2) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
    let sent = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let mut talk = Talk::start(read.unwrap_or(usize::MAX));
    // In pieces of any size.
    while !bytes.is_empty() {
        let rest = bytes.split_off(bytes.len().min(1 + random.below(2000)));
        talk.send_bytes(std::mem::replace(&mut bytes, rest));
    }
    talk.finish()?;
    Ok(sent)
}
