//! UCI, and USI, which has the same commands with [other texts](Form).

mod command;
mod form;
mod go;
mod mate;
mod report;

use std::collections::VecDeque;
use std::sync::Arc;

use super::dialect::{Dialect, Flow};
use super::help;
use super::one_line;
use super::options::{EMPTY, Offer, OptionError, Values};
use super::refusal::Refusal;
use super::session::{Search, Session, SessionError};
use super::setup::setup;
use super::work::Ended;
use crate::engine::SearchResult;
use crate::text::ERROR_LINE;
use command::Command;
pub(super) use form::Form;
use garrison_rules::{Position, Variant, shown};
pub(super) use go::GoError;
use go::{Go, is_count};
use mate::MateSearch;
use report::{Info, best_line, end_line};

/// The dialect.
pub(super) struct Uci {
    form: Form,
    /// The `go mate` of USI that is running.
    mate: Option<MateSearch>,
    /// How many `stop`s wait for their turn: what begins before it comes is stopped too.
    waiting_stops: usize,
}

impl Uci {
    pub fn new(form: Form) -> Uci {
        Uci { form, mate: None, waiting_stops: 0 }
    }
}

impl Dialect for Uci {
    /// `stop` acts at once, before lines that wait.
    fn arrives(&mut self, session: &mut Session, line: &str) {
        if self.is_stop(line) {
            self.waiting_stops += 1;
            session.stop();
        }
    }

    /// `quit` ends the session, whatever waits before it; but a count or a benchmark that runs is finished first, for
    /// a script that sends all its lines at once. A second `go` for the position that is being searched is an error.
    fn at_once(
        &mut self,
        session: &mut Session,
        waiting: &VecDeque<String>,
        line: &str,
    ) -> Option<Result<Flow, Refusal>> {
        let counts = session.work().is_some_and(|work| !work.is_search());
        let (command, skipped) = command::parse(line, self.form)?;
        match command {
            Command::Quit if !counts => {
                report_skipped(session, skipped);
                Some(Ok(Flow::Quit))
            }
            Command::Go(text) if !is_count(text) && self.searches_already(session, waiting) => {
                Some(Err(SessionError::Busy("go".to_string()).into()))
            }
            _ => None,
        }
    }

    /// While there is work that will end by itself, lines that change or read its position wait. So a script can
    /// write its commands one after the other.
    fn may_run(&mut self, session: &mut Session, line: &str) -> bool {
        let Some(work) = session.work().filter(|work| work.will_end()) else {
            return true;
        };
        let runs = match command::parse(line, self.form) {
            Some((Command::Quit, _)) => work.is_search(),
            Some((Command::Stop | Command::PonderHit, _)) => true,
            // At once during a search, but after the answer to a stop.
            Some((Command::IsReady, _)) => !work.is_stopping(),
            _ => false,
        };
        if !runs && self.waiting_stops > 0 {
            work.stop();
        }
        runs
    }

    fn run(&mut self, session: &mut Session, line: &str) -> Result<Flow, Refusal> {
        let Some((command, skipped)) = command::parse(line, self.form) else {
            let word = line.split_whitespace().next().unwrap_or("");
            return Err(Refusal::UnknownWord(word.to_string()));
        };
        report_skipped(session, skipped);
        if command == Command::Stop {
            self.waiting_stops = self.waiting_stops.saturating_sub(1);
        }
        if command == Command::Quit {
            return Ok(Flow::Quit);
        }
        self.execute(session, command).map(|()| Flow::Continue)
    }

    fn finished(&mut self, session: &mut Session, ended: Ended) {
        let mate = self.mate.take();
        let last = match ended {
            Ended::Search(found) => match mate {
                Some(mate) => mate.answer(&session.position),
                None => best_line(self.form, &session.position, found),
            },
            Ended::Text(text) => text,
            Ended::Failed => {
                let best = best_line(self.form, &session.position, Default::default());
                format!("{ERROR_LINE}the work failed; this is a bug\n{best}")
            }
        };
        session.output.line(&last);
    }

    /// The other side believes in a position that was not set. Only a game with its moves makes a line too long.
    fn refused(&mut self, session: &mut Session, line: &str, refusal: &Refusal) {
        let is_position =
            matches!(command::parse(line, self.form), Some((Command::Position(_), _)));
        if is_position || matches!(refusal, Refusal::LineTooLong) {
            session.has_position = false;
        }
        if self.is_stop(line) && matches!(refusal, Refusal::TooManyWaiting) {
            self.waiting_stops = self.waiting_stops.saturating_sub(1);
        }
    }

    fn help(&self) -> String {
        help::text("info string", &help::UCI)
    }

    fn refusal(&self, _line: &str, refusal: &Refusal) -> String {
        format!("{ERROR_LINE}{}", one_line(refusal))
    }
}

impl Uci {
    fn is_stop(&self, line: &str) -> bool {
        matches!(command::parse(line, self.form), Some((Command::Stop, _)))
    }

