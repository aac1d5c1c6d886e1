//! Reading and writing files that people name, of whatever length and kind. Any module may use it; it depends on none.

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use garrison_rules::shown;
use thiserror::Error;

/// A fault of a file, printed behind its name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{}': {fault}", shown(&.path.to_string_lossy()))]
pub struct InFile<E> {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: E,
}

/// A fault of this file.
pub fn in_file<E>(path: &Path, fault: E) -> InFile<E> {
    InFile { path: path.to_path_buf(), fault }
}

/// Why a file that a run would begin is refused when it is there.
pub(crate) const EXISTS: &str = "exists; --resume continues it, or choose another name";

/// Why a text file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refuses.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is a folder, a device or a pipe.
    #[error("is no file")]
    NotAFile,
    /// It is a folder or a device.
    #[error("is neither a file nor a pipe")]
    NotASource,
    /// A line has more bytes than allowed.
    #[error("line {line} has more than {most_bytes} bytes")]
    LongLine {
        /// Its number, from 1.
        line: usize,
        /// As many are allowed.
        most_bytes: u64,
    },
    /// It has more bytes than this.
    #[error("has more than {0} bytes")]
    TooLong(u64),
    /// The byte at this offset begins no character.
    #[error("byte {0}: the text is not UTF-8")]
    NotUtf8(usize),
}

/// The text of a file of at most so many bytes.
///
/// # Errors
/// It cannot be read, is not text, or is too long. A device or pipe is refused before it is read.
pub fn read_text(path: &Path, most_bytes: u64) -> Result<String, ReadError> {
    text(read_bytes(path, most_bytes)?)
}

/// The bytes of a file of at most so many.
///
/// # Errors
/// As [`read_text`].
pub fn read_bytes(path: &Path, most_bytes: u64) -> Result<Vec<u8>, ReadError> {
    read_to_end(open_file(path)?, most_bytes)
}

/// The bytes of a [`Source`] of at most so many.
///
/// # Errors
/// As [`open_source`]; or it is too long.
pub fn read_source(path: &Path, most_bytes: u64) -> Result<Vec<u8>, ReadError> {
    read_to_end(open_source(path)?, most_bytes)
}

/// Bytes as text.
///
/// # Errors
/// They are not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| ReadError::NotUtf8(error.utf8_error().valid_up_to()))
}

fn read_to_end(source: impl Read, most_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    // One byte more than allowed: a file may grow while it is read.
    source.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        return Err(ReadError::TooLong(most_bytes));
    }
    Ok(bytes)
}

/// Opens a file, and nothing but a file: one that may be read twice, or is continued.
///
/// # Errors
/// It cannot be opened. What is no file is refused before it is read.
pub fn open_file(path: &Path) -> Result<BufReader<File>, ReadError> {
    if !is_plain_file(&std::fs::metadata(path)?) {
        return Err(ReadError::NotAFile);
    }
    Ok(BufReader::new(File::open(path)?))
}

/// Something that is read piece by piece, and may be longer than the memory.
pub type Source = Box<dyn BufRead + Send>;

/// The name of standard input where a file is asked for.
const STANDARD_INPUT: &str = "-";

