//! Packed positions on the way to a learner: scattered by chance over buckets, so that each pass reads a few of them at
//! a time, in any order, and shuffles what it has read. What does not fit in memory is in a file without a name, which
//! is gone with the program, however that ends.
//!
//! Where they are, in memory or on disk, changes no order.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::sample::SampleError;
use crate::engine::memory::is_left;
use garrison_rules::random::SplitMix;

/// As many buckets there are.
const BUCKETS: usize = 256;
/// A bucket that has so many bytes in memory is written, if there is a file.
const FLUSH: usize = 1 << 16;
/// The bytes that are shuffled together, unless a bucket has more.
const POOL: u64 = 64 << 20;
/// The memory that is left for other work, in bytes: for the positions that are made examples of, weights, gradients.
const WORK: usize = 96 << 20;
/// What is in front of a record: the number of what it is packed by, and how many bytes it has.
const HEAD: usize = 3;

/// A record and the number of what it is packed by.
pub(super) type Entry<'a> = (usize, &'a [u8]);

/// Positions of one kind: to learn from, or to validate.
#[derive(Debug, Default)]
struct Bucket {
    /// What is in memory, behind what is in the file.
    rest: Vec<u8>,
    /// Where the parts in the file begin, and how many bytes they have.
    parts: Vec<(u64, usize)>,
    bytes: u64,
    records: usize,
}

/// Some buckets and their file.
#[derive(Debug)]
pub(super) struct Store {
    buckets: Vec<Bucket>,
    /// Which bucket a record goes to.
    random: SplitMix,
    file: Option<Mutex<File>>,
    file_end: u64,
    /// The bytes that the buckets take in memory, and may take before there is a file.
    in_memory: usize,
    memory: usize,
    pool: u64,
    /// Where a file may be, the best place first.
    folders: Vec<PathBuf>,
}

/// Without room: it is [given](Store::set_room) before the first record.
impl Default for Store {
    fn default() -> Store {
        Store {
            buckets: (0..BUCKETS).map(|_| Bucket::default()).collect(),
            random: SplitMix::new(BUCKETS as u64),
            file: None,
            file_end: 0,
            in_memory: 0,
            memory: 0,
            pool: POOL,
            folders: Vec::new(),
        }
    }
}

impl Store {
    /// Takes so many bytes of memory before it makes a file in one of these folders.
    pub fn set_room(&mut self, memory: usize, folders: &[PathBuf]) {
        self.memory = memory;
        self.folders = folders.to_vec();
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.buckets.iter().map(|bucket| bucket.records).sum()
    }

