//! How much of what workers found waits for the committer.
//!
//! A page may name a hundred thousand addresses, and hostile pages come in hundreds. Bodies are
//! counted by the conductor; the addresses in them are known only after parsing, so the workers
//! themselves wait until the committer has caught up. The committer never waits for a worker.

use crate::found::Found;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Bytes of found addresses that may wait; each worker adds at most one page beyond it.
const LIMIT: u64 = 12 << 20;
/// What a found address costs beside its text.
const OVERHEAD: u64 = 400;
/// How long a worker waits before it looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(200);

#[derive(Debug, Default)]
pub(crate) struct Backlog {
    bytes: Mutex<u64>,
    room: Condvar,
}

impl Backlog {
    /// What a page's addresses cost in memory.
    pub(crate) fn cost(found: &[Found]) -> u64 {
        found.iter().map(|found| found.request.url.as_str().len() as u64 + OVERHEAD).sum()
    }

    /// Waits until there is room, or until nobody wants more work done.
    pub(crate) fn wait_for_room(&self, gave_up: &dyn Fn() -> bool) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        while *bytes > LIMIT && !gave_up() {
            let waited = self.room.wait_timeout(bytes, LOOK);
            bytes = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(crate) fn add(&self, cost: u64) {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) += cost;
    }

    pub(crate) fn remove(&self, cost: u64) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        *bytes = bytes.saturating_sub(cost);
        self.room.notify_all();
    }
}
