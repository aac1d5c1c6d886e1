//! Games as PGN, in and out, and the annotation of a whole game.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::http::Status;
use super::invent;
use super::line;
use super::pictures;
use super::refusal::Refusal;
use super::search::{Searches, Ticket, json_line, report};
use crate::engine::{Control, Limits, Searcher};
use crate::record::pgn::{self, Fallback};
use crate::record::{GameRecord, Ply, Variation};
use crate::review::{GameAnalysis, Value, analyze_position, annotate, position_before};
use crate::viewer::{self, ViewerGame, ViewerPly, ViewerValue};
use garrison_rules::{Color, GameResult, Position};

/// The most games of a file that the page lists.
const MOST_GAMES: usize = 500;
/// The most nodes for a position of an annotation.
const MOST_NODES: u64 = 10_000_000;
/// The hash table of an annotation, in MiB.
const HASH: usize = 16;

/// A game with all that PGN has.
#[derive(Debug, Serialize, Deserialize)]
pub struct GameFile {
    variant: String,
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    tags: Vec<(String, String)>,
    #[serde(default)]
    comment: Option<String>,
    moves: Vec<MoveFile>,
    #[serde(default)]
    result: String,
}

/// A ply of such a game.
#[derive(Debug, Serialize, Deserialize)]
struct MoveFile {
    text: String,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    nags: Vec<u8>,
    /// Lines that begin in its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<MoveFile>>,
}

impl MoveFile {
    /// The plies that begin in this position, which is as before afterwards.
    fn line(position: &mut Position, plies: &[Ply]) -> Vec<MoveFile> {
        let mut line = Vec::with_capacity(plies.len());
        for ply in plies {
            let (comment, nags) = (ply.comment.clone(), ply.nags.clone());
            let text = position.move_text(ply.mv);
            let own = ply.variations.iter().map(|own| MoveFile::variation(position, own));
            line.push(MoveFile { variations: own.collect(), text, comment, nags });
            position.make(ply.mv);
        }
        line.iter().for_each(|_| position.unmake());
        line
    }

    /// A variation that begins in this position. What stands before it is said of its first move.
    fn variation(position: &mut Position, variation: &Variation) -> Vec<MoveFile> {
        let mut line = MoveFile::line(position, &variation.plies);
        if let (Some(before), Some(first)) = (&variation.comment, line.first_mut()) {
            first.comment = Some(Variation::joined(before.clone(), first.comment.take()));
        }
        line
    }

    /// The plies of a line that begins in this position, which is as before afterwards.
    fn plies(position: &mut Position, line: Vec<MoveFile>) -> Result<Vec<Ply>, Refusal> {
        let mut plies = Vec::with_capacity(line.len());
        for MoveFile { text, comment, nags, variations } in line {
            let mv = position.parse_move(&text);
            let mv = mv.map_err(|error| format!("ply {}: {error}", plies.len() + 1))?;
            let mut own = Vec::with_capacity(variations.len());
            for variation in variations {
                let plies = MoveFile::plies(position, variation)?;
                own.push(Variation { comment: None, plies });
            }
            plies.push(Ply { mv, comment, nags, variations: own });
            position.make(mv);
        }
        plies.iter().for_each(|_| position.unmake());
        Ok(plies)
    }
}

/// A text that may have games.
#[derive(Debug, Deserialize)]
pub struct LoadRequest {
    text: String,
    /// The game that is on the board: records that name none are of it, and one that was typed is known by its own name.
    #[serde(default)]
    variant: Option<String>,
}

/// What was read.
#[derive(Debug, Serialize)]
pub struct Loaded {
    games: Vec<GameFile>,
    /// A line for each game, and each variation, that could not be read.
    faults: Vec<String>,
    /// How many games there are beyond those that are listed.
    more: usize,
}

