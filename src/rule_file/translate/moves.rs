//! How pieces move: from the notation of rule files to that of definitions.

use garrison_rules::betza::{self, Step};

use crate::rule_file::squares::{Area, Board};

/// The moves of a piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Moves {
    /// Those that it always has.
    pub betza: String,
    /// Those that it has only where pieces start (`i`), without that letter.
    pub first: Vec<String>,
    /// Parts of the notation to which Fairy-Stockfish gives no moves.
    pub mute: Vec<String>,
}

/// An atom with its modifiers and its range.
struct Term {
    modifiers: String,
    atom: char,
    /// The atom once more, or a number.
    behind: String,
}

/// The moves in the notation of definitions.
///
/// # Errors
/// The notation has a part that definitions lack.
pub(super) fn moves(text: &str) -> Result<Moves, String> {
    let mut moves = Moves::default();
    for mut term in terms(text)? {
        // That a piece captures in passing is said by its double step.
        term.modifiers.retain(|c| c != 'e');
        // Its lame leapers are those with four atoms; others stand still.
        if term.modifiers.contains('n') && !"NAZJD".contains(term.atom) {
            moves.mute.push(format!("{}{}", term.modifiers, term.atom));
            continue;
        }
        let is_first = term.modifiers.contains('i');
        term.modifiers.retain(|c| c != 'i');
        let written = term.written()?;
        if is_first { moves.first.push(written) } else { moves.betza.push_str(&written) }
    }
    for betza in moves.first.iter().chain(Some(&moves.betza).filter(|betza| !betza.is_empty())) {
        betza::parse(betza).map_err(|error| error.to_string())?;
    }
    Ok(moves)
}

fn terms(text: &str) -> Result<Vec<Term>, String> {
    let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut terms = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let modifiers: String = chars[at..].iter().take_while(|c| c.is_ascii_lowercase()).collect();
        at += modifiers.len();
        let Some(&atom) = chars.get(at).filter(|c| c.is_ascii_uppercase()) else {
            return Err(format!("'{text}': '{modifiers}' stands before no atom"));
        };
        at += 1;
        let doubled = chars.get(at) == Some(&atom);
        let digits = chars[at..].iter().take_while(|c| c.is_ascii_digit());
        let behind: String = if doubled { atom.to_string() } else { digits.collect() };
        at += behind.len();
        terms.push(Term { modifiers, atom, behind });
    }
    Ok(terms)
}

impl Term {
    fn written(&self) -> Result<String, String> {
        // Definitions have one letter for each leap.
        let atom = match self.atom {
            'L' => 'C',
            'J' => 'Z',
            atom => atom,
        };
        let is_direction = |c: &char| "fblrsvh".contains(*c);
        let (directions, mut modes): (String, String) =
            self.modifiers.chars().partition(is_direction);
        let directions = if "NCZ".contains(atom) { leaps(&directions)? } else { directions };
        if directions.contains('h') {
            return Err(format!("'{}{}': halves of directions", self.modifiers, self.atom));
        }
        modes.push_str(&directions);
        Ok(format!("{modes}{atom}{}", self.behind))
    }
}

/// The directions of a leap such as the knight's: `f` are the two that go farthest forward, `fh` all four.
fn leaps(directions: &str) -> Result<String, String> {
    Ok(match directions {
        "f" => "ff".to_string(),
        "b" => "bb".to_string(),
        "l" => "ll".to_string(),
        "r" => "rr".to_string(),
        "fh" | "hf" => "f".to_string(),
        "bh" | "hb" => "b".to_string(),
        other => other.to_string(),
    })
}

/// The steps of a piece that the notation of definitions says.
pub(super) fn steps(betza: &str) -> Vec<Step> {
    betza::parse(betza).unwrap_or_default()
}

/// Whether a piece moves to the left as it moves to the right.
pub(super) fn is_even(betza: &str) -> bool {
    let steps = steps(betza);
    steps.iter().all(|step| steps.contains(&Step { dx: -step.dx, ..*step }))
}

/// Whether a piece moves back as it moves forward.
pub(super) fn goes_both_ways(betza: &str) -> bool {
    let steps = steps(betza);
    steps.iter().all(|step| steps.contains(&Step { dy: -step.dy, ..*step }))
}

/// The squares, as its side sees them, from which no step of a piece leads to another square of the board.
pub(super) fn stuck(board: Board, betza: &str) -> Area {
    let steps = steps(betza);
    let lands = |(rank, file): (u8, u8), step: &Step| {
        let inside =
            |at: u8, by: i8, size: u8| at.checked_add_signed(by).is_some_and(|to| to < size);
        step.quiet && inside(rank, step.dy, board.ranks) && inside(file, step.dx, board.files)
    };
    let mut area = board.all();
    area.retain(|&at| !steps.iter().any(|step| lands(at, step)));
    area
}
