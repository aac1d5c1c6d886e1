//! Positions to learn from, as text a line each, `VARIANT|FEN|CP|RESULT`, or packed ([`data`](super::data)). What reads
//! one reads the other.
//!
//! A text begins with a line that says what was played, and every game with `# game N`, from 1. A part of a run
//! (`shard I/N of GAMES` in its first line) has every N-th game, from the I-th. The score is in centipawns and the result
//! 1, 0.5 or 0, both as White sees them; `*` stands for the
//! result of a position that was not played.

use std::fmt;
use std::io::BufRead;
use std::str::FromStr;

use thiserror::Error;

use super::data::{DataReader, MAGIC, PackedError, PackedHeader, Record, Records};
use super::shard::{Shard, part_of};
use crate::files::{Lines, ReadError};
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
        "'{0}' does not say '# garrison selfplay seed S nodes N plies P hash MB [keep WHAT] [shard I/N of GAMES] version V [eval SUM] [rescored N [by SUM]] variants ...'"
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

/// Which positions of a game are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Every second or third position, if it is quiet.
    #[default]
    Some,
    /// Every quiet position.
    All,
    /// Every quiet position, and beside each that was played another quiet one, one or two random moves away.
    Aside,
    /// The same, but those away are kept quiet or not.
    Any,
}

impl Keep {
    /// All of them by name.
    pub const NAMES: [(&str, Keep); 4] =
        [("some", Keep::Some), ("all", Keep::All), ("aside", Keep::Aside), ("any", Keep::Any)];

    /// Whether positions are kept that were not played.
    pub fn has_asides(self) -> bool {
        matches!(self, Keep::Aside | Keep::Any)
    }

    /// Its name, as `--keep` takes it.
    pub fn name(self) -> &'static str {
        Keep::NAMES.iter().find(|(_, keep)| *keep == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for Keep {
    type Err = UnknownKeep;

    fn from_str(text: &str) -> Result<Keep, UnknownKeep> {
        let found = Keep::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, keep)| *keep).ok_or(UnknownKeep)
    }
}

/// A word that names no choice of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("neither some, all nor aside")]
pub struct UnknownKeep;

/// The first line of a file: everything that its games depend on except their number, so that a file can be
/// continued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Positions visited for a move.
    pub nodes: u64,
    /// Random plies of an opening.
    pub plies: u32,
    /// The size of the transposition table in MiB.
    pub hash: u32,
    /// Which positions were kept.
    pub keep: Keep,
    /// Which games of the run are in the file, if not all.
    pub shard: Option<Shard>,
    /// The version of the program.
    pub version: String,
    /// The checksum of the evaluation, if it was not the one that ships with the program.
    pub evaluation: Option<String>,
    /// How the scores were found, if not while the games were played.
    pub rescored: Option<Rescored>,
    /// The games, which take turns.
    pub variants: Vec<String>,
    /// The further runs of a pool, whose games follow those of this one. The games of a pool are numbered anew.
    pub others: Vec<Header>,
}

/// What the line of a run begins with.
const RUN: &str = "# garrison selfplay ";

/// What stands between the runs of a pool.
const AND: &str = " + ";

/// How positions were given new scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rescored {
    /// Positions visited for a score.
    pub nodes: u64,
    /// The checksum of the evaluation, if it was not the one that ships with the program.
    pub evaluation: Option<String>,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(RUN)?;
        self.write_run(f)?;
        for other in &self.others {
            f.write_str(AND)?;
            other.write_run(f)?;
        }
        Ok(())
    }
}

impl FromStr for Header {
    type Err = SampleError;

    fn from_str(line: &str) -> Result<Header, SampleError> {
        Header::read(line).ok_or_else(|| SampleError::Header(shown(line)))
    }
}

impl Header {
    fn read(line: &str) -> Option<Header> {
        let mut runs = line.strip_prefix(RUN)?.split(AND).map(Header::read_run);
        let mut header = runs.next()??;
        header.others = runs.collect::<Option<_>>()?;
        Some(header)
    }

    fn read_run(text: &str) -> Option<Header> {
        let mut words = text.split(' ').peekable();
        let mut after = |name| {
            let named = words.next_if(|word| *word == name);
            named.and_then(|_| words.next())
        };
        let header = Header {
            seed: after("seed")?.parse().ok()?,
            nodes: after("nodes")?.parse().ok()?,
            plies: after("plies")?.parse().ok()?,
            hash: after("hash")?.parse().ok()?,
            keep: after("keep").map_or(Some(Keep::default()), |name| name.parse().ok())?,
            shard: match after("shard") {
                Some(name) => {
                    let (part, parts) = part_of(name)?;
                    Some(Shard { part, parts, games: after("of")?.parse().ok()? })
                }
                None => None,
            },
            version: after("version")?.to_string(),
            evaluation: (after("eval").or_else(|| after("table"))).map(str::to_string),
            rescored: match after("rescored") {
                Some(nodes) => Some(Rescored {
                    nodes: nodes.parse().ok()?,
                    evaluation: after("by").map(str::to_string),
                }),
                None => None,
            },
            variants: after("variants").into_iter().chain(words).map(str::to_string).collect(),
            others: Vec::new(),
        };
        (!header.variants.is_empty()).then_some(header)
    }

