//! What a learner makes of the positions of a corpus, passed on in random batches or part by part, in memory that is
//! bounded.

use std::ops::Range;

use super::corpus::{Corpus, Dataset, Make, Part, Room};
use super::sample::SampleError;
use super::store::{Loaded, Store, check_memory, shuffle};
use crate::engine::memory::is_left;
use garrison_rules::random::SplitMix;

/// Positions that are made examples of at a time if they do not all stay in memory.
const GROUP: usize = 1 << 15;

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

    /// The bytes that are kept in memory.
    pub fn in_memory(&self) -> usize {
        self.whole.iter().flatten().map(Dataset::bytes).sum()
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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use super::*;
    use crate::training::data::{Packing, Record};
    use crate::training::sample;
    use garrison_rules::{Position, Variant, find};

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
