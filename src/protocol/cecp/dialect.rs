//! The dialect: its state of a game, and the effect of each line.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::answers::{display, legal, pong};
use super::board::describe;
use super::clock::Clocks;
use super::command::{self, Command};
use super::features::{NORMAL, features};
use super::text;
use super::think::{Purpose, claims, report_error};
use crate::protocol::dialect::{Dialect, Flow};
use crate::protocol::help;
use crate::protocol::one_line;
use crate::protocol::options::DEFAULT_VARIANT;
use crate::protocol::refusal::{Refusal, TextError};
use crate::protocol::session::Session;
use crate::protocol::work::Ended;
use garrison_rules::{Color, Move, Position, Status, shown};

/// A switch that a running search reads.
#[derive(Debug, Clone, Default)]
pub(super) struct Switch(Arc<AtomicBool>);

impl Switch {
    pub fn set(&self, on: bool) {
        self.0.store(on, Ordering::Relaxed);
    }

    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// XBoard's protocol.
#[derive(Debug)]
pub(in crate::protocol) struct Cecp {
    /// The side that the engine plays; none in force mode.
    pub(super) engine_side: Option<Color>,
    /// Whether the engine has to move now.
    pub(super) due: bool,
    pub(super) analyzes: bool,
    /// Whether the engine ponders.
    pub(super) ponders: bool,
    /// Whether thinking lines are printed.
    pub(super) posts: Switch,
    pub(super) clocks: Clocks,
    /// The plies of each move made, so that it can be taken back.
    pub(super) plies: Vec<usize>,
    /// Setup plies that the next move takes back with it.
    pub(super) skipped: usize,
    /// The expected reply, for a hint.
    pub(super) expected: Option<Move>,
    /// The opponent has offered a draw.
    pub(super) draw_offered: bool,
    /// The opponent is a program, which needs no words.
    pub(super) against_program: bool,
    /// How many lines wait that cancel the engine's move: until then none is searched.
    pub(super) cancels_waiting: usize,
    /// How many lines wait that want the engine's move at once.
    pub(super) hurries_waiting: usize,
    /// There is no more input: nobody waits for a move.
    pub(super) input_ended: bool,
    /// Whether nothing but time ends the search for the engine's move.
    pub(super) timed: bool,
    pub(super) thinks_since: Instant,
    /// Since when a line waits for the end of an unwanted search; the engine's clock may run meanwhile.
    pub(super) waits_since: Option<Instant>,
    pub(super) purpose: Option<Purpose>,
    /// The square from which the user has lifted a piece.
    pub(super) lifted: String,
    /// The game that was last explained to the user.
    pub(super) explained: String,
    /// The user was told that the rules call the game a draw.
    pub(super) told_draw: bool,
}

impl Default for Cecp {
    fn default() -> Cecp {
        Cecp {
            engine_side: Some(Color::Black),
            due: false,
            analyzes: false,
            ponders: false,
            posts: Switch::default(),
            clocks: Clocks::default(),
            plies: Vec::new(),
            skipped: 0,
            expected: None,
            draw_offered: false,
            against_program: false,
            cancels_waiting: 0,
            hurries_waiting: 0,
            input_ended: false,
            timed: false,
            thinks_since: Instant::now(),
            waits_since: None,
            purpose: None,
            lifted: String::new(),
            explained: String::new(),
            told_draw: false,
        }
    }
}

impl Dialect for Cecp {
    /// A line that cancels the engine's move, or wants it now, acts at once, whatever waits before it: on the search
    /// that runs, and on those that would begin before its turn comes.
    fn arrives(&mut self, session: &mut Session, line: &str) {
        match command::parse(line) {
            Command::MoveNow => {
                self.hurries_waiting += 1;
                self.move_now(session);
            }
            command if command.drops_the_move() => {
                self.cancels_waiting += 1;
                if self.is_thinking() {
                    self.drop_move(session);
                }
            }
            _ => {}
        }
    }

