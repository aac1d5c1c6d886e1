//! What each command does.

use std::path::Path;
use std::time::Duration;

use super::Side;
use super::command::{self, Command, HELP};
use super::game::{Game, Screen};
use super::input::{Input, Line};
use super::save::{Settings, today};
use super::text::{wrapped, wrapped_list};
use super::typed::{self, both_texts};
use crate::cli::{CommandResult, print, write_file};
use crate::player::Strength;
use crate::record::GameRecord;
use garrison_rules::{Color, Move, Position, Status, Tag, shown};

/// Whether the session continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

impl Game {
    /// Carries out a command.
    pub fn execute(&mut self, command: Command, input: &mut Input) -> Flow {
        let done = match command {
            Command::Quit => return self.ask_to_leave(input),
            Command::Help => {
                print(HELP);
                Ok(())
            }
            Command::Board => {
                self.show();
                Ok(())
            }
            Command::Flip => {
                self.bottom = !self.bottom;
                self.show();
                Ok(())
            }
            Command::Fen => {
                print(&format!("{}\n", self.position.fen()));
                Ok(())
            }
            Command::History => {
                print(&self.history());
                Ok(())
            }
            Command::Clock => {
                self.screen.say(&self.clocks());
                Ok(())
            }
            Command::Strength(strength) => {
                self.set_strength(strength);
                Ok(())
            }
            Command::Move(text) => self.user_move(&text),
            Command::Moves(square) => self.list_moves(square.as_deref()),
            Command::Setup(words) => self.set_up(&words),
            Command::Done => self.end_setup(),
            Command::Back => self.take_back(),
            Command::Hint => self.hint(),
            Command::Go => self.go(),
            Command::Eval => self.evaluate(),
            Command::Save { path, replace } => self.save(&path, replace, input),
            Command::Draw => self.draw(),
            Command::Resign => self.resign(),
            Command::New => self.begin_again(input),
            Command::Resume => self.resume(input),
        };
        if let Err(fault) = done {
            self.screen.say(&fault.to_string());
        }
        Flow::Continue
    }

