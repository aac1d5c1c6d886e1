//! Positions to learn from, read from files of self-play, packed, and shuffled in memory that is bounded. Each learner
//! makes of a position what it needs; the positions of some games are held out for validation.

use std::io::BufRead;
use std::ops::Range;
use std::path::PathBuf;

use rayon::prelude::*;

use super::data::{PackedHeader, Packing, Record};
use super::sample::{self, End, Header, Line, LineError, Place, SampleError};
use super::store::{Loaded, Store, check_memory, is_left, shuffle};
use crate::engine::GameProfile;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Variant, counted};

/// What a centipawn is in the exponent of the expected score, 1/(1+10^(-cp/400)).
pub(super) const PER_CENTIPAWN: f64 = std::f64::consts::LN_10 / 400.0;

/// One game in so many is for validation.
const VALIDATION_GAMES: u64 = 10;
/// Of ten bytes for packed positions, those to learn from and those held out.
const VALIDATION_SHARES: [usize; 2] = [9, 1];
/// Positions that are made examples of at a time if they do not all stay in memory, and those that a thread takes.
const GROUP: usize = 1 << 15;
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
pub(super) struct Corpus {
    /// Those to learn from, and those held out.
    stores: [Store; 2],
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
    /// Adds the positions of a file, text or packed.
    ///
    /// # Errors
    /// The first line or block that is wrong, or is of a game of another family; or there is no room for the positions.
    pub fn add(
        &mut self,
        variant: &Variant,
        mut file: impl BufRead,
        room: &Room,
    ) -> Result<(), LineError> {
        check_memory().map_err(|error| LineError { place: Place::Line(1), error })?;
        for (store, share) in self.stores.iter_mut().zip(VALIDATION_SHARES) {
            // The other half is for what learners make of positions.
            store.set_room(room.memory / 2 / 10 * share, &room.folders);
        }
        let (mut length, first) = (0, self.last_game);
        let header = if sample::is_packed(&mut file)? {
            self.add_packed(variant, file, &mut length, first)?
        } else {
            self.add_text(variant, file, &mut length, first)?
        };
        self.count_length(length);
        self.headers.push(header.to_string().trim_start_matches("# ").to_string());
        Ok(())
    }

