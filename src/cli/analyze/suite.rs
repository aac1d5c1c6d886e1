//! A suite: positions with the moves that solve them (`bm`) or fail (`am`), or a mate to find (`dm`).

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::json;

use super::live::score_value;
use super::{Analysis, Args, analyze_with};
use crate::cli::notation::read_move;
use crate::cli::{CommandResult, WORK, pool, print, progress_bar, read_file};
use crate::engine::{Limits, Score, Searcher};
use garrison_rules::{Move, Position, Variant, find, shown};

/// A position and its solution.
struct Task {
    id: String,
    position: Position,
    /// One of these must be found, if there are any.
    best: Vec<Move>,
    /// None of these may be.
    avoid: Vec<Move>,
    /// A mate in at most so many moves must be seen.
    mate: Option<u32>,
}

impl Task {
    fn is_solved_by(&self, mv: Option<Move>, score: Option<Score>) -> bool {
        let seen = score.and_then(Score::mate_moves).and_then(|moves| u32::try_from(moves).ok());
        let mates = |most| seen.is_some_and(|moves| (1..=most).contains(&moves));
        mv.is_some_and(|mv| {
            (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
        }) && self.mate.is_none_or(mates)
    }

    /// Searches; returns the result, and when the search found the solution.
    fn solve(&self, limits: &Limits, searcher: &mut Searcher) -> Option<Answer> {
        let limits = Limits { mate: self.mate, ..limits.clone() };
        let (start, mut since) = (Instant::now(), None);
        let analysis = analyze_with(&self.position, &limits, searcher, |line| {
            if !self.is_solved_by(line.pv.first().copied(), Some(line.score)) {
                since = None;
            } else if since.is_none() {
                since = Some(Since { time: line.time, nodes: line.nodes });
            }
        });
        let analysis = analysis?;
        if since.is_none() && self.is_solved_by(analysis.pv.first().copied(), Some(analysis.score))
        {
            // The limit came before the first line.
            since = Some(Since { time: start.elapsed(), nodes: analysis.nodes });
        }
        Some(Answer { analysis, since })
    }

    /// The expected moves or mate, for people.
    fn wanted(&self) -> String {
        let list = |name: &str, moves: &[Move]| {
            let texts = moves.iter().map(|&mv| format!(" {}", self.position.move_text(mv)));
            if moves.is_empty() {
                String::new()
            } else {
                name.to_string() + &texts.collect::<String>()
            }
        };
        let mate = self.mate.map_or(String::new(), |moves| format!("dm {moves}"));
        let all = [list("bm", &self.best), list("am", &self.avoid), mate];
        all.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

/// The result of a search.
struct Answer {
    analysis: Analysis,
    /// When it found the solution that it kept; `None` if it did not.
    since: Option<Since>,
}

/// A point of a search.
struct Since {
    time: Duration,
    nodes: u64,
}

pub(super) fn run(args: &Args, path: &Path) -> CommandResult {
    let variant = match &args.position.variant {
        Some(name) => Some(find(name).map_err(|unknown| unknown.to_string())?),
        None => None,
    };
    let text = read_file(path)?;
    let mut tasks = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let task = parse(line, variant.as_ref(), number);
        tasks.push(task.map_err(|fault| format!("{}:{number}: {fault}", path.display()))?);
    }
    if tasks.is_empty() {
        return Err(format!("'{}' has no positions", path.display()).into());
    }
    let limits = args.file_limits();
    args.file_searcher().ok_or("no memory for the hash table")?;
    let (pool, bar, start) =
        (pool(args.threads)?, progress_bar(tasks.len() as u64, WORK), Instant::now());
    let solve = |searcher: &mut Option<Searcher>, task: &Task| {
        let answer = searcher.as_mut().and_then(|searcher| task.solve(&limits, searcher));
        bar.inc(1);
        answer
    };
    let answers: Vec<Option<Answer>> =
        pool.install(|| tasks.par_iter().map_init(|| args.file_searcher(), solve).collect());
    bar.finish_and_clear();
    let mut solved = 0;
    for (task, answer) in tasks.iter().zip(&answers) {
        solved += usize::from(report(task, answer.as_ref(), args.json));
    }
    let seconds = start.elapsed().as_secs_f64();
    print(&if args.json {
        format!("{}\n", json!({ "type": "suite", "solved": solved, "total": tasks.len() }))
    } else {
        format!("\nsolved {solved}/{} in {seconds:.1} s\n", tasks.len())
    });
    Ok(())
}

/// Prints the result of a position; returns whether it was solved.
fn report(task: &Task, answer: Option<&Answer>, as_json: bool) -> bool {
    let analysis = answer.map(|answer| &answer.analysis);
    let since = answer.and_then(|answer| answer.since.as_ref());
    let text = analysis.and_then(|analysis| analysis.pv.first());
    let text = text.map(|&mv| task.position.move_text(mv));
    if as_json {
        let value = json!({
            "type": "epd",
            "id": task.id,
            "solved": since.is_some(),
            "move": text,
            "score": analysis.map(|analysis| score_value(analysis.score)),
            "depth": analysis.map(|analysis| analysis.depth),
            "nodes": analysis.map(|analysis| analysis.nodes),
            "solved_ms": since.map(|since| since.time.as_millis() as u64),
            "solved_nodes": since.map(|since| since.nodes),
        });
        print(&format!("{value}\n"));
        return since.is_some();
    }
    let word = if since.is_some() { "solved" } else { "missed" };
    let mut line = format!("{word:<7} {:<32}", task.id);
    let _ = write!(line, " {:<8}", text.unwrap_or_else(|| "none".to_string()));
    if let Some(analysis) = analysis {
        let _ = write!(line, " {:>7} depth {:<3}", analysis.score.readable(), analysis.depth);
    }
    if let Some(since) = since {
        let _ = write!(line, " {:>7.3} s", since.time.as_secs_f64());
    }
    print(&format!("{line} {}\n", task.wanted()));
    since.is_some()
}

/// The longest mate that a search can be asked for, in moves.
const MOST_MOVES: u32 = 1000;

/// Reads a line: a FEN of four or six fields, then operations, each ended by `;`.
fn parse(line: &str, variant: Option<&Arc<Variant>>, number: usize) -> CommandResult<Task> {
    let (fen, operations) = split_fen(line);
    let mut given = variant.cloned();
    let (mut best, mut avoid, mut mate) = (Vec::new(), Vec::new(), None);
    let mut id = format!("line {number}");
    for operation in split_operations(operations)? {
        let (name, value) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        match name {
            "bm" => best.extend(value.split_whitespace()),
            "dm" => {
                let moves =
                    value.trim().parse().ok().filter(|moves| (1..=MOST_MOVES).contains(moves));
                let fault = || format!("'dm {}' is not a number of moves from 1 on", shown(value));
                mate = Some(moves.ok_or_else(fault)?);
            }
            "am" => avoid.extend(value.split_whitespace()),
            "id" => id = value.trim().trim_matches('"').to_string(),
            "variant" => {
                let name = value.trim().trim_matches('"');
                given = Some(find(name).map_err(|unknown| unknown.to_string())?);
            }
            // EPD has many more, which do not matter here.
            _ => {}
        }
    }
    if best.is_empty() && avoid.is_empty() && mate.is_none() {
        return Err("neither 'bm' nor 'am' nor 'dm' behind the position".into());
    }
    let variant = given.ok_or("no game: give --variant NAME, or 'variant NAME;' in the line")?;
    let position = Position::from_fen(&variant, &fen)?;
    let moves = |texts: Vec<&str>| {
        let moves = texts.into_iter().map(|text| read_move(&position, text));
        moves.collect::<Result<Vec<_>, _>>()
    };
    Ok(Task { id: shown(&id), best: moves(best)?, avoid: moves(avoid)?, mate, position })
}

/// The FEN at the beginning of a line, and the rest. An operation never begins with a digit, so two
/// more fields are the counters if they do.
fn split_fen(line: &str) -> (String, &str) {
    let mut rest = line;
    let mut fields = Vec::new();
    while let Some(field) = rest.split_whitespace().next() {
        let is_counter = field.starts_with(|c: char| c.is_ascii_digit());
        // Where checks are counted there is one field more.
        let most =
            if fields.get(4).is_some_and(|field: &&str| field.contains('+')) { 7 } else { 6 };
        if fields.len() == most || fields.len() >= 4 && !is_counter {
            break;
        }
        fields.push(field);
        rest = rest.trim_start().get(field.len()..).unwrap_or("");
    }
    (fields.join(" "), rest.trim())
}

/// The operations of a line, separated by `;` outside quotation marks.
fn split_operations(text: &str) -> CommandResult<Vec<&str>> {
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    let operations = text.split(ends).map(str::trim).filter(|text| !text.is_empty()).collect();
    if quoted { Err("a quotation mark is not closed".into()) } else { Ok(operations) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let line = "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9; id \"a; b\"; variant shoogantshii;";
        let task = parse(line, None, 1).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!((task.id.as_str(), task.best.len(), task.avoid.len()), ("a; b", 1, 0));
        assert_eq!(task.wanted(), "bm e1e9");
        assert!(task.is_solved_by(Some(task.best[0]), None) && !task.is_solved_by(None, None));
        let six = "4k4/9/9/9/9/9/9/9/4K4[] w - - 0 7 am e1e9";
        let task = parse(six, find("shoogantshii").as_ref().ok(), 1)
            .unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(task.position.fullmove(), 7);
        assert!(!task.is_solved_by(Some(task.avoid[0]), None));
        let mate = "4k4/9/9/9/9/9/9/9/4K4[] w - - dm 2; variant shoogantshii;";
        let task = parse(mate, None, 1).unwrap_or_else(|fault| panic!("{fault}"));
        let sees = |plies| {
            let mv = task.position.legal_moves().first().copied();
            task.is_solved_by(mv, Some(Score::mate_in(plies)))
        };
        assert_eq!([1, 3, 5].map(sees), [true, true, false]);
        assert_eq!(task.wanted(), "dm 2");
    }

    #[test]
    fn wrong_lines_are_refused() {
        for wrong in [
            "",
            "4k4/9/9/9/9/9/9/9/4K4[] w - -",
            "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9;",
            "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9; variant checkers;",
            "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1a9; variant shoogantshii;",
            "4k4/9/9/9/9/9/9/9/4K4[] w - - bm e1e9; variant shoogantshii; id \"x",
            "4k4 w - - bm e1e9; variant shoogantshii;",
            "4k4/9/9/9/9/9/9/9/4K4[] w - - dm 0; variant shoogantshii;",
            "4k4/9/9/9/9/9/9/9/4K4[] w - - dm x; variant shoogantshii;",
        ] {
            assert!(parse(wrong, None, 1).is_err(), "{wrong}");
        }
    }
}
