//! A game as one page that opens anywhere, without a server or a network: a board to step through, the graph of the
//! evaluation, comments and variations. Its script knows no rule: every position comes as the pieces that differ from
//! the one before.

mod graph;
mod moves;

use serde::Serialize;

use crate::engine::Score;
use crate::page_texts::{side as side_text, viewer as texts};
use crate::picture::{Ground, Style, ground, page_parts, placed};
use crate::record::{EVAL, GameRecord, Ply, RecordedScore, Variation};
use crate::review::annotate::{BEST, QUALITY, kept};
use crate::review::{GameAnalysis, Mark, Value, player};
use crate::text::escaped;
use crate::web_page::document;
use garrison_rules::{Color, Move, Position};

use moves::Writer;

const STYLE: &str = include_str!("viewer.css");
const SCRIPT: &str = include_str!("viewer.js");

/// A game with all that a page shows of it.
#[derive(Debug, Clone)]
pub struct ViewerGame {
    /// Names and values: `White`, `Black`, `Event` and so on.
    pub tags: Vec<(String, String)>,
    /// The position before the first ply.
    pub start: Position,
    /// How that position is judged.
    pub value: Option<ViewerValue>,
    /// The comment before the first ply.
    pub comment: Option<String>,
    /// The moves.
    pub line: Vec<ViewerPly>,
    /// The result as the record has it: `1-0`.
    pub result: String,
    /// Lines about the game as a whole, such as how accurately each player played.
    pub notes: Vec<String>,
}

/// A move of a game or of a variation.
#[derive(Debug, Clone)]
pub struct ViewerPly {
    /// The move, legal after those before it.
    pub mv: Move,
    /// What is said of it.
    pub comment: Option<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, and so on.
    pub nags: Vec<u8>,
    /// How the position after it is judged.
    pub value: Option<ViewerValue>,
    /// Lines that begin in its place.
    pub variations: Vec<Vec<ViewerPly>>,
}

impl ViewerPly {
    /// A move made in this position as a record has it, with the score, the mark and the better line that an annotation
    /// has left in its comment; the variations of the record come behind that.
    pub fn of_record(position: &Position, ply: &Ply) -> ViewerPly {
        let text = ply.comment.as_deref().unwrap_or_default();
        let own = without_commands(&kept(text).join(" "));
        let is_marked = ply.nags.iter().any(|&nag| Mark::of_nag(nag).is_some());
        let better = better_line(text).filter(|_| is_marked);
        let better = better.map(|words| better_of(position, words));
        ViewerPly {
            mv: ply.mv,
            comment: Some(own).filter(|text| !text.is_empty()),
            nags: ply.nags.clone(),
            value: noted(text).map(ViewerValue::of_note),
            variations: better
                .filter(|line| !line.is_empty())
                .into_iter()
                .chain(own_variations(position, ply))
                .collect(),
        }
    }

    /// A move of which nothing is said.
    pub fn plain(mv: Move) -> ViewerPly {
        ViewerPly { mv, comment: None, nags: Vec::new(), value: None, variations: Vec::new() }
    }
}

/// The variations that a record has of a move made in this position, as far as they are legal. What stands before a
/// variation is said of its first move.
fn own_variations(position: &Position, ply: &Ply) -> Vec<Vec<ViewerPly>> {
    let shown = |variation: &Variation| {
        let mut position = position.without_history();
        let mut line = Vec::with_capacity(variation.plies.len());
        for ply in &variation.plies {
            if !position.is_legal(ply.mv) {
                break;
            }
            line.push(ViewerPly::of_record(&position, ply));
            position.make(ply.mv);
        }
        let before = variation.comment.as_deref().map(without_commands).unwrap_or_default();
        if let (false, Some(first)) = (before.is_empty(), line.first_mut()) {
            first.comment = Some(Variation::joined(before, first.comment.take()));
        }
        line
    };
    ply.variations.iter().map(shown).filter(|line| !line.is_empty()).collect()
}

/// How a position is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewerValue {
    /// The expected score of White, from 0 to 1.
    pub expected: f64,
    /// The score for people, for White: `+0.31`, `#3`, or how the game has ended.
    pub text: String,
    /// The best move there.
    pub best: Option<Move>,
}

impl ViewerGame {
    /// A game as its record has it, with the scores, marks and better lines that an annotation has left in its comments.
    pub fn of_record(record: &GameRecord) -> ViewerGame {
        let mut position = record.start.without_history();
        let mut line = Vec::with_capacity(record.plies.len());
        for ply in &record.plies {
            line.push(ViewerPly::of_record(&position, ply));
            position.make(ply.mv);
        }
        let comment = record.comment.as_deref().map(without_commands);
        ViewerGame {
            tags: record.tags.clone(),
            start: record.start.clone(),
            value: None,
            comment: comment.filter(|text| !text.is_empty()),
            line,
            result: record.result.text().to_string(),
            notes: Vec::new(),
        }
    }

