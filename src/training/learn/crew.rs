//! Threads that share numbered work. The results are taken in the order of the numbers, so that what is made of them
//! does not depend on which thread is faster.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::Duration;

use super::fault::LearnError;
use crate::engine::{Control, Evaluation, STACK_SIZE, Searcher};

/// How often the work looks at the time and at what it was told.
const TICK: Duration = Duration::from_millis(50);

/// A searcher with this evaluation.
pub(super) fn searcher(mebibytes: u32, evaluation: &Evaluation) -> Result<Searcher, LearnError> {
    let mut searcher = Searcher::new(mebibytes as usize).ok_or(LearnError::NoMemory(mebibytes))?;
    searcher.set_evaluation(Some(evaluation.clone()));
    Ok(searcher)
}

/// Lets a thread for each worker do the work of these numbers; `work` returns none if it was stopped. `each` gets every
/// result in order, and every now and then none; it returns whether to go on. What was begun by then is given up.
///
/// # Errors
/// Those of `each`; `user` was stopped; the system gives no thread.
pub(super) fn share<W: Send, T: Send>(
    workers: Vec<W>,
    numbers: Range<u64>,
    user: &Control,
    work: impl Fn(&mut W, u64, &Control) -> Option<T> + Sync,
    each: impl FnMut(Option<T>) -> Result<bool, LearnError>,
) -> Result<(), LearnError> {
    let (next, control) = (AtomicU64::new(numbers.start), Control::new(false));
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for mut worker in workers {
            let (next, control, work, end) = (&next, &control, &work, numbers.end);
            let sender = sender.clone();
            let run = move || {
                while !control.is_stopped() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        break;
                    }
                    let Some(result) = work(&mut worker, number, control) else { break };
                    if sender.send((number, result)).is_err() {
                        break;
                    }
                }
            };
            let begun = Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, run);
            if let Err(error) = begun {
                control.stop();
                return Err(LearnError::NoThread(error.to_string()));
            }
        }
        drop(sender);
        let outcome = collect(&receiver, numbers.start, user, each);
        control.stop();
        outcome
    })
}

fn collect<T>(
    receiver: &Receiver<(u64, T)>,
    first: u64,
    user: &Control,
    mut each: impl FnMut(Option<T>) -> Result<bool, LearnError>,
) -> Result<(), LearnError> {
    let (mut early, mut wanted) = (BTreeMap::new(), first);
    loop {
        if user.is_stopped() {
            return Err(LearnError::Stopped);
        }
        match receiver.recv_timeout(TICK) {
            Ok((number, result)) => {
                early.insert(number, result);
                while let Some(result) = early.remove(&wanted) {
                    wanted += 1;
                    if !each(Some(result))? {
                        return Ok(());
                    }
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if !each(None)? {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(threads: usize, range: Range<u64>, most: usize) -> Vec<u64> {
        let mut found = Vec::new();
        let work = |(): &mut (), number: u64, _: &Control| {
            // The first are the slowest.
            thread::sleep(Duration::from_millis(8u64.saturating_sub(number)));
            Some(number)
        };
        let each = |number: Option<u64>| {
            found.extend(number);
            Ok(found.len() < most)
        };
        share(vec![(); threads], range, &Control::new(false), work, each).expect("work");
        found
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        for threads in [1, 3] {
            assert_eq!(numbers(threads, 2..12, usize::MAX), (2..12).collect::<Vec<_>>());
            assert_eq!(numbers(threads, 0..u64::MAX, 5), [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_stop_from_outside_is_an_error() {
        let user = Control::new(false);
        let each = |_: Option<u64>| {
            user.stop();
            Ok(true)
        };
        let stopped = share(vec![()], 0..u64::MAX, &user, |(), number, _| Some(number), each);
        assert!(matches!(stopped, Err(LearnError::Stopped)));
    }
}