/// Reads the games of a text.
///
/// # Errors
/// There is none.
pub fn load(request: &LoadRequest) -> Result<Loaded, Refusal> {
    let mut loaded = Loaded { games: Vec::new(), faults: Vec::new(), more: 0 };
    let asked = request.variant.as_deref();
    let own = asked.and_then(invent::find);
    let fallback = Fallback { own, missing: asked.map(str::to_string), unknown: None };
    for game in pgn::read_all(&request.text, &fallback) {
        match game {
            Ok(_) if loaded.games.len() >= MOST_GAMES => loaded.more += 1,
            Ok(game) => {
                let mut file = GameFile::of(&game.record);
                // The page knows a game that was typed by another name than records have.
                let variant = game.record.start.variant();
                let is_own = fallback.own.as_ref().is_some_and(|own| Arc::ptr_eq(own, variant));
                if let Some(name) = asked.filter(|_| is_own) {
                    file.variant = name.to_string();
                }
                loaded.games.push(file);
                loaded.faults.extend(game.faults.iter().map(ToString::to_string));
            }
            Err(fault) => loaded.faults.push(fault.to_string()),
        }
    }
    match (loaded.games.is_empty(), loaded.faults.first()) {
        (true, Some(fault)) => Err(fault.clone().into()),
        (true, None) => Err("there is no game in it".into()),
        (false, _) => Ok(loaded),
    }
}

impl GameFile {
    fn of(record: &GameRecord) -> GameFile {
        let mut position = record.start.clone();
        let is_start = position == Position::start(position.variant());
        let moves = MoveFile::line(&mut position, &record.plies);
        GameFile {
            variant: position.variant().name().to_string(),
            fen: (!is_start).then(|| record.start.fen()),
            tags: record.tags.clone(),
            comment: record.comment.clone(),
            moves,
            result: record.result.text().to_string(),
        }
    }

    /// The record of the game.
    ///
    /// # Errors
    /// There is no such game, start or move.
    fn record(self) -> Result<GameRecord, Refusal> {
        line::check_length(self.moves.len())?;
        let mut start = line::start(&self.variant, self.fen.as_deref())?;
        let mut record = GameRecord::new(&start);
        self.tags.iter().for_each(|(name, value)| record.set_tag(name, value));
        record.comment = self.comment;
        record.plies = MoveFile::plies(&mut start, self.moves)?;
        record.result = GameResult::parse(&self.result).unwrap_or_default();
        Ok(record)
    }
}

/// The text of a game.
///
/// # Errors
/// There is no such game, start or move.
pub fn save(game: GameFile) -> Result<serde_json::Value, Refusal> {
    Ok(json!({ "pgn": game.record()?.to_pgn() }))
}

/// A game to be written as a page.
#[derive(Debug, Deserialize)]
pub struct ExportRequest {
    game: GameFile,
    /// Its moves with variations and scores, where the page has them.
    #[serde(default)]
    line: Option<Vec<Branch>>,
    /// How pieces look there.
    style: String,
}

/// A ply of a game or of a variation.
#[derive(Debug, Deserialize)]
struct Branch {
    text: String,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    nags: Vec<u8>,
    /// How the position behind it is judged.
    #[serde(default)]
    score: Option<BranchScore>,
    /// Lines that begin in its place.
    #[serde(default)]
    variations: Vec<Vec<Branch>>,
}

/// A score for White.
#[derive(Debug, Deserialize)]
struct BranchScore {
    text: String,
    /// From 0 to 1.
    expected: f64,
}

/// A line that begins in this position, for the page of a game.
fn shown_line(start: &Position, line: Vec<Branch>) -> Result<Vec<ViewerPly>, Refusal> {
    let mut position = start.without_history();
    let mut shown = Vec::with_capacity(line.len());
    for branch in line {
        let mv = position.parse_move(&branch.text).map_err(Refusal::from_display)?;
        let ply = Ply { comment: branch.comment, nags: branch.nags, ..Ply::plain(mv) };
        let mut own = ViewerPly::of_record(&position, &ply);
        let score = branch.score.map(|BranchScore { text, expected }| ViewerValue {
            expected: expected.clamp(0.0, 1.0),
            text,
            best: None,
        });
        own.value = own.value.or(score);
        for variation in branch.variations {
            own.variations.push(shown_line(&position, variation)?);
        }
        shown.push(own);
        position.make(mv);
    }
    Ok(shown)
}

