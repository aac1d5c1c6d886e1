//! Every word that the pages and pictures made by the program say beside what it says of rules, moves and results, so
//! that another language is another file of two: this one and `src/board/page/texts.js`, that of the board's own page.
//! The words go into HTML as they stand. Any module may use them; this one depends on none.

use garrison_rules::Color;

/// The language of the words, as HTML names it.
pub(crate) const LANGUAGE: &str = "en";

/// What a side is called.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A piece of a side, by the name of its type.
pub(crate) fn piece_of(color: Color, name: &str) -> String {
    format!("{}'s {name}", side(color))
}

/// Boards, and diagrams of how pieces move.
pub(crate) mod picture {
    use super::{Color, side};

    /// The title of a board.
    pub(crate) fn board(game: &str, color: Color, is_setup: bool) -> String {
        format!("{game}: {} {}", side(color), if is_setup { "to set up" } else { "to move" })
    }

    // What the marks of a diagram mean.
    pub(crate) const BOTH: &str = "moves or captures";
    pub(crate) const QUIET: &str = "moves without capturing";
    pub(crate) const CAPTURE: &str = "captures only";
    pub(crate) const SLIDES: &str = "any number of squares, until a piece is in the way";
    pub(crate) const SLIDES_SO_FAR: &str = "so far and no farther, until a piece is in the way";
    pub(crate) const HOPS: &str = "hops over exactly one piece, near or far";
    pub(crate) const HOPS_BEHIND: &str = "hops to the square right behind a piece";
    pub(crate) const WAY: &str = "only if its way is free";
    pub(crate) const LEAPS: &str = "marks farther off without a line: leaps over pieces";
    pub(crate) const SOMETIMES: &str = "from some squares only, or as a first move";
    pub(crate) const IN_HAND_ONLY: &str = "exists in hand only";
    pub(crate) const NEVER_MOVES: &str = "never moves";
}

/// The page and the picture of a game.
pub(crate) mod rulebook {
    use super::{Color, side};

    pub(crate) const AUTHOR: &str = "Author";
    pub(crate) const PAGE: &str = "Page";
    pub(crate) const ADDRESS: &str = "Address";
    pub(crate) const YEAR: &str = "Year";
    pub(crate) const BOARD: &str = "Board";
    pub(crate) const NAME: &str = "Name";

    pub(crate) const RULES: &str = "Rules";
    pub(crate) const RULINGS: &str = "Rulings";
    /// What rulings are. A sentence, but for its first letter.
    pub(crate) const ABOUT_RULINGS: &str = "decided by this program's rule book where the author's page is silent or \
         ambiguous, or does not show the point in words. A FEN or a definition of your own overrides an array.";
    pub(crate) const HANDS: &str = "A hand can hold:";

    pub(crate) const PIECES: &str = "Pieces";
    pub(crate) const ABOUT_VALUES: &str =
        "Values are in pawns: as this program plays, and as the definition writes them.";
    pub(crate) const ROYAL: &str = "royal";
    pub(crate) const BETZA: &str = "Betza";
    pub(crate) const PROMOTES: &str = "Promotes to";
    pub(crate) const BECOMES: &str = "Becomes";

    pub(crate) const CAPTURED: &str = "Captured";
    pub(crate) const CAPTOR_GETS: &str = "Its captor gets";
    pub(crate) const OWNER_GETS: &str = "Its owner gets";
    pub(crate) const NOTHING: &str = "nothing";

    pub(crate) const PIECE: &str = "piece";
    pub(crate) const WRITTEN: &str = "written";
    pub(crate) const LEARNED: &str = "learned";

    pub(crate) const BETZA_LETTERS: &str = "Betza's letters";
    pub(crate) const ABOUT_MODIFIERS: &str = "Modifiers stand before what they modify.";
    /// The meaning of Betza's letters.
    pub(crate) const LETTERS: [(char, &str); 24] = [
        ('W', "one square straight"),
        ('F', "one square diagonally"),
        ('D', "a leap of two straight"),
        ('A', "a leap of two diagonally"),
        ('H', "a leap of three straight"),
        ('N', "the knight's leap"),
        ('C', "a leap (3,1)"),
        ('Z', "a leap (3,2)"),
        ('G', "a leap of three diagonally"),
        ('R', "any number of squares straight"),
        ('B', "any number of squares diagonally"),
        ('Q', "R and B"),
        ('K', "W and F"),
        ('m', "only to move"),
        ('c', "only to capture"),
        ('n', "not over pieces: what it would leap over must be empty"),
        ('p', "by hopping over exactly one piece of either side"),
        ('g', "to the square right behind the piece that it hops over"),
        ('f', "forward (ff: the two narrow leaps)"),
        ('b', "backward (bs: the two wide leaps)"),
        ('l', "to the left"),
        ('r', "to the right"),
        ('s', "to both sides"),
        ('v', "forward and backward"),
    ];

