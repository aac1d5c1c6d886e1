//! Files that options name.

use std::fs::File;
use std::io::Read;

/// The longest file that is read, in bytes. Tables and definitions are far shorter.
const MOST_BYTES: u64 = 4 << 20;

/// The text of a file.
///
/// # Errors
/// It cannot be read, is none of text, or too long. What is no file, such as a device without end, is
/// refused before it is read.
pub(super) fn read_text(path: &str) -> Result<String, String> {
    let fault = |error: std::io::Error| error.to_string();
    if !std::fs::metadata(path).map_err(fault)?.is_file() {
        return Err("it is no file".to_string());
    }
    let file = File::open(path).map_err(fault)?;
    let mut bytes = Vec::new();
    // One more than may be: a file may grow while it is read.
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(fault)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it is longer than {} MiB", MOST_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "it is no UTF-8 text".to_string())
}
