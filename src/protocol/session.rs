//! One session: the position, the options, the search that may be running.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::command::{self, Command};
use super::go::{self, Go};
use super::options::{self, DEFAULT_VARIANT, Setting, shown, unknown_variant};
use super::output::Output;
use crate::engine::{Control, Found, Limits, Progress, Search, Table, bench, evaluate};
use crate::rules::{Position, Square, builtin_names, find, perft_while};

/// Whether the session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// Work in another thread.
struct Running {
    thread: JoinHandle<()>,
    control: Arc<Control>,
    /// Whether it ends by itself.
    limited: bool,
    /// Set before the last line of the work is written: who has read that line may go on.
    done: Arc<AtomicBool>,
}

pub(super) struct Session {
    output: Output,
    position: Position,
    table: Arc<Table>,
    running: Option<Running>,
}

/// A search goes as deep as its lines, and every ply keeps a list of moves.
const STACK_SIZE: usize = 64 << 20;

impl Session {
    /// A session at the start of the default game; `None` if there is no memory for the table.
    pub fn new(output: Output) -> Option<Session> {
        let variant = find(DEFAULT_VARIANT)?;
        Some(Session {
            output,
            position: Position::start(&variant),
            table: Arc::new(Table::new(Table::DEFAULT_SIZE)?),
            running: None,
        })
    }

    /// Does what one line says.
    pub fn line(&mut self, line: &str) -> Flow {
        self.reap();
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
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Display => self.display(),
            Command::Legal => self.legal(),
            Command::Variants => self.output.line(&builtin_names().join("\n")),
            Command::Eval => self.output.line(&format!("Evaluation: {}", evaluate(&self.position))),
            Command::Ignored | Command::Quit => {}
            Command::NewGame => self.idle("ucinewgame").map(|()| self.table.clear())?,
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

    /// Refuses a command that would change what a running search searches.
    fn idle(&self, command: &str) -> Result<(), String> {
        match self.running {
            Some(_) => Err(format!("{command} while a search is running; send stop first")),
            None => Ok(()),
        }
    }

    /// Waits for a thread that is about to end.
    fn reap(&mut self) {
        let ends = |running: &Running| {
            running.done.load(Ordering::Acquire) || running.thread.is_finished()
        };
        if self.running.as_ref().is_some_and(ends) {
            self.join();
        }
    }

    fn join(&mut self) {
        if let Some(running) = self.running.take()
            && running.thread.join().is_err()
        {
            self.output.error("the search failed; this is a bug");
            self.output.line("bestmove (none)");
        }
    }

    /// Ends the running search, if there is one; its best move is told before this returns.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
        self.join();
    }

    /// Lets a search with a limit come to its end, stops any other.
    pub fn end_of_input(&mut self) {
        match self.running.as_ref().is_some_and(|running| running.limited) {
            true => self.join(),
            false => self.stop(),
        }
    }