    /// A game with its analysis: every position with its score, and for every marked move the line that was better.
    pub fn of_analysis(game: &GameAnalysis) -> ViewerGame {
        let mut shown = ViewerGame::of_record(&game.record);
        shown.value = game.values.first().map(ViewerValue::of);
        let judgments = game.reviews.iter().zip(game.values.windows(2));
        let positions = game.positions().map(|(_, position)| position);
        let plies = game.record.plies.iter().zip(positions).zip(judgments);
        for (shown, ((ply, position), (review, values))) in shown.line.iter_mut().zip(plies) {
            shown.nags.retain(|nag| !QUALITY.contains(nag));
            shown.nags.splice(0..0, review.mark.map(|mark| mark.nag()));
            shown.value = Some(ViewerValue::of(&values[1]));
            // What an earlier annotation thought better gives way, but not the variations of the record.
            let better = review.mark.map(|_| better(&values[0])).into_iter();
            shown.variations = better.chain(own_variations(&position, ply)).collect();
        }
        shown
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(other, _)| other == name);
        let value = found.map(|(_, value)| value.as_str());
        value.filter(|value| !value.is_empty() && !value.starts_with('?'))
    }

    /// The name of a player, or the side; with the side if both have one name.
    fn player(&self, side: Color) -> String {
        let name = |side: Color| self.tag(&side.to_string());
        player(side_text(side), name(side), name(!side))
    }
}

impl ViewerValue {
    /// That of a position of an analyzed game.
    pub fn of(value: &Value) -> ViewerValue {
        let best = value.line.first().copied();
        ViewerValue { expected: value.expected, text: value.text(), best }
    }

    /// That which the inside of `[%eval …]` says: pawns or moves to mate, for White, or how the game has ended.
    pub fn of_note(note: &str) -> ViewerValue {
        let text = note.split(',').next().unwrap_or(note).trim();
        let score = match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().map(RecordedScore::Mate),
            None => text
                .parse::<f64>()
                .ok()
                .map(|pawns| RecordedScore::Centipawns((pawns * 100.0).round() as i32)),
        };
        let expected = match score {
            Some(RecordedScore::Centipawns(value)) => {
                Score::centipawns(value.clamp(-10_000, 10_000)).expectation()
            }
            Some(RecordedScore::Mate(moves)) => f64::from(u8::from(moves > 0)),
            None if text.starts_with("white wins") => 1.0,
            None if text.starts_with("black wins") => 0.0,
            None => 0.5,
        };
        let text = score.map_or_else(|| text.to_string(), RecordedScore::readable);
        ViewerValue { expected, text, best: None }
    }
}

/// The inside of the last score of a comment.
fn noted(comment: &str) -> Option<&str> {
    comment.rsplit_once(EVAL)?.1.split(']').next()
}

/// The moves of the better line behind the score of a comment, and the score of that line.
fn better_line(comment: &str) -> Option<&str> {
    let behind = comment.rsplit_once(EVAL)?.1.split_once(']')?.1;
    behind.trim_start().strip_prefix(BEST)?.split_once(')').map(|(line, _)| line)
}

/// A better line from its text, as far as it can be read.
fn better_of(position: &Position, words: &str) -> Vec<ViewerPly> {
    let (moves, note) = words.split_once('(').unwrap_or((words, ""));
    let mut position = position.clone();
    let mut line = Vec::new();
    for word in moves.split_whitespace() {
        let Ok(mv) = position.parse_san(word) else { break };
        position.make(mv);
        line.push(ViewerPly::plain(mv));
    }
    if let Some(first) = line.first_mut().filter(|_| !note.is_empty()) {
        first.comment = Some(texts::best(&ViewerValue::of_note(note).text));
    }
    line
}

/// The best line from a position, with its score.
fn better(value: &Value) -> Vec<ViewerPly> {
    let mut line: Vec<ViewerPly> = value.line.iter().copied().map(ViewerPly::plain).collect();
    if let (Some(first), Some((score, _))) = (line.first_mut(), value.searched) {
        first.comment = Some(texts::best(&score.readable()));
    }
    line
}

/// A comment without the commands of programs in it, as `[%clk 0:00:30]`.
pub fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, behind)) = rest.split_once("[%") {
        text += before;
        rest = behind.split_once(']').map_or("", |(_, rest)| rest);
    }
    text += rest;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the script reads.
#[derive(Serialize)]
struct Data {
    files: u8,
    ranks: u8,
    square: i32,
    /// The corner of the board with White and with Black at the bottom.
    origin: [(i32, i32); 2],
    /// The letter of each piece in the nodes, with its symbol and its name.
    pieces: Vec<(char, String, String)>,
    nodes: Vec<moves::Node>,
}