    /// Who plays which army.
    pub(crate) fn players(white: &str, black: &str) -> String {
        format!("White plays the {white}, Black the {black}.")
    }

    /// The size of a board.
    pub(crate) fn board_size(files: u8, ranks: u8) -> String {
        format!("{files} files, {ranks} ranks")
    }

    /// The only side that has a piece.
    pub(crate) fn only(color: Color) -> String {
        format!("{} only", side(color))
    }

    /// The value of a piece in pawns, and that of its definition.
    pub(crate) fn value(value: f64, written: Option<f64>) -> String {
        match written {
            None => format!("value {value:.2}"),
            Some(written) => format!("value {value:.2}, written {written:.2}"),
        }
    }

    /// The heading of what the hands get for a captured piece.
    pub(crate) fn gains(name: &str) -> String {
        format!("What a captured {name} puts into the hands")
    }

    /// Which of its side's pieces is captured: 0 is the first.
    pub(crate) fn which(index: usize) -> &'static str {
        ["first", "second", "third"].get(index).copied().unwrap_or("next")
    }

    /// That piece of its owner.
    pub(crate) fn owners(index: usize) -> String {
        format!("the owner's {}", which(index))
    }

    /// The heading of the armies of a family.
    pub(crate) fn armies(count: usize) -> String {
        format!("{count} armies")
    }

    /// The names of the games of a family, and that of its game by chance.
    pub(crate) fn match_ups(count: usize, names: &str, random: &str) -> String {
        format!("{count} match-ups: {names}; {random} leaves both armies to chance.")
    }
}

/// The page of a played game.
pub(crate) mod viewer {
    pub(crate) const BOARD: &str = "Board";
    pub(crate) const MOVES: &str = "Moves";
    /// Before the first move.
    pub(crate) const START: &str = "Start";
    /// Behind a move that gives check.
    pub(crate) const CHECK: &str = "Check.";
    pub(crate) const GRAPH: &str = "Expected score of White after every move";
    pub(crate) const ABOUT_GRAPH: &str =
        "Expected score of White: above the middle White is better.";

    // The buttons: what stands on them, and what they do with the key that does the same.
    pub(crate) const FIRST: (&str, &str) = ("To the start", "To the start (Home)");
    pub(crate) const BACK: (&str, &str) = ("Back", "Back (←)");
    pub(crate) const NEXT: (&str, &str) = ("Forward", "Forward (→)");
    pub(crate) const LAST: (&str, &str) = ("To the end", "To the end (End)");
    pub(crate) const RUN: (&str, &str) = ("Play", "Play by itself (space)");
    pub(crate) const FLIP: (&str, &str) = ("Flip", "Turn the board (f)");
    pub(crate) const BEST: (&str, &str) = ("Best", "Show the best move (b)");

    /// A better line with its score.
    pub(crate) fn best(score: &str) -> String {
        format!("best, {score}")
    }

    /// How well a player has played: mean accuracy in percent, mean loss in centipawns, and the number of inaccuracies,
    /// mistakes and blunders.
    pub(crate) fn player(name: &str, accuracy: &str, loss: &str, marks: [u64; 3]) -> String {
        let counted = |count: u64, one: &str, several: &str| {
            format!("{count} {}", if count == 1 { one } else { several })
        };
        let [inaccuracies, mistakes, blunders] = marks;
        format!(
            "{name}: accuracy {accuracy} %, {loss} centipawns lost a move; {}, {}, {}",
            counted(inaccuracies, "inaccuracy", "inaccuracies"),
            counted(mistakes, "mistake", "mistakes"),
            counted(blunders, "blunder", "blunders")
        )
    }
}