    fn identify(&self) {
        self.output.line(concat!("id name Garrison ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Garrison developers");
        options::listing().iter().for_each(|option| self.output.line(option));
        self.output.line("uciok");
    }

    fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.control.ponder_hit();
        }
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
                let table = Table::new(size).ok_or_else(|| format!("no memory for Hash {size}"))?;
                self.table = Arc::new(table);
            }
            Setting::ClearHash => self.table.clear(),
            Setting::Accepted => {}
        }
        Ok(())
    }

    /// Sets the game and its start position, and tells a front end what it looks like.
    fn set_variant(&mut self, name: &str) -> Result<(), String> {
        let variant = find(name).ok_or_else(|| unknown_variant(name))?;
        self.table.clear();
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
            let squares: Option<(Square, Square)> = geometry
                .parse_square(word)
                .and_then(|(a, rest)| Some((a, geometry.parse_square(rest)?)))
                .and_then(|(a, (b, rest))| rest.is_empty().then_some((a, b)));
            let (a, b) = squares.ok_or_else(|| {
                format!("setup '{}' is neither 'done' nor two squares such as b1d1", shown(word))
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
            text => {
                text.parse().ok().filter(|depth| (1..=32).contains(depth)).ok_or_else(|| {
                    format!("bench depth '{}' is no number from 1 to 32", shown(text))
                })?
            }
        };
        let output = &self.output;
        let total = bench::run(depth, |item| {
            output.line(&format!("{}: {} nodes", item.variant, item.nodes))
        });
        let total = total.ok_or("no memory for the hash table")?;
        let per_second = total.nodes as f64 / total.time.as_secs_f64().max(1e-9);
        self.output.line(&format!("{} nodes {per_second:.0} nps", total.nodes));
        Ok(())
    }

    fn go(&mut self, text: &str) -> Result<(), String> {
        let position = self.position.clone();
        let output = self.output.clone();
        match go::parse(text, &position)? {
            Go::Perft(depth) => {
                self.spawn(false, true, move |control| perft(&position, depth, control))
            }
            Go::Search { limits, infinite, ponder } => {
                let table = Arc::clone(&self.table);
                self.spawn(ponder, !infinite && !ponder, move |control| {
                    search(&position, &limits, infinite, control, &table, &output)
                })
            }
        }
    }

    /// Does the work in a thread of its own and writes the text that it ends with.
    fn spawn(
        &mut self,
        ponder: bool,
        limited: bool,
        work: impl FnOnce(&Control) -> String + Send + 'static,
    ) -> Result<(), String> {
        let control = Arc::new(Control::new(ponder));
        let done = Arc::new(AtomicBool::new(false));
        let (shared, ends, output) = (Arc::clone(&control), Arc::clone(&done), self.output.clone());
        let thread = thread::Builder::new()
            .stack_size(STACK_SIZE)
            .spawn(move || {
                let last = work(&shared);
                ends.store(true, Ordering::Release);
                output.line(&last);
            })
            .map_err(|error| format!("no thread for the search: {error}"))?;
        self.running = Some(Running { thread, control, limited, done });
        Ok(())
    }
}

/// Counts the paths below each legal move.
fn perft(position: &Position, depth: u32, control: &Control) -> String {
    let mut position = position.without_history();
    let mut counts = Vec::new();
    let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
    for mv in moves {
        let text = position.move_text(mv);
        position.make(mv);
        let below = perft_while(&mut position, depth - 1, &|| !control.is_stopped());
        position.unmake();
        let Some(nodes) = below else {
            return "info string perft stopped".to_string();
        };
        counts.push((text, nodes));
    }
    counts.sort_unstable();
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
    let lines: String = counts.iter().map(|(mv, nodes)| format!("{mv}: {nodes}\n")).collect();
    format!("{lines}\nNodes searched: {total}")
}

/// Searches, tells every iteration, and ends with the best move.
fn search(
    position: &Position,
    limits: &Limits,
    infinite: bool,
    control: &Control,
    table: &Table,
    output: &Output,
) -> String {
    let found = Search::new(position, limits, control, table)
        .run(|progress| output.line(&info_line(position, progress)));
    // A search without limit answers only when it is told to.
    while (infinite || control.is_pondering()) && !control.is_stopped() && !output.is_closed() {
        thread::sleep(Duration::from_millis(1));
    }
    best_line(position, found)
}

fn info_line(position: &Position, progress: &Progress) -> String {
    let milliseconds = progress.time.as_millis();
    let per_second = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-6);
    format!(
        "info depth {} seldepth {} score {} nodes {} nps {per_second:.0} hashfull {} time {milliseconds} pv {}",
        progress.depth,
        progress.seldepth,
        progress.score,
        progress.nodes,
        progress.hashfull,
        position.line_text(&progress.pv).join(" ")
    )
}

fn best_line(position: &Position, found: Found) -> String {
    let line: Vec<_> = found.best.into_iter().chain(found.ponder).collect();
    match position.line_text(&line).as_slice() {
        [] => "bestmove (none)".to_string(),
        [best] => format!("bestmove {best}"),
        [best, ponder, ..] => format!("bestmove {best} ponder {ponder}"),
    }
}
