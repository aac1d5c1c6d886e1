//! Whether the tests were started so that closing the terminal does not end them.

/// Whether these tests run under `nohup`: the program inherits that SIGHUP is ignored, and leaves it so.
pub fn is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 != 0)
}