    /// `quit` ends the session, whatever waits before it.
    fn at_once(
        &mut self,
        _session: &mut Session,
        _waiting: &VecDeque<String>,
        line: &str,
    ) -> Option<Result<Flow, Refusal>> {
        (command::parse(line) == Command::Quit).then_some(Ok(Flow::Quit))
    }

    fn may_run(&mut self, session: &mut Session, line: &str) -> bool {
        if session.work().is_none() {
            return true;
        }
        let command = command::parse(line);
        let needs_idle = command.needs_idle() && (command != Command::Exit || self.analyzes);
        match &self.purpose {
            Some(Purpose::Move(_)) => match command {
                // They are refused, and `easy` is about the search after this one.
                Command::Go | Command::PlayOther | Command::Ponder(_) => true,
                Command::Ping(_) => false,
                _ => !needs_idle,
            },
            Some(Purpose::Ponder(expected, _)) if is_move(session, command, *expected) => true,
            _ if !needs_idle => true,
            _ => {
                self.waits_since.get_or_insert_with(Instant::now);
                self.drop_work(session);
                false
            }
        }
    }

    fn run(&mut self, session: &mut Session, line: &str) -> Result<Flow, Refusal> {
        let command = command::parse(line);
        self.waits_no_more(command);
        self.execute(session, command)?;
        Ok(Flow::Continue)
    }

    fn refused(&mut self, session: &mut Session, line: &str, refusal: &Refusal) {
        let command = command::parse(line);
        if matches!(refusal, Refusal::TooManyWaiting) {
            self.waits_no_more(command);
        }
        // The front end believes in a position that was not set.
        if matches!(command, Command::SetBoard(_)) {
            session.has_position = false;
        }
    }

    fn settled(&mut self, session: &mut Session) {
        // The line itself was carried out, so this is no refusal.
        if let Err(error) = self.begin_due(session) {
            report_error(session, error);
        }
    }

    /// Nobody will see how the time is used: what was found so far is the move. A search with a depth or nodes for
    /// its end is finished, as lines that are piped in expect it.
    fn input_ended(&mut self, session: &mut Session) {
        self.input_ended = true;
        if self.timed {
            self.move_now(session);
        }
    }

    fn finished(&mut self, session: &mut Session, ended: Ended) {
        match (self.purpose.take(), ended) {
            (_, Ended::Failed) => {
                session.output.line("tellusererror the search failed; this is a bug");
            }
            (Some(Purpose::Move(post)), Ended::Search(found)) => {
                self.play_found(session, found, &post);
            }
            _ => {}
        }
    }

    fn help(&self) -> String {
        help::text("#", &help::CECP)
    }

    fn refusal(&self, line: &str, refusal: &Refusal) -> String {
        let fault = one_line(refusal);
        match command::parse(line) {
            // XBoard shows no reason of its own accord to the one who plays with the mouse.
            Command::Move(mv) if !self.lifted.is_empty() => {
                let mv = shown(mv);
                format!("Illegal move ({fault}): {mv}\ntellusererror Illegal move {mv}: {fault}")
            }
            Command::Move(mv) => format!("Illegal move ({fault}): {}", shown(mv)),
            Command::SetBoard(_) => format!("tellusererror Illegal position: {fault}"),
            _ => format!("Error ({fault}): {}", shown(line)),
        }
    }
}

/// Whether a command is this move.
fn is_move(session: &Session, command: Command<'_>, mv: Move) -> bool {
    match command {
        Command::Move(text) | Command::Other(text) => {
            text::parse_move(&session.position, text) == Ok(mv)
        }
        _ => false,
    }
}

impl Cecp {
    /// A line that was counted as waiting has its turn, or was refused one.
    fn waits_no_more(&mut self, command: Command<'_>) {
        if command == Command::MoveNow {
            self.hurries_waiting = self.hurries_waiting.saturating_sub(1);
        } else if command.drops_the_move() {
            self.cancels_waiting = self.cancels_waiting.saturating_sub(1);
        }
    }

