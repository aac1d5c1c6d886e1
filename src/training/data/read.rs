//! Reading packed files.

use std::io::Read;

use super::error::PackedError;
use super::file::{Next, PackedHeader, Records, read_block};

/// Reads a packed file block by block.
#[derive(Debug)]
pub struct DataReader<R> {
    source: R,
    header: PackedHeader,
    blocks: usize,
    /// Where the next block begins, in bytes.
    offset: u64,
    is_torn: bool,
}

impl<R: Read> DataReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// As [`PackedHeader::read`].
    pub fn new(mut source: R) -> Result<DataReader<R>, PackedError> {
        let header = PackedHeader::read(&mut source)?;
        let offset = header.bytes().len() as u64;
        Ok(DataReader { source, header, blocks: 0, offset, is_torn: false })
    }

    /// What the file begins with.
    pub fn header(&self) -> &PackedHeader {
        &self.header
    }

    /// Where the next block begins, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the file ended within a block or a game, which was left out.
    pub fn is_torn(&self) -> bool {
        self.is_torn
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
            Next::Torn => {
                self.is_torn = true;
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