/// The page of a game, in one file; what an annotation has written into its comments is shown as a graph, marks and
/// lines.
///
/// # Errors
/// There is no such game, start, move or style.
pub fn export(request: ExportRequest) -> Result<serde_json::Value, Refusal> {
    let look = pictures::look_of(&request.style);
    let (style, _) = look.ok_or_else(|| Refusal::from("there is no such style"))?;
    let record = request.game.record()?;
    let mut shown = ViewerGame::of_record(&record);
    if let Some(line) = request.line {
        shown.line = shown_line(&record.start, line)?;
    }
    Ok(json!({ "html": viewer::page(&shown, style) }))
}

/// A game to be annotated.
#[derive(Debug, Deserialize)]
pub struct AnnotateRequest {
    /// Who asks.
    tab: String,
    game: GameFile,
    /// For each position.
    nodes: u64,
}

/// An annotation that is ready to run.
pub struct Annotation<'s> {
    ticket: Ticket<'s>,
    record: GameRecord,
    nodes: u64,
    searcher: Searcher,
}

impl<'s> Annotation<'s> {
    /// Prepares what the page asks for.
    ///
    /// # Errors
    /// There is no such game, or too much is asked for.
    pub fn new(
        searches: &'s Searches,
        request: AnnotateRequest,
    ) -> Result<Annotation<'s>, Refusal> {
        let record = request.game.record()?;
        let ticket = searches.begin(&request.tab)?;
        let searcher = Searcher::new(HASH);
        let searcher = searcher.filter(|it| it.has_memory_for(1, record.start.variant()));
        let searcher =
            searcher.ok_or_else(|| Refusal::new(Status::Busy, "no memory for an analysis"))?;
        Ok(Annotation { ticket, record, nodes: request.nodes.clamp(1, MOST_NODES), searcher })
    }

    /// Searches every position of the game; `send` gets a line of JSON for each, and the annotated game at the end.
    ///
    /// # Errors
    /// The reader has gone.
    pub fn run(mut self, mut send: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let (record, control) = (&self.record, &self.ticket.control);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let searcher = &mut self.searcher;
        let mut all = Vec::with_capacity(record.plies.len() + 1);
        let search = |values: Sender<Value>| {
            for index in 0..=record.plies.len() {
                let value = value(record, index, &limits, searcher, control);
                // Nobody receives it once the reader has gone.
                if value.is_none_or(|value| values.send(value).is_err()) {
                    return;
                }
            }
        };
        let part = |value: Value| {
            let part = value_part(record, all.len(), &value);
            all.push(value);
            part
        };
        if let Err(failure) = report(control, search, part, &mut send)? {
            return send(&failure);
        }
        if all.len() <= self.record.plies.len() {
            return send(&json_line(&json!({ "type": "stopped" })));
        }
        let mut game = GameAnalysis::new(1, self.record, all);
        annotate::annotate(&mut game);
        let marks: Vec<_> =
            game.reviews.iter().map(|review| review.mark.map(|mark| mark.sign())).collect();
        let accuracy = Color::ALL.map(|side| accuracy(&game, side));
        let file = GameFile::of(&game.record);
        let (pgn, game) = (game.record.to_pgn(), file);
        let done = json!({ "type": "done", "game": game, "marks": marks, "accuracy": accuracy, "pgn": pgn });
        send(&json_line(&done))
    }
}

/// The value of a position of a game; none if the analysis was stopped.
fn value(
    record: &GameRecord,
    index: usize,
    limits: &Limits,
    searcher: &mut Searcher,
    control: &Control,
) -> Option<Value> {
    if control.is_stopped() {
        return None;
    }
    let position = position_before(record, index);
    let analysis = analyze_position(&position, limits, searcher, |_| {});
    Some(Value::of(&position, analysis))
}

fn value_part(record: &GameRecord, index: usize, value: &Value) -> Vec<u8> {
    let position = position_before(record, index);
    json_line(&json!({
        "type": "value",
        "index": index,
        "total": record.plies.len() + 1,
        "expected": value.expected,
        "text": value.text(),
        "best": position.line_san(&value.line),
    }))
}

/// The mean accuracy of a side's moves in percent; none if it made none.
fn accuracy(game: &GameAnalysis, side: Color) -> Option<f64> {
    let (count, sum) = game.reviews_of(side).fold((0u32, 0.0), |(count, sum), review| {
        (count + 1, sum + f64::from(review.accuracy) / 1000.0)
    });
    (count > 0).then(|| sum / f64::from(count))
}