    /// Whether the engine searches for its move.
    fn is_thinking(&self) -> bool {
        matches!(self.purpose, Some(Purpose::Move(_)))
    }

    /// Stops the search for the engine's move. Unless the line that wants it is refused, the move is no longer due.
    fn drop_move(&mut self, session: &Session) {
        self.due = true;
        self.waits_since.get_or_insert(self.thinks_since);
        self.drop_work(session);
    }

    /// Stops a search whose result is not wanted.
    fn drop_work(&mut self, session: &Session) {
        self.purpose = Some(Purpose::Dropped);
        session.stop();
    }

    fn execute(&mut self, session: &mut Session, command: Command<'_>) -> Result<(), Refusal> {
        match command {
            Command::Protover(_) => {
                features(&session.games).iter().for_each(|line| session.output.line(line));
            }
            Command::New => self.new_game(session)?,
            Command::Variant(name) => self.set_variant(session, name)?,
            Command::Force | Command::Result => (self.engine_side, self.due) = (None, false),
            Command::Go | Command::PlayOther if self.is_thinking() => {
                return Err(Refusal::Thinking);
            }
            Command::Go | Command::PlayOther | Command::Move(_) if !session.has_position => {
                return Err(Refusal::NoPosition);
            }
            Command::Go => self.play_side(session.position.side_to_move()),
            Command::PlayOther => self.play_side(!session.position.side_to_move()),
            Command::Level(text) => self.clocks.level(text)?,
            Command::SecondsPerMove(text) => self.clocks.each(text)?,
            Command::Depth(text) => self.clocks.depth(text)?,
            Command::NodeRate(text) => self.clocks.rate(text)?,
            Command::Computer => self.against_program = true,
            Command::Time(text) => self.clocks.left(0, text)?,
            Command::OtherTime(text) => self.clocks.left(1, text)?,
            Command::Move(text) => self.user_move(session, text)?,
            Command::Other(text) => self.bare_move(session, text)?,
            Command::MoveNow => self.move_now(session),
            Command::Ping(text) => pong(session, text)?,
            Command::Draw => self.offered_draw(session),
            Command::SetBoard(fen) => self.set_board(session, fen)?,
            Command::Hint => self.hint(session),
            Command::Book => session.output.line(" there is no book\n"),
            Command::Undo => self.take_back(session, 1)?,
            Command::Remove => self.take_back(session, 2)?,
            Command::Ponder(on) => self.ponders = on,
            Command::Post(on) => self.posts.set(on),
            Command::Analyze => (self.analyzes, self.engine_side, self.due) = (true, None, false),
            Command::Exit => self.analyzes = false,
            Command::Status => self.status(session),
            Command::Memory(_) | Command::Cores(_) | Command::Option(_) => {
                self.set(session, command)?;
            }
            Command::Lift(square) => self.lift(session, square),
            Command::Put(square) => self.put(session, square),
            Command::Setup(text) => self.setup(session, text)?,
            Command::Display => display(session),
            Command::Legal => legal(session),
            Command::Variants => {
                session.output.line(&format!("# {}", session.games.names().join(" ")));
            }
            Command::Ignored | Command::Quit => {}
        }
        Ok(())
    }

    /// A new game of chess, in which the engine plays Black; an analysis continues with it. XBoard sends `variant`
    /// afterwards for every other game.
    fn new_game(&mut self, session: &mut Session) -> Result<(), Refusal> {
        self.set_variant(session, NORMAL)?;
        self.clocks.reset();
        self.against_program = false;
        self.engine_side = (!self.analyzes).then_some(Color::Black);
        Ok(())
    }

    /// Sets a position at which a game begins.
    fn begin(&mut self, session: &mut Session, position: Position) {
        session.position = position;
        session.has_position = true;
        self.plies.clear();
        (self.skipped, self.expected, self.due, self.draw_offered) = (0, None, false, false);
        self.told_draw = false;
    }

