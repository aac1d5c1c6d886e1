//! One run at a time in a folder. The system releases the lock when the process ends, however it ends, so that nothing
//! has to be cleared away after a crash.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::fault::LearnError;

const NAME: &str = "lock";

/// The right to change a folder, until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder, which must exist.
    ///
    /// # Errors
    /// Another process has it, or the file of the lock cannot be written.
    pub fn take(folder: &Path) -> Result<Lock, LearnError> {
        let path = folder.join(NAME);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&path).map_err(|error| LearnError::unwritten(&path, &error))?;
        if !is_soon_free(&file) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let process = text.trim().parse().ok();
            return Err(LearnError::InUse { folder: folder.to_path_buf(), process });
        }
        sign(&file);
        Ok(Lock { _file: file })
    }

    /// Whether a file of the folder is the one of the lock.
    pub fn is_its(name: &str) -> bool {
        name == NAME
    }
}

/// Writes who has the lock. It only serves the message to others: if the disk is full, it has no number.
fn sign(mut file: &File) {
    use std::io::Write;
    let _ = file.set_len(0);
    let _ = writeln!(file, "{}", std::process::id());
}

/// Locks the file, if it is free within a moment: the system needs one to clear up after a process that was killed.
fn is_soon_free(file: &File) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_until_the_lock_is_dropped() {
        let folder = std::env::temp_dir().join(format!("garrison-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let lock = Lock::take(&folder).expect("the first");
        let second = Lock::take(&folder).expect_err("the second").to_string();
        let expected = format!("another run is learning there, process {}", std::process::id());
        assert!(second.ends_with(&expected), "{second}");
        drop(lock);
        drop(Lock::take(&folder).expect("it is free again"));
        std::fs::remove_dir_all(&folder).expect("it is gone");
    }
}
