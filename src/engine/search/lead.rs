//! How the threads of a search share its iterations: each is at a depth of its own, and who finishes
//! one spares it those that are still at it. The idea is that of Demolito (Lucas Braesch).

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::worker::RootMove;

/// What a finished iteration came to.
#[derive(Debug, Clone, Default)]
pub(super) struct Finished {
    /// Best line first.
    pub lines: Vec<RootMove>,
    /// The share of its thread's nodes that was spent on the best move, 0 to 1.
    pub effort: f64,
}

/// The deepest iteration that a thread has finished, and where each of them is.
#[derive(Debug)]
pub(super) struct Lead {
    depth: AtomicI32,
    finished: Mutex<Finished>,
    /// The depths that the threads are at.
    at: Vec<AtomicI32>,
}

impl Lead {
    pub fn new(threads: usize) -> Lead {
        let at = (0..threads).map(|_| AtomicI32::new(0)).collect();
        Lead { depth: AtomicI32::new(0), finished: Mutex::default(), at }
    }

    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Acquire)
    }

    /// The next depth for a thread: the first beyond the lead that not half of them are at already, or
    /// deeper. At the same depth they would do much of the same work twice.
    pub fn next(&self, thread: usize) -> i32 {
        let mut depth = self.depth() + 1;
        while self.others_from(depth, thread) * 2 >= self.at.len() {
            depth += 1;
        }
        self.at[thread].store(depth, Ordering::Relaxed);
        depth
    }

    fn others_from(&self, depth: i32, thread: usize) -> usize {
        let others = self.at.iter().enumerate().filter(|&(other, _)| other != thread);
        others.filter(|(_, at)| at.load(Ordering::Relaxed) >= depth).count()
    }

    /// Tells of an iteration that a thread finished.
    pub fn tell(&self, depth: i32, lines: &[RootMove], effort: f64) {
        let mut known = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > self.depth() {
            *known = Finished { lines: lines.to_vec(), effort };
            self.depth.store(depth, Ordering::Release);
        }
    }

    /// The depth of the deepest iteration, and what it came to.
    pub fn finished(&self) -> (i32, Finished) {
        let known = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        (self.depth(), known.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_takes_every_depth() {
        let lead = Lead::new(1);
        for depth in 1..9 {
            assert_eq!(lead.next(0), depth);
            lead.tell(depth, &[], 0.5);
        }
    }

    #[test]
    fn two_threads_take_turns() {
        let lead = Lead::new(2);
        assert_eq!((lead.next(0), lead.next(1)), (1, 2));
        lead.tell(1, &[], 0.5);
        assert_eq!(lead.next(0), 3);
        // The other was faster at a deeper one: who is at 3 is spared it.
        lead.tell(2, &[], 0.5);
        assert_eq!(lead.next(1), 4);
        lead.tell(4, &[], 0.5);
        assert_eq!((lead.depth(), lead.next(0), lead.next(1)), (4, 5, 6));
        lead.tell(3, &[], 0.5);
        assert_eq!(lead.depth(), 4, "what comes late changes nothing");
    }

    #[test]
    fn of_four_threads_two_are_at_a_depth() {
        let lead = Lead::new(4);
        let depths: Vec<i32> = (0..4).map(|thread| lead.next(thread)).collect();
        assert_eq!(depths, [1, 1, 2, 2]);
    }
}
