//! A game that is played in the terminal: the position, the two players, the game record.

use super::Side;
use super::command::{Command, HELP};
use crate::cli::look::Look;
use crate::cli::notation::{eval_text, read_move};
use crate::cli::{CommandResult, print};
use crate::engine::{Control, Limits, Score, SearchEvent, Searcher};
use crate::record::{EVAL, GameRecord};
use garrison_rules::fault::Describe;
use garrison_rules::{Algebraic, Color, GameResult, Move, Position, Square, Status, Tag, shown};

/// Whether the session continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// Plies after which a game of the program against itself stops without a result.
const MOST_PLIES: usize = 600;

pub(super) struct Game {
    record: GameRecord,
    /// The position after the last move of the record.
    position: Position,
    /// During a setup: the pieces as the user has arranged them so far.
    arranged: Option<Position>,
    people: Side,
    bottom: Color,
    limits: Limits,
    /// The strength of the program, as the record names it.
    strength: String,
    searcher: Searcher,
    look: Look,
    resigned: Option<Color>,
}

impl Game {
    pub fn new(
        position: Position,
        people: Side,
        limits: Limits,
        strength: String,
        searcher: Searcher,
    ) -> Game {
        let moves: Vec<Move> = position.moves_made().collect();
        let mut start = position.clone();
        moves.iter().for_each(|_| start.unmake());
        let mut record = GameRecord::new(&start);
        moves.iter().for_each(|&mv| record.push(mv, None));
        let bottom = if people == Side::Black { Color::Black } else { Color::White };
        Game {
            record,
            position,
            arranged: None,
            people,
            bottom,
            limits,
            strength,
            searcher,
            look: Look::of_stdout(),
            resigned: None,
        }
    }

