//! Positions to learn from, read from files of self-play, packed, and shuffled in memory that is bounded. Each learner
//! makes of a position what it needs; the positions of some games are held out for validation.

use std::io::BufRead;
use std::ops::Range;
use std::path::PathBuf;

use rayon::prelude::*;

use super::data::{PackedHeader, Packing, Record, Torn};
use super::sample::{self, End, Header, Line, LineError, Place, SampleError};
use super::store::{Loaded, Store, check_memory};
use crate::engine::GameProfile;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Variant, counted};

/// What a centipawn is in the exponent of the expected score, 1/(1+10^(-cp/400)).
pub(super) const PER_CENTIPAWN: f64 = std::f64::consts::LN_10 / 400.0;

/// One game in so many is for validation.
const VALIDATION_GAMES: u64 = 10;
/// Of ten bytes for packed positions, those to learn from and those held out.
const VALIDATION_SHARES: [usize; 2] = [9, 1];
/// Records that a thread makes examples of at a time.
const SHARE: usize = 512;

/// How a fit is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Passes over all positions.
    pub epochs: u32,
    /// The share of the game's result in the target, 0 to 1; the rest is the score that the search found.
    pub blend: f64,
    /// Of the random order of the positions, and of random initial weights.
    pub seed: u64,
    /// The room for the positions.
    pub room: Room,
}

/// The room that positions may take.
#[derive(Debug, Clone)]
pub struct Room {
    /// Bytes of memory, roughly. What does not fit stays on disk.
    pub memory: usize,
    /// The folders in which a temporary file may be, the best one first.
    pub folders: Vec<PathBuf>,
}

impl Room {
    /// The memory that positions may take unless somebody says otherwise, in MiB.
    pub const USUAL_MEBIBYTES: u32 = 1024;
}

/// A gibibyte, and the folder of the system for temporary files.
impl Default for Room {
    fn default() -> Room {
        let memory = (Room::USUAL_MEBIBYTES as usize) << 20;
        Room { memory, folders: vec![std::env::temp_dir()] }
    }
}

impl Settings {
    /// The target: the expected score for White, 0 to 1.
    pub(super) fn target(&self, centipawns: i32, end: Option<End>) -> f64 {
        let by_search = expected_score(f64::from(centipawns));
        match end {
            Some(end) => self.blend * end.result() + (1.0 - self.blend) * by_search,
            None => by_search,
        }
    }
}

/// The mean losses after an epoch.
#[derive(Debug, Clone, Copy)]
pub struct Losses {
    /// Of the positions that are learned from.
    pub training: f64,
    /// Of those held out.
    pub validation: f64,
}

/// What a learner keeps of positions.
pub(super) trait Dataset: Default + Send + Sync {
    /// What it keeps of one.
    type Example: Send;

    fn push(&mut self, example: Self::Example);
    fn len(&self) -> usize;
    /// The bytes that it takes.
    fn bytes(&self) -> usize;
}

/// Rows of any length in one list.
#[derive(Debug)]
pub(super) struct Rows<T> {
    /// Where each row ends.
    ends: Vec<u64>,
    all: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows { ends: Vec::new(), all: Vec::new() }
    }
}

impl<T> Rows<T> {
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.all.extend(row);
        self.ends.push(self.all.len() as u64);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.ends.capacity() * size_of::<u64>() + self.all.capacity() * size_of::<T>()
    }

    #[inline]
    pub fn row(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[index] as usize]
    }
}

/// What a learner makes of a record. It need not make a position of it first, which takes longer than to read it.
pub(super) type Make<'a, E> = &'a (dyn Fn(&Packing, &Record) -> Result<E, SampleError> + Sync);

/// Whether positions are learned from or held out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Training,
    Validation,
}

/// The positions of some files, packed.
#[derive(Debug)]
pub struct Corpus {
    /// Those to learn from, and those held out.
    pub(super) stores: [Store; 2],
    /// What records are packed by.
    packed_by: Vec<PackedHeader>,
    games: u64,
    /// The greatest number of a game, counted on from file to file.
    last_game: u64,
    /// How many games have a position that is kept, and the sum over them of the plies before their last one.
    lengths: (u64, u64),
    /// The first lines of the files.
    headers: Vec<String>,
}