    /// Commands and legal moves, for completion.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = command::names().map(str::to_string).collect();
        if !self.is_over() && !self.position.setup_phase().is_pending() {
            let moves = self.position.legal_moves();
            words.extend(moves.iter().map(|&mv| self.position.move_text(mv)));
            words.extend(moves.iter().map(|&mv| self.position.san(mv)));
        }
        words.sort_unstable();
        words.dedup();
        words
    }

    fn user_move(&mut self, text: &str) -> CommandResult {
        let meant = command::nearest(text);
        if self.is_over() || self.position.setup_phase().is_pending() && !text.starts_with('=') {
            if let Some(name) = meant {
                return Err(format!("'{}': did you mean '{name}'?", shown(text)).into());
            }
            self.check_ongoing()?;
            return Err("the setup comes first: 'done' keeps the pieces as they stand".into());
        }
        let mv = typed::read(&self.position, text).map_err(|error| match meant {
            Some(name) if error.is_syntax() => format!("{error}; did you mean '{name}'?"),
            _ if error.is_syntax() => format!("{error}; 'moves' lists the legal ones"),
            _ => error.to_string(),
        })?;
        self.make_and_show(mv);
        Ok(())
    }

    fn list_moves(&self, square: Option<&str>) -> CommandResult {
        let geometry = self.position.variant().geometry();
        let from = match square {
            None => None,
            Some(text) => match geometry.parse_square(&text.to_lowercase()) {
                Some((square, "")) => Some(square),
                _ => return Err(format!("'{}' is no square of this board", shown(text)).into()),
            },
        };
        let moves = if self.is_over() { Default::default() } else { self.position.legal_moves() };
        let begins = |mv: &Move| from.is_none_or(|from| !is_from_hand(*mv) && mv.from() == from);
        let wanted = moves.iter().filter(|mv| begins(mv));
        let mut texts: Vec<String> = wanted.map(|&mv| both_texts(&self.position, mv)).collect();
        texts.sort_unstable();
        match (texts.is_empty(), square) {
            (false, _) => print(&format!("{}\n", wrapped_list(&texts, Screen::columns()))),
            (true, Some(text)) => print(&format!("no legal move from {}\n", shown(text))),
            (true, None) => print("no legal move\n"),
        }
        Ok(())
    }

    /// Takes back the user's last move and the program's answer.
    fn take_back(&mut self) -> CommandResult {
        let movers = self.movers();
        let Some(at) = movers.iter().rposition(|&color| self.people.has(color)) else {
            return Err("there is no move of yours to take back".into());
        };
        self.ending = None;
        self.offer = None;
        self.arranged = None;
        for _ in at..movers.len() {
            self.record.plies.pop();
            self.position.unmake();
        }
        self.program.forget(movers.len() - at - 1);
        self.turn_began = std::time::Instant::now();
        self.changed();
        self.show();
        Ok(())
    }

    fn hint(&mut self) -> CommandResult {
        self.check_ongoing()?;
        let thought = self.think().ok_or("there is no legal move")?;
        let score = thought.known.map(|(score, _)| format!(", {}", score.readable()));
        let text = self.screen.look.strong(&both_texts(&self.position, thought.mv));
        self.screen.say(&format!("hint: {text}{}", score.unwrap_or_default()));
        Ok(())
    }

    /// Lets the program make this move.
    fn go(&mut self) -> CommandResult {
        self.check_ongoing()?;
        if self.people != Side::None {
            let thought = self.think().ok_or("there is no legal move")?;
            self.play_for_program(&thought);
            self.show();
        }
        self.answer();
        Ok(())
    }

    /// What the position is worth without a search.
    fn evaluate(&mut self) -> CommandResult {
        if let Status::Over(_) = self.position.status() {
            self.check_ongoing()?;
        }
        let side = self.position.side_to_move();
        let (score, [win, draw, loss], by_network) = self.program.judge(&self.position);
        let judge = if by_network { "the network" } else { "the table of weights" };
        let percent = |thousandths: u16| f64::from(thousandths) / 10.0;
        let expected = percent(win) + percent(draw) / 2.0;
        self.screen.say(&format!(
            "{} for {side} by {judge}, without a search: {expected:.0} % expected (win {:.0} %, draw {:.0} %, loss {:.0} %)",
            score.readable(),
            percent(win),
            percent(draw),
            percent(loss)
        ));
        if let Some(score) = self.program.last_score() {
            let text = format!("The program's last search: {} for itself", score.readable());
            self.screen.say(&text);
        }
        Ok(())
    }

    fn set_strength(&mut self, strength: Option<Strength>) {
        self.program.strength = strength.unwrap_or(self.program.strength);
        self.screen.say(&format!("The program plays at {}.", self.program.strength));
        if strength.is_some() {
            self.keep();
        }
    }

    fn clocks(&self) -> String {
        let mut used = self.used;
        if !self.is_over() {
            used[self.position.side_to_move()] += self.turn_began.elapsed();
        }
        let [white, black] = used.0.map(clock_text);
        format!("Time used: White {white}, Black {black}")
    }

    /// The moves so far.
    fn history(&self) -> String {
        let mut record = self.finished_record();
        record.plies.iter_mut().for_each(|ply| ply.comment = None);
        let text = record.to_pgn();
        let moves = text.split_once("\n\n").map_or("", |(_, moves)| moves);
        wrapped(&moves.trim_end().replace('\n', " "), Screen::columns()) + "\n"
    }

    /// The record with players, date and result.
    pub fn finished_record(&self) -> GameRecord {
        let mut record = self.record.clone();
        for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
            let program = format!("Garrison ({})", self.program.strength);
            let player = if self.people.has(color) { "Person" } else { &program };
            record.set_tag(tag, player);
        }
        if record.tag("Date").is_none() {
            record.set_tag("Date", &today());
        }
        record.result = self.result();
        record
    }

    /// Writes the game as PGN; a file that exists is replaced only if that is wanted.
    pub fn save(&mut self, path: &Path, replace: bool, input: &mut Input) -> CommandResult {
        let name = shown(&path.to_string_lossy()).to_string();
        let is_there = std::fs::metadata(path).is_ok_and(|found| found.is_file());
        if is_there && !replace {
            if !input.is_conversation() {
                let hint = format!("'{name}' is there already; 'save --force {name}' replaces it");
                return Err(hint.into());
            }
            self.screen.say(&format!("'{name}' is there already."));
            match input.read("Replace it? [y/N] ", Vec::new()) {
                Line::Text(text) if is_yes(&text) => {}
                _ => return Err("not saved".into()),
            }
        }
        write_file(path, &self.finished_record().to_pgn())?;
        self.is_saved = true;
        self.screen.say(&format!("saved: '{name}'"));
        Ok(())
    }

    /// Asks what is to become of the game.
    pub fn ask_to_leave(&mut self, input: &mut Input) -> Flow {
        if !self.is_unsaved() || !input.is_conversation() {
            return Flow::Quit;
        }
        let (keeps, explanation) = match self.is_over() || !self.keeper.is_kept() {
            true => (
                "leave",
                "Save the game? A name saves it as PGN; Enter leaves without it; 'c' stays here.",
            ),
            false => (
                "keep",
                "Save the game? Enter keeps it for 'garrison play --resume'; a name saves it as PGN too; \
                 'n' throws it away; 'c' goes on playing.",
            ),
        };
        self.screen.say(explanation);
        loop {
            let Some(Line::Text(answer)) = input.ask(&format!("[{keeps}] ")) else {
                return Flow::Quit;
            };
            match answer.trim() {
                "" | "y" | "yes" | "keep" => return Flow::Quit,
                "c" | "cancel" => return Flow::Continue,
                "n" | "no" => {
                    self.keeper.discard();
                    return Flow::Quit;
                }
                name => match self.save(Path::new(name), false, input) {
                    Ok(()) => return Flow::Quit,
                    Err(fault) => self.screen.say(&fault.to_string()),
                },
            }
        }
    }

    /// Asks whether the game that is being played may be left for another. It stays kept.
    fn may_leave(&self, input: &mut Input) -> bool {
        if !self.is_unsaved() || self.is_over() {
            return true;
        }
        let question = "Leave this game? It is kept for 'resume'. [y/N] ";
        let answer = input.ask(question);
        answer.is_none_or(|line| matches!(line, Line::Text(text) if is_yes(&text)))
    }

    fn begin_again(&mut self, input: &mut Input) -> CommandResult {
        if !self.may_leave(input) {
            return Ok(());
        }
        self.keeper = super::save::Keeper::new();
        let start = Position::start(self.position.variant());
        self.replace(GameRecord::new(&start));
        self.begin();
        Ok(())
    }

    fn resume(&mut self, input: &mut Input) -> CommandResult {
        if !self.may_leave(input) {
            return Ok(());
        }
        let mut record = self.keeper.take_last()?;
        let settings = Settings::take(&mut record);
        self.people = settings.side.unwrap_or(self.people);
        self.program.strength = settings.strength.unwrap_or(self.program.strength);
        self.replace(record);
        self.used = settings.used;
        self.changed();
        self.begin();
        Ok(())
    }
}

fn is_yes(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "y" | "yes")
}

/// A time as minutes and seconds.
fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Whether a move begins on no square of the board.
fn is_from_hand(mv: Move) -> bool {
    matches!(mv.tag(), Tag::Drop | Tag::Setup | Tag::Pass)
}
