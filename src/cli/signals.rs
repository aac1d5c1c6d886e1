//! Ctrl-C, SIGTERM and SIGHUP. A command that they stop keeps what is done, prints how to go on, and ends with the
//! status that shells give to a program ended by the signal: 128 and its number (130, 143, 129).

use std::process::exit;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::CommandResult;
use crate::engine::Control;

/// The number of Ctrl-C's signal, the only one of some systems.
pub(super) const INTERRUPT: i32 = 2;

/// The last signal that came.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// A control that a signal stops.
pub(super) fn stopped_by_signal() -> CommandResult<Arc<Control>> {
    let control = Arc::new(Control::new(false));
    let stopped = Arc::clone(&control);
    on_signal(move || stopped.stop())?;
    Ok(control)
}

/// What comes within this time of the first signal is the same one again: `timeout` signals a program and its group.
const ECHO: Duration = Duration::from_millis(200);

/// Calls `stop` when a signal comes; the second signal ends the program at once. Only one call in a program works.
pub(super) fn on_signal(stop: impl Fn() + Send + 'static) -> CommandResult {
    let first = OnceLock::new();
    let receive = move |signal| {
        let is_first = RECEIVED.swap(signal, Ordering::Relaxed) == 0;
        let begun: &Instant = first.get_or_init(Instant::now);
        if is_first {
            stop();
        } else if begun.elapsed() > ECHO {
            end();
        }
    };
    catch(receive)
}

/// Ends the program if a signal told it to end. Ctrl-C, by which people only end the work under way, does not count.
pub(super) fn end_if_told() {
    if ![0, INTERRUPT].contains(&RECEIVED.load(Ordering::Relaxed)) {
        end();
    }
}

/// Ends the program if a signal has come.
pub(super) fn end_if_signaled() {
    if RECEIVED.load(Ordering::Relaxed) != 0 {
        end();
    }
}

/// Ends the program that a signal stopped.
pub(super) fn end() -> ! {
    let signal = RECEIVED.load(Ordering::Relaxed);
    exit(128 + if signal == 0 { INTERRUPT } else { signal })
}

/// Calls `receive` with the number of each signal that comes. Only one call in a program works.
pub(super) fn catch(receive: impl Fn(i32) + Send + 'static) -> CommandResult {
    wait(receive).map_err(|error| format!("signals cannot be caught: {error}").into())
}

#[cfg(unix)]
fn wait(receive: impl Fn(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // `nohup` lets a command live on when its terminal is closed.
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new(hangup.into_iter().chain([SIGINT, SIGTERM]))?;
    let each = move || signals.forever().for_each(receive);
    std::thread::Builder::new().name("signals".into()).spawn(each)?;
    Ok(())
}

/// Whether whoever started the program had this signal ignored, where the system says so.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

#[cfg(not(unix))]
fn wait(receive: impl Fn(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || receive(INTERRUPT))
}