/// Opens a file, a pipe (`<(…)` of a shell too), or standard input for `-`. The empty device `/dev/null` is a source
/// without a byte.
///
/// # Errors
/// It cannot be opened, or is a folder or a device, which is refused before it is read.
pub fn open_source(path: &Path) -> Result<Source, ReadError> {
    if path == Path::new(STANDARD_INPUT) {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let found = std::fs::metadata(path)?;
    if !is_plain_file(&found) && !is_pipe(&found) && !is_empty_device(path) {
        return Err(ReadError::NotASource);
    }
    Ok(Box::new(BufReader::new(File::open(path)?)))
}

/// The most bytes of a line of positions. The longest FEN of any game has some hundred; the header of a file of positions
/// names every game.
pub const LONGEST_POSITION_LINE: u64 = 1 << 16;

/// The lines of a source, one by one, without their ends (`\n`, `\r\n`). The last one may lack its end. Nothing
/// comes after an error.
pub struct Lines<R> {
    source: R,
    /// Lines read so far.
    number: usize,
    most_bytes: u64,
    has_failed: bool,
    /// Bytes read so far.
    offset: u64,
    is_whole: bool,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most so many bytes each.
    pub fn new(source: R, most_bytes: u64) -> Lines<R> {
        Lines { source, number: 0, most_bytes, has_failed: false, offset: 0, is_whole: true }
    }

    /// The number of bytes read so far: where the next line begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the last line read has its end. The last one of a file that was being written may lack it.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn read(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        let mut line = Vec::new();
        // The end of a line counts, and one byte more shows that it is too long.
        let most = self.most_bytes + 2;
        let length = self.source.by_ref().take(most).read_until(b'\n', &mut line)?;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.offset += length as u64;
        self.is_whole = line.ends_with(b"\n");
        for end in [b'\n', b'\r'] {
            line.pop_if(|last| *last == end);
        }
        if line.len() as u64 > self.most_bytes {
            let (line, most_bytes) = (self.number, self.most_bytes);
            return Err(ReadError::LongLine { line, most_bytes });
        }
        Ok(Some(line))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Vec<u8>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let line = self.read().transpose();
        self.has_failed = matches!(line, Some(Err(_)));
        line
    }
}

/// Whether this is a file with bytes of its own. What the system shows of itself (`/proc`, `/sys`) calls itself a file
/// and may never end.
fn is_plain_file(found: &Metadata) -> bool {
    found.is_file() && !is_of_the_system(found)
}

#[cfg(unix)]
fn is_of_the_system(found: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let is_there = |root| std::fs::metadata(root).is_ok_and(|root| root.dev() == found.dev());
    // Where there is no /proc, the folder may be an empty one of an ordinary disk.
    let root = std::fs::metadata("/").map(|root| root.dev());
    root.is_ok_and(|root| root != found.dev()) && ["/proc", "/sys"].into_iter().any(is_there)
}

