//! Writing packed files.

use std::io::{Read, Seek, SeekFrom, Write};

use super::error::PackedError;
use super::file::{BLOCK, Block, Next, PackedHeader, read_block};

/// Writes games as they are played. In a file, every game is there as soon as it is written: the last block grows by it,
/// then the block's head says so. What a crash leaves of a game that was being written is cut off when the file is
/// resumed.
#[derive(Debug)]
pub struct DataWriter<W> {
    out: W,
    /// The block that grows, and where it begins.
    block: Block,
    start: u64,
    /// The records of the blocks before it.
    records: u64,
    /// Whether the head of a block can be written again.
    is_file: bool,
}

impl<W: Write + Seek> DataWriter<W> {
    /// Begins a file with the header; `out` is empty.
    ///
    /// # Errors
    /// The system refuses.
    pub fn begin(mut out: W, header: &PackedHeader) -> std::io::Result<DataWriter<W>> {
        let header = header.bytes();
        out.write_all(&header)?;
        let start = header.len() as u64;
        Ok(DataWriter { out, block: Block::default(), start, records: 0, is_file: true })
    }

    /// Begins to write to a pipe or a device: block by block, and the last one by [`DataWriter::end`].
    ///
    /// # Errors
    /// The system refuses.
    pub fn begin_stream(out: W, header: &PackedHeader) -> std::io::Result<DataWriter<W>> {
        Ok(DataWriter { is_file: false, ..DataWriter::begin(out, header)? })
    }

    /// The number of the last game; 0 before the first.
    pub fn last(&self) -> u64 {
        self.block.last
    }

    /// How many records it has written, with those that were there when it was resumed.
    pub fn records(&self) -> u64 {
        self.records + u64::from(self.block.records)
    }

    /// Writes a game: its number, above those before, and its records.
    ///
    /// # Errors
    /// The system refuses: then the game is not in the file.
    pub fn write(&mut self, number: u64, records: &[Vec<u8>]) -> Result<(), PackedError> {
        if number <= self.block.last {
            return Err(PackedError::Order { last: self.block.last, next: number });
        }
        if self.block.content.len() >= BLOCK {
            self.close()?;
        }
        let is_new = self.block.games == 0;
        let mark = self.block.mark();
        let added = self.block.push(number, records).to_vec();
        if !self.is_file {
            return Ok(());
        }
        let written = self.write_to_file(is_new, &added);
        if written.is_err() {
            self.block.restore(mark);
        }
        Ok(written?)
    }

    fn write_to_file(&mut self, is_new: bool, added: &[u8]) -> std::io::Result<()> {
        let head = self.block.head();
        if is_new {
            self.out.write_all(&[&head, added].concat())?;
        } else {
            // First the game, then the head that counts it: in between, the head is true.
            self.out.write_all(added)?;
            self.out.seek(SeekFrom::Start(self.start))?;
            self.out.write_all(&head)?;
            self.out.seek(SeekFrom::End(0))?;
        }
        self.out.flush()
    }

    /// Begins another block.
    fn close(&mut self) -> std::io::Result<()> {
        if !self.is_file {
            self.out.write_all(&self.block.head())?;
            self.out.write_all(&self.block.content)?;
        }
        self.start += self.block.size();
        self.records += u64::from(self.block.records);
        let last = self.block.last;
        self.block = Block { before: last, last, ..Block::default() };
        Ok(())
    }

    /// The file.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The system refuses.
    pub fn end(mut self) -> std::io::Result<W> {
        if self.block.games > 0 {
            self.close()?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Read + Write + Seek> DataWriter<W> {
    /// Goes on with a file whose header was read: behind its last whole game. Returns the length that the file is to be
    /// cut to, what lies behind being what a crash left.
    ///
    /// # Errors
    /// It is damaged, or the system refuses.
    pub fn resume(mut out: W, header: &PackedHeader) -> Result<(DataWriter<W>, u64), PackedError> {
        let mut start = header.bytes().len() as u64;
        let mut end = start;
        let mut last = Block::default();
        let mut records = 0;
        out.seek(SeekFrom::Start(start))?;
        while let Next::Block(mut block) = read_block(&mut out)? {
            let mut number = block.before;
            block.each(|game, _| {
                number = game;
                Ok::<(), PackedError>(())
            })?;
            block.last = number;
            (start, end) = (end, end + block.size());
            records += u64::from(last.records);
            last = block;
        }
        out.seek(SeekFrom::Start(end))?;
        Ok((DataWriter { out, block: last, start, records, is_file: true }, end))
    }
}