impl Default for Corpus {
    fn default() -> Corpus {
        Corpus {
            stores: [(); 2].map(|()| Store::default()),
            packed_by: Vec::new(),
            games: 0,
            last_game: 0,
            lengths: (0, 0),
            headers: Vec::new(),
        }
    }
}

impl Corpus {
    /// Adds the positions of a file, text or packed. Returns what was left out at its end.
    ///
    /// # Errors
    /// The first line or block that is wrong, or is of a game of another family; or there is no room for the positions.
    pub fn add(
        &mut self,
        variant: &Variant,
        mut file: impl BufRead,
        room: &Room,
    ) -> Result<Option<Torn>, LineError> {
        check_memory().map_err(|error| LineError { place: Place::Line(1), error })?;
        for (store, share) in self.stores.iter_mut().zip(VALIDATION_SHARES) {
            // The other half is for what learners make of positions.
            store.set_room(room.memory / 2 / 10 * share, &room.folders);
        }
        let (mut length, first) = (0, self.last_game);
        let (header, torn) = if sample::is_packed(&mut file)? {
            self.add_packed(variant, file, &mut length, first)?
        } else {
            self.add_text(variant, file, &mut length, first)?
        };
        self.count_length(length);
        self.headers.push(header.to_string().trim_start_matches("# ").to_string());
        Ok(torn)
    }

    fn add_packed(
        &mut self,
        variant: &Variant,
        file: impl BufRead,
        length: &mut u64,
        first: u64,
    ) -> Result<(Header, Option<Torn>), LineError> {
        sample::read_records(file, |header, number, records, _| {
            let packed_by = self.packed_by(variant, header)?;
            self.begin_game(first + number, length);
            let mut record = Record::default();
            for packed in records {
                header.packing_of(packed)?.unpack(packed, &mut record)?;
                *length = (*length).max(plies_before(record.fullmove, record.side_to_move));
                self.add_record(packed_by, packed)?;
            }
            Ok(())
        })
    }

    fn add_text(
        &mut self,
        variant: &Variant,
        file: impl BufRead,
        length: &mut u64,
        first: u64,
    ) -> Result<(Header, Option<Torn>), LineError> {
        let mut packed: Option<(u16, PackedHeader)> = None;
        sample::read_text_with_header(file, |header, line, _| {
            let (packed_by, header) = match &packed {
                Some(known) => known,
                None => {
                    let header = PackedHeader::new(header)?;
                    packed.insert((self.packed_by(variant, &header)?, header))
                }
            };
            match line {
                Line::Game(number) => self.begin_game(first + number, length),
                Line::Sample(sample) => {
                    let position = &sample.position;
                    check_family(position.variant(), variant)?;
                    let plies = plies_before(position.fullmove(), position.side_to_move());
                    *length = (*length).max(plies);
                    let record = header.pack(&sample)?;
                    self.add_record(*packed_by, &record)?;
                }
            }
            Ok(())
        })
    }

    /// The number of what the records of a file are packed by.
    fn packed_by(&mut self, variant: &Variant, header: &PackedHeader) -> Result<u16, SampleError> {
        for packing in &header.packings {
            check_family(packing.variant(), variant)?;
        }
        let known = self.packed_by.iter().position(|known| known.packs_as(header));
        let number = known.unwrap_or_else(|| {
            self.packed_by.push(header.clone());
            self.packed_by.len() - 1
        });
        u16::try_from(number).map_err(|_| SampleError::Room("too many kinds of files".to_string()))
    }

    fn begin_game(&mut self, number: u64, length: &mut u64) {
        self.games += 1;
        self.last_game = number;
        self.count_length(std::mem::take(length));
    }

    fn add_record(&mut self, packed_by: u16, record: &[u8]) -> Result<(), SampleError> {
        // By game: positions of one game are too much alike to validate each other.
        let is_held_out = SplitMix::new(self.last_game).number().is_multiple_of(VALIDATION_GAMES);
        self.stores[usize::from(is_held_out)].add(packed_by, record)
    }

    fn count_length(&mut self, plies: u64) {
        let (games, sum) = &mut self.lengths;
        (*games, *sum) = (*games + u64::from(plies > 0), *sum + plies);
    }

