//! Positions to learn from, as text a line each, `VARIANT|FEN|CP|RESULT`, or packed ([`data`](super::data)). What reads
//! one reads the other.
//!
//! A text begins with a line that says what was played, and every game with `# game N`, from 1. A part of a run
//! (`shard I/N of GAMES` in its first line) has every N-th game, from the I-th. The score is in centipawns and the result
//! 1, 0.5 or 0, both as White sees them; `*` stands for the
//! result of a position that was not played.

mod header;
mod reading;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use header::{Header, Keep, Origin, Rescored, UnknownKeep};
pub(super) use reading::{Cursor, begin_packed, begin_text};
pub use reading::{Line, header, is_packed, read, read_records, read_text_with_header, survey};

use super::data::PackedError;
use crate::files::ReadError;
use garrison_rules::{Color, Position, UnknownGame, find, shown};

/// A position, the score that a search found, and how its game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The position, without its history.
    pub position: Position,
    /// The score for White in centipawns.
    pub centipawns: i32,
    /// How its game ended; none for a position that was not played.
    pub end: Option<End>,
}

/// How a game ended: the winner, or none for a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End(pub Option<Color>);

impl Sample {
    /// The result for White, if it has one: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn result(&self) -> Option<f64> {
        self.end.map(End::result)
    }
}

impl End {
    /// The result for White: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn result(self) -> f64 {
        match self.0 {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (variant, fen) = (self.position.variant().name(), self.position.fen());
        write!(f, "{variant}|{fen}|{}|", self.centipawns)?;
        match self.result() {
            Some(result) => write!(f, "{result}"),
            None => f.write_str("*"),
        }
    }
}

/// Why a line of a file of samples is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SampleError {
    /// It does not have four fields.
    #[error("'{0}' is no VARIANT|FEN|CP|RESULT")]
    Fields(String),
    /// There is no such game.
    #[error(transparent)]
    Variant(#[from] UnknownGame),
    /// The game has other pieces than the one that is learned.
    #[error("{found} is no game of the family of {expected}")]
    Family {
        /// The game of the line.
        found: String,
        /// The game that is learned.
        expected: String,
    },
    /// The position is not written well, or cannot be.
    #[error("{0}")]
    Position(String),
    /// The score is not a whole number.
    #[error("score '{0}' is no whole number of centipawns")]
    Score(String),
    /// The result is unknown.
    #[error("result '{0}' is neither 1, 0.5, 0 nor *")]
    Result(String),
    /// The first line is not that of such a file.
    #[error(
        "'{0}' does not say '# garrison selfplay seed S nodes N plies P hash MB [keep WHAT] [shard I/N of GAMES] version V [eval SUM] [rescored N [by SUM]] variants ...' (`garrison rescore` makes such a file of PGN)"
    )]
    Header(String),
    /// A game is missing or repeated.
    #[error("'{found}' stands where '# game {expected}' should")]
    Game {
        /// The line.
        found: String,
        /// The number of the next game.
        expected: u64,
    },
    /// A position before the first game.
    #[error("a position before '# game {0}'")]
    Homeless(u64),
    /// The line has more bytes than this.
    #[error("has more than {0} bytes")]
    TooLong(u64),
    /// The file cannot be read.
    #[error("{0}")]
    Read(String),
    /// A packed file is damaged, or of other games.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// Castling rights by the files of rooks, in a game whose arrays are not drawn by lot.
    #[error("castling rights by the files of rooks need a game with 'shuffle'; {0} has none")]
    CastlingByRook(String),
    /// What is read needs more memory or room on the disk than there is.
    #[error("{0}")]
    Room(String),
}

/// Where a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In this line of a text, from 1.
    Line(usize),
    /// In the header of a packed file.
    Header,
    /// In this block of a packed file, from 1.
    Block(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(number) => write!(f, "line {number}"),
            Place::Header => f.write_str("header"),
            Place::Block(number) => write!(f, "block {number}"),
        }
    }
}

/// A fault and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{error}", self.prefix())]
pub struct LineError {
    /// The line, or the part of a packed file.
    pub place: Place,
    /// What is wrong there.
    #[source]
    pub error: SampleError,
}

impl LineError {
    /// The place, unless the file is not what is at fault.
    fn prefix(&self) -> String {
        match self.error {
            SampleError::Room(_) => String::new(),
            _ => format!("{}: ", self.place),
        }
    }

    fn in_line(line: usize, error: SampleError) -> LineError {
        LineError { place: Place::Line(line), error }
    }

    fn in_header(error: PackedError) -> LineError {
        LineError { place: Place::Header, error: error.into() }
    }
}

impl From<ReadError> for SampleError {
    fn from(error: ReadError) -> SampleError {
        match error {
            ReadError::LongLine { most_bytes, .. } => SampleError::TooLong(most_bytes),
            other => SampleError::Read(other.to_string()),
        }
    }
}

/// Whether castling rights go by the files of rooks in a game whose arrays are not drawn by lot: no file holds such
/// positions.
pub(super) fn has_foreign_castling(position: &Position) -> bool {
    position.castles_by_rook() && !position.variant().castles_by_rook()
}

impl FromStr for Sample {
    type Err = SampleError;