/// The page of a game.
pub fn page(game: &ViewerGame, style: Style) -> String {
    let variant = game.start.variant();
    let [white, black] = Color::ALL.map(|bottom| ground(variant, style, bottom));
    let mut writer = Writer::new(variant, style);
    let list = writer.write(game);
    let data = Data {
        files: variant.geometry().files(),
        ranks: variant.geometry().ranks(),
        square: white.square,
        origin: [white.origin, black.origin],
        pieces: writer.pieces(),
        nodes: writer.nodes,
    };
    // A tag in a text would end the element.
    let json = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
    let (top, bottom) = (escaped(&game.player(Color::Black)), escaped(&game.player(Color::White)));
    let notes: String = game
        .notes
        .iter()
        .map(|note| format!("<p class=\"soft\">{}</p>\n", escaped(note)))
        .collect();
    let body = format!(
        "{parts}<main>\n{header}<div class=\"game\">\n<section class=\"play\" aria-label=\"{about_board}\">\n\
         <div class=\"hand\" id=\"above\"><b id=\"name-above\">{top}</b><span class=\"row\" id=\"hand-above\"></span></div>\n\
         <div class=\"board\">{bar}{board}</div>\n\
         <div class=\"hand\" id=\"below\"><b id=\"name-below\">{bottom}</b><span class=\"row\" id=\"hand-below\"></span></div>\n\
         {buttons}<p id=\"now\" role=\"status\" aria-live=\"polite\"></p>\n</section>\n\
         <section class=\"text\" aria-label=\"{about_moves}\">\n{graph}<div id=\"moves\">{list}</div>\n{notes}</section>\n</div>\n</main>\n\
         <script type=\"application/json\" id=\"data\">{json}</script>",
        parts = page_parts(variant, style),
        about_board = texts::BOARD,
        about_moves = texts::MOVES,
        header = header(game),
        bar = if game.line.iter().any(|ply| ply.value.is_some()) {
            "<div class=\"bar\" aria-hidden=\"true\"><i id=\"bar\"></i></div>"
        } else {
            ""
        },
        board = board(&white, &black, game, style),
        buttons = buttons(),
        graph = graph::graph(game),
        notes = notes,
    );
    document(&title(game), STYLE, &body, SCRIPT)
}

/// The buttons that step through the game.
fn buttons() -> String {
    let named = |id: &str, sign: &str, (name, title): (&str, &str)| {
        format!("<button id=\"{id}\" aria-label=\"{name}\" title=\"{title}\">{sign}</button>")
    };
    let pressed = " aria-pressed=\"false\"";
    let labeled = |id: &str, state: &str, (label, title): (&str, &str)| {
        format!("<button id=\"{id}\"{state} title=\"{title}\">{label}</button>")
    };
    let all = [
        named("first", "«", texts::FIRST),
        named("back", "‹", texts::BACK),
        named("next", "›", texts::NEXT),
        named("last", "»", texts::LAST),
        labeled("run", pressed, texts::RUN),
        labeled("flip", "", texts::FLIP),
        labeled("best", pressed, texts::BEST),
    ];
    format!("<div class=\"buttons\">{}</div>\n", all.concat())
}

fn title(game: &ViewerGame) -> String {
    format!("{} – {}", game.player(Color::White), game.player(Color::Black))
}

/// Who played what, when and with which result.
fn header(game: &ViewerGame) -> String {
    let info = game.start.variant().info();
    let mut facts = vec![info.title.clone(), game.result.clone()];
    facts.extend(
        ["Event", "Site", "Date", "Annotator"]
            .iter()
            .filter_map(|name| game.tag(name).map(str::to_string)),
    );
    format!(
        "<header><h1>{}</h1><p class=\"soft\">{}</p></header>\n",
        escaped(&title(game)),
        escaped(&facts.join(" · "))
    )
}

/// The board, both ways round, with the start position on it for those without scripts.
fn board(white: &Ground, black: &Ground, game: &ViewerGame, style: Style) -> String {
    let (width, height) = white.size;
    format!(
        "<svg id=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"now\">\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" markerWidth=\"3.4\" markerHeight=\"3.4\" orient=\"auto\">\
         <path class=\"gb-arrow\" d=\"M0 0L10 5 0 10z\"/></marker></defs>\
         <g id=\"ground-white\">{}</g><g id=\"ground-black\" hidden>{}</g><g id=\"lit\"></g><g id=\"placed\">{}</g><g id=\"arrows\"></g></svg>",
        white.inside,
        black.inside,
        placed(&game.start, style, Color::White)
    )
}
