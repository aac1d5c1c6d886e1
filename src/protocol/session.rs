//! One session: the position, the options, the search that may be running.

use std::collections::VecDeque;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Event;
use super::command::{self, Command};
use super::go::{self, Go};
use super::options::{self, DEFAULT_VARIANT, Setting, unknown_variant};
use super::output::Output;
use super::work::{Job, Work};
use crate::engine::{Evaluator, Limits, Linear, Score, Searcher, Table, bench};
use crate::rules::{Position, all_names, find, shown};

/// Whether the session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// How many commands may wait for the end of work.
const MOST_WAITING: usize = 10_000;

pub(super) struct Session {
    output: Output,
    position: Position,
    searcher: Arc<Mutex<Searcher>>,
    /// The text of a table that judges in place of the game's own.
    table: Option<String>,
    /// That table, once it was read for the game that is set.
    evaluation: Option<Linear>,
    /// How many lines a search tells.
    multi_pv: usize,
    /// What is kept back of a clock.
    overhead: Duration,
    /// The most nodes of a search, if it is to play weaker than it can.
    skill: Option<u64>,
    /// Whether scores are told as chances too.
    show_wdl: bool,
    /// What another thread does.
    work: Option<Work>,
    /// What tells this session that the work is done.
    done: SyncSender<Event>,
    /// Commands that wait for that.
    waiting: VecDeque<String>,
    /// There is no more input.
    ended: bool,
}

impl Session {
    /// A session at the start of the default game; `None` if there is no memory for the table.
    pub fn new(output: Output, done: SyncSender<Event>) -> Option<Session> {
        let variant = find(DEFAULT_VARIANT)?;
        Some(Session {
            output,
            position: Position::start(&variant),
            searcher: Arc::new(Mutex::new(Searcher::new(Table::DEFAULT_SIZE)?)),
            table: None,
            evaluation: None,
            multi_pv: 1,
            overhead: Limits::OVERHEAD,
            skill: None,
            show_wdl: false,
            work: None,
            done,
            waiting: VecDeque::new(),
            ended: false,
        })
    }

    /// Does what an event says.
    pub fn hear(&mut self, event: Event) -> Flow {
        match event {
            Event::TooLong => self.output.error("the line is too long"),
            Event::Line(line) if self.waiting.len() < MOST_WAITING => self.waiting.push_back(line),
            Event::Line(_) => self.output.error("too many commands wait for the end of the search"),
            Event::End => self.ended = true,
            Event::Done => {
                if let Some(work) = self.work.take() {
                    work.join();
                }
            }
        }
        self.proceed()
    }

    /// Does what waits, in its order, as far as it need not wait longer.
    fn proceed(&mut self) -> Flow {
        while self.waiting.front().is_some_and(|line| !self.must_wait(line)) {
            let line = self.waiting.pop_front().unwrap_or_default();
            if self.line(&line) == Flow::Quit {
                return Flow::Quit;
            }
        }
        if self.ended && self.waiting.is_empty() {
            match &self.work {
                None => return Flow::Quit,
                Some(work) if !work.will_end() => work.stop(),
                Some(_) => {}
            }
        }
        Flow::Continue
    }

    /// Whether a line waits for the end of the work: while there is some that will end, all do that
    /// would change or ask for what it works on. So a script may write its commands one after the
    /// other.
    fn must_wait(&self, line: &str) -> bool {
        let Some(work) = self.work.as_ref().filter(|work| work.will_end()) else {
            return false;
        };
        match command::parse(line) {
            Some(Command::Quit) => !work.is_search(),
            Some(Command::Stop | Command::PonderHit) => false,
            // At once during a search, but behind the answer to a stop.
            Some(Command::IsReady) => work.is_stopping(),
            _ => true,
        }
    }

    /// Does what one line says.
    fn line(&mut self, line: &str) -> Flow {
        if line.is_empty() {
            return Flow::Continue;
        }
        let Some(command) = command::parse(line) else {
            let word = line.split_whitespace().next().unwrap_or("");
            self.output.error(&format!("unknown command '{}'", shown(word)));
            return Flow::Continue;
        };
        if command == Command::Quit {
            return Flow::Quit;
        }
        if let Err(fault) = self.execute(command) {
            self.output.error(&fault);
        }
        Flow::Continue
    }

