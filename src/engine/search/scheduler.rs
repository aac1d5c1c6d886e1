//! How the threads of a search share its iterations: each works at a depth of its own, and a finished
//! iteration makes those at the same depth or below superfluous. The idea is that of Demolito (Lucas Braesch).

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::root_moves::RootMove;

/// The result of a finished iteration.
#[derive(Debug, Clone, Default)]
pub(super) struct FinishedIteration {
    /// The best line first.
    pub lines: Vec<RootMove>,
    /// The share of its thread's nodes that was spent on the best move, 0 to 1.
    pub effort: f64,
}

/// The deepest iteration that a thread has finished, and the depth that each thread works at.
#[derive(Debug)]
pub(super) struct IterationScheduler {
    finished_depth: AtomicI32,
    finished: Mutex<FinishedIteration>,
    /// The depth that each thread works at, in plies.
    thread_depths: Vec<AtomicI32>,
}

impl IterationScheduler {
    pub fn new(threads: usize) -> IterationScheduler {
        IterationScheduler {
            finished_depth: AtomicI32::new(0),
            finished: Mutex::default(),
            thread_depths: (0..threads).map(|_| AtomicI32::new(0)).collect(),
        }
    }

    /// The depth of the deepest finished iteration, 0 if there is none.
    pub fn finished_depth(&self) -> i32 {
        self.finished_depth.load(Ordering::Acquire)
    }

    /// The next depth for a thread: the first beyond the finished ones at which, or deeper, fewer than half
    /// of the threads work. At the same depth they would search much of the same tree.
    pub fn next_depth(&self, thread: usize) -> i32 {
        let mut depth = self.finished_depth() + 1;
        while self.others_at_least(depth, thread) * 2 >= self.thread_depths.len() {
            depth += 1;
        }
        self.thread_depths[thread].store(depth, Ordering::Relaxed);
        depth
    }

    /// How many other threads work at this depth or deeper.
    fn others_at_least(&self, depth: i32, thread: usize) -> usize {
        let others = self.thread_depths.iter().enumerate().filter(|&(other, _)| other != thread);
        others.filter(|(_, at)| at.load(Ordering::Relaxed) >= depth).count()
    }

    /// Publishes an iteration that a thread has finished, unless a deeper one is known.
    pub fn publish(&self, depth: i32, lines: &[RootMove], effort: f64) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > self.finished_depth() {
            *finished = FinishedIteration { lines: lines.to_vec(), effort };
            self.finished_depth.store(depth, Ordering::Release);
        }
    }

    /// The depth of the deepest finished iteration, and its result.
    pub fn deepest_finished(&self) -> (i32, FinishedIteration) {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        (self.finished_depth(), finished.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_searches_every_depth() {
        let scheduler = IterationScheduler::new(1);
        for depth in 1..9 {
            assert_eq!(scheduler.next_depth(0), depth);
            scheduler.publish(depth, &[], 0.5);
        }
    }

    #[test]
    fn two_threads_take_turns() {
        let scheduler = IterationScheduler::new(2);
        assert_eq!((scheduler.next_depth(0), scheduler.next_depth(1)), (1, 2));
        scheduler.publish(1, &[], 0.5);
        assert_eq!(scheduler.next_depth(0), 3);
        // The other thread finished a deeper iteration first: the thread at depth 3 skips it.
        scheduler.publish(2, &[], 0.5);
        assert_eq!(scheduler.next_depth(1), 4);
        scheduler.publish(4, &[], 0.5);
        assert_eq!(
            (scheduler.finished_depth(), scheduler.next_depth(0), scheduler.next_depth(1)),
            (4, 5, 6)
        );
        scheduler.publish(3, &[], 0.5);
        assert_eq!(scheduler.finished_depth(), 4, "a shallower iteration changes nothing");
    }

    #[test]
    fn of_four_threads_two_work_at_a_depth() {
        let scheduler = IterationScheduler::new(4);
        let depths: Vec<i32> = (0..4).map(|thread| scheduler.next_depth(thread)).collect();
        assert_eq!(depths, [1, 1, 2, 2]);
    }
}