    /// The bytes of all records.
    fn bytes(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.bytes).sum()
    }

    /// The bytes that the records take in memory.
    pub fn in_memory(&self) -> usize {
        self.in_memory
    }

    /// Adds a record, which has at most 255 bytes and is packed by what has this number.
    ///
    /// # Errors
    /// There is neither memory for it nor room on the disk.
    pub fn add(&mut self, packed_by: u16, record: &[u8]) -> Result<(), SampleError> {
        let number = self.random.below(BUCKETS);
        if !self.has_room(number, HEAD + record.len()) {
            self.write_all()?;
            if !self.has_room(number, HEAD + record.len()) {
                return Err(SampleError::Room("no memory for the positions".to_string()));
            }
        }
        let bucket = &mut self.buckets[number];
        bucket.rest.extend(packed_by.to_le_bytes());
        bucket.rest.push(record.len() as u8);
        bucket.rest.extend(record);
        bucket.bytes += (HEAD + record.len()) as u64;
        bucket.records += 1;
        if self.file.is_some() && bucket.rest.len() >= FLUSH {
            self.flush(number)?;
        }
        Ok(())
    }

    /// Makes room for so many bytes more in a bucket. False if there is none in memory.
    fn has_room(&mut self, number: usize, bytes: usize) -> bool {
        let rest = &mut self.buckets[number].rest;
        let before = rest.capacity();
        if rest.len() + bytes <= before {
            return true;
        }
        let more = if self.file.is_some() { FLUSH + 256 } else { (before / 2).max(1 << 12) };
        let is_allowed = self.in_memory + more <= self.memory && is_left(WORK + more);
        let is_left = self.file.is_some() || is_allowed;
        let has_room = is_left && rest.try_reserve_exact(before - rest.len() + more).is_ok();
        self.in_memory += rest.capacity() - before;
        has_room
    }

    /// Writes everything to the file, which is made if there is none.
    fn write_all(&mut self) -> Result<(), SampleError> {
        if self.file.is_none() {
            self.file = Some(Mutex::new(nameless_file(&self.folders)?));
        }
        (0..BUCKETS).try_for_each(|number| self.flush(number))?;
        for bucket in &mut self.buckets {
            bucket.rest = Vec::new();
        }
        self.in_memory = 0;
        Ok(())
    }

    fn flush(&mut self, number: usize) -> Result<(), SampleError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let bucket = &mut self.buckets[number];
        let file = file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&bucket.rest).map_err(|error| no_room(&error))?;
        bucket.parts.push((self.file_end, bucket.rest.len()));
        self.file_end += bucket.rest.len() as u64;
        bucket.rest.clear();
        Ok(())
    }

    /// The buckets in random order, in pools of as many as are shuffled together.
    pub fn pools(&self, random: &mut SplitMix) -> Vec<Vec<usize>> {
        let mut order: Vec<u32> = (0..BUCKETS as u32).collect();
        shuffle(&mut order, random);
        let together = BUCKETS as u64 * self.pool / self.bytes().max(1);
        let together = together.clamp(1, BUCKETS as u64) as usize;
        let pools = order.chunks(together);
        pools.map(|pool| pool.iter().map(|&number| number as usize).collect()).collect()
    }

    /// The numbers of all buckets.
    pub fn buckets(&self) -> impl Iterator<Item = usize> + use<> {
        0..BUCKETS
    }

    /// How many records a bucket has.
    pub fn records(&self, bucket: usize) -> usize {
        self.buckets[bucket].records
    }

    /// The records of some buckets, bucket by bucket.
    ///
    /// # Errors
    /// There is no memory for them, or the file cannot be read.
    pub fn load(&self, numbers: &[usize]) -> Result<Loaded, SampleError> {
        let none = |_| SampleError::Room("no memory to shuffle positions in".to_string());
        let buckets = || numbers.iter().map(|&number| &self.buckets[number]);
        let bytes = buckets().map(|bucket| bucket.bytes).sum::<u64>() as usize;
        let records = buckets().map(|bucket| bucket.records).sum();
        let mut loaded = Loaded::default();
        loaded.bytes.try_reserve_exact(bytes).map_err(none)?;
        loaded.starts.try_reserve_exact(records).map_err(none)?;
        for bucket in buckets() {
            self.read(bucket, &mut loaded.bytes)?;
        }
        check_memory()?;
        let mut at = 0;
        while let Some(&length) = loaded.bytes.get(at + HEAD - 1) {
            loaded.starts.push(at as u64);
            at += HEAD + usize::from(length);
        }
        Ok(loaded)
    }

    fn read(&self, bucket: &Bucket, into: &mut Vec<u8>) -> Result<(), SampleError> {
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            for &(start, length) in &bucket.parts {
                let found = file
                    .seek(SeekFrom::Start(start))
                    .and_then(|_| (&mut *file).take(length as u64).read_to_end(into));
                let is_whole = found.map_err(|error| unreadable(&error.to_string()))? == length;
                if !is_whole {
                    return Err(unreadable("it is too short"));
                }
            }
        }
        into.extend(&bucket.rest);
        Ok(())
    }

    /// Shuffles fewer bytes together.
    #[cfg(test)]
    pub fn set_pool(&mut self, pool: u64) {
        self.pool = pool;
    }
}

/// Records in memory.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    bytes: Vec<u8>,
    /// Where each record begins.
    starts: Vec<u64>,
}

impl Loaded {
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn get(&self, index: usize) -> Entry<'_> {
        let start = self.starts[index] as usize;
        let packed_by = u16::from_le_bytes([self.bytes[start], self.bytes[start + 1]]);
        let length = usize::from(self.bytes[start + 2]);
        (usize::from(packed_by), &self.bytes[start + HEAD..][..length])
    }

    /// Adds a record.
    pub fn push(&mut self, (packed_by, record): Entry) {
        self.starts.push(self.bytes.len() as u64);
        self.bytes.extend((packed_by as u16).to_le_bytes());
        self.bytes.push(record.len() as u8);
        self.bytes.extend(record);
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.starts.clear();
    }
}