    fn write_run(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { seed, nodes, plies, hash, version, variants, .. } = self;
        write!(f, "seed {seed} nodes {nodes} plies {plies} hash {hash} ")?;
        if self.keep != Keep::default() {
            write!(f, "keep {} ", self.keep.name())?;
        }
        if let Some(shard) = &self.shard {
            write!(f, "shard {shard} ")?;
        }
        write!(f, "version {version} ")?;
        if let Some(checksum) = &self.evaluation {
            write!(f, "eval {checksum} ")?;
        }
        if let Some(Rescored { nodes, evaluation }) = &self.rescored {
            write!(f, "rescored {nodes} ")?;
            if let Some(checksum) = evaluation {
                write!(f, "by {checksum} ")?;
            }
        }
        write!(f, "variants {}", variants.join(" "))
    }

    /// The runs of the file: one, or those of a pool.
    pub fn runs(&self) -> impl Iterator<Item = &Header> {
        std::iter::once(self).chain(&self.others)
    }

    /// Says of all runs how their positions were given new scores.
    pub fn set_rescored(&mut self, rescored: &Rescored) {
        self.rescored = Some(rescored.clone());
        self.others.iter_mut().for_each(|other| other.rescored = Some(rescored.clone()));
    }

    /// The part of a run that the file is, unless it is a whole run or a pool.
    pub fn part(&self) -> Option<Shard> {
        self.shard.filter(|_| self.others.is_empty())
    }

    /// The variants of all runs, each once.
    pub fn variants_of_all_runs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.runs().flat_map(|run| &run.variants) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The number of the first game of the file.
    pub fn first_game(&self) -> u64 {
        self.part().map_or(1, |shard| shard.part)
    }

    /// The number of the last of so many games; 0 if there are none.
    pub fn last_game(&self, games: u64) -> u64 {
        let further = games.checked_sub(1);
        further.map_or(0, |further| self.first_game() + further * self.step())
    }

    /// By how much the number of a game is greater than that of the game before it.
    pub fn step(&self) -> u64 {
        self.part().map_or(1, |shard| shard.parts)
    }

    /// The number of a game, if this is the line before its positions.
    fn game(line: &str) -> Option<u64> {
        line.strip_prefix("# game ")?.parse().ok()
    }
}

/// A line of a file, as [`read`] gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A game begins: its number, from 1.
    Game(u64),
    /// A position of that game.
    Sample(Box<Sample>),
}

/// The most bytes of a line. The longest FEN of any game has some hundred; a header names every game.
pub const LONGEST_LINE: u64 = 1 << 16;

/// Whether a file is packed, or a beginning of one. Its first bytes stay to be read.
///
/// # Errors
/// It cannot be read.
pub fn is_packed(file: &mut impl BufRead) -> Result<bool, LineError> {
    let start = file
        .fill_buf()
        .map_err(|error| LineError::in_line(1, SampleError::Read(error.to_string())))?;
    let start = &start[..start.len().min(MAGIC.len())];
    Ok(!start.is_empty() && MAGIC.starts_with(start))
}

/// Reads a file, text or packed: its header, then every further line, with the offset in bytes of the line or its block.
/// What was being written when its program ended is left out: a last line without a line feed, a block in part.
///
/// # Errors
/// The first line or block that is wrong, or cannot be read, or that `each` refuses.
pub fn read(
    mut file: impl BufRead,
    each: impl FnMut(Line, u64) -> Result<(), SampleError>,
) -> Result<Header, LineError> {
    if is_packed(&mut file)? { read_packed(file, each) } else { read_text(file, each) }
}

fn read_text(
    file: impl BufRead,
    mut each: impl FnMut(Line, u64) -> Result<(), SampleError>,
) -> Result<Header, LineError> {
    read_text_with_header(file, |_, line, at| each(line, at))
}