    /// Whether a `go` that arrives now would ask a second time for what is being searched, or will be when its
    /// turn comes: no line that waits stands between them.
    fn searches_already(&self, session: &Session, waiting: &VecDeque<String>) -> bool {
        let commands = waiting.iter().rev().filter_map(|line| command::parse(line, self.form));
        let mut between = commands.map(|(command, _)| command).filter(Command::may_change_a_search);
        match between.next() {
            Some(command) => matches!(command, Command::Go(text) if !is_count(text)),
            None => session.work().is_some_and(|work| work.is_search() && !work.is_stopping()),
        }
    }

    fn execute(&mut self, session: &mut Session, command: Command<'_>) -> Result<(), Refusal> {
        match command {
            Command::Identify => self.identify(session),
            Command::IsReady => session.output.line("readyok"),
            Command::Stop => session.stop(),
            Command::PonderHit => ponder_hit(session)?,
            Command::Display => self.display(session),
            Command::Legal => self.legal(session),
            Command::Variants => session.output.line(&session.games.names().join("\n")),
            Command::Eval => self.evaluate(session),
            Command::Ignored | Command::Quit => {}
            Command::NewGame => session.idle(&self.new_game()).and_then(|()| session.new_game())?,
            Command::Position(text) => {
                session.idle("position")?;
                self.set_position(session, text)?;
            }
            Command::Go(text) => {
                session.idle("go")?;
                self.go(session, text)?;
            }
            Command::SetOption(text) => {
                session.idle("setoption")?;
                self.set_option(session, text)?;
            }
            Command::Variant(name) => {
                session.idle("variant")?;
                session.set_variant(name)?;
                self.report_variant(session);
            }
            Command::Setup(text) => {
                session.idle("setup")?;
                self.setup(session, text)?;
            }
            Command::Bench(text) => session.idle("bench").and_then(|()| session.bench(text))?,
        }
        Ok(())
    }

    fn new_game(&self) -> String {
        format!("{}newgame", self.form.hello())
    }

    fn identify(&self, session: &Session) {
        let output = &session.output;
        output.line(concat!("id name Garrison ", env!("CARGO_PKG_VERSION")));
        output.line("id author the Garrison developers");
        for offer in self.form.offers() {
            let name = self.form.option_name(offer.name);
            output.line(&format!("option name {name} type {}", values(offer, self.form, session)));
        }
        output.line(&format!("{}ok", self.form.hello()));
    }

    /// `name <name> [value <value>]`. Names are read without regard to case.
    fn set_option(&self, session: &mut Session, text: &str) -> Result<(), Refusal> {
        let text = text.strip_prefix("name ").filter(|text| !text.trim().is_empty());
        let text = text.ok_or(Refusal::SetOptionSyntax)?;
        let (name, value) = match text.split_once(" value ") {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (text.strip_suffix(" value").unwrap_or(text).trim(), ""),
        };
        let same = |offer: &&Offer| {
            let own = offer.name;
            // Some front ends cannot send a name of two words.
            let plain = ["_", ""].map(|blank| own.replace(' ', blank));
            let mut names = plain.into_iter().chain([own.to_string(), self.form.option_name(own)]);
            names.any(|own| own.eq_ignore_ascii_case(name))
        };
        let offer = self.form.offers().find(same);
        let offer = offer.ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        let setting = offer.read(value, &session.games)?;
        session.set(setting)?;
        if matches!(offer.values, Values::Game) {
            self.report_variant(session);
        }
        Ok(())
    }

    /// Prints the board, hands and start of the game, for front ends that do not know it.
    fn report_variant(&self, session: &Session) {
        let position = &session.position;
        let variant = position.variant();
        let (geometry, hand) = (variant.geometry(), variant.hand_kinds().len());
        session.output.line(&format!(
            "info string variant {} files {} ranks {} pocket {hand} template fairy startpos {}",
            variant.name(),
            geometry.files(),
            geometry.ranks(),
            self.form.position_text(position)
        ));
    }

    fn display(&self, session: &Session) {
        let position = &session.position;
        let geometry = position.variant().geometry();
        let checkers = position.checkers(position.side_to_move());
        let checkers: Vec<String> =
            checkers.map(|square| self.form.notation().square(geometry, square)).collect();
        session.output.line(&format!(
            "{}\n{}: {}\nKey: {:016x}\nCheckers: {}\nStatus: {}",
            position.picture(),
            self.form.position_title(),
            self.form.position_text(position),
            position.key(),
            checkers.join(" "),
            position.status()
        ));
    }

    fn legal(&self, session: &Session) {
        let position = &session.position;
        let moves = position.legal_moves();
        let texts: Vec<String> =
            moves.iter().map(|&mv| self.form.move_text(position, mv)).collect();
        session.output.line(&texts.join(" "));
    }

    /// The static evaluation.
    fn evaluate(&self, session: &mut Session) {
        if session.work().is_none() {
            self.use_eval_file(session);
        }
        session.output.line(&format!("Evaluation: {}", session.evaluate()));
    }