/// Makes sure that there is memory to work with: what is asked for in small parts cannot be refused.
///
/// # Errors
/// There is not.
pub(super) fn check_memory() -> Result<(), SampleError> {
    check_memory_for(0)
}

/// Makes sure that there is memory for so many bytes besides.
///
/// # Errors
/// There is not.
pub(super) fn check_memory_for(bytes: usize) -> Result<(), SampleError> {
    let work = WORK.saturating_add(bytes);
    if is_left(work) {
        return Ok(());
    }
    let mebibytes = work >> 20;
    Err(SampleError::Room(format!(
        "no memory to learn in: it takes {mebibytes} MiB beside the positions, of which less --memory holds fewer"
    )))
}

/// A random order (Fisher and Yates).
pub(super) fn shuffle(order: &mut [u32], random: &mut SplitMix) {
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
}

fn no_room(error: &std::io::Error) -> SampleError {
    SampleError::Room(format!(
        "cannot write positions to a temporary file: {error}; TMPDIR names another folder for it, more --memory needs none"
    ))
}

fn unreadable(fault: &str) -> SampleError {
    SampleError::Room(format!("cannot read positions from the temporary file: {fault}"))
}

/// A file in the first of these folders that takes one.
fn nameless_file(folders: &[PathBuf]) -> Result<File, SampleError> {
    let mut fault = std::io::Error::from(std::io::ErrorKind::NotFound);
    for folder in folders {
        match nameless_file_in(folder) {
            Ok(file) => return Ok(file),
            Err(error) => fault = error,
        }
    }
    Err(no_room(&fault))
}

fn nameless_file_in(folder: &Path) -> std::io::Result<File> {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = folder.join(format!(".garrison-{}-{number}.tmp", std::process::id()));
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        // FILE_FLAG_DELETE_ON_CLOSE
        options.custom_flags(0x0400_0000);
    }
    let file = options.open(&path)?;
    // What is open stays until it is closed.
    #[cfg(not(windows))]
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(store: &Store, seed: u64) -> Vec<(usize, Vec<u8>)> {
        let mut random = SplitMix::new(seed);
        let mut all = Vec::new();
        for pool in store.pools(&mut random) {
            let loaded = store.load(&pool).expect("room");
            let mut order: Vec<u32> = (0..loaded.len() as u32).collect();
            shuffle(&mut order, &mut random);
            all.extend(order.iter().map(|&index| {
                let (packed_by, record) = loaded.get(index as usize);
                (packed_by, record.to_vec())
            }));
        }
        all
    }

    fn filled(memory: usize) -> Store {
        let folders = vec![PathBuf::from("/no/such/folder"), std::env::temp_dir()];
        let mut store = Store::default();
        store.set_room(memory, &folders);
        store.set_pool(1 << 16);
        let mut random = SplitMix::new(4);
        for number in 0..60_000u32 {
            let mut record = number.to_le_bytes().to_vec();
            record.resize(4 + random.below(60), 7);
            store.add((number % 3) as u16, &record).expect("room");
        }
        store
    }

    #[test]
    fn memory_and_disk_have_the_same_order() {
        let (memory, disk) = (filled(1 << 30), filled(100_000));
        assert!(memory.file.is_none() && disk.file.is_some());
        assert!(disk.in_memory() < BUCKETS * (FLUSH + 4096), "{}", disk.in_memory());
        assert!(memory.pools(&mut SplitMix::new(1)).len() > 10);
        let first = records(&memory, 1);
        assert_eq!(first, records(&disk, 1));
        assert_ne!(first, records(&disk, 2));
        let mut numbers: Vec<u32> = Vec::new();
        for (packed_by, record) in &first {
            let number = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
            assert_eq!(*packed_by, number as usize % 3);
            numbers.push(number);
        }
        // What is shuffled together comes from everywhere.
        let mean = numbers[..600].iter().map(|&number| f64::from(number)).sum::<f64>() / 600.0;
        assert!((25_000.0..35_000.0).contains(&mean), "{mean}");
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..60_000));
    }

    #[test]
    fn no_room_is_one_line() {
        let mut store = Store::default();
        store.set_room(1000, &[PathBuf::from("/no/such/folder")]);
        let fault = (0..100).find_map(|_| store.add(0, &[1; 50]).err()).expect("no room");
        let fault = fault.to_string();
        assert!(fault.starts_with("cannot write positions to a temporary file: "), "{fault}");
    }
}