#[cfg(unix)]
fn is_pipe(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_of_the_system(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

fn is_empty_device(path: &Path) -> bool {
    path == Path::new("/dev/null")
}

/// Writes a file so that it is never there in part; see [`WholeFile`].
///
/// # Errors
/// The system refuses, or has no room left; then a file of that name is as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// A file that is never there in part: it is written under another name in the same folder, and gets its own when it is
/// whole. Until then a file of that name is as it was. A device or a pipe, which no file may replace, is written to
/// directly, and what a link points to is replaced, not the link.
#[derive(Debug)]
pub struct WholeFile {
    file: BufWriter<File>,
    path: PathBuf,
    /// The name meanwhile; none for a device, and once the file has its own.
    part: Option<PathBuf>,
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// The system refuses.
    pub fn create(path: &Path) -> std::io::Result<WholeFile> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if is_special(&path) {
            let file = BufWriter::new(File::options().write(true).open(&path)?);
            return Ok(WholeFile { file, path, part: None });
        }
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(name);
        let file = BufWriter::new(File::create(&part)?);
        Ok(WholeFile { file, path, part: Some(part) })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// The system refuses, or has no room left; what was written is removed.
    pub fn commit(mut self) -> std::io::Result<()> {
        self.file.flush()?;
        if let Some(part) = &self.part {
            // On the disk before it takes the place of another: else a power cut may leave an empty file of this name.
            self.file.get_ref().sync_data()?;
            std::fs::rename(part, &self.path)?;
        }
        self.part = None;
        Ok(())
    }

    /// Removes what was written.
    pub fn discard(&mut self) {
        if let Some(part) = self.part.take() {
            // It is of no use; if it cannot be removed, so be it.
            let _ = std::fs::remove_file(part);
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, place: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(place)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        self.discard();
    }
}

/// The file beside a file that is not done, for what is needed to go on with it: `FILE.part`.
pub fn part_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".part");
    PathBuf::from(name)
}

/// Whether this is a device or a pipe: it can be written to, but not replaced, cut or continued.
pub fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Opens a file, or makes it, to be written as it is. Until it is closed no other process can open it so. A device, such as
/// `/dev/null`, is for everybody.
///
/// # Errors
/// The system refuses, or another process is writing it.
pub fn open_alone(path: &Path) -> std::io::Result<File> {
    let is_special = is_special(path);
    let mut options = File::options();
    let file = options.read(!is_special).write(true).create(true).truncate(false).open(path)?;
    if is_special || lock(&file) {
        Ok(file)
    } else {
        Err(std::io::Error::other("another run is writing it"))
    }
}

/// Cuts a file off behind so many bytes, to be written on from there.
///
/// # Errors
/// The system refuses.
pub(crate) fn cut(file: &mut File, length: u64) -> std::io::Result<()> {
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(())
}

/// Locks a file until it is closed, if it is free within a moment: the system needs one to clear up after a process that
/// was killed. Whether that worked.
pub fn lock(file: &File) -> bool {
    const TRIES: u32 = 20;
    (0..TRIES).any(|attempt| {
        if attempt > 0 {
            std::thread::sleep(Duration::from_millis(50));
        }
        is_free(file)
    })
}

/// Locks the file, unless another process has done so.
#[cfg(unix)]
fn is_free(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    let locked = flock(file, FlockOperation::NonBlockingLockExclusive);
    // Some network file systems know no locks; there nobody is kept out.
    locked != Err(rustix::io::Errno::WOULDBLOCK)
}

/// Elsewhere nobody is kept out.
#[cfg(not(unix))]
fn is_free(_: &File) -> bool {
    true
}

/// That a file cannot be written, and why, for the command line.
pub(crate) fn unwritten(path: &Path, fault: &dyn std::fmt::Display) -> String {
    format!("cannot write {}", in_file(path, fault))
}

/// [`in_file`] as text, for the command line.
pub(crate) fn fault_in(path: &Path, fault: &dyn std::fmt::Display) -> String {
    in_file(path, fault).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], most: u64) -> Vec<Result<Vec<u8>, String>> {
        let line = |line: Result<_, ReadError>| line.map_err(|error| error.to_string());
        Lines::new(text, most).map(line).collect()
    }

    #[test]
    fn lines_end_where_they_should() {
        let bytes = |text: &str| Ok(text.as_bytes().to_vec());
        assert_eq!(lines(b"", 4), []);
        assert_eq!(lines(b"ab\r\n\nabcd\nx\ry", 4), ["ab", "", "abcd", "x\ry"].map(bytes));
        assert_eq!(lines(b"abcd\r\n", 4), [bytes("abcd")]);
        let long = |line| Err(format!("line {line} has more than 4 bytes"));
        assert_eq!(lines(b"abcde\nab\n", 4), [long(1)]);
        assert_eq!(lines(b"ab\nabcdefghijk", 4), [bytes("ab"), long(2)]);
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let endless = BufReader::new(std::io::repeat(0));
        let lines: Vec<_> = Lines::new(endless, 1 << 20).collect();
        assert!(matches!(lines[..], [Err(ReadError::LongLine { line: 1, most_bytes: 0x10_0000 })]));
    }

    #[test]
    fn what_is_cut_off_is_written_anew() {
        let path = std::env::temp_dir().join(format!("garrison-cut-{}", std::process::id()));
        std::fs::write(&path, "one two three").expect("room");
        let mut file = open_alone(&path).expect("nobody else");
        cut(&mut file, 8).expect("a file");
        file.write_all(b"4").expect("room");
        let bytes = read_bytes(&path, 99);
        std::fs::remove_file(&path).expect("ours");
        assert_eq!(bytes.expect("text"), b"one two 4");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_refused_and_pipes_are_read() {
        for device in ["/dev/zero", "/dev/full", "/proc/kmsg", "/proc/self/environ", "/dev", "/"] {
            let path = Path::new(device);
            assert!(matches!(open_source(path), Err(ReadError::NotASource)), "{device}");
            assert!(matches!(read_bytes(path, 9), Err(ReadError::NotAFile)), "{device}");
        }
        assert_eq!(read_source(Path::new("/dev/null"), 9).expect("nothing"), b"");
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(b"text").expect("room");
        drop(writer);
        use std::os::fd::AsRawFd;
        let path = PathBuf::from(format!("/dev/fd/{}", reader.as_raw_fd()));
        assert_eq!(read_source(&path, 4).expect("text"), b"text");
        assert!(matches!(read_bytes(&path, 9), Err(ReadError::NotAFile)));
    }
}
