//! Games on their way into a file, as text or packed.

use std::fmt::Write as _;
use std::io::{Seek, Write};
use std::path::Path;

use super::data::{DataWriter, PackedError, PackedHeader};
use super::sample::Header;
use super::selfplay::Game;
use crate::files::is_special;

/// How a file holds its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A line each, to be read by people and other programs.
    Text,
    /// Some forty bytes each.
    Packed,
}

impl Format {
    /// What is asked for, or what the name says: text if it ends in `.txt`, or is that of a device or a pipe.
    pub fn of(path: &Path, wanted: Option<Format>) -> Format {
        let is_text = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"));
        let by_name = if is_text || is_special(path) { Format::Text } else { Format::Packed };
        wanted.unwrap_or(by_name)
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Packed => "packed",
        }
    }
}

/// A game as a [`Sink`] writes it.
#[derive(Debug, Clone)]
pub struct Written {
    number: u64,
    positions: u64,
    /// Its text, or its records.
    parts: Vec<Vec<u8>>,
}

impl Written {
    /// The number of the game.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How many positions it has.
    pub fn positions(&self) -> u64 {
        self.positions
    }
}

/// What games are written to, behind a header.
#[derive(Debug)]
pub enum Sink<W> {
    /// As text.
    Text(W),
    /// Packed.
    Packed(Box<DataWriter<W>>, Box<PackedHeader>),
}

impl<W: Write + Seek> Sink<W> {
    /// Begins a file; `out` is empty.
    ///
    /// # Errors
    /// The system refuses, or the games cannot be packed.
    pub fn begin(out: W, format: Format, header: &Header) -> Result<Sink<W>, PackedError> {
        Sink::begin_with(out, format, header, DataWriter::begin)
    }

    /// Begins to write to what can only be written in order, such as a pipe. Nothing may be there before [`Sink::end`].
    ///
    /// # Errors
    /// As [`Sink::begin`].
    pub fn begin_stream(out: W, format: Format, header: &Header) -> Result<Sink<W>, PackedError> {
        Sink::begin_with(out, format, header, DataWriter::begin_stream)
    }

    fn begin_with(
        mut out: W,
        format: Format,
        header: &Header,
        begin: impl FnOnce(W, &PackedHeader) -> std::io::Result<DataWriter<W>>,
    ) -> Result<Sink<W>, PackedError> {
        match format {
            Format::Text => {
                out.write_all(format!("{header}\n").as_bytes())?;
                Ok(Sink::Text(out))
            }
            Format::Packed => {
                let header = PackedHeader::new(header)?;
                Ok(Sink::Packed(Box::new(begin(out, &header)?), Box::new(header)))
            }
        }
    }

    /// A game as it is written here.
    ///
    /// # Errors
    /// It is none of the games of the header.
    pub fn prepare(&self, game: &Game) -> Result<Written, PackedError> {
        let parts = match self {
            Sink::Text(_) => vec![text_of(game).into_bytes()],
            Sink::Packed(_, header) => {
                let records = game.samples.iter().map(|sample| header.pack(sample));
                records.collect::<Result<_, _>>()?
            }
        };
        Ok(Written { number: game.number, positions: game.samples.len() as u64, parts })
    }

    /// Writes a game that was prepared here, in one go, so that a crash leaves at most one in part.
    ///
    /// # Errors
    /// The system refuses, or a packed game does not follow the one before it.
    pub fn write(&mut self, game: &Written) -> Result<(), PackedError> {
        match self {
            Sink::Text(out) => {
                out.write_all(&game.parts.concat())?;
                Ok(out.flush()?)
            }
            Sink::Packed(writer, _) => writer.write(game.number, &game.parts),
        }
    }

    /// What is written to.
    pub fn get_mut(&mut self) -> &mut W {
        match self {
            Sink::Text(out) => out,
            Sink::Packed(writer, _) => writer.get_mut(),
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The system refuses.
    pub fn end(self) -> std::io::Result<W> {
        match self {
            Sink::Text(mut out) => {
                out.flush()?;
                Ok(out)
            }
            Sink::Packed(writer, _) => writer.end(),
        }
    }
}

/// The lines of a game.
fn text_of(game: &Game) -> String {
    let mut text = format!("# game {}\n", game.number);
    for sample in &game.samples {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{sample}");
    }
    text
}