    /// Shows the game, and lets the program move if it is its turn.
    pub fn begin(&mut self) {
        let variant = self.position.variant();
        let title = self.look.strong(&variant.info().title);
        print(&format!("{title} ({}); 'help' lists the commands.\n\n", variant.name()));
        self.show();
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

    /// Carries out a command.
    pub fn execute(&mut self, command: Command) -> Flow {
        let done = match command {
            Command::Quit => return Flow::Quit,
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
            Command::Move(text) => self.user_move(&text),
            Command::Moves(square) => self.list_moves(square.as_deref()),
            Command::Setup(words) => self.set_up(&words),
            Command::Done => self.end_setup(),
            Command::Back => self.take_back(),
            Command::Hint => self.hint(),
            Command::Save(path) => self.save(&path),
            Command::Resign => self.resign(),
        };
        if let Err(fault) = done {
            print(&format!("{fault}\n"));
        }
        Flow::Continue
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.position.status() != Status::Ongoing
    }

    fn check_ongoing(&self) -> CommandResult {
        if !self.is_over() {
            return Ok(());
        }
        Err("the game is over; 'back' takes moves back, 'save FILE' writes it, 'quit' leaves"
            .into())
    }

    /// Prints the board and the state of the game.
    fn show(&self) {
        let position = self.arranged.as_ref().unwrap_or(&self.position);
        let last = self.record.plies.last().map(|ply| ply.mv);
        let board = self.look.board(position, self.bottom, last);
        print(&format!("{board}\n{}\n", self.standing()));
    }

    fn standing(&self) -> String {
        let side = self.position.side_to_move();
        if let Some(loser) = self.resigned {
            return format!("{loser} has resigned; {} wins.", !loser);
        }
        match self.position.status() {
            Status::Over(_) => format!("The game is over: {}", self.position.status()),
            Status::Ongoing if self.position.setup_phase().is_pending() => {
                let example = match self.people.has(side) {
                    true => self.setup_example().unwrap_or_default(),
                    false => String::new(),
                };
                format!("{side} to set up{example}")
            }
            Status::Ongoing => {
                let check = if self.position.is_check() { ", in check" } else { "" };
                format!("Move {}: {side} to move{check}", self.position.fullmove())
            }
        }
    }

    /// An example of a setup command, with squares whose contents can change places.
    fn setup_example(&self) -> Option<String> {
        let geometry = self.position.variant().geometry();
        let position = self.arranged.as_ref().unwrap_or(&self.position);
        let squares: Vec<Square> = position.setup_rank().collect();
        let vacant = *squares.iter().find(|&&square| position.at(square).is_none())?;
        let piece =
            squares.iter().find(|&&piece| position.with_exchanged(piece, vacant).is_ok())?;
        let (piece, vacant) = (geometry.name(*piece), geometry.name(vacant));
        Some(format!(": 'setup {piece}{vacant}' moves a piece, 'done' ends it"))
    }

    fn make(&mut self, mv: Move) {
        self.arranged = None;
        self.record.push(mv, None);
        self.position.make(mv);
    }

    /// Lets the program move while it is its turn.
    fn answer(&mut self) {
        let alone = self.people == Side::None;
        while !self.is_over() && !self.people.has(self.position.side_to_move()) {
            if alone && self.record.plies.len() >= MOST_PLIES {
                print(&format!("No decision after {MOST_PLIES} plies.\n"));
                break;
            }
            let Some((mv, known)) = self.search() else { break };
            let side = self.position.side_to_move();
            let text = self.both_texts(mv);
            print(&format!("\n{side} plays {}\n\n", self.look.strong(&text)));
            self.make(mv);
            if let (Some((score, depth)), Some(ply)) = (known, self.record.plies.last_mut()) {
                ply.comment = Some(format!("{EVAL}{}]", eval_text(score, side, depth)));
            }
            self.show();
        }
    }

    /// The best move, if there is any, with its score for the side to move and its depth, if known.
    fn search(&mut self) -> Option<(Move, Option<(Score, u32)>)> {
        // Without this, answers would depend on earlier hints and on moves taken back.
        self.searcher.clear();
        let control = Control::new(false);
        let mut known = None;
        let found = self.searcher.search(&self.position, &self.limits, &control, |news| {
            if let SearchEvent::Info(line) = news {
                known = Some((line.score, line.depth));
            }
        });
        found.best.map(|mv| (mv, known))
    }

    /// A move in SAN, with its coordinates where they differ.
    fn both_texts(&self, mv: Move) -> String {
        let (san, coordinates) = (self.position.san(mv), self.position.move_text(mv));
        if san == coordinates { san } else { format!("{san} ({coordinates})") }
    }

    fn user_move(&mut self, text: &str) -> CommandResult {
        self.check_ongoing()?;
        if self.position.setup_phase().is_pending() && !text.starts_with('=') {
            return Err("the setup comes first: 'done' keeps the pieces as they stand".into());
        }
        let mv =
            read_move(&self.position, text).map_err(|error| format!("{error}; try 'moves'"))?;
        self.make_and_show(mv);
        Ok(())
    }

    fn make_and_show(&mut self, mv: Move) {
        self.make(mv);
        self.show();
        self.answer();
    }

    fn list_moves(&self, square: Option<&str>) -> CommandResult {
        let geometry = self.position.variant().geometry();
        let from = match square {
            None => None,
            Some(text) => match geometry.parse_square(text) {
                Some((square, "")) => Some(square),
                _ => return Err(format!("'{}' is no square of this board", shown(text)).into()),
            },
        };
        let moves = self.position.legal_moves();
        let begins = |mv: &Move| from.is_none_or(|from| !is_from_hand(*mv) && mv.from() == from);
        let mut texts: Vec<String> =
            moves.iter().filter(|mv| begins(mv)).map(|&mv| self.both_texts(mv)).collect();
        texts.sort_unstable();
        match (texts.is_empty(), square) {
            (false, _) => print(&format!("{}\n", texts.join(", "))),
            (true, Some(text)) => print(&format!("no legal move from {}\n", shown(text))),
            (true, None) => print("no legal move\n"),
        }
        Ok(())
    }

    fn set_up(&mut self, words: &[String]) -> CommandResult {
        self.check_setup()?;
        let geometry = self.position.variant().geometry();
        let mut position = self.arranged.clone().unwrap_or_else(|| self.position.clone());
        for word in words {
            let text = shown(word);
            let (a, b) = geometry
                .parse_two_squares(word)
                .ok_or_else(|| format!("'{text}' is not two squares; as in: setup b1d1"))?;
            position = position.with_exchanged(a, b).map_err(|why| {
                format!("setup {text}: {}", why.through(position.variant(), &Algebraic))
            })?;
        }
        self.arranged = Some(position);
        self.show();
        Ok(())
    }

    fn check_setup(&self) -> CommandResult {
        self.check_ongoing()?;
        let pending = self.position.setup_phase().is_pending();
        if pending { Ok(()) } else { Err("no setup is pending".into()) }
    }

    fn end_setup(&mut self) -> CommandResult {
        self.check_setup()?;
        let mv = match &self.arranged {
            None => Some(self.position.setup_as_is()),
            Some(pieces) => {
                self.position.setup_to(|square| pieces.at(square).map(|piece| piece.kind()))
            }
        };
        self.make_and_show(mv.ok_or("these pieces cannot stand like that")?);
        Ok(())
    }

    /// Takes back the user's last move and the program's answer.
    fn take_back(&mut self) -> CommandResult {
        let unmove = |game: &mut Game| {
            game.record.plies.pop();
            game.position.unmake();
        };
        let movers = self.movers();
        let Some(at) = movers.iter().rposition(|&color| self.people.has(color)) else {
            return Err("there is no move of yours to take back".into());
        };
        self.resigned = None;
        self.arranged = None;
        (at..movers.len()).for_each(|_| unmove(self));
        self.show();
        Ok(())
    }

    /// The player of each ply of the record.
    fn movers(&self) -> Vec<Color> {
        let mut position = self.record.start.clone();
        let mut movers = Vec::with_capacity(self.record.plies.len());
        for ply in &self.record.plies {
            movers.push(position.side_to_move());
            position.make(ply.mv);
        }
        movers
    }

    fn hint(&mut self) -> CommandResult {
        self.check_ongoing()?;
        let (mv, known) = self.search().ok_or("there is no legal move")?;
        let score = known.map_or(String::new(), |(score, _)| format!(", {}", score.readable()));
        print(&format!("hint: {}{score}\n", self.look.strong(&self.both_texts(mv))));
        Ok(())
    }

    fn resign(&mut self) -> CommandResult {
        self.check_ongoing()?;
        let side = self.position.side_to_move();
        if !self.people.has(side) {
            return Err("there is nobody to resign".into());
        }
        self.resigned = Some(side);
        print(&format!("{}\n", self.standing()));
        Ok(())
    }

    fn save(&mut self, path: &str) -> CommandResult {
        for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
            let program = format!("Garrison ({})", self.strength);
            self.record.set_tag(tag, if self.people.has(color) { "Person" } else { &program });
        }
        self.record.result = match self.resigned {
            Some(loser) => GameResult::win(!loser),
            None => GameResult::from(self.position.status()),
        };
        let file = std::path::Path::new(path);
        crate::cli::write_file(file, &self.record.to_pgn())?;
        print(&format!("saved: '{}'\n", shown(path)));
        Ok(())
    }
}

/// Whether a move begins on no square of the board.
fn is_from_hand(mv: Move) -> bool {
    matches!(mv.tag(), Tag::Drop | Tag::Setup)
}
