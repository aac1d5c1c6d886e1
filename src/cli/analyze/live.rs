//! One position: the board, the best lines as they grow, the best move.

use std::time::Duration;

use serde_json::{Value, json};

use super::Args;
use crate::cli::look::Look;
use crate::cli::{CommandResult, on_large_stack, print, signals};
use crate::engine::{Limits, Score, SearchEvent, SearchInfo, SearchResult};
use garrison_rules::{Color, Move, Position, Status};

const DEFAULT_TIME: Duration = Duration::from_millis(3000);

pub(super) fn run(args: &Args) -> CommandResult {
    let position = args.position.position()?;
    let otherwise =
        Limits { move_time: (!args.infinite).then_some(DEFAULT_TIME), ..Limits::default() };
    let limits = Limits { multi_pv: usize::from(args.multipv), ..args.limits.limits(otherwise) };
    let mut searcher = args.limits.searcher()?;
    searcher.set_threads(usize::from(args.threads));
    let control = signals::stopped_by_signal()?;
    let view: &dyn View = if args.json { &Json } else { &Text { look: Look::of_stdout() } };
    view.start(&position);
    if position.status() == Status::Ongoing {
        let mut lines = Lines::default();
        let search = || {
            searcher.search(&position, &limits, &control, |news| {
                if let SearchEvent::Info(progress) = news
                    && lines.are_new(progress)
                {
                    view.info(&position, progress);
                }
            })
        };
        let found = on_large_stack(search)?;
        // `--infinite` waits for Ctrl-C even when the search has reached its last depth.
        while args.infinite && !control.is_stopped() {
            std::thread::sleep(Duration::from_millis(20));
        }
        view.best(&position, found);
    }
    signals::end_if_told();
    Ok(())
}

/// The best line that was printed last. A search that is broken off reports its last lines again.
#[derive(Default)]
struct Lines {
    last: Option<(u32, Score, Vec<Move>)>,
    are_new: bool,
}

impl Lines {
    /// Whether this line belongs to a report that says something new. The best line comes first in each.
    fn are_new(&mut self, line: &SearchInfo) -> bool {
        if line.multipv == 1 {
            let new = Some((line.depth, line.score, line.pv.clone()));
            self.are_new = self.last != new;
            self.last = new;
        }
        self.are_new
    }
}

/// How an analysis is printed.
trait View: Sync {
    fn start(&self, position: &Position);
    fn info(&self, position: &Position, progress: &SearchInfo);
    fn best(&self, position: &Position, found: SearchResult);
}

/// For people.
struct Text {
    look: Look,
}

impl View for Text {
    fn start(&self, position: &Position) {
        print(&self.look.heading(position));
        if let Status::Over(_) = position.status() {
            print(&format!("The game is over: {}\n", position.status()));
        } else {
            print("depth    score       nodes    time  line\n");
        }
    }

    fn info(&self, position: &Position, progress: &SearchInfo) {
        let depth = match progress.multipv {
            1 => progress.depth.to_string(),
            _ => String::new(),
        };
        let score = format!("{:>8}", progress.score.readable());
        print(&format!(
            "{depth:>5} {} {:>11} {:>6.2}s  {}\n",
            if progress.multipv == 1 { self.look.strong(&score) } else { score },
            progress.nodes,
            progress.time.as_secs_f64(),
            position.line_san(&progress.pv).join(" ")
        ));
    }

    fn best(&self, position: &Position, found: SearchResult) {
        let Some(best) = found.best else {
            print("\nBest move: none\n");
            return;
        };
        let (san, coordinates) = (position.san(best), position.move_text(best));
        let coordinates =
            if san == coordinates { String::new() } else { format!(" ({coordinates})") };
        print(&format!("\nBest move: {}{coordinates}\n", self.look.strong(&san)));
    }
}

/// For programs: an object a line.
struct Json;

impl Json {
    fn write(value: &Value) {
        print(&format!("{value}\n"));
    }
}

/// A score for the side to move: `{"cp": 31}`, or `{"mate": -2}` in moves.
pub(super) fn score_value(score: Score) -> Value {
    match score.mate_moves() {
        Some(moves) => json!({ "mate": moves }),
        None => json!({ "cp": score.as_centipawns() }),
    }
}

impl View for Json {
    fn start(&self, position: &Position) {
        let hand = |color| position.hand_text(color);
        Json::write(&json!({
            "type": "start",
            "variant": position.variant().name(),
            "fen": position.fen(),
            "side": position.side_to_move().to_string().to_lowercase(),
            "setup": position.setup_phase().is_pending(),
            "hands": { "white": hand(Color::White), "black": hand(Color::Black) },
            "status": position.status().to_string(),
        }));
    }

    fn info(&self, position: &Position, progress: &SearchInfo) {
        let per_second = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-6);
        Json::write(&json!({
            "type": "info",
            "depth": progress.depth,
            "seldepth": progress.seldepth,
            "multipv": progress.multipv,
            "score": score_value(progress.score),
            "nodes": progress.nodes,
            "nps": per_second as u64,
            "hashfull": progress.hashfull,
            "time": progress.time.as_millis() as u64,
            "pv": position.line_text(&progress.pv),
            "san": position.line_san(&progress.pv),
        }));
    }

    fn best(&self, position: &Position, found: SearchResult) {
        let line: Vec<_> = found.best.into_iter().chain(found.ponder).collect();
        let (texts, san) = (position.line_text(&line), position.line_san(&line));
        Json::write(&json!({
            "type": "best",
            "move": texts.first(),
            "san": san.first(),
            "ponder": texts.get(1),
        }));
    }
}