    fn set_variant(&mut self, session: &mut Session, name: &str) -> Result<(), Refusal> {
        session.set_variant(if name == NORMAL { DEFAULT_VARIANT } else { name })?;
        let start = session.position.clone();
        self.begin(session, start);
        if name != NORMAL {
            let lines = describe(session.position.variant());
            lines.iter().for_each(|line| session.output.line(line));
            self.explain_game(session);
        }
        Ok(())
    }

    /// The engine plays this side from now on.
    fn play_side(&mut self, side: Color) {
        (self.engine_side, self.due, self.analyzes) = (Some(side), true, false);
    }

    fn user_move(&mut self, session: &mut Session, text: &str) -> Result<(), TextError> {
        let kept = session.position.clone();
        if !text.starts_with('=') {
            self.skipped += session.position.keep_arrays();
        }
        let mv = match text::parse_move(&session.position, text) {
            Ok(mv) => mv,
            Err(fault) => {
                (session.position, self.skipped) = (kept, 0);
                return Err(fault.into());
            }
        };
        let hit = matches!(self.purpose, Some(Purpose::Ponder(..)));
        self.made(session, mv);
        self.expected = None;
        if hit {
            self.pondered(session);
        } else {
            self.due = true;
        }
        if let Status::Over(outcome) = session.position.status()
            && claims(&session.position, outcome)
        {
            self.announce(session, outcome);
            if hit {
                self.drop_work(session);
            }
        }
        Ok(())
    }

    /// The expected move was played: the ponder search becomes one for the engine's own move.
    fn pondered(&mut self, session: &Session) {
        if let Some(Purpose::Ponder(_, post)) = self.purpose.take() {
            self.purpose = Some(Purpose::Move(post));
            self.thinks_since = Instant::now();
            // XBoard has sent the clock since this search began.
            let clock = self.clocks.limits(&session.position, session.overhead).clock;
            session.work().iter().for_each(|work| work.ponder_hit(clock));
            self.obey_waiting(session);
        }
    }

    /// A search for the engine's move has begun: lines that wait may cancel it, or want its move at once.
    pub(super) fn obey_waiting(&mut self, session: &Session) {
        if self.cancels_waiting > 0 {
            self.drop_move(session);
        } else if self.hurries_waiting > 0 || self.input_ended && self.timed {
            session.stop();
        }
    }

    /// A line without a command: older front ends send moves like that.
    fn bare_move(&mut self, session: &mut Session, text: &str) -> Result<(), Refusal> {
        if !text.contains(|c: char| c.is_ascii_digit()) || text.contains(char::is_whitespace) {
            return Err(Refusal::UnknownCommand);
        }
        self.user_move(session, text).map_err(Refusal::NeitherCommandNorMove)
    }

    /// `?` stops the search for the engine's own move, but no other work.
    fn move_now(&self, session: &Session) {
        if self.is_thinking() {
            session.stop();
        }
    }

    fn set_board(&mut self, session: &mut Session, fen: &str) -> Result<(), Refusal> {
        let variant = session.position.variant();
        // XBoard itself never writes the setup field.
        let own = matches!(fen.split_whitespace().nth(2), Some("Ss" | "s"));
        let position =
            if own { Position::from_fen(variant, fen) } else { text::parse_fen(variant, fen) };
        self.begin(session, position.map_err(|error| TextError::Position(error, &text::XBoard))?);
        Ok(())
    }

    fn take_back(&mut self, session: &mut Session, moves: usize) -> Result<(), Refusal> {
        if self.plies.len() < moves {
            return Err(Refusal::TooFewMoves(self.plies.len()));
        }
        for _ in 0..moves {
            for _ in 0..self.plies.pop().unwrap_or(0) {
                session.position.unmake();
            }
        }
        (self.expected, self.due, self.skipped) = (None, false, 0);
        Ok(())
    }
}
