//! A game that is played in the terminal: the position, the two players, the game record.

use std::time::{Duration, Instant};

use super::Side;
use super::board::{Form, View};
use super::program::{Program, Thought};
use super::save::{Keeper, Settings};
use super::signals::Signals;
use super::text::wrapped;
use super::typed::both_texts;
use crate::cli::look::Look;

use crate::cli::print;
use crate::player::events;
use crate::record::{EVAL, GameRecord};
use crate::review::eval_text;
use garrison_rules::{Color, GameResult, Move, Outcome, PerColor, Position, Reason, Status};

/// Plies after which a game of the program against itself stops without a result.
const MOST_PLIES: usize = 600;

/// How a game ended before the rules ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Resigned(Color),
    DrawAgreed,
    DrawClaimed(Reason),
}

/// How a session is shown, and to whom.
pub(super) struct Screen {
    pub look: Look,
    /// The form of the board, if it does not follow from the terminal.
    pub form: Option<Form>,
    /// Whether a person sits at the terminal.
    pub is_conversation: bool,
}

impl Screen {
    /// Columns and lines of the terminal.
    fn size() -> Option<(u16, u16)> {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        size.map(|(width, height)| (width.0, height.0)).filter(|&(w, h)| w > 0 && h > 0)
    }

    /// The columns that a line may have.
    pub fn columns() -> usize {
        Screen::size().map_or(80, |(columns, _)| usize::from(columns))
    }

    /// Prints a sentence, at a terminal in lines that fit.
    pub fn say(&self, text: &str) {
        print(&format!("{}\n", self.in_lines(text)));
    }

    fn in_lines(&self, text: &str) -> String {
        let size = Screen::size();
        size.map_or(text.to_string(), |(columns, _)| wrapped(text, usize::from(columns)))
    }
}

pub(super) struct Game {
    pub record: GameRecord,
    /// The position after the last move of the record.
    pub position: Position,
    /// During a setup: the pieces as the user has arranged them so far.
    pub arranged: Option<Position>,
    pub people: Side,
    pub bottom: Color,
    pub program: Program,
    pub screen: Screen,
    pub ending: Option<Ending>,
    /// Who has offered a draw that is not answered yet.
    pub offer: Option<Color>,
    /// The time that each side has used, and since when it is the turn of the side to move.
    pub used: PerColor<Duration>,
    pub turn_began: Instant,
    pub keeper: Keeper,
    /// Whether the game as it stands is in a file that the user named.
    pub is_saved: bool,
    pub signals: Signals,
    /// What has happened since the board was shown, to be printed below it.
    news: Vec<String>,
    /// The same, to be printed above it.
    heading: Vec<String>,
}

/// What a game needs beside its record.
pub(super) struct Players {
    pub people: Side,
    pub program: Program,
    pub screen: Screen,
    pub signals: Signals,
}

impl Game {
    pub fn new(record: GameRecord, used: PerColor<Duration>, players: Players) -> Game {
        let Players { people, program, screen, signals } = players;
        let mut game = Game {
            position: record.end(),
            record,
            arranged: None,
            people,
            bottom: Color::White,
            program,
            screen,
            ending: None,
            offer: None,
            used,
            turn_began: Instant::now(),
            keeper: Keeper::new(),
            is_saved: true,
            signals,
            news: Vec::new(),
            heading: Vec::new(),
        };
        game.turn_to_people();
        game
    }

    /// Goes on with another game.
    pub fn replace(&mut self, record: GameRecord) {
        self.position = record.end();
        self.record = record;
        self.arranged = None;
        self.ending = None;
        self.offer = None;
        self.used = PerColor::default();
        self.turn_began = Instant::now();
        self.is_saved = true;
        self.program.forget(usize::MAX);
        self.turn_to_people();
    }

    /// Puts the side of the person at the bottom.
    fn turn_to_people(&mut self) {
        let is_black = self.people == Side::Black;
        self.bottom = if is_black { Color::Black } else { Color::White };
    }