    fn add_packed(
        &mut self,
        variant: &Variant,
        file: impl BufRead,
        length: &mut u64,
        first: u64,
    ) -> Result<Header, LineError> {
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
    ) -> Result<Header, LineError> {
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
    pub fn len(&self, part: Part) -> usize {
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

    /// Where `what` comes from, a line each: the command with its options `how`, then the data.
    pub fn provenance(&self, what: &str, how: &str, settings: &Settings) -> Vec<String> {
        let Settings { epochs, blend, seed, .. } = settings;
        let mut lines = vec![format!(
            "{what}, fitted by `garrison tune {how}--epochs {epochs} --blend {blend} --seed {seed}` \
             to {} ({} more for validation) of {}:",
            counted(self.len(Part::Training) as u64, "position"),
            self.len(Part::Validation),
            counted(self.games, "game")
        )];
        lines.extend(self.headers.iter().cloned());
        lines
    }

    /// What a learner makes of some records.
    fn examples<D: Dataset>(
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

/// What a learner makes of the positions of a corpus: all in memory if there is room, or else some thousand at a time. The
/// order is the same.
pub(super) struct Examples<'a, D: Dataset> {
    corpus: &'a Corpus,
    make: Make<'a, D::Example>,
    /// Both parts, bucket by bucket.
    whole: Option<[D; 2]>,
}

impl<'a, D: Dataset> Examples<'a, D> {
    /// Keeps all in memory if it takes no more than is left of `room`.
    ///
    /// # Errors
    /// A record is damaged, or there is not even memory for a part.
    pub fn new(
        corpus: &'a Corpus,
        room: &Room,
        make: Make<'a, D::Example>,
    ) -> Result<Examples<'a, D>, SampleError> {
        check_memory()?;
        let mut examples = Examples { corpus, make, whole: None };
        let taken: usize = corpus.stores.iter().map(Store::in_memory).sum();
        let left = room.memory.saturating_sub(taken);
        let bytes = examples.bytes()?;
        // A list that grows is there twice for a moment.
        if bytes <= left && is_left(2 * bytes) {
            let mut whole = [D::default(), D::default()];
            for (part, data) in [Part::Training, Part::Validation].into_iter().zip(&mut whole) {
                examples.each_group(part, |group| {
                    corpus.examples(group, make, data)?;
                    Ok(data.bytes() <= left)
                })?;
            }
            let is_whole = |part: Part| whole[part as usize].len() == corpus.len(part);
            if is_whole(Part::Training) && is_whole(Part::Validation) {
                examples.whole = Some(whole);
            }
        }
        Ok(examples)
    }

    /// The positions to learn from and those held out.
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn into_memory(self) -> Result<[D; 2], SampleError> {
        self.whole.ok_or_else(|| SampleError::Room("no memory for all positions".to_string()))
    }

    /// About the bytes of all together, by those of some; a list that grows may take twice as much as it needs.
    fn bytes(&self) -> Result<usize, SampleError> {
        let mut data = D::default();
        self.each_group(Part::Training, |group| {
            self.corpus.examples(group, self.make, &mut data)?;
            Ok(false)
        })?;
        let all = self.corpus.len(Part::Training) + self.corpus.len(Part::Validation);
        Ok((data.bytes() as f64 * 1.5 * all as f64 / data.len().max(1) as f64) as usize)
    }

    /// Passes all records of a part on, bucket by bucket, `GROUP` at a time, until `each` returns false.
    fn each_group(
        &self,
        part: Part,
        mut each: impl FnMut(&Loaded) -> Result<bool, SampleError>,
    ) -> Result<(), SampleError> {
        let store = &self.corpus.stores[part as usize];
        let mut group = Loaded::default();
        for bucket in store.buckets() {
            let loaded = store.load(&[bucket])?;
            for index in 0..loaded.len() {
                group.push(loaded.get(index));
                if group.len() == GROUP {
                    if !each(&group)? {
                        return Ok(());
                    }
                    group.clear();
                }
            }
        }
        if group.len() > 0 {
            each(&group)?;
        }
        Ok(())
    }

    /// Passes all positions of a part on, some at a time and always the same together, until `each` returns false.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn each_part(
        &self,
        part: Part,
        mut each: impl FnMut(&D, Range<usize>) -> bool,
    ) -> Result<(), SampleError> {
        if let Some(whole) = &self.whole {
            let data = &whole[part as usize];
            let starts = (0..data.len()).step_by(GROUP);
            let mut ranges = starts.map(|start| start..(start + GROUP).min(data.len()));
            ranges.all(|range| each(data, range));
            return Ok(());
        }
        self.each_group(part, |group| {
            let mut data = D::default();
            self.corpus.examples(group, self.make, &mut data)?;
            let range = 0..data.len();
            Ok(each(&data, range))
        })
    }

    /// The mean over a part of what `sum` adds up for some positions.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn mean(
        &self,
        part: Part,
        mut sum: impl FnMut(&D, Range<usize>) -> f64,
    ) -> Result<f64, SampleError> {
        let mut total = 0.0;
        self.each_part(part, |data, range| {
            total += sum(data, range);
            true
        })?;
        Ok(total / self.corpus.len(part).max(1) as f64)
    }