/// Reads a text as [`read`] does; `each` gets the header with every line.
///
/// # Errors
/// As [`read`].
pub fn read_text_with_header(
    file: impl BufRead,
    mut each: impl FnMut(&Header, Line, u64) -> Result<(), SampleError>,
) -> Result<Header, LineError> {
    let (mut header, mut cursor, mut number) = (None, Cursor::default(), 0);
    let mut lines = Lines::new(file, LONGEST_LINE);
    loop {
        let at = lines.offset();
        let Some(line) = lines.next() else { break };
        number += 1;
        let fault = |error| LineError::in_line(number, error);
        let line = line.map_err(|error| fault(error.into()))?;
        if !lines.is_whole() {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let Some(header) = &header else {
            let found = text.parse::<Header>().map_err(fault)?;
            cursor = Cursor::first(&found);
            header = Some(found);
            continue;
        };
        let found = cursor.read_line(&text).map_err(fault)?;
        each(header, found, at).map_err(fault)?;
    }
    header.ok_or_else(|| LineError::in_line(1, SampleError::Header(String::new())))
}

fn read_packed(
    file: impl BufRead,
    mut each: impl FnMut(Line, u64) -> Result<(), SampleError>,
) -> Result<Header, LineError> {
    let mut record = Record::default();
    read_records(file, |header, number, records, at| {
        each(Line::Game(number), at)?;
        for packed in records {
            let packing = header.packing_of(packed)?;
            packing.unpack(packed, &mut record)?;
            each(Line::Sample(Box::new(packing.sample(&record)?)), at)?;
        }
        Ok(())
    })
}

/// Reads a packed file: the number and the records of every game, with the offset in bytes of its block.
///
/// # Errors
/// The header or the first block that is damaged or cannot be read, or that `each` refuses.
pub fn read_records(
    file: impl BufRead,
    mut each: impl FnMut(&PackedHeader, u64, Records, u64) -> Result<(), SampleError>,
) -> Result<Header, LineError> {
    let mut reader = begin_packed(file)?;
    loop {
        let at = reader.offset();
        let block = reader.block(|header, number, records| each(header, number, records, at));
        let place = Place::Block(reader.blocks());
        if !block.map_err(|error| LineError { place, error })? {
            return Ok(reader.header().header.clone());
        }
    }
}

/// The header alone.
///
/// # Errors
/// The first line, or the header of a packed file, is not that of such a file, or cannot be read.
pub fn header(mut file: impl BufRead) -> Result<Header, LineError> {
    if is_packed(&mut file)? {
        let reader = begin_packed(file)?;
        return Ok(reader.header().header.clone());
    }
    first_line(&mut Lines::new(file, LONGEST_LINE))
}

/// The first line, and the lines behind it.
///
/// # Errors
/// As [`header`].
pub(super) fn begin_text<R: BufRead>(file: R) -> Result<(Lines<R>, Header), LineError> {
    let mut lines = Lines::new(file, LONGEST_LINE);
    let header = first_line(&mut lines)?;
    Ok((lines, header))
}

/// The header of a packed file, and the blocks behind it.
///
/// # Errors
/// As [`header`].
pub(super) fn begin_packed<R: BufRead>(file: R) -> Result<DataReader<R>, LineError> {
    DataReader::new(file).map_err(LineError::in_header)
}

fn first_line(lines: &mut Lines<impl BufRead>) -> Result<Header, LineError> {
    let first = lines.next().transpose();
    let first = first.map_err(|error| LineError::in_line(1, error.into()))?;
    let header = String::from_utf8_lossy(&first.unwrap_or_default()).parse();
    header.map_err(|error| LineError::in_line(1, error))
}

/// The header, and how many games follow.
///
/// # Errors
/// As [`header`], or another line or block cannot be read.
pub fn survey(mut file: impl BufRead) -> Result<(Header, u64), LineError> {
    if is_packed(&mut file)? {
        let mut games = 0;
        let header = read_records(file, |_, _, _, _| {
            games += 1;
            Ok(())
        })?;
        return Ok((header, games));
    }
    let mut lines = Lines::new(file, LONGEST_LINE);
    let header = first_line(&mut lines)?;
    let mut games = 0;
    for (index, line) in lines.enumerate() {
        let line = line.map_err(|error| LineError::in_line(index + 2, error.into()))?;
        games += u64::from(line.starts_with(b"# game "));
    }
    Ok((header, games))
}

impl From<ReadError> for SampleError {
    fn from(error: ReadError) -> SampleError {
        match error {
            ReadError::LongLine { most_bytes, .. } => SampleError::TooLong(most_bytes),
            other => SampleError::Read(other.to_string()),
        }
    }
}

/// Where in a file lines are read: which game is next, and whether there was one.
#[derive(Debug, Default)]
pub(super) struct Cursor {
    next: u64,
    step: u64,
    is_in_game: bool,
}

impl Cursor {
    /// Behind the first line.
    pub fn first(header: &Header) -> Cursor {
        Cursor { next: header.first_game(), step: header.step(), is_in_game: false }
    }

    /// Makes sure that the next game has this number.
    pub fn check_game(&mut self, number: u64) -> Result<(), SampleError> {
        if number != self.next {
            let found = format!("# game {number}");
            return Err(SampleError::Game { found, expected: self.next });
        }
        (self.next, self.is_in_game) = (number.saturating_add(self.step), true);
        Ok(())
    }

    /// Reads a line after the first one.
    pub fn read_line(&mut self, text: &str) -> Result<Line, SampleError> {
        let expected = self.next;
        if text.starts_with('#') {
            if Header::game(text) != Some(expected) {
                return Err(SampleError::Game { found: shown(text), expected });
            }
            self.check_game(expected)?;
            return Ok(Line::Game(expected));
        }
        if !self.is_in_game {
            return Err(SampleError::Homeless(expected));
        }
        Ok(Line::Sample(Box::new(text.parse()?)))
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
