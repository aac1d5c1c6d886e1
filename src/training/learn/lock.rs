//! One run at a time in a folder. The system releases the lock when the process ends, however it ends, so that nothing
//! has to be cleared away after a crash.

use std::fs::File;
use std::path::Path;

use super::fault::LearnError;
use crate::files::lock;

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
        if !lock(&file) {
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
