//! The lines of a suite: a position with the moves that solve it (`bm`) or fail (`am`), or a mate to find (`dm`).

use std::sync::Arc;

use crate::cli::CommandResult;
use crate::cli::notation::read_move;
use crate::engine::Score;
use garrison_rules::{Move, Position, Variant, find, shown};

/// A position and its solution.
pub(super) struct Task {
    pub id: String,
    pub position: Position,
    /// One of these must be found, if there are any.
    best: Vec<Move>,
    /// None of these may be.
    avoid: Vec<Move>,
    /// A mate in at most so many moves must be seen.
    pub mate: Option<u32>,
}

impl Task {
    pub fn is_solved_by(&self, mv: Option<Move>, score: Option<Score>) -> bool {
        let seen = score.and_then(Score::mate_moves).and_then(|moves| u32::try_from(moves).ok());
        let mates = |most| seen.is_some_and(|moves| (1..=most).contains(&moves));
        mv.is_some_and(|mv| {
            (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
        }) && self.mate.is_none_or(mates)
    }

    /// The expected moves or mate, for people.
    pub fn wanted(&self) -> String {
        let list = |name: &str, moves: &[Move]| {
            let texts = moves.iter().map(|&mv| format!(" {}", self.position.san(mv)));
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

/// The longest mate that a search can be asked for, in moves.
const MOST_MOVES: u32 = 1000;

/// Reads a line: a FEN of four or six fields, then operations, each ended by `;`.
pub(super) fn parse(
    line: &str,
    variant: Option<&Arc<Variant>>,
    number: usize,
) -> CommandResult<Task> {
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
        assert_eq!(task.wanted(), "bm Kxe9#");
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
