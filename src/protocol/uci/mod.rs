//! UCI, and USI, which has the same commands with [other texts](Form).

mod command;
mod form;
mod go;
mod mate;
mod report;

use super::dialect::{Dialect, Flow};
use super::one_line;
use super::options::{EMPTY, Offer, Values, unknown_option};
use super::session::{Search, Session};
use super::setup::setup;
use super::work::Ended;
use command::Command;
pub(super) use form::Form;
use garrison_rules::{Position, shown};
use go::Go;
use mate::MateSearch;
use report::{Info, best_line};

/// The dialect.
pub(super) struct Uci {
    form: Form,
    /// A search for a mate, which USI answers in its own way.
    mate: Option<MateSearch>,
}

impl Uci {
    pub fn new(form: Form) -> Uci {
        Uci { form, mate: None }
    }
}

impl Dialect for Uci {
    /// Whoever wants a search to stop need not wait for what comes after it.
    fn arrives(&mut self, session: &mut Session, line: &str) {
        if matches!(command::parse(line, self.form), Some((Command::Stop, _))) {
            session.stop();
        }
    }

    /// While there is work that will end, all lines wait that would change or ask for what it works on.
    /// So a script may write its commands one after the other.
    fn may_run(&mut self, session: &mut Session, line: &str) -> bool {
        let Some(work) = session.work().filter(|work| work.will_end()) else {
            return true;
        };
        match command::parse(line, self.form) {
            Some((Command::Quit, _)) => work.is_search(),
            Some((Command::Stop | Command::PonderHit, _)) => true,
            // At once during a search, but behind the answer to a stop.
            Some((Command::IsReady, _)) => !work.is_stopping(),
            _ => false,
        }
    }

    fn run(&mut self, session: &mut Session, line: &str) -> Result<Flow, String> {
        let Some((command, skipped)) = command::parse(line, self.form) else {
            let word = line.split_whitespace().next().unwrap_or("");
            return Err(format!("unknown command '{}'", shown(word)));
        };
        if !skipped.is_empty() {
            session.output.line(&format!("info string skipped '{}'", shown(skipped)));
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
                let fault = self.refusal("", "the work failed; this is a bug");
                format!("{fault}\n{}", best_line(self.form, &session.position, Default::default()))
            }
        };
        session.output.line(&last);
    }

    fn refusal(&self, _line: &str, fault: &str) -> String {
        format!("info string error: {}", one_line(fault))
    }
}

impl Uci {
    fn execute(&mut self, session: &mut Session, command: Command<'_>) -> Result<(), String> {
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
            Command::NewGame => session.idle(&self.new_game()).map(|()| session.new_game())?,
            Command::Position(text) => {
                session.idle("position")?;
                self.set_position(session, text)?;
            }
            Command::Go(text) => session.idle("go").and_then(|()| self.go(session, text))?,
            Command::SetOption(text) => {
                session.idle("setoption")?;
                self.set_option(session, text)?;
            }
            Command::Variant(name) => {
                session.idle("variant")?;
                session.set_variant(name)?;
                self.tell_variant(session);
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
    fn set_option(&self, session: &mut Session, text: &str) -> Result<(), String> {
        let text = text.strip_prefix("name ").filter(|text| !text.trim().is_empty());
        let text = text.ok_or("setoption needs 'name <name> [value <value>]'")?;
        let (name, value) = match text.split_once(" value ") {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (text.strip_suffix(" value").unwrap_or(text).trim(), ""),
        };
        let same = |offer: &&Offer| {
            [offer.name.to_string(), self.form.option_name(offer.name)]
                .iter()
                .any(|own| own.eq_ignore_ascii_case(name))
        };
        let offer = self.form.offers().find(same).ok_or_else(|| unknown_option(name))?;
        let setting = offer.read(value, &session.games)?;
        session.set(setting)?;
        if matches!(offer.values, Values::Game) {
            self.tell_variant(session);
        }
        Ok(())
    }

    /// Tells a front end what the board looks like.
    fn tell_variant(&self, session: &Session) {
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
        let checkers = position.checkers(position.side());
        let name = |square| self.form.notation().square(geometry, square);
        let checkers: Vec<String> = checkers.map(name).collect();
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
            self.use_table(session);
        }
        session.output.line(&format!("Evaluation: {}", session.evaluate()));
    }

    /// Reads the table of `EvalFile`. One that is wrong is told and done without.
    fn use_table(&self, session: &mut Session) {
        if let Err(fault) = session.use_table() {
            session.output.line(&self.refusal("", &fault));
        }
    }

    /// `startpos|fen … [moves …]`. A wrong move changes nothing.
    fn set_position(&self, session: &mut Session, text: &str) -> Result<(), String> {
        let variant = session.position.variant();
        let word = self.form.position_word();
        let (from, moves) = match text.split_once(" moves") {
            Some((from, moves)) if moves.is_empty() || moves.starts_with(' ') => {
                (from.trim(), moves)
            }
            _ => (text, ""),
        };
        let mut position = match from.split_once(char::is_whitespace) {
            _ if from == "startpos" => Position::start(variant),
            Some((first, rest)) if first == word => {
                let position = self.form.read_position(variant, rest);
                position.map_err(|error| error.through(self.form.notation()))?
            }
            _ => {
                return Err(format!(
                    "position needs 'startpos' or '{word} <{word}>', then perhaps 'moves <moves>'"
                ));
            }
        };
        for (index, text) in moves.split_whitespace().enumerate() {
            let played = self.form.play(&mut position, text);
            played.map_err(|fault| format!("move {}: {fault}", index + 1))?;
        }
        session.position = position;
        Ok(())
    }

    fn setup(&self, session: &mut Session, text: &str) -> Result<(), String> {
        let state = setup(&mut session.position, text, self.form.notation())?;
        session.output.line(&format!("info string {state}"));
        Ok(())
    }

    fn go(&mut self, session: &mut Session, text: &str) -> Result<(), String> {
        let position = session.position.clone();
        let (go, skipped) = go::parse(text, &position, self.form)?;
        if !skipped.is_empty() {
            session.output.line(&format!("info string go: skipped '{}'", shown(&skipped)));
        }
        let form = self.form;
        match go {
            Go::Perft(depth) => {
                session.perft(depth, move |position, mv| form.move_text(position, mv))
            }
            Go::Search { limits, infinite, ponder } => {
                self.use_table(session);
                let many = session.multi_pv > 1;
                let info = Info::new(form, position.clone(), many, session.output.clone());
                let search = Search { position, limits, infinite, ponder };
                session.search(search, move |news, chances| info.tell(news, chances))
            }
            Go::Mate(time) => {
                self.use_table(session);
                let info = Info::new(form, position.clone(), false, session.output.clone());
                self.mate = Some(mate::begin(session, position, time, info)?);
                Ok(())
            }
        }
    }
}

fn ponder_hit(session: &Session) -> Result<(), String> {
    let pondering = session.work().filter(|work| work.is_pondering());
    let work = pondering.ok_or_else(|| "ponderhit, but no search ponders".to_string())?;
    work.ponder_hit(None);
    Ok(())
}

/// What stands behind `type` for an option.
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
