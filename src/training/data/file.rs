//! The bytes of a packed file: its header, and the heads of its blocks. All numbers are little endian; docs/data.md
//! has the tables.

use std::io::{ErrorKind, Read};
use std::sync::Arc;

use super::error::PackedError;
use super::packing::{MAX_GAMES, Packing};
use crate::engine::eval::hash::checksum;
use crate::training::sample::{Header, Sample};
use garrison_rules::{Variant, find};

/// What a file begins with.
pub const MAGIC: &[u8; 8] = b"GARRDATA";
/// The version of the format.
pub(super) const VERSION: u16 = 1;
/// What a block begins with.
pub(super) const MARKER: &[u8; 8] = b"GARRBLCK";
/// The bytes of the head of a block.
pub(super) const HEAD: usize = 48;
/// A block of so many bytes takes no further game.
pub(super) const BLOCK: usize = 1 << 16;
/// What a game begins with, so that it cannot be taken for a block.
const GAME: u8 = 0;
/// The most bytes of the texts of a header, and of a block, that are read: what says more is damaged.
const MAX_TEXT: usize = 1 << 20;
const MAX_BLOCK: usize = 1 << 28;

/// The games of a file: its first line, and how the positions of each are packed.
#[derive(Debug, Clone)]
pub struct PackedHeader {
    /// Everything that the games depend on except their number.
    pub header: Header,
    /// In the order of the header.
    pub packings: Vec<Packing>,
}

impl PackedHeader {
    /// For a new file.
    ///
    /// # Errors
    /// A game is unknown, or there are more than 1024.
    pub fn new(header: &Header) -> Result<PackedHeader, PackedError> {
        let names = header.variants_of_all_runs();
        let games = names.len();
        if games > MAX_GAMES {
            return Err(PackedError::TooManyGames(games));
        }
        let packing = |(number, name): (usize, &str)| Ok(Packing::new(&find(name)?, number, games));
        let packings = names.into_iter().enumerate().map(packing);
        let packings: Result<Vec<Packing>, PackedError> = packings.collect();
        Ok(PackedHeader { header: header.clone(), packings: packings? })
    }

    /// The header as it is written.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.packings.len() as u16).to_le_bytes());
        let mut body = Vec::new();
        put_text(&mut body, &self.header.to_string());
        for packing in &self.packings {
            body.extend(packing.rules_hash().to_le_bytes());
            packing.letters().iter().for_each(|letters| put_text(&mut body, letters));
        }
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(body);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads a header. The games are found by their names.
    ///
    /// # Errors
    /// It is cut off, damaged, of another version, or of a game that is unknown here or has other rules.
    pub fn read(source: &mut impl Read) -> Result<PackedHeader, PackedError> {
        let mut bytes = vec![0; 16];
        take(source, &mut bytes)?;
        let mut fields = Fields(&bytes[8..]);
        let (version, games) = (fields.u16()?, usize::from(fields.u16()?));
        if version != VERSION {
            return Err(PackedError::Version(version));
        }
        let size = fields.u32()? as usize;
        if size > MAX_TEXT {
            return Err(PackedError::Checksum);
        }
        bytes.resize(16 + size + 8, 0);
        take(source, &mut bytes[16..])?;
        let (checked, sum) = bytes.split_at(16 + size);
        if sum != checksum(checked).to_le_bytes() {
            return Err(PackedError::Checksum);
        }
        let mut fields = Fields(&checked[16..]);
        let header: Header = fields.text()?.parse().map_err(|_| PackedError::Checksum)?;
        let names = header.variants_of_all_runs();
        if games != names.len() {
            return Err(PackedError::Checksum);
        }
        let mut packings = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            let hash = fields.u64()?;
            let letters = [fields.text()?, fields.text()?, fields.text()?];
            let variant = find(name)?;
            let other = || PackedError::Rules(name.to_string());
            let packing = Packing::from_letters(&variant, letters, number, games);
            let packing = packing.ok_or_else(other)?;
            if packing.rules_hash() != hash {
                return Err(other());
            }
            packings.push(packing);
        }
        Ok(PackedHeader { header, packings })
    }

    /// Whether records of the other file can be read as those of this one.
    pub(crate) fn packs_as(&self, other: &PackedHeader) -> bool {
        let is_same = |(own, other): (&Packing, &Packing)| own.packs_as(other);
        self.packings.len() == other.packings.len()
            && self.packings.iter().zip(&other.packings).all(is_same)
    }

    /// The first game.
    pub fn variant(&self) -> &Arc<Variant> {
        self.packings[0].variant()
    }

    /// A sample as a record.
    ///
    /// # Errors
    /// Its game is none of this file.
    pub fn pack(&self, sample: &Sample) -> Result<Vec<u8>, PackedError> {
        let variant = sample.position.variant();
        let found = self.packings.iter().find(|packing| Arc::ptr_eq(packing.variant(), variant));
        let foreign = || PackedError::ForeignGame(variant.name().to_string());
        Ok(found.ok_or_else(foreign)?.pack(sample))
    }

    /// The packing of a record.
    ///
    /// # Errors
    /// It is of none of these games.
    pub fn packing_of(&self, record: &[u8]) -> Result<&Packing, PackedError> {
        self.packings.get(Packing::game_of(record, self.packings.len())).ok_or(PackedError::Record)
    }
}

