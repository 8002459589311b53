//! Work that waits for the first thread that has time.
//!
//! Threads are busy with a document for microseconds or, when a piece of the index is written, for seconds; so no
//! work is given to one of them in particular. Whoever puts more than may wait, waits. And whoever wants to know
//! that everything is done asks here, because only the queue knows what was taken and not finished.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    /// There is work, or there will be none any more.
    filled: Condvar,
    /// There is room, or nothing is left to do.
    relieved: Condvar,
    /// Work that may wait, and its bytes.
    most: usize,
    most_bytes: usize,
}

#[derive(Debug)]
struct State<T> {
    waiting: VecDeque<(T, usize)>,
    bytes: usize,
    /// Taken, but not done.
    taken: usize,
    closed: bool,
}

impl<T> Queue<T> {
    pub(super) fn new(most: usize, most_bytes: usize) -> Queue<T> {
        let state = State { waiting: VecDeque::new(), bytes: 0, taken: 0, closed: false };
        let (filled, relieved) = (Condvar::new(), Condvar::new());
        Queue { state: Mutex::new(state), filled, relieved, most, most_bytes }
    }

    /// Waits until there is room. Work of any size finds it when nothing else waits.
    pub(super) fn put(&self, work: T, bytes: usize) {
        let is_full = |state: &mut State<T>| {
            !state.waiting.is_empty()
                && (state.waiting.len() >= self.most || state.bytes + bytes > self.most_bytes)
        };
        let state = self.relieved.wait_while(self.lock(), is_full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.bytes += bytes;
        state.waiting.push_back((work, bytes));
        self.filled.notify_one();
    }

    /// Waits for work; there is none any more when the queue is closed and empty. What was taken is followed by
    /// [`Queue::done`].
    pub(super) fn take(&self) -> Option<T> {
        let is_empty = |state: &mut State<T>| state.waiting.is_empty() && !state.closed;
        let state = self.filled.wait_while(self.lock(), is_empty);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let (work, bytes) = state.waiting.pop_front()?;
        state.bytes -= bytes;
        state.taken += 1;
        self.relieved.notify_all();
        Some(work)
    }

    /// One piece of work is done.
    pub(super) fn done(&self) {
        let mut state = self.lock();
        state.taken -= 1;
        self.relieved.notify_all();
    }

    /// Waits until everything that was put is done.
    pub(super) fn wait_until_done(&self) {
        let is_busy = |state: &mut State<T>| state.taken > 0 || !state.waiting.is_empty();
        drop(self.relieved.wait_while(self.lock(), is_busy));
    }

    /// Those who take end when nothing is left.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
    }

    /// The same, and what waits is thrown away.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.waiting.clear();
        state.bytes = 0;
        drop(state);
        self.close();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn everything_is_done_before_waiting_ends() {
        let queue = Queue::new(3, 10);
        let sum = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(number) = queue.take() {
                        sum.fetch_add(number, Ordering::Relaxed);
                        queue.done();
                    }
                });
            }
            for round in 1..=20 {
                // Some are larger than all that may wait.
                (1..=100).for_each(|number| queue.put(number, number % 15));
                queue.wait_until_done();
                assert_eq!(sum.load(Ordering::Relaxed), round * 5050);
            }
            queue.close();
        });
    }

    #[test]
    fn what_waits_is_limited() {
        let cases = [("by number", 2, 100), ("by bytes", 100, 20)];
        for (name, most, most_bytes) in cases {
            let queue = Queue::new(most, most_bytes);
            let put = AtomicUsize::new(0);
            thread::scope(|scope| {
                scope.spawn(|| {
                    for number in 0..5 {
                        queue.put(number, 10);
                        put.fetch_add(1, Ordering::SeqCst);
                    }
                });
                for expected in 0..5 {
                    assert_eq!(queue.take(), Some(expected), "{name}");
                    queue.done();
                    assert!(put.load(Ordering::SeqCst) <= expected + 4, "{name}");
                }
            });
            queue.put(5, 10);
            queue.abandon();
            assert_eq!(queue.take(), None, "{name}");
        }
    }
}