    fn from_str(line: &str) -> Result<Sample, SampleError> {
        let fields: Vec<&str> = line.split('|').collect();
        let &[variant, fen, score, result] = fields.as_slice() else {
            return Err(SampleError::Fields(shown(line)));
        };
        let variant = find(variant)?;
        let position = Position::from_fen(&variant, fen)
            .map_err(|error| SampleError::Position(error.to_string()))?;
        if has_foreign_castling(&position) {
            return Err(SampleError::CastlingByRook(variant.name().to_string()));
        }
        let centipawns = score.parse().map_err(|_| SampleError::Score(shown(score)))?;
        let end = match result {
            "1" => Some(End(Some(Color::White))),
            "0.5" => Some(End(None)),
            "0" => Some(End(Some(Color::Black))),
            "*" => None,
            _ => return Err(SampleError::Result(shown(result))),
        };
        Ok(Sample { position, centipawns, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "# garrison selfplay seed 7 nodes 2000 plies 8 hash 4 version 0.1.0 variants swda-oo swda-pp\n";
    const LINE: &str = "swda-oo|r2k4/8/8/8/8/8/8/R2K4 w - - 0 1|-31|0.5\n";

    fn fault(text: &str) -> String {
        read(text.as_bytes(), |_, _| Ok(())).expect_err("a fault").to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        let text = format!("{HEADER}# game 1\n# game 2\n{LINE}{LINE}swda-oo|r2k4");
        let mut written = String::new();
        let header = read(text.as_bytes(), |line, at| {
            assert_eq!(at as usize, HEADER.len() + written.len());
            written += &match line {
                Line::Game(number) => format!("# game {number}\n"),
                Line::Sample(sample) => format!("{sample}\n"),
            };
            Ok(())
        });
        assert_eq!(header.expect("a file").to_string() + "\n", HEADER);
        assert_eq!(written, format!("# game 1\n# game 2\n{LINE}{LINE}"));
    }

    #[test]
    fn what_was_not_played_has_no_result() {
        let keep = HEADER.replace("version", "keep aside version");
        let line = LINE.replace("|0.5", "|*");
        let header = read(format!("{keep}# game 1\n{line}").as_bytes(), |found, _| {
            if let Line::Sample(sample) = found {
                assert_eq!(sample.result(), None);
                assert_eq!(format!("{sample}\n"), line);
            }
            Ok(())
        });
        assert_eq!(header.expect("a file").to_string() + "\n", keep);
        assert!(fault(&HEADER.replace("version", "keep none version")).contains("does not say"));
    }

    #[test]
    fn what_was_rescored_says_by_what() {
        for by in ["rescored 150", "rescored 150 by 0123456789abcdef", "eval 77 rescored 9 by 5"] {
            let text = HEADER.trim_end().replace("variants", &format!("{by} variants"));
            assert_eq!(text.parse::<Header>().expect("a header").to_string(), text);
        }
        assert!(fault(&HEADER.replace("variants", "rescored x variants")).contains("does not say"));
    }

    #[test]
    fn a_part_has_every_so_many_th_game() {
        let part = HEADER.replace("version", "shard 2/3 of 8 version");
        assert_eq!(part.trim_end().parse::<Header>().expect("a header").to_string() + "\n", part);
        let good = format!("{part}# game 2\n{LINE}# game 5\n# game 8\n");
        let mut numbers = Vec::new();
        let header = read(good.as_bytes(), |line, _| {
            numbers.extend(if let Line::Game(number) = line { Some(number) } else { None });
            Ok(())
        });
        assert_eq!(
            (header.expect("a file").part().map(|part| part.len()), numbers),
            (Some(3), vec![2, 5, 8])
        );
        assert_eq!(
            fault(&good.replace("# game 5", "# game 3")),
            "line 4: '# game 3' stands where '# game 5' should"
        );
        assert_eq!(fault(&format!("{part}{LINE}")), "line 2: a position before '# game 2'");
        for wrong in ["shard 4/3 of 8", "shard 2/3", "shard 2 of 8", "shard 2/3 of x"] {
            let text = HEADER.replace("version", &format!("{wrong} version"));
            assert!(fault(&text).contains("does not say"), "{wrong}");
        }
    }

    #[test]
    fn a_pool_names_all_its_runs_and_counts_its_games_from_one() {
        let (_, run) = HEADER.trim_end().split_once("selfplay ").expect("a run");
        let text =
            format!("{} + {}", HEADER.trim_end().replace("version", "shard 2/3 of 8 version"), run);
        let mut header: Header = text.parse().expect("a header");
        assert_eq!(header.to_string(), text);
        assert_eq!((header.runs().count(), header.first_game(), header.step()), (2, 1, 1));
        header.set_rescored(&Rescored { nodes: 9, evaluation: None });
        assert_eq!(header.to_string().matches("rescored 9 variants").count(), 2);
        assert!(fault(&format!("{text} + seed\n")).contains("does not say"));
    }

    #[test]
    fn faults_name_their_line() {
        assert!(fault("").starts_with("line 1: '' does not say '# garrison selfplay "));
        assert!(fault("# something else\n").starts_with("line 1: '# something else' does not"));
        assert_eq!(fault(&format!("{HEADER}{LINE}")), "line 2: a position before '# game 1'");
        assert_eq!(
            fault(&format!("{HEADER}# game 1\n# game 3\n")),
            "line 3: '# game 3' stands where '# game 2' should"
        );
        let wrong = |line: &str| fault(&format!("{HEADER}# game 1\n{line}\n"));
        assert_eq!(wrong("e2e4"), "line 3: 'e2e4' is no VARIANT|FEN|CP|RESULT");
        assert_eq!(wrong("checkers|x|1|1"), "line 3: no variant 'checkers'; 'variants' lists them");
        assert!(wrong("swda-oo|r2k4 w - - 0 1|1|1").starts_with("line 3: FEN field 'board': "));
        let line = LINE.trim_end();
        assert_eq!(
            wrong(&line.replace("-31", "0.3")),
            "line 3: score '0.3' is no whole number of centipawns"
        );
        assert_eq!(
            wrong(&line.replace("|0.5", "|2")),
            "line 3: result '2' is neither 1, 0.5, 0 nor *"
        );
    }
}