    /// Shows the game, and lets the program move if it is its turn.
    pub fn begin(&mut self) {
        let variant = self.position.variant();
        let (title, name) = (&variant.info().title, variant.name());
        let heading = format!("{title} ({name})");
        self.tell_above(heading);
        self.tell_above("'help' lists the commands.".to_string());
        // If the program begins, the board comes with its move.
        if !self.is_turn_of_program() || self.people == Side::None {
            self.show();
        }
        self.answer();
    }

    /// The prompt.
    pub fn prompt(&self) -> String {
        if self.is_over() {
            "> ".to_string()
        } else {
            format!("{}> ", self.position.side_to_move())
        }
    }

    /// The outcome by the rules; a draw that must be claimed is none.
    fn outcome(&self) -> Option<Outcome> {
        self.position.status().outcome().filter(|_| self.claimable().is_none())
    }

    /// The rule by which the side to move can claim a draw, where draws must be claimed.
    pub fn claimable(&self) -> Option<Reason> {
        events::claimable(&self.position)
    }

    pub fn is_over(&self) -> bool {
        self.ending.is_some() || self.outcome().is_some()
    }

    fn is_turn_of_program(&self) -> bool {
        !self.is_over() && !self.people.has(self.position.side_to_move())
    }

    /// Whether a person has something to lose: moves that no file of his own holds.
    pub fn is_unsaved(&self) -> bool {
        !self.is_saved && !self.record.plies.is_empty()
    }

    /// The result so far.
    pub fn result(&self) -> GameResult {
        match (self.ending, self.outcome()) {
            (Some(Ending::Resigned(loser)), _) => GameResult::win(!loser),
            (Some(_), _) => GameResult::Draw,
            (None, Some(outcome)) => GameResult::from(Status::Over(outcome)),
            (None, None) => GameResult::Unknown,
        }
    }

    /// Prints the board, what has happened, and the state of the game.
    pub fn show(&mut self) {
        let position = self.arranged.as_ref().unwrap_or(&self.position);
        let form = Form::that_fits(position, Screen::size());
        let form = self.screen.form.unwrap_or(form);
        let moves = || self.record.plies.iter().map(|ply| ply.mv);
        let taken = |color| events::taken(&self.record.start, moves(), color);
        let view = View {
            position,
            bottom: self.bottom,
            last: moves().next_back(),
            taken: &taken,
            look: self.screen.look,
            form,
            columns: Screen::columns(),
        };
        let board = view.draw();
        let below: Vec<String> =
            std::mem::take(&mut self.news).into_iter().chain([self.standing()]).collect();
        let above = std::mem::take(&mut self.heading);
        let lines = above.iter().chain(&below).map(|text| self.screen.in_lines(text));
        let lines: usize = lines.map(|text| text.lines().count()).sum();
        // With the line of the prompt, and as many empty lines as there is room for.
        let used = board.lines().count() + lines + 1;
        let room = Screen::size().map_or(usize::MAX, |(_, lines)| usize::from(lines));
        let space = |count: usize| if used + count <= room { "\n" } else { "" };
        above.iter().for_each(|text| self.screen.say(text));
        // What was typed stands above, unless a pipe is read.
        let is_below_text = self.screen.is_conversation || !above.is_empty();
        print(&format!("{}{board}{}", if is_below_text { space(2) } else { "" }, space(1)));
        below.iter().for_each(|text| self.screen.say(text));
    }

    /// Remembers what is to be said above the board.
    fn tell_above(&mut self, heading: String) {
        self.heading.push(heading);
    }

    /// Remembers what is to be said below the board.
    pub fn tell(&mut self, news: String) {
        self.news.push(news);
    }

    pub fn standing(&self) -> String {
        let side = self.position.side_to_move();
        match self.ending {
            Some(Ending::Resigned(loser)) => {
                return format!("{loser} has resigned; {} wins.", !loser);
            }
            Some(Ending::DrawAgreed) => return "The game is drawn by agreement.".to_string(),
            Some(Ending::DrawClaimed(reason)) => {
                return format!("The game is drawn by claim ({reason}).");
            }
            None => {}
        }
        if let Some(outcome) = self.outcome() {
            return format!("The game is over: {}", Status::Over(outcome));
        }
        if self.position.setup_phase().is_pending() {
            let example = if self.people.has(side) { self.setup_example() } else { None };
            return format!("{side} to set up{}", example.unwrap_or_default());
        }
        let check = if self.position.is_check() { ", in check" } else { "" };
        let claim = self.claimable().map(|reason| format!("; 'draw' claims a draw ({reason})"));
        let number = self.position.fullmove();
        format!("Move {number}: {side} to move{check}{}", claim.unwrap_or_default())
    }