    /// Passes all positions to learn from on, in random order, in batches of this size.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn each_batch(
        &self,
        random: &mut SplitMix,
        size: usize,
        mut each: impl FnMut(&mut SplitMix, &D, &[u32]),
    ) -> Result<(), SampleError> {
        // Its own numbers: batches may be made before the next pool is shuffled, or after it.
        let mut order = SplitMix::new(random.number());
        let each = |data: &D, batch: &[u32]| each(random, data, batch);
        match &self.whole {
            Some([training, _]) => {
                self.batches_in_memory(training, &mut order, size, each);
                Ok(())
            }
            None => self.batches_read(&mut order, size, each),
        }
    }

    fn batches_in_memory(
        &self,
        data: &D,
        random: &mut SplitMix,
        size: usize,
        mut each: impl FnMut(&D, &[u32]),
    ) {
        let store = &self.corpus.stores[Part::Training as usize];
        let mut starts = vec![0];
        for bucket in store.buckets() {
            starts.push(starts[bucket] + store.records(bucket) as u32);
        }
        let mut order: Vec<u32> = Vec::new();
        for pool in store.pools(random) {
            let rest = order.len();
            order.extend(pool.iter().flat_map(|&bucket| starts[bucket]..starts[bucket + 1]));
            shuffle(&mut order[rest..], random);
            let whole = order.len() / size * size;
            order[..whole].chunks(size).for_each(|batch| each(data, batch));
            order.drain(..whole);
        }
        if !order.is_empty() {
            each(data, &order);
        }
    }

    fn batches_read(
        &self,
        random: &mut SplitMix,
        size: usize,
        mut each: impl FnMut(&D, &[u32]),
    ) -> Result<(), SampleError> {
        let store = &self.corpus.stores[Part::Training as usize];
        let together = (GROUP / size).max(1) * size;
        let mut group = Loaded::default();
        let mut learn = |group: &Loaded| {
            let mut data = D::default();
            self.corpus.examples(group, self.make, &mut data)?;
            let order: Vec<u32> = (0..data.len() as u32).collect();
            order.chunks(size).for_each(|batch| each(&data, batch));
            Ok::<(), SampleError>(())
        };
        for pool in store.pools(random) {
            let loaded = store.load(&pool)?;
            let mut order: Vec<u32> = (0..loaded.len() as u32).collect();
            shuffle(&mut order, random);
            for index in order {
                group.push(loaded.get(index as usize));
                if group.len() == together {
                    learn(&group)?;
                    group.clear();
                }
            }
        }
        if group.len() > 0 { learn(&group) } else { Ok(()) }
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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use super::*;
    use garrison_rules::{Position, find};

    /// What is kept of a position: its move number and score.
    #[derive(Default)]
    struct Numbers(Vec<(u32, i32)>);

    impl Dataset for Numbers {
        type Example = (u32, i32);

        fn push(&mut self, example: (u32, i32)) {
            self.0.push(example);
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn bytes(&self) -> usize {
            size_of_val(&*self.0)
        }
    }

    fn number(packing: &Packing, record: &Record) -> Result<(u32, i32), SampleError> {
        let sample = packing.sample(record)?;
        Ok((sample.position.fullmove(), sample.centipawns))
    }

    /// Games whose positions are numbered by their scores.
    fn text(variant: &Arc<Variant>, games: usize) -> String {
        let mut text =
            "# garrison selfplay seed 1 nodes 1 plies 8 hash 1 version 0.1.0 variants ".to_string();
        text += variant.name();
        text.push('\n');
        let (mut random, mut score) = (SplitMix::new(6), 0);
        for game in 1..=games {
            let _ = writeln!(text, "# game {game}");
            let mut position = Position::start(variant);
            while position.status().outcome().is_none() && position.fullmove() < 30 {
                let moves = position.legal_moves();
                position.make(moves[random.below(moves.len())]);
                let _ = writeln!(text, "{}|{}|{score}|0.5", variant.name(), position.fen());
                score += 1;
            }
        }
        text
    }

    /// All that a learner gets: batches of two epochs, and a sum over the positions held out.
    fn seen(corpus: &Corpus, room: &Room) -> (bool, Vec<Vec<(u32, i32)>>, f64) {
        let examples = Examples::<Numbers>::new(corpus, room, &number).expect("room");
        let (mut random, mut batches) = (SplitMix::new(3), Vec::new());
        for _ in 0..2 {
            let each = |random: &mut SplitMix, data: &Numbers, batch: &[u32]| {
                let mut batch: Vec<_> = batch.iter().map(|&index| data.0[index as usize]).collect();
                batch.push((0, random.number() as i32));
                batches.push(batch);
            };
            examples.each_batch(&mut random, 700, each).expect("room");
        }
        let sum = |data: &Numbers, range: Range<usize>| {
            range.map(|index| f64::from(data.0[index].1)).sum()
        };
        let mean = examples.mean(Part::Validation, sum).expect("room");
        (examples.whole.is_some(), batches, mean)
    }

    #[test]
    fn little_memory_changes_nothing() {
        let variant = find("minishogi").expect("a game");
        let text = text(&variant, 300);
        let corpus = |room: &Room| {
            let mut corpus = Corpus::default();
            corpus.add(&variant, text.as_bytes(), room).expect("a good file");
            corpus.stores.iter_mut().for_each(|store| store.set_pool(1 << 14));
            corpus
        };
        let large = Room::default();
        let small = Room { memory: 1 << 14, ..Room::default() };
        let (in_memory, on_disk) = (corpus(&large), corpus(&small));
        let positions = in_memory.len(Part::Training);
        assert!(positions > 10_000, "{positions}");
        let pools = in_memory.stores[0].pools(&mut SplitMix::new(1)).len();
        assert!(pools > 5, "{pools}");
        let (is_whole, batches, mean) = seen(&in_memory, &large);
        let (is_read_whole, batches_read, mean_read) = seen(&on_disk, &small);
        assert!(is_whole && !is_read_whole);
        assert!(batches == batches_read && mean.to_bits() == mean_read.to_bits());
        assert_eq!(batches.len(), 2 * positions.div_ceil(700));
        // Each position once in an epoch.
        let (first, second) = batches.split_at(batches.len() / 2);
        let scores = |batches: &[Vec<(u32, i32)>]| {
            let all = batches.iter().flat_map(|batch| &batch[..batch.len() - 1]);
            let mut scores: Vec<i32> = all.map(|&(_, score)| score).collect();
            scores.sort_unstable();
            scores
        };
        assert_eq!(scores(first).len(), positions);
        assert_eq!(scores(first), scores(second));
        assert!(scores(first).windows(2).all(|pair| pair[0] < pair[1]));
        assert_ne!(first, second);
    }

    /// Reads the packed file GARRISON_DATA so many times (GARRISON_TIMES), as if its games were others each time, and
    /// goes through one epoch, without making positions of the records. Prints the speed and the most memory that the
    /// program ever had.
    #[test]
    #[ignore = "a measurement: GARRISON_DATA, GARRISON_TIMES"]
    fn measure_an_epoch() {
        let number_of = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let Ok(path) = std::env::var("GARRISON_DATA") else {
            return eprintln!("skipped: GARRISON_DATA names no packed file");
        };
        let times: usize = number_of("GARRISON_TIMES").unwrap_or(1);
        let memory = number_of("GARRISON_MEMORY").unwrap_or(1024) << 20;
        let room = Room { memory, ..Room::default() };
        let open = || std::io::BufReader::new(std::fs::File::open(&path).expect("a file"));
        let header = sample::header(open()).expect("a packed file");
        let variant = find(&header.variants[0]).expect("a game");
        let start = std::time::Instant::now();
        let mut corpus = Corpus::default();
        for _ in 0..times {
            corpus.add(&variant, open(), &room).expect("a packed file");
        }
        let read = start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        let make = |_: &Packing, record: &Record| Ok((record.fullmove, record.centipawns));
        let examples = Examples::<Numbers>::new(&corpus, &room, &make).expect("room");
        let (mut batches, mut positions) = (0, 0);
        let count = |_: &mut SplitMix, _: &Numbers, batch: &[u32]| {
            batches += 1;
            positions += batch.len();
        };
        examples.each_batch(&mut SplitMix::new(1), 4_096, count).expect("room");
        let epoch = start.elapsed().as_secs_f64();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let most = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
        println!(
            "{positions} positions in {batches} batches, {} held out: read in {read:.1} s, an epoch in {epoch:.1} s, \
             in memory: {}, {most}",
            corpus.len(Part::Validation),
            examples.whole.is_some()
        );
    }
}