    /// Reads the evaluation of `EvalFile`. A wrong one is reported, and no longer used.
    fn use_eval_file(&self, session: &mut Session) {
        if let Err(error) = session.use_eval_file() {
            session.output.line(&self.refusal("", &error.into()));
        }
    }

    /// `startpos|fen … [moves …]`. If a move is wrong, nothing is changed.
    fn set_position(&self, session: &mut Session, text: &str) -> Result<(), Refusal> {
        let variant = session.position.variant();
        let (from, moves) = match text.split_once(" moves") {
            Some((from, moves)) if moves.is_empty() || moves.starts_with(' ') => {
                (from.trim(), moves)
            }
            _ => (text, ""),
        };
        let mut position = match from.split_once(char::is_whitespace) {
            _ if from == "startpos" => session.start_of(variant),
            Some(("array", number)) => read_array(variant, number.trim())?,
            Some((word, text)) => {
                let read = self.form.read_position(session.empty_setup(), word, text);
                read.ok_or(Refusal::PositionSyntax(self.form.position_word()))??
            }
            None => return Err(Refusal::PositionSyntax(self.form.position_word())),
        };
        for (index, text) in moves.split_whitespace().enumerate() {
            let played = self.form.play(&mut position, text);
            played.map_err(|error| Refusal::PositionMove { number: index + 1, error })?;
        }
        session.position = position;
        session.has_position = true;
        Ok(())
    }

    fn setup(&self, session: &mut Session, text: &str) -> Result<(), Refusal> {
        let state = setup(&mut session.position, text, self.form.notation())?;
        session.output.line(&format!("info string {state}"));
        Ok(())
    }

    fn go(&mut self, session: &mut Session, text: &str) -> Result<(), Refusal> {
        let position = session.position.clone();
        let (go, skipped) = go::parse(text, &position, self.form)?;
        if !skipped.is_empty() {
            session.output.line(&format!("info string go: skipped '{}'", shown(&skipped)));
        }
        // What ends the wait for an answer if there is none.
        let last = match &go {
            Go::Perft(_) => None,
            Go::Search { .. } => Some(best_line(self.form, &position, SearchResult::default())),
            Go::Mate(_) => Some(mate::UNDECIDED.to_string()),
        };
        match (self.begin(session, go, position), last) {
            (Err(refusal), Some(last)) => {
                let error = self.refusal("", &refusal);
                session.output.line(&format!("{error}\n{last}"));
                Ok(())
            }
            (done, _) => done,
        }
    }

    fn begin(&mut self, session: &mut Session, go: Go, position: Position) -> Result<(), Refusal> {
        let form = self.form;
        match go {
            _ if !session.has_position => return Err(Refusal::NoPosition),
            Go::Search { ponder: false, .. } if form == Form::Usi && position.may_declare() => {
                session.output.line("bestmove win");
            }
            Go::Perft(depth) => {
                session.perft(depth, move |position, mv| form.move_text(position, mv))?;
            }
            Go::Search { limits, infinite, ponder } => {
                self.use_eval_file(session);
                let multi_pv = session.multi_pv > 1;
                if let Some(line) = end_line(form, &position) {
                    session.output.line(&line);
                }
                let info = Info::new(form, position.clone(), multi_pv, session.output.clone());
                let search = Search { position, limits, infinite, ponder };
                session.search(search, move |news, chances| info.report(news, chances))?;
            }
            Go::Mate(time) => {
                self.use_eval_file(session);
                let info = Info::new(form, position.clone(), false, session.output.clone());
                self.mate = Some(mate::begin(session, position, time, info)?);
            }
        }
        Ok(())
    }
}

/// The start position with the array of a number.
fn read_array(variant: &Arc<Variant>, text: &str) -> Result<Position, Refusal> {
    let start = text.parse().ok().and_then(|number| Position::start_array(variant, number));
    start.ok_or_else(|| Refusal::Array {
        number: text.to_string(),
        count: variant.arrays(),
        game: variant.name().to_string(),
    })
}

/// Reports the words before a command.
fn report_skipped(session: &Session, words: &str) {
    if !words.is_empty() {
        session.output.line(&format!("info string skipped '{}'", shown(words)));
    }
}

fn ponder_hit(session: &Session) -> Result<(), Refusal> {
    let pondering = session.work().filter(|work| work.is_pondering());
    let work = pondering.ok_or(Refusal::NotPondering)?;
    work.ponder_hit(None);
    Ok(())
}

/// The type of an option and its values, as `option` prints them.
fn values(offer: &Offer, form: Form, session: &Session) -> String {
    match offer.values {
        Values::Game => {
            let names: Vec<String> =
                session.games.names().iter().map(|name| format!("var {name}")).collect();
            format!("combo default {} {}", form.default_game(), names.join(" "))
        }
        Values::Number { default, range: (least, most), .. } => {
            format!("spin default {default} min {least} max {most}")
        }
        Values::Flag(default) => format!("check default {default}"),
        Values::Text | Values::Path => format!("string default {EMPTY}"),
        Values::Button => "button".to_string(),
    }
}