    fn execute(&mut self, command: Command<'_>) -> Result<(), String> {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.output.line("readyok"),
            Command::Stop => self.work.iter().for_each(Work::stop),
            Command::PonderHit => self.ponder_hit()?,
            Command::Display => self.display(),
            Command::Legal => self.legal(),
            Command::Variants => self.output.line(&all_names().join("\n")),
            Command::Eval => self.evaluate(),
            Command::Ignored | Command::Quit => {}
            Command::NewGame => self.idle("ucinewgame").map(|()| self.searcher().clear())?,
            Command::Position(text) => {
                self.idle("position").and_then(|()| self.set_position(text))?
            }
            Command::Go(text) => self.idle("go").and_then(|()| self.go(text))?,
            Command::SetOption(text) => {
                self.idle("setoption").and_then(|()| self.set_option(text))?
            }
            Command::Variant(name) => self.idle("variant").and_then(|()| self.set_variant(name))?,
            Command::Setup(text) => self.idle("setup").and_then(|()| self.setup(text))?,
            Command::Bench(text) => self.idle("bench").and_then(|()| self.bench(text))?,
        }
        Ok(())
    }

    /// Refuses a command that would change what a search without limit searches.
    fn idle(&self, command: &str) -> Result<(), String> {
        match self.work {
            Some(_) => Err(format!("{command} while a search is running; send stop first")),
            None => Ok(()),
        }
    }

    /// Ends the work, if there is some, and the session with it; what the work ends with is told before
    /// this returns.
    pub fn stop(&mut self) {
        if let Some(work) = self.work.take() {
            work.stop();
            work.join();
        }
    }

    fn identify(&self) {
        self.output.line(concat!("id name Garrison ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Garrison developers");
        options::listing().iter().for_each(|option| self.output.line(option));
        self.output.line("uciok");
    }

    fn ponder_hit(&self) -> Result<(), String> {
        let pondering = self.work.as_ref().filter(|work| work.is_pondering());
        pondering
            .map(Work::ponder_hit)
            .ok_or_else(|| "ponderhit, but no search ponders".to_string())
    }

    fn display(&self) {
        let position = &self.position;
        let geometry = position.variant().geometry();
        let checkers = position.checkers(position.side());
        let checkers: Vec<String> = checkers.map(|square| geometry.name(square)).collect();
        self.output.line(&format!(
            "{}\nFen: {}\nKey: {:016x}\nCheckers: {}\nStatus: {}",
            position.picture(),
            position.fen(),
            position.key(),
            checkers.join(" "),
            position.status()
        ));
    }

    fn legal(&self) {
        let moves = self.position.legal_moves();
        let texts: Vec<String> = moves.iter().map(|&mv| self.position.move_text(mv)).collect();
        self.output.line(&texts.join(" "));
    }

    fn set_option(&mut self, text: &str) -> Result<(), String> {
        match options::parse(text)? {
            Setting::Variant(name) => self.set_variant(&name)?,
            Setting::Hash(size) => {
                if !self.searcher().resize(size) {
                    return Err(format!("no memory for Hash {size}"));
                }
            }
            Setting::MultiPv(lines) => self.multi_pv = lines,
            Setting::Threads(threads) => self.searcher().set_threads(threads),
            Setting::Overhead(overhead) => self.overhead = overhead,
            Setting::Skill(nodes) => self.skill = nodes,
            Setting::ShowWdl(show) => self.show_wdl = show,
            Setting::EvalFile(path) => self.set_table(path.as_deref())?,
            Setting::Techniques(techniques) => self.searcher().set_techniques(techniques),
            Setting::ClearHash => self.searcher().clear_table(),
            Setting::Accepted => {}
        }
        Ok(())
    }

    /// Judges by a table in a file, or again by those that ship with the program. Whether it is one of
    /// the game is seen when it is used: a front end may set the game after it.
    fn set_table(&mut self, path: Option<&str>) -> Result<(), String> {
        let read = |path: &str| {
            let text = std::fs::read_to_string(path);
            text.map_err(|error| format!("EvalFile '{}': {error}", shown(path)))
        };
        self.table = path.map(read).transpose()?;
        self.forget_evaluation();
        Ok(())
    }

    fn forget_evaluation(&mut self) {
        self.evaluation = None;
        self.searcher().set_evaluation(None);
    }

    /// Reads the table for the game that is set, if that was not done before. One that is wrong is
    /// told and done without.
    fn use_table(&mut self) {
        if self.evaluation.is_some() {
            return;
        }
        let Some(text) = &self.table else { return };
        match Linear::from_text(self.position.variant(), text) {
            Ok(evaluation) => {
                self.searcher().set_evaluation(Some(evaluation.clone()));
                self.evaluation = Some(evaluation);
            }
            Err(error) => {
                self.output.error(&format!("EvalFile: {error}"));
                self.table = None;
            }
        }
    }

    /// The static evaluation.
    fn evaluate(&mut self) {
        if self.work.is_none() {
            self.use_table();
        }
        // What searches may be busy: it is not asked.
        let own = || Linear::new(self.position.variant());
        let mut evaluation = self.evaluation.clone().unwrap_or_else(own);
        let score = Score::centipawns(evaluation.evaluate(&self.position));
        self.output.line(&format!("Evaluation: {score}"));
    }

    /// Sets the game and its start position, and tells a front end what it looks like.
    fn set_variant(&mut self, name: &str) -> Result<(), String> {
        let variant = find(name).ok_or_else(|| unknown_variant(name))?;
        // It was of the game before.
        self.forget_evaluation();
        self.position = Position::start(&variant);
        let (geometry, hand) = (variant.geometry(), variant.hand_kinds().len());
        self.output.line(&format!(
            "info string variant {} files {} ranks {} pocket {hand} template fairy startpos {}",
            variant.name(),
            geometry.files(),
            geometry.ranks(),
            variant.start_fen()
        ));
        Ok(())
    }

    /// `startpos|fen … [moves …]`. A wrong move changes nothing.
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let variant = self.position.variant();
        let (from, moves) = match text.split_once(" moves") {
            Some((from, moves)) if moves.is_empty() || moves.starts_with(' ') => {
                (from.trim(), moves)
            }
            _ => (text, ""),
        };
        let mut position = match from.split_once(char::is_whitespace) {
            _ if from == "startpos" => Position::start(variant),
            Some(("fen", fen)) => {
                Position::from_fen(variant, fen).map_err(|error| error.to_string())?
            }
            _ => {
                return Err(
                    "position needs 'startpos' or 'fen <fen>', then perhaps 'moves <moves>'".into(),
                );
            }
        };
        for (index, text) in moves.split_whitespace().enumerate() {
            position.play(text).map_err(|error| format!("move {}: {error}", index + 1))?;
        }
        self.position = position;
        Ok(())
    }

    /// `setup`, `setup b1d1 …`, `setup done`.
    fn setup(&mut self, text: &str) -> Result<(), String> {
        if !self.position.setup_phase().is_pending() {
            return Err("no setup is pending".to_string());
        }
        if text == "done" {
            self.position.make(self.position.setup_as_is());
        } else if !text.is_empty() {
            self.position = self.relocated(text)?;
        }
        self.output.line(&self.setup_state());
        Ok(())
    }

    /// The position with men of the setup moved: each word names two squares whose contents change
    /// places.
    fn relocated(&self, text: &str) -> Result<Position, String> {
        let mut position = self.position.clone();
        for word in text.split_whitespace() {
            let geometry = position.variant().geometry();
            let squares = geometry.parse_two_squares(word);
            let (a, b) = squares.ok_or_else(|| {
                format!(
                    "setup '{}' is not two squares such as b1d1 ('done' stands alone)",
                    shown(word)
                )
            })?;
            position =
                position.with_exchanged(a, b).map_err(|fault| format!("setup {word}: {fault}"))?;
        }
        Ok(position)
    }

    /// Whose setup is pending, and the men that may be moved.
    fn setup_state(&self) -> String {
        let position = &self.position;
        if !position.setup_phase().is_pending() {
            return format!("info string setup done; {} to move", position.side());
        }
        let geometry = position.variant().geometry();
        let men: Vec<String> = position
            .setup_rank()
            .filter_map(|square| {
                let kind = position.at(square)?.kind();
                let movable = position.variant().setup_kinds().contains(kind);
                movable.then(|| {
                    format!("{}@{}", position.variant().man(kind).letter, geometry.name(square))
                })
            })
            .collect();
        let as_is = position.move_text(position.setup_as_is());
        format!(
            "info string setup pending: {}; movable {}; as it stands {as_is}",
            position.side(),
            men.join(" ")
        )
    }

    fn bench(&mut self, text: &str) -> Result<(), String> {
        let depth = match text {
            "" => bench::DEFAULT_DEPTH,
            text => text.parse().ok().filter(|depth| bench::DEPTHS.contains(depth)).ok_or_else(
                || format!("bench depth '{}' is no number from 1 to 32", shown(text)),
            )?,
        };
        self.begin(Job::Bench { depth })
    }

    fn go(&mut self, text: &str) -> Result<(), String> {
        let position = self.position.clone();
        match go::parse(text, &position)? {
            Go::Perft(depth) => self.begin(Job::Perft { position, depth }),
            Go::Search { mut limits, infinite, ponder } => {
                self.use_table();
                (limits.multi_pv, limits.overhead) = (self.multi_pv, self.overhead);
                limits.nodes = limits.nodes.into_iter().chain(self.skill).min();
                let (searcher, show_wdl) = (Arc::clone(&self.searcher), self.show_wdl);
                let job = Job::Search { position, limits, infinite, ponder, searcher, show_wdl };
                self.begin(job)
            }
        }
    }

    /// What searches; nobody else has it while the session is idle.
    fn searcher(&self) -> MutexGuard<'_, Searcher> {
        self.searcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&mut self, job: Job) -> Result<(), String> {
        self.work = Some(Work::begin(job, &self.output, &self.done)?);
        Ok(())
    }
}