    /// How many positions there are of a part.
    pub(super) fn len(&self, part: Part) -> usize {
        self.stores[part as usize].len()
    }

    /// The mean length of a game in plies, up to its last position.
    pub fn mean_plies(&self) -> f64 {
        let (games, sum) = self.lengths;
        (sum as f64 / games.max(1) as f64).clamp(1.0, GameProfile::MAX_PLIES)
    }

    /// Whether there is nothing to learn from, or nothing for validation.
    pub fn is_too_small(&self) -> bool {
        [Part::Training, Part::Validation].into_iter().any(|part| self.len(part) == 0)
    }

    /// How many positions there are to learn from.
    pub fn positions(&self) -> usize {
        self.len(Part::Training)
    }

    /// Where `what` comes from, a line each: the command with its options `how`, then the data.
    pub fn provenance(&self, what: &str, how: &str, settings: &Settings) -> Vec<String> {
        let Settings { epochs, blend, seed, .. } = settings;
        let mut lines = vec![format!(
            "{what}, fitted by `garrison tune {how}--epochs {epochs} --blend {blend} --seed {seed}` \
             to {} ({} more for validation) of {}:",
            counted(self.positions() as u64, "position"),
            self.len(Part::Validation),
            counted(self.games, "game")
        )];
        lines.extend(self.headers.iter().cloned());
        lines
    }

    /// What a learner makes of some records.
    pub(super) fn examples<D: Dataset>(
        &self,
        records: &Loaded,
        make: Make<D::Example>,
        into: &mut D,
    ) -> Result<(), SampleError> {
        let made = |part: usize| {
            let mut record = Record::default();
            let indices = part * SHARE..((part + 1) * SHARE).min(records.len());
            let one = |index| {
                let (packed_by, bytes) = records.get(index);
                let packing = self.packed_by[packed_by].packing_of(bytes)?;
                packing.unpack(bytes, &mut record)?;
                make(packing, &record)
            };
            indices.map(one).collect::<Result<Vec<_>, SampleError>>()
        };
        let parts = (0..records.len().div_ceil(SHARE)).into_par_iter().map(made);
        for part in parts.collect::<Vec<_>>() {
            part?.into_iter().for_each(|example| into.push(example));
        }
        Ok(())
    }
}

fn check_family(found: &Variant, variant: &Variant) -> Result<(), SampleError> {
    if found.family() == variant.family() {
        return Ok(());
    }
    Err(SampleError::Family {
        found: found.name().to_string(),
        expected: variant.name().to_string(),
    })
}

/// The plies that were played before a position with this move number and side to move.
fn plies_before(fullmove: u32, side: Color) -> u64 {
    2 * u64::from(fullmove.max(1) - 1) + u64::from(side == Color::Black)
}

/// The score expected, 0 to 1, of a value in centipawns.
pub(super) fn expected_score(centipawns: f64) -> f64 {
    1.0 / (1.0 + (-centipawns * PER_CENTIPAWN).exp())
}

/// The sum over a range of the cross-entropy of targets and predictions. `predict` makes the prediction for an index, with
/// scratch memory from `scratch`; it is clamped to at least `margin` from 0 and 1. Summed in parts of a fixed size, so
/// that the number of threads does not matter.
pub(super) fn sum_loss<S>(
    targets: &[f32],
    range: Range<usize>,
    part: usize,
    margin: f64,
    scratch: impl Fn() -> S + Sync,
    predict: impl Fn(&mut S, usize) -> f64 + Sync,
) -> f64 {
    let loss = |scratch: &mut S, index: usize| {
        let target = f64::from(targets[index]);
        let predicted = predict(scratch, index).clamp(margin, 1.0 - margin);
        -target * predicted.ln() - (1.0 - target) * (1.0 - predicted).ln()
    };
    let parts: Vec<f64> = (0..range.len().div_ceil(part))
        .into_par_iter()
        .map(|number| {
            let mut scratch = scratch();
            let start = range.start + number * part;
            (start..(start + part).min(range.end)).map(|index| loss(&mut scratch, index)).sum()
        })
        .collect();
    parts.iter().sum()
}
