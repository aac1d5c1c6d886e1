//! Reading packed files.

use std::fmt;
use std::io::Read;

use super::error::PackedError;
use super::file::{Next, PackedHeader, Records, read_block};

/// What is left out at the end of a file that was interrupted, or cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Torn {
    /// The last line of a text.
    Line,
    /// So many games of a packed file: that which was being written, or those of the last block.
    Games(u32),
}

impl fmt::Display for Torn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Torn::Line => write!(f, "ends within a line, which is left out"),
            Torn::Games(1) => write!(f, "ends within a game, which is left out"),
            Torn::Games(games) => {
                write!(f, "ends within a block of {games} games, which are left out")
            }
        }
    }
}

/// Reads a packed file block by block.
#[derive(Debug)]
pub struct DataReader<R> {
    source: R,
    header: PackedHeader,
    blocks: usize,
    /// Where the next block begins, in bytes.
    offset: u64,
    torn: Option<Torn>,
}

impl<R: Read> DataReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// As [`PackedHeader::read`].
    pub fn new(mut source: R) -> Result<DataReader<R>, PackedError> {
        let header = PackedHeader::read(&mut source)?;
        let offset = header.bytes().len() as u64;
        Ok(DataReader { source, header, blocks: 0, offset, torn: None })
    }

    /// What the file begins with.
    pub fn header(&self) -> &PackedHeader {
        &self.header
    }

    /// Where the next block begins, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// What was left out at the end.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    /// How many blocks were read, or begun.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Passes the games of the next block on: their numbers and records. Returns whether there was one. What was being
    /// written when its program ended is left out.
    ///
    /// # Errors
    /// The block is damaged, or `each` refuses.
    pub fn block<E: From<PackedError>>(
        &mut self,
        mut each: impl FnMut(&PackedHeader, u64, Records) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.blocks += 1;
        match read_block(&mut self.source)? {
            Next::End => Ok(false),
            Next::Torn(games) => {
                self.torn = Some(Torn::Games(games));
                Ok(false)
            }
            Next::Block(block) => {
                self.offset += block.size();
                block.each(|number, records| each(&self.header, number, records))?;
                Ok(true)
            }
        }
    }
}
