//! Whole games: every move gets a score and the best line, blunders are marked.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{Analysis, Args, analyze_position, graph};
use crate::cli::notation::eval_text;
use crate::cli::{CommandResult, WORK, pool, print, progress_bar, read_file, write_file};
use crate::record::{EVAL, GameRecord, pgn};
use garrison_rules::{Color, Outcome, Position, find};

/// The least loss of expected score for a mark: blunder, mistake, dubious move. These are the
/// thresholds of chess.com's classification by expected points.
const MARKS: [(f64, u8); 3] = [(0.20, BLUNDER), (0.10, MISTAKE), (0.05, DUBIOUS)];

pub(super) const BLUNDER: u8 = 4;
pub(super) const MISTAKE: u8 = 2;
pub(super) const DUBIOUS: u8 = 6;

/// The glyphs that rate a move; an analysis replaces them.
const QUALITY: std::ops::RangeInclusive<u8> = 1..=6;

/// The plies of a best line that are written down.
const LINE_LENGTH: usize = 6;

pub(super) fn run(args: &Args, path: &Path) -> CommandResult {
    let mut games = Vec::new();
    for game in read(args, path)? {
        games.push(game.map_err(|error| format!("'{}': {error}", path.display()))?);
    }
    if games.is_empty() {
        return Err(format!("'{}' has no games", path.display()).into());
    }
    let limits = args.file_limits();
    args.file_searcher().ok_or("no memory for the hash table")?;
    let pool = pool(args.threads)?;
    let bar = progress_bar(games.iter().map(|game| game.plies.len() as u64 + 1).sum(), WORK);
    let mut text = String::new();
    for (index, game) in games.iter_mut().enumerate() {
        let positions = positions(game);
        let look = |searcher: &mut Option<_>, position: &Position| {
            let analysis = searcher
                .as_mut()
                .and_then(|searcher| analyze_position(position, &limits, searcher));
            bar.inc(1);
            analysis
        };
        let analyses: Vec<Option<Analysis>> =
            pool.install(|| positions.par_iter().map_init(|| args.file_searcher(), look).collect());
        let values: Vec<Value> =
            positions.iter().zip(&analyses).map(|(position, v)| Value::of(position, v)).collect();
        annotate(game, &positions, &analyses, &values);
        game.set_tag("Annotator", concat!("Garrison ", env!("CARGO_PKG_VERSION")));
        if index > 0 {
            text.push('\n');
        }
        text += &game.to_pgn();
        if let Some(path) = &args.svg {
            let path = numbered(path, index);
            let expected: Vec<f64> = values.iter().map(|value| value.expected).collect();
            write_file(&path, &graph::draw(game, &expected)?)?;
        }
    }
    bar.finish_and_clear();
    match &args.output {
        Some(path) => write_file(path, &text),
        None => {
            print(&text);
            Ok(())
        }
    }
}

/// The games of a file; `--variant` names the game where no tag does.
fn read(args: &Args, path: &Path) -> CommandResult<Vec<Result<GameRecord, pgn::PgnError>>> {
    let name = args.position.variant.as_deref();
    name.map(find).transpose()?;
    Ok(pgn::read_with(&read_file(path)?, name))
}

/// The positions before each ply, and the last.
fn positions(game: &GameRecord) -> Vec<Position> {
    let mut position = game.start.clone();
    let mut positions = vec![position.clone()];
    for ply in &game.plies {
        position.make(ply.mv);
        positions.push(position.clone());
    }
    positions
}

/// The value of a position for White.
struct Value {
    /// The expected score of White, from 0 to 1.
    expected: f64,
    /// As `[%eval …]` has it: pawns or moves to mate, and the depth; `None` if the game is over.
    text: Option<String>,
}

impl Value {
    fn of(position: &Position, analysis: &Option<Analysis>) -> Value {
        match (analysis, position.status().outcome()) {
            (_, Some(Outcome { winner, .. })) => {
                let expected =
                    winner.map_or(0.5, |winner| f64::from(u8::from(winner == Color::White)));
                Value { expected, text: None }
            }
            (None, None) => Value { expected: 0.5, text: None },
            (Some(analysis), None) => {
                let score = analysis.score;
                let expected = match position.side_to_move() {
                    Color::White => score.expectation(),
                    Color::Black => 1.0 - score.expectation(),
                };
                let text = eval_text(score, position.side_to_move(), analysis.depth);
                Value { expected, text: Some(text) }
            }
        }
    }
}

/// Adds scores, marks and best lines to a game. The score of a move is that of the position after it.
fn annotate(
    game: &mut GameRecord,
    positions: &[Position],
    analyses: &[Option<Analysis>],
    values: &[Value],
) {
    for (index, ply) in game.plies.iter_mut().enumerate() {
        let (before, after) = (&values[index], &values[index + 1]);
        let line = analyses[index].as_ref().map_or(&[][..], |analysis| &analysis.pv);
        ply.nags.retain(|nag| !QUALITY.contains(nag));
        // The move that the search prefers is never marked: a drop of its score is the search's own error.
        if line.first() != Some(&ply.mv) {
            let gain = after.expected - before.expected;
            let loss = if positions[index].side_to_move() == Color::White { -gain } else { gain };
            let mark = MARKS.iter().find(|(least, _)| loss >= *least);
            ply.nags.splice(0..0, mark.map(|(_, nag)| *nag));
        }
        let old = ply.comment.take().unwrap_or_default();
        let mut parts = Vec::from_iter(kept(&old).map(str::to_string));
        match &after.text {
            Some(text) => parts.push(format!("{EVAL}{text}]")),
            None => parts.push(format!("{EVAL}{}]", positions[index + 1].status())),
        }
        let best = positions[index].line_san(&line[..line.len().min(LINE_LENGTH)]);
        if let (false, Some(text)) = (best.is_empty(), &before.text) {
            parts.push(format!("best {} ({text})", best.join(" ")));
        }
        ply.comment = Some(parts.join(" "));
    }
}

/// The part of a comment that an analysis keeps: everything before a score.
fn kept(comment: &str) -> Option<&str> {
    let kept = comment.split(EVAL).next().unwrap_or("").trim();
    (!kept.is_empty()).then_some(kept)
}

/// The path for the graph of this game: the first has the path given.
fn numbered(path: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let dot = if extension.is_empty() { "" } else { "." };
    path.with_file_name(format!("{stem}-{}{dot}{extension}", index + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_replaces_what_one_before_it_wrote() {
        assert_eq!(kept("[%eval 0.31,8] best Nf3 (0.20,8)"), None);
        assert_eq!(kept("a bold move [%eval #2,8]"), Some("a bold move"));
        assert_eq!(kept(""), None);
    }

    #[test]
    fn every_game_has_a_graph_of_its_own() {
        assert_eq!(numbered(Path::new("a/b.svg"), 0), Path::new("a/b.svg"));
        assert_eq!(numbered(Path::new("a/b.svg"), 1), Path::new("a/b-2.svg"));
        assert_eq!(numbered(Path::new("graph"), 2), Path::new("graph-3"));
    }
}