    /// Makes a move of the side to move.
    pub fn make(&mut self, mv: Move) {
        self.arranged = None;
        let side = self.position.side_to_move();
        self.used[side] += self.turn_began.elapsed();
        self.turn_began = Instant::now();
        // An offer stands until the other side has moved.
        self.offer = self.offer.filter(|&by| by == side);
        self.news.extend(events::sentence(&self.position, mv));
        self.record.push(mv, None);
        self.position.make(mv);
        self.changed();
    }

    /// Keeps the game as it is now.
    pub fn changed(&mut self) {
        self.is_saved = false;
        self.keep();
    }

    /// Writes the game into the file from which `--resume` goes on.
    pub fn keep(&mut self) {
        if self.record.plies.is_empty() {
            self.keeper.discard();
            self.signals.set_kept(false);
            return;
        }
        let mut record = self.finished_record();
        let (side, strength) = (Some(self.people), Some(self.program.strength));
        Settings { side, strength, used: self.used }.write(&mut record);
        if let Some(fault) = self.keeper.keep(&record) {
            self.screen.say(&fault);
        }
        self.signals.set_kept(self.keeper.is_kept() && !self.is_over());
    }

    /// Lets the program move while it is its turn, and shows the board after its move.
    pub fn answer(&mut self) {
        let alone = self.people == Side::None;
        while self.is_turn_of_program() {
            if alone && self.record.plies.len() >= MOST_PLIES {
                self.screen.say(&format!("No decision after {MOST_PLIES} plies."));
                return;
            }
            let Some(thought) = self.think() else { return };
            self.play_for_program(&thought);
            self.show();
            if alone && thought.interrupted {
                self.screen.say("Stopped; 'go' goes on.");
                return;
            }
        }
    }

    /// A search of the position, with a word to whoever waits for it.
    pub fn think(&mut self) -> Option<Thought> {
        let waits = self.screen.is_conversation;
        let text = format!("{} thinks (Ctrl-C: move now)", self.position.side_to_move());
        let announce = || {
            if waits {
                print(&text);
            }
        };
        let thought = self.program.think(&self.position, &self.signals, announce);
        if waits {
            // `^C` may stand behind it.
            print(&format!("\r{}\r", " ".repeat(text.len() + 2)));
        }
        thought
    }

    /// Makes the program's move.
    pub fn play_for_program(&mut self, thought: &Thought) {
        let side = self.position.side_to_move();
        if self.claims_draw(thought) {
            return;
        }
        let text = self.screen.look.strong(&both_texts(&self.position, thought.mv));
        let declined = self.offer == Some(!side);
        self.tell(format!("{side} plays {text}"));
        if !self.people.has(side) {
            self.program.remember(thought);
        }
        self.make(thought.mv);
        if let (Some((score, depth)), Some(ply)) = (thought.known, self.record.plies.last_mut()) {
            ply.comment = Some(format!("{EVAL}{}]", eval_text(score, side, depth)));
        }
        if !declined && !self.is_over() && self.people.has(!side) {
            self.offer_draw_of_program(side);
        }
    }

    /// Makes a move of a person, lets the program answer, and shows the board.
    pub fn make_and_show(&mut self, mv: Move) {
        self.make(mv);
        if self.is_turn_of_program() {
            self.answer();
        } else {
            self.show();
        }
    }

    /// The player of each ply of the record.
    pub fn movers(&self) -> Vec<Color> {
        let mut position = self.record.start.clone();
        let mut movers = Vec::with_capacity(self.record.plies.len());
        for ply in &self.record.plies {
            movers.push(position.side_to_move());
            position.make(ply.mv);
        }
        movers
    }
}