/// The games of a block, packed: each a `GAME` byte, how much its number is above that of the game before, the number of
/// its records, and these, each behind a byte that counts its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// The number of the game before the first one.
    pub before: u64,
    /// The number of the last game.
    pub last: u64,
    pub games: u32,
    pub records: u32,
    pub content: Vec<u8>,
}

impl Block {
    /// How many bytes it has in a file.
    pub fn size(&self) -> u64 {
        (HEAD + self.content.len()) as u64
    }

    /// The head of the block.
    pub fn head(&self) -> Vec<u8> {
        let mut head = MARKER.to_vec();
        head.extend((self.content.len() as u32).to_le_bytes());
        head.extend(self.games.to_le_bytes());
        head.extend(self.records.to_le_bytes());
        head.extend([0; 4]);
        head.extend(self.before.to_le_bytes());
        head.extend(checksum(&self.content).to_le_bytes());
        let sum = checksum(&head);
        head.extend(sum.to_le_bytes());
        head
    }

    /// Takes back what was added since it was so long.
    pub fn restore(&mut self, (length, last, games, records): Mark) {
        self.content.truncate(length);
        (self.last, self.games, self.records) = (last, games, records);
    }

    /// What [`Block::restore`] goes back to.
    pub fn mark(&self) -> Mark {
        (self.content.len(), self.last, self.games, self.records)
    }

    /// Adds a game; returns the bytes that this added to the content.
    pub fn push(&mut self, number: u64, records: &[Vec<u8>]) -> &[u8] {
        let start = self.content.len();
        if self.games == 0 {
            self.last = self.before;
        }
        self.content.push(GAME);
        put_varint(&mut self.content, number - self.last);
        put_varint(&mut self.content, records.len() as u64);
        for record in records {
            self.content.push(record.len() as u8);
            self.content.extend(record);
        }
        self.last = number;
        self.games += 1;
        self.records += records.len() as u32;
        &self.content[start..]
    }

    /// Passes on each game's number and its records.
    pub fn each<'a, E: From<PackedError>>(
        &'a self,
        mut each: impl FnMut(u64, Records<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut fields, mut number, mut records) = (Fields(&self.content), self.before, 0);
        for _ in 0..self.games {
            if fields.bytes(1)? != [GAME] {
                return Err(PackedError::Games.into());
            }
            let step = fields.varint()?;
            number = number.checked_add(step).filter(|_| step > 0).ok_or(PackedError::Games)?;
            let count = fields.varint()?;
            let start = fields.0;
            for _ in 0..count {
                fields.record()?;
            }
            records += count;
            each(number, Records(Fields(&start[..start.len() - fields.0.len()])))?;
        }
        let is_whole = fields.0.is_empty() && records == u64::from(self.records);
        if is_whole { Ok(()) } else { Err(PackedError::Games.into()) }
    }
}

