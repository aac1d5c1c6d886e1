//! Reading files of positions, text or packed, line by line.

use std::io::BufRead;

use super::{Header, LineError, Place, Sample, SampleError};
use crate::files::{LONGEST_POSITION_LINE, Lines};
use crate::training::data::{DataReader, MAGIC, PackedHeader, Record, Records, Torn};
use garrison_rules::shown;

/// A line of a file, as [`read`] gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A game begins: its number, from 1.
    Game(u64),
    /// A position of that game.
    Sample(Box<Sample>),
}

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
    Ok(read_text_with_header(file, |_, line, at| each(line, at))?.0)
}

/// Reads a text as [`read`] does; `each` gets the header with every line. Returns the header, and what was left out at the
/// end.
///
/// # Errors
/// As [`read`].
pub fn read_text_with_header(
    file: impl BufRead,
    mut each: impl FnMut(&Header, Line, u64) -> Result<(), SampleError>,
) -> Result<(Header, Option<Torn>), LineError> {
    let (mut header, mut cursor, mut number) = (None, Cursor::default(), 0);
    let mut lines = Lines::new(file, LONGEST_POSITION_LINE);
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
    let header = header.ok_or_else(|| LineError::in_line(1, SampleError::Header(String::new())))?;
    Ok((header, (!lines.is_whole()).then_some(Torn::Line)))
}

fn read_packed(
    file: impl BufRead,
    mut each: impl FnMut(Line, u64) -> Result<(), SampleError>,
) -> Result<Header, LineError> {
    let mut record = Record::default();
    let read = read_records(file, |header, number, records, at| {
        each(Line::Game(number), at)?;
        for packed in records {
            let packing = header.packing_of(packed)?;
            packing.unpack(packed, &mut record)?;
            each(Line::Sample(Box::new(packing.sample(&record)?)), at)?;
        }
        Ok(())
    });
    Ok(read?.0)
}

/// Reads a packed file: the number and the records of every game, with the offset in bytes of its block. Returns the
/// header, and what was left out at the end.
///
/// # Errors
/// The header or the first block that is damaged or cannot be read, or that `each` refuses.
pub fn read_records(
    file: impl BufRead,
    mut each: impl FnMut(&PackedHeader, u64, Records, u64) -> Result<(), SampleError>,
) -> Result<(Header, Option<Torn>), LineError> {
    let mut reader = begin_packed(file)?;
    loop {
        let at = reader.offset();
        let block = reader.block(|header, number, records| each(header, number, records, at));
        let place = Place::Block(reader.blocks());
        if !block.map_err(|error| LineError { place, error })? {
            return Ok((reader.header().header.clone(), reader.torn()));
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
    first_line(&mut Lines::new(file, LONGEST_POSITION_LINE))
}

/// The first line, and the lines behind it.
///
/// # Errors
/// As [`header`].
pub(in crate::training) fn begin_text<R: BufRead>(
    file: R,
) -> Result<(Lines<R>, Header), LineError> {
    let mut lines = Lines::new(file, LONGEST_POSITION_LINE);
    let header = first_line(&mut lines)?;
    Ok((lines, header))
}

/// The header of a packed file, and the blocks behind it.
///
/// # Errors
/// As [`header`].
pub(in crate::training) fn begin_packed<R: BufRead>(file: R) -> Result<DataReader<R>, LineError> {
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
        let (header, _) = read_records(file, |_, _, _, _| {
            games += 1;
            Ok(())
        })?;
        return Ok((header, games));
    }
    let mut lines = Lines::new(file, LONGEST_POSITION_LINE);
    let header = first_line(&mut lines)?;
    let mut games = 0;
    for (index, line) in lines.enumerate() {
        let line = line.map_err(|error| LineError::in_line(index + 2, error.into()))?;
        games += u64::from(line.starts_with(b"# game "));
    }
    Ok((header, games))
}

/// Where in a file lines are read: which game is next, and whether there was one.
#[derive(Debug, Default)]
pub(in crate::training) struct Cursor {
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
