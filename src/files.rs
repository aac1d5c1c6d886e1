//! Files that people name, of whatever length and kind. Every layer may read by this; it knows none of them but
//! how a text is quoted.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use garrison_rules::shown;

/// A fault of a file, with its name before it.
pub(crate) fn fault_in(path: &Path, fault: &dyn Display) -> String {
    format!("'{}': {fault}", shown(&path.to_string_lossy()))
}

/// The text of a file of at most so many bytes.
///
/// # Errors
/// It cannot be read, is none of text, or too long. What is no file, such as a device without end, is
/// refused before it is read.
pub(crate) fn read_text(path: &Path, most_bytes: u64) -> Result<String, String> {
    let unread = |error: std::io::Error| format!("cannot be read: {error}");
    if !std::fs::metadata(path).map_err(unread)?.is_file() {
        return Err("is no file".to_string());
    }
    let mut bytes = Vec::new();
    // One more than may be: a file may grow while it is read.
    let file = File::open(path).map_err(unread)?;
    file.take(most_bytes + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > most_bytes {
        return Err(format!("has more than {most_bytes} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        format!("byte {}: the text is not UTF-8", error.utf8_error().valid_up_to())
    })
}
