//! What may be wrong with a text in Betza notation.

use thiserror::Error;

/// Why a text is not Betza notation, with the column of the fault (the first character is in column 1).
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BetzaError {
    /// The text is empty.
    #[error("empty move notation (an atom such as W, N or R is needed)")]
    Empty,
    /// A character that is no atom, modifier or range.
    #[error(
        "column {column}: '{found}' is no atom (WFDNAHCZGRBQK) and no modifier (mcnpgfblrsva){}",
        instead(*.found)
    )]
    Unknown {
        /// Where it stands.
        column: usize,
        /// The character.
        found: char,
    },
    /// Modifiers with no atom after them.
    #[error("column {column}: modifiers '{modifiers}' without an atom after them")]
    NoAtom {
        /// Where the modifiers begin.
        column: usize,
        /// The modifiers.
        modifiers: String,
    },
    /// A modifier given twice.
    #[error("column {column}: modifier '{found}' stands twice")]
    Twice {
        /// Where the second one stands.
        column: usize,
        /// The modifier.
        found: char,
    },
    /// A range that is too large.
    #[error("column {column}: '{atom}' cannot have the range {range} (0 to 15, 0 for no limit)")]
    Range {
        /// Where the range begins.
        column: usize,
        /// The atom before it.
        atom: char,
        /// The range.
        range: String,
    },
    /// A hopper on an atom that does not slide.
    #[error("column {column}: '{mode}' needs an atom that slides (R, B, Q), not '{atom}'")]
    Hopper {
        /// Where the atom stands.
        column: usize,
        /// The hopper's modifier.
        mode: char,
        /// The atom.
        atom: char,
    },
    /// Modes that exclude each other, or `n` on a step that leaps over nothing.
    #[error("column {column}: 'n' means nothing on '{atom}' ({why})")]
    Lame {
        /// Where the atom stands.
        column: usize,
        /// The atom.
        atom: char,
        /// Why.
        why: &'static str,
    },
    /// A move of two legs that cannot be said.
    #[error("column {column}: {why}")]
    Legs {
        /// Where the atom stands.
        column: usize,
        /// Why.
        why: &'static str,
    },
    /// Directions that select no move of the atom.
    #[error("column {column}: directions '{directions}' mean nothing before '{atom}'")]
    Directions {
        /// Where the atom stands.
        column: usize,
        /// The atom.
        atom: char,
        /// The directions.
        directions: String,
    },
}

/// What stands for a letter of other dialects of the notation.
fn instead(letter: char) -> &'static str {
    match letter {
        'i' => "; first moves are said by 'first' or 'double_step'",
        'j' => "; a lame leaper is 'n' here",
        'e' => "; en passant is said by 'double_step'",
        'O' => "; castling is said by 'castling'",
        'L' => "; the leap (3,1) is 'C', (3,2) is 'Z'",
        'J' => "; the leap (3,2) is 'Z'",
        _ => "",
    }
}