/// The length of a block, and its last game, games and records then.
type Mark = (usize, u64, u32, u32);

/// The records of a game.
#[derive(Debug, Clone)]
pub struct Records<'a>(Fields<'a>);

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.0.record().ok()
    }
}

/// What follows in a file.
#[derive(Debug)]
pub(super) enum Next {
    Block(Block),
    End,
    /// The beginning of a block or a game that was being written, or what is left of one that was cut off, and how many
    /// games that is.
    Torn(u32),
}

/// Reads the next block.
///
/// # Errors
/// It is damaged.
pub(super) fn read_block(source: &mut impl Read) -> Result<Next, PackedError> {
    let mut head = [0; HEAD];
    let found = take_up_to(source, &mut head)?;
    let (head, is_whole) = (&head[..found], found == HEAD);
    if head.first() == Some(&GAME) {
        // A game of a block whose head does not count it yet. More than one, and the head was damaged.
        return end_without_marker(head, source);
    }
    if !MARKER.starts_with(&head[..found.min(MARKER.len())]) && !head.is_empty() {
        return Err(PackedError::Checksum);
    }
    if !is_whole {
        return Ok(if head.is_empty() { Next::End } else { Next::Torn(1) });
    }
    let (checked, sum) = head.split_at(HEAD - 8);
    if sum != checksum(checked).to_le_bytes() {
        return Err(PackedError::Checksum);
    }
    let mut fields = Fields(&checked[MARKER.len()..]);
    let (size, games, records) = (fields.u32()? as usize, fields.u32()?, fields.u32()?);
    fields.u32()?;
    let (before, sum) = (fields.u64()?, fields.u64()?);
    if size > MAX_BLOCK {
        return Err(PackedError::Checksum);
    }
    let mut content = vec![0; size];
    if take_up_to(source, &mut content)? < size {
        return Ok(Next::Torn(games));
    }
    if checksum(&content) != sum {
        return Err(PackedError::Checksum);
    }
    Ok(Next::Block(Block { before, last: before, games, records, content }))
}

/// The rest of a file that was being written has no further block.
fn end_without_marker(head: &[u8], source: &mut impl Read) -> Result<Next, PackedError> {
    let mut last = head.to_vec();
    let mut bytes = vec![0; BLOCK];
    loop {
        if last.windows(MARKER.len()).any(|window| window == MARKER) {
            return Err(PackedError::Checksum);
        }
        last.drain(..last.len().saturating_sub(MARKER.len() - 1));
        match take_up_to(source, &mut bytes)? {
            0 => return Ok(Next::Torn(1)),
            found => last.extend(&bytes[..found]),
        }
    }
}

/// Fills `bytes`.
fn take(source: &mut impl Read, bytes: &mut [u8]) -> Result<(), PackedError> {
    let wanted = bytes.len();
    if take_up_to(source, bytes)? < wanted { Err(PackedError::ShortHeader) } else { Ok(()) }
}

/// Fills `bytes` as far as there is something to read; how many were read.
fn take_up_to(source: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut found = 0;
    while found < bytes.len() {
        match source.read(&mut bytes[found..]) {
            Ok(0) => break,
            Ok(more) => found += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes one field after the other of bytes whose checksum is right.
#[derive(Debug, Clone)]
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], PackedError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(PackedError::Games)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const SIZE: usize>(&mut self) -> Result<[u8; SIZE], PackedError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(PackedError::Games)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u16(&mut self) -> Result<u16, PackedError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, PackedError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, PackedError> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<&'a str, PackedError> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| PackedError::Games)
    }

    fn varint(&mut self) -> Result<u64, PackedError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(PackedError::Games)
    }

    fn record(&mut self) -> Result<&'a [u8], PackedError> {
        let [length] = self.array()?;
        self.bytes(usize::from(length))
    }
}
